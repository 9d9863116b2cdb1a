"""The list of what is remembered, without a browser."""

import asyncio
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gradio as gr
import pytest

from memory.store import Memory
from memory.types import Extraction, Mention
from memory.user_memory import UserMemory
from tests.memory.samples import WordEmbedder, said
from ui.memory import MemoryPanel, View
from ui.words import SHOWN

PEOPLE = View(kind="People and things")


@pytest.fixture
def user(home: Path) -> Iterator[UserMemory]:
    """An empty memory, with no page before it."""
    memory = Memory(home, WordEmbedder())
    yield memory.of("me")
    memory.close()


def panel(user: UserMemory) -> MemoryPanel:
    """The panel. Gradio makes event loops that nobody closes, unless one runs while that is built."""

    async def build() -> MemoryPanel:
        with gr.Blocks():
            return MemoryPanel(user, pages=False)

    return asyncio.run(build())


def listed(user: UserMemory, view: View = PEOPLE) -> str:
    """The list of the panel."""
    return panel(user).html(view)


def read(user: UserMemory, document: str, name: str, trade: str) -> str:
    """Have a document say what somebody's trade is; its id."""
    text = f"{name} works as a {trade}."
    source = user.add_document(document, text.encode())
    ((passage_id, _),) = user.passages(source.id)
    user.store(source.id, passage_id, Extraction((Mention(name),), (said(text, name, "works as", trade),)))
    return source.id


def noted(user: UserMemory, name: str, trade: str) -> str:
    """Say in the chat what somebody's trade is; the id of that source."""
    text = f"{name} works as a {trade}."
    user.note(text, Extraction((Mention(name),), (said(text, name, "works as", trade),)))
    return user.sources()[-1].id


def meanwhile(monkeypatch: pytest.MonkeyPatch, read: str, then: Callable[[UserMemory], object]) -> None:
    """Let something happen to the memory right after the page has read this from it for the first time."""
    original, done = getattr(UserMemory, read), list[bool]()

    def reading(self: UserMemory, *args: Any, **kwargs: Any) -> Any:
        found = original(self, *args, **kwargs)
        if not done:
            done.append(True)
            then(self)
        return found

    monkeypatch.setattr(UserMemory, read, reading)


def test_what_is_merged_while_the_list_is_made_is_still_listed(
    user: UserMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    read(user, "notes.txt", "Ann Berg", "pianist")
    read(user, "story.txt", "Annie Berg", "sailor")
    one, other = user.entities()
    meanwhile(monkeypatch, "entities", lambda user: user.merge(one.id, other.id))
    shown = listed(user)
    assert len(user.entities()) == 1
    assert "Ann Berg" in shown
    assert "Annie Berg" in shown


def test_what_goes_while_the_list_is_made_has_no_sources_to_choose(
    user: UserMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    read(user, "notes.txt", "Anna Berg", "pianist")
    said_so = noted(user, "Anna Berg", "sailor")
    (anna,) = user.entities()
    unfolded = View(kind=PEOPLE.kind, unfolded=anna.id)
    assert listed(user, unfolded).count("Another one in") == 2
    with monkeypatch.context() as patch:
        meanwhile(patch, "sources_of", lambda user: user.forget(source=said_so))
        assert re.findall(r"Another one in ([^<\"]+)", listed(user, unfolded)) == ["notes.txt"]
    read(user, "story.txt", "Anna Berg", "sailor")
    meanwhile(monkeypatch, "number_of_sources", lambda user: user.forget(entity=anna.id))
    shown = listed(user, unfolded)
    assert not user.entities()
    assert "2 sources" in shown
    assert "Another one in" not in shown


def test_of_many_sources_the_newest_documents_can_be_chosen(user: UserMemory) -> None:
    noted(user, "Anna Berg", "tailor")
    for number in range(SHOWN + 2):
        read(user, f"{number}.txt", "Anna Berg", f"trade{number}")
    (anna,) = user.entities()
    shown = listed(user, View(kind=PEOPLE.kind, unfolded=anna.id))
    offered = re.findall(r"Another one in (\d+)\.txt", shown)
    assert offered == [str(number) for number in range(SHOWN + 1, 1, -1)]
    assert "and 3 more sources" in shown


def test_of_the_chat_the_newest_words_come_first_and_documents_before_them(user: UserMemory) -> None:
    read(user, "notes.txt", "Anna Berg", "pianist")
    for trade in ("tailor", "sailor"):
        noted(user, "Anna Berg", trade)
    (anna,) = user.entities()
    shown = listed(user, View(kind=PEOPLE.kind, unfolded=anna.id))
    places = [shown.index(f"Another one in {what}") for what in ("notes.txt", "“Anna Berg works as a sailor")]
    assert places == sorted(places)
    assert places[-1] < shown.index("Another one in “Anna Berg works as a tailor")


def test_namesakes_are_told_apart_by_what_speaks_of_them(user: UserMemory) -> None:
    read(user, "notes.txt", "Anna Berg", "pianist")
    story = read(user, "story.txt", "Anna Berg", "sailor")
    (anna,) = user.entities()
    user.take_apart(anna.id, story)
    html = listed(user)
    assert "Forget Anna Berg (notes.txt)" in html
    assert "Forget Anna Berg (story.txt)" in html


def test_of_much_that_was_taken_apart_the_latest_is_listed_even_while_one_goes(
    user: UserMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = [read(user, f"{number}.txt", "Anna Berg", f"trade{number}") for number in range(4)]
    (anna,) = user.entities()
    apart = [user.take_apart(anna.id, source_id) for source_id in sources[1:]]
    assert len(user.taken_apart()) == 6
    meanwhile(monkeypatch, "taken_apart", lambda user: user.forget(entity=apart[0]))
    pairs = re.findall(r"is not</span>.*?</li>", panel(user).one_or_two(PEOPLE), re.DOTALL)
    assert len(pairs) == 5
    assert ["3.txt" in pair for pair in pairs] == [True] * 3 + [False] * 2
