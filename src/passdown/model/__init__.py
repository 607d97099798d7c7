"""Values only: what the words of the product mean, without clock, files, network or environment."""
