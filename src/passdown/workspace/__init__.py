"""One worktree of a git repository: where it is, what exactly is in it, and how to bring it back."""
