"""The banks that ship: every query parses and finds something, and no id is made up."""

import gzip
import importlib.util
import itertools
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from pyoxigraph import BlankNode, Literal, NamedNode, Quad, Store

from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.sparql.bank import Pair, QueryBank, read_bank
from assistant.knowledge_bases.sparql.querying import run
from assistant.knowledge_bases.sparql.text import Token, tokens
from assistant.knowledge_bases.world.world import World
from assistant.search.queries.patterns import Pattern, patterns
from assistant.settings import Settings

BANKS = Path(__file__).parents[4] / "prompts" / "banks"
WIKIDATA = read_bank(BANKS / "wikidata.jsonl")
_XSD = "http://www.w3.org/2001/XMLSchema#"
# What a variable may stand for, so that the conditions of a query hold.
_VALUES = [
    NamedNode("http://e.org/a"),
    NamedNode("http://e.org/b"),
    *(Literal(str(number), datatype=NamedNode(f"{_XSD}decimal")) for number in (1, 10**9)),
    *(Literal(f"{year}-06-01T00:00:00Z", datatype=NamedNode(f"{_XSD}dateTime")) for year in (1940, 1983, 2011)),
    *(Literal(f"{year}-06-01T00:00:00Z", datatype=NamedNode(f"{_XSD}dateTime")) for year in (1961, 1963)),
]
_CONDITIONED = {"FILTER", "BY", "YEAR", "VALUES"}


def finds(pair: Pair, bank: QueryBank) -> bool:
    """Whether the query finds something in some small graph that is made of its own patterns."""
    query = bank.whole(pair.sparql)
    return any(_answers(query, graph) for graph in graphs(pair.sparql, bank))


def _answers(query: str, graph: Sequence[Quad]) -> bool:
    store = Store()
    store.extend(graph)
    result = run(store, query)
    return bool(result.boolean) or any(term is not None and term.value != "0" for row in result.rows for term in row)


def graphs(query: str, bank: QueryBank) -> Iterator[list[Quad]]:
    """Graphs of the query's patterns, with one value after another for the variables that it has conditions on."""
    words = tokens(query)
    found = [pattern for pattern in patterns(query) if not _is_denied(pattern, words)]
    names = dict.fromkeys(t.text for p in found for t in (p.subject, p.object) if t.kind == "variable")
    conditioned = [name for name in names if _has_condition(name, query)]
    listed = [NamedNode(bank.expanded(t)) for t in _listed(words)]
    for values in itertools.product([*listed, *_VALUES], repeat=len(conditioned)):
        graph: list[Quad] = []
        for copy in ("1", "2") if "OFFSET" in query else ("1",):
            bound = {name: NamedNode(f"http://e.org/{name[1:]}{copy}") for name in names}
            bound |= dict(zip(conditioned, values, strict=True))
            graph += [quad for pattern in found if (quad := _quad(pattern, bound, bank)) is not None]
        if len(graph) % len(found) == 0:
            yield graph


def _has_condition(name: str, query: str) -> bool:
    after_group = query[query.rindex("}") :]
    conditions = " ".join(re.findall(r"FILTER\(.*?\) ?}|FILTER\([^{}]*|VALUES \S+|YEAR\(\S+\)", query)) + after_group
    return re.search(rf"\{name}\b", conditions) is not None


def _listed(words: Sequence[Token]) -> list[Token]:
    place = next((i for i, word in enumerate(words) if word.keyword == "VALUES"), None)
    if place is None:
        return []
    return list(itertools.takewhile(lambda word: word.text != "}", words[place + 3 :]))


def _is_denied(pattern: Pattern, words: Sequence[Token]) -> bool:
    """Whether it stands in the group of NOT EXISTS."""
    opened = [word for word in words if word.start < pattern.path[0].start]
    for place, word in enumerate(opened):
        if word.keyword == "NOT" and not any(later.text == "}" for later in opened[place:]):
            return True
    return False


def _quad(pattern: Pattern, bound: dict[str, NamedNode | Literal], bank: QueryBank) -> Quad | None:
    subject, value = (_term(end, bound, bank) for end in (pattern.subject, pattern.object))
    if not isinstance(subject, NamedNode | BlankNode):
        return None
    return Quad(subject, NamedNode(bank.expanded(pattern.path[0])), value)


def _term(end: Token, bound: dict[str, NamedNode | Literal], bank: QueryBank) -> NamedNode | Literal:
    return bound[end.text] if end.kind == "variable" else NamedNode(bank.expanded(end))


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    """From the cache that all homes share; generated where it is not there."""
    base = World(Settings.from_environment().cache)
    yield base
    base.close()


def test_every_query_of_the_world_finds_something(world: World) -> None:
    bank = read_bank(BANKS / "world.jsonl")
    assert len(bank.pairs) >= 60
    assert sum(bool(re.search("[\u4e00-\u9fff]", pair.question)) for pair in bank.pairs) >= 20
    empty = []
    for pair in bank.pairs:
        found = world.query(bank.whole(pair.sparql), Deadline.after(300))
        if found.boolean is None and not any(term is not None for row in found.rows for term in row):
            empty.append(pair.question)
    assert empty == []


@pytest.mark.parametrize("pair", WIKIDATA.pairs, ids=lambda pair: pair.question)
def test_every_wikidata_query_finds_something_in_a_small_graph(pair: Pair) -> None:
    assert finds(pair, WIKIDATA)


def test_the_wikidata_bank_covers_what_people_ask() -> None:
    assert len(WIKIDATA.pairs) >= 120
    wanted = {"COUNT(": 8, "ORDER BY": 15, "VALUES": 7, "UNION": 4, "ASK": 8, "pq:P": 10, "YEAR(": 8, "wdt:P279*": 1}
    for shape, least in wanted.items():
        assert sum(shape in pair.sparql for pair in WIKIDATA.pairs) >= least, shape
    assert sum(bool(re.search("[\u4e00-\u9fff]", pair.question)) for pair in WIKIDATA.pairs) >= 20


def test_every_id_has_its_label_and_every_label_is_used() -> None:
    used = {id_ for pair in WIKIDATA.pairs for id_ in re.findall(r":([PQ]\d+)", pair.sparql)}
    assert used == set(WIKIDATA.labels)


def _packaged_labels() -> set[tuple[str, str]]:
    """Ids with their labels, as kif-lib has them from Wikidata; its files are read, not run."""
    spec = importlib.util.find_spec("kif_lib")
    assert spec is not None and spec.origin is not None
    folder = Path(spec.origin).parent / "vocabulary" / "wd"
    properties = (folder / "property.py").read_text(encoding="utf-8")
    items = "".join(file.read_text(encoding="utf-8") for file in folder.glob("item*.py"))
    found = re.findall(
        r"^\w+ = Property\(IRI\('[^']*/(P\d+)'.*?labels=\[Text\((['\"])(.*?)\2", properties, re.MULTILINE
    )
    found += re.findall(r"entity/(Q\d+)'.*?Text\((['\"])(.*?)\2", items, re.DOTALL)
    named = re.findall(r"Q\((\d+), (['\"])(.*?)\2", items)
    return {(id_, label) for id_, _, label in found} | {(f"Q{number}", label) for number, _, label in named}


def test_the_ids_of_properties_are_those_of_wikidata() -> None:
    properties = {entry for entry in WIKIDATA.labels.items() if entry[0].startswith("P")}
    assert properties <= _packaged_labels()


def test_the_ids_of_items_are_those_of_wikidata(evaluation_data: Path) -> None:
    with gzip.open(evaluation_data / "fb15k237" / "entities.json.gz") as file:
        entities = json.load(file).values()
    known = _packaged_labels() | {(entity.get("wikidata_id"), entity.get("label")) for entity in entities}
    assert set(WIKIDATA.labels.items()) <= known
