"""The code owner's side: who owns which path, and the verdict."""
