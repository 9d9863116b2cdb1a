"""Strategies that turn a question into evidence."""
