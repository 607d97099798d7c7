"""One command and all that it starts, confined to the boundary by bubblewrap and Landlock together."""

SOCKET = "/run/passdown/broker"
"""Where the parent's socket stands inside; nothing stands there outside."""
