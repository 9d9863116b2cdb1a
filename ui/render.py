"""Events of a turn to messages of the page. Pure: in one language the same events always give the same messages.

A turn is shown as one folded step with a child for each thing that happened, then the answer, then its sources and the
reasons for it. While it runs, the step says what happened last, and its children what came before. The page calls
`TurnView.add` as events come; a saved turn is shown by adding its events again.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

import gradio as gr
from gradio.components.chatbot import MetadataDict

from assistant.messages import Phrase, tell, translated
from assistant.types import Answered, Event, Evidence, Failed, ForgetAsked, Found, Token
from ui.markdown import Growing, literal_line
from ui.sources import linking, sources_html
from ui.steps import Step, step
from ui.why import why_html

_STEPS = Phrase("{n} step", "{n} steps")


@dataclass
class TurnView:
    """What the page shows of one turn so far; `key` tells its cards from those of other turns."""

    key: str
    steps: list[Step] = field(default_factory=list)
    text: str = ""
    evidence: tuple[Evidence, ...] = ()
    failures: list[str] = field(default_factory=list)
    answered: Answered | None = None
    asked: ForgetAsked | None = None
    _written: Growing = field(default_factory=Growing)

    def add(self, event: Event) -> None:
        """Take in the next event of the turn."""
        shown = step(event)
        if shown:
            self.steps.append(shown)
        match event:
            case Token():
                self.text += event.text
            case Found():
                self._found(event.evidence)
            case Failed() if not event.lasting and event.message not in self.failures:
                self.failures.append(event.message)
            case ForgetAsked():
                self.asked = event
            case Answered():
                self.answered = event
                self.text = event.answer
                self._found(event.evidence)

    def _found(self, evidence: tuple[Evidence, ...]) -> None:
        self.evidence = evidence
        self._written = Growing(linking(evidence, self.key))

    def messages(self) -> list[gr.ChatMessage]:
        """The assistant's messages: the steps, the answer, and what it rests on."""
        shown = self._step_messages()
        if self.text:
            shown.append(gr.ChatMessage(self._written.markdown(self.text)))
        elif self.answered and self.failures:
            shown.append(gr.ChatMessage("\n\n".join(literal_line(translated(line)) for line in self.failures)))
        if self.answered:
            shown.append(gr.ChatMessage(gr.HTML(self._footer(self.answered))))
        return shown

    def _step_messages(self) -> list[gr.ChatMessage]:
        if not (self.answered or self.text):
            *before, last = self.steps or [Step(tell("Thinking …"))]
            return self._nested(MetadataDict(title=literal_line(last.title), status="pending"), before)
        if not self.steps:
            return []
        parent = MetadataDict(title=tell(_STEPS, n=len(self.steps)), status="done")
        if self.answered:
            parent["duration"] = round(sum(self.answered.seconds.values()), 1)
        return self._nested(parent, self.steps)

    def _nested(self, parent: MetadataDict, children: Sequence[Step]) -> list[gr.ChatMessage]:
        first = gr.ChatMessage("", metadata={**parent, "id": self.key})
        return [first, *(self._step_message(i, shown) for i, shown in enumerate(children))]

    def _step_message(self, index: int, shown: Step) -> gr.ChatMessage:
        metadata: MetadataDict = {
            "id": f"{self.key}.{index}",
            "parent_id": self.key,
            "title": literal_line(shown.title),
            "status": "done",
        }
        if shown.seconds is not None:
            metadata["duration"] = round(shown.seconds, 1)
        return gr.ChatMessage(shown.content, metadata=metadata)

    def _footer(self, answered: Answered) -> str:
        told = self.failures if self.text else []
        notices = "".join(f'<p class="lk-notice">{escape(translated(line))}</p>' for line in told)
        if answered.stopped or answered.cut:
            ended = tell("Stopped.") if answered.stopped else tell("This answer was cut off before its end.")
            notices += f'<p class="lk-notice">{ended}</p>{_continue(answered)}'
        if self.asked:
            notices += _forget(self.asked)
        shown = notices + sources_html(self.evidence, self.text, self.key)
        if self.text:  # without an answer there is nothing to account for, to copy, or (see page.css) to judge
            shown += why_html(answered, self.key) + _copy(self.text)
        return f'<div class="lk-footer">{shown}</div>'


def _copy(text: str) -> str:
    """The button that page.js wires; it says for a moment that it is done."""
    copy, copied = tell("Copy"), tell("Copied")
    return (
        f'<button type="button" class="lk-copy" data-text="{escape(text, quote=True)}" data-copy="{copy}" '
        f'data-copied="{copied}">{copy}</button>'
    )


def _forget(asked: ForgetAsked) -> str:
    """What would be forgotten, and a button to have it so."""
    facts = "".join(f"<li>{escape(fact)}</li>" for fact in asked.facts)
    forget = tell("Forget")
    button = f'<button type="button" class="lk-forget" data-asked="{escape(asked.id, quote=True)}">{forget}</button>'
    return f'<ul class="lk-asked">{facts}</ul>{button}'


def _continue(answered: Answered) -> str:
    """A button to go on with an answer that stopped before its end; nothing that was noted is noted again."""
    if not answered.answer or answered.route.endswith("remember"):
        return ""
    go_on = tell("Continue")
    return f'<button type="button" class="lk-continue">{go_on}</button>'
