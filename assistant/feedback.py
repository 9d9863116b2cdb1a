"""What a user thinks of an answer, and what is learned from it."""

import threading
from datetime import UTC, datetime
from typing import Literal

import pydantic

from assistant.search.bandit import Arm
from assistant.search.choosing import Choosing
from assistant.search.learned import Play
from assistant.types import Answered
from memory.store import Memory

Thumb = Literal["Like", "Dislike"]


class _Given(pydantic.BaseModel):
    """A thumb as it is kept with the conversation, so that it can be taken back."""

    thumb: Thumb
    question: str
    strategy: str
    format: str
    code: str = ""
    kb: str = ""
    at: datetime
    plays: list[Play] = []


class Feedback:
    """Takes in thumbs. Safe to use from several threads."""

    def __init__(self, memory: Memory, choosing: Choosing) -> None:
        self._memory = memory
        self._choosing = choosing
        self._lock = threading.Lock()

    def rate(self, user: str, session: str, place: int, answered: Answered, thumb: Thumb | None) -> None:
        """Keep a thumb for the message at `place` of a session, in place of the one before; None takes it back.

        The bandit learns the thumb for the pair that gave the answer, and 0 for one that was played before and found
        nothing. Raises as `Sessions.rate`.
        """
        sessions = self._memory.of(user).sessions
        given = self._given(answered, thumb) if thumb else None
        with self._lock:  # of two at once, the later one has to see and take back the earlier one
            before = sessions.thumbs(session).get(place)
            sessions.rate(session, place, given.model_dump(mode="json") if given else None)
            if before:
                self._choosing.unlearn(user, _Given.model_validate(before).plays)
            if given:
                self._choosing.learn(user, given.plays)

    def _given(self, answered: Answered, thumb: Thumb) -> _Given:
        plays = []
        for plan in answered.plans:
            reward = float(thumb == "Like" and plan is answered.plans[-1])
            plays.append(self._choosing.play(Arm(plan.strategy, plan.format), answered.question, reward))
        code, kb = _written(answered)
        return _Given(
            thumb=thumb,
            question=answered.question,
            strategy=answered.strategy,
            format=answered.format,
            code=code,
            kb=kb,
            at=datetime.now(UTC),
            plays=plays,
        )


def _written(answered: Answered) -> tuple[str, str]:
    """The program that found what the answer says, or the query and its knowledge base; empty where nothing did.

    Of a query, the answer has to cite what its knowledge base gave.
    """
    if answered.declined or answered.fruitless or not answered.evidence:
        return "", ""
    if answered.strategy == "sparql":
        cited = [item.kb for item in answered.evidence if f"[{item.id}]" in answered.answer]
        return (answered.query, answered.query_kb) if answered.query_kb in cited else ("", "")
    return (answered.program, "") if answered.strategy == "program" else ("", "")
