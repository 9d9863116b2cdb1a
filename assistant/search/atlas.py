"""All that graph searches share between turns: the trained policy, the space, and the terrains of what was searched."""

import threading
from dataclasses import dataclass
from pathlib import Path

from assistant.errors import Failure
from assistant.knowledge_bases.base import Walkable
from assistant.search.checkpoint import COMMAND, OWN, SHIPPED, load
from assistant.search.policy import Policy
from assistant.search.space import Basis, Space
from assistant.search.terrain import Terrain
from assistant.search.walks import Rewards
from memory.types import Embedder


@dataclass(frozen=True)
class Trained:
    """The policy with the rewards that it was trained for; None where there is none for this embedder.

    `trouble` says why there is none, or why it is not the user's own.
    """

    space: Space
    policy: Policy | None
    rewards: Rewards
    trouble: str = ""


class Atlas:
    """Loads what was trained at the first search, and keeps a terrain as long as its graph lives.

    Safe to use from several threads.
    """

    def __init__(self, embedder: Embedder, home: Path | None = None) -> None:
        """A policy in `home` that was trained for the embedder goes before the shipped one."""
        self._embedder = embedder
        self._home = home
        self._lock = threading.Lock()
        self._trained: Trained | None = None

    @property
    def trained(self) -> Trained:
        """The policy and its space, or a space without a policy where no checkpoint is for this embedder."""
        with self._lock:
            if self._trained is None:
                self._trained = _load(self._home, self._embedder)
            return self._trained

    def terrain(self, kb: Walkable) -> Terrain:
        """The terrain of a knowledge base. What the words of its names mean is learned in the background.

        Raises:
            KnowledgeBaseUnreachable: its graph cannot be read.
        """
        graph, space = kb.graph(), self.trained.space
        with self._lock:
            terrain: Terrain | None = graph.derived.get(self)
            if terrain is None:
                terrain = graph.derived[self] = Terrain.of(graph, space)
                terrain.learn_frequent()
        return terrain


def _load(home: Path | None, embedder: Embedder) -> Trained:
    damaged = another = ""
    for path in (*([home / OWN] if home and (home / OWN).exists() else []), SHIPPED):
        try:
            checkpoint = load(path)
        except Failure as failure:
            damaged = str(failure)
            continue
        basis = checkpoint.basis
        if (basis.embedder, len(basis.word_mean)) == (embedder.name, embedder.size):
            return Trained(Space(embedder, basis), checkpoint.policy, checkpoint.rewards, damaged)
        another = (
            f"The path policy was trained with {basis.embedder} ({len(basis.word_mean)} dimensions), but "
            f"{embedder.name} ({embedder.size}) is used; train one for it, and start anew: {COMMAND}."
        )
    return Trained(Space(embedder, Basis.untrained(embedder)), None, Rewards(), damaged or another)
