"""Making a knowledge base of triples: Oxigraph's files, the index of names, and a note of what it is, in one folder.

It is made in a temporary folder that is renamed at the end, so that a broken file leaves nothing behind.
"""

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from pyoxigraph import Literal, NamedNode, Quad, Store

from assistant.errors import Failure, UserMistake
from assistant.knowledge_bases import rdf
from assistant.knowledge_bases.files.names import NamesWriter

STORE, NAMES, ABOUT, BANK = "store", "names.db", "about.json", "bank.jsonl"


def build(folder: Path, quads: Iterable[Quad], source: str, weights: Mapping[str, int] | None = None) -> int:
    """Make a knowledge base of `quads` in `folder`, which must not exist; how many triples it has.

    `source` says where the triples are from. `weights` (IRI to number), which `quads` may fill as it goes, ranks
    namesakes; else the most connected goes first.

    Raises:
        UserMistake: the quads raised it, or there are none; nothing is left behind.
        Failure: the disk is full or cannot be written; nothing is left behind.
    """
    partial = folder.with_name(f".{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    try:
        partial.mkdir(parents=True)
        count = _fill(partial, quads, {} if weights is None else weights)
        if not count:
            raise UserMistake("{source} holds no triples.", source=source)
        about = {"source": source, "triples": count}
        (partial / ABOUT).write_text(json.dumps(about, ensure_ascii=False), encoding="utf-8")
        partial.rename(folder)
    except OSError as error:
        raise Failure(
            "Cannot write the knowledge base to {folder}: {reason}.", folder=folder, reason=error.strerror or error
        ) from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return count


def _fill(folder: Path, quads: Iterable[Quad], weights: Mapping[str, int]) -> int:
    store, names, predicates = Store(str(folder / STORE)), NamesWriter(folder / NAMES), set[str]()
    try:
        store.bulk_extend(_watched(quads, names, predicates))
        names.finish(predicates, rdf.entity_name, weights)
    finally:
        names.close()
    store.flush()
    return len(store)


def _watched(quads: Iterable[Quad], names: NamesWriter, predicates: set[str]) -> Iterator[Quad]:
    """The quads to keep, while their nodes and names are noted."""
    for quad in quads:
        subject, predicate, value = quad.subject, quad.predicate.value, quad.object
        predicates.add(predicate)
        if isinstance(subject, NamedNode):
            names.saw(subject.value, 0 if rdf.is_about_naming(predicate) else 1)
            if kind := rdf.names_its_subject(predicate):
                _note_name(names, subject.value, value, alias=kind == "alias")
        if isinstance(value, NamedNode):
            names.saw(value.value)
        if predicate != rdf.INDEXED_ALIAS:
            yield quad


def _note_name(names: NamesWriter, iri: str, value: object, *, alias: bool) -> None:
    if isinstance(value, Literal):
        names.named(iri, value.value, value.language or "", alias=alias)
    elif isinstance(value, NamedNode):
        names.named(iri, rdf.entity_name(value.value), "", alias=alias)
