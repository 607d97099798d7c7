"""The forge: GitHub's pull requests, published to and read from. GitHub is known here alone."""
