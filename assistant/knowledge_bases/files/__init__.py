"""Files of triples, loaded into a store on disk."""
