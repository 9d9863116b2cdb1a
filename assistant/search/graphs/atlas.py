"""All that graph searches share between turns: the trained policy, the space, and the terrains of what was searched."""

import threading
from collections import deque
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event as Signal

from assistant.errors import Failure, Interrupted
from assistant.knowledge_bases.base import Walkable
from assistant.knowledge_bases.personal import PERSONAL
from assistant.search.graphs.checkpoint import COMMAND, OWN, SHIPPED, load
from assistant.search.graphs.policy import Policy
from assistant.search.graphs.space import Basis, Space
from assistant.search.graphs.terrain import Terrain
from assistant.search.graphs.walks import Rewards
from assistant.search.vector_cache import VectorCache
from memory.types import Embedder

_POLL_SECONDS = 0.05  # between two looks at whether a search was stopped


@dataclass(frozen=True)
class Trained:
    """The policy with the rewards that it was trained for; None where there is none for this embedder.

    `trouble` says why there is none, or that the user's own is damaged; one for another embedder waits for that.
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
        """A policy in `home` that was trained for the embedder goes before the shipped one.

        The vectors of graphs' words are kept there as well, but of the personal memory's: they could not be forgotten.
        """
        self._embedder = embedder
        self._home = home
        self._kept = VectorCache(home, embedder, passages=True) if home else None
        self._lock = threading.Lock()
        self._trained: Trained | None = None
        self._told: deque[tuple[str, str]] = deque(maxlen=1_000)  # users and their conversations

    @property
    def trained(self) -> Trained:
        """The policy and its space, or a space without a policy where no checkpoint is for this embedder."""
        with self._lock:
            if self._trained is None:
                self._trained = _load(self._home, self._embedder)
            return self._trained

    def trouble_to_tell(self, user: str, session: str) -> str:
        """Why the policy is not the one that was to be used; empty where it is, or where the conversation knows."""
        trouble = self.trained.trouble
        with self._lock:
            if (user, session) in self._told:
                return ""
            if trouble:
                self._told.append((user, session))
        return trouble

    def terrain(self, kb: Walkable, cancel: Signal | None = None) -> Terrain:
        """The terrain of a knowledge base. What the words of its names mean is learned in the background.

        A graph of a million names takes minutes when it is first searched. Searches of other graphs do not wait for it,
        and where this one is stopped, it is made ready for the next.

        Raises:
            KnowledgeBaseUnreachable: its graph cannot be read.
            Interrupted: `cancel` was set before it was ready.
        """
        made: Future[Terrain] = Future()
        threading.Thread(target=self._make, args=(kb, made), name="terrain", daemon=True).start()
        while not wait([made], None if cancel is None else _POLL_SECONDS).done:
            if cancel is not None and cancel.is_set():
                raise Interrupted("Stopped.")
        return made.result()

    def _make(self, kb: Walkable, made: "Future[Terrain]") -> None:
        try:
            graph, space = kb.graph(), self.trained.space
            with self._lock:
                kept: _Kept = graph.derived.setdefault(self, _Kept())
            with kept.lock:
                if kept.terrain is None:
                    kept.terrain = Terrain.of(graph, space, None if kb.name == PERSONAL else self._kept)
                    kept.terrain.learn_frequent()
            made.set_result(kept.terrain)
        except Exception as error:  # whoever waits for it raises it
            made.set_exception(error)


@dataclass
class _Kept:
    """What an atlas keeps with a graph: its terrain, and the lock under which it is made."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    terrain: Terrain | None = None


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
