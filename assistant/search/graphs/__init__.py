"""Parts of graphs: the surroundings of what a question names, and learned paths (KnowGPT, section 3.1)."""
