"""Evidence into a streamed answer with [n] citations, or a plain word that the answer is not there.

Nothing is shown until the reply has said something that the evidence bears, and what the search surely came to. Where
it begins with something else than was found by the very relation that was asked for, and rests on text, on another
relation or on a step of a path that led elsewhere, the model is asked whether that follows. A reply that never does is
declined; to one that tells some of what was found, the rest is added. Questions of yes or no, and of which of two, are
asked in ways of their own.
"""

import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from assistant import prompting
from assistant.answering import comparing, findings, polar, support
from assistant.answering.citing import cited_rightly
from assistant.answering.computing import with_results
from assistant.answering.entailment import entailed, rest_entailed
from assistant.answering.pruning import sides, without_another_end
from assistant.answering.spelling import spelled_as_found
from assistant.answering.units import sentences
from assistant.citations import (
    Lookalikes,
    as_text,
    as_texts,
    cited,
    ends_in_code,
    evidence_told_apart,
    told_apart,
    without_citations,
)
from assistant.knowledge_bases.relations import CLEAR, SAME
from assistant.language import language_of
from assistant.llm.client import LanguageModel, Streamed
from assistant.messages import Phrase, listed, say
from assistant.messages.catalogues import LANGUAGES
from assistant.messages.languages import english_name
from assistant.messages.shared import knowledge_base
from assistant.policy import SMALL
from assistant.search.evidence import LISTED, READ, RESULT, listing, objects
from assistant.search.formats import Format, told, triples
from assistant.search.kinds import FIGURE, is_no_name, mismatch
from assistant.search.quantities import quantity
from assistant.settings import OwnKnowledge
from assistant.types import Evidence, Message, Turn

# The prompt's word for what the evidence does not hold; the Unknown Warrior is somebody.
_UNKNOWN = re.compile(r"\bUNKNOWN\b|^\W*unknown\W*$", re.MULTILINE)
_LOOP = re.compile(r"(\w.{1,40}?)\1{5}$", re.DOTALL)
_LOOKED_BACK = 300  # characters
_SO_MANY = re.compile(  # "name three cities"
    r"^\W*(?:please )?(?:name|list|give me|tell me)(?: me)? (\w+)\b|(?:说出|列出|列举|举出)([一二两三四五六七八九十]+)",
    re.IGNORECASE,
)
_TOKENS, _CONVERSING_TOKENS = 400, 700
_LAST_WORDS = 60  # characters of a cut answer that the model is to begin with, so that the two can be joined …
_SAID_AGAIN = 200  # … and those at the beginning of what it writes among which they are looked for …
_SURELY_AGAIN, _AGAIN_AT_ONCE = 12, 6  # … or as many of them as do not stand there, or right at the start, by chance
_HISTORY_MESSAGES = 10
_MOST_NAMES = 200  # of a list

_NOTHING_FOUND = Phrase("I don't know: I looked, and found nothing about this.")
NOT_IN_EVIDENCE = Phrase("I don't know: what I found does not say.")
_UNREACHABLE = Phrase("I don't know: I could not look everywhere, {names} did not answer.")
_OWN_KNOWLEDGE = Phrase("I found nothing that says so; from general knowledge, unchecked:")
_FOUND_SO_MANY = Phrase("I found {n}: {names}")
_FOUND_SO_MANY_BUT = Phrase("I found {n}: {names} ({remark})")
_ALSO = Phrase("Also: {names}")
_NO_MODEL = Phrase("I can't answer without the language model; please ask again once it is there.")
_NO_MODEL_BUT_FOUND = Phrase("I can't answer without the language model, but this is what I found:")


@dataclass(frozen=True, slots=True)
class Piece:
    """The next text of an answer; `declined` where it says that the answer is not known.

    It is `composed` where code told it from the evidence that it cites, and no model put it into words, and `supported`
    where a model did and the evidence was found to support it. `cut` says that what the model wrote stops there before
    its end.
    """

    text: str
    declined: bool = False
    composed: bool = False
    supported: bool = False
    cut: bool = False


def grounded(pieces: Sequence[Piece], question: str, evidence: Sequence[Evidence]) -> bool:
    """Whether the evidence holds all that an answer says: of what the model says, the words tell, or the checker."""
    of_the_model = "".join(piece.text for piece in pieces if not (piece.composed or piece.supported))
    if of_the_model:
        return support.grounded(of_the_model, question, evidence)
    return any(piece.composed or cited(piece.text) for piece in pieces)


def answer(
    model: LanguageModel,
    turn: Turn,
    evidence: Sequence[Evidence],
    *,
    own_knowledge: OwnKnowledge,
    format: Format = triples,
    unreachable: Sequence[str] = (),
) -> Iterator[Piece]:
    """Answer `turn.question` from `evidence`, which `format` puts into words.

    Only numbers of the evidence stand in brackets there, so that what evidence or question have in such cites nothing.
    Where that does not answer it, `or_without` does. A decline says which knowledge bases were `unreachable`.

    Raises:
        Interrupted, ModelUnavailable: as `LanguageModel.stream`.
    """
    lookalikes = Lookalikes.of(evidence, turn.question)
    apart = replace(turn, question=told_apart(turn.question))
    found = put_back(_from_what_was_found(model, apart, list(map(evidence_told_apart, evidence)), format), lookalikes)
    decline = declined(turn, evidence, unreachable)
    return or_without(found, turn, decline, own_knowledge, lambda: converse(model, turn))


def or_without(
    found: Iterator[Piece],
    turn: Turn,
    decline: Piece,
    own_knowledge: OwnKnowledge,
    conversed: Callable[[], Iterator[Piece]],
) -> Iterator[Piece]:
    """What is `found` in evidence; where that is nothing, the decline, or what the model itself says where it may."""
    answered = False
    for piece in found:
        answered = True
        yield piece
    if answered:
        return
    if own_knowledge == "never":
        yield decline
        return
    if own_knowledge == "marked":
        yield _from_own_knowledge(turn)
    yield from conversed()


def _from_own_knowledge(turn: Turn) -> Piece:
    """What stands before an answer that no evidence gives."""
    return Piece(f"{say(turn.language, _OWN_KNOWLEDGE)}\n\n")


def is_own_knowledge(said: str) -> bool:
    """Whether an answer says at its beginning that no evidence gives it; one that is not marked so does not."""
    return any(said.startswith(say(language, _OWN_KNOWLEDGE)) for language in LANGUAGES)


def declined(turn: Turn, evidence: Sequence[Evidence], unreachable: Sequence[str]) -> Piece:
    """That the answer is not known, and why."""
    if unreachable:
        away = [knowledge_base(turn.language, name) for name in unreachable]
        return Piece(say(turn.language, _UNREACHABLE, names=away), declined=True)
    return Piece(say(turn.language, NOT_IN_EVIDENCE if evidence else _NOTHING_FOUND), declined=True)


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


def _from_what_was_found(
    model: LanguageModel, turn: Turn, evidence: Sequence[Evidence], format: Format
) -> Iterator[Piece]:
    """What the evidence answers; nothing where it does not."""
    evidence = without_another_end(model, turn.question, comparing.without_difference(turn.question, evidence))
    if evidence and len(named := _listed(evidence)) >= LISTED:
        told = _named(turn, _FOUND_SO_MANY_BUT if evidence[0].text else _FOUND_SO_MANY, named, evidence[0].text)
        yield Piece(f"{told} [{evidence[0].id}]", composed=True)
        return
    shown = fitting(evidence[:READ])
    answered = False
    for piece in _replied(model, turn, shown, format):
        answered = True
        yield piece
    if answered:
        return
    if shown and (found := _found(model, turn, shown)):  # a small model at times does not see the answer
        yield Piece(found, composed=True)


def summary(model: LanguageModel, turn: Turn, title: str, passages: Sequence[Evidence]) -> Iterator[Piece]:
    """Sum up the document called `title`; raises as `LanguageModel.stream`.

    Where the model writes nothing that the passages bear, the first sentences of the first ones stand for it.
    """
    lookalikes = Lookalikes.of(passages, turn.question, title)
    apart = list(map(evidence_told_apart, passages))
    texts = "\n".join(f"[{item.id}] {' '.join(item.text.split())}" for item in apart)
    messages = prompting.load("summary").render(title=told_apart(title), evidence=texts)
    written = False
    pieces = _from_evidence(_written(model, messages, _TOKENS), told_apart(turn.question), apart)
    for piece in put_back(pieces, lookalikes):
        written = True
        yield piece
    if not written:
        said = (f"{as_text(support.sentences(item.text)[0].strip())} [{item.id}]" for item in passages[:3])
        yield Piece(" ".join(said))


def converse(model: LanguageModel, turn: Turn, known: Sequence[str] = ()) -> Iterator[Piece]:
    """A reply that needs no search, with what is `known` in view; raises as `LanguageModel.stream`."""
    written = _written(model, _conversing(turn, known), _CONVERSING_TOKENS)
    return citing_nothing(_without_end(with_sums(written, turn), written))


def continued(model: LanguageModel, turn: Turn, known: Sequence[str] = ()) -> Iterator[Piece]:
    """What `turn.continues` still lacks, from `turn.evidence` where that answer had any, else with what is `known`.

    Raises:
        Interrupted, ModelUnavailable: as `LanguageModel.stream`.
    """
    lookalikes, question = Lookalikes.of(turn.evidence, turn.question), told_apart(turn.question)
    evidence = fitting(list(map(evidence_told_apart, turn.evidence[:READ])))
    asked = _answering(question, evidence, triples) if evidence else _conversing(turn, known)
    written = _written(model, going_on(asked, turn.continues), _CONVERSING_TOKENS)
    if not evidence:
        return citing_nothing(_without_end(joined(turn.continues, with_sums(written, turn)), written))
    further = joined(turn.continues, written)
    pieces = _from_evidence(written, question, evidence, said=turn.continues, pieces=further)
    return put_back(pieces, lookalikes, turn.continues)


def going_on(asked: Sequence[Message], before: str, room: int = SMALL.history_characters) -> list[Message]:
    """The messages that ask for what a reply still lacks, of which the end is shown that has room."""
    last_words = before[-_LAST_WORDS:].partition(" ")[2] or before[-_LAST_WORDS:]
    go_on = prompting.load("continue").render(last_words=last_words)
    return [*asked, Message("assistant", before[-room:]), *go_on]


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


def _without_end(pieces: Iterator[str], written: Streamed) -> Iterator[Piece]:
    """A reply up to where it begins to say the same over and over, as a small model may until it is cut off."""
    said = ""
    for piece in pieces:
        for place, character in enumerate(piece):
            said += character
            if _LOOP.search(said[-_LOOKED_BACK:]):
                yield Piece(piece[:place])
                return
        yield Piece(piece)
    if written.is_cut:
        yield Piece("", cut=True)


def today(turn: Turn) -> str:
    """The day of a turn, as prompts say it."""
    return f"{turn.at:%A, %d %B %Y}"


def with_sums(pieces: Iterator[str], turn: Turn) -> Iterator[str]:
    """What a model writes behind `turn.continues`, with its sums computed."""
    return with_results(pieces, turn.at.date(), turn.language, turn.continues)


def without_model(turn: Turn, evidence: Sequence[Evidence]) -> str:
    """What is said while no model can be reached: the evidence as it stands."""
    if not evidence:
        return say(turn.language, _NO_MODEL)
    lines = [f"- {as_text(told(item))} [{item.id}]" for item in evidence]
    return "\n".join([say(turn.language, _NO_MODEL_BUT_FOUND), "", *lines])


@dataclass
class _Following:
    """Whether what is said was clearly found, or follows from the evidence; the model is asked that twice at most."""

    model: LanguageModel
    question: str
    evidence: Sequence[Evidence]
    _left: int = 2

    def __call__(self, said: str) -> bool:
        first = self.evidence[0]
        if is_no_name(self.question, support.claims(said, self.question)):
            return False
        if findings.says_what_was_found(said, self.question, first):
            return True
        if all(map(self._is_sure, support.rests_on(said, self.evidence))):
            return True
        self._left -= 1
        return self._left >= 0 and entailed(self.model, self.question, said, self.evidence)

    def _is_sure(self, item: Evidence) -> bool:
        """Whether it is a result, or a triple by the question's own name for it, and no step to another result."""
        if item.relation == RESULT or self.evidence[0].relation == RESULT:
            return item.relation == RESULT
        return not item.text and findings.asked_by_name(item, self.question)


def _replied(model: LanguageModel, turn: Turn, evidence: Sequence[Evidence], format: Format) -> Iterator[Piece]:
    """What is said to the question that the evidence bears; nothing where the model finds no answer there."""
    if not evidence:
        return
    question, first = turn.question, evidence[0]
    if computed := polar.computed(turn, evidence):
        yield Piece(computed, composed=True)
        return
    judged = _judged(model, turn, evidence, format)
    if judged is not None:
        if judged:
            yield Piece(judged)
        return
    said = ""
    written = _written(model, _answering(question, evidence, format), _TOKENS)
    for piece in _from_evidence(written, question, evidence, _Following(model, question, evidence)):
        said += piece.text
        if piece.cut:
            yield piece
            return
        yield piece
    whole = findings.whole(evidence)
    missing = findings.left_out(said, question, whole) if said else []
    clear_path = first.relation == RESULT and first.score >= CLEAR
    if missing and (clear_path or rest_entailed(model, question, missing, whole)):
        yield Piece(f"\n\n{say(turn.language, _ALSO, names=missing)} [{first.id}]", composed=True)


def _judged(model: LanguageModel, turn: Turn, evidence: Sequence[Evidence], format: Format) -> str | None:
    """The answer to a question of yes or no, or of which of two, as `verdict` and `compared`; None for any other, and
    where a program has told it already."""
    first = evidence[0]
    if comparing.is_comparison(turn.question):
        return None if first.relation == RESULT else comparing.compared(model, turn, evidence, format)
    if polar.is_left_open(turn, first):
        return polar.verdict(model, turn, evidence, format)
    return None


def _from_evidence(
    written: Streamed,
    question: str,
    evidence: Sequence[Evidence],
    follows: Callable[[str], bool] = lambda _: True,
    *,
    said: str = "",
    pieces: Iterator[str] | None = None,
) -> Iterator[Piece]:
    """What is shown of a reply that is `written` from evidence; with `said`, of the `pieces` that go on with that."""
    shown, goes_on = len(said), bool(said)
    for sentence in _by_sentence(pieces or written):
        if _UNKNOWN.search(sentence) and not shown:
            return
        further = sentence
        if not ends_in_code(said):
            further = cited_rightly(spelled_as_found(sentence, question, evidence), question, evidence)
        if shown and not goes_on and _is_made_up(further, question, evidence):
            continue
        goes_on = False  # with the rest of a sentence, which may have no word of its own
        said += further
        if not shown and (not _is_borne(said, question, evidence) or findings.passes_over(said, question, evidence)):
            continue
        if not shown and not follows(said):
            continue
        yield Piece(said[shown:])
        shown = len(said)
    if shown and written.is_cut:
        yield Piece("", cut=True)


def _written(model: LanguageModel, messages: Sequence[Message], max_tokens: int) -> Streamed:
    return model.stream(messages, purpose="answer", max_tokens=max_tokens, must_say=True)


def _answering(question: str, evidence: Sequence[Evidence], format: Format) -> list[Message]:
    return prompting.load("answer").render(evidence=format(evidence), question=question)


def _conversing(turn: Turn, known: Sequence[str] = ()) -> list[Message]:
    language = english_name(turn.language)
    *head, last = prompting.load("converse").render(
        text=turn.text, known="; ".join(known), today=today(turn), language=language
    )
    return [*head, *recent(turn.history), last]


def _is_borne(said: str, question: str, evidence: Sequence[Evidence]) -> bool:
    return support.borne(support.claims(said, question), evidence) >= support.BORNE


def _is_made_up(further: str, question: str, evidence: Sequence[Evidence]) -> bool:
    """Whether no evidence has a word of a further sentence, nor has that a figure, which may be a rounded one."""
    figures = FIGURE.search(without_citations(further))
    return not figures and not support.borne(support.claims(further, question), evidence)


def _listed(evidence: Sequence[Evidence]) -> Sequence[str]:
    """The items of the search's result; none where one or two relations do not lead to all: that is no list of a thing.

    "Starred in" and "directed" may both lead to films.
    """
    first = evidence[0]
    if first.relation != RESULT:
        return ()
    named = set(objects(first))
    by_relation: dict[str, set[str]] = defaultdict(set)
    for item in evidence[1:]:
        by_relation[item.relation] |= sides(item) & named if item.object else set()
    met = set().union(*by_relation.values())
    one_thing = any(one | other == met for one in by_relation.values() for other in by_relation.values())
    return objects(first) if one_thing or not met else ()


def _named(turn: Turn, phrase: Phrase, names: Sequence[str], remark: str) -> str:
    """The phrase with the names, as many as the question asks for and not thousands, and the remark."""
    most = min(_so_many(turn.question) or _MOST_NAMES, _MOST_NAMES)
    return say(turn.language, phrase, n=len(names), names=listed(turn.language, names, most), remark=remark)


def _so_many(question: str) -> int | None:
    """How many of the things that it asks for a question wants to hear; None where it does not say."""
    asked = _SO_MANY.search(question)
    number = quantity(asked[1] or asked[2]) if asked else None
    return int(number) if number and 1 <= number < math.inf else None


def _found(model: LanguageModel, turn: Turn, evidence: Sequence[Evidence]) -> str:
    """What the search came to as it stands, where it is the answer; raises as `LanguageModel.weigh`."""
    question = turn.question
    if joining := findings.relations_between(question, evidence):
        said = "; ".join(f"{told(item)} [{item.id}]" for item in joining)
        return said if entailed(model, question, said, joining) else ""
    first = evidence[0]
    if polar.is_left_open(turn, first):  # no thing is a yes
        return ""
    ends = findings.clear_end(findings.whole(evidence), question)
    if not any(ends) or is_no_name(question, ends) or (first.score < SAME and mismatch(question, ends)):
        return ""
    said = f"{listing(ends)} [{first.id}]"
    # What a path of clear relations led to says too little of itself to be judged by it.
    sure = first.relation == RESULT or findings.asked_by_name(first, question)
    return said if sure or entailed(model, question, said, evidence) else ""


def _by_sentence(pieces: Iterator[str]) -> Iterator[str]:
    """Whole sentences as they become complete, each with the citations behind it."""
    text = ""
    for piece in pieces:
        text += piece
        *whole, rest = sentences(text) or [text]
        yield from whole
        text = rest
    if text:
        yield text


def fitting(evidence: Sequence[Evidence], room: int = SMALL.evidence_characters) -> list[Evidence]:
    """The first pieces of evidence that have room in so many characters; one at least."""
    fitting: list[Evidence] = []
    characters = 0
    for item in evidence:
        characters += len(item.object) + len(item.text) + 40
        if fitting and characters > room:
            break
        fitting.append(item)
    return fitting


def recent(history: Sequence[Message], room: int = SMALL.history_characters) -> list[Message]:
    """The last messages of a conversation that have room in so many characters.

    They come without citations: what its answers cited is other evidence than that of now.
    """
    recent: list[Message] = []
    characters = 0
    for message in reversed(history[-_HISTORY_MESSAGES:]):
        characters += len(message.content)
        if characters > room:
            break
        content = without_citations(message.content) if message.role == "assistant" else message.content
        recent.append(replace(message, content=content))
    return recent[::-1]
