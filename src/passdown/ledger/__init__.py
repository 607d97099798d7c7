"""The append-only record: journal, signed chain, statements."""
