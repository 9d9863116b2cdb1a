"""What was forgotten a moment ago can be brought back, from nowhere but this process."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory import undoing, user_memory
from memory.errors import Failure, NothingThere
from memory.records.database import Database
from memory.redaction import BLANK
from memory.store import Memory
from memory.types import Extraction, FactKind, Held, SavedMessage, StillOnDisk
from memory.user_memory import UserMemory
from tests.memory.samples import holding, put_right_again_and_again, read
from tests.memory.samples import said as spoken
from tests.memory.test_blanking import ANNA, ANNAS, HERON, NAME, TOWN, added, ids, whole
from tests.memory.test_forgetting import OTHER, SECRET, found_in, remember_secret, words
from tests.memory.test_splitting import document


def exported(user: UserMemory, folder: Path) -> bytes:
    path = folder / "exported"
    user.export(path)
    return path.read_bytes()


def said(user: UserMemory) -> list[tuple[str, str, str, bool]]:
    return sorted((fact.subject, fact.relation, fact.text, fact.valid_to is None) for fact in user.facts())


def test_a_forgotten_document_comes_back(memory: Memory, home: Path) -> None:
    user = memory.of("eve")
    user.note(OTHER, read(OTHER, ("Ann", "lives in", "Oslo")))
    source_id = remember_secret(user)
    before = said(user)
    gone = user.forget(source=source_id, undoable=True)
    assert found_in(home, *words(SECRET)) == []
    assert len(user.undo(gone.undo_id)) == gone.facts
    assert said(user) == before
    assert any(SECRET in hit.text for hit in user.recall("Who hides the brass key?"))
    assert memory.status().agrees
    with pytest.raises(NothingThere, match="for good"):
        user.undo(gone.undo_id)


def test_a_forgotten_fact_comes_back_with_its_words_and_what_it_had_closed(memory: Memory, tmp_path: Path) -> None:
    user = memory.of("eve")
    for text, town in (("I live in Paris.", "Paris"), ("I moved to Berlin. I like it.", "Berlin")):
        triples = [("the user", "lives in", town)] + ([("the user", "likes", town)] if town == "Berlin" else [])
        user.note(text, read(text, *triples, ends=holding(user, "the user", "lives in")))
    before = exported(user, tmp_path)
    berlin = next(fact.id for fact in user.facts() if (fact.relation, fact.object) == ("lives in", "Berlin"))
    gone = user.forget(facts=[berlin], undoable=True)
    assert [fact.object for fact in user.facts() if fact.relation == "lives in" and not fact.valid_to] == ["Paris"]
    user.undo(gone.undo_id)
    assert [fact.object for fact in user.facts() if fact.relation == "lives in" and not fact.valid_to] == ["Berlin"]
    assert len(exported(user, tmp_path)) == len(before)
    assert memory.status().agrees


def test_an_entity_is_described_as_before_once_a_description_came_back(memory: Memory) -> None:
    user = memory.of("eve")
    for text in ("Bo is a doctor of law.", "Bo is a keeper of bees."):
        user.note(text, Extraction((), (spoken(text, "Bo", "description", text, FactKind.DESCRIPTION),)))
    gone = user.forget(facts=[min(user.facts(), key=lambda fact: fact.learned).id], undoable=True)
    assert user.find_entities("Bo")[0].description == "Bo is a keeper of bees."
    user.undo(gone.undo_id)
    assert user.find_entities("Bo")[0].description == "Bo is a doctor of law."


def test_everything_and_what_nobody_asked_to_undo_is_gone_for_good(memory: Memory) -> None:
    user = memory.of("eve")
    for undoable, everything in ((False, False), (True, True)):
        source, _ = user.note(OTHER, read(OTHER, ("Ann", "lives in", "Oslo")))
        gone = user.forget(source=() if everything else source.id, everything=everything, undoable=undoable)
        assert gone.undo_id == ""
    with pytest.raises(NothingThere):
        user.undo("")


def test_it_lasts_for_a_while_and_not_beyond_the_process(
    open_memory: Callable[..., Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    user = open_memory().of("eve")
    ids = []
    for _ in range(2):
        source, _ = user.note(OTHER, read(OTHER, ("Ann", "lives in", "Oslo")))
        ids.append(user.forget(source=source.id, undoable=True).undo_id)
    with pytest.raises(NothingThere):
        open_memory().of("eve").undo(ids[0])
    monkeypatch.setattr(undoing, "_SECONDS", 0.0)
    with pytest.raises(NothingThere):
        user.undo(ids[1])


def test_what_an_entity_was_called_comes_back_with_what_was_told_of_it(memory: Memory) -> None:
    user = memory.of("eve")
    first, _ = user.note("Ann lives in Oslo.", read("Ann", ("Ann", "lives in", "Oslo"), aliases={"Ann": ("Annie",)}))
    user.note("Annie likes tea.", read("Annie", ("Annie", "likes", "tea")))
    (before,) = user.find_entities("Ann")
    gone = user.forget(source=first.id, undoable=True)
    assert user.entity(before.id).name == "Annie"
    user.undo(gone.undo_id)
    assert user.entity(before.id) == before
    assert {fact.subject for fact in user.facts()} == {"Ann"}
    assert user.status().agrees


def test_what_was_put_right_again_and_again_comes_back_in_its_order(memory: Memory) -> None:
    user = memory.of("eve")
    put_right_again_and_again(user)
    before = [(fact.object, fact.learned, fact.valid_to) for fact in user.facts()]
    gone = user.forget(entity="Anna", undoable=True)
    user.undo(gone.undo_id)
    assert [(fact.object, fact.learned, fact.valid_to) for fact in user.facts()] == before


def test_what_is_told_twice_as_ended_comes_back_once(memory: Memory, tmp_path: Path) -> None:
    user = memory.of("eve")
    texts = "Anna worked at Harbour Mills until 2019.", "Until 2019 Anna worked at Harbour Mills."
    told = [
        read(text, ("Anna", "worked at", "Harbour Mills"), held=Held(until=datetime(2019, 12, 31, tzinfo=UTC)))
        for text in texts
    ]
    first, _ = [user.note(*note)[0] for note in zip(texts, told, strict=True)]
    assert [fact.valid_to is not None for fact in user.facts()] == [True]
    gone = user.forget(source=first.id, undoable=True)
    assert len(user.facts()) == 1
    user.undo(gone.undo_id)
    assert len(user.facts()) == 1
    user.export(tmp_path / "exported")
    other = memory.of("bob")
    other.note(texts[1], told[1])
    assert other.import_(tmp_path / "exported") == 0
    assert len(other.facts()) == 1


def test_what_cannot_be_wiped_yet_can_be_undone(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    user = memory.of("eve")
    user.note(HERON, read(HERON, (NAME, "keeps", "blue heron")))
    with monkeypatch.context() as patch:
        patch.setattr(Database, "wipe", lambda self: (_ for _ in ()).throw(Failure("The disk is full.")))
        with pytest.raises(StillOnDisk, match="The disk is full") as raised:
            user.forget(entity=NAME, undoable=True)
    assert user.is_empty() and raised.value.forgotten.facts == 1
    assert [fact.object for fact in user.undo(raised.value.forgotten.undo_id)] == ["blue heron"]


def test_an_undo_that_fails_can_be_tried_again(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    user = memory.of("eve")
    user.note(HERON, read(HERON, (NAME, "keeps", "blue heron")))
    gone = user.forget(entity=NAME, undoable=True)
    with monkeypatch.context() as patch:
        patch.setattr(user_memory, "put_in", lambda *_: (_ for _ in ()).throw(Failure("The disk is full.")))
        with pytest.raises(Failure):
            user.undo(gone.undo_id)
    assert [fact.object for fact in user.undo(gone.undo_id)] == ["blue heron"]
    with pytest.raises(NothingThere):
        user.undo(gone.undo_id)


def test_an_undo_that_fails_leaves_nothing_for_another_to_bring_back(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = memory.of("eve")
    heron, gulls = f"{NAME} keeps a blue heron.", "Bo feeds the gulls."
    added(user, f"{heron} {TOWN} {gulls}", (NAME, "keeps", "blue heron"), ("Bo", "feeds", "gulls"))
    user.sessions.new("s")
    user.sessions.append("s", SavedMessage("user", f"{heron} {gulls}", datetime.now(UTC), {}))
    facts = {fact.object: fact.id for fact in user.facts()}
    first = user.forget(facts=[facts["blue heron"]], undoable=True)
    second = user.forget(facts=[facts["gulls"]], undoable=True)

    def fail(*_: object) -> None:
        raise Failure("The disk is full.")

    with monkeypatch.context() as failing:
        failing.setattr(user_memory, "blank_again", fail)
        with pytest.raises(Failure, match="full"):
            user.undo(first.undo_id)
    user.undo(second.undo_id)
    assert [message.content for message in user.sessions.load("s")] == [f"{BLANK} {gulls}"]
    user.undo(first.undo_id)
    assert [message.content for message in user.sessions.load("s")] == [f"{heron} {gulls}"]


@pytest.mark.parametrize("undoable", [False, True])
def test_what_was_forgotten_since_does_not_come_back_with_it(memory: Memory, tmp_path: Path, undoable: bool) -> None:
    user = memory.of("eve")
    heron, gulls = f"{NAME} keeps a blue heron.", "Bo feeds the gulls."
    source = added(user, f"{heron} {TOWN} {gulls}", (NAME, "keeps", "blue heron"), ("Bo", "feeds", "gulls"))
    before = user.source_text(source.id)
    user.sessions.new("s")
    user.sessions.append("s", SavedMessage("user", f"{heron} {gulls}", datetime.now(UTC), {}))
    facts = {fact.object: fact.id for fact in user.facts()}
    first = user.forget(facts=[facts["blue heron"]], undoable=True)
    second = user.forget(facts=[facts["gulls"]], undoable=undoable)
    user.undo(first.undo_id)
    assert user.source_text(source.id).split() == f"{heron} {TOWN}".split()
    assert [fact.object for fact in user.facts()] == ["blue heron"]
    assert [message.content for message in user.sessions.load("s")] == [f"{heron} {BLANK}"]
    assert memory.status().agrees
    if undoable:
        user.undo(second.undo_id)
        assert user.source_text(source.id) == before
        assert [message.content for message in user.sessions.load("s")] == [f"{heron} {gulls}"]


def test_a_document_forgotten_since_brings_back_only_what_is_undone(memory: Memory) -> None:
    user = memory.of("eve")
    source = added(user, f"{HERON} {TOWN}", (NAME, "keeps", "blue heron"))
    gone = user.forget(facts=[user.facts()[0].id], undoable=True)
    user.forget(source=source.id)
    user.undo(gone.undo_id)
    assert user.source_text(source.id).strip() == HERON
    assert [fact.object for fact in user.facts()] == ["blue heron"]


@pytest.fixture
def moved(memory: Memory) -> UserMemory:
    """Somebody whose documents tell where Anna Berg lived, and in one sentence where she went and what she is."""
    user = memory.of("eve")
    anna = "Anna Berg"
    document(user, "notes.txt", f"{anna} lives in Oslo.", (anna, "lives in", "Oslo"))
    triples = ((anna, "lives in", "Rome"), (anna, "works as", "cook"))
    text = f"{anna} has moved to Rome and works as a cook."
    document(user, "story.txt", text, *triples, ends=holding(user, anna, "lives in"))
    return user


def test_a_fact_forgotten_since_stays_so_where_another_keeps_its_sentence(moved: UserMemory) -> None:
    facts = {fact.object: fact.id for fact in moved.facts()}
    gone = moved.forget(source=moved.sources()[0].id, undoable=True)
    moved.forget(facts=[facts["Rome"]])
    moved.undo(gone.undo_id)
    assert {fact.object: fact.valid_to for fact in moved.facts()} == {"cook": None, "Oslo": None}
    assert moved.status().agrees


@pytest.mark.parametrize("again", [False, True])
def test_a_fact_forgotten_since_and_brought_back_closes_as_before(moved: UserMemory, again: bool) -> None:
    facts = {fact.object: fact.id for fact in moved.facts()}
    gone = moved.forget(source=moved.sources()[0].id, undoable=True)
    since = moved.forget(facts=[facts["Rome"]], undoable=True)
    moved.note(OTHER, read(OTHER, ("Ann", "likes", "tea")))  # takes the number that is free
    (rome,) = moved.undo(since.undo_id)
    assert rome.id != facts["Rome"]
    if again:
        moved.forget(facts=[rome.id])
    moved.undo(gone.undo_id)
    living = {fact.object: fact.valid_to is None for fact in moved.facts() if fact.relation == "lives in"}
    assert living == ({"Oslo": True} if again else {"Oslo": False, "Rome": True})


def test_a_fact_that_lost_its_other_source_since_comes_back_with_its_own(memory: Memory) -> None:
    user = memory.of("eve")
    for name, text in (("one.txt", HERON), ("two.txt", f"{HERON} Indeed.")):
        document(user, name, text, (NAME, "keeps", "blue heron"))
    one, two = (source.id for source in user.sources())
    gone = user.forget(source=one, undoable=True)
    user.forget(source=two)
    assert user.facts() == []
    user.undo(gone.undo_id)
    assert [fact.object for fact in user.facts()] == ["blue heron"]


@pytest.mark.parametrize("source_too", [False, True])
def test_a_description_comes_back_without_the_words_that_were_forgotten_since(
    memory: Memory, home: Path, source_too: bool
) -> None:
    user = memory.of("eve")
    source, _ = user.note(ANNA, whole(ANNA, *ANNAS, described="Anna"))
    known = ids(user)
    gone = user.forget(facts=[known[ANNA]], undoable=True)
    user.forget(facts=[known["nurse"]])
    if source_too:
        user.forget(source=source.id)
    (again,) = user.undo(gone.undo_id)
    since = ["nurse", *(["Oslo", "sister"] if source_too else [])]
    left = [word for word in ANNA.rstrip(".").split() if word not in since]
    assert again.object.rstrip(".").split() == again.text.rstrip(".").split() == left
    assert found_in(home, *since) == []
    assert memory.status().agrees


def test_of_a_sentence_whose_source_was_forgotten_since_only_what_is_undone_comes_back(memory: Memory) -> None:
    user = memory.of("eve")
    source, _ = user.note(ANNA, whole(ANNA, *ANNAS))
    gone = user.forget(facts=[ids(user)["nurse"]], undoable=True)
    user.forget(source=source.id)
    (job,) = user.undo(gone.undo_id)
    assert job.text.split() == ["My", "Anna", "lives", "in", "and", "works", "as", "a", "nurse."]
