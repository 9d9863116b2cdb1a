"""What forgetting has still to remove from the disk, and removing it.

Records are gone at once. Their bytes in free pages follow before `forget` returns; the vector index has to be built
anew, which takes a while where it is large. What is left to do is marked in the records, so that it outlives the
process. Each forgetting makes a mark of its own: what is forgotten while another one is being removed stays to be done.
"""

import contextlib
import uuid

from sqlalchemy import Connection

from memory.errors import Failure
from memory.indexing import Indexer
from memory.originals import Originals
from memory.records.database import Database, State

UNSWEPT = "memory.unswept"  # a user's mark: where forgotten things may still lie, and an id of the latest forgetting
_EVERYWHERE, _IN_THE_INDEX, _IN_THE_RECORDS = "everywhere", "index", "records"
_AT_ONCE = 1.0  # seconds; enough for some thousand vectors


class Sweeping:
    """Removes from the disk what one user forgot."""

    def __init__(self, user_id: int, database: Database, indexer: Indexer, originals: Originals) -> None:
        self._id = user_id
        self._database = database
        self._indexer = indexer
        self._originals = originals
        self._state = State(database, user_id)
        if self.left():
            with contextlib.suppress(Failure):  # the mark stays: tried again later
                self.go_on(_AT_ONCE)

    def left(self) -> bool:
        """Whether there is something to remove."""
        return self._state.get(UNSWEPT) is not None

    def mark(self, connection: Connection) -> str:
        """Call in the transaction that forgets; `begin` takes the mark that it made."""
        return self._mark(connection, _EVERYWHERE)

    def mark_records(self, connection: Connection) -> None:
        """Call in the transaction that removes what never was in the index; then `go_on` removes it from the disk."""
        self._mark(connection, _EVERYWHERE if self.left() else _IN_THE_RECORDS)

    def begin(self, mark: str, ids: list[str]) -> int:
        """Take records out of the index and the disk, and as far as there is time their vectors too; how many of those.

        Raises:
            Failure: as `go_on`.
        """
        try:
            vectors = self._indexer.remove(self._id, ids)
        except Failure:  # on a full disk the records go first, which makes room
            self._wipe_files()
            vectors = self._indexer.remove(self._id, ids)
        self._wipe(mark)
        self.go_on(_AT_ONCE)
        return vectors

    def go_on(self, seconds: float) -> bool:
        """Go on for about so long; whether nothing is left.

        Raises:
            Failure: the disk is full, or somebody reads on in what was deleted; the rest is still to be done.
        """
        mark: str | None = self._state.get(UNSWEPT)
        if mark is None:
            return True
        if _place(mark) == _IN_THE_RECORDS:
            self._wipe_files()
            return self._advance(mark, None)
        if _place(mark) != _IN_THE_INDEX:
            self._indexer.compare(self._id)
            mark = self._wipe(mark)
        return self._indexer.rebuild(self._id, seconds) and self._advance(mark, None)

    def _mark(self, connection: Connection, place: str) -> str:
        mark = f"{place} {uuid.uuid4().hex}"
        self._state.set_within(connection, UNSWEPT, mark)
        return mark

    def _wipe(self, mark: str) -> str:
        """Remove it from the files; the mark of what is left in the index."""
        self._wipe_files()
        wiped = mark.replace(_place(mark), _IN_THE_INDEX, 1)
        self._advance(mark, wiped)
        return wiped

    def _wipe_files(self) -> None:
        try:
            self._originals.sweep()  # first, which makes room
        finally:
            self._database.wipe()

    def _advance(self, mark: str, to: str | None) -> bool:
        """Put another mark in place of this one, or none; False, and nothing, where more was forgotten meanwhile."""
        with self._database.writing:
            if self._state.get(UNSWEPT) != mark:
                return False
            if to is None:
                self._state.delete(UNSWEPT)
            else:
                self._state.set(UNSWEPT, to)
            return True


def broken_off(mark: str) -> bool:
    """Whether a forgetting ended before its records were out of their file."""
    return _place(mark) == _EVERYWHERE


def _place(mark: str) -> str:
    return mark.partition(" ")[0]
