"""The pieces that a reply comes in, and what becomes of those that a model says."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from assistant.citations import Lookalikes, as_texts
from assistant.language import language_of
from assistant.llm.client import Streamed
from assistant.types import Token

_LAST_WORDS = 60  # characters of a cut answer that the model is to begin with, so that the two can be joined …
_SAID_AGAIN = 200  # … and those at the beginning of what it writes among which they are looked for …
_SURELY_AGAIN, _AGAIN_AT_ONCE = 12, 6  # … or as many of them as do not stand there, or right at the start, by chance


@dataclass(frozen=True, slots=True)
class Piece:
    """The next text of an answer; `declined` where it says that the answer is not known.

    It is `supported` where code told it from the evidence that it cites, or a model did and the evidence was found to
    support it. `cut` says that what the model wrote stops there before its end.
    """

    text: str
    declined: bool = False
    supported: bool = False
    cut: bool = False

    @property
    def token(self) -> Token:
        """It as a turn tells it."""
        return Token(self.text, self.cut, self.supported)


def put_back(pieces: Iterator[Piece], lookalikes: Lookalikes, said: str = "") -> Iterator[Piece]:
    """What a model said behind `said`, with what only looks like citations as it was spelled."""
    for piece in pieces:
        yield replace(piece, text=lookalikes.in_answer(piece.text, said))
        said += piece.text


def citing_nothing(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """A reply for which there was no evidence: whatever looks like a citation is text."""
    last = Piece("")

    def texts() -> Iterator[str]:
        nonlocal last
        for last in pieces:
            yield last.text

    yield from map(Piece, as_texts(texts()))
    if last.cut:
        yield Piece("", cut=True)


def as_pieces(texts: Iterator[str], written: Streamed) -> Iterator[Piece]:
    """What is `written`, and whether it was cut."""
    yield from map(Piece, texts)
    if written.is_cut:
        yield Piece("", cut=True)


def last_words(before: str) -> str:
    """The end of a reply that was cut, for a model to go on with."""
    return before[-_LAST_WORDS:].partition(" ")[2] or before[-_LAST_WORDS:]


def joined(before: str, pieces: Iterator[str]) -> Iterator[str]:
    """What goes on behind `before`: without the end of that where it is said again, with a space where one is missing.

    What a model says before it says the end again, as "Certainly:", goes too.
    """
    begun = ""
    for piece in pieces:
        begun += piece
        if len(begun) > _SAID_AGAIN:
            break
    end = before.rstrip()
    again = 0
    for size in range(min(_LAST_WORDS, len(end)), min(_AGAIN_AT_ONCE, len(end)) - 1, -1):
        within = _SAID_AGAIN if size >= min(_SURELY_AGAIN, len(end)) else size
        if end and (place := begun.find(end[-size:], 0, within)) >= 0:
            again = place + size
            break
    further = begun[again:]
    if again:
        further = further[len(before) - len(end) :] if further[:1].isspace() else further
    elif before[-1:].isalnum() and further[:1].isalnum() and language_of(before) != "zh":
        further = f" {further}"
    yield further
    yield from pieces
