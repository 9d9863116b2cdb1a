"""What is said where no evidence answers: that, or what the model itself knows, marked."""

from collections.abc import Callable, Iterator, Sequence

from assistant.answering.pieces import Piece
from assistant.citations import as_text
from assistant.messages import Phrase, say
from assistant.messages.catalogues import LANGUAGES
from assistant.messages.shared import knowledge_base
from assistant.search.formats import told
from assistant.settings import OwnKnowledge
from assistant.types import Evidence, Turn

_NOTHING_FOUND = Phrase("I don't know: I looked, and found nothing about this.")
NOT_IN_EVIDENCE = Phrase("I don't know: what I found does not say.")
_UNREACHABLE = Phrase("I don't know: I could not look everywhere, {names} did not answer.")
_OWN_KNOWLEDGE = Phrase("I found nothing that says so; from general knowledge, unchecked:")
_NO_MODEL = Phrase("I can't answer without the language model; please ask again once it is there.")
_NO_MODEL_BUT_FOUND = Phrase("I can't answer without the language model, but this is what I found:")


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
        yield Piece(f"{say(turn.language, _OWN_KNOWLEDGE)}\n\n")
    yield from conversed()


def is_own_knowledge(said: str) -> bool:
    """Whether an answer says at its beginning that no evidence gives it; one that is not marked so does not."""
    return any(said.startswith(say(language, _OWN_KNOWLEDGE)) for language in LANGUAGES)


def declined(turn: Turn, evidence: Sequence[Evidence], unreachable: Sequence[str]) -> Piece:
    """That the answer is not known, and why."""
    if unreachable:
        away = [knowledge_base(turn.language, name) for name in unreachable]
        return Piece(say(turn.language, _UNREACHABLE, names=away), declined=True)
    return Piece(say(turn.language, NOT_IN_EVIDENCE if evidence else _NOTHING_FOUND), declined=True)


def without_model(turn: Turn, evidence: Sequence[Evidence]) -> str:
    """What is said while no model can be reached: the evidence as it stands."""
    if not evidence:
        return say(turn.language, _NO_MODEL)
    lines = [f"- {as_text(told(item))} [{item.id}]" for item in evidence]
    return "\n".join([say(turn.language, _NO_MODEL_BUT_FOUND), "", *lines])
