"""How a turn works with the model at hand: the one place that decides it.

No other module asks which model runs.
"""

from dataclasses import dataclass
from typing import Literal

from assistant.settings import OwnKnowledge, Settings
from assistant.types import Profile


@dataclass(frozen=True, slots=True)
class Policy:
    """What differs from model to model in how a turn works.

    Attributes:
        shortcuts: forms of words may stand in for a call of the model.
        sentence_by_sentence: a message of several sentences is understood in each of them as well.
        tells_what_ends: what the user tells is read in one call that has the known facts in view, and says which of
            them hold no more; else in one for each sentence, and two more say when that is so, and what it ends.
        reader: how a reply is asked for and judged. The small way has shorter prompts, replies under a grammar and
            judges each sentence with one token; the free one leaves the form to the model and judges the whole.
        own_knowledge: whether the model may answer what no evidence does, and whether it is marked then.
        unsupported: what becomes of a sentence that its evidence does not support, or that nobody could judge.
        history_characters: how much of the conversation a reply has in view.
        evidence_characters: how much of the evidence, and
        evidence_pieces: how many pieces of it at most.
        reply_tokens: how long a reply may become before it is cut.
    """

    shortcuts: bool = True
    sentence_by_sentence: bool = True
    tells_what_ends: bool = False
    reader: Literal["small", "free"] = "small"
    own_knowledge: OwnKnowledge = "never"
    unsupported: Literal["withhold", "mark"] = "withhold"
    history_characters: int = 6_000
    evidence_characters: int = 5_000
    evidence_pieces: int = 14
    reply_tokens: int = 700


SMALL = Policy()
_HISTORY_CHARACTERS, _EVIDENCE_CHARACTERS = 8_000, 12_000
_EVIDENCE_PIECES, _REPLY_TOKENS = 40, 2_000
_TOKENS_FOR_THAT = 16_000  # in Chinese; a third to a half of that in European languages
_TOKENS_BESIDE = 3_500  # for the prompt, the message and the reply, which the judge reads as well
_AT_LEAST, _AT_MOST = 0.25, 4.0  # as much: with less there is little to answer from, and more is slow and dear


def policy_for(profile: Profile, settings: Settings) -> Policy:
    """The policy for a model of this profile, with what the operator has set."""
    if profile.size == "small":
        return Policy(own_knowledge=settings.own_knowledge or "never")
    own_knowledge = settings.own_knowledge or "marked"
    context = profile.context_tokens
    times = (context - _TOKENS_BESIDE) / _TOKENS_FOR_THAT if context else 1.0
    times = min(max(times, _AT_LEAST), _AT_MOST)
    return Policy(
        shortcuts=False,
        sentence_by_sentence=False,
        tells_what_ends=True,
        reader="free",
        own_knowledge=own_knowledge,
        unsupported="withhold" if own_knowledge == "never" else "mark",
        history_characters=int(times * _HISTORY_CHARACTERS),
        evidence_characters=int(times * _EVIDENCE_CHARACTERS),
        evidence_pieces=_EVIDENCE_PIECES,
        reply_tokens=_REPLY_TOKENS,
    )
