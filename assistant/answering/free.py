"""The reader for capable models: the model words the answer as it was asked for, and what it says is checked.

A bare name or number that stands in what it cites is shown at once. From the first sentence on that only the model can
judge, the answer waits for its end: it is judged in one call, and what its evidence does not support, or nobody could
judge, is marked or withheld before anybody reads it. Nothing else is changed but citations.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from assistant import prompting
from assistant.answering.answering import (
    NOT_IN_EVIDENCE,
    Piece,
    citing_nothing,
    declined,
    fitting,
    going_on,
    joined,
    or_without,
    put_back,
    recent,
    today,
    with_sums,
)
from assistant.answering.checker import Checker, Sentence, judged
from assistant.answering.units import is_code, is_table, units
from assistant.citations import Lookalikes, cited, ends_in_code, evidence_told_apart, told_apart, without_citations
from assistant.llm.client import LanguageModel, Streamed
from assistant.messages import Phrase, say
from assistant.policy import Policy
from assistant.search.formats import Format, triples
from assistant.types import Evidence, Message, Turn

_NOT_HELD = "NOT_IN_EVIDENCE"  # the prompt's word for what the evidence does not hold
_NOT_FROM_SOURCES = Phrase(" (not from your sources)")
_NOT_CHECKED = Phrase(" (could not be checked)")
_TOKENS = 2_000


class FreeReader:
    """See `assistant.answering.reader.Reader`."""

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
        found = self._from_evidence(model, turn, evidence, format)
        decline = declined(turn, evidence, unreachable)
        return or_without(found, turn, decline, self._policy.own_knowledge, lambda: self.converse(model, turn))

    def summary(self, model: LanguageModel, turn: Turn, title: str, passages: Sequence[Evidence]) -> Iterator[Piece]:
        """See `Reader.summary`."""
        turn = replace(turn, question=f"{turn.text} ({title})")
        found = self._from_evidence(model, turn, passages, triples)
        return or_without(found, turn, declined(turn, passages, ()), "never", lambda: self.converse(model, turn))

    def converse(self, model: LanguageModel, turn: Turn, known: Sequence[str] = ()) -> Iterator[Piece]:
        """See `Reader.converse`."""
        written = _written(model, self._conversing(turn, known))
        return citing_nothing(_as_pieces(with_sums(written, turn), written))

    def continued(self, model: LanguageModel, turn: Turn, known: Sequence[str] = ()) -> Iterator[Piece]:
        """See `Reader.continued`."""
        before = turn.continues
        evidence = fitting(turn.evidence, self._policy.evidence_characters)
        shown = _shown(evidence, triples)
        asked = self._asking(turn, shown) if evidence else self._conversing(turn, known)
        written = _written(model, going_on(asked, before, self._policy.history_characters))
        further = joined(before, with_sums(written, turn))
        if not evidence:
            return citing_nothing(_as_pieces(further, written))
        pieces = self._checked(model, turn, evidence, shown, written, pieces=further, before=before)
        return put_back(pieces, Lookalikes.of(evidence, turn.question, turn.text), before)

    def _from_evidence(
        self, model: LanguageModel, turn: Turn, evidence: Sequence[Evidence], format: Format
    ) -> Iterator[Piece]:
        """What the evidence answers; nothing where the model says that it does not."""
        if not evidence:
            return
        evidence = fitting(evidence, self._policy.evidence_characters)
        shown = _shown(evidence, format)
        written = _written(model, self._asking(turn, shown))
        pieces = self._checked(model, turn, evidence, shown, written)
        yield from put_back(pieces, Lookalikes.of(evidence, turn.question, turn.text))

    def _asking(self, turn: Turn, shown: str) -> list[Message]:
        question = turn.question or turn.text
        *head, last = prompting.load("answer_free").render(
            text=told_apart(turn.text), question=told_apart(question), evidence=shown, today=today(turn)
        )
        return [*head, *self._recent(turn), last]

    def _conversing(self, turn: Turn, known: Sequence[str] = ()) -> list[Message]:
        *head, last = prompting.load("converse_free").render(text=turn.text, known="; ".join(known), today=today(turn))
        return [*head, *self._recent(turn), last]

    def _recent(self, turn: Turn) -> list[Message]:
        return recent(turn.history, self._policy.history_characters)

    def _checked(
        self,
        model: LanguageModel,
        turn: Turn,
        evidence: Sequence[Evidence],
        shown: str,
        written: Streamed,
        *,
        pieces: Iterator[str] | None = None,
        before: str = "",
    ) -> Iterator[Piece]:
        """The units of a reply, or of its `pieces` behind `before`, those from the first doubtful one on at its end;
        nothing where it finds no answer. The rest of a block of code that `before` leaves open stands as it is."""
        told = "\n".join(message.content for message in turn.history)
        checker = Checker(turn.question or turn.text, f"{told}\n{turn.text}", evidence)
        said, held = list[Sentence](), list[Sentence]()
        code, lacks, answers = _open_code(before), False, False
        for unit in units(chain([code], pieces or with_sums(written, turn))):
            if code:
                yield Piece(unit.removeprefix(code))
                code, answers = "", True
                continue
            unknown = unit.replace(_NOT_HELD, say(turn.language, NOT_IN_EVIDENCE))
            lacks = lacks or unknown != unit
            answers = answers or (unknown == unit and bool(cited(unit)))
            if unknown == unit or any(map(str.isalnum, without_citations(unit.replace(_NOT_HELD, "")))):
                sentence = checker.checked(unknown)
            elif answers:
                sentence = Sentence(without_citations(unknown), "supported")  # in words of ours, of a part
            else:
                return
            if held or not answers or sentence.finding != "supported":
                held.append(sentence)
            else:
                said.append(sentence)
                yield from self._pieces(sentence, turn.language)
        if lacks and not answers:
            return
        conversation = [*self._recent(turn), *([Message("assistant", before)] if before else [])]
        found = judged(model, turn, conversation, shown, [*said, *held])[len(said) :]
        rest = [piece for sentence in found for piece in self._pieces(sentence, turn.language)]
        yield from rest
        if written.is_cut and (said or rest or before):
            yield Piece("", cut=True)

    def _pieces(self, sentence: Sentence, language: str) -> Iterator[Piece]:
        """What is shown of a sentence; a mark is in the language, and outside of a table or a block of code."""
        text, body = sentence.text, sentence.text.rstrip()
        if sentence.finding == "supported":
            yield Piece(text, supported=True)
        elif self._policy.unsupported == "mark":
            mark = say(language, _NOT_FROM_SOURCES if sentence.finding == "unsupported" else _NOT_CHECKED)
            if ends_in_code(text):
                yield Piece(f"{mark.strip()}\n\n{text.lstrip()}")
            else:
                apart = "\n\n" if is_table(text) or is_code(text) else ""
                yield Piece(f"{body}{apart}{mark}{text[len(body) :]}")


def _open_code(text: str) -> str:
    """The block of code that a text leaves open; empty where it leaves none."""
    *_, last = units(iter([text])) if ends_in_code(text) else [""]
    return last if is_code(last) else ""


def _shown(evidence: Sequence[Evidence], format: Format) -> str:
    """The evidence in words, with a number at each piece: a format that leaves them out cannot be cited."""
    apart = list(map(evidence_told_apart, evidence))
    shown = format(apart)
    return shown if all(f"[{item.id}]" in shown for item in apart) else triples(apart)


def _as_pieces(texts: Iterator[str], written: Streamed) -> Iterator[Piece]:
    yield from map(Piece, texts)
    if written.is_cut:
        yield Piece("", cut=True)


def _written(model: LanguageModel, messages: Sequence[Message]) -> Streamed:
    return model.stream(messages, purpose="answer", max_tokens=_TOKENS, must_say=True)
