"""The saved conversations: a list to search, to choose from, and to keep in order."""

from typing import Any

import gradio as gr

from assistant.messages import tell
from assistant.turns.turns import Turns
from memory.types import SessionInfo
from memory.user_memory import UserMemory
from ui.guard import QUIET, guarded
from ui.rows import button, confirmation, field, icon, rows
from ui.watching import Tab, Watching
from ui.words import labelled

_STOP_SECONDS = 1.0  # what a turn that is stopped would still write


class Sessions:
    """The list in the side bar."""

    def __init__(self, user: UserMemory, turns: Turns) -> None:
        self._user = user
        self._turns = turns
        self.new = gr.Button(labelled("New conversation"), elem_id="lk-new", size="md")
        self.search = gr.Textbox(
            show_label=False,
            label=labelled("Search conversations"),
            placeholder=labelled("Search conversations"),
            container=False,
            elem_id="lk-find",
            max_lines=1,
        )
        self.list = rows("", "lk-sessions")
        self._marks = gr.HTML(elem_id="lk-answered", js_on_load=None, apply_default_css=False)

    def connect(self, chat: Watching) -> None:
        """Wire the handlers; `chat` shows what is chosen."""

        def chosen(event: gr.EventData, search: str, tab: Tab) -> tuple[Any, ...]:
            current = tab.session
            match event.action:
                case "open" if event.id != current:
                    return self.view(event.id, search), chat.open(event.id, tab)
                case "ask":
                    return self.view(current, search, deleting=event.id), gr.skip()
                case "rename":
                    return self.view(current, search, renaming=event.id), gr.skip()
                case "title" if event.text.strip():
                    self._user.sessions.rename(event.id, event.text.strip())
                case "delete":
                    self._turns.stop(self._user.user, event.id, wait_seconds=_STOP_SECONDS)
                    self._user.sessions.delete(event.id)
                    if event.id == current:
                        return self.view("", search), chat.open("", tab)
            return self.view(current, search), gr.skip()

        def fresh(tab: Tab) -> tuple[Any, ...]:
            return self.view(""), "", chat.open("", tab)  # it would not be seen among what a search found

        self.list.click(guarded(chosen), [self.search, chat.tab], [self.list, chat.opened], **QUIET)
        self.new.click(guarded(fresh), [chat.tab], [self.list, self.search, chat.opened], **QUIET)
        here = [chat.tab, self.search]
        self.search.change(guarded(self._now), here, [self.list], trigger_mode="always_last", **QUIET)
        chat.timer.tick(guarded(self._marked), [self._marks], [self._marks], **QUIET)

    def drawn_anew_on(self, chat: Watching) -> gr.events.Dependency:
        """Draw the list anew whenever the chat shows something else; the event that does it."""
        here = [chat.tab, self.search]
        event: gr.events.Dependency = chat.drawn.change(guarded(self._now), here, [self.list], **QUIET)
        return event

    def _now(self, tab: Tab, search: str) -> str:
        return self.view(tab.session, search)

    def _marked(self, before: str) -> Any:
        """Marks at the conversations that are being answered: a style, so that no row is drawn anew while in use."""
        rows = [
            f'#lk-sessions .lk-open[data-id="{id}"]::before' for id in sorted(self._turns.sessions(self._user.user))
        ]
        answered = tell("Being answered:")
        marks = f"<style>{','.join(rows)} {{ content: '●' / '{answered}' }}</style>" if rows else ""
        return gr.skip() if marks == before else marks

    def shown_first(self, last: str) -> str:
        """The conversation `last`, where it is still there, else the one that was changed last; "" if there is none."""
        ids = [info.id for info in self._user.sessions.list()]
        return last if last in ids else next(iter(ids), "")

    def view(self, current: str, search: str = "", *, deleting: str = "", renaming: str = "") -> str:
        """The list as HTML, newest first: of all conversations, or of those in which `search` stands.

        `deleting` is the conversation whose row asks whether it may go, `renaming` the one whose row is a field.
        """
        infos = self._user.sessions.list(search.strip())
        if not infos:
            nowhere, none = tell("In none of your conversations."), tell("Your conversations will be listed here.")
            return f'<p class="lk-quiet">{nowhere if search.strip() else none}</p>'
        changing = {deleting: _deleting, renaming: _renaming}
        items = [changing[info.id](info) if info.id in changing else _item(info, info.id == current) for info in infos]
        name = tell("Conversations")
        return f'<nav aria-label="{name}"><ul>{"".join(f"<li>{item}</li>" for item in items)}</ul></nav>'


def _item(info: SessionInfo, current: bool) -> str:
    rename = button("rename", info.id, tell("Rename {title}", title=info.title), "lk-icon", content=icon("rename"))
    delete = button("ask", info.id, tell("Delete {title}", title=info.title), "lk-icon", content=icon("delete"))
    return button("open", info.id, info.title, "lk-open", current=current) + rename + delete


def _deleting(info: SessionInfo) -> str:
    return confirmation(tell("Delete “{title}”?", title=info.title), "delete", info.id, tell("Delete"))


def _renaming(info: SessionInfo) -> str:
    return field("title", info.id, tell("Title of this conversation"), info.title)
