"""What a message does, in one call of the model, and its question made to stand alone, in another.

KnowledGPT (section 3.2) leaves it to the model whether a question needs knowledge. Here the model also says what a
message asks of the memory, in whatever language that is put. A small model is helped by examples as chat turns and,
where its server takes one, by a grammar out of which nothing else can come; it is asked again of each sentence of a
message, and whether it asks or tells where its marks say otherwise. Nothing but the model overrules it. The second call
is for messages that cannot stand alone: questions that lean on what was said before, and those that tell something too.
"""

import contextlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal, get_args

from assistant import periods, prompting
from assistant.citations import without_citations
from assistant.errors import ModelReplyUnreadable, ModelUnavailable
from assistant.language import has_question_mark
from assistant.llm.client import LanguageModel
from assistant.llm.grammars import any_of, own_words
from assistant.messages.languages import english_name, reply_language
from assistant.types import Message, Route, Turn
from memory.passages import sentences

Kind = Literal[
    "chat", "remember", "correct", "ask", "own", "remember+ask", "remember+chat", "recall", "summarise", "forget",
    "undo", "restore", "yes",
]  # fmt: skip

_BEFORE_A_SMALL_ONE = 2  # messages: what those before them did it takes for what this one does
_REMEMBERED_MESSAGES = 6
_MESSAGE_CHARACTERS = 300
_TEXT_CHARACTERS = 2000
_TOKENS, _QUESTION_TOKENS = 80, 120
_LONGEST_RUN = 12  # words
_MOST_SENTENCES = 5  # of a message that are understood one by one
_ALONE = ("chat", "remember", "correct", "ask world", "ask own", "undo", "restore", "yes")
_WHAT = ("that", "this", "it", "last", "everything", "document")
_ALL = ("forget", "everything")
_LEANS = ", leans"
_MAY_BE = 0.2  # the probability up to which a request to forget, or a question without a mark, is taken for none
_LOOKED_UP = 0.4  # the probability from which a chat asks for a fact: of 128 that do not none has it, of 73 that do 69
_TELLS: tuple[Kind, ...] = ("remember", "correct", "remember+ask")
_ASKS: tuple[Kind, ...] = ("ask", "own", "recall", "remember+ask")
_ROUTES: dict[Kind, Route] = {
    "ask": "search",
    "own": "search",
    "recall": "search",
    "summarise": "search",
    "remember": "remember",
    "correct": "remember",
    "remember+chat": "remember",
    "remember+ask": "search+remember",
}
# As the model says them: that a message asks comes first, and about whose life it asks behind that.
_ASKING: dict[str, Kind] = {"ask world": "ask", "ask own": "own"}
_KINDS: dict[str, Kind] = {kind: kind for kind in get_args(Kind)} | _ASKING
_LONGEST_FIRST = "|".join(map(re.escape, sorted(_KINDS, key=len, reverse=True)))  # "remember+ask" before "remember"
_LINE = re.compile(rf"\W*(?:([a-z]{{2}})\s+)?({_LONGEST_FIRST})\b[:\s]*(.*)")


@dataclass(frozen=True, slots=True)
class Understanding:
    """What a message does: its `kind`, with the question to be answered, or about what it is.

    `about` is in the user's words, or one of the prompt's own: "that", "last", "everything", "latest", "all", "me", or
    a period as `periods.days` takes it. `language` is an ISO 639-1 code, "" where nothing told. A question that `leans`
    on what was said before cannot be answered without.
    """

    kind: Kind
    question: str = ""
    about: str = ""
    language: str = ""
    leans: bool = True

    @property
    def route(self) -> Route:
        """What the turn needs."""
        return _ROUTES.get(self.kind, "answer")


def understand(model: LanguageModel, turn: Turn, *, by_sentence: bool = True) -> Understanding:
    """Have the model say what a message does, and `by_sentence`, as a small one needs it, also what each sentence of it
    does by itself, with less of what was said before in view.

    A reply that cannot be read counts as a question: looking up and finding nothing is safer than inventing.

    Raises:
        Interrupted, ModelUnavailable: as `LanguageModel.complete`.
    """
    before = turn.history[-(_BEFORE_A_SMALL_ONE if by_sentence else _REMEMBERED_MESSAGES) :]
    understood = _understood(model, turn.text, before)
    if by_sentence and understood:
        understood = _as_marked(model, turn.text, before, understood)
    understood = understood or Understanding("ask", turn.text)
    if by_sentence and understood.kind == "forget" and not _is_to_be_erased(model, turn.text):
        understood = _understood(model, turn.text, before, without=("forget",)) or Understanding("chat")
    if (
        by_sentence
        and (understood.kind, understood.about) == _ALL
        and not _is(model, "all", "some", "scope", turn.text)
    ):
        understood = _understood(model, turn.text, before, without=("everything",)) or understood
    if by_sentence and understood.kind in ("chat", "ask", "own"):
        parts = [part.kind for part in _by_sentence(model, turn.text)]
        kind = together(understood.kind, parts)
        understood = replace(understood, kind=kind, question=turn.text if kind in _ASKS else "")
    if understood.question and (understood.kind == "remember+ask" or (turn.history and understood.leans)):
        written = _written_out(model, replace(turn, language=language_of_turn(turn, understood.language)))
        return replace(understood, question=written or turn.text)
    return understood


def together(whole: Kind, parts: Sequence[Kind]) -> Kind:
    """What a message does that was taken for a chat or a question, and of which the sentences do `parts`.

    A small model overlooks what somebody tells behind a greeting or before a question, and sees it in the sentence.
    """
    asked = [kind for kind in (whole, *parts) if kind in _ASKS]
    if any(part in _TELLS for part in parts):
        return "remember+ask" if asked else "remember+chat"
    return "own" if "own" in asked else "ask" if asked else whole


def _as_marked(model: LanguageModel, text: str, before: Sequence[Message], understood: Understanding) -> Understanding:
    """What a sentence does of which the model is asked whether it asks or tells, where its marks say otherwise; and one
    that is to do both, whether it tells: who is meant, it says in a clause of its own."""
    if _is_a_question(text) and (
        (understood.kind == "remember" and _is(model, "yes", "no", "asks", text, otherwise=False))
        or (understood.kind == "remember+ask" and not _is(model, "yes", "no", "tells", text))
    ):
        return _understood(model, text, before, without=("telling",)) or understood
    if understood.kind in _ASKING.values() and _is_a_statement(text):
        asks = _is(model, "yes", "no", "asks", text, at_least=_MAY_BE)
        return understood if asks else Understanding("remember", language=understood.language)
    return understood


def looked_up(model: LanguageModel, turn: Turn, understood: Understanding, *, has_documents: bool) -> Understanding:
    """What a small model takes for a chat, as a question where it asks for a particular fact: it would make one up. Of
    somebody who has documents, it may stand in one."""
    if not _is(model, "yes", "no", "facts", turn.text, at_least=_LOOKED_UP, otherwise=False):
        return understood
    question = standing_alone(model, turn) if turn.history else turn.text
    return Understanding("own" if has_documents else "ask", question, language=understood.language)


def _is_to_be_erased(model: LanguageModel, text: str) -> bool:
    """Whether a message that was taken for a request to forget may be one: "I don't live in Rome any more" is none, and
    a small model that is asked for that alone knows it."""
    return _is(model, "yes", "no", "erase", text, at_least=_MAY_BE)


def _is(
    model: LanguageModel,
    label: str,
    other: str,
    prompt: str,
    text: str,
    *,
    at_least: float = 0.5,
    otherwise: bool = True,
) -> bool:
    """Whether a prompt's question about a message is answered with the one label rather than the other; `otherwise`
    where no answer can be had."""
    messages = prompting.load(prompt).render(text=text[:_TEXT_CHARACTERS])
    with contextlib.suppress(ModelUnavailable, ModelReplyUnreadable):
        return model.weigh(messages, (label, other), purpose=prompt)[0] >= at_least
    return otherwise


def _by_sentence(model: LanguageModel, text: str) -> Iterator[Understanding]:
    """What each sentence of a message does; nothing where it is one, or a longer text, or the model is gone."""
    parts = [text[span.start : span.end] for span in sentences(text, 0, len(text))]
    if 1 < len(parts) <= _MOST_SENTENCES:
        with contextlib.suppress(ModelUnavailable):
            yield from (found for part in parts if (found := _understood(model, part)))


def _is_a_statement(text: str) -> bool:
    """Whether it is one sentence, and none with a question mark."""
    return not has_question_mark(text) and _is_one_sentence(text)


def _is_a_question(text: str) -> bool:
    """Whether it is one sentence, with a question mark."""
    return has_question_mark(text) and _is_one_sentence(text)


def _is_one_sentence(text: str) -> bool:
    return len(list(islice(sentences(text, 0, len(text)), 2))) == 1


def _understood(
    model: LanguageModel, text: str, history: Sequence[Message] = (), *, without: Sequence[str] = ()
) -> Understanding | None:
    """What a text does behind what was said before; None where the model's reply cannot be read."""
    messages = prompting.load("understand").render(history=_recently(history), text=text[:_TEXT_CHARACTERS])
    reply = model.stream(
        messages,
        purpose="understand",
        max_tokens=_TOKENS,
        stop=("\n",),
        grammar=grammar(text, follows=bool(history), without=without),
        must_say=True,
    )
    found = read("".join(reply), text)
    if found is None and reply.is_cut:
        raise ModelUnavailable("The model's server cut off its reply before it said anything; try again.")
    return found


def language_of_turn(turn: Turn, told: str) -> str:
    """The language to reply to a turn in, of which a model has `told` one; see `reply_language`."""
    said = [message.content for message in turn.history[-_REMEMBERED_MESSAGES:] if message.role == "user"]
    return reply_language(turn.text, told, said)


def standing_alone(model: LanguageModel, turn: Turn) -> str:
    """What a message asks, in the turn's language, for somebody who has not read what was said before it.

    It is the message itself where the model does not say it whole, or is not there.

    Raises:
        Interrupted: as `LanguageModel.complete`.
    """
    return _written_out(model, turn) or turn.text


def _written_out(model: LanguageModel, turn: Turn) -> str:
    """As `standing_alone`, but empty where the model does not say it whole."""
    if len(turn.text) > _TEXT_CHARACTERS:
        return ""
    messages = prompting.load("standalone").render(
        history=_recently(turn.history[-_REMEMBERED_MESSAGES:]), text=turn.text, language=english_name(turn.language)
    )
    reply = model.stream(messages, purpose="standalone", max_tokens=_QUESTION_TOKENS, stop=("\n",))
    try:
        written = "".join(reply).strip()
    except ModelUnavailable:
        return ""
    return "" if reply.is_cut else written


def grammar(text: str, *, follows: bool = False, without: Sequence[str] = ()) -> str:
    """What the model may say of a message, in GBNF of llama.cpp: what it is about is a run of the message's words, one
    sentence without a question mark does not both tell and ask, and only what `follows` leans on what was before.
    It may be `without` requests to "forget", or such for "everything", or "telling"."""
    leaning = [f"{asking}{_LEANS}" for asking in _ASKING if follows]
    alone = [*_ALONE, *leaning, *(() if _is_a_statement(text) else ("remember+ask",))]
    if "telling" in without:
        alone = [kind for kind in alone if kind not in _TELLS]
    rules = {
        "root": f'[a-z] [a-z] " " (alone | recall | {"" if "forget" in without else "forget | "}summarise)',
        "alone": any_of(alone),
        "recall": '"recall: " ("me" | own)',
        "forget": f'"forget: " ({any_of([what for what in _WHAT if what not in without])} | period | own)',
        "summarise": '"summarise: " ("latest" | "all" | period | own)',
        "period": f'{any_of(periods.NAMES)} | ("19" | "20") [0-9] [0-9] ("-" [01] [0-9])?',
        "own": own_words([text[:_TEXT_CHARACTERS]], _LONGEST_RUN),
    }
    return "\n".join(f"{name} ::= {rule}" for name, rule in rules.items() if name not in without)


def read(reply: str, text: str) -> Understanding | None:
    """Read the model's line on the message `text`; None where it is none."""
    match = _LINE.match(reply)
    if match is None:
        return None
    language, kind, said = match[1] or "", _KINDS[match[2]], match[3].strip()
    if kind in ("ask", "own", "remember+ask"):
        return Understanding(kind, text, language=language, leans=match[2] not in _ASKING or bool(said))
    return Understanding(kind, about=said, language=language)


def _recently(history: Sequence[Message]) -> list[Message]:
    """Messages on one line each; without citations, which the model would take for the way to reply."""
    texts = [without_citations(m.content) if m.role == "assistant" else m.content for m in history]
    return [
        Message(m.role, " ".join(text.split())[:_MESSAGE_CHARACTERS]) for m, text in zip(history, texts, strict=True)
    ]
