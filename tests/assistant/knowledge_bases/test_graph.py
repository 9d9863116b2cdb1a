"""Graphs in compact arrays, and those of the knowledge bases."""

import gzip
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.errors import UserMistake
from assistant.knowledge_bases.base import Walkable
from assistant.knowledge_bases.files.building import build
from assistant.knowledge_bases.files.formats import guess_format, read_triples
from assistant.knowledge_bases.files.triples import Triples
from assistant.knowledge_bases.graph import Edge, Graph, Texts
from assistant.knowledge_bases.personal import Personal
from memory.store import Memory
from tests.memory.samples import WordEmbedder, read

CONCEPTNET = "AtLocation\trevolve door\tbank\nIsA\tbank\tbuilding\nIsA\tbank\tbank\n"


def graph_of(triples: list[tuple[int, int, int]], entities: int) -> Graph:
    columns = np.array(triples, np.int32).reshape(-1, 3).T
    return Graph([f"e{n}" for n in range(entities)], ["r0", "r1", "r2"], (columns[0], columns[1], columns[2]))


def opened(folder: Path, text: str, name: str) -> Triples:
    file = folder / name
    file.write_text(text, "utf-8")
    build(folder / "kb", read_triples(file, guess_format(file)), name)
    return Triples("kb", folder / "kb")


@given(st.lists(st.text()))
def test_texts_are_given_back_as_they_were(texts: list[str]) -> None:
    kept = [text.encode("utf-8", "replace").decode() for text in texts]
    assert list(Texts(texts)) == kept
    assert [Texts(texts)[index] for index in range(len(texts))] == kept


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 2), st.integers(0, 7)), max_size=40))
def test_every_triple_is_seen_from_both_ends_and_no_other(triples: list[tuple[int, int, int]]) -> None:
    graph = graph_of(triples, 8)
    seen: Counter[Edge] = Counter()
    for entity in range(8):
        found = graph.neighbours(entity)
        assert set(found.origins.tolist()) <= {entity}
        seen.update(found.edge(index) for index in range(len(found.entities)))
    wanted = [Edge(s, r, o, fact) for fact, (s, r, o) in enumerate(triples) if s != o]
    assert seen == Counter(dict.fromkeys(wanted, 2))
    assert graph.edges == len(wanted)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2), st.integers(0, 4)), max_size=60), st.integers(1, 70))
def test_of_many_edges_some_of_each_entity_are_given_without_repetition(
    triples: list[tuple[int, int, int]], most: int
) -> None:
    graph = graph_of(triples, 5)
    entities = np.arange(5, dtype=np.int32)
    found = graph.neighbours_of(entities, most)
    pairs = list(zip(found.origins.tolist(), found.facts.tolist(), strict=True))
    assert len(set(pairs)) == len(pairs)
    counts = Counter(found.origins.tolist())
    assert [counts[e] for e in range(5)] == [min(most, int(degree)) for degree in graph.degrees(entities)]


def test_an_entity_that_is_not_there_is_told() -> None:
    for entity in (-1, 8):
        with pytest.raises(IndexError):
            graph_of([(0, 0, 1)], 8).neighbours(entity)


def test_a_graph_of_a_hundred_thousand_edges_takes_less_than_200_bytes_an_edge() -> None:
    drawn = np.random.default_rng(0)
    ends = drawn.integers(0, 20_000, (2, 100_000), np.int32)
    graph = Graph((f"entity {n}" for n in range(20_000)), ["r"], (ends[0], np.zeros(100_000, np.int32), ends[1]))
    assert graph.nbytes / graph.edges < 60


def test_conceptnet_is_a_knowledge_base_that_can_be_walked(tmp_path: Path) -> None:
    kb = opened(tmp_path, CONCEPTNET, "triples.txt")
    assert isinstance(kb, Walkable)
    graph = kb.graph()
    bank = list(graph.names).index("bank")
    found = graph.neighbours(bank)
    triples = kb.stated([found.edge(index) for index in range(len(found.entities))], "What is in a bank?")
    facts = {(t.subject, t.relation, t.object, t.source) for t in triples}
    assert facts == {
        ("revolve door", "at location", "bank", "triples.txt"),
        ("bank", "is a", "building", "triples.txt"),
    }
    kb.close()


def test_a_broken_line_of_conceptnet_is_named_with_its_columns(tmp_path: Path) -> None:
    path = tmp_path / "triples.txt"
    path.write_text("IsA\tbank\tbuilding\nIsA\tbank\n", "utf-8")
    with pytest.raises(UserMistake, match=r"Line 2 of triples.txt is not relation<TAB>head<TAB>tail"):
        list(read_triples(path, guess_format(path)))


def test_rdf_is_walked_by_its_labels_in_the_language_of_the_question(tmp_path: Path) -> None:
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    text = (
        f'<http://e.org/1> {label} "Oslo"@en .\n<http://e.org/1> {label} "奥斯陆"@zh .\n'
        f'<http://e.org/2> {label} "Norway"@en .\n<http://e.org/2> {label} "挪威"@zh .\n'
        '<http://e.org/1> <http://e.org/capitalOf> <http://e.org/2> .\n<http://e.org/1> <http://e.org/area> "454" .\n'
    )
    kb = opened(tmp_path, text, "kb.nt")
    graph = kb.graph()
    assert sorted(graph.names) == ["Norway", "Oslo"]
    assert sorted(graph.aliases) == ["奥斯陆", "挪威"]
    edges = [graph.neighbours(0).edge(0)]
    assert [(t.subject, t.relation, t.object, t.url) for t in kb.stated(edges, "Where is Oslo?")] == [
        ("Oslo", "capital of", "Norway", "http://e.org/1")
    ]
    assert [(t.subject, t.object) for t in kb.stated(edges, "奥斯陆在哪里？")] == [("奥斯陆", "挪威")]
    kb.close()


def test_the_disease_database_has_names_aliases_and_relations(tmp_path: Path) -> None:
    names = {"Shingles": ["1", "1"], "Herpes zoster": ["1", "0"], "Erythema": ["2", "1"]}
    relations = {"0": ["1", "2", "2"], "1": ["1", "77", "2"]}
    for name, data in (("ddb_names", names), ("ddb_relas", relations)):
        (tmp_path / f"{name}.json.gz").write_bytes(gzip.compress(json.dumps(data).encode()))
    file = tmp_path / "ddb_relas.json.gz"
    build(tmp_path / "kb", read_triples(file, guess_format(file)), file.name)
    kb = Triples("ddb", tmp_path / "kb")
    graph = kb.graph()
    assert list(graph.aliases) == ["Herpes zoster"]
    found = kb.stated([graph.neighbours(0).edge(0)], "What may shingles cause?")
    assert [(t.subject, t.relation, t.object) for t in found] == [("Shingles", "may cause", "Erythema")]
    kb.close()


@pytest.mark.parametrize(
    ("name", "data"), [("ddb_names", b"{}"), ("ddb_names", b"no JSON"), ("ddb_relas", b'{"0": 1}')]
)
def test_a_damaged_disease_database_is_told(tmp_path: Path, name: str, data: bytes) -> None:
    relations = tmp_path / "ddb_relas.json"
    relations.write_bytes(b'{"0": ["1", "2", "2"]}')
    (tmp_path / f"{name}.json").write_bytes(data)
    with pytest.raises(UserMistake):
        build(tmp_path / "kb", read_triples(relations, "ddb"), relations.name)


class TestPersonal:
    def test_facts_between_entities_are_edges_that_open_their_sentence(self, home: Path) -> None:
        memory = Memory(home, WordEmbedder())
        user = memory.of("ana")
        user.note("Ilka works in Drava Hall.", read("Ilka works in Drava Hall.", ("Ilka", "works in", "Drava Hall")))
        personal = Personal(user)
        graph = personal.graph()
        assert sorted(graph.names) == ["Drava Hall", "Ilka"]
        (triple,) = personal.stated([graph.neighbours(0).edge(0)], "")
        assert (triple.subject, triple.relation, triple.object) == ("Ilka", "works in", "Drava Hall")
        assert triple.text == "Ilka works in Drava Hall."
        assert triple.url.startswith("memory:fact/")
        memory.close()

    def test_a_turn_keeps_its_graph_and_the_next_one_sees_what_is_new_and_what_is_gone(self, home: Path) -> None:
        memory = Memory(home, WordEmbedder())
        user = memory.of("ana")
        before = Personal(user)
        assert before.graph().edges == 0
        text = "Ilka works in Drava Hall."
        source, _ = user.note(text, read(text, ("Ilka", "works in", "Drava Hall")))
        assert before.graph().edges == 0
        assert Personal(user).graph().edges == 1
        assert Personal(user).graph() is Personal(user).graph()
        assert Personal(memory.of("ben")).graph().edges == 0
        user.forget(source=source.id)
        assert Personal(user).graph().edges == 0
        memory.close()
