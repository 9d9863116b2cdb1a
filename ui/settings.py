"""Settings and state: the public knowledge bases' switch, what is up, and forgetting everything."""

from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import Any

import gradio as gr

from assistant.errors import LorekeeperError, one_line
from assistant.knowledge_bases.registry import KnowledgeBaseInfo
from assistant.llm.client import ModelStatus
from assistant.llm.models import Models
from assistant.llm.models import told as model_told
from assistant.llm.profile import told
from assistant.messages import Phrase, spoken, tell, translated
from assistant.messages.catalogues import locale
from assistant.messages.shared import FACTS, PASSAGES
from assistant.orchestrator import Assistant
from memory.user_memory import UserMemory
from ui.guard import QUIET, guarded, say, warn
from ui.login import LOG_OUT, LOGOUT
from ui.patience import patiently
from ui.rows import bar
from ui.words import kb_heading, labelled, listed

_READY, _DOWN = Phrase("ready"), Phrase("not available")
_MODEL_STATES = {"ready": _READY, "fetching": Phrase("being fetched"), "starting": Phrase("starting"), "down": _DOWN}
_KB_STATES = {"up": _READY, "down": _DOWN, "off": Phrase("switched off")}
_MODEL_AWAY = {
    "fetching": Phrase("The language model is being fetched."),
    "starting": Phrase("The language model is starting."),
    "down": Phrase("The language model is not available."),
}
_OFFLINE = Phrase(
    "<b>Offline: {names} cannot be reached</b>; it is tried again by itself.",
    "<b>Offline: {names} cannot be reached</b>; they are tried again by themselves.",
)
_STOP_SECONDS = 1.0


class SettingsPanel:
    """The panel."""

    def __init__(self, assistant: Assistant, user: UserMemory) -> None:
        self._assistant = assistant
        self._user = user
        self.model = gr.HTML(elem_id="lk-model", js_on_load=None, apply_default_css=False)
        with gr.Column(elem_id="lk-models"):  # else it is one form with what stands below
            self.models = _choice(assistant.models) if assistant.models else None
        self.public = gr.Checkbox(
            label=labelled("Ask public knowledge bases (Wikipedia, Wikidata, CN-DBpedia)"),
            info=labelled("When this is off, no question leaves this machine for them.")
            if assistant.settings.public_knowledge_bases
            else labelled("Switched off for everybody with LOREKEEPER_PUBLIC."),
            interactive=assistant.settings.public_knowledge_bases,
            elem_id="lk-public",
        )
        self.state = gr.HTML(elem_id="lk-state", js_on_load=None, apply_default_css=False)
        if assistant.settings.password:
            gr.HTML(labelled.within(LOGOUT, LOG_OUT), elem_id="lk-logout", js_on_load=None, apply_default_css=False)
        with gr.Row(elem_id="lk-forget-all"):
            self.ask = gr.Button(labelled("Forget everything…"), elem_classes="lk-danger", scale=0, min_width=200)
            sure = labelled("Yes, forget everything for good")
            self.sure = gr.Button(sure, visible=False, elem_classes="lk-danger", scale=0)
            self.keep = gr.Button(labelled("Keep it"), visible=False, scale=0)

    def connect(
        self,
        after_forgetting: Callable[[gr.events.Dependency], object],
        after_choosing: Callable[[gr.events.Dependency], object],
    ) -> None:
        """Wire the handlers; `after_forgetting` is told of the event that leaves nothing of what the page shows, and
        `after_choosing` of the one with which another model answers."""
        self.public.input(guarded(self._switch), [self.public], [self.state], **QUIET)
        if self.models and self._assistant.models:
            after_choosing(self.models.input(guarded(self._choose), [self.models], [self.models], **QUIET))
        buttons = [self.ask, self.sure, self.keep]
        self.ask.click(lambda: _visible(False, True, True), None, buttons, **QUIET)
        self.keep.click(lambda: _visible(True, False, False), None, buttons, **QUIET)
        after_forgetting(self.sure.click(guarded(self._forget_everything), None, [*buttons, self.state], **QUIET))

    @property
    def shown(self) -> list[gr.components.Component]:
        """What `values` are for."""
        return [self.public, self.state, *([self.models] if self.models else [])]

    def values(self) -> tuple[Any, ...]:
        """New values for the switch, the state and the choice of a model, where there is one."""
        models = self._assistant.models
        chosen = [models.chosen and models.chosen.name] if models else []
        return self._assistant.knowledge_bases.public_on(self._user.user), self.html(), *chosen

    def html(self) -> str:
        """What is up, and how much is remembered."""
        bases = self._assistant.knowledge_bases.infos(self._user.user)
        facts, passages = self._user.counts()
        kept = tell(
            "{facts} and {passages}, kept in {folder}. Removing that folder removes all of it.",
            facts=tell(FACTS, n=facts),
            passages=tell(PASSAGES, n=passages),
            folder=f"<code>{escape(str(self._assistant.settings.home))}</code>",
        )
        knowledge_bases, memory = tell("Knowledge bases"), tell("Memory")
        return (
            f'<h3>{knowledge_bases}</h3><ul class="lk-bases">{"".join(_base(info) for info in bases)}</ul>'
            f"<h3>{memory}</h3><p>{kept}</p>{_keys()}"
        )

    def _choose(self, name: str) -> str | None:
        models = self._assistant.models
        assert models is not None
        try:
            models.choose(name)
        except LorekeeperError as error:
            warn(one_line(error))
        return models.chosen and models.chosen.name

    def _switch(self, on: bool) -> str:
        self._assistant.knowledge_bases.switch_public(self._user.user, on)
        return self.html()

    def _forget_everything(self) -> Iterator[tuple[Any, ...]]:
        meanwhile = tell("Forgetting …")
        yield from patiently(self._forgotten, lambda: (*_visible(False, False, False), f"<p>{meanwhile}</p>"))

    def _forgotten(self) -> tuple[Any, ...]:
        self._assistant.turns.stop(self._user.user, wait_seconds=_STOP_SECONDS)  # they would remember again
        self._user.forget(everything=True)
        say(tell("Everything is forgotten."))
        return *_visible(True, False, False), self.html()


def banner_html(status: ModelStatus) -> str:
    """What the page says while the model is not there, or is slow yet; empty once it is."""
    if status.state == "ready" and status.fraction is None:
        return ""
    can = tell("Documents can be uploaded and searched meanwhile.")
    if status.fraction is not None:
        percent = round(100 * status.fraction)
        if status.state == "ready":
            words = tell("The language model is getting ready for its first use: {percent}%.", percent=percent)
            can = tell("You can chat already; until then it answers more slowly, and documents wait to be read.")
        else:
            words = tell("The language model is being fetched: {percent}%.", percent=percent)
        progress = bar(status.fraction, tell("Language model"))
        return f'<div class="lk-banner" role="status"><p><b>{words}</b> {can}</p>{progress}</div>'
    why = f" {escape(translated(status.message))}" if status.state == "down" else ""
    words = f"<b>{tell(_MODEL_AWAY[status.state])}</b>{why} {can}"
    return f'<div class="lk-banner lk-{status.state}" role="status"><p>{words}</p></div>'


def away_html(away: Sequence[KnowledgeBaseInfo]) -> str:
    """What the page says, once and not in each answer, of knowledge bases that cannot be asked; empty without any."""
    offline = [kb_heading(info.name) for info in away if info.offline]
    lines = [
        tell("<b>{name} cannot be asked:</b>", name=escape(kb_heading(info.name)))
        + f" {escape(translated(info.message))}"
        for info in away
        if not info.offline
    ]
    if offline:
        lines.insert(0, tell(_OFFLINE, n=len(offline), names=escape(listed(offline))))
    told = "".join(f"<p>{line}</p>" for line in lines)
    return f'<div class="lk-banner lk-away" role="status">{told}</div>' if told else ""


def _visible(*shown: bool) -> tuple[Any, ...]:
    return tuple(gr.update(visible=one) for one in shown)


def model_html(assistant: Assistant) -> str:
    """Which model answers, how far it is, what it can do, and what the others are that could be chosen."""
    others = [model_told(offer) for offer in assistant.models.fitting()] if assistant.models else []
    listed_ = "".join(f"<li>{escape(line)}</li>" for line in others)
    answering = _model(assistant.model.transport.status())
    return (
        f"<h3>{tell('Language model')}</h3>{answering}<p>{escape(told(assistant.profiling.profile))}</p>"
        f'<ul class="lk-offers">{listed_}</ul>'
    )


def _choice(models: Models) -> gr.Radio:
    """The models that this machine can run."""
    return gr.Radio(
        [offer.name for offer in models.fitting()],
        value=models.chosen and models.chosen.name,
        label=labelled("Which one answers"),
        info=labelled("A larger one understands more and takes longer. Each is fetched once."),
    )


def _model(status: ModelStatus) -> str:
    dot = {"ready": "up", "down": "down"}.get(status.state, "wait")
    share = f" ({100 * status.fraction:.0f}%)" if status.fraction is not None and status.state == "fetching" else ""
    message = f" <small>{escape(translated(status.message))}</small>" if status.message else ""
    return (
        f'<p class="lk-line"><i class="lk-dot lk-{dot}"></i><b>{escape(status.name)}</b> '
        f"{tell(_MODEL_STATES[status.state])}{share}{message}</p>"
    )


def _base(info: KnowledgeBaseInfo) -> str:
    languages = ", ".join(sorted(map(_language, info.languages))) or tell("every language")
    triples = tell(FACTS, n=info.triples) if info.triples is not None else ""
    where = tell("public") if info.public else tell("on this machine")
    trouble = translated(info.message) if info.state == "down" else ""
    detail = " · ".join(part for part in (where, languages, triples, trouble) if part)
    name = escape(kb_heading(info.name))
    return (
        f'<li><i class="lk-dot lk-{info.state}"></i><b>{name}</b> <span>{tell(_KB_STATES[info.state])}</span>'
        f"<small>{escape(detail)}</small></li>"
    )


def _language(code: str) -> str:
    return str(locale(spoken()).languages.get(code, code))


def _keys() -> str:
    keys = {
        "enter": "<kbd>Enter</kbd>",
        "shift_enter": "<kbd>Shift</kbd> <kbd>Enter</kbd>",
        "escape": "<kbd>Esc</kbd>",
        "slash": "<kbd>/</kbd>",
        "ctrl_shift_o": "<kbd>Ctrl</kbd> <kbd>Shift</kbd> <kbd>O</kbd>",
    }
    title = tell("Keys")
    what = tell(
        "{enter} sends, {shift_enter} begins a new line, {escape} stops an answer, {slash} leads to the message, "
        "{ctrl_shift_o} begins a conversation.",
        **keys,
    )
    return f'<div class="lk-keys"><h3>{title}</h3><p>{what}</p></div>'
