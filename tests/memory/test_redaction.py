"""Saved conversations lose what is forgotten, and nothing else; an undo gives it back."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory.redaction import BLANK
from memory.store import Memory
from memory.types import SavedMessage
from tests.memory.samples import read
from tests.memory.test_forgetting import SECRET, found_in, words


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


@pytest.mark.parametrize(
    ("told", "value", "said", "left"),
    [
        ("The dentist is on May 12, 2026.", "May 12, 2026", "My flight is on May 12, 2026 from Oslo.", None),
        ("The dentist is on 12.05.2026.", "12.05.2026", "My flight is on 12.05.2026 from Oslo.", None),
        ("My pin is 198765.", "198765", "Is 198765 easy to guess?", f"Is {BLANK} easy to guess?"),
        ("我的工资是５２００元。", "５２００元", "5200元多吗？", f"{BLANK}多吗？"),
    ],
)
def test_a_day_is_many_people_s_and_a_number_one_s_own(
    memory: Memory, told: str, value: str, said: str, left: str | None
) -> None:
    user = memory.of("eve")
    source, _ = user.note(told, read(told, ("the user", "has", value)))
    user.sessions.new("s")
    user.sessions.append("s", SavedMessage("user", said, datetime.now(UTC)))
    user.forget(source=source.id)
    assert [message.content for message in user.sessions.load("s")] == [left or said]


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
