"""The built-in knowledge base about the world, and what it is generated from."""
