"""Who answers from evidence: one reader for small models, one for capable ones; the policy says which."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from assistant.answering import answering
from assistant.answering.answering import Piece
from assistant.answering.free import FreeReader
from assistant.llm.client import LanguageModel
from assistant.policy import Policy
from assistant.search.formats import Format, triples
from assistant.types import Evidence, Turn


class Reader(Protocol):
    """Words what a turn answers. Everything raises as `LanguageModel.stream`."""

    def answer(
        self,
        model: LanguageModel,
        turn: Turn,
        evidence: Sequence[Evidence],
        *,
        format: Format = triples,
        unreachable: Sequence[str] = (),
    ) -> Iterator[Piece]:
        """Answer `turn.question` from evidence, which `format` puts into words.

        A decline says which knowledge bases were `unreachable`.
        """

    def summary(self, model: LanguageModel, turn: Turn, title: str, passages: Sequence[Evidence]) -> Iterator[Piece]:
        """Sum up the document called `title`."""

    def converse(self, model: LanguageModel, turn: Turn, known: Sequence[str] = ()) -> Iterator[Piece]:
        """Reply where nothing has to be searched, with what is `known` in view."""

    def continued(self, model: LanguageModel, turn: Turn, known: Sequence[str] = ()) -> Iterator[Piece]:
        """Say what the answer `turn.continues` still lacks, with what is `known` in view where it had no evidence."""


class SmallReader:
    """See `Reader`; the functions of `assistant.answering.answering`."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def answer(
        self,
        model: LanguageModel,
        turn: Turn,
        evidence: Sequence[Evidence],
        *,
        format: Format = triples,
        unreachable: Sequence[str] = (),
    ) -> Iterator[Piece]:
        """See `Reader.answer`."""
        return answering.answer(
            model,
            turn,
            evidence,
            own_knowledge=self._policy.own_knowledge,
            format=format,
            unreachable=unreachable,
        )

    def summary(self, model: LanguageModel, turn: Turn, title: str, passages: Sequence[Evidence]) -> Iterator[Piece]:
        """See `Reader.summary`."""
        return answering.summary(model, turn, title, passages)

    def converse(self, model: LanguageModel, turn: Turn, known: Sequence[str] = ()) -> Iterator[Piece]:
        """See `Reader.converse`."""
        return answering.converse(model, turn, known)

    def continued(self, model: LanguageModel, turn: Turn, known: Sequence[str] = ()) -> Iterator[Piece]:
        """See `Reader.continued`."""
        return answering.continued(model, turn, known)


def reader_for(policy: Policy) -> Reader:
    """The reader that a policy names."""
    return FreeReader(policy) if policy.reader == "free" else SmallReader(policy)
