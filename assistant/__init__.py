"""The assistant: decides what a turn needs, searches, answers and remembers."""

__version__ = "0.1.0"
