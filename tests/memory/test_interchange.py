"""Export and import."""

import json
import re
import resource
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import networkx as nx
import pyoxigraph
import pytest

from memory.errors import NothingThere, UserMistake
from memory.store import Memory
from memory.types import Extraction, FactKind, Held
from memory.user_memory import UserMemory
from tests.memory.samples import NOW, holding, put_right_again_and_again, read, said

OSLO = 'My sister Ann lives in Oslo — "the tiger city"\\ 城市.'


def fill(user: UserMemory) -> None:
    user.note(OSLO, read(OSLO, ("user", "sister", "Ann"), ("Ann", "lives in", "Oslo"), aliases={"Ann": ("Annie",)}))
    user.note(OSLO, read(OSLO, ("Ann", "lives in", "Oslo")))
    source = user.add_document("two.md", b"# Zwei\n\nAnn keeps bees.\n\n## Drei\n\nUnread.")
    (passage_id, passage), _ = user.passages(source.id)
    description = said(passage.text, "Annie", "description", "a keeper of bees & <wasps>", FactKind.DESCRIPTION)
    user.store(source.id, passage_id, Extraction((), (description,)))


def test_json_ld_comes_back_exactly(open_memory: Callable[..., Memory], tmp_path: Path) -> None:
    memory = open_memory()
    eve, bob = memory.of("eve"), memory.of("bob")
    bob.note("Something else.", Extraction())  # so that ids differ
    bob.forget(everything=True)
    fill(eve)
    first, second = tmp_path / "eve.jsonld", tmp_path / "bob.jsonld"
    assert eve.export(first) == 3
    assert bob.import_(first) == 3
    bob.export(second)
    assert first.read_bytes() == second.read_bytes()
    assert bob.recall("Who keeps bees?")[0].text == eve.recall("Who keeps bees?")[0].text
    assert bob.find_entities("annie")[0].name == "Ann"
    assert [source.state for source in bob.sources()] == ["ready", "ready", "reading"]
    assert memory.status().agrees


def test_the_order_of_records_in_json_ld_means_nothing(open_memory: Callable[..., Memory], tmp_path: Path) -> None:
    memory = open_memory()
    eve, bob, cy = memory.of("eve"), memory.of("bob"), memory.of("cy")
    fill(eve)
    put_right_again_and_again(eve)
    ann, anna, oslo = (eve.find_entities(name)[0].id for name in ("Ann", "Anna", "Oslo"))
    eve.unmerge(eve.merge(oslo, ann))
    eve.merge(anna, ann)
    path = tmp_path / "a.jsonld"
    eve.export(path)
    first = path.read_text()
    content = json.loads(first)
    content["@graph"].reverse()
    path.write_text(json.dumps(content), encoding="utf-8-sig")
    bob.import_(path)
    bob.export(path)
    assert path.read_text() == first
    path.write_text(re.sub(r"urn:lorekeeper:(\w+):(\d+)", r"https://example.org/\2/\1", json.dumps(content)))
    cy.import_(path)
    told, came = ({(fact.text, fact.valid_to) for fact in user.facts()} for user in (eve, cy))
    assert came == told


def test_links_in_json_ld_are_links_to_other_tools(memory: Memory, tmp_path: Path) -> None:
    user = memory.of("eve")
    fill(user)
    user.export(tmp_path / "a.jsonld")
    quads = list(pyoxigraph.parse(path=tmp_path / "a.jsonld", format=pyoxigraph.RdfFormat.JSON_LD))
    records = {quad.subject for quad in quads if quad.predicate.value.endswith("#type")}
    assert len(records) == 3 + 3 + 3  # sources; user, Ann, Oslo; facts
    links = {"subject", "object_entity", "source"}
    linked = [quad.object for quad in quads if quad.predicate.value.removeprefix("urn:lorekeeper:") in links]
    assert len(linked) > 6
    assert set(linked) <= records


def test_json_ld_of_earlier_versions_is_read(memory: Memory, tmp_path: Path) -> None:
    eve, bob = memory.of("eve"), memory.of("bob")
    fill(eve)
    put_right_again_and_again(eve)
    path = tmp_path / "a.jsonld"
    eve.export(path)
    first = path.read_text()
    earlier = re.sub(r'(?<!"@id": )"urn:lorekeeper:\w+:(\d+)"', r"\1", first)
    assert '"subject": 2,' in earlier
    path.write_text(earlier)
    bob.import_(path)
    bob.export(path)
    assert path.read_text() == first


def test_of_a_link_that_leads_nowhere_the_import_says_which(memory: Memory, tmp_path: Path) -> None:
    user = memory.of("eve")
    fill(user)
    path = tmp_path / "a.jsonld"
    user.export(path)
    first = path.read_text()
    path.write_text(first.replace('"subject": "urn:lorekeeper:entity:2"', '"subject": "urn:lorekeeper:entity:99"'))
    with pytest.raises(UserMistake, match=r"no entity in it has the @id 'urn:lorekeeper:entity:99'\.$"):
        user.import_(path)
    path.write_text(first.replace('"@id": "urn:lorekeeper:entity:2"', '"@id": "urn:lorekeeper:entity:3"'))
    with pytest.raises(UserMistake, match=r"two records have the @id 'urn:lorekeeper:entity:3'\.$"):
        user.import_(path)


def test_importing_again_adds_nothing(memory: Memory, tmp_path: Path) -> None:
    user = memory.of("eve")
    fill(user)
    user.export(tmp_path / "a.jsonld")
    assert user.import_(tmp_path / "a.jsonld") == 0
    user.export(tmp_path / "b.jsonld")
    assert (tmp_path / "a.jsonld").read_bytes() == (tmp_path / "b.jsonld").read_bytes()


def test_other_tools_can_read_the_rest(memory: Memory, tmp_path: Path) -> None:
    user = memory.of("eve")
    fill(user)
    user.export(tmp_path / "a.nt", "ntriples")
    quads = list(pyoxigraph.parse(path=tmp_path / "a.nt", format=pyoxigraph.RdfFormat.N_TRIPLES))
    assert len(quads) == 3 + 4  # facts, and names of user, Ann, Annie, Oslo
    named = {quad.object.value: quad.predicate.value.rpartition("#")[2] for quad in quads}
    assert (named["Ann"], named["Annie"]) == ("label", "altLabel")
    assert any(quad.object == pyoxigraph.Literal("a keeper of bees & <wasps>") for quad in quads)
    user.export(tmp_path / "a.graphml", "graphml")
    graph = nx.read_graphml(tmp_path / "a.graphml")
    assert sorted(label for _, _, label in graph.edges(data="label")) == ["description", "lives in", "sister"]
    assert {node["label"]: node["aliases"] for _, node in graph.nodes(data=True) if "aliases" in node} == {
        "Ann": "Annie"
    }


def test_history_does_not_look_current_to_other_tools(memory: Memory, tmp_path: Path) -> None:
    user = memory.of("eve")
    since = Held(datetime(2021, 1, 1, tzinfo=UTC))
    for text, town, held in (("Ann lives in Oslo.", "Oslo", NOW), ("Ann moved to Rome in 2021.", "Rome", since)):
        user.note(text, read(text, ("Ann", "lives in", town), ends=holding(user, "Ann", "lives in"), held=held))
    user.export(tmp_path / "a.nt", "ntriples")
    quads = list(pyoxigraph.parse(path=tmp_path / "a.nt", format=pyoxigraph.RdfFormat.N_TRIPLES))
    lives_in = pyoxigraph.NamedNode("urn:lorekeeper:relation:lives%20in")
    assert len([quad for quad in quads if quad.predicate == lives_in]) == 1
    (ended,) = (quad for quad in quads if quad.predicate == pyoxigraph.NamedNode("urn:lorekeeper:valid_to"))
    assert ended.object.value == "2021-01-01T00:00:00+00:00"
    assert {quad.object for quad in quads if quad.subject == ended.subject} >= {lives_in}
    user.export(tmp_path / "a.graphml", "graphml")
    edges = [times for _, _, times in nx.read_graphml(tmp_path / "a.graphml").edges(data=True)]
    moved = "2021-01-01T00:00:00+00:00"
    assert sorted((edge.get("valid_from", ""), edge.get("valid_to", "")) for edge in edges) == [
        ("", moved),
        (moved, ""),
    ]


def test_in_a_file_of_before_the_place_that_names_the_year_tells_it(memory: Memory, tmp_path: Path) -> None:
    eve, bob, path = memory.of("eve"), memory.of("bob"), tmp_path / "eve.jsonld"
    texts = "Ann lives in Oslo.", "Ann will live in Oslo from 2099 on."
    since = Held(datetime(2099, 1, 1, tzinfo=UTC), ahead=True)
    for text, held in zip(texts, (NOW, since), strict=True):
        eve.note(text, read(text, ("Ann", "lives in", "Oslo"), held=held))
    eve.export(path)
    path.write_text(re.sub(r',\s*"since": [^,]*,\s*"ahead": \w+', "", path.read_text()))
    bob.import_(path)
    assert [fact.valid_from for fact in bob.facts()] == [since.since]
    sources = {source.added: source.id for source in bob.sources()}
    bob.forget(source=sources[max(sources)])
    assert [fact.valid_from for fact in bob.facts()] == [None]


def test_an_older_export_outlives_a_full_disk(memory: Memory, tmp_path: Path) -> None:
    user = memory.of("eve")
    fill(user)
    path = tmp_path / "a.jsonld"
    user.export(path)
    before = path.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) // 2, limits[1]))
    try:
        with pytest.raises(UserMistake, match="cannot be written"):
            user.export(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.glob("a.*")] == ["a.jsonld"]


def test_mistakes(memory: Memory, tmp_path: Path) -> None:
    user = memory.of("eve")
    with pytest.raises(NothingThere):
        user.export(tmp_path / "a.jsonld")
    fill(user)
    with pytest.raises(UserMistake, match="jsonld, ntriples, graphml"):
        user.export(tmp_path / "a", "xml")
    with pytest.raises(UserMistake, match="cannot be written"):
        user.export(tmp_path / "no" / "folder")
    with pytest.raises(UserMistake, match="cannot be read"):
        user.import_(tmp_path / "none")


def test_an_entity_without_facts_stays_out(memory: Memory, tmp_path: Path) -> None:
    eve, bob = memory.of("eve"), memory.of("bob")
    fill(eve)
    path = tmp_path / "a.jsonld"
    eve.export(path)
    content = json.loads(path.read_text())
    content["@graph"].append({"@type": "entity", "name": "Nobody", "names": []})
    path.write_text(json.dumps(content))
    assert bob.import_(path) == 3
    assert [entity.name for entity in bob.entities()] == [entity.name for entity in eve.entities()]


def test_an_object_that_was_plain_text_is_the_entity_that_is_here(memory: Memory, tmp_path: Path) -> None:
    eve, bob = memory.of("eve"), memory.of("bob")
    bob.note("Bo phones ann.", read("Bo phones ann.", ("Bo", "phones", "ann")))
    assert [fact.object_id for fact in bob.facts()] == [None]
    bob.export(tmp_path / "a.jsonld")
    fill(eve)
    eve.import_(tmp_path / "a.jsonld")
    (ann,) = eve.find_entities("Annie")
    assert {fact.relation: fact.object_id for fact in eve.facts()}["phones"] == ann.id


def test_what_was_put_right_again_and_again_comes_back_in_its_order(memory: Memory, tmp_path: Path) -> None:
    eve, bob = memory.of("eve"), memory.of("bob")
    put_right_again_and_again(eve)
    first, second = tmp_path / "eve.jsonld", tmp_path / "bob.jsonld"
    assert eve.export(first) == bob.import_(first) == 5
    bob.export(second)
    assert first.read_bytes() == second.read_bytes()
    for fact in bob.facts():
        bob.forget(facts=[fact.id])
    assert bob.is_empty()


def test_a_path_without_a_name_is_no_place_for_an_export(memory: Memory) -> None:
    fill(memory.of("eve"))
    with pytest.raises(UserMistake, match="names no file"):
        memory.of("eve").export(Path("/"))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda _: "no json",
        lambda _: "[1, 2]",
        lambda _: "{}",
        lambda text: text.replace('"learned"', '"learnt"'),
        lambda text: text.replace('"subject": "urn:lorekeeper:entity:2"', '"subject": 99'),
        lambda text: text.replace('"subject": "urn:lorekeeper:entity:2"', '"subject": "urn:lorekeeper:source:2"'),
        lambda text: text.replace('"@id": "urn:lorekeeper:entity:2"', '"@id": "urn:lorekeeper:entity:3"'),
        lambda text: text.replace('"@type": "fact"', '"@type": "opinion"'),
        lambda text: text.replace('"kind": "chat"', '"kind": "gossip"'),
        lambda text: re.sub(r'"end": \d+', '"end": 9999', text, count=1),
        lambda text: re.sub(r'"end": \d+(?=,\s*"since")', '"end": 9999', text),
        lambda text: re.sub(r'"start": \d+', '"start": -1', text),
        lambda text: re.sub(r'"end": \d+', '"end": 0', text),
        lambda text: re.sub(r'"learned": "[^"]*"', '"learned": "0001-01-01T00:00:00+14:00"', text),
        lambda text: text.replace('"closed_by": null', '"closed_by": 1', 1),
        lambda text: text.replace('"relation"', '""'),
        lambda _: f'{{"@graph": {"[" * 100_000}{"]" * 100_000}}}',
    ],
)
def test_a_spoilt_file_changes_nothing(memory: Memory, tmp_path: Path, spoil: Callable[[str], str]) -> None:
    eve, bob = memory.of("eve"), memory.of("bob")
    fill(eve)
    path = tmp_path / "a.jsonld"
    eve.export(path)
    assert json.loads(path.read_text())["@graph"]
    spoilt = spoil(path.read_text())
    assert spoilt != path.read_text()
    path.write_text(spoilt)
    with pytest.raises(UserMistake, match="no memory that can be imported"):
        bob.import_(path)
    assert bob.is_empty() and not bob.entities()
