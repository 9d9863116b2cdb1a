"""The public knowledge bases: Wikipedia, Wikidata, CN-DBpedia."""
