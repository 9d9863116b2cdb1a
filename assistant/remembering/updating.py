"""Which known facts hold no more by what the user tells: what the reading of it says to be over, else what a small
model picks out of a list and, asked about each pick alone, says to be over.

As Graphiti does (Rasmussen et al., 2025, section 2.2.3), what is new is held against the nearest facts of its subject,
and nothing but the model says which of them it ends. Which relations have one value at a time, no list tells. A small
model knows which fact of a list is meant, but picks one also where none is; it sees that when asked about one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from assistant import prompting
from assistant.acquaintance import line
from assistant.errors import ModelReplyUnreadable
from assistant.llm.client import LanguageModel
from assistant.llm.grammars import numbered, numbers
from memory.folding import fold, terms
from memory.types import Extraction, Fact, FactKind, Span, Statement
from memory.user_memory import UserMemory

_CANDIDATES = 5
_RECALLED = 30
_CHARACTERS = 2_000  # of the message
_TOKENS = 24
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
    known = _nearest(memory, text, told, spoken_of)
    past = {one: fact for one in told.statements if one.held.until and (fact := _same(one, known))}
    ended = list(dict.fromkeys(past.values()))
    if (offered := known[:_CANDIDATES]) and not ended:
        said = " ".join(text[:_CHARACTERS].split())
        messages = prompting.load("updating").render(facts=list(map(line, offered)), text=said)
        grammar = numbered(len(offered))
        reply = model.complete(messages, purpose="update", max_tokens=_TOKENS, stop=("\n",), grammar=grammar)
        picked = [offered[number - 1] for number in numbers(reply, len(offered))]
        ended = [fact for fact in picked if _is_over(model, fact, said)]
    return _ending(told, ended, past, Span(0, len(text))), ended


def _is_over(model: LanguageModel, fact: Fact, said: str) -> bool:
    """Whether a fact is over by what is said; where the model does not say, it is kept."""
    messages = prompting.load("over").render(fact=line(fact), text=said)
    try:
        still, over = model.weigh(messages, [_STILL, _OVER], purpose="over")
    except ModelReplyUnreadable:
        return False
    return over > still


def _nearest(memory: UserMemory, text: str, told: Extraction, spoken_of: Sequence[Fact]) -> list[Fact]:
    """Triples that hold of those whom the message tells of, or that it names, and that it does not say itself; those
    that were spoken of go first, then the nearest ones."""
    recalled = [hit.fact for hit in memory.recall(text, _RECALLED) if hit.fact]
    subjects, words = {fold(one.subject) for one in told.statements}, set(terms(text))
    said = {_key(one) for one in told.statements if not one.held.until}
    concerned = (
        fact
        for fact in recalled
        if fold(fact.subject) in subjects or not words.isdisjoint(terms(f"{fact.relation} {fact.object}"))
    )
    nearest = dict.fromkeys([*spoken_of, *concerned])
    found = [fact for fact in nearest if fact.kind is FactKind.TRIPLE and fact.valid_to is None]
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
        own = (
            place
            for place, one in enumerate(statements)
            if one.kind is FactKind.TRIPLE and fold(one.subject) == fold(fact.subject)
        )
        if fact.id not in held and (place := next(own, None)) is not None:
            statements[place] = replace(statements[place], ends=(*statements[place].ends, fact.id))
        else:
            one = Statement(FactKind.TRIPLE, fact.subject, fact.relation, fact.object, whole, denied=True)
            denied.append(replace(one, held=held.get(fact.id, one.held)))
    return replace(told, statements=(*statements, *denied))
