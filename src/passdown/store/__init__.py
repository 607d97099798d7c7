"""Projections of the ledger: delete and rebuild gives the same answers."""
