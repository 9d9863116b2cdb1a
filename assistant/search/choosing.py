"""Which strategy and which format a turn plays, and what a user's thumbs teach about that.

KnowGPT, section 3.2: a bandit chooses the pair for each question. Each user has their own; a thumb of another user of
the same installation counts for less, so that somebody new starts from what the others like, and without any thumb from
(program, triples).
"""

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np

from assistant.search.bandit import Arm, Bandit, Estimate, Prior, Rewards, Vector, one
from assistant.search.contexts import BIAS, SIZE, Contexts
from assistant.types import ChosenBy, Turn
from memory.sessions import LEARNED
from memory.store import Memory

FIRST = Arm("program", "triples")
# Six thumbs down on questions of a kind lead to another arm there; after thumbs up, hundreds go by before one is tried.
PRIOR = Prior({FIRST: 0.8}, otherwise=0.3, weight=5.0)
_ANOTHERS_THUMB = 0.2
_STATE = LEARNED + "bandit"


@dataclass(frozen=True)
class Choice:
    """The arm to play, who chose it, and what the bandit thinks of it."""

    arm: Arm
    by: ChosenBy
    estimate: Estimate


@dataclass(frozen=True)
class Play:
    """What a thumb says of one arm: its reward (0 to 1) in the context of a question, and when it was given.

    `space` names what the context can be compared with.
    """

    arm: Arm
    reward: float
    context: tuple[float, ...]
    space: str
    at: datetime


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
    """The bandits of all users, kept in their states. Safe to use from several threads."""

    def __init__(self, memory: Memory, contexts: Contexts, delta: float) -> None:
        """`delta` is the bandit's δ."""
        self._memory = memory
        self._contexts = contexts
        self._delta = delta
        self._lock = threading.Lock()

    def choose(self, turn: Turn, arms: Sequence[Arm]) -> Choice:
        """The arm of `arms` that the turn names, else the pinned one, else the bandit's; a turn may name a half of it.

        At least one of `arms` has to be as the turn wants it.
        """
        context = self.context(turn.question)
        bandit = self._bandit(turn.user)
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
        self._change(user, plays, 1.0)

    def unlearn(self, user: str, plays: Iterable[Play]) -> None:
        """Take it back, as if the thumb had not been given; what a reset has forgotten stays forgotten."""
        self._change(user, plays, -1.0)

    def standings(self, user: str, arms: Sequence[Arm]) -> list[Standing]:
        """What is held of each arm, the best first."""
        bandit, own, pinned = self._bandit(user), self._rewards(self._state(user)), self.pinned(user)
        no_kind = np.zeros(SIZE)
        no_kind[0] = BIAS
        standings = []
        for arm in arms:
            seen = own.get(arm, Rewards.none(SIZE))
            estimate = bandit.estimate(arm, no_kind)
            counts = round(seen.plays), round(seen.reward)
            standings.append(Standing(*arm, *counts, estimate.expected, estimate.bonus, arm == pinned))
        return sorted(standings, key=lambda standing: -standing.expected)

    def pinned(self, user: str) -> Arm | None:
        """The arm that the user wants played always."""
        pin = self._state(user).get("pin")
        return Arm(*pin) if pin else None

    def pin(self, user: str, arm: Arm | None) -> None:
        """Play this arm always; None lets the bandit choose again."""
        with self._lock:
            self._keep(user, {**self._state(user), "pin": arm})

    def reset(self, user: str) -> None:
        """Forget what the user's thumbs taught, and the pin."""
        with self._lock:
            self._keep(user, {"since": datetime.now(UTC).isoformat()})

    def _change(self, user: str, plays: Iterable[Play], weight: float) -> None:
        with self._lock:
            state = self._state(user)
            rewards = self._rewards(state)
            since = state.get("since", "")
            for play in plays:
                if play.space == self._contexts.space and play.at.isoformat() >= since:
                    seen = rewards.get(play.arm, Rewards.none(SIZE))
                    rewards[play.arm] = seen.plus(one(np.array(play.context), play.reward), weight)
            arms = {str(arm): _to_json(seen) for arm, seen in rewards.items()}
            self._keep(user, {**state, "space": self._contexts.space, "arms": arms})

    def _bandit(self, user: str) -> Bandit:
        bandit = self.fresh()
        for name, state in self._memory.states(_STATE).items():
            for arm, seen in self._rewards(state).items():
                bandit.learn(arm, seen, 1.0 if name == user else _ANOTHERS_THUMB)
        return bandit

    def _rewards(self, state: dict[str, Any]) -> dict[Arm, Rewards]:
        """What a state holds; nothing, where another embedding model's contexts made it."""
        if state.get("space") != self._contexts.space:
            return {}
        return {Arm(*name.split(",")): _from_json(seen) for name, seen in state["arms"].items()}

    def _state(self, user: str) -> dict[str, Any]:
        state: dict[str, Any] = self._memory.of(user).state.get(_STATE, {})
        return state

    def _keep(self, user: str, state: dict[str, Any]) -> None:
        self._memory.of(user).state.set(_STATE, state)


def _to_json(seen: Rewards) -> dict[str, Any]:
    return {"gram": seen.gram.tolist(), "moment": seen.moment.tolist(), "plays": seen.plays, "reward": seen.reward}


def _from_json(seen: dict[str, Any]) -> Rewards:
    gram: Vector = np.array(seen["gram"])
    return Rewards(gram, np.array(seen["moment"]), seen["plays"], seen["reward"])
