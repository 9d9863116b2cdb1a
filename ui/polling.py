"""What changes by itself: what cannot be reached just now, how far documents are, and how far the index is."""

from collections.abc import Iterator, Sequence
from typing import Any

import gradio as gr

from assistant.orchestrator import Assistant
from assistant.settings import DEFAULT_USER
from ui.documents import Uploads, steer
from ui.guard import QUIET, guarded
from ui.memory import waiting_html
from ui.settings import away_html, banner_html, model_html

_BUSY_SECONDS, _IDLE_SECONDS = 1.0, 5.0
# A small file need not wait for what becomes of a large one.
_SEVERAL: dict[str, Any] = {"trigger_mode": "multiple", "concurrency_limit": 4, "concurrency_id": "upload"}


class Polling:
    """What changes by itself: the banner of what cannot be reached, which model answers, the bars of documents, and
    the line about the index.

    `unfinished` is how many passages wait to be read; what lists memory is drawn anew when it changes.
    """

    def __init__(
        self, assistant: Assistant, banner: gr.HTML, model: gr.HTML, bars: Sequence[gr.HTML], index: gr.HTML
    ) -> None:
        """`bars` are the places that all show the same bars."""
        self._assistant = assistant
        self._user = assistant.memory.of(DEFAULT_USER)
        self._uploads = Uploads(assistant.ingestion, assistant.fetching, DEFAULT_USER)
        self._bars = bars
        self._timer = gr.Timer(_BUSY_SECONDS)
        self.unfinished = gr.State(0)
        self._polled = [banner, model, *bars, index, self.unfinished, self._timer]

    def connect(self, page: gr.Blocks) -> None:
        """Wire the timer, the opening of the page, and the buttons beside the bars."""
        for begin in (self._timer.tick, page.load):
            begin(guarded(self._look), None, self._polled, **QUIET)
        for bars in self._bars:
            bars.click(guarded(self._steered), None, self._polled, **QUIET)

    def after(self, event: gr.events.Dependency) -> None:
        """Look at once after `event`."""
        event.then(guarded(self._look), None, self._polled, **QUIET)

    def take_in(self, place: gr.UploadButton) -> gr.events.Dependency:
        """Wire a place for uploads; the event that is over when they are in memory."""
        return place.upload(guarded(self._uploaded), [place], [place, *self._polled], **_SEVERAL, **QUIET)

    def take_in_page(self, field: gr.Textbox) -> gr.events.Dependency:
        """Wire a field for addresses of the web; the event that is over when the page is in memory."""
        return field.submit(guarded(self._addressed), [field], [field, *self._polled], **_SEVERAL, **QUIET)

    def _look(self) -> tuple[Any, ...]:
        status = self._assistant.model.transport.status()
        reading = self._assistant.ingestion.progress(DEFAULT_USER)
        waiting = sum(progress.total - progress.done for progress in reading)
        bars = self._uploads.html(reading)
        index = waiting_html(self._user.not_embedded())
        banner = banner_html(status) + away_html(self._assistant.knowledge_bases.away(DEFAULT_USER))
        busy = bool(bars or index) or status.fraction is not None or status.state == "starting"
        pace = gr.Timer(_BUSY_SECONDS if busy else _IDLE_SECONDS)
        return banner, model_html(self._assistant), *[bars] * len(self._bars), index, waiting, pace

    def _steered(self, event: gr.EventData) -> tuple[Any, ...]:
        steer(self._assistant.ingestion, DEFAULT_USER, event.action, event.id)
        return self._look()

    def _addressed(self, address: str) -> Iterator[tuple[Any, ...]]:
        for _ in self._uploads.take_in_page(address.strip()):
            yield gr.skip(), *self._look()
        yield "", *self._look()

    def _uploaded(self, paths: list[str]) -> Iterator[tuple[Any, ...]]:
        for _ in self._uploads.take_in(paths):
            yield None, *self._look()
        yield gr.skip(), *self._look()
