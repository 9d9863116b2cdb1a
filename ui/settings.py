"""Settings and state: the public knowledge bases' switch, what is up, and forgetting everything."""

from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import Any

import gradio as gr
from babel import Locale

from assistant.knowledge_bases.registry import KnowledgeBaseInfo
from assistant.llm.client import ModelStatus
from assistant.llm.profile import told
from assistant.orchestrator import Assistant
from memory.user_memory import UserMemory
from ui.guard import QUIET, guarded, say
from ui.login import LOGOUT
from ui.patience import patiently
from ui.rows import bar
from ui.words import counted, kb_heading, listed

_ENGLISH = Locale("en")
_MODEL_STATES = {"ready": "ready", "fetching": "being fetched", "starting": "starting", "down": "not available"}
_KEYS = (
    '<div class="lk-keys"><h3>Keys</h3><p><kbd>Enter</kbd> sends, <kbd>Shift</kbd> <kbd>Enter</kbd> begins a new line, '
    "<kbd>Esc</kbd> stops an answer, <kbd>/</kbd> leads to the message, "
    "<kbd>Ctrl</kbd> <kbd>Shift</kbd> <kbd>O</kbd> begins a conversation.</p></div>"
)
_STOP_SECONDS = 1.0
_KB_STATES = {"up": "ready", "down": "not available", "off": "switched off"}


class SettingsPanel:
    """The panel."""

    def __init__(self, assistant: Assistant, user: UserMemory) -> None:
        self._assistant = assistant
        self._user = user
        self.public = gr.Checkbox(
            label="Ask public knowledge bases (Wikipedia, Wikidata, CN-DBpedia)",
            info="When this is off, no question leaves this machine for them."
            if assistant.settings.public_knowledge_bases
            else "Switched off for everybody with LOREKEEPER_PUBLIC.",
            interactive=assistant.settings.public_knowledge_bases,
            elem_id="lk-public",
        )
        self.state = gr.HTML(elem_id="lk-state", js_on_load=None, apply_default_css=False)
        if assistant.settings.password:
            gr.HTML(LOGOUT, elem_id="lk-logout", js_on_load=None, apply_default_css=False)
        with gr.Row(elem_id="lk-forget-all"):
            self.ask = gr.Button("Forget everything…", elem_classes="lk-danger", scale=0, min_width=200)
            self.sure = gr.Button("Yes, forget everything for good", visible=False, elem_classes="lk-danger", scale=0)
            self.keep = gr.Button("Keep it", visible=False, scale=0)

    def connect(self, after_forgetting: Callable[[gr.events.Dependency], object]) -> None:
        """Wire the handlers; `after_forgetting` is told of the event that leaves nothing of what the page shows."""
        self.public.input(guarded(self._switch), [self.public], [self.state], **QUIET)
        buttons = [self.ask, self.sure, self.keep]
        self.ask.click(lambda: _visible(False, True, True), None, buttons, **QUIET)
        self.keep.click(lambda: _visible(True, False, False), None, buttons, **QUIET)
        after_forgetting(self.sure.click(guarded(self._forget_everything), None, [*buttons, self.state], **QUIET))

    def values(self) -> tuple[bool, str]:
        """New values for the switch and the state."""
        return self._assistant.knowledge_bases.public_on(self._user.user), self.html()

    def html(self) -> str:
        """What is up, and how much is remembered."""
        bases = self._assistant.knowledge_bases.infos(self._user.user)
        facts, passages = self._user.counts()
        return (
            f"<h3>Language model</h3>{_model(self._assistant.model.transport.status())}"
            f"<p>{escape(told(self._assistant.profiling.profile))}</p>"
            f'<h3>Knowledge bases</h3><ul class="lk-bases">{"".join(_base(info) for info in bases)}</ul>'
            f"<h3>Memory</h3><p>{counted(facts, 'fact')} and {counted(passages, 'passage')}, kept in "
            f"<code>{escape(str(self._assistant.settings.home))}</code>. Removing that folder removes all of it.</p>"
            f"{_KEYS}"
        )

    def _switch(self, on: bool) -> str:
        self._assistant.knowledge_bases.switch_public(self._user.user, on)
        return self.html()

    def _forget_everything(self) -> Iterator[tuple[Any, ...]]:
        yield from patiently(self._forgotten, lambda: (*_visible(False, False, False), "<p>Forgetting …</p>"))

    def _forgotten(self) -> tuple[Any, ...]:
        self._assistant.turns.stop(self._user.user, wait_seconds=_STOP_SECONDS)  # they would remember again
        self._user.forget(everything=True)
        say("Everything is forgotten.")
        return *_visible(True, False, False), self.html()


def banner_html(status: ModelStatus) -> str:
    """What the page says while the model is not there; empty once it is."""
    if status.state == "ready":
        return ""
    can = "Documents can be uploaded and searched meanwhile."
    if status.state == "fetching" and status.fraction is not None:
        words = f"<b>The language model is being fetched: {100 * status.fraction:.0f}%.</b> {can}"
        progress = bar(status.fraction, "Language model")
        return f'<div class="lk-banner" role="status"><p>{words}</p>{progress}</div>'
    words = {
        "fetching": f"<b>The language model is being fetched.</b> {can}",
        "starting": f"<b>The language model is starting.</b> {can}",
        "down": f"<b>The language model is not available.</b> {escape(status.message)} {can}",
    }[status.state]
    return f'<div class="lk-banner lk-{status.state}" role="status"><p>{words}</p></div>'


def away_html(away: Sequence[KnowledgeBaseInfo]) -> str:
    """What the page says, once and not in each answer, of knowledge bases that cannot be asked; empty without any."""
    offline = [kb_heading(info.name) for info in away if info.offline]
    lines = [f"<b>{escape(kb_heading(info.name))} cannot be asked:</b> {escape(info.message)}" for info in away]
    lines = [line for line, info in zip(lines, away, strict=True) if not info.offline]
    if offline:
        again = "it is tried again by itself" if len(offline) == 1 else "they are tried again by themselves"
        lines.insert(0, f"<b>Offline: {escape(listed(offline))} cannot be reached</b>; {again}.")
    told = "".join(f"<p>{line}</p>" for line in lines)
    return f'<div class="lk-banner lk-away" role="status">{told}</div>' if told else ""


def _visible(*shown: bool) -> tuple[Any, ...]:
    return tuple(gr.update(visible=one) for one in shown)


def _model(status: ModelStatus) -> str:
    dot = {"ready": "up", "down": "down"}.get(status.state, "wait")
    share = f" ({100 * status.fraction:.0f}%)" if status.fraction is not None and status.state == "fetching" else ""
    message = f" <small>{escape(status.message)}</small>" if status.message else ""
    return (
        f'<p class="lk-line"><i class="lk-dot lk-{dot}"></i><b>{escape(status.name)}</b> '
        f"{_MODEL_STATES[status.state]}{share}{message}</p>"
    )


def _base(info: KnowledgeBaseInfo) -> str:
    languages = ", ".join(sorted(map(_language, info.languages))) or "every language"
    triples = f"{info.triples:,} facts" if info.triples is not None else ""
    where = "public" if info.public else "on this machine"
    trouble = info.message if info.state == "down" else ""
    detail = " · ".join(part for part in (where, languages, triples, trouble) if part)
    name = escape(kb_heading(info.name))
    return (
        f'<li><i class="lk-dot lk-{info.state}"></i><b>{name}</b> <span>{_KB_STATES[info.state]}</span>'
        f"<small>{escape(detail)}</small></li>"
    )


def _language(code: str) -> str:
    return str(_ENGLISH.languages.get(code, code))
