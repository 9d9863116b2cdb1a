"""What forgetting has still to remove from the disk, and removing it.

Records are gone at once. Their bytes in free pages follow before `forget` returns; the vector index has to be built
anew, which takes a while where it is large. What is left to do is marked in the records, so that it outlives the
process.
"""

import contextlib

from sqlalchemy import Connection

from memory.errors import Failure
from memory.indexing import Indexer
from memory.records.database import Database, State

UNSWEPT = "memory.unswept"  # a user's mark: where forgotten things may still lie
_EVERYWHERE, _IN_THE_INDEX, _IN_THE_RECORDS = "everywhere", "index", "records"
_AT_ONCE = 1.0  # seconds; enough for some thousand vectors


class Sweeping:
    """Removes from the disk what one user forgot."""

    def __init__(self, user_id: int, database: Database, indexer: Indexer) -> None:
        self._id = user_id
        self._database = database
        self._indexer = indexer
        self._state = State(database, user_id)
        if self.left():
            with contextlib.suppress(Failure):  # the mark stays: tried again later
                self.go_on(_AT_ONCE)

    def left(self) -> bool:
        """Whether there is something to remove."""
        return self._state.get(UNSWEPT) is not None

    def mark(self, connection: Connection) -> None:
        """Call in the transaction that forgets."""
        self._state.set_within(connection, UNSWEPT, _EVERYWHERE)

    def mark_records(self, connection: Connection) -> None:
        """Call in the transaction that removes what never was in the index; then `go_on` removes it from the disk."""
        self._state.set_within(connection, UNSWEPT, _EVERYWHERE if self.left() else _IN_THE_RECORDS)

    def begin(self, ids: list[str]) -> int:
        """Take records out of the index and the disk, and as far as there is time their vectors too; how many of those.

        Raises:
            Failure: as `go_on`.
        """
        vectors = self._indexer.remove(self._id, ids)
        self._wipe()
        self.go_on(_AT_ONCE)
        return vectors

    def go_on(self, seconds: float) -> bool:
        """Go on for about so long; whether nothing is left.

        Raises:
            Failure: the disk is full, or somebody reads on in what was deleted; the rest is still to be done.
        """
        left = self._state.get(UNSWEPT)
        if left is None:
            return True
        if left == _IN_THE_RECORDS:
            self._database.wipe()
            self._state.delete(UNSWEPT)
            return True
        if left != _IN_THE_INDEX:
            self._indexer.compare(self._id)
            self._wipe()
        if not self._indexer.rebuild(self._id, seconds):
            return False
        self._state.delete(UNSWEPT)
        return True

    def _wipe(self) -> None:
        self._database.wipe()
        self._state.set(UNSWEPT, _IN_THE_INDEX)
