"""SPARQL: what may run, where it runs, and who answers it."""
