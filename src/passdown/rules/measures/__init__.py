"""What the record says of handoffs in numbers (semantics: section 9)."""
