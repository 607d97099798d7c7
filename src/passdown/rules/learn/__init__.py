"""What repeated misses teach: counted from the record, proposed as small edits, and whether they helped."""
