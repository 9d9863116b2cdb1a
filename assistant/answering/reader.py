"""From evidence to an answer: the model words it, and what it says is checked before anybody reads it.

A capable model words it as it was asked for; a bare name or number that stands in what it cites is shown at once, and
from the first sentence on that only a model can judge, the answer waits for its end and is judged in one call. A small
one cites under a grammar, says less, and is asked of each sentence whether it follows; what a search surely came to
needs no model at all. What the evidence does not support, or nobody could judge, is marked or withheld. Nothing else is
changed but citations. The policy says which.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from assistant import prompting
from assistant.answering import entailment
from assistant.answering.addressing import addressed
from assistant.answering.checker import Checker, Sentence, judged
from assistant.answering.composing import as_it_stands, composed
from assistant.answering.computing import NO_NUMBERS, computed, fails, with_results
from assistant.answering.context import BESIDE, fitting, recent, today
from assistant.answering.declining import NOT_IN_EVIDENCE, declined, or_without
from assistant.answering.loops import without_loop
from assistant.answering.pieces import Piece, as_pieces, citing_nothing, joined, last_words, put_back
from assistant.answering.units import is_code, is_table, sentences, units
from assistant.citations import (
    Lookalikes,
    as_text,
    cited,
    ends_in_code,
    evidence_told_apart,
    recited,
    told_apart,
    without_citations,
)
from assistant.llm.client import LanguageModel, Streamed
from assistant.llm.grammars import citing
from assistant.messages import Phrase, say
from assistant.messages.languages import english_name
from assistant.policy import Policy
from assistant.search.formats import Format, triples
from assistant.types import Evidence, Message, Turn
from memory.folding import fold, terms

_NOT_HELD = {"small": "UNKNOWN", "free": "NOT_IN_EVIDENCE"}  # the prompts' words for what the evidence does not hold
_NOT_FROM_SOURCES = Phrase(" (not from your sources)")
_NOT_CHECKED = Phrase(" (could not be checked)")
_NEXT = "Next"  # what comes behind a text, to see whether it goes on with its last sentence
_A_PIECE = 250  # characters at least, where it can be chosen
_FIRST_SENTENCES = 3  # of a document that stand for its summary where nothing else does


class Reader:
    """Words what a turn answers. Everything raises as `LanguageModel.stream`."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._is_free = policy.reader == "free"
        self._not_held = _NOT_HELD[policy.reader]

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
        found = self._found(model, turn, evidence, format)
        decline = declined(turn, evidence, unreachable)
        return or_without(found, turn, decline, self._policy.own_knowledge, lambda: self.converse(model, turn))

    @property
    def room(self) -> tuple[int, int]:
        """How many characters of text, and how many pieces of it, the model reads at once as evidence."""
        characters = self._policy.evidence_characters
        pieces = min(self._policy.evidence_pieces, characters // (_A_PIECE + BESIDE))
        return characters - pieces * BESIDE, pieces

    def summary(self, model: LanguageModel, turn: Turn, title: str, passages: Sequence[Evidence]) -> Iterator[Piece]:
        """Sum up the document called `title`."""
        turn = replace(turn, question=f"{turn.text} ({title})")
        if self._is_free:
            found = self._found(model, turn, passages, triples)
            return or_without(found, turn, declined(turn, passages, ()), "never", lambda: self.converse(model, turn))
        return self._short_summary(model, turn, title, passages)

    def converse(self, model: LanguageModel, turn: Turn, known: Sequence[str] = ()) -> Iterator[Piece]:
        """Reply where nothing has to be searched, with what is `known` in view."""
        written = self._written(model, self._conversing(turn, known), self._without_numbers(turn, known))
        return self._as_written(_with_sums(written, turn), written)

    def continued(self, model: LanguageModel, turn: Turn, known: Sequence[str] = ()) -> Iterator[Piece]:
        """Say what the answer `turn.continues` still lacks, with what is `known` in view where it had no evidence."""
        before = turn.continues
        evidence = fitting(turn.evidence, self._policy.evidence_characters)
        shown = _shown(evidence, triples)
        asked = self._asking(turn, shown) if evidence else self._conversing(turn, known)
        go_on = prompting.load("continue").render(last_words=last_words(before))
        so_far = Message("assistant", before[-self._policy.history_characters :])
        written = self._written(model, [*asked, so_far, *go_on])
        if not evidence:
            return self._as_written(joined(before, _with_sums(written, turn)), written)
        further = joined(before, written)
        pieces = self._checked(model, turn, evidence, shown, written, pieces=further, before=before)
        return put_back(pieces, Lookalikes.of(evidence, turn.question, turn.text), before)

    def _found(self, model: LanguageModel, turn: Turn, evidence: Sequence[Evidence], format: Format) -> Iterator[Piece]:
        """What the evidence answers; nothing where it does not."""
        if not evidence:
            return
        lookalikes = Lookalikes.of(evidence, turn.question, turn.text)
        apart = list(map(evidence_told_apart, evidence))
        if not self._is_free and (said := composed(turn, apart)):
            yield from put_back(iter([Piece(said, supported=True)]), lookalikes)
            return
        answered = False
        for piece in put_back(self._from_evidence(model, turn, evidence, format), lookalikes):
            answered = True
            yield piece
        if not self._is_free and not answered and (said := as_it_stands(apart)):
            yield from put_back(iter([Piece(said, supported=True)]), lookalikes)

    def _from_evidence(
        self, model: LanguageModel, turn: Turn, evidence: Sequence[Evidence], format: Format
    ) -> Iterator[Piece]:
        """What the model says from evidence; nothing where it says that this does not answer."""
        evidence = fitting(evidence[: self._policy.evidence_pieces], self._policy.evidence_characters)
        shown = _shown(evidence, format)
        grammar = "" if self._is_free else citing([item.id for item in evidence], self._not_held)
        seldom = self._not_held if grammar else ""  # what is said in its stead is judged
        written = self._written(model, self._asking(turn, shown), grammar, seldom)
        pieces = None if self._is_free else without_loop(written)
        return self._checked(model, turn, evidence, shown, written, pieces=pieces)

    def _short_summary(
        self, model: LanguageModel, turn: Turn, title: str, passages: Sequence[Evidence]
    ) -> Iterator[Piece]:
        """What a small model writes as the summary: sentences of which each name and number stands in the passages;
        where there are none, the first sentences of the first ones."""
        texts = (f"[{item.id}] {' '.join(item.text.split())}" for item in map(evidence_told_apart, passages))
        messages = prompting.load("summary").render(title=told_apart(title), evidence="\n".join(texts))
        checker = Checker(turn.question, turn.text, passages, trusted=False)
        written = self._written(model, messages, citing([item.id for item in passages]))
        says = False
        for piece in put_back(_held(checker, written, passages), Lookalikes.of(passages, turn.question, title)):
            says = True
            yield piece
        if not says:
            first = (f"{as_text(sentences(item.text)[0].strip())} [{item.id}]" for item in passages[:_FIRST_SENTENCES])
            yield Piece(" ".join(first), supported=True)
        elif written.is_cut:
            yield Piece("", cut=True)

    def _as_written(self, texts: Iterator[str], written: Streamed) -> Iterator[Piece]:
        """A reply from no evidence; of a small model without the end that it says over and over."""
        return citing_nothing(as_pieces(texts if self._is_free else without_loop(texts), written))

    def _written(
        self, model: LanguageModel, messages: Sequence[Message], grammar: str = "", seldom: str = ""
    ) -> Streamed:
        tokens = self._policy.reply_tokens
        return model.stream(
            messages, purpose="answer", max_tokens=tokens, grammar=grammar, seldom=seldom, must_say=True
        )

    def _without_numbers(self, turn: Turn, known: Sequence[str]) -> str:
        """For a small model the grammar of a reply without sums of numbers, where no numeral is in view."""
        in_view = chain([turn.text], known, (message.content for message in self._recent(turn)))
        has_numbers = any(letter.isnumeric() for text in in_view for letter in text)
        return "" if self._is_free or has_numbers else NO_NUMBERS

    def _asking(self, turn: Turn, shown: str) -> list[Message]:
        *head, last = prompting.load("answer_free" if self._is_free else "answer").render(
            text=told_apart(turn.text),
            question=told_apart(turn.question or turn.text),
            evidence=shown,
            language=english_name(turn.language),
            today=today(turn),
        )
        return [*head, *(self._recent(turn) if self._is_free else ()), last]

    def _conversing(self, turn: Turn, known: Sequence[str] = ()) -> list[Message]:
        *head, last = prompting.load("converse_free" if self._is_free else "converse").render(
            text=turn.text, known="; ".join(known), today=today(turn), language=english_name(turn.language)
        )
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
        checker = Checker(turn.question or turn.text, f"{told}\n{turn.text}", evidence, trusted=self._is_free)
        said, held = list[Sentence](), list[Sentence]()
        code, lacks, answers = _open_code(before), False, False
        begun = _open_sentence(before)
        for part in self._readable(units(chain([code], pieces or written)), turn):
            if code:
                yield Piece(part.removeprefix(code))
                code, begun, answers = "", "", True
                continue
            unit, sums = (part, []) if is_code(part) else computed(part, turn.at.date(), turn.language)
            unit, unknown = self._of_nothing_held(unit, turn.language)
            lacks = lacks or unknown != unit
            answers = answers or (unknown == unit and bool(cited(unit)))
            if unknown == unit or any(map(str.isalnum, without_citations(unit.replace(self._not_held, "")))):
                sentence = checker.checked(unknown, sums)
            elif answers:
                sentence = Sentence(without_citations(unknown), "supported")  # in words of ours, of a part
            else:
                return
            if not self._is_free and sentence.finding == "doubtful":
                sentence = self._judged(model, turn, begun, sentence.text, evidence)
                if sentence.finding == "supported":
                    sentence = replace(sentence, text=addressed(model, sentence.text, evidence))
            begun = ""
            if sentence.finding == "unsupported" and not self._is_free and self._policy.unsupported == "withhold":
                continue
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

    def _readable(self, parts: Iterator[str], turn: Turn) -> Iterator[str]:
        """The units of a reply, of a small model without those whose sums cannot be read."""
        for part in parts:
            if self._is_free or is_code(part) or not fails(part, turn.at.date(), turn.language):
                yield part

    def _of_nothing_held(self, unit: str, language: str) -> tuple[str, str]:
        """A unit, and the same in words of ours where it has the word for what the evidence does not hold: of a small
        model one that has no other, for a thing's "status" may be "unknown"."""
        word, said = self._not_held, say(language, NOT_IN_EVIDENCE)
        if self._is_free:
            return unit, unit.replace(word, said)
        return (word, said) if fold(unit) == fold(word) else (unit, unit)

    @staticmethod
    def _judged(model: LanguageModel, turn: Turn, begun: str, text: str, evidence: Sequence[Evidence]) -> Sentence:
        """A sentence that goes on with what is `begun`, citing what it follows from."""
        numbers = entailment.entailing(model, turn.question, begun + text, evidence)
        if not numbers:
            return Sentence(text, "unsupported")
        instead = {number: number if number in numbers else numbers[0] for number in cited(text)}
        return Sentence(recited(text, instead), "supported")

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


def _held(checker: Checker, written: Iterator[str], passages: Sequence[Evidence]) -> Iterator[Piece]:
    """The sentences of a summary that cite, and of which each name and number stands in the passages; supported are
    those of which half of the words do, too."""
    there = set(terms("\n".join(item.text for item in passages)))
    for unit in units(without_loop(written)):
        said = checker.checked(unit)
        if said.finding != "unsupported" and cited(said.text) and checker.values_stand(said.text):
            words = set(terms(without_citations(said.text)))
            yield Piece(said.text, supported=2 * len(words & there) >= len(words))


def _open_sentence(text: str) -> str:
    """The sentence that goes on behind a text; empty where it has ended."""
    *_, last = sentences(text.rpartition("\n")[2] + _NEXT)
    return last.removesuffix(_NEXT)


def _open_code(text: str) -> str:
    """The block of code that a text leaves open; empty where it leaves none."""
    *_, last = units(iter([text])) if ends_in_code(text) else [""]
    return last if is_code(last) else ""


def _shown(evidence: Sequence[Evidence], format: Format) -> str:
    """The evidence in words, with a number at each piece: a format that leaves them out cannot be cited."""
    apart = list(map(evidence_told_apart, evidence))
    shown = format(apart)
    return shown if all(f"[{item.id}]" in shown for item in apart) else triples(apart)


def _with_sums(pieces: Iterator[str], turn: Turn) -> Iterator[str]:
    """What a model writes behind `turn.continues`, with its sums computed."""
    return with_results(pieces, turn.at.date(), turn.language, turn.continues)
