"""One command and all that it starts, confined to the boundary by bubblewrap and Landlock together."""
