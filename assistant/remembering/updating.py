"""Which known facts hold no more by what the user tells: what the reading of it says to be over, else what the model,
asked about the nearest known fact, says to be over.

As Graphiti does (Rasmussen et al., 2025, section 2.2.3), what is new is held against the nearest facts of its subject,
and nothing but the model says whether one ends. Which relations have one value at a time, no list tells. Which fact a
sentence may end, embeddings know better than a small model that picks from a list (of 25 moves, changes and ends in
eight languages all, and 15); and asked about one alone, such a model tells "now" from "too".
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from assistant import prompting
from assistant.acquaintance import line
from assistant.errors import ModelReplyUnreadable
from assistant.language import has_question_mark
from assistant.llm.client import LanguageModel
from assistant.remembering.said import is_said
from memory.folding import fold, terms
from memory.passages import sentences
from memory.types import Extraction, Fact, FactKind, Span, Statement
from memory.user_memory import UserMemory

_NEAREST = 30
_SENTENCES, _CORRECTED, _CHARACTERS = 4, 4, 600  # of a message
_STILL, _OVER = "still", "over"  # the prompt's words

_Key = tuple[str, str, str]  # subject, relation and object


def updated(
    model: LanguageModel, memory: UserMemory, text: str, told: Extraction, spoken_of: Sequence[Fact]
) -> tuple[Extraction, list[Fact]]:
    """What a message tells, with the known facts that it ends, and which those are.

    Of the facts that the message may be about, those that were just `spoken_of` go first.

    Raises:
        Interrupted, ModelUnavailable: as `LanguageModel.complete`.
    """
    over = [one for one in told.statements if one.held.until]
    known = _nearest(memory, text, told, spoken_of) if over else []
    past = {one: fact for one in over if (fact := _same(one, known))}
    ended = dict.fromkeys(past.values())
    if not ended:
        asked = dict.fromkeys(_of_those(text, told, spoken_of)) or dict.fromkeys(_by_sentence(memory, text, told))
        ended = dict.fromkeys(fact for fact, said in asked if _is_over(model, fact, said))
    return _ending(told, list(ended), past, Span(0, len(text))), list(ended)


def _by_sentence(memory: UserMemory, text: str, told: Extraction) -> Iterator[tuple[Fact, str]]:
    """The nearest fact to each sentence of a message that does not ask, with the sentence."""
    said = (text[span.start : span.end] for span in sentences(text, 0, len(text)))
    for sentence in islice((one for one in said if not has_question_mark(one)), _SENTENCES):
        for fact in _nearest(memory, sentence, told, ())[:1]:
            yield fact, sentence


def _of_those(text: str, told: Extraction, spoken_of: Sequence[Fact]) -> Iterator[tuple[Fact, str]]:
    """The facts just spoken of in whose place a message tells something of the very relation; of several the one whose
    object it names, as in "no, Lena is called Lina"."""
    said = {_key(one) for one in told.statements}
    for one in told.statements[:_CORRECTED]:
        alike = [fact for fact in spoken_of if fold(fact.relation) == fold(one.relation) and _key(fact) not in said]
        alike.sort(key=lambda fact: not is_said(fact.object, text))
        for fact in alike[:1]:
            yield fact, text


def _is_over(model: LanguageModel, fact: Fact, said: str) -> bool:
    """Whether a fact is over by what is said; where the model does not say, it is kept."""
    messages = prompting.load("over").render(fact=line(fact), text=" ".join(said[:_CHARACTERS].split()))
    try:
        still, over = model.weigh(messages, [_STILL, _OVER], purpose="over")
    except ModelReplyUnreadable:
        return False
    return over > still


def _nearest(memory: UserMemory, text: str, told: Extraction, spoken_of: Sequence[Fact]) -> list[Fact]:
    """Triples that hold of those whom the message tells of, or that it names, and that it does not say itself; those
    that were spoken of go first, then the nearest ones. A number names nothing: a bed 3 is not of 3 February."""
    near = memory.nearest_facts(text, _NEAREST)
    subjects = {fold(one.subject) for one in told.statements}
    words = {word for word in terms(text) if not word.isnumeric()}
    said = {_key(one) for one in told.statements if not one.held.until}
    concerned = (
        fact
        for fact in near
        if fold(fact.subject) in subjects or not words.isdisjoint(terms(f"{fact.relation} {fact.object}"))
    )
    first = sorted(spoken_of, key=lambda fact: near.index(fact) if fact in near else len(near))
    found = [
        fact for fact in dict.fromkeys([*first, *concerned]) if fact.kind is FactKind.TRIPLE and fact.valid_to is None
    ]
    return [fact for fact in found if _key(fact) not in said]


def _same(told: Statement, known: Sequence[Fact]) -> Fact | None:
    """The known fact that is told as past, whatever its relation is called where there is but one of these two."""
    joining = [fact for fact in known if _key(fact)[::2] == _key(told)[::2]]
    alike = [fact for fact in joining if _key(fact) == _key(told)] or joining
    return alike[0] if len(alike) == 1 else None


def _key(told: Statement | Fact) -> _Key:
    return fold(told.subject), fold(told.relation), fold(told.object)


def _ending(told: Extraction, ended: Sequence[Fact], past: Mapping[Statement, Fact], whole: Span) -> Extraction:
    """What is told with what it ends, each by a statement of the same subject; denied, where there is none, and what
    is itself told as `past`."""
    held = {fact.id: one.held for one, fact in past.items()}
    statements = [one for one in told.statements if one not in past]
    denied = list[Statement]()
    for fact in ended:
        own = [
            place
            for place, one in enumerate(statements)
            if one.kind is FactKind.TRIPLE and fold(one.subject) == fold(fact.subject)
        ]
        own.sort(key=lambda place: statements[place].held.ahead)  # what is still to come ends nothing yet
        if fact.id not in held and own:
            place = own[0]
            statements[place] = replace(statements[place], ends=(*statements[place].ends, fact.id))
        else:
            one = Statement(FactKind.TRIPLE, fact.subject, fact.relation, fact.object, whole, denied=True)
            denied.append(replace(one, held=held.get(fact.id, one.held)))
    return replace(told, statements=(*statements, *denied))
