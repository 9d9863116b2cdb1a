"""The formats of files: each reader turns bytes into pieces of text."""
