"""What a check's own output says: numbers, failing ids, the error line, and a verdict where it is plain."""
