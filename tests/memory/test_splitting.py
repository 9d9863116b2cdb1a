"""Two of one name, taken for one when they were learned, and taken apart by what a source says."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from memory.errors import NothingThere, UserMistake
from memory.store import Memory
from memory.types import Extraction, Fact, FactKind, Mention, Source, Span, Statement
from memory.user_memory import UserMemory
from tests.memory.samples import holding, read

ANNA = "Anna Berg"


def document(
    user: UserMemory, name: str, text: str, *triples: tuple[str, str, str], ends: Sequence[str] = (), **aliases: str
) -> Source:
    """A document of which one passage says `triples`; an alias is of the name that its own begins.

    `ends` are the ids of the facts that hold no more with the first of them.
    """
    other = {ANNA: tuple(aliases.values())}
    return stored(user, user.add_document(name, text.encode()), read(text, *triples, aliases=other, ends=ends))


def stored(user: UserMemory, source: Source, extraction: Extraction) -> Source:
    for passage_id, _ in user.passages(source.id, unread=True):
        user.store(source.id, passage_id, extraction)
    return source


def known(user: UserMemory, entity_id: str) -> list[str]:
    return lines(user.facts_of(entity_id))


def lines(facts: list[Fact]) -> list[str]:
    return sorted(f"{fact.subject} {fact.relation} {fact.object}{' (over)' if fact.valid_to else ''}" for fact in facts)


@pytest.fixture
def user(memory: Memory) -> UserMemory:
    """Somebody in whose notes and stories there is an Anna Berg; one moved to Rome, so that the other lives nowhere."""
    user = memory.of("eve")
    document(user, "notes.txt", "Anna Berg lives in Oslo.", (ANNA, "lives in", "Oslo"), ("Bo", "knows", ANNA))
    triples = ((ANNA, "lives in", "Rome"), ("Bo", "knows", ANNA))
    document(user, "story.txt", "Anna Berg has moved to Rome.", *triples, ends=holding(user, ANNA, "lives in"))
    return user


@pytest.fixture
def anna(user: UserMemory) -> str:
    (entity,) = user.entities(ANNA)
    return entity.id


@pytest.fixture
def notes(user: UserMemory) -> str:
    return user.sources()[0].id


@pytest.fixture
def story(user: UserMemory) -> str:
    return user.sources()[1].id


def test_what_a_source_says_is_of_another_one(user: UserMemory, anna: str, story: str) -> None:
    assert known(user, anna) == [f"{ANNA} lives in Oslo (over)", f"{ANNA} lives in Rome", f"Bo knows {ANNA}"]
    assert [source.name for source in user.sources_of(anna)] == ["notes.txt", "story.txt"]
    other = user.take_apart(anna, story)
    assert [entity.name for entity in user.entities(ANNA)] == [ANNA, ANNA]
    assert known(user, anna) == [f"{ANNA} lives in Oslo", f"Bo knows {ANNA}"]
    assert known(user, other) == [f"{ANNA} lives in Rome", f"Bo knows {ANNA}"]
    assert [[source.name for source in user.sources_of(id_)] for id_ in (anna, other)] == [["notes.txt"], ["story.txt"]]
    assert user.number_of_sources([anna, other]) == {anna: 1, other: 1}
    assert user.status().agrees
    assert {hit.fact.subject_id for hit in user.recall("Where does Anna Berg live?") if hit.fact} >= {anna, other}


def test_they_are_neither_proposed_nor_forgotten_to_be_two(
    user: UserMemory, anna: str, story: str, open_memory: Callable[..., Memory]
) -> None:
    other = user.take_apart(anna, story)
    again = open_memory().of("eve")
    assert again.likely_duplicates() == []
    assert [{one.id, two.id} for one, two in again.taken_apart()] == [{anna, other}]


def test_each_is_another_one_than_all_that_were_taken_apart_before(user: UserMemory, anna: str, story: str) -> None:
    third = document(user, "third.txt", "Anna Berg sings.", (ANNA, "does", "sing"))
    ids = {anna, user.take_apart(anna, story), user.take_apart(anna, third.id)}
    assert len(ids) == 3
    assert len(user.taken_apart()) == 3
    assert user.likely_duplicates() == []


def test_merged_again_they_are_what_they_were(user: UserMemory, anna: str, story: str) -> None:
    before = user.entity(anna), {(fact.object, fact.valid_to) for fact in user.facts_of(anna)}
    other = user.take_apart(anna, story)
    merge_id = user.merge(other, anna)
    assert (user.entity(anna).name, user.entity(anna).aliases) == (before[0].name, before[0].aliases)
    assert {(fact.object, fact.valid_to) for fact in user.facts_of(anna)} == before[1]
    assert user.taken_apart() == []
    user.unmerge(merge_id)
    assert known(user, anna) == [f"{ANNA} lives in Oslo", f"Bo knows {ANNA}"]
    assert user.status().agrees


def test_merged_again_what_is_forgotten_of_one_is_of_both(user: UserMemory, anna: str, story: str) -> None:
    user.merge(user.take_apart(anna, story), anna)
    one, other = (fact for fact in user.facts_of(anna) if fact.relation == "knows")
    gone = user.forget(facts=[other.id], undoable=True)
    assert (gone.facts, known(user, anna)) == (2, [f"{ANNA} lives in Oslo (over)", f"{ANNA} lives in Rome"])
    assert {fact.source for fact in user.undo(gone.undo_id)} == {one.source, other.source}
    user.forget(source=story)
    assert known(user, anna) == [f"{ANNA} lives in Oslo", f"Bo knows {ANNA}"]


def test_taken_apart_what_is_forgotten_of_one_is_known_of_the_other(user: UserMemory, anna: str, story: str) -> None:
    other = user.take_apart(anna, story)
    (knows,) = (fact for fact in user.facts_of(other) if fact.relation == "knows")
    user.forget(facts=[knows.id])
    assert known(user, other) == [f"{ANNA} lives in Rome"]
    assert known(user, anna) == [f"{ANNA} lives in Oslo", f"Bo knows {ANNA}"]


def test_what_was_put_right_since_is_not_closed_anew(user: UserMemory, anna: str, story: str) -> None:
    other = user.take_apart(anna, story)
    (oslo,) = (fact for fact in user.facts_of(anna) if fact.object == "Oslo")
    text = "No, Anna Berg lives in Bonn."
    user.note(text, read(text, (ANNA, "lives in", "Bonn"), ends=[oslo.id]), corrects=[oslo.id])
    user.merge(other, anna)
    assert [fact.mistaken for fact in user.facts_of(anna) if fact.object == "Oslo"] == [True]


@pytest.fixture
def put_right(memory: Memory) -> tuple[UserMemory, str, str]:
    """Somebody whose documents have Anna Berg live in two towns, and who said in which; her id, and the note's."""
    user = memory.of("eve")
    document(user, "old.txt", "Anna Berg lives in Bonn.", (ANNA, "lives in", "Bonn"))
    document(user, "notes.txt", "Anna Berg lives in Oslo.", (ANNA, "lives in", "Oslo"))
    text, towns = "No, Anna Berg moved to Oslo.", holding(user, ANNA, "lives in")
    note, _ = user.note(text, read(text, (ANNA, "lives in", "Oslo"), ends=towns), corrects=towns)
    return user, user.entities(ANNA)[0].id, note.id


def test_what_a_correction_closed_by_what_was_known_goes_with_the_one_that_it_speaks_of(
    put_right: tuple[UserMemory, str, str],
) -> None:
    user, anna, note = put_right
    before = known(user, anna)
    own = user.take_apart(anna, note)
    assert known(user, own) == ["Anna Berg lives in Oslo"]
    assert known(user, anna) == ["Anna Berg lives in Bonn", "Anna Berg lives in Oslo"]
    user.merge(own, anna)
    assert set(known(user, anna)) == set(before)
    user.forget(source=note)
    assert known(user, anna) == ["Anna Berg lives in Bonn", "Anna Berg lives in Oslo"]


def test_what_only_a_forgotten_correction_closed_is_not_closed_by_merging_again(
    put_right: tuple[UserMemory, str, str],
) -> None:
    user, anna, note = put_right
    own = user.take_apart(anna, user.sources()[0].id)
    assert known(user, own) == ["Anna Berg lives in Bonn"]
    user.forget(source=note)
    user.merge(own, anna)
    assert known(user, anna) == ["Anna Berg lives in Bonn", "Anna Berg lives in Oslo"]


def test_each_goes_by_a_name_of_its_own_sources(memory: Memory) -> None:
    user = memory.of("eve")
    first = document(user, "a.txt", "Anna Berg sings.", (ANNA, "does", "sing"), short="A. Berg")
    text = "A. Berg sails."
    second = stored(user, user.add_document("b.txt", text.encode()), read(text, ("A. Berg", "does", "sail")))
    (both,) = user.entities("Berg")
    other = user.take_apart(both.id, first.id)
    assert (user.entity(other).name, user.entity(other).aliases) == (ANNA, ("A. Berg",))
    assert (user.entity(both.id).name, user.entity(both.id).aliases) == ("A. Berg", ())
    assert known(user, both.id) == ["A. Berg does sail"]
    assert lines(user.facts(source_id=second.id)) == ["A. Berg does sail"]
    assert user.find_entities(ANNA)[0].id == other
    assert user.status().agrees


def test_what_is_only_told_as_an_object_goes_by_that(user: UserMemory, anna: str) -> None:
    text = "Cy met Anna Berg."
    extraction = read(text, ("Cy", "met", ANNA))
    named = Extraction(extraction.mentions[:1], extraction.statements)  # the model did not name her
    third = stored(user, user.add_document("cy.txt", text.encode()), named)
    other = user.take_apart(anna, third.id)
    assert user.entity(other).name == ANNA
    assert known(user, other) == [f"Cy met {ANNA}"]


def test_passages_read_later_speak_of_the_same_one(user: UserMemory, anna: str) -> None:
    text = "Anna Berg dances.\n\n" + "The harbour was quiet. " * 200
    long = user.add_document("long.txt", text.encode())
    first, later, *_ = user.passages(long.id)
    user.store(long.id, first[0], read(first[1].text, (ANNA, "does", "dance")))
    other = user.take_apart(anna, long.id)
    user.store(long.id, later[0], read(later[1].text, (ANNA, "likes", "tea"), ("Bo", "knows", ANNA)))
    assert known(user, other) == [f"{ANNA} does dance", f"{ANNA} likes tea", f"Bo knows {ANNA}"]
    assert [source.name for source in user.sources_of(anna)] == ["notes.txt", "story.txt"]


def test_a_changed_document_speaks_of_the_same_one(user: UserMemory, anna: str) -> None:
    for text, trade in (("Anna Berg is a cook.", "cook"), ("Anna Berg is a baker now.", "baker")):
        source = user.add_document("trade.txt", text.encode(), "/trade.txt")
        stored(user, source, read(text, (ANNA, "works as", trade)))
        if trade == "cook":
            other = user.take_apart(anna, source.id)
    assert known(user, other) == [f"{ANNA} works as baker"]
    assert user.likely_duplicates() == []


def test_who_moves_to_a_namesake_has_moved(memory: Memory) -> None:
    user = memory.of("eve")
    first = document(user, "a.txt", "Bo lives in Oslo.", ("Bo", "lives in", "Oslo"))
    document(user, "b.txt", "Oslo.", ("Oslo", "lies in", "Minnesota"), ("Oslo", "is", "small"), ("Oslo", "is", "cold"))
    (oslo,) = user.entities("Oslo")
    other = user.take_apart(oslo.id, first.id)
    text = "Bo moved to Oslo."
    _, told = user.note(text, read(text, ("Bo", "lives in", "Oslo"), ends=holding(user, "Bo", "lives in")))
    assert [(fact.relation, fact.object_id) for fact in told.added] == [("lives in", oslo.id)]
    assert [(fact.relation, fact.object_id) for fact in told.closed] == [("lives in", other)]


def test_of_merged_ones_only_what_the_source_speaks_of_is_taken(memory: Memory) -> None:
    user = memory.of("eve")
    first = document(user, "a.txt", "Anna Berg sings.", (ANNA, "does", "sing"))
    second = document(user, "b.txt", "Nan Dahl knows Anna Berg.", ("Nan Dahl", "knows", ANNA))
    third = document(user, "c.txt", "Nan Dahl sails.", ("Nan Dahl", "does", "sail"))
    ids = {entity.name: entity.id for entity in user.entities()}
    user.merge(ids["Nan Dahl"], ids[ANNA])
    before = known(user, ids[ANNA])
    other = user.take_apart(ids[ANNA], second.id)
    assert known(user, other) == [f"{ANNA} knows {ANNA}"]
    assert set(user.entity(other).aliases) == {"Nan Dahl"}
    assert known(user, ids[ANNA]) == [f"{ANNA} does sail", f"{ANNA} does sing"]
    assert {source.id for source in user.sources_of(ids[ANNA])} == {first.id, third.id}
    user.merge(other, ids[ANNA])
    assert known(user, ids[ANNA]) == before
    assert user.status().agrees


def test_one_that_stands_for_others_leaves_them(memory: Memory) -> None:
    user = memory.of("eve")
    first = document(user, "a.txt", "Anna Berg sings.", (ANNA, "does", "sing"))
    document(user, "b.txt", "Nan Dahl sails.", ("Nan Dahl", "does", "sail"))
    ids = {entity.name: entity.id for entity in user.entities()}
    user.merge(ids["Nan Dahl"], ids[ANNA])
    assert user.take_apart(ids[ANNA], first.id) == ids[ANNA]
    assert known(user, ids[ANNA]) == [f"{ANNA} does sing"]
    assert known(user, ids["Nan Dahl"]) == ["Nan Dahl does sail"]
    assert user.merges() == []
    assert user.likely_duplicates() == []
    assert user.status().agrees


def test_there_has_to_be_something_to_take_apart(user: UserMemory, memory: Memory, anna: str, story: str) -> None:
    (oslo,) = user.entities("Oslo")
    with pytest.raises(UserMistake, match=r"Only notes\.txt speaks of Oslo, so there is nothing to take apart"):
        user.take_apart(oslo.id, user.sources()[0].id)
    with pytest.raises(UserMistake, match=r"story\.txt says nothing of Oslo"):
        user.take_apart(oslo.id, story)
    for entity_id, source_id in (("e99", story), (anna, "s99"), ("nobody", story)):
        with pytest.raises(NothingThere):
            user.take_apart(entity_id, source_id)
    with pytest.raises(NothingThere):
        memory.of("bob").take_apart(anna, story)


def test_it_moves_with_the_memory(user: UserMemory, memory: Memory, anna: str, story: str, tmp_path: Path) -> None:
    other = user.take_apart(anna, story)
    before = {tuple(known(user, id_)) for id_ in (anna, other)}
    files = [tmp_path / name for name in ("one.jsonld", "two.jsonld")]
    user.export(files[0])
    bob = memory.of("bob")
    bob.import_(files[0])
    bob.export(files[1])
    assert files[0].read_bytes() == files[1].read_bytes()
    assert bob.import_(files[0]) == 0
    ((one, two),) = bob.taken_apart()
    assert {tuple(known(bob, id_)) for id_ in (one.id, two.id)} == before
    bob.merge(one.id, two.id)
    assert f"{ANNA} lives in Oslo (over)" in known(bob, two.id)
    assert bob.status().agrees


@pytest.mark.parametrize("which", [0, 1])
def test_what_is_forgotten_of_one_comes_back_to_it(user: UserMemory, anna: str, story: str, which: int) -> None:
    user.take_apart(anna, story)
    before = sorted(known(user, entity.id) for entity in user.entities(ANNA))
    gone = user.forget(source=user.sources()[which].id, undoable=True)
    assert len(user.entities(ANNA)) == 1
    user.undo(gone.undo_id)
    assert sorted(known(user, entity.id) for entity in user.entities(ANNA)) == before
    assert user.likely_duplicates() == []
    ((one, two),) = user.taken_apart()
    user.merge(one.id, two.id)
    assert f"{ANNA} lives in Oslo (over)" in known(user, two.id)
    assert user.status().agrees


def test_what_comes_back_is_of_the_one_that_its_source_speaks_of_now(memory: Memory) -> None:
    user = memory.of("eve")
    document(user, "notes.txt", "Anna Berg sings.", (ANNA, "does", "sing"))
    text = "Anna Berg dances. She sails."
    story = user.add_document("story.txt", text.encode())
    ((passage_id, _),) = user.passages(story.id)
    dances = Statement(FactKind.TRIPLE, ANNA, "does", "dance", Span(0, 17))
    sails = Statement(FactKind.TRIPLE, ANNA, "does", "sail", Span(18, 28))
    user.store(story.id, passage_id, Extraction((Mention(ANNA, ("Annie",)),), (dances, sails)))
    (anna,) = user.entities(ANNA)
    (dance,) = (fact for fact in user.facts() if fact.object == "dance")
    gone = user.forget(facts=[dance.id], undoable=True)
    other = user.take_apart(anna.id, story.id)
    user.undo(gone.undo_id)
    assert known(user, anna.id) == [f"{ANNA} does sing"]
    assert known(user, other) == [f"{ANNA} does dance", f"{ANNA} does sail"]
    assert (user.entity(anna.id).aliases, user.entity(other).aliases) == ((), ("Annie",))
    assert user.status().agrees


def test_what_comes_back_is_not_closed_by_what_is_told_of_another_now(user: UserMemory, anna: str, story: str) -> None:
    gone = user.forget(facts=[fact.id for fact in user.facts() if fact.object == "Oslo"], undoable=True)
    other = user.take_apart(anna, story)
    user.undo(gone.undo_id)
    assert known(user, anna) == [f"{ANNA} lives in Oslo", f"Bo knows {ANNA}"]
    assert known(user, other) == [f"{ANNA} lives in Rome", f"Bo knows {ANNA}"]
    user.merge(other, anna)
    assert f"{ANNA} lives in Oslo (over)" in known(user, anna)
    assert user.status().agrees


def test_what_two_sources_said_comes_back_to_each_of_whom_they_speak_now(
    user: UserMemory, anna: str, story: str
) -> None:
    gone = user.forget(facts=[fact.id for fact in user.facts() if fact.relation == "knows"], undoable=True)
    other = user.take_apart(anna, story)
    user.undo(gone.undo_id)
    assert known(user, anna) == [f"{ANNA} lives in Oslo", f"Bo knows {ANNA}"]
    assert known(user, other) == [f"{ANNA} lives in Rome", f"Bo knows {ANNA}"]
    assert user.status().agrees
