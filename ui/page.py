"""The page, put together from its panels."""

from typing import Any

import gradio as gr

from assistant.orchestrator import Assistant
from assistant.settings import DEFAULT_USER
from ui.chat import Chat, examples
from ui.guard import QUIET, guarded
from ui.memory import MemoryPanel
from ui.polling import Polling
from ui.rerun import Rerun
from ui.rows import rows
from ui.sessions import Listing, Sessions
from ui.settings import SettingsPanel
from ui.watching import Tab
from ui.words import labelled


def build(assistant: Assistant) -> gr.Blocks:
    """Make the page; whoever opens it is the one local user."""
    user = assistant.memory.of(DEFAULT_USER)

    with gr.Blocks(
        title="Lorekeeper", analytics_enabled=False, fill_height=True, fill_width=True, delete_cache=(600, 3600)
    ) as page:
        with gr.Sidebar(width=280, elem_id="lk-side"):
            gr.HTML('<p class="lk-brand">Lorekeeper</p>', apply_default_css=False, js_on_load=None)
            sessions = Sessions(user, assistant.turns)
        with gr.Tabs(elem_id="lk-tabs"):
            with gr.Tab(labelled("Chat"), elem_id="lk-tab-chat"):
                chat = Chat(assistant, user)
                banner = gr.HTML(elem_id="lk-banner", apply_default_css=False, js_on_load=None)
                progress = rows("", "lk-chat-progress")
                chat.add_composer()
            with gr.Tab(labelled("Memory"), elem_id="lk-tab-memory") as memory_tab:
                memory = MemoryPanel(user, pages=assistant.fetching.allowed)
            with gr.Tab(labelled("Settings"), elem_id="lk-tab-settings") as settings_tab:
                settings = SettingsPanel(assistant, user)
        rerun = Rerun(assistant, user)
        last = gr.Textbox(visible=False)  # carries what the browser kept; a state's value would stay the server's
        polling = Polling(assistant, banner, settings.model, [progress, memory.progress], memory.waiting)

        taken_in = [polling.take_in(place).then for place in (chat.attach, memory.files, memory.folder)]
        taken_in.append(polling.take_in_page(memory.address).then)
        for changed in (*taken_in, polling.unfinished.change, memory_tab.select):
            changed(guarded(memory.html), [memory.view], [memory.list], **QUIET)
        settings_tab.select(guarded(settings.values), None, settings.shown, **QUIET)

        def load(last: str, listing: Listing, tab: Tab) -> tuple[Any, ...]:
            kept = sessions.shown_first(last)
            shown = tab.session or kept  # who asked before the page had loaded stays there
            opened = chat.watching.open(shown, tab)
            return sessions.view(tab, listing), opened, gr.update(examples=examples())

        def emptied(listing: Listing, tab: Tab) -> tuple[Any, ...]:
            return sessions.fresh(listing, chat.watching.open("", tab), tab)

        chat.connect()
        sessions.connect(chat.watching)
        polling.after(sessions.drawn_anew_on(chat.watching))
        rerun.connect(chat.tab)
        memory.connect()
        all_of_chat = [sessions.list, chat.watching.opened]
        here = [sessions.listing, chat.tab]
        fresh = [sessions.list, sessions.search, chat.watching.opened]
        settings.connect(lambda forgotten: forgotten.then(guarded(emptied), here, fresh, **QUIET), polling.after)
        of_browser = "() => [sessionStorage.getItem('lk-session') ?? '', null, null]"
        page.load(guarded(load), [last, *here], [*all_of_chat, chat.chatbot], js=of_browser, **QUIET)
        polling.connect(page)
    return page
