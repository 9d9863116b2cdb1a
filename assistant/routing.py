"""What a turn needs (answer, search, remember, or search and remember), and its question rewritten to stand alone.

KnowledGPT (section 3.2) leaves it to the model whether a question needs knowledge; here it is a call of its own, made
small by examples as chat turns and a reply of one line. What can be told from the text itself corrects the reply: a
message that only asks is not remembered, and one that tells nothing of its writer is not both.
"""

import re
from collections.abc import Sequence

from assistant import prompting
from assistant.language import language_of
from assistant.llm.client import LanguageModel
from assistant.types import Message, Route, Turn

_REMEMBERED_MESSAGES = 6
_MESSAGE_CHARACTERS = 300
_TEXT_CHARACTERS = 2000

_ROUTES: dict[str, Route] = {
    "answer": "answer",
    "search": "search",
    "remember": "remember",
    "both": "search+remember",
}
_LINE = re.compile(r"^\W*(both|search|remember|answer)\b\W*(.*)$", re.IGNORECASE | re.DOTALL)
_CLAUSE = re.compile(r"[^.!?。！？,，;；\n]+[.!?。！？,，;；]*")
_ASKING = re.compile(
    r"[?？]\W*$"
    r"|^\W*(and |so |but )?(who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|can|could)\b"
    r"|什么|谁|哪|多少|几[个位点岁年月日号]|吗\W*$|呢\W*$|为何|怎么",
    re.IGNORECASE,
)
_OWN = re.compile(r"\b(i|i'm|i've|my|mine|we|we're|our|us|me)\b|我|咱|俺", re.IGNORECASE)


def route(model: LanguageModel, turn: Turn) -> tuple[Route, str]:
    """The route, and the question rewritten to stand alone where there is a conversation to rewrite it from.

    A reply that is none of the routes counts as "search": looking up and finding nothing is safer than inventing.

    Raises:
        Interrupted, ModelUnavailable: as `LanguageModel.complete`.
    """
    messages = prompting.load("route").render(
        history=_shortened(turn.history[-_REMEMBERED_MESSAGES:]), text=turn.text[:_TEXT_CHARACTERS]
    )
    stop = ("\n",) if turn.history else ("\n", ":")
    return read(model.complete(messages, purpose="route", max_tokens=80, stop=stop), turn.text)


def read(reply: str, text: str) -> tuple[Route, str]:
    """Read the model's line "route: question" on the message `text`."""
    match = _LINE.match(reply.strip())
    if match is None:
        return "search", text
    decided, question = _corrected(_ROUTES[match[1].lower()], text), match[2].strip()
    if not question or not decided.startswith("search") or language_of(question) != language_of(text):
        question = text
    return decided, question


def _corrected(decided: Route, text: str) -> Route:
    clauses = _CLAUSE.findall(text) or [text]
    asks = any(_ASKING.search(clause) for clause in clauses)
    tells = any(_OWN.search(clause) and not _ASKING.search(clause) for clause in clauses)
    if decided == "remember" and all(_ASKING.search(clause) for clause in clauses):
        return "search"
    if decided == "search+remember" and not tells:
        return "search"
    if decided == "search+remember" and not asks:
        return "remember"
    return decided


def _shortened(history: Sequence[Message]) -> list[Message]:
    return [Message(m.role, " ".join(m.content.split())[:_MESSAGE_CHARACTERS]) for m in history]
