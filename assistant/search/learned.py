"""What thumbs have taught of each arm, for each user and for all together; it lies in the users' states.

What was learned with another embedding model stays beside it: thumbs of that time can still be taken back, and whoever
sets that model again finds it.
"""

import threading
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np

from assistant.search.bandit import Arm, Seen, Vector, one
from memory.sessions import LEARNED
from memory.store import Memory

_STATE = LEARNED + "bandit"
_SeenOfArms = dict[Arm, Seen]


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


class Learned:
    """The rewards of all users in one space of contexts. Safe to use from several threads."""

    def __init__(self, memory: Memory, space: str) -> None:
        self._memory = memory
        self._space = space
        self._lock = threading.RLock()
        self._all: _SeenOfArms | None = None  # the sum over all users; reading it of a thousand takes two seconds
        memory.when_forgotten(self._forget)

    def of(self, user: str) -> _SeenOfArms:
        """What the user's own thumbs taught."""
        return self._rewards(self._state(user))

    def of_all_and(self, user: str) -> tuple[_SeenOfArms, _SeenOfArms]:
        """What the thumbs of all users taught, this one's among them, and what this one's did."""
        with self._lock:
            if self._all is None:
                self._all = {}
                for state in self._memory.states(_STATE).values():
                    for arm, seen in self._rewards(state).items():
                        self._all[arm] = self._all[arm].plus(seen) if arm in self._all else seen
            return dict(self._all), self.of(user)

    def add(self, user: str, plays: Iterable[Play]) -> None:
        """Take in what a thumb of the user says."""
        self._change(user, plays, 1.0)

    def take_back(self, user: str, plays: Iterable[Play]) -> None:
        """As if the thumb had not been given; what a reset has forgotten stays forgotten."""
        self._change(user, plays, -1.0)

    def pinned(self, user: str) -> Arm | None:
        """The arm that the user wants played always."""
        pin = self._state(user).get("pin")
        return Arm(*pin) if pin else None

    def pin(self, user: str, arm: Arm | None) -> None:
        """Keep the arm; None removes the one before."""
        with self._lock:
            self._keep(user, {**self._state(user), "pin": arm})

    def reset(self, user: str) -> None:
        """Forget what the user's thumbs taught, and the pin."""
        with self._lock:
            self._keep(user, {"since": datetime.now(UTC).isoformat()})
            self._all = None

    def _change(self, user: str, plays: Iterable[Play], weight: float) -> None:
        with self._lock:
            state = self._state(user)
            spaces, since = _spaces(state), state.get("since", "")
            for play in plays:
                arms, name = spaces.setdefault(play.space, {}), str(play.arm)
                if play.at.isoformat() < since or (weight < 0 and name not in arms):
                    continue
                reward = one(np.array(play.context), play.reward)
                before = _from_json(arms[name]) if name in arms else Seen.none(len(play.context))
                arms[name] = _to_json(before.plus(reward, weight))
                if self._all is not None and play.space == self._space:
                    of_all = self._all.get(play.arm, Seen.none(len(play.context)))
                    self._all[play.arm] = of_all.plus(reward, weight)
            kept: dict[str, Any] = {name: state[name] for name in ("pin", "since") if name in state}
            self._keep(user, {**kept, "spaces": spaces})

    def _forget(self, names: Collection[str] | None) -> None:
        if names is None:  # somebody forgot everything
            with self._lock:
                self._all = None

    def _rewards(self, state: dict[str, Any]) -> _SeenOfArms:
        arms = _spaces(state).get(self._space, {})
        return {Arm(*name.split(",")): _from_json(seen) for name, seen in arms.items()}

    def _state(self, user: str) -> dict[str, Any]:
        state: dict[str, Any] = self._memory.of(user).state.get(_STATE, {})
        return state

    def _keep(self, user: str, state: dict[str, Any]) -> None:
        self._memory.of(user).state.set(_STATE, state)


def _spaces(state: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """What a state holds, by the space of its contexts; there was one only when the first ones were written."""
    if "space" in state:
        return {state["space"]: state["arms"]}
    spaces: dict[str, dict[str, Any]] = state.get("spaces", {})
    return spaces


def _to_json(seen: Seen) -> dict[str, Any]:
    return {"gram": seen.gram.tolist(), "moment": seen.moment.tolist(), "plays": seen.plays, "reward": seen.reward}


def _from_json(seen: dict[str, Any]) -> Seen:
    gram: Vector = np.array(seen["gram"])
    return Seen(gram, np.array(seen["moment"]), seen["plays"], seen["reward"])
