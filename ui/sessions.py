"""The saved conversations: a list to search and to choose from, and the title of the open one."""

from collections.abc import Callable
from typing import Any

import gradio as gr

from memory.types import SessionInfo
from memory.user_memory import UserMemory
from ui.guard import QUIET, guarded
from ui.rows import button, confirmation, icon, rows


class Sessions:
    """The list in the side bar and the title above the chat."""

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

    def add_title(self) -> None:
        """Place the title of the open conversation; changing it renames the conversation."""
        self.title = gr.Textbox(
            show_label=False,
            label="Title of this conversation",
            container=False,
            elem_id="lk-title",
            max_length=120,
            max_lines=1,
            visible=False,
        )

    def connect(
        self, session: gr.State, opened: list[Any], show: Callable[[str], tuple[Any, ...]], leave: Callable[[str], None]
    ) -> None:
        """Wire the handlers; `show` gives new values for `opened`, `leave` ends what runs in a conversation."""

        def chosen(event: gr.EventData, current: str, search: str) -> tuple[Any, ...]:
            skipped = gr.skip(), *[gr.skip()] * len(opened)
            match event.action:
                case "open" if event.id != current:
                    leave(current)
                    return self.view(event.id, search), self.title_of(event.id), *show(event.id)
                case "ask":
                    return self.view(current, search, confirming=event.id), *skipped
                case "delete":
                    leave(event.id)
                    self._user.sessions.delete(event.id)
                    if event.id == current:
                        return self.view("", search), self.title_of(""), *show("")
            return self.view(current, search), *skipped

        def fresh(current: str) -> tuple[Any, ...]:
            leave(current)
            return *self.refreshed(""), *show("")

        def rename(title: str, current: str) -> None:
            if current and title.strip():
                self._user.sessions.rename(current, title.strip())

        shown = [self.list, self.title, *opened]
        self.list.click(guarded(chosen), [session, self.search], shown, **QUIET)
        self.new.click(guarded(fresh), [session], shown, **QUIET)
        self.search.change(guarded(self.view), [session, self.search], [self.list], trigger_mode="always_last", **QUIET)
        for leaving in (self.title.submit, self.title.blur):
            renamed = leaving(guarded(rename), [self.title, session], None, **QUIET)
            self.refresh_after(renamed, session)

    def refresh_after(self, event: gr.events.Dependency, session: gr.State) -> None:
        """Draw list and title anew after `event`, for the conversation that is open by then."""
        event.then(guarded(self.refreshed), [session, self.search], [self.list, self.title], **QUIET)

    def refreshed(self, current: str, search: str = "") -> tuple[str, Any]:
        """New values for the list and the title."""
        return self.view(current, search), self.title_of(current)

    def latest(self) -> str:
        """The conversation that was changed last; "" if there is none."""
        infos = self._user.sessions.list()
        return infos[0].id if infos else ""

    def view(self, current: str, search: str = "", confirming: str = "") -> str:
        """The list as HTML, newest first: of all conversations, or of those in which `search` stands."""
        infos = self._user.sessions.list(search.strip())
        if not infos:
            words = "In none of your conversations." if search.strip() else "Your conversations will be listed here."
            return f'<p class="lk-quiet">{words}</p>'
        items = [_confirming(info) if info.id == confirming else _item(info, info.id == current) for info in infos]
        return f'<nav aria-label="Conversations"><ul>{"".join(items)}</ul></nav>'

    def title_of(self, current: str) -> Any:
        """The title field for the open conversation; hidden for a new one."""
        title = next((info.title for info in self._user.sessions.list() if info.id == current), "")
        return gr.update(value=title, visible=bool(title), html_attributes=gr.InputHTMLAttributes(spellcheck=False))


def _item(info: SessionInfo, current: bool) -> str:
    delete = button("ask", info.id, f"Delete {info.title}", "lk-icon", content=icon("delete"))
    return f"<li>{button('open', info.id, info.title, 'lk-open', current=current)}{delete}</li>"


def _confirming(info: SessionInfo) -> str:
    return f"<li>{confirmation(f'Delete “{info.title}”?', 'delete', info.id, 'Delete')}</li>"
