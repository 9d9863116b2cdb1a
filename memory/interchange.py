"""Files to move a memory with: JSON-LD, which comes back exactly; N-Triples and GraphML for other tools.

In JSON-LD a record's `@id` is its kind and its number within its list, so that the same memory always gives the same
file; records refer to each other by these ids, so that their order in the file means nothing. Earlier versions wrote
the number alone where a record refers to another.
"""

import contextlib
import json
import math
import re
from collections.abc import Callable, Iterator
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any
from urllib.parse import quote

import networkx as nx
from pydantic import ValidationError
from sqlalchemy import Connection

from memory.errors import NothingThere, UserMistake
from memory.records.portable import EntityData, FactData, MemoryData
from memory.records.putting_in import put_in
from memory.records.taking_out import Taken, take_out
from memory.types import FactKind

_NAMESPACE = "urn:lorekeeper:"
_REFERENCES = {  # by their names, the kind of record that they refer to
    **dict.fromkeys(("subject", "object_entity", "merged_into", "apart_from"), "entity"),
    **dict.fromkeys(("source", "closed_in", "once_closed_in"), "source"),
    **dict.fromkeys(("closed_by", "once_closed_by"), "fact"),
}
_CONTEXT = {
    "@vocab": _NAMESPACE,
    **{name: {"@type": "@id"} for name in _REFERENCES},
    **{name: {"@container": "@list"} for name in ("passages", "sources")},  # whose order counts
}
_LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
_ALIAS = "<http://www.w3.org/2004/02/skos/core#altLabel>"
_SAME_AS = "<http://www.w3.org/2002/07/owl#sameAs>"
_DIFFERENT_FROM = "<http://www.w3.org/2002/07/owl#differentFrom>"
_COMMENT = "<http://www.w3.org/2000/01/rdf-schema#comment>"
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_DATE_TIME = "<http://www.w3.org/2001/XMLSchema#dateTime>"
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"}
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def export(connection: Connection, user_id: int, path: Path, format: str) -> int:
    """Write a user's memory to a file; how many facts it holds.

    Raises:
        NothingThere: nothing is remembered.
        UserMistake: there is no such format, or the file cannot be written.
    """
    writers = {"jsonld": _json_ld, "ntriples": _n_triples, "graphml": _graph_ml}
    if format not in writers:
        raise UserMistake("There is no format “{format}”; use one of {known}.", format=format, known=", ".join(writers))
    data = take_out(connection, user_id)
    if not data.sources:
        raise NothingThere("Nothing is remembered, so there is nothing to export.")
    if not path.name:
        raise UserMistake("{path} names no file; give the export one.", path=path)
    partial = path.with_name(f"{path.name}.partial")  # an older export stays whole until the new one is
    try:
        partial.write_text(writers[format](data), encoding="utf-8")
        partial.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)
        raise UserMistake(
            "{path} cannot be written ({reason}); choose another place.", path=path, reason=error.strerror
        ) from error
    return len(data.facts)


def import_(connection: Connection, user_id: int, path: Path) -> int:
    """Take in a file of JSON-LD as `export` writes it; how many facts were new.

    They hold, or hold no more, as the file says; what was remembered before holds beside them.

    Raises:
        UserMistake: the file is not there, or not of that form.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
        data = MemoryData.model_validate(_from_json_ld(content))
        closers = {number: [fact.closed_by] for number, fact in enumerate(data.facts, 1) if fact.closed_by}
        TopologicalSorter(closers).prepare()  # none may close itself: whoever follows them would never come to an end
        added = put_in(connection, user_id, Taken(data)).new
    except OSError as error:
        raise UserMistake("{path} cannot be read ({reason}).", path=path, reason=error.strerror) from error
    except _BrokenLink as error:
        raise UserMistake("{path} is no memory that can be imported: {reason}.", path=path, reason=error) from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise UserMistake(
            "{path} is no memory that can be imported: {place}: {reason}.", path=path, place=place, reason=first["msg"]
        ) from error
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise UserMistake(
            "{path} is no memory that can be imported; use a file that export wrote as jsonld.", path=path
        ) from error
    return len(added)


class _BrokenLink(Exception):
    """What a record refers to is not there, or there twice; the message says which."""


def _json_ld(data: MemoryData) -> str:
    graph = [
        {"@id": _id(kind, number), "@type": kind, **_linked(record.model_dump(mode="json"), _id)}
        for kind, records in (("source", data.sources), ("entity", data.entities), ("fact", data.facts))
        for number, record in enumerate(records, 1)
    ]
    return json.dumps({"@context": _CONTEXT, "@graph": graph}, ensure_ascii=False, indent=1)


def _from_json_ld(content: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """The records by kind, in the order of their numbers, in which these refer to each other."""
    nodes: dict[str, list[dict[str, Any]]] = {"source": [], "entity": [], "fact": []}
    for node in sorted(content["@graph"], key=_number):
        nodes[str(node["@type"])].append(node)
    numbers: dict[tuple[str, Any], int] = {}
    for kind, alike in nodes.items():
        for number, node in enumerate(alike, 1):
            called = kind, node.get("@id", number)  # nothing refers to one without an id
            if called in numbers:
                raise _BrokenLink(f"two records have the @id {node['@id']!r}")
            numbers[called] = number

    def numbered(kind: str, reference: Any) -> int:
        id_ = reference if isinstance(reference, str) else _id(kind, reference)
        if (kind, id_) not in numbers:
            raise _BrokenLink(f"no {kind} in it has the @id {id_!r}")
        return numbers[kind, id_]

    lists = {
        kind: [{name: value for name, value in _linked(node, numbered).items() if name[0] != "@"} for node in alike]
        for kind, alike in nodes.items()
    }
    return {"sources": lists["source"], "entities": lists["entity"], "facts": lists["fact"]}


def _id(kind: str, number: int) -> str:
    return f"{_NAMESPACE}{kind}:{number}"


def _number(node: dict[str, Any]) -> float:
    """The number in an id of ours; whatever is called otherwise comes after those."""
    end = str(node.get("@id")).rpartition(":")[2]
    return int(end) if end.isdecimal() else math.inf


def _linked(value: Any, to: Callable[[str, Any], object], kind: str = "") -> Any:
    """A record, or what stands in one, with each reference replaced by what `to` makes of it and of its kind."""
    if isinstance(value, dict):
        return {name: _linked(inner, to, _REFERENCES.get(name, "")) for name, inner in value.items()}
    if isinstance(value, list):
        return [_linked(inner, to, kind) for inner in value]
    return to(kind, value) if kind and value is not None else value


def _n_triples(data: MemoryData) -> str:
    return "".join(f"{line} .\n" for line in _triples(data))


def _triples(data: MemoryData) -> Iterator[str]:
    for number, entity in enumerate(data.entities, 1):
        yield f"{_entity(number)} {_LABEL} {_literal(entity.name)}"
        yield from (f"{_entity(number)} {_ALIAS} {_literal(alias)}" for alias in _aliases(entity))
        if entity.merged_into is not None:
            yield f"{_entity(number)} {_SAME_AS} {_entity(entity.merged_into)}"
        for other in entity.apart_from:
            yield f"{_entity(number)} {_DIFFERENT_FROM} {_entity(other)}"
    for number, fact in enumerate(data.facts, 1):
        relation = f"<{_NAMESPACE}relation:{quote(fact.relation, safe='')}>"
        predicate = _COMMENT if fact.kind is FactKind.DESCRIPTION else relation
        object_ = _literal(fact.object) if fact.object_entity is None else _entity(fact.object_entity)
        subject = _entity(fact.subject)
        if fact.valid_to is None:  # what holds no more is spoken of below, and not said
            yield f"{subject} {predicate} {object_}"
        if times := _times(fact):
            node = f"<{_NAMESPACE}fact:{number}>"
            yield f"{node} <{_RDF}type> <{_RDF}Statement>"
            yield f"{node} <{_RDF}subject> {subject}"
            yield f"{node} <{_RDF}predicate> {predicate}"
            yield f"{node} <{_RDF}object> {object_}"
            yield from (f'{node} <{_NAMESPACE}{name}> "{time}"^^{_DATE_TIME}' for name, time in times.items())


def _aliases(entity: EntityData) -> list[str]:
    return list(dict.fromkeys(used.name for used in entity.names if used.name != entity.name))


def _times(fact: FactData) -> dict[str, str]:
    times = {"valid_from": fact.valid_from, "valid_to": fact.valid_to}
    return {name: time.isoformat() for name, time in times.items() if time is not None}


def _entity(number: int) -> str:
    return f"<{_NAMESPACE}entity:{number}>"


def _literal(text: str) -> str:
    return '"' + "".join(_ESCAPES.get(character, character) for character in text) + '"'


def _graph_ml(data: MemoryData) -> str:
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for number, entity in enumerate(data.entities, 1):
        aliases = {"aliases": _xml("; ".join(told))} if (told := _aliases(entity)) else {}
        graph.add_node(f"e{number}", label=_xml(entity.name), kind="entity", **aliases)
        if entity.merged_into is not None:
            graph.add_edge(f"e{number}", f"e{entity.merged_into}", label="same as")
    for number, fact in enumerate(data.facts, 1):
        object_ = _object_node(graph, number, fact)
        graph.add_edge(f"e{fact.subject}", object_, label=_xml(fact.relation), **_times(fact))
    return "\n".join(nx.generate_graphml(graph)) + "\n"


def _object_node(graph: "nx.MultiDiGraph[str]", number: int, fact: FactData) -> str:
    if fact.object_entity is not None:
        return f"e{fact.object_entity}"
    graph.add_node(f"v{number}", label=_xml(fact.object), kind="value")
    return f"v{number}"


def _xml(text: str) -> str:
    return _NOT_IN_XML.sub("", text)
