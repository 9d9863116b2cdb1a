"""Memory as the assistant sees it: all users, apart from each other."""

import contextlib
import threading
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from memory.errors import Failure
from memory.indexing import Indexer
from memory.logins import Logins
from memory.originals import Originals
from memory.parsing import Parser
from memory.records import library, pending
from memory.records.database import INDEX, Database, State
from memory.records.users import all_users, checked_name, user_number, users_values
from memory.sweeping import UNSWEPT, broken_off
from memory.types import Embedder, MemoryStatus, Source
from memory.user_memory import UserMemory
from memory.vectors import VectorIndex


class Memory:
    """All users' memories in one folder, which this process owns.

    Raises:
        UserMistake: the folder cannot be written, or a newer version wrote the records.
        Failure: the records are damaged or lost, or the disk is full.
    """

    def __init__(self, home: Path, embedder: Embedder, *, lasting: bool = True) -> None:
        """`lasting` is a process that goes on after what it does now: in another one nothing that is forgotten can be
        brought back."""
        self._database = Database(home / "memory.db")
        self._put_in: list[Callable[[], None]] = []
        self._index = VectorIndex(home / INDEX)
        self._indexer = Indexer(self._database, self._index, embedder, self._call)
        self._originals = Originals(home / "originals", self._database)
        self._parser = Parser()
        self._lasting = lasting
        self._opening = threading.Lock()
        self._open: dict[str, UserMemory] = {}
        self._forgotten: list[Callable[[Collection[str] | None], None]] = []
        self.state = State(self._database)
        self.logins = Logins(self._database)
        self._indexer.check_model()
        unswept = self._unswept()
        self._broken_off = any(map(broken_off, unswept.values()))  # nobody may have been told of what was forgotten
        for name in unswept:
            with contextlib.suppress(Failure):  # a full disk must not shut the others out
                self.of(name)

    def of(self, user: str) -> UserMemory:
        """The memory of one user, who is added where there is none.

        Raises:
            UserMistake: `user` cannot be a name.
        """
        name = checked_name(user)
        with self._opening:
            if name not in self._open:
                with self._database.transaction() as connection:
                    user_id = user_number(connection, name)
                self._open[name] = UserMemory(
                    name,
                    user_id,
                    self._database,
                    self._indexer,
                    self._parser,
                    originals=self._originals,
                    lasting=self._lasting,
                    when_forgotten=self._tell,
                    when_put_in=self._call,
                )
            return self._open[name]

    def when_forgotten(self, call: Callable[[Collection[str] | None], None]) -> None:
        """Have `call` told of the names, values and places that anybody forgets; None means everything.

        It is told so at once where an earlier process ended while something was being forgotten. Where it raises
        Failure, the others are told all the same.
        """
        self._forgotten.append(call)
        if self._broken_off:
            with contextlib.suppress(Failure):  # as with what is swept, nobody is shut out by it
                call(None)

    def when_put_in(self, call: Callable[[], None]) -> None:
        """Have `call` called after anybody's undo or import, which may leave documents to be read, and whenever records
        are left to be embedded."""
        self._put_in.append(call)

    def _tell(self, names: Collection[str] | None) -> None:
        failures = []
        for call in self._forgotten:
            try:
                call(names)
            except Failure as failure:
                failures.append(failure)
        if failures:
            raise failures[0]

    def _call(self) -> None:
        for call in self._put_in:
            call()

    def keep_reserve(self) -> None:
        """Set some room on the disk aside, with which to forget where it is full."""
        self._database.reserve.keep()

    def users(self) -> list[str]:
        """The names of those who have something here."""
        with self._database.reading() as connection:
            return all_users(connection)

    def states(self, name: str) -> dict[str, Any]:
        """All users' lasting values of one name, by user."""
        with self._database.reading() as connection:
            return users_values(connection, name)

    def unfinished(self) -> list[tuple[str, Source]]:
        """The sources that are not read to their end, of all users, paused ones too, oldest first: (user, source)."""
        with self._database.reading() as connection:
            return library.unfinished(connection)

    def unswept(self) -> list[str]:
        """The users of whom something forgotten still lies on the disk, in the vector index at least."""
        return list(self._unswept())

    def _unswept(self) -> dict[str, Any]:
        with self._database.reading() as connection:
            return users_values(connection, UNSWEPT)

    def not_embedded(self) -> list[str]:
        """The users with records that are not in the vector index."""
        with self._database.reading() as connection:
            return pending.users_waiting(connection)

    def status(self) -> MemoryStatus:
        """What there is, and whether the vector index agrees with the records."""
        users = [self.of(name) for name in self.users()]
        parts = [user.status() for user in users]
        return MemoryStatus(
            users=len(users),
            facts=sum(part.facts for part in parts),
            passages=sum(part.passages for part in parts),
            vectors=sum(part.vectors for part in parts),
            waiting=sum(part.waiting for part in parts),
            agrees=all(part.agrees for part in parts),
            unswept=any(part.unswept for part in parts),
            lost=self._indexer.was_lost() and any(part.waiting for part in parts),
        )

    def mend(self) -> None:
        """Bring the indexes and graphs of all users in step with the records; what lacks in them waits."""
        for name in self.users():
            self.of(name).mend()

    def repair(self) -> MemoryStatus:
        """As `mend`, and embeds whatever waits, however long it takes; the status after it."""
        for name in self.users():
            self.of(name).repair()
        return self.status()

    def stop_parsing(self) -> None:
        """End the parsing of documents, whose `add_document` raises Interrupted; none is parsed from then on."""
        self._parser.close()

    def close(self) -> None:
        """Let go of the folder; may be called twice."""
        self._parser.close()
        self._index.close()
        self._database.close()
