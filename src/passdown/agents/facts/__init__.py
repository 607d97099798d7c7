"""Normalised stream -> ``SessionFacts`` (``gather.gather``): what one session did, said and left open."""
