"""A small library of books in triples, with a bank of questions and queries, for tests of queries."""

import json
from pathlib import Path

from assistant.knowledge_bases.files.building import BANK, build
from assistant.knowledge_bases.files.formats import read_triples
from assistant.knowledge_bases.files.triples import Triples

TRIPLES = """\
@prefix b: <http://books.org/> .
@prefix p: <http://books.org/p/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
p:place_of_birth rdfs:label "place of birth"@en, "出生地"@zh .
b:shelley rdfs:label "Mary Shelley"@en, "玛丽·雪莱"@zh ; p:place_of_birth b:london ; p:wrote b:frankenstein ;
  p:website "http://shelley.org/" ; p:born "1797-08-30" .
b:stoker rdfs:label "Bram Stoker"@en ; p:place_of_birth b:dublin ; p:wrote b:dracula ; p:website "http://stoker.org/" .
b:fans rdfs:label "Stoker's readers"@en ; p:website "http://stoker.org" .
b:austen rdfs:label "Jane Austen"@en ; p:place_of_birth b:steventon ; p:wrote b:emma, b:persuasion .
b:frankenstein rdfs:label "Frankenstein"@en ; p:year "1818" .
b:dracula rdfs:label "Dracula"@en ; p:year "1897" .
b:emma rdfs:label "Emma"@en ; p:year "1815" .
b:persuasion rdfs:label "Persuasion"@en ; p:year "1817" .
b:london rdfs:label "London"@en, "伦敦"@zh . b:dublin rdfs:label "Dublin"@en . b:steventon rdfs:label "Steventon"@en .
b:austen p:taught b:shelley . b:shelley p:taught b:stoker .
[ p:subject b:austen ; p:predicate p:wrote ; p:object b:emma ] p:publisher "John Murray" ; p:printed "1815-12" .
"""
PREFIXES = {"p": "http://books.org/p/", "rdfs": "http://www.w3.org/2000/01/rdf-schema#"}
PAIRS = [
    ("Where was Bram Stoker born?", 'SELECT ?x WHERE { ?a rdfs:label "Bram Stoker"@en ; p:place_of_birth ?x . }'),
    ("Who wrote Dracula?", 'SELECT ?x WHERE { ?a rdfs:label "Dracula"@en . ?x p:wrote ?a . }'),
    ("In which year did Emma come out?", 'SELECT ?x WHERE { ?a rdfs:label "Emma"@en ; p:year ?x . }'),
    (
        "How many books did Jane Austen write?",
        'SELECT (COUNT(?x) AS ?n) WHERE { ?a rdfs:label "Jane Austen"@en ; p:wrote ?x . }',
    ),
    (
        "Is http://stoker.org/ the website of Bram Stoker?",
        'ASK { ?a rdfs:label "Bram Stoker"@en ; p:website "http://stoker.org/" . }',
    ),
]


def bank_text() -> str:
    lines = [{"prefixes": PREFIXES}, *({"question": question, "sparql": sparql} for question, sparql in PAIRS)]
    return "\n".join(json.dumps(line) for line in lines)


def library(folder: Path) -> Triples:
    """The library as a knowledge base in a new folder."""
    file = folder / "library.ttl"
    file.write_text(TRIPLES)
    build(folder / "library", read_triples(file, "turtle"), "library.ttl")
    (folder / "library" / BANK).write_text(bank_text())
    return Triples("library", folder / "library")
