"""The saved conversations: a list to search, to choose from, and to keep in order."""

from collections.abc import Callable
from typing import Any

import gradio as gr

from memory.types import SessionInfo
from memory.user_memory import UserMemory
from ui.guard import QUIET, guarded
from ui.rows import button, confirmation, field, icon, rows


class Sessions:
    """The list in the side bar."""

    def __init__(self, user: UserMemory) -> None:
        self._user = user
        self.new = gr.Button("New conversation", elem_id="lk-new", size="md")
        self.search = gr.Textbox(
            show_label=False,
            label="Search conversations",
            placeholder="Search conversations",
            container=False,
            elem_id="lk-find",
            max_lines=1,
        )
        self.list = rows("", "lk-sessions")

    def connect(
        self, session: gr.State, opened: list[Any], show: Callable[[str], tuple[Any, ...]], leave: Callable[[str], None]
    ) -> None:
        """Wire the handlers; `show` gives new values for `opened`, `leave` ends what runs in a conversation."""

        def chosen(event: gr.EventData, current: str, search: str) -> tuple[Any, ...]:
            skipped = [gr.skip()] * len(opened)
            match event.action:
                case "open" if event.id != current:
                    leave(current)
                    return self.view(event.id, search), *show(event.id)
                case "ask":
                    return self.view(current, search, deleting=event.id), *skipped
                case "rename":
                    return self.view(current, search, renaming=event.id), *skipped
                case "title" if event.text.strip():
                    self._user.sessions.rename(event.id, event.text.strip())
                case "delete":
                    leave(event.id)
                    self._user.sessions.delete(event.id)
                    if event.id == current:
                        return self.view("", search), *show("")
            return self.view(current, search), *skipped

        def fresh(current: str) -> tuple[Any, ...]:
            leave(current)
            return self.view(""), "", *show("")  # it would not be seen among what a search found

        shown = [self.list, *opened]
        self.list.click(guarded(chosen), [session, self.search], shown, **QUIET)
        self.new.click(guarded(fresh), [session], [self.list, self.search, *opened], **QUIET)
        self.search.change(guarded(self.view), [session, self.search], [self.list], trigger_mode="always_last", **QUIET)

    def refresh_after(self, event: gr.events.Dependency, session: gr.State) -> None:
        """Draw the list anew after `event`, for the conversation that is open by then."""
        event.then(guarded(self.view), [session, self.search], [self.list], **QUIET)

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
            words = "In none of your conversations." if search.strip() else "Your conversations will be listed here."
            return f'<p class="lk-quiet">{words}</p>'
        changing = {deleting: _deleting, renaming: _renaming}
        items = [changing[info.id](info) if info.id in changing else _item(info, info.id == current) for info in infos]
        return f'<nav aria-label="Conversations"><ul>{"".join(f"<li>{item}</li>" for item in items)}</ul></nav>'


def _item(info: SessionInfo, current: bool) -> str:
    rename = button("rename", info.id, f"Rename {info.title}", "lk-icon", content=icon("rename"))
    delete = button("ask", info.id, f"Delete {info.title}", "lk-icon", content=icon("delete"))
    return button("open", info.id, info.title, "lk-open", current=current) + rename + delete


def _deleting(info: SessionInfo) -> str:
    return confirmation(f"Delete “{info.title}”?", "delete", info.id, "Delete")


def _renaming(info: SessionInfo) -> str:
    return field("title", info.id, "Title of this conversation", info.title)
