"""Which strategy and which format a turn plays, and what a user's thumbs teach about that.

KnowGPT, section 3.2: a bandit chooses the pair for each question. Each user has their own; a thumb of another user of
the same installation counts for less, so that somebody new starts from what the others like, and without any thumb from
(program, triples).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from assistant.search.bandit import Arm, Bandit, Estimate, Prior, Seen, Vector
from assistant.search.contexts import BIAS, SIZE, Contexts
from assistant.search.learned import Learned, Play
from assistant.types import ChosenBy, Turn
from memory.store import Memory

FIRST = Arm("program", "triples")
# Six thumbs down on questions of a kind lead to another arm there; after thumbs up, hundreds go by before one is tried.
PRIOR = Prior({FIRST: 0.8}, otherwise=0.3, weight=5.0)
_ANOTHERS_THUMB = 0.2
_OF_OTHERS = 5  # own plays of an arm on such a question that others' are worth at most: one's own have to be heard


@dataclass(frozen=True)
class Choice:
    """The arm to play, who chose it, and what the bandit thinks of it."""

    arm: Arm
    by: ChosenBy
    estimate: Estimate


@dataclass(frozen=True)
class Standing:
    """What the bandit holds of one arm, for a question of no particular kind; `thumbs` are the user's own."""

    strategy: str
    format: str
    thumbs: int
    up: int
    expected: float
    bonus: float
    pinned: bool


class Choosing:
    """The bandits of all users. Safe to use from several threads."""

    def __init__(self, memory: Memory, contexts: Contexts, delta: float) -> None:
        """`delta` is the bandit's δ."""
        self._learned = Learned(memory, contexts.space)
        self._contexts = contexts
        self._delta = delta

    def choose(self, turn: Turn, arms: Sequence[Arm]) -> Choice:
        """The arm of `arms` that the turn names, else the pinned one, else the bandit's; a turn may name a half of it.

        At least one of `arms` has to be as the turn wants it.
        """
        context = self.context(turn.question)
        bandit = self._bandit(turn.user, context)
        wanted = [arm for arm in arms if turn.strategy in ("", arm.strategy) and turn.format in ("", arm.format)]
        pinned = self.pinned(turn.user)
        by: ChosenBy
        if turn.strategy and turn.format:
            arm, by = wanted[0], "user"
        elif pinned is not None and pinned in wanted:
            arm, by = pinned, "pin"
        else:
            arm, by = bandit.choose(context, wanted), "bandit"
        return Choice(arm, by, bandit.estimate(arm, context))

    def context(self, question: str) -> Vector:
        """What the bandit sees of a question."""
        return self._contexts.of(question)

    def fresh(self) -> Bandit:
        """A bandit that has learned nothing, as everybody's begins."""
        return Bandit(SIZE, bias=BIAS, prior=PRIOR, delta=self._delta)

    def play(self, arm: Arm, question: str, reward: float) -> Play:
        """A reward given now, as `learn` takes it."""
        context = tuple(float(part) for part in self.context(question))
        return Play(arm, reward, context, self._contexts.space, datetime.now(UTC))

    def learn(self, user: str, plays: Iterable[Play]) -> None:
        """Take in what a thumb of the user says."""
        self._learned.add(user, plays)

    def unlearn(self, user: str, plays: Iterable[Play]) -> None:
        """Take it back, as if the thumb had not been given; what a reset has forgotten stays forgotten."""
        self._learned.take_back(user, plays)

    def standings(self, user: str, arms: Sequence[Arm]) -> list[Standing]:
        """What is held of each arm, the best first."""
        no_kind = np.zeros(SIZE)
        no_kind[0] = BIAS
        bandit, own, pinned = self._bandit(user, no_kind), self._learned.of(user), self.pinned(user)
        standings = []
        for arm in arms:
            seen = own.get(arm, Seen.none(SIZE))
            estimate = bandit.estimate(arm, no_kind)
            counts = round(seen.plays), round(seen.reward)
            standings.append(Standing(*arm, *counts, estimate.expected, estimate.bonus, arm == pinned))
        return sorted(standings, key=lambda standing: -standing.expected)

    def pinned(self, user: str) -> Arm | None:
        """The arm that the user wants played always."""
        return self._learned.pinned(user)

    def pin(self, user: str, arm: Arm | None) -> None:
        """Play this arm always; None lets the bandit choose again."""
        self._learned.pin(user, arm)

    def reset(self, user: str) -> None:
        """Forget what the user's thumbs taught, and the pin."""
        self._learned.reset(user)

    def _bandit(self, user: str, context: Vector) -> Bandit:
        """The user's, for a question of this context."""
        bandit = self.fresh()
        of_all, own = self._learned.of_all_and(user)
        for arm, seen in of_all.items():
            mine = own.get(arm, Seen.none(SIZE))
            others = seen.plus(mine, -1)
            on_such = float(context @ others.gram @ context) / float(context @ context)  # plays
            bandit.learn(arm, others, min(_ANOTHERS_THUMB, _OF_OTHERS / max(1.0, on_such)))
            bandit.learn(arm, mine)
        return bandit
