"""The Disease Database as MedQA's knowledge graph has it: one JSON file of relations, one of names beside it.

A relation is `"key": [subject, object, code]`, a name `"name": [entity, "1" where it is the preferred one]`.
"""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

from pyoxigraph import DefaultGraph, Literal, NamedNode, Quad

from assistant.errors import UserMistake
from assistant.knowledge_bases import rdf

RELATIONS_FILE = "ddb_relas.json"
_NAMES_FILE = "ddb_names.json"
# What the codes stand for, as the graph's readers (QA-GNN and those after it) have them.
_RELATIONS = {
    "0": "belongs to the category of",
    "1": "is a category of",
    "2": "may cause",
    "3": "is a subtype of",
    "4": "is a risk factor for",
    "6": "is associated with",
    "10": "may contraindicate",
    "12": "interacts with",
    "16": "belongs to the drug family of",
    "17": "belongs to the drug super-family of",
    "18": "is a vector for",
    "20": "may be allelic with",
    "26": "see also",
    "30": "is an ingredient of",
    "233": "may treat",
}


def read_disease_database(path: Path) -> Iterator[Quad]:
    """The triples of the relations' file at `path`, with every entity's other names.

    Raises:
        UserMistake: one of the two files is missing or is not of this form.
    """
    relations = _read(path)
    names = _read(path.with_name(path.name.replace(RELATIONS_FILE, _NAMES_FILE)))
    graph = DefaultGraph()
    try:
        named = [(name, entity, preferred == "1") for name, (entity, preferred) in names.items()]
        shown = {entity: name for name, entity, _ in named} | {e: name for name, e, preferred in named if preferred}
        nodes = {entity: rdf.entity_node(name) for entity, name in shown.items()}
        for subject, value, code in relations.values():
            if subject in nodes and value in nodes:
                relation = rdf.relation_node(_RELATIONS.get(code, f"relation {code}"))
                yield Quad(nodes[subject], relation, nodes[value], graph)
        for name, entity, _ in named:
            if name != shown[entity]:
                yield Quad(nodes[entity], NamedNode(rdf.INDEXED_ALIAS), Literal(name), graph)
    except (AttributeError, TypeError, ValueError) as error:
        raise UserMistake(f"{path.name} or the names beside it are not of the Disease Database ({error}).") from error


def _read(path: Path) -> dict[str, list[str]]:
    try:
        data = path.read_bytes()
        text = gzip.decompress(data) if path.suffix.lower() == ".gz" else data
        read: dict[str, list[str]] = json.loads(text)
    except OSError as error:
        raise UserMistake(f"Cannot read {path}: {error.strerror or error}; both files have to lie there.") from error
    except ValueError as error:
        raise UserMistake(f"{path.name} is not JSON ({error}); get it again.") from error
    return read
