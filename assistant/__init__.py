"""The assistant: decides what a turn needs, searches, answers and remembers."""
