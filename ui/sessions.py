"""The saved conversations: a list to choose from, and the title of the open one."""

from collections.abc import Callable
from typing import Any

import gradio as gr

from memory.user_memory import UserMemory
from ui.guard import guarded
from ui.rows import button, confirmation, icon, rows

_PRIVATE: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}


class Sessions:
    """The list in the side bar and the title above the chat."""

    def __init__(self, user: UserMemory) -> None:
        self._user = user
        self.new = gr.Button("New conversation", elem_id="lk-new", size="md")
        self.list = rows("", "lk-sessions")

    def add_title(self) -> None:
        """Place the title of the open conversation; changing it renames the conversation."""
        self.title = gr.Textbox(
            show_label=False,
            label="Title of this conversation",
            container=False,
            elem_id="lk-title",
            max_length=120,
            visible=False,
        )

    def connect(
        self, session: gr.State, opened: list[Any], show: Callable[[str], tuple[Any, ...]], leave: Callable[[str], None]
    ) -> None:
        """Wire the handlers; `show` gives new values for `opened`, `leave` ends what runs in a conversation."""

        def chosen(event: gr.EventData, current: str) -> tuple[Any, ...]:
            skipped = [gr.skip()] * len(opened)
            match event.action:
                case "open" if event.id != current:
                    leave(current)
                    return self.view(event.id), self.title_of(event.id), *show(event.id)
                case "ask":
                    return self.view(current, confirming=event.id), gr.skip(), *skipped
                case "delete":
                    return self._deleted(event.id, current, show, leave, skipped)
            return self.view(current), gr.skip(), *skipped

        def fresh(current: str) -> tuple[Any, ...]:
            leave(current)
            return self.view(""), self.title_of(""), *show("")

        def rename(title: str, current: str) -> tuple[Any, ...]:
            if current and title.strip():
                self._user.sessions.rename(current, title.strip())
            return self.view(current), self.title_of(current)

        shown = [self.list, self.title, *opened]
        self.list.click(guarded(chosen), [session], shown, **_PRIVATE)
        self.new.click(guarded(fresh), [session], shown, **_PRIVATE)
        self.title.submit(guarded(rename), [self.title, session], [self.list, self.title], **_PRIVATE)
        self.title.blur(guarded(rename), [self.title, session], [self.list, self.title], **_PRIVATE)

    def refreshed(self, current: str) -> tuple[str, Any]:
        """New values for the list and the title, after a turn."""
        return self.view(current), self.title_of(current)

    def latest(self) -> str:
        """The conversation that was changed last; "" if there is none."""
        infos = self._user.sessions.list()
        return infos[0].id if infos else ""

    def view(self, current: str, confirming: str = "") -> str:
        """The list as HTML, newest first."""
        infos = self._user.sessions.list()
        if not infos:
            return '<p class="lk-quiet">Your conversations will be listed here.</p>'
        items = []
        for info in infos:
            if info.id == confirming:
                items.append(f"<li>{confirmation(f'Delete “{info.title}”?', 'delete', info.id)}</li>")
                continue
            open_ = button("open", info.id, info.title, "lk-open", current=info.id == current)
            delete = button("ask", info.id, f"Delete {info.title}", "lk-icon", content=icon("delete"))
            items.append(f"<li>{open_}{delete}</li>")
        return f'<nav aria-label="Conversations"><ul>{"".join(items)}</ul></nav>'

    def title_of(self, current: str) -> Any:
        """The title field for the open conversation; hidden for a new one."""
        title = next((info.title for info in self._user.sessions.list() if info.id == current), "")
        return gr.update(value=title, visible=bool(title), html_attributes=gr.InputHTMLAttributes(spellcheck=False))

    def _deleted(
        self,
        id: str,
        current: str,
        show: Callable[[str], tuple[Any, ...]],
        leave: Callable[[str], None],
        skipped: list[Any],
    ) -> tuple[Any, ...]:
        leave(id)
        self._user.sessions.delete(id)
        if id == current:
            return self.view(""), self.title_of(""), *show("")
        return self.view(current), gr.skip(), *skipped
