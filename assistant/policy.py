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
        reader: who answers from evidence. The one for small models looks for what it surely found; the free one leaves
            the form to the model and has checked what it says.
        own_knowledge: whether the model may answer what no evidence does, and whether it is marked then.
        unsupported: what becomes of a sentence that its evidence does not support.
        history_characters: how much of the conversation a reply has in view.
        evidence_characters: how much of the evidence.
    """

    shortcuts: bool = True
    reader: Literal["small", "free"] = "small"
    own_knowledge: OwnKnowledge = "never"
    unsupported: Literal["withhold", "mark"] = "withhold"
    history_characters: int = 6_000
    evidence_characters: int = 5_000


SMALL = Policy()
_HISTORY_CHARACTERS, _EVIDENCE_CHARACTERS = 8_000, 12_000  # fit in 8,192 tokens also in Chinese
_TIMES_AT_MOST = 4  # so much where there is room: more is slow and dear, and the best evidence stands first
_TOKENS_FOR_THAT = 16_384


def policy_for(profile: Profile, settings: Settings) -> Policy:
    """The policy for a model of this profile, with what the operator has set."""
    if profile.size == "small":
        return Policy(own_knowledge=settings.own_knowledge or "never")
    own_knowledge = settings.own_knowledge or "marked"
    times = (profile.context_tokens or _TOKENS_FOR_THAT) / _TOKENS_FOR_THAT
    times = min(max(times, SMALL.evidence_characters / _EVIDENCE_CHARACTERS), _TIMES_AT_MOST)
    return Policy(
        shortcuts=False,
        reader="free",
        own_knowledge=own_knowledge,
        unsupported="withhold" if own_knowledge == "never" else "mark",
        history_characters=int(times * _HISTORY_CHARACTERS),
        evidence_characters=int(times * _EVIDENCE_CHARACTERS),
    )
