"""Entities that are one, and taking that back."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from memory.errors import NothingThere, UserMistake
from memory.store import Memory
from memory.types import Embedder, Extraction, Fact, FactKind, Mention, Stored
from memory.user_memory import UserMemory
from tests.memory.samples import holding, read, said


def tell(user: UserMemory, *triple: str, ends: Sequence[str] = ()) -> Stored:
    text = " ".join(triple)
    subject, relation, object_ = triple
    return user.note(text, read(text, (subject, relation, object_), ends=ends))[1]


def entity(user: UserMemory, name: str) -> str:
    return next(known.id for known in user.entities(name) if known.name == name)


def lines(facts: list[Fact]) -> list[str]:
    return sorted(f"{fact.subject} {fact.relation} {fact.object}{' (over)' if fact.valid_to else ''}" for fact in facts)


@pytest.fixture
def user(memory: Memory) -> UserMemory:
    """Somebody who knows Ann, who is called Nan at work."""
    user = memory.of("eve")
    tell(user, "Ann", "lives in", "Oslo")
    tell(user, "Nan", "works at", "Acme")
    tell(user, "Bo", "knows", "Nan")
    return user


def test_what_is_known_of_two_is_known_of_one(user: UserMemory) -> None:
    user.merge(entity(user, "Nan"), entity(user, "Ann"))
    (ann,) = user.find_entities("Nan")
    assert (ann.name, ann.aliases, ann.facts) == ("Ann", ("Nan",), 3)
    assert [known.name for known in user.entities()] == ["Acme", "Ann", "Bo", "Oslo"]
    assert lines(user.facts_of(ann.id)) == ["Ann lives in Oslo", "Ann works at Acme", "Bo knows Nan"]
    hits = {hit.fact.object for hit in user.recall("Where does Nan live?") if hit.fact}
    assert "Oslo" in hits
    assert [(merge.name, merge.into) for merge in user.merges()] == [("Nan", "Ann")]
    with pytest.raises(UserMistake, match="one already"):
        user.merge(entity(user, "Ann"), user.find_entities("Nan")[0].id)


def test_what_was_learned_meanwhile_goes_to_whom_it_was_told_of(user: UserMemory) -> None:
    merge_id = user.merge(entity(user, "Nan"), entity(user, "Ann"))
    (learned,) = tell(user, "Nan", "plays", "chess").added
    assert learned.subject == "Ann"
    (moved,) = tell(user, "Nan", "lives in", "Rome", ends=holding(user, "Ann", "lives in")).closed
    assert moved.object == "Oslo"
    user.unmerge(merge_id)
    assert lines(user.facts_of(entity(user, "Ann"))) == ["Ann lives in Oslo"]
    assert lines(user.facts_of(entity(user, "Nan"))) == [
        "Bo knows Nan",
        "Nan lives in Rome",
        "Nan plays chess",
        "Nan works at Acme",
    ]
    assert user.status().agrees
    with pytest.raises(NothingThere):
        user.unmerge(merge_id)


def test_merges_of_merges_come_apart_in_any_order(user: UserMemory) -> None:
    first = user.merge(entity(user, "Nan"), entity(user, "Ann"))
    second = user.merge(entity(user, "Ann"), entity(user, "Bo"))
    assert [known.name for known in user.entities()] == ["Acme", "Bo", "Oslo"]
    user.unmerge(first)
    assert user.find_entities("Ann")[0].name == "Bo"
    assert lines(user.facts_of(entity(user, "Nan"))) == ["Bo knows Nan", "Nan works at Acme"]
    user.unmerge(second)
    assert lines(user.facts_of(entity(user, "Ann"))) == ["Ann lives in Oslo"]


def test_one_that_stood_for_others_is_forgotten_and_brought_back(user: UserMemory) -> None:
    (fact,) = user.facts_of(entity(user, "Ann"))
    user.merge(entity(user, "Nan"), entity(user, "Ann"))
    gone = user.forget(facts=[fact.id], undoable=True)
    assert lines(user.facts()) == ["Bo knows Nan", "Nan works at Acme"]
    assert user.merges() == []
    user.undo(gone.undo_id)
    assert [(merge.name, merge.into) for merge in user.merges()] == [("Nan", "Ann")]
    assert user.find_entities("Nan")[0].facts == 3
    assert user.status().agrees
    forgotten = user.forget(entity="Ann")
    assert (forgotten.facts, user.is_empty()) == (3, True)


def test_it_lasts_and_moves_with_the_memory(
    user: UserMemory, open_memory: Callable[..., Memory], tmp_path: Path
) -> None:
    user.merge(entity(user, "Nan"), entity(user, "Ann"))
    (before,) = user.merges()
    memory = open_memory()
    assert memory.of("eve").merges() == [before]
    for name in ("all.jsonld", "all.nt"):
        memory.of("eve").export(tmp_path / name, "ntriples" if name.endswith("nt") else "jsonld")
    assert "owl#sameAs" in (tmp_path / "all.nt").read_text()
    other = memory.of("bob")
    other.import_(tmp_path / "all.jsonld")
    (merge,) = other.merges()
    assert merge.at == before.at
    other.unmerge(merge.id)
    assert {"Ann", "Nan"} <= {known.name for known in other.entities()}
    assert other.import_(tmp_path / "all.jsonld") == 0
    assert len(other.merges()) == 1
    assert other.status().agrees


def test_another_user_cannot_reach_them(user: UserMemory, memory: Memory) -> None:
    nan, ann = entity(user, "Nan"), entity(user, "Ann")
    bob = memory.of("bob")
    with pytest.raises(NothingThere):
        bob.merge(nan, ann)
    merge_id = user.merge(nan, ann)
    with pytest.raises(NothingThere):
        bob.unmerge(merge_id)


def test_likely_duplicates_are_those_of_like_names(open_memory: Callable[..., Memory], e5: Embedder) -> None:
    user = open_memory(e5).of("eve")
    about = {
        "Ann Berg": "a pianist from Norway",
        "Annie Berg": "a pianist from Norway",
        "Bo Dahl": "a pianist from Norway",
        "Room 2019": "a room of the school",
        "Room 2020": "a room of the school",
    }
    for name, description in about.items():
        text = f"{name} is {description}."
        user.note(
            text, Extraction((Mention(name),), (said(text, name, "description", description, FactKind.DESCRIPTION),))
        )
    ((one, other),) = user.likely_duplicates()
    assert {one.name, other.name} == {"Ann Berg", "Annie Berg"}
    user.unmerge(user.merge(one.id, other.id))
    assert user.likely_duplicates() == []


def test_namesakes_that_are_told_apart_are_not_proposed(memory: Memory) -> None:
    user = memory.of("eve")
    for number, description in enumerate(
        ("a pianist from northern Norway", "the mayor of a Chilean village", "a pianist known in Norway")
    ):
        text = f"Ann Berg is {description}."
        source = user.add_document(f"{number}.txt", text.encode())
        ((passage_id, _),) = user.passages(source.id)
        statement = said(text, "Ann Berg", "description", description, FactKind.DESCRIPTION)
        user.store(source.id, passage_id, Extraction((Mention("Ann Berg"),), (statement,)))
    assert len(user.entities("Ann Berg")) == 2
    assert user.likely_duplicates() == []


@pytest.fixture
def apart(user: UserMemory) -> UserMemory:
    """The same one, after Ann and Nan, who share a name, were merged and taken apart."""
    tell_alias(user, "Ann", "Berg")
    tell_alias(user, "Nan", "Berg")
    assert pairs(user) == [{"Ann", "Nan"}]
    user.unmerge(user.merge(entity(user, "Nan"), entity(user, "Ann")))
    assert pairs(user) == []
    return user


def tell_alias(user: UserMemory, name: str, alias: str) -> None:
    text = f"{name}, called {alias}, is here."
    user.note(text, read(text, (name, "is", "here"), aliases={name: (alias,)}))


def pairs(user: UserMemory) -> list[set[str]]:
    return [{one.name, other.name} for one, other in user.likely_duplicates()]


def test_what_was_taken_apart_is_not_proposed_again(apart: UserMemory, open_memory: Callable[..., Memory]) -> None:
    tell(apart, "Nan", "plays", "chess")
    apart.merge(entity(apart, "Nan"), entity(apart, "Bo"))
    assert pairs(apart) == []  # Bo is Nan now, and Nan is not Ann
    assert pairs(open_memory().of("eve")) == []


def test_who_merges_them_again_takes_that_back(apart: UserMemory) -> None:
    apart.merge(entity(apart, "Nan"), entity(apart, "Bo"))
    apart.merge(entity(apart, "Bo"), entity(apart, "Ann"))
    for merge in apart.merges():
        apart.unmerge(merge.id)
    assert pairs(apart) == [{"Ann", "Nan"}]  # what was taken apart now is Bo and Ann, and Nan and Bo


def test_what_was_taken_apart_goes_and_comes_back_with_what_is_forgotten(apart: UserMemory) -> None:
    gone = apart.forget(entity="Nan", undoable=True)
    apart.undo(gone.undo_id)
    assert pairs(apart) == []
    apart.forget(entity="Nan")
    tell(apart, "Nan", "works at", "Acme")
    tell_alias(apart, "Nan", "Berg")
    assert pairs(apart) == [{"Ann", "Nan"}]


def test_what_was_taken_apart_moves_with_the_memory(apart: UserMemory, memory: Memory, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one.jsonld", "two.jsonld", "all.nt")]
    apart.export(files[0])
    bob = memory.of("bob")
    bob.import_(files[0])
    assert pairs(bob) == []
    bob.export(files[1])
    assert files[0].read_bytes() == files[1].read_bytes()
    bob.export(files[2], "ntriples")
    assert "owl#differentFrom" in files[2].read_text()
    bob.merge(entity(bob, "Nan"), entity(bob, "Ann"))
    bob.import_(files[0])
    assert [(merge.name, merge.into) for merge in bob.merges()] == [("Nan", "Ann")]
