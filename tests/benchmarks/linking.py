"""Whether a name that several entities bear is linked to the one that the context means (KnowledGPT, section 3.2.2).

The knowledge base is FB15k-237 with its labels, aliases and descriptions. A row is a name that an entity shares with
others; its context is one triple of the entity in words, which is taken out of the knowledge base. The baseline takes
the namesake with most triples.
"""

import argparse
import contextlib
import gzip
import json
import random
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from pyoxigraph import Literal, NamedNode, Quad

from assistant.embedding import load_embedder
from assistant.knowledge_bases import rdf
from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.files.building import build
from assistant.knowledge_bases.files.triples import Triples
from assistant.knowledge_bases.linking import Linking
from assistant.knowledge_bases.relations import RelationRanker
from assistant.llm.client import LanguageModel
from assistant.settings import Settings
from memory.folding import fold
from tests.benchmarks import product
from tests.benchmarks.harness import Measure, Metric
from tests.benchmarks.rows import Outcome, Row

_NODE = "urn:freebase:"
_Fact = tuple[str, str, str]


class EntityLinking:
    """`linking --data DIR`: DIR has `triples.tsv.gz` and `entities.json.gz`; 300 names by default."""

    name: ClassVar[str] = "linking"
    metrics: ClassVar[dict[str, Metric]] = {
        "accuracy": Metric("right"),
        "accuracy_most_connected": Metric("most_connected"),
        "accuracy_without_model": Metric("without_model"),
        "asked": Metric("asked"),
    }

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """The options of this benchmark."""
        parser.set_defaults(limit=300)

    def __init__(self, options: argparse.Namespace) -> None:
        self._triples: Path = options.data / "triples.tsv.gz"
        self._entities: Path = options.data / "entities.json.gz"

    def files(self) -> list[Path]:
        """See `Benchmark.files`."""
        return [self._triples, self._entities]

    def rows(self) -> list[Row]:
        """One row for each name and entity that bears it with others; its kind is how many bear it."""
        facts, described = self._facts(), self._described()
        of_entity: dict[str, list[_Fact]] = defaultdict(list)
        for fact in facts:
            of_entity[fact[0]].append(fact)
            of_entity[fact[2]].append(fact)
        rows = []
        for name, bearers in sorted(_namesakes(described).items()):
            bearing = sorted(entity for entity in bearers if len(of_entity[entity]) > 1)
            for entity in bearing if len(bearing) > 1 else ():
                of_others = [f for f in of_entity[entity] if fold(described[_other(f, entity)]["label"]) != fold(name)]
                if of_others:
                    fact = random.Random(f"{name} {entity}").choice(of_others)
                    data = {"name": name, "entity": entity, "fact": fact, "bearing": bearing}
                    rows.append(Row(f"{name}|{entity}", str(min(len(bearing), 4)), data))
        return rows

    def settings(self) -> dict[str, Any]:
        """See `Benchmark.settings`."""
        return {"model": product.model_name()}

    @contextlib.contextmanager
    def measuring(self) -> Iterator[Measure]:
        """Linking alone, with the assistant's own model."""
        taken_out = {tuple(row.data["fact"]) for row in self.rows()}
        facts, described = [fact for fact in self._facts() if fact not in taken_out], self._described()
        connected = Counter(end for fact in facts for end in (fact[0], fact[2]))
        with tempfile.TemporaryDirectory(prefix="lorekeeper-bench-") as folder, product.assistant() as assistant:
            build(Path(folder) / "kb", _quads(facts, described), "FB15k-237")
            base = Triples("freebase", Path(folder) / "kb")
            settings = Settings.from_environment()
            ranker = RelationRanker(load_embedder(settings.embeddings, settings.cache))

            def measure(row: Row) -> Outcome:
                question = _in_words(row, described)
                with assistant.model.for_turn(lambda: False) as model:
                    linked = _linked(base, ranker, row, question, model)
                    usage = model.usage.total
                guessed = _linked(base, ranker, row, question, None)
                most = max(row.data["bearing"], key=lambda entity: connected[entity])
                scores = {
                    "right": float(linked == row.data["entity"]),
                    "most_connected": float(most == row.data["entity"]),
                    "without_model": float(guessed == row.data["entity"]),
                    "asked": float(usage.calls),
                }
                return Outcome(scores, usage, {"question": question, "linked": linked, "wanted": row.data["entity"]})

            yield measure
            base.close()

    def _facts(self) -> list[_Fact]:
        described = self._described()
        with gzip.open(self._triples, "rt", encoding="utf-8") as file:
            facts = [tuple(line.rstrip("\n").split("\t")) for line in file]
        return [(h, _relation(r), t) for h, r, t in dict.fromkeys(facts) if h in described and t in described]

    def _described(self) -> dict[str, Any]:
        with gzip.open(self._entities, "rt", encoding="utf-8") as file:
            entities: dict[str, Any] = json.load(file)
        return {entity: about for entity, about in entities.items() if about["label"]}


def _linked(base: Triples, ranker: RelationRanker, row: Row, question: str, model: LanguageModel | None) -> str:
    """The id of the entity that the name is linked to; empty where it is linked to none."""
    linking = Linking(base, question, Deadline.after(60), ranker, model)
    found = linking.entities([row.data["name"]], [])
    return found[0].id.partition(_NODE)[2] if found else ""


def _namesakes(described: dict[str, Any]) -> dict[str, set[str]]:
    """Names that several entities bear, with these entities."""
    bearers: dict[str, set[str]] = defaultdict(set)
    for entity, about in described.items():
        for name in filter(None, (about["label"], *about["alternatives"])):
            bearers[fold(name)].add(entity)
    return {name: entities for name, entities in bearers.items() if len(entities) > 1}


def _quads(facts: list[_Fact], described: dict[str, Any]) -> Iterator[Quad]:
    for entity, about in described.items():
        node = NamedNode(_NODE + entity)
        yield Quad(node, NamedNode(rdf.LABEL), Literal(about["label"]))
        for alias in about["alternatives"]:
            yield Quad(node, NamedNode(rdf.ALIAS), Literal(alias))
        if about["description"]:
            yield Quad(node, NamedNode(rdf.DESCRIPTION), Literal(about["description"]))
    for head, relation, tail in facts:
        yield Quad(NamedNode(_NODE + head), rdf.relation_node(relation), NamedNode(_NODE + tail))


def _relation(path: str) -> str:
    """`/tv/tv_program/regular_cast./tv/regular_tv_appearance/actor` is "regular cast actor"."""
    return " ".join(part.rpartition("/")[2] for part in path.split(".")).replace("_", " ").strip()


def _other(fact: _Fact, entity: str) -> str:
    return fact[2] if fact[0] == entity else fact[0]


def _in_words(row: Row, described: dict[str, Any]) -> str:
    """The context: the triple with the name in the entity's place."""
    head, relation, _ = row.data["fact"]
    name, label = row.data["name"], described[_other(row.data["fact"], row.data["entity"])]["label"]
    return f"{name}, {relation}: {label}" if head == row.data["entity"] else f"{label}, {relation}: {name}"
