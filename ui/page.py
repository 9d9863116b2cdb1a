"""The page, put together from its panels."""

from collections.abc import Sequence
from typing import Any

import gradio as gr

from assistant.orchestrator import Assistant
from assistant.settings import DEFAULT_USER
from ui.chat import Chat
from ui.documents import progress_html, steer, take_in
from ui.guard import QUIET, guarded
from ui.memory import MemoryPanel
from ui.rerun import Rerun
from ui.rows import rows
from ui.sessions import Sessions
from ui.settings import SettingsPanel, banner_html

_BUSY_SECONDS, _IDLE_SECONDS = 1.0, 5.0


def build(assistant: Assistant) -> gr.Blocks:
    """Make the page; whoever opens it is the one local user."""
    user = assistant.memory.of(DEFAULT_USER)

    def upload(paths: Sequence[str]) -> None:
        take_in(assistant.ingestion, DEFAULT_USER, paths)

    with gr.Blocks(
        title="Lorekeeper", analytics_enabled=False, fill_height=True, fill_width=True, delete_cache=(600, 3600)
    ) as page:
        with gr.Sidebar(width=280, elem_id="lk-side"):
            gr.HTML('<p class="lk-brand">Lorekeeper</p>', apply_default_css=False, js_on_load=None)
            sessions = Sessions(user)
        with gr.Tabs(elem_id="lk-tabs"):
            with gr.Tab("Chat", elem_id="lk-tab-chat"):
                sessions.add_title()
                chat = Chat(assistant, user, upload)
                banner = gr.HTML(elem_id="lk-banner", apply_default_css=False, js_on_load=None)
                progress = rows("", "lk-chat-progress")
                chat.add_composer()
            with gr.Tab("Memory", elem_id="lk-tab-memory") as memory_tab:
                memory = MemoryPanel(user)
            with gr.Tab("Settings", elem_id="lk-tab-settings") as settings_tab:
                settings = SettingsPanel(assistant, user)
        rerun = Rerun(assistant, user)
        timer = gr.Timer(_BUSY_SECONDS)
        unfinished = gr.State(0)

        def tick() -> tuple[Any, ...]:
            status = assistant.model.transport.status()
            reading = assistant.ingestion.progress(DEFAULT_USER)
            bars = progress_html(reading)
            busy = bool(reading) or status.state in ("fetching", "starting")
            return banner_html(status), bars, bars, sum(p.total - p.done for p in reading), gr.Timer(_pace(busy))

        def steered(event: gr.EventData) -> tuple[Any, ...]:
            steer(assistant.ingestion, DEFAULT_USER, event.action, event.id)
            return tick()

        def load() -> tuple[Any, ...]:
            latest = sessions.latest()
            return *sessions.refreshed(latest), *chat.open(latest)

        polled = [banner, progress, memory.progress, unfinished, timer]
        opened = [chat.chatbot, chat.composer, chat.session]
        timer.tick(guarded(tick), None, polled, **QUIET)
        for bars in (progress, memory.progress):
            bars.click(guarded(steered), None, polled, **QUIET)
        unfinished.change(guarded(memory.html), [memory.view], [memory.list], **QUIET)
        memory_tab.select(guarded(memory.html), [memory.view], [memory.list], **QUIET)
        settings_tab.select(guarded(settings.values), None, [settings.public, settings.state], **QUIET)

        def list_again(turn: gr.events.Dependency) -> None:
            sessions.refresh_after(turn, chat.session)
            turn.then(guarded(tick), None, polled, **QUIET)

        def emptied() -> tuple[Any, ...]:
            return *sessions.refreshed(""), *chat.open("")

        chat.connect(after=list_again)
        sessions.connect(chat.session, opened, chat.open, chat.leave)
        rerun.connect(chat.session)
        memory.connect(upload)
        all_of_chat = [sessions.list, sessions.title, *opened]
        settings.connect(lambda forgotten: forgotten.then(guarded(emptied), None, all_of_chat, **QUIET))
        page.load(guarded(load), None, all_of_chat, **QUIET)
        page.load(guarded(tick), None, polled, **QUIET)
    return page


def _pace(busy: bool) -> float:
    return _BUSY_SECONDS if busy else _IDLE_SECONDS
