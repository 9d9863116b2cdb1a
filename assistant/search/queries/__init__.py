"""Queries that the model writes after retrieved examples (ICSU)."""
