"""Which facts what is told puts an end to: those that its statements name, and those that it denies."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text as sql

from memory.store import Memory
from memory.types import Extraction, Fact, Held, Source, Stored
from memory.user_memory import UserMemory
from tests.memory.samples import back_to, denied, read

LATER = datetime(2099, 3, 1, tzinfo=UTC)


@pytest.fixture
def user(memory: Memory) -> UserMemory:
    """Somebody of whom nothing is known."""
    return memory.of("eve")


def told(town: str, ends: Sequence[Fact] = (), **how: object) -> Extraction:
    """That Ann lives in a town, which ends those facts."""
    extraction = read(said(town), ("Ann", "lives in", town), ends=[fact.id for fact in ends])
    return replace(extraction, statements=tuple(replace(one, **how) for one in extraction.statements))


def said(town: str) -> str:
    return f"Ann lives in {town}."


def tell(user: UserMemory, town: str, ends: Sequence[Fact] = (), corrects: Sequence[Fact] = ()) -> Stored:
    """Let the user tell that Ann lives in a town."""
    return _note(user, town, told(town, ends), corrects)[1]


def _note(user: UserMemory, town: str, extraction: Extraction, corrects: Sequence[Fact] = ()) -> tuple[Source, Stored]:
    return user.note(said(town), extraction, corrects=[fact.id for fact in corrects])


def deny(user: UserMemory, town: str, corrects: Sequence[Fact] = ()) -> tuple[Source, Stored]:
    """Let the user tell that Ann does not live in a town."""
    text = f"Ann does not live in {town}."
    return user.note(text, denied(text, "Ann", "lives in", town), corrects=[fact.id for fact in corrects])


def held(user: UserMemory) -> dict[str, bool]:
    """In which towns Ann lives, and in which no more."""
    return {fact.object: fact.valid_to is None for fact in user.facts()}


def mistaken(user: UserMemory) -> set[str]:
    return {fact.object for fact in user.facts() if fact.mistaken}


def test_what_is_told_ends_what_it_names_and_keeps_it(user: UserMemory) -> None:
    oslo = tell(user, "Oslo").added
    before = datetime.now(UTC)
    stored = tell(user, "Rome", ends=oslo)
    assert [fact.id for fact in stored.closed] == [oslo[0].id]
    (closed,) = user.facts_with_ids([oslo[0].id])
    assert closed.valid_to == stored.added[0].learned >= before
    assert (held(user), mistaken(user)) == ({"Oslo": False, "Rome": True}, set())
    assert {"Oslo", "Rome"} <= {hit.fact.object for hit in user.recall("Where did Ann live before?") if hit.fact}
    assert user.status().agrees


def test_what_it_does_not_name_holds_beside_it(user: UserMemory) -> None:
    for town in ("Oslo", "Rome", "Bonn"):
        tell(user, town)
    assert held(user) == {"Oslo": True, "Rome": True, "Bonn": True}


def test_it_has_ended_when_what_took_its_place_began(user: UserMemory) -> None:
    oslo = tell(user, "Oslo").added
    since = datetime(2021, 1, 1, tzinfo=UTC)
    _note(user, "Rome", told("Rome", oslo, held=Held(since)))
    assert {fact.object: (fact.valid_from, fact.valid_to) for fact in user.facts()} == {
        "Oslo": (None, since),
        "Rome": (since, None),
    }


def test_it_holds_again_when_all_that_ended_it_are_forgotten(user: UserMemory) -> None:
    oslo = tell(user, "Oslo").added
    rome = tell(user, "Rome", ends=oslo).added
    bonn = tell(user, "Bonn", ends=rome).added
    user.forget(facts=[rome[0].id])
    assert held(user) == {"Oslo": False, "Bonn": True}
    user.forget(facts=[bonn[0].id])
    assert held(user) == {"Oslo": True}


def test_told_anew_it_is_a_fact_of_its_own_and_the_old_one_stays_history(user: UserMemory) -> None:
    rome = tell(user, "Rome", ends=tell(user, "Oslo").added).added
    oslo = tell(user, "Oslo", ends=rome).added
    assert [(fact.object, fact.valid_to is None) for fact in user.facts()] == [
        ("Oslo", True),
        ("Rome", False),
        ("Oslo", False),
    ]
    user.forget(facts=[rome[0].id])
    assert [fact.valid_to is None for fact in user.facts()] == [True, False]
    user.forget(facts=[oslo[0].id])
    assert held(user) == {"Oslo": True}


def test_what_is_corrected_never_held(user: UserMemory, memory: Memory, tmp_path: Path) -> None:
    oslo = tell(user, "Oslo").added
    rome = tell(user, "Rome", ends=oslo, corrects=oslo).added
    assert mistaken(user) == {"Oslo"}
    bonn = tell(user, "Bonn", ends=rome, corrects=oslo).added
    assert (held(user), mistaken(user)) == ({"Oslo": False, "Rome": False, "Bonn": True}, {"Oslo"})
    user.export(tmp_path / "a.jsonld")
    memory.of("bob").import_(tmp_path / "a.jsonld")
    memory.of("bob").export(tmp_path / "b.jsonld")
    assert (tmp_path / "a.jsonld").read_bytes() == (tmp_path / "b.jsonld").read_bytes()
    user.forget(facts=[rome[0].id, bonn[0].id])
    assert (held(user), mistaken(user)) == ({"Oslo": True}, set())


def test_what_may_be_wrong_stays_where_nothing_ends_it(user: UserMemory) -> None:
    oslo = tell(user, "Oslo").added
    assert tell(user, "Rome", corrects=oslo).closed == ()
    assert held(user) == {"Oslo": True, "Rome": True}


def test_what_is_still_to_come_ends_only_what_it_corrects(user: UserMemory) -> None:
    oslo, bonn = tell(user, "Oslo").added, tell(user, "Bonn").added
    plan = told("Rome", [*oslo, *bonn], held=Held(LATER, ahead=True))
    _, stored = _note(user, "Rome", plan, corrects=bonn)
    assert [fact.id for fact in stored.closed] == [bonn[0].id]
    assert (held(user), mistaken(user)) == ({"Oslo": True, "Bonn": False, "Rome": True}, {"Bonn"})
    assert {fact.valid_from for fact in stored.added} == {LATER}


def test_what_was_planned_and_has_come_ends_what_it_names(user: UserMemory) -> None:
    oslo = tell(user, "Oslo").added
    plan = "Ann will live in Rome from March 2099 on."
    to_come = Held(LATER, ahead=True)
    user.note(plan, read(plan, ("Ann", "lives in", "Rome"), ends=[oslo[0].id], held=to_come))
    assert {fact.object: fact.valid_from for fact in user.facts()} == {"Oslo": None, "Rome": LATER}
    note, stored = _note(user, "Rome", told("Rome", oslo))
    assert ([fact.object for fact in stored.confirmed], [fact.object for fact in stored.closed]) == (["Rome"], ["Oslo"])
    assert {fact.object: fact.valid_from for fact in user.facts()} == {"Oslo": None, "Rome": None}
    user.forget(source=note.id)  # it is a plan again
    assert held(user) == {"Oslo": True, "Rome": True}
    assert {fact.object: fact.valid_from for fact in user.facts()} == {"Oslo": None, "Rome": LATER}


def test_a_date_goes_with_the_note_that_told_it(user: UserMemory) -> None:
    tell(user, "Oslo")
    notes = []
    for year in (2019, 2015):
        text, since = f"Ann has lived in Oslo since {year}.", Held(datetime(year, 1, 1, tzinfo=UTC))
        notes.append(user.note(text, read(text, ("Ann", "lives in", "Oslo"), held=since))[0].id)
    gone = user.forget(source=notes[0], undoable=True)
    assert [fact.valid_from for fact in user.facts()] == [datetime(2015, 1, 1, tzinfo=UTC)]
    user.forget(source=notes[1])
    assert [(fact.object, fact.valid_from) for fact in user.facts()] == [("Oslo", None)]
    user.undo(gone.undo_id)
    assert [fact.valid_from for fact in user.facts()] == [datetime(2019, 1, 1, tzinfo=UTC)]


@pytest.mark.parametrize("put_right", [False, True])
def test_what_is_denied_holds_no_more(user: UserMemory, put_right: bool) -> None:
    oslo, rome = tell(user, "Oslo").added, tell(user, "Rome").added
    text = "Ann stays in Oslo, and Bo lives in Oslo."
    user.note(text, read(text, ("Ann", "stays in", "Oslo"), ("Bo", "lives in", "Oslo")))
    note, stored = deny(user, "Oslo", corrects=[*oslo, *rome] if put_right else ())
    assert [fact.id for fact in stored.closed] == [oslo[0].id]
    over = [fact for fact in user.facts() if fact.valid_to]
    assert {(fact.subject, fact.relation, fact.object) for fact in over} == {("Ann", "lives in", "Oslo")}
    assert {fact.mistaken for fact in over} == {put_right}
    (anew,) = tell(user, "Oslo").added  # and may be so again
    user.forget(facts=[anew.id])
    user.forget(source=note.id)
    assert {fact.valid_to for fact in user.facts()} == {None}


def test_what_is_denied_and_not_known_is_dropped(user: UserMemory) -> None:
    for known in ((), ("Oslo",)):
        for town in known:
            tell(user, town)
        _, stored = deny(user, "Rome")
        assert (stored.added, stored.closed, stored.dropped) == ((), (), 1)
        assert (held(user), bool(user.find_entities("Ann"))) == (dict.fromkeys(known, True), bool(known))


@pytest.mark.parametrize("put_right", [False, True])
def test_a_denial_moves_along_and_can_be_forgotten_there(
    user: UserMemory, memory: Memory, tmp_path: Path, put_right: bool
) -> None:
    oslo = tell(user, "Oslo").added
    deny(user, "Oslo", corrects=oslo if put_right else ())
    user.export(tmp_path / "eve.jsonld")
    bob = memory.of("bob")
    bob.import_(tmp_path / "eve.jsonld")
    assert bob.import_(tmp_path / "eve.jsonld") == 0
    bob.export(tmp_path / "bob.jsonld")
    assert (tmp_path / "eve.jsonld").read_bytes() == (tmp_path / "bob.jsonld").read_bytes()
    bob.forget(source=bob.sources()[-1].id)
    assert held(bob) == {"Oslo": True}


@pytest.mark.parametrize("put_right", [False, True])
def test_what_is_said_again_ends_what_it_names_until_it_is_forgotten(
    user: UserMemory, memory: Memory, tmp_path: Path, put_right: bool
) -> None:
    both = [*tell(user, "Oslo").added, *tell(user, "Bonn").added]
    note, stored = _note(user, "Oslo", told("Oslo", both), corrects=both if put_right else ())
    assert ([fact.id for fact in stored.confirmed], [fact.id for fact in stored.closed]) == (
        [both[0].id],
        [both[1].id],
    )
    assert (held(user), mistaken(user)) == ({"Oslo": True, "Bonn": False}, {"Bonn"} if put_right else set())
    gone = user.forget(source=note.id, undoable=True)
    assert held(user) == {"Oslo": True, "Bonn": True}
    user.undo(gone.undo_id)
    assert held(user) == {"Oslo": True, "Bonn": False}
    user.export(tmp_path / "a.jsonld")
    bob = memory.of("bob")
    bob.import_(tmp_path / "a.jsonld")
    bob.export(tmp_path / "b.jsonld")
    assert (tmp_path / "a.jsonld").read_bytes() == (tmp_path / "b.jsonld").read_bytes()
    bob.forget(source=bob.sources()[-1].id)
    assert held(bob) == {"Oslo": True, "Bonn": True}


def test_what_that_ended_is_ended_by_what_came_after(user: UserMemory) -> None:
    both = [*tell(user, "Oslo").added, *tell(user, "Bonn").added]
    note, _ = _note(user, "Oslo", told("Oslo", both))
    rome = tell(user, "Rome", ends=both).added
    user.forget(source=note.id)
    assert held(user) == {"Bonn": False, "Oslo": False, "Rome": True}
    user.forget(facts=[rome[0].id])
    assert held(user) == {"Bonn": True, "Oslo": True}


def test_what_is_brought_back_and_imported_holds_beside_what_was_told_meanwhile(
    user: UserMemory, memory: Memory, tmp_path: Path
) -> None:
    oslo = tell(user, "Oslo").added
    user.export(tmp_path / "oslo.jsonld")
    gone = user.forget(facts=[oslo[0].id], undoable=True)
    tell(user, "Rome", ends=oslo)
    user.undo(gone.undo_id)
    assert held(user) == {"Oslo": True, "Rome": True}
    bob = memory.of("bob")
    tell(bob, "Rome")
    assert bob.import_(tmp_path / "oslo.jsonld") == 1
    assert held(bob) == {"Oslo": True, "Rome": True}


def test_what_is_brought_back_is_ended_by_what_ends_it_still(user: UserMemory) -> None:
    oslo = tell(user, "Oslo").added
    rome = tell(user, "Rome", ends=oslo).added
    tell(user, "Bonn", ends=rome)
    gone = user.forget(facts=[oslo[0].id], undoable=True)
    user.forget(facts=[rome[0].id])
    (again,) = user.undo(gone.undo_id)
    assert held(user) == {"Oslo": False, "Bonn": True}
    gone = user.forget(facts=[again.id], undoable=True)
    user.forget(facts=[fact.id for fact in user.facts() if fact.object == "Bonn"])
    user.undo(gone.undo_id)
    assert held(user) == {"Oslo": True}


def test_a_document_ends_what_its_statements_name(user: UserMemory) -> None:
    oslo = tell(user, "Oslo").added
    source = user.add_document("letter.txt", said("Rome").encode())
    ((passage_id, _),) = user.passages(source.id)
    assert [fact.id for fact in user.store(source.id, passage_id, told("Rome", oslo)).closed] == [oslo[0].id]
    user.forget(source=source.id)
    assert held(user) == {"Oslo": True}


def test_a_memory_from_before_knows_what_is_said_again(open_memory: Callable[..., Memory]) -> None:
    memory = open_memory()
    tell(memory.of("eve"), "Oslo")
    with memory._database.transaction() as connection:
        connection.execute(sql("UPDATE facts SET digest = x'00'"))
        back_to(connection, "0009")
    assert tell(open_memory().of("eve"), "Oslo").added == ()


def test_what_a_memory_from_before_has_as_planned_begins_when_it_has_come(open_memory: Callable[..., Memory]) -> None:
    memory = open_memory()
    plan = "Ann will live in Oslo from March 2099 on."
    memory.of("eve").note(plan, read(plan, ("Ann", "lives in", "Oslo"), held=Held(LATER, ahead=True)))
    with memory._database.transaction() as connection:
        back_to(connection, "0009")
    since = datetime(2021, 1, 1, tzinfo=UTC)
    came = _note(open_memory().of("eve"), "Oslo", told("Oslo", held=Held(since)))[1]
    assert [fact.valid_from for fact in came.confirmed] == [since]


def test_in_a_memory_from_before_the_note_that_names_the_year_told_it(open_memory: Callable[..., Memory]) -> None:
    memory = open_memory()
    tell(memory.of("eve"), "Oslo")
    dated, since = "Ann has lived in Oslo since 2019.", datetime(2019, 1, 1, tzinfo=UTC)
    note, _ = memory.of("eve").note(dated, read(dated, ("Ann", "lives in", "Oslo"), held=Held(since)))
    with memory._database.transaction() as connection:
        back_to(connection, "0009")
    user = open_memory().of("eve")
    assert [fact.valid_from for fact in user.facts()] == [since]
    user.forget(source=note.id)
    assert [fact.valid_from for fact in user.facts()] == [None]


def test_half_a_character_in_a_note_costs_that_character_only(user: UserMemory) -> None:
    text = "Ann\ud800 lives in Oslo\ud800."
    (fact,) = user.note(text, read(text, ("Ann\ud800", "lives in", "Oslo\ud800")))[1].added
    assert (fact.subject, fact.object, fact.text) == ("Ann?", "Oslo?", "Ann? lives in Oslo?.")


def test_a_closer_that_comes_back_closes_as_of_its_own_time(user: UserMemory) -> None:
    oslo = tell(user, "Oslo").added
    note, stored = _note(user, "Rome", told("Rome", oslo))
    tell(user, "Bern", ends=stored.added)
    before = {fact.object: fact.valid_to for fact in user.facts()}
    gone = user.forget(source=note.id, undoable=True)
    assert {fact.object: fact.valid_to for fact in user.facts()} == {"Oslo": before["Rome"], "Bern": None}
    user.undo(gone.undo_id)
    assert {fact.object: fact.valid_to for fact in user.facts()} == before
