"""What the user told, as evidence, out of a real memory."""

from contextlib import closing

import pytest

from assistant.knowledge_bases.personal import remembered_as
from assistant.sayings import as_said
from assistant.search.formats import line
from memory.store import Memory
from memory.types import Recalled
from memory.user_memory import UserMemory
from tests.memory.samples import WordEmbedder, read

JOB = "I live in Ghent and work as a pastry chef."


@pytest.fixture
def memory(tmp_path) -> UserMemory:
    with closing(Memory(tmp_path, WordEmbedder())) as memory:
        yield memory.of("me")


def note(memory: UserMemory, text: str, *facts: tuple[str, str, str]) -> None:
    memory.note(text, read(text, *facts))


def shown(memory: UserMemory, recalled: list[Recalled] | None = None) -> list[str]:
    known = [fact for fact in memory.facts() if fact.valid_to is None]
    return [line(item) for item in as_said(memory, recalled or [], known)]


def test_what_was_told_stands_once_and_the_earlier_first(memory: UserMemory) -> None:
    note(memory, JOB, ("the user", "lives in", "Ghent"), ("the user", "works as", "pastry chef"))
    note(memory, "My brother Piet sails.", ("the user", "brother", "Piet"), ("Piet", "does", "sailing"))
    assert shown(memory, memory.recall("Where do I live?")) == [
        f"the user: “{JOB}”",
        "the user: “My brother Piet sails.”",
    ]


def test_what_holds_no_more_says_so(memory: UserMemory) -> None:
    note(memory, JOB, ("the user", "lives in", "Ghent"), ("the user", "works as", "pastry chef"))
    (job,) = [fact for fact in memory.facts() if fact.object == "pastry chef"]
    now = "I am a baker."
    memory.note(now, read(now, ("the user", "works as", "baker"), ends=[job.id]))
    earlier, later = shown(memory)
    assert "works as pastry chef: until" in earlier and "Ghent:" not in earlier
    assert later == f"the user: “{now}”"


def test_whom_the_words_do_not_name_is_told_behind_them(memory: UserMemory) -> None:
    note(memory, "He also sails.", ("Al", "does", "sailing"))
    assert shown(memory) == ["the user: “He also sails.”", "Al | does | sailing"]


def test_what_a_document_says_comes_first_and_whole_messages_have_ids_of_passages(memory: UserMemory) -> None:
    note(memory, JOB, ("the user", "lives in", "Ghent"))
    memory.add_document("lease.txt", b"The flat in Ghent has a balcony.")
    said = as_said(memory, memory.recall("Ghent"), memory.facts())
    assert [item.subject for item in said] == ["lease.txt", "the user"]
    assert all(passage_id for _, passage_id in map(remembered_as, said))


def test_what_is_forgotten_meanwhile_is_left_out(memory: UserMemory) -> None:
    note(memory, JOB, ("the user", "lives in", "Ghent"))
    recalled, known = memory.recall("Ghent"), memory.facts()
    memory.forget(everything=True)
    assert as_said(memory, recalled, known) == []


def test_of_long_messages_the_first_ones_have_room(memory: UserMemory) -> None:
    for place in range(9):
        text = f"Place {place} is far. " + "The way there leads over hills and through woods. " * 12
        note(memory, text, (f"Place {place}", "is", "far"))
    assert 1 <= len(shown(memory)) < 6
