"""What was forgotten a moment ago can be brought back, from nowhere but this process."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory import undoing
from memory.errors import NothingThere
from memory.redaction import BLANK
from memory.store import Memory
from memory.types import SavedMessage
from memory.user_memory import UserMemory
from tests.memory.samples import read
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
        user.note(text, read(text, *triples))
    before = exported(user, tmp_path)
    berlin = next(fact.id for fact in user.facts() if (fact.relation, fact.object) == ("lives in", "Berlin"))
    gone = user.forget(facts=[berlin], undoable=True)
    assert [fact.object for fact in user.facts() if fact.relation == "lives in" and not fact.valid_to] == ["Paris"]
    user.undo(gone.undo_id)
    assert [fact.object for fact in user.facts() if fact.relation == "lives in" and not fact.valid_to] == ["Berlin"]
    assert len(exported(user, tmp_path)) == len(before)
    assert memory.status().agrees


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


def test_conversations_no_longer_say_it(memory: Memory, home: Path) -> None:
    user = memory.of("eve")
    source, stored = user.note(SECRET, read(SECRET, ("Quillfeather", "hides under", "Kalamansi tree")))
    lines = (
        ("user", SECRET, {}),
        ("assistant", "I will remember: Quillfeather – hides under: Kalamansi tree", {"source_id": source.id}),
        ("user", "And where is the key?", {}),
        ("assistant", "Under the Kalamansi tree [1].", {"events": [{"text": SECRET}]}),
        ("user", "Which tree is green?", {}),
        ("assistant", "Most are.", {"events": []}),
    )
    user.sessions.new("s")
    for role, content, details in lines:
        user.sessions.append("s", SavedMessage(role, content, datetime.now(UTC), details))
    assert found_in(home, *words(SECRET))
    gone = user.forget(source=source.id, undoable=True)
    assert gone.sessions == 1
    assert [message.content for message in user.sessions.load("s")] == [
        BLANK,
        f"I will remember: {BLANK} – hides under: {BLANK}",
        "And where is the key?",
        f"Under the {BLANK} [1].",
        "Which tree is green?",
        "Most are.",
    ]
    assert found_in(home, *words(SECRET), *words(stored.added[0].object)) == []
    assert user.sessions.list()[0].title == BLANK
    user.undo(gone.undo_id)
    assert [message.content for message in user.sessions.load("s")] == [content for _, content, _ in lines]
    assert user.sessions.load("s")[3].details == lines[3][2]


def test_conversations_say_it_in_no_other_wording_either(memory: Memory, home: Path) -> None:
    user = memory.of("eve")
    told = "My salary is 5200 euros at Quillco."
    user.note("I like tea in Oslo.", read("I like tea in Oslo.", ("the user", "likes", "tea in Oslo")))
    triples = (("the user", "salary", "5200 euros"), ("the user", "works at", "Quillco"), ("the user", "cats", "2"))
    source, _ = user.note(told, read(told, *triples))
    lines = {
        "s": (
            ("user", "my salary is  5,200 euros at quillco, remember", f"{BLANK}, remember"),
            ("assistant", "Of your salary of 5,200 euros much is left.", f"Of your salary of {BLANK} much is left."),
            (
                "user",
                "Is Quillco large? I earn well and have 2 dogs.",
                f"Is {BLANK} large? I earn well and have 2 dogs.",
            ),
        ),
        "t": (
            (
                "user",
                "What would be left of my 5 200 €? I have 2 dogs.",
                f"What would be left of my {BLANK} €? I have 2 dogs.",
            ),
        ),
        "u": (
            ("user", "Is tea made in Oslo?", "Is tea made in Oslo?"),
            ("assistant", "In 5200 BC it was not.", "In 5200 BC it was not."),
        ),
    }
    for session, said_there in lines.items():
        user.sessions.new(session)
        for role, content, _ in said_there:
            user.sessions.append(session, SavedMessage(role, content, datetime.now(UTC), {}))
    gone = user.forget(source=source.id, undoable=True)
    for session, said_there in lines.items():
        assert [message.content for message in user.sessions.load(session)] == [left for *_, left in said_there]
    assert found_in(home, "5200 euros", "5,200", "5 200", "Quillco", "quillco") == []
    user.undo(gone.undo_id)
    for session, said_there in lines.items():
        assert [message.content for message in user.sessions.load(session)] == [was for _, was, _ in said_there]


@pytest.mark.parametrize("told", ["555 12 34", "5551234", "(555) 12-34"])
@pytest.mark.parametrize("said", ["5551234", "555 12 34", "555-1234"])
def test_a_number_is_not_said_in_other_groups_either(memory: Memory, told: str, said: str) -> None:
    user = memory.of("eve")
    text = f"My phone number is {told}, and the fair is on 2019-05-03."
    source, _ = user.note(text, read(text, ("the user", "phone number", told), ("fair", "on", "2019-05-03")))
    user.sessions.new("s")
    user.sessions.append(
        "s", SavedMessage("user", f"Is {said} long? It rang 2 times on 2019-05-03.", datetime.now(UTC))
    )
    user.forget(source=source.id)
    left = f"Is {BLANK} long? It rang 2 times on 2019-05-03."
    assert [message.content for message in user.sessions.load("s")] == [left]


def test_what_little_is_left_of_a_sentence_is_not_looked_for_everywhere(memory: Memory) -> None:
    user = memory.of("eve")
    told = "I'm vegan"
    user.note(told, read(told, ("the user", "diet", "vegan"), ("the user", "eats no", "meat")))
    lines: list[tuple[str, str, dict[str, object]]] = [
        ("user", "I'm glad that Oslo is near.", {}),
        ("assistant", "So I'm told.", {"events": [{"text": "I'm told that Oslo is near."}]}),
        ("user", f"Good. {told}. I'm!", {}),
    ]
    user.sessions.new("s")
    for role, content, details in lines:
        user.sessions.append("s", SavedMessage(role, content, datetime.now(UTC), details))
    known = {fact.object: fact.id for fact in user.facts()}
    for value in ("vegan", "meat"):
        user.forget(facts=[known[value]])
    held = user.sessions.load("s")
    assert [(message.role, message.content, message.details) for message in held[:2]] == lines[:2]
    assert held[2].content == f"Good. {BLANK}. {BLANK}"


def test_conversations_lose_facts_of_one_sentence_one_by_one_and_get_back_what_is_undone(
    memory: Memory, home: Path
) -> None:
    user = memory.of("eve")
    told = "I work as a nurse and keep a heron."
    user.note(told, read(told, ("the user", "works as", "nurse"), ("the user", "keeps", "heron")))
    acknowledged = "I will remember: the user – works as: nurse; the user – keeps: heron"
    lines = {
        "s": (("user", told, {}), ("assistant", acknowledged, {"events": [{"facts": [acknowledged]}]})),
        "t": (("user", "What do I do?", {}), ("assistant", "Nurse your heron.", {"events": [{"text": told}]})),
        "u": (("user", "Hello", {}), ("assistant", "Every nurse has seen a bird.", {})),
    }
    for session, said_there in lines.items():
        user.sessions.new(session)
        for role, content, details in said_there:
            user.sessions.append(session, SavedMessage(role, content, datetime.now(UTC), details))

    def answers() -> list[str]:
        return [user.sessions.load(session)[1].content for session in "st"]

    known = {fact.object: fact.id for fact in user.facts()}
    job = user.forget(facts=[known["nurse"]], undoable=True)
    assert user.sessions.load("u")[1].content == lines["u"][1][1]  # which rests on nothing of it
    user.sessions.delete("u")
    bird = user.forget(facts=[known["heron"]], undoable=True)
    blank = acknowledged.replace("heron", BLANK)
    assert answers() == [blank.replace("nurse", BLANK), f"Nurse your {BLANK}."]
    assert found_in(home, "nurse", "heron") == []
    user.undo(job.undo_id)
    assert user.sessions.load("s")[0].content == BLANK  # the other one is still forgotten
    assert answers() == [blank, f"Nurse your {BLANK}."]
    assert found_in(home, "heron") == []
    user.undo(bird.undo_id)
    for session in "st":
        assert [(m.role, m.content, m.details) for m in user.sessions.load(session)] == list(lines[session])


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
    document(user, "story.txt", f"{anna} moved to Rome and works as a cook.", *triples)
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
