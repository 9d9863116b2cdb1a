"""Keeps the vector index in step with the records: embeds what waits, notices and mends what differs."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from memory.likeness import alike, unrelated_similarity
from memory.records import pending
from memory.records.database import Database, State
from memory.records.keys import ENTITY
from memory.types import Embedder
from memory.vectors import VectorIndex

_BATCH = 32  # texts embedded at once
_LONGEST = 2000  # characters; models read about 512 tokens, and a long text would take minutes
_FEW = 16  # records embedded when a user is opened; more are left to ingestion and repair
_MODEL = "memory.embedding_model"
_SCALE = "memory.unrelated_similarity"  # by model


class Indexer:
    """The vectors of all users, made with one embedding model."""

    def __init__(self, database: Database, index: VectorIndex, embedder: Embedder) -> None:
        self._database = database
        self._index = index
        self._embedder = embedder
        self._state = State(database)

    def check_model(self) -> None:
        """Where the vectors are another model's, let all records wait to be embedded anew."""
        model = {"name": self._embedder.name, "size": self._embedder.size}
        if self._state.get(_MODEL) != model:
            with self._database.transaction() as connection:
                pending.unmark_all(connection)
                self._state.set_within(connection, _MODEL, model)

    def open(self, user_id: int) -> None:
        """Have a collection of this model for a user, and add what little it lacks; in a new one all is lacking."""
        if not self._index.prepare(user_id, self._embedder.name, self._embedder.size):
            with self._database.transaction() as connection:
                pending.unmark(connection, user_id)
        elif self._index.count(user_id) != self.expected(user_id)[0]:
            self.compare(user_id)
        self.embed_waiting(user_id, _FEW)

    def embed(self, user_id: int, ids: Sequence[str]) -> None:
        """Embed records and add them to the index; those that were forgotten or changed meanwhile are left out."""
        for start in range(0, len(ids), _BATCH):
            with self._database.reading() as connection:
                texts = pending.texts(connection, ids[start : start + _BATCH])
            if not texts:
                continue
            vectors = self._embedder.passage([text[:_LONGEST] for text in texts.values()])
            with self._database.transaction() as connection:
                current = pending.texts(connection, texts)
                same = [row for row, (id_, text) in enumerate(texts.items()) if current.get(id_) == text]
                kept = [list(texts)[row] for row in same]
                self._index.upsert(user_id, kept, vectors[same])
                pending.mark_embedded(connection, kept)

    def embed_waiting(self, user_id: int, limit: int) -> int:
        """Embed at most `limit` of the records that wait; how many those were."""
        with self._database.reading() as connection:
            ids = pending.pending(connection, user_id, limit)
        self.embed(user_id, ids)
        return len(ids)

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
        return not waiting and self._index.ids(user_id) == expected and self._index.has_vectors(user_id)

    def compare(self, user_id: int) -> None:
        """Let the records wait again that the index lost, and take out of it what they do not know."""
        with self._database.transaction() as connection:
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
        with self._database.writing:  # what is just being embedded is in the index and marked so, or neither
            if self.expected(user_id)[0]:
                return self._index.remove(user_id, ids)
            there = self._index.count(user_id)  # all of them: a new collection is at hand sooner
            self._index.renew(user_id, self._embedder.name, self._embedder.size)
            return there

    def rebuild(self, user_id: int, seconds: float) -> bool:
        """Build the index anew without what was removed, for so long and on from there; whether that is finished."""
        return self._index.rebuild(user_id, seconds)

    def nearest(self, user_id: int, text: str, limit: int) -> list[tuple[str, float]]:
        """The ids nearest to a question, with their similarities, best first."""
        return self._index.nearest(user_id, self._embedder.query([text[:_LONGEST]])[0], limit)

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
        present, vectors = self._index.vectors(user_id, ids)
        ones, others = np.triu_indices(len(present), k=1)
        similarities = (vectors @ vectors.T)[ones, others]
        nearest = np.argsort(-similarities, kind="stable")[:limit]
        unrelated = self._unrelated
        return [(present[ones[at]], present[others[at]]) for at in nearest if alike(float(similarities[at]), unrelated)]

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
            self._state.set(_SCALE, by_model)
        return float(by_model[self._embedder.name])
