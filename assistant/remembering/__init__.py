"""From text to knowledge: descriptions, triples and aspects, each held by what was said."""
