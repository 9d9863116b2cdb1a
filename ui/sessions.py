"""The saved conversations: a list to search, to choose from, and to keep in order."""

from dataclasses import dataclass
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
_IN_TURN: dict[str, Any] = {**QUIET, "concurrency_id": "sessions"}  # so that what was drawn last is also shown last


@dataclass
class Listing:
    """What the list of one tab of a browser shows; as with its `Tab`, its handlers all see the same one."""

    search: str = ""
    deleting: str = ""  # id of the conversation of which it asks whether it may go
    renaming: str = ""  # id of the one whose title is being written


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
        self.listing = gr.State(Listing())
        self._marks = gr.HTML(elem_id="lk-answered", js_on_load=None, apply_default_css=False)

    def connect(self, chat: Watching) -> None:
        """Wire the handlers; `chat` shows what is chosen."""

        def chosen(event: gr.EventData, listing: Listing, tab: Tab) -> tuple[Any, ...]:
            asked, listing.deleting = listing.deleting, event.id if event.action == "ask" else ""
            listing.renaming = event.id if event.action == "rename" else ""
            opened: Any = gr.skip()
            match event.action:
                case "open" if event.id != tab.session:
                    opened = chat.open(event.id, tab)
                case "title" if event.text.strip():
                    self._user.sessions.rename(event.id, event.text.strip())
                case "delete" if event.id == asked:  # pressed twice, it goes once
                    self._turns.stop(self._user.user, event.id, wait_seconds=_STOP_SECONDS)
                    self._user.sessions.delete(event.id)
                    if event.id == tab.session:
                        opened = chat.open("", tab)
            return self.view(tab, listing), opened

        def fresh(listing: Listing, tab: Tab) -> tuple[Any, ...]:
            return self.fresh(listing, chat.open("", tab), tab)

        def searched(search: str, listing: Listing, tab: Tab) -> Any:
            listing.search = search.strip()
            return self._now(listing, tab)

        here = [self.listing, chat.tab]
        self.list.click(guarded(chosen), here, [self.list, chat.opened], trigger_mode="multiple", **_IN_TURN)
        self.new.click(guarded(fresh), here, [self.list, self.search, chat.opened], **_IN_TURN)
        self.search.change(guarded(searched), [self.search, *here], [self.list], trigger_mode="multiple", **_IN_TURN)
        chat.timer.tick(guarded(self._marked), [self._marks], [self._marks], **QUIET)

    def drawn_anew_on(self, chat: Watching) -> gr.events.Dependency:
        """Draw the list anew whenever the chat shows something else; the event that does it."""
        here = [self.listing, chat.tab]
        event: gr.events.Dependency = chat.drawn.change(guarded(self._now), here, [self.list], **_IN_TURN)
        return event

    def fresh(self, listing: Listing, opened: str, tab: Tab) -> tuple[Any, ...]:
        """The list beside the empty conversation, which would not be seen among what a search found; values of `list`,
        `search` and what is `opened`."""
        listing.search = listing.deleting = listing.renaming = ""
        return self.view(tab, listing), "", opened

    def _now(self, listing: Listing, tab: Tab) -> Any:
        return gr.skip() if listing.renaming else self.view(tab, listing)  # what is being written would be lost

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

    def view(self, tab: Tab, listing: Listing) -> str:
        """The list as HTML, newest first: of all conversations, or of those in which what is searched for stands."""
        infos = self._user.sessions.list(listing.search)
        if not infos:
            nowhere, none = tell("In none of your conversations."), tell("Your conversations will be listed here.")
            return f'<p class="lk-quiet">{nowhere if listing.search else none}</p>'
        changing = {listing.deleting: _deleting, listing.renaming: _renaming}
        items = [
            changing[info.id](info) if info.id in changing else _item(info, info.id == tab.session) for info in infos
        ]
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
