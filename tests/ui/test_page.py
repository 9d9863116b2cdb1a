"""What a person does on the page, in a real browser, with the whole product behind it and a scripted model."""

import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Locator, Page, expect

from assistant.errors import ModelUnavailable
from assistant.knowledge_bases.web import connecting
from assistant.llm.client import Chunk, ModelStatus, Request, Stop
from assistant.llm.scripted import ScriptedTransport, Weights
from assistant.settings import Settings
from tests.assistant.knowledge_bases.loopback import LoopbackServer, Reply
from tests.ui.conftest import STORY, TURN, WHERE, Served, ask, press, read_in, settled
from ui.chat import examples

Serve = Callable[..., Served]
Visit = Callable[..., Page]
Shot = Callable[[Page, str], None]


def unfold(title: Locator, content: Locator) -> None:
    """Click a title until its content is there; a click is lost that comes while the fold around it still opens."""
    for _ in range(12):
        title.click()
        with suppress(AssertionError):
            expect(content).to_be_visible(timeout=5_000)
            return
    expect(content).to_be_visible()


def remembered(served: Served) -> None:
    """Put the story into memory, read to its end."""
    source = served.assistant.ingestion.add("me", "mira.md", STORY.encode())
    served.assistant.ingestion.wait("me", source.id, 30)


def test_an_answer_streams_with_its_steps_and_each_citation_opens_its_evidence(
    serve: Serve, visit: Visit, shot: Shot
) -> None:
    served = serve()
    remembered(served)
    page = visit(served)
    expect(page.get_by_text("What would you like to know?")).to_be_visible()
    shot(page, "empty")
    ask(page, WHERE)
    settled(page)

    expect(page.locator("#lk-chat")).to_contain_text("Mira Solveig lives in Tromsø")
    steps = page.locator("#lk-chat .thought-group .title")
    expect(steps).to_have_count(1)  # folded
    steps.first.click()
    expect(page.get_by_text("Wrote a search program")).to_be_visible()
    unfold(
        page.get_by_text("Ran it on your memory"),
        page.get_by_text("find_entity_or_value(['Mira Solveig'], ['lives in', 'home'])"),
    )
    shot(page, "steps")

    card = page.locator("#e-1-1")
    expect(card).to_be_hidden()
    citation = page.locator('#lk-chat a[href="#e-1-1"]')
    citation.focus()
    page.keyboard.press("Enter")
    expect(card).to_be_visible()
    expect(card).to_be_in_viewport()
    expect(card).to_be_focused()
    expect(card).to_contain_text("Tromsø")
    expect(card).to_contain_text("mira.md")
    page.get_by_text("Why this answer").click()
    expect(page.locator(".lk-why")).to_contain_text("Looked it up")
    shot(page, "evidence")


def test_the_program_of_an_answer_is_edited_and_run_again(serve: Serve, visit: Visit, shot: Shot) -> None:
    answers = [*TURN["answer"], "She trains gyrfalcons [1].", "Nothing of it."]
    judgements = [*[Weights({"yes": 1.0})] * 2, Weights({"no": 1.0})]
    served = serve({**TURN, "answer": answers, "entailment": judgements})
    remembered(served)
    page = visit(served, width=390, height=844)
    ask(page, WHERE)
    settled(page)
    page.get_by_text("Why this answer").press("Enter")
    box = page.get_by_label("The search program")
    expect(box).to_have_value(str(TURN["program"][0]))
    box.fill('find_entity_or_value(["Mira Solveig"], ["trains"])')
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Run again")).to_be_focused()
    page.keyboard.press("Enter")
    outcome = page.locator(".lk-outcome")
    expect(outcome).to_contain_text("She trains gyrfalcons")
    expect(outcome).to_contain_text("your memory: gyrfalcons")
    expect(box).to_have_value('find_entity_or_value(["Mira Solveig"], ["trains"])')
    outcome.locator('a[href="#e-1r-1"]').click()
    expect(page.locator("#e-1r-1")).to_contain_text("gyrfalcons")
    shot(page, "phone-rerun")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    box.fill("find_entity_or_value([")
    box.press("Control+Enter")
    expect(outcome).to_contain_text("SyntaxError")
    assert [message.content for message in saved(served)] == [WHERE, TURN["answer"][0]]


def test_a_conversation_survives_a_restart_with_its_citations(serve: Serve, visit: Visit) -> None:
    served = serve()
    remembered(served)
    page = visit(served)
    ask(page, WHERE)
    settled(page)
    page.context.close()
    served.assistant.close()

    again = visit(serve())
    settled(again)
    again.locator('#lk-chat a[href="#e-1-1"]').click()
    expect(again.locator("#e-1-1")).to_contain_text("Tromsø")
    expect(again.locator("#lk-sessions")).to_contain_text(WHERE)


def test_history_goes_with_a_follow_up(serve: Serve, visit: Visit) -> None:
    served = serve({**TURN, "understand": ["en chat"], "answer": ["Hello!", "You said hi."]})
    page = visit(served)
    ask(page, "hi")
    settled(page)
    ask(page, "what did I say?")
    settled(page, 2)
    said = [m.content for m in served.transport.requests[-1].messages]  # type: ignore[attr-defined]
    assert "hi" in said
    assert "Hello!" in said


def test_an_example_is_asked_by_a_click(serve: Serve, visit: Visit) -> None:
    served = serve()
    page = visit(served)
    example = examples()[3]["text"]
    page.get_by_text(example).click()
    settled(page)
    expect(page.locator("#lk-chat")).to_contain_text(example)
    assert example in served.transport.requests[0].messages[-1].content  # type: ignore[attr-defined]


def test_stop_stops_and_keeps_what_was_written(serve: Serve, visit: Visit) -> None:
    words = " ".join(f"word{i}" for i in range(2000))  # longer than the slowest machine takes to press a key
    served = serve({**TURN, "understand": ["en chat"], "answer": [words]}, delay=0.05)
    page = visit(served)
    ask(page, "Tell me a long story")
    expect(page.locator("#lk-chat")).to_contain_text("word3")
    page.keyboard.press("Escape")
    settled(page)
    expect(page.locator("#lk-chat .lk-notice")).to_have_text("Stopped.")
    kept = saved(served)[1].content
    assert "word3" in kept
    assert "word1999" not in kept


class UntilStopped(ScriptedTransport):
    """A model that says nothing before it is stopped."""

    def send(self, request: Request, stop: Stop) -> Iterator[Chunk]:
        """Wait for the stop, up to 30 seconds, and then reply as scripted."""
        until = time.monotonic() + 30
        while not stop() and time.monotonic() < until:
            time.sleep(0.01)
        yield from super().send(request, stop)


def test_a_turn_shows_life_at_once_and_one_without_an_answer_is_not_judged(serve: Serve, visit: Visit) -> None:
    page = visit(serve(transport=UntilStopped({**TURN, "understand": ["en chat"], "answer": ["Never said."]})))
    ask(page, "hello")
    expect(page.get_by_role("log").get_by_text("Thinking …")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    settled(page)
    expect(page.locator("#lk-chat")).to_contain_text("Stopped.")
    expect(page.get_by_label("Retry")).to_be_visible()
    expect(page.get_by_label("Like", exact=True)).to_be_hidden()
    expect(page.locator("#lk-chat")).not_to_contain_text("Thinking …")


def test_retry_replaces_the_answer(serve: Serve, visit: Visit) -> None:
    served = serve({**TURN, "understand": ["en chat"], "answer": ["First try.", "Second try."]})
    page = visit(served)
    ask(page, "Say something")
    settled(page)
    page.get_by_label("Retry").click()
    expect(page.locator("#lk-chat")).to_contain_text("Second try.")
    settled(page)
    expect(page.locator("#lk-chat")).not_to_contain_text("First try.")
    assert [m.content for m in saved(served)] == ["Say something", "Second try."]


def test_a_question_is_put_in_other_words(serve: Serve, visit: Visit, shot: Shot) -> None:
    served = serve({**TURN, "understand": ["en chat"], "answer": ["One.", "Two.", "Three."]})
    page = visit(served)
    ask(page, "Is AT&T <b>old</b> & *very* C:\\old?")
    settled(page)
    ask(page, "And this?")
    settled(page, 2)
    page.locator("#lk-chat .user-row").first.hover()
    page.get_by_label("Edit", exact=True).first.click()
    box = page.locator("#lk-chat .edit-textarea")
    expect(box).to_have_value("Is AT&T <b>old</b> & *very* C:\\old?")
    box.fill(box.input_value().replace("old", "new"))
    shot(page, "edit")
    page.get_by_label("Submit", exact=True).click()
    expect(page.locator("#lk-chat")).to_contain_text("Three.")
    settled(page)
    expect(page.locator("#lk-chat")).not_to_contain_text("And this?")
    assert [m.content for m in saved(served)] == ["Is AT&T <b>new</b> & *very* C:\\new?", "Three."]


def test_thumbs_are_kept_with_the_way_of_searching_that_they_judge(serve: Serve, visit: Visit) -> None:
    served = serve()
    remembered(served)
    page = visit(served)
    ask(page, WHERE)
    settled(page)
    page.get_by_label("Like", exact=True).click()
    expect(page.get_by_label("Liked")).to_be_visible()
    ask(page, WHERE)
    settled(page, 2)
    expect(page.get_by_label("Liked")).to_have_count(1)
    me = served.assistant.memory.of("me")
    session = me.sessions.list()[0].id
    again = visit(served)
    settled(again, 2)
    expect(again.get_by_label("Liked")).to_be_visible()
    thumb = me.sessions.thumbs(session)[1]
    assert (thumb["thumb"], thumb["strategy"], thumb["format"]) == ("Like", "program", "triples")


def test_conversations_are_renamed_left_and_deleted(serve: Serve, visit: Visit) -> None:
    served = serve({**TURN, "understand": ["en chat"], "answer": ["One.", "Two."]})
    page = visit(served)
    ask(page, "first thing")
    settled(page)
    page.locator("#lk-sessions li").hover()
    page.get_by_label("Rename first thing").click()
    title = page.get_by_label("Title of this conversation")
    expect(title).to_be_focused()
    expect(title).to_have_value("first thing")
    title.fill("Never mind")
    title.press("Escape")
    expect(title).to_have_count(0)
    press(page.get_by_label("Rename first thing"), title)
    title.fill("Beginnings")
    title.press("Enter")
    expect(page.locator("#lk-sessions")).to_contain_text("Beginnings")

    page.get_by_role("button", name="New conversation").click()
    expect(page.get_by_text("What would you like to know?")).to_be_visible()
    ask(page, "second thing")
    settled(page)
    expect(page.locator("#lk-sessions li")).to_have_count(2)
    page.get_by_label("Search conversations").fill("one.")
    expect(page.locator("#lk-sessions li")).to_have_count(1)
    page.locator("#lk-sessions").get_by_text("Beginnings").click()
    expect(page.locator("#lk-chat")).to_contain_text("One.")
    expect(page.locator("#lk-chat")).not_to_contain_text("Two.")
    page.reload()  # the window shows what it showed, though another conversation was the last
    expect(page.locator("#lk-chat")).to_contain_text("One.")
    expect(page.locator('#lk-sessions [aria-current="true"]')).to_have_text("Beginnings")
    expect(page.locator("#lk-sessions li")).to_have_count(2)

    keep, delete = (page.get_by_role("button", name=name, exact=True) for name in ("Keep", "Delete"))
    press(page.get_by_label("Delete Beginnings"), keep)
    expect(keep).to_be_focused()
    keep.press("Enter")
    expect(page.locator("#lk-sessions button:focus")).to_have_count(1)
    press(page.get_by_label("Delete Beginnings"), delete)
    delete.click()
    expect(page.locator("#lk-sessions")).not_to_contain_text("Beginnings")

    page.get_by_label("Search conversations").fill("nowhere")
    expect(page.locator("#lk-sessions")).to_contain_text("In none of your conversations.")
    page.get_by_role("button", name="New conversation").click()
    expect(page.get_by_label("Search conversations")).to_have_value("")
    expect(page.locator("#lk-sessions li")).to_have_count(1)
    assert [s.title for s in served.assistant.memory.of("me").sessions.list()] == ["second thing"]


def test_nothing_is_left_on_the_page_of_what_is_all_forgotten(serve: Serve, visit: Visit, shot: Shot) -> None:
    served = serve({**TURN, "understand": ["en chat"], "answer": ["One.", "Two."]})
    page = visit(served)
    ask(page, "first thing")
    settled(page)
    page.get_by_role("tab", name="Settings").click()
    page.get_by_role("button", name="Forget everything").click()
    shot(page, "forget-everything")
    page.get_by_role("button", name="Yes, forget everything").click()
    expect(page.locator("#lk-sessions li")).to_have_count(0)
    page.get_by_role("tab", name="Chat").click()
    expect(page.get_by_text("What would you like to know?")).to_be_visible()
    ask(page, "second thing")
    settled(page)
    assert [message.content for message in saved(served)] == ["second thing", "Two."]


def test_an_empty_message_does_nothing_and_a_huge_one_gets_one_line(serve: Serve, visit: Visit) -> None:
    served = serve({**TURN, "understand": ["en chat"], "answer": ["Still here."]})
    empty = visit(served)
    ask(empty, "   ")
    page = visit(served)
    ask(page, "x" * 200_000)
    expect(page.locator(".toast-body")).to_contain_text("200,000 characters")
    expect(page.locator(".toast-body")).to_contain_text("upload it as a document")
    assert served.assistant.memory.of("me").sessions.list() == []
    expect(empty.get_by_text("What would you like to know?")).to_be_visible()
    ask(page, "hello")
    settled(page)
    expect(page.locator("#lk-chat")).to_contain_text("Still here.")


def test_a_document_is_uploaded_read_listed_and_forgotten(
    serve: Serve, visit: Visit, shot: Shot, tmp_path: Path
) -> None:
    document = tmp_path / "mira.md"
    document.write_text(STORY)
    reading = threading.Event()

    def once_released(request: Request) -> str:
        reading.wait(30)
        return read_in(request)

    served = serve({**TURN, "extract": [once_released]})
    page = visit(served)
    page.locator('#lk-composer input[type="file"]').set_input_files(document)
    expect(page.locator("#lk-chat-progress")).to_contain_text("passages read")
    shot(page, "upload")
    reading.set()
    expect(page.locator("#lk-chat-progress .lk-progress")).to_have_count(0)

    page.get_by_role("tab", name="Memory").click()
    expect(page.locator("#lk-memory")).to_contain_text("Tromsø")
    shot(page, "memory")
    bar, facts = (page.locator(place).bounding_box() for place in ("#lk-memory-bar", "#lk-memory"))
    assert bar and facts and facts["y"] - bar["y"] - bar["height"] < 30  # nothing stands between them, nor its room
    search = page.locator("#lk-search").get_by_role("textbox")
    search.fill("桦树茶")
    expect(page.locator(".lk-best")).to_contain_text("桦树茶")
    shot(page, "memory-search")
    page.get_by_text("Documents", exact=True).click()
    search.fill("")
    page.get_by_label("Forget mira.md").click()
    expect(page.locator("#lk-memory")).to_contain_text("Forget mira.md and all that was learned from it")
    assert served.assistant.memory.of("me").sources() != []
    page.get_by_role("button", name="Forget", exact=True).click()
    expect(page.locator("#lk-memory")).to_contain_text("Nothing remembered yet")
    shot(page, "forgotten")
    assert served.assistant.memory.of("me").sources() == []
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.get_by_label("Forget mira.md")).to_be_visible()
    expect(page.get_by_role("button", name="Undo", exact=True)).to_have_count(0)
    assert served.assistant.memory.of("me").recall("Tromsø")
    uploads = served.assistant.settings.home / "uploads"
    assert [file for file in uploads.rglob("*") if file.is_file() and file.stat().st_size] == []


def test_of_a_folder_what_can_be_read_is_taken(serve: Serve, visit: Visit, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    (folder / "deeper").mkdir(parents=True)
    (folder / "mira.md").write_text(STORY)
    (folder / "deeper" / "brisk.txt").write_text("Brisk was a falcon.")
    (folder / "deeper" / "falcon.mp3").write_bytes(b"ID3")
    served = serve()
    page = visit(served)
    page.get_by_role("tab", name="Memory").click()
    page.locator('#lk-tab-memory input[type="file"][webkitdirectory]').set_input_files(folder)
    expect(page.locator(".toast-body.warning")).to_contain_text("falcon.mp3: files of this kind cannot be read")
    expect(page.locator("#lk-memory")).to_contain_text("Mira Solveig")
    assert {source.name for source in served.assistant.memory.of("me").sources()} == {"mira.md", "brisk.txt"}


def test_a_document_dropped_on_the_page_is_taken(serve: Serve, visit: Visit) -> None:
    served = serve()
    page = visit(served)
    transfer = page.evaluate_handle(
        "() => { const t = new DataTransfer(); t.items.add(new File(['Mira lives.'], 'drop.txt')); return t; }"
    )
    page.get_by_role("tab", name="Memory").click()  # wherever one is
    page.dispatch_event("#lk-memory", "dragover", {"dataTransfer": transfer})
    page.dispatch_event("#lk-memory", "drop", {"dataTransfer": transfer})
    expect(page.locator(".toast-body")).to_contain_text("drop.txt")
    assert [source.name for source in served.assistant.memory.of("me").sources()] == ["drop.txt"]


def test_a_document_that_cannot_be_read_costs_one_line(serve: Serve, visit: Visit, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").touch()
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 not really")
    served = serve({**TURN, "understand": ["en chat"], "answer": ["Still here."]})
    page = visit(served)
    page.get_by_role("tab", name="Memory").click()
    page.locator('#lk-upload input[type="file"]:not([webkitdirectory])').set_input_files(
        [tmp_path / "empty.txt", tmp_path / "broken.pdf"]
    )
    expect(page.locator(".toast-body", has_text="empty.txt")).to_be_visible()
    expect(page.locator(".toast-body", has_text="broken.pdf")).to_be_visible()
    page.get_by_role("tab", name="Chat").click()
    ask(page, "hello")
    settled(page)


def test_a_small_file_need_not_wait_for_a_large_one(serve: Serve, visit: Visit, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").touch()
    (tmp_path / "song.mp3").write_bytes(b"ID3")
    (tmp_path / "long.txt").write_text("Mira lives in Oslo.")
    served = serve()
    page = visit(served)
    upload = page.locator('#lk-composer input[type="file"]')
    with served.assistant.memory._database.transaction():  # until its end nothing is taken in, as while a large file is
        upload.set_input_files(tmp_path / "long.txt")
        expect(page.locator("#lk-chat-progress")).to_contain_text("long.txt")
        upload.set_input_files(tmp_path / "empty.txt")
        expect(page.locator(".toast-body.warning")).to_contain_text("empty.txt is empty")
        upload.set_input_files(tmp_path / "song.mp3")
        expect(page.locator(".toast-body.warning")).to_contain_text("song.mp3: files of this kind")
        expect(page.locator("#lk-chat-progress")).to_contain_text("soon to be searched")
    expect(page.locator(".toast-body.info")).to_contain_text("long.txt can be searched now")


def test_an_upload_that_is_taken_for_a_known_document_can_be_kept_beside_it(
    serve: Serve, visit: Visit, shot: Shot, tmp_path: Path
) -> None:
    slow = f"bees\nAnn | looks after | {'the bees ' * 100}"
    served = serve({**TURN, "extract": [slow]}, delay=0.1)
    me = served.assistant.memory.of("me")
    letter = "Dear all, the harvest was good this year and the barn is full. Ann looks after the bees in {}."
    first = me.add_document("letter.txt", letter.format("Oslo").encode())
    (tmp_path / "letter.txt").write_text(letter.format("Bonn"))
    page = visit(served)
    page.locator('#lk-composer input[type="file"]').set_input_files(tmp_path / "letter.txt")
    progress = page.locator("#lk-chat-progress")
    expect(progress).to_contain_text("takes the place of the one of")
    shot(page, "keep-both")
    progress.locator("summary").click()
    progress.get_by_role("button", name="Keep both").click()
    expect(progress).not_to_contain_text("takes the place of")
    expect(progress.locator(".lk-document")).to_have_count(2)
    assert me.source(first.id).state in ("queued", "reading")


def test_hostile_text_stays_text(serve: Serve, visit: Visit) -> None:
    evil = "<img src=x onerror=alert(1)> ![a](https://evil.example/a.png) <b>bold</b> [x](javascript:alert(2))"
    typed = (
        f"{evil}\n# no heading\n1. **one**\n    four spaces `and code`\nwww.evil.example me@evil.example &amp; a\\*b"
    )
    page = visit(serve({**TURN, "understand": ["en chat"], "answer": [evil]}))
    ask(page, typed)
    settled(page)
    expect(page.locator("#lk-chat .bot-row")).to_contain_text("<b>bold</b>")
    asked = page.locator("#lk-chat .user-row .md")
    assert asked.inner_text().replace("\u00a0", " ") == typed
    assert asked.locator("a, code, strong, img, ol, h1").count() == 0
    assert page.locator("#lk-chat .message-content img").count() == 0
    assert page.locator('#lk-chat a[href^="javascript"]').count() == 0


def test_a_failing_model_is_one_line_and_the_page_goes_on(serve: Serve, visit: Visit) -> None:
    asleep = ModelUnavailable("The model is asleep; wake it.")
    served = serve({**TURN, "understand": [asleep, "en chat"], "program": [asleep], "answer": ["Awake."]})
    page = visit(served)
    ask(page, "hello")
    settled(page)
    expect(page.locator("#lk-chat")).to_contain_text("The model is asleep; wake it.")
    ask(page, "hello again")
    settled(page, 2)
    expect(page.locator("#lk-chat")).to_contain_text("Awake.")


class Fetching:
    """A model that is a third of the way here, or of the way to being quick."""

    def __init__(self, state: Literal["fetching", "ready"]) -> None:
        self._state = state

    def start(self) -> None:
        """It has started."""

    def close(self) -> None:
        """Nothing is held."""

    def send(self, request: Request, stop: Stop) -> Iterator[Chunk]:
        """Never asked."""
        raise AssertionError("A model that is being fetched cannot be asked.")

    def status(self) -> ModelStatus:
        """A third."""
        return ModelStatus(self._state, "small-model", "", 1 / 3)


@pytest.mark.parametrize("state", ["fetching", "ready"])
def test_the_page_is_open_while_the_model_is_fetched_or_slow_yet(
    serve: Serve, visit: Visit, shot: Shot, state: Literal["fetching", "ready"]
) -> None:
    page = visit(serve(transport=Fetching(state)))
    expect(page.locator("#lk-banner")).to_contain_text("33%")
    shot(page, f"a-third-{state}")
    page.get_by_role("tab", name="Settings").click()
    expect(page.locator("#lk-model")).to_contain_text("small-model")
    expect(page.locator("#lk-model")).to_contain_text("small, the built-in one")
    expect(page.locator("#lk-state")).to_contain_text("Wikipedia")


def test_light_and_dark_and_a_phone_s_width(serve: Serve, visit: Visit, shot: Shot) -> None:
    served = serve()
    remembered(served)
    page = visit(served, width=390, height=844)
    expect(page.locator("#lk-side")).not_to_have_class(re.compile(r"\bopen\b"))
    ask(page, WHERE)
    settled(page)
    page.locator('#lk-chat a[href="#e-1-1"]').click()
    expect(page.locator("#e-1-1")).to_be_in_viewport()
    shot(page, "phone")
    for tab in ("Chat", "Memory", "Settings"):
        page.get_by_role("tab", name=tab).click()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        shot(page, f"phone-{tab.lower()}")
    dark = visit(served, dark=True)
    settled(dark)
    dark.locator('#lk-chat a[href="#e-1-1"]').click()
    expect(dark.locator("#e-1-1")).to_be_visible()
    shot(dark, "dark")
    dark.get_by_role("tab", name="Memory").click()
    expect(dark.locator("#lk-folder")).to_be_visible()
    shot(dark, "dark-memory")
    assert brightness(dark) < 60
    assert brightness(page) > 200


def brightness(page: Page) -> float:
    """Of the page's background, 0 to 255."""
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return sum(map(float, re.findall(r"[\d.]+", colour)[:3])) / 3


def saved(served: Served) -> list[Any]:
    """The messages of the newest conversation."""
    sessions = served.assistant.memory.of("me").sessions
    return sessions.load(sessions.list()[0].id)


class TestPagesOfTheWeb:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        return replace(settings, fetch=True)

    def test_a_page_is_remembered_by_its_address(
        self, serve: Serve, visit: Visit, shot: Shot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(connecting, "is_public", lambda address: address.startswith("127."))
        web = LoopbackServer()
        web.replies(Reply(STORY.encode(), headers={"Content-Type": "text/plain; charset=utf-8"}))
        page = visit(serve())
        page.get_by_role("tab", name="Memory").click()
        field = page.get_by_label("Address of a web page")
        shot(page, "address")
        field.fill("an address")
        field.press("Enter")
        expect(page.get_by_text("is no address that can be fetched")).to_be_visible()
        expect(field).to_have_value("an address")
        field.fill(f"http://{web.host}/mira.txt")
        page.get_by_role("button", name="Fetch").click()
        expect(page.get_by_text("mira.txt can be searched now")).to_be_visible()
        expect(field).to_have_value("")
        page.get_by_text("Documents", exact=True).click()
        expect(page.locator("#lk-memory")).to_contain_text("mira.txt")
        web.close()
