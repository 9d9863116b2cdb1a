"""Keeps the vector index in step with the records: embeds what waits, notices and mends what differs.

Where the index is damaged, all records wait to be embedded anew, and are found by their words meanwhile.
"""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property

import numpy as np

from memory.errors import Failure
from memory.likeness import alike, unrelated_similarity
from memory.records import pending
from memory.records.database import Database, State
from memory.records.keys import ENTITY
from memory.types import Embedder
from memory.vectors import IndexLost, VectorIndex

_BATCH = 32  # texts embedded at once
_LISTED = 1000  # more than a moment is enough for
_LONGEST = 2000  # characters; models read about 512 tokens, and a long text would take minutes
_MOMENT = 0.3  # seconds of embedding before a call returns; what is left waits for the background
_STEP = 0.3  # seconds between two looks at whether there is time for more; a long text alone may take longer
_MODEL = "memory.embedding_model"
_SCALE = "memory.unrelated_similarity"  # by model
_LOST = "memory.index_lost"  # the index was damaged, and is not filled again yet

_log = logging.getLogger(__name__)


class Indexer:
    """The vectors of all users, made with one embedding model."""

    def __init__(
        self, database: Database, index: VectorIndex, embedder: Embedder, when_waiting: Callable[[], None]
    ) -> None:
        """`when_waiting` is called where records are left to be embedded in the background."""
        self._when_waiting = when_waiting
        self._database = database
        self._index = index
        self._embedder = embedder
        self._state = State(database)
        self._opened: set[int] = set()
        if index.begun_anew:
            self._let_all_wait()

    def check_model(self) -> None:
        """Where the vectors are another model's, let all records wait to be embedded anew."""
        model = {"name": self._embedder.name, "size": self._embedder.size}
        if self._state.get(_MODEL) != model:
            with self._database.transaction() as connection:
                pending.unmark_all(connection)
                self._state.set_within(connection, _MODEL, model)

    def open(self, user_id: int) -> None:
        """Have a collection of this model for a user, and add what little it lacks; in a new one all is lacking.

        Where the index cannot be used just now, that is tried again in the background.
        """
        self._opened.add(user_id)
        with suppress(Failure):
            with self._mending():
                self._prepare(user_id)
                if self._index.count(user_id) != self.expected(user_id)[0]:
                    self.compare(user_id)
            self.begin(user_id)

    def embed(self, user_id: int, ids: Sequence[str]) -> None:
        """Embed as many of these records as a moment allows; the others wait for the background, and so do all where
        the index cannot be used: they are kept, and found by their words."""
        done = 0
        try:
            done = self._embed_for(_MOMENT, user_id, ids)
        except Failure as failure:
            _log.warning("%s", failure)
        if done < len(ids):
            self._when_waiting()

    def begin(self, user_id: int) -> None:
        """Embed as many of the records that wait as a moment allows."""
        with self._database.reading() as connection:
            ids = pending.pending(connection, user_id, _LISTED)
        self.embed(user_id, ids)

    def embed_waiting(self, user_id: int, limit: int, seconds: float) -> int:
        """Embed at most `limit` of the records that wait, for about so many seconds; how many those were."""
        with self._database.reading() as connection:
            ids = pending.pending(connection, user_id, limit)
        done = self._embed_for(seconds, user_id, ids)
        if done < limit and self.was_lost():
            with self._database.transaction() as connection:
                if not pending.users_waiting(connection):
                    self._state.delete_within(connection, _LOST)
        return done

    def _embed_for(self, seconds: float, user_id: int, ids: Sequence[str]) -> int:
        """Embed the first of these records, as many as there is time for; how many those were."""
        until, done, step = time.monotonic() + seconds, 0, 1
        while done < len(ids) and time.monotonic() < until:
            began = time.monotonic()
            self._embed(user_id, ids[done : done + step])
            done, taken = done + step, time.monotonic() - began
            step = min(2 * step, _BATCH) if taken < _STEP else max(1, step // 2) if taken > 2 * _STEP else step
        return min(done, len(ids))

    def _embed(self, user_id: int, ids: Sequence[str]) -> None:
        """Embed records and add them to the index; those that were forgotten or changed meanwhile are left out."""
        with self._database.reading() as connection:
            texts = pending.texts(connection, ids)
        if not texts:
            return
        vectors = self._embedder.passage([text[:_LONGEST] for text in texts.values()])
        with self._mending(), self._database.transaction() as connection:
            current = pending.texts(connection, texts)
            same = [row for row, (id_, text) in enumerate(texts.items()) if current.get(id_) == text]
            kept = [list(texts)[row] for row in same]
            self._index.upsert(user_id, kept, vectors[same])
            pending.mark_embedded(connection, kept)

    def was_lost(self) -> bool:
        """Whether the index was damaged, and is not filled again yet."""
        return bool(self._state.get(_LOST))

    def expected(self, user_id: int) -> tuple[int, int]:
        """How many vectors the index has to hold by the records, and how many records wait."""
        with self._database.reading() as connection:
            return pending.counts(connection, user_id)

    def waiting(self, user_id: int) -> int:
        """How many records wait; quick, also where there are many others."""
        with self._database.reading() as connection:
            return pending.count(connection, user_id)

    def agrees(self, user_id: int) -> bool:
        """Whether the indexes hold what the records say, id by id, and nothing waits."""
        with self._database.reading() as connection:
            expected, waiting = pending.embedded_ids(connection, user_id), pending.counts(connection, user_id)[1]
            waiting += len(pending.without_words(connection, user_id))
        with self._mending():
            return not waiting and self._index.ids(user_id) == expected and self._index.has_vectors(user_id)
        return False

    def compare(self, user_id: int) -> None:
        """Let the records wait again that the index lost, and take out of it what they do not know."""
        with self._mending(), self._database.transaction() as connection:
            if not self._index.has_vectors(user_id):
                self._index.renew(user_id, self._embedder.name, self._embedder.size)
            present, expected = self._index.ids(user_id), pending.embedded_ids(connection, user_id)
            self._index.remove(user_id, sorted(present - expected))
            pending.mark_embedded(connection, expected - present, embedded=False)

    def refill_words(self, user_id: int) -> None:
        """Give the keyword index what it lacks."""
        with self._database.transaction() as connection:
            pending.put_words(connection, user_id, pending.without_words(connection, user_id))

    def remove(self, user_id: int, ids: Sequence[str]) -> int:
        """Take records out of the index; how many were there. Their vectors stay in its files until `rebuild`."""
        with self._mending(), self._database.writing:  # what is just being embedded is in it and marked so, or neither
            if self.expected(user_id)[0]:
                return self._index.remove(user_id, ids)
            there = self._index.count(user_id)  # all of them: a new collection is at hand sooner
            self._index.renew(user_id, self._embedder.name, self._embedder.size)
            return there
        return 0

    def rebuild(self, user_id: int, seconds: float) -> bool:
        """Build the index anew without what was removed, for so long and on from there; whether that is finished."""
        with self._mending():
            return self._index.rebuild(user_id, seconds)
        return True  # it was emptied

    def nearest(self, user_id: int, text: str, limit: int) -> list[tuple[str, float]]:
        """The ids nearest to a question, with their similarities, best first; none where the index cannot be used."""
        vector = self._embedder.query([text[:_LONGEST]])[0]
        try:
            with self._mending():
                return self._index.nearest(user_id, vector, limit)
        except Failure as failure:
            _log.warning("%s", failure)
        return []

    def related(self, user_id: int, text: str, limit: int) -> list[str]:
        """The ids nearest to a question, best first, but for those no more like it than texts that have nothing in
        common: shown beside the answer, they lead a small model astray."""
        unrelated = self._unrelated
        return [id_ for id_, similarity in self.nearest(user_id, text, limit) if similarity > unrelated]

    def entities_alike(self, user_id: int, mention: str, limit: int) -> list[str]:
        """The ids of entities that may be what `mention` names, going by meaning alone."""
        unrelated = self._unrelated
        near = self.nearest(user_id, mention, limit)
        return [id_ for id_, similarity in near if id_.startswith(ENTITY) and alike(similarity, unrelated)]

    def near_each_other(self, user_id: int, ids: Sequence[str], limit: int) -> list[tuple[str, str]]:
        """At most `limit` pairs of these records whose vectors are alike, the nearest first."""
        present, vectors = list[str](), np.empty((0, self._embedder.size), dtype=np.float32)
        with self._mending():
            present, vectors = self._index.vectors(user_id, ids)
        ones, others = np.triu_indices(len(present), k=1)
        similarities = (vectors @ vectors.T)[ones, others]
        nearest = np.argsort(-similarities, kind="stable")[:limit]
        unrelated = self._unrelated
        return [(present[ones[at]], present[others[at]]) for at in nearest if alike(float(similarities[at]), unrelated)]

    def central(self, user_id: int, ids: Sequence[str]) -> str:
        """Of some records the one nearest to the mean of their vectors; the first one where none has any."""
        with suppress(Failure), self._mending():
            present, vectors = self._index.vectors(user_id, ids)
            if present:
                return present[int(np.argmax(vectors @ vectors.mean(axis=0)))]
        return ids[0]

    def nearest_of(self, user_id: int, id_: str, texts: Sequence[str]) -> int:
        """The place of the text that is nearest to a record; 0 where that has no vector."""
        with suppress(Failure), self._mending():
            present, vectors = self._index.vectors(user_id, [id_])
            if present:
                return int(np.argmax(self._embedder.passage(texts) @ vectors[0]))
        return 0

    def names_alike(self, pairs: Sequence[tuple[str, str]]) -> list[bool]:
        """Whether the two names of each pair may be one thing's, going by meaning alone."""
        if not pairs:
            return []
        ones, others = self._embedder.query([one for one, _ in pairs]), self._embedder.passage([o for _, o in pairs])
        unrelated = self._unrelated
        return [alike(float(similarity), unrelated) for similarity in (ones * others).sum(axis=1)]

    @cached_property
    def _unrelated(self) -> float:
        by_model = self._state.get(_SCALE, {})
        if self._embedder.name not in by_model:
            by_model[self._embedder.name] = unrelated_similarity(self._embedder)
            with suppress(Failure):  # a full disk is no reason to find nothing
                self._state.set(_SCALE, by_model)
        return float(by_model[self._embedder.name])

    @contextmanager
    def _mending(self) -> Iterator[None]:
        """Where the index turns out to be damaged, let all records wait to be embedded anew; the block ends there."""
        try:
            yield
        except IndexLost as lost:
            _log.warning("%s", lost)
            self._let_all_wait()
            for user_id in list(self._opened):
                self._prepare(user_id)

    def _prepare(self, user_id: int) -> None:
        if not self._index.prepare(user_id, self._embedder.name, self._embedder.size):
            with self._database.transaction() as connection:
                pending.unmark(connection, user_id)

    def _let_all_wait(self) -> None:
        with self._database.transaction() as connection:
            pending.unmark_all(connection)
            self._state.set_within(connection, _LOST, True)
        self._when_waiting()
