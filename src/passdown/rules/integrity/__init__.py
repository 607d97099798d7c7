"""What became of the tests: two readings of a file compared, and each difference judged."""
