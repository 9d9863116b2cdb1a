"""Which known facts hold no more by what the user tells: what the reading of it says to be over, else one constrained
call of a small model.

As Graphiti does (Rasmussen et al., 2025, section 2.2.3), what is new is held against the nearest facts of its subject,
and nothing but the model says which of them it ends. Which relations have one value at a time, no list tells.
"""

from collections.abc import Sequence
from dataclasses import replace

from assistant import prompting
from assistant.acquaintance import line
from assistant.llm.client import LanguageModel
from assistant.llm.grammars import numbered, numbers
from memory.folding import fold
from memory.types import Extraction, Fact, FactKind, Span, Statement
from memory.user_memory import UserMemory

_CANDIDATES = 5
_RECALLED = 30
_TOKENS = 12


def updated(
    model: LanguageModel, memory: UserMemory, text: str, told: Extraction, spoken_of: Sequence[Fact]
) -> tuple[Extraction, list[Fact]]:
    """What a message tells, with the known facts that it ends, and which those are.

    What it says to be over is known, or is nothing to know. Of the facts that the message may be about, those that were
    just `spoken_of` go first.

    Raises:
        Interrupted, ModelUnavailable: as `LanguageModel.complete`.
    """
    known = _nearest(memory, text, told, spoken_of)
    not_so = {_of(one) for one in told.statements if one.denied}
    told = replace(told, statements=tuple(one for one in told.statements if not one.denied))
    ended = [fact for fact in known if _of(fact) in not_so]
    if known and not ended:
        messages = prompting.load("updating").render(facts=list(map(line, known)), text=" ".join(text.split()))
        reply = model.complete(
            messages, purpose="update", max_tokens=_TOKENS, stop=("\n",), grammar=numbered(len(known))
        )
        ended = [known[number - 1] for number in numbers(reply, len(known))]
    return _ending(told, ended, Span(0, len(text))), ended


def _nearest(memory: UserMemory, text: str, told: Extraction, spoken_of: Sequence[Fact]) -> list[Fact]:
    """Triples that hold of what the message is about and that it does not say itself, the nearest ones first."""
    recalled = [hit.fact for hit in memory.recall(text, _RECALLED) if hit.fact]
    subjects = {fold(mention.name) for mention in told.mentions} | {fold(fact.subject) for fact in spoken_of}
    said = {(*_of(one), fold(one.relation)) for one in told.statements if not one.denied}
    nearest = dict.fromkeys([*spoken_of, *(fact for fact in recalled if fold(fact.subject) in subjects)])
    found = [fact for fact in nearest if fact.kind is FactKind.TRIPLE and fact.valid_to is None]
    return [fact for fact in found if (*_of(fact), fold(fact.relation)) not in said][:_CANDIDATES]


def _of(told: Statement | Fact) -> tuple[str, str]:
    """Whom and what it joins."""
    return fold(told.subject), fold(told.object)


def _ending(told: Extraction, ended: Sequence[Fact], whole: Span) -> Extraction:
    """What is told with what it ends, each by a statement of the same subject; denied, where there is none."""
    over = set(map(_of, ended))
    statements = [one for one in told.statements if _of(one) not in over]
    denied = list[Statement]()
    for fact in ended:
        places = [
            place
            for place, one in enumerate(statements)
            if one.kind is FactKind.TRIPLE and fold(one.subject) == fold(fact.subject)
        ]
        if places:
            taking = statements[places[0]]
            statements[places[0]] = replace(taking, ends=(*taking.ends, fact.id))
        else:
            denied.append(Statement(FactKind.TRIPLE, fact.subject, fact.relation, fact.object, whole, denied=True))
    return replace(told, statements=(*statements, *denied))
