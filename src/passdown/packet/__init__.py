"""The handoff packet: built from facts, sealed, and shown."""
