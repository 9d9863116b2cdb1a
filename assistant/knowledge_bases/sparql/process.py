"""Runs queries on a local store in a process of its own, which is killed where one takes too long."""

import subprocess
import sys
import threading
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path

from assistant.errors import KnowledgeBaseUnreachable, QueryRefused
from assistant.knowledge_bases.base import Deadline, QueryResult
from assistant.knowledge_bases.sparql import worker

_ROOT = Path(__file__).parents[3]
_LOOK_SECONDS = 0.1  # between two looks at whether an answer is still wanted


class QueryProcess:
    """One warm worker for one store, started at the first query and again after a kill. Safe for several threads."""

    def __init__(self, name: str, folder: Path) -> None:
        """`folder` is the store's; `name` is the knowledge base's, for messages."""
        self._name = name
        self._folder = folder
        self._lock = threading.Lock()
        self._worker: subprocess.Popen[bytes] | None = None
        self._connection: Connection | None = None
        self._closed = False

    def run(self, query: str, deadline: Deadline) -> QueryResult:
        """The query's result.

        Raises:
            QueryRefused: see `querying.run`; also where the query takes longer than the deadline, or all the memory
                that it may have.
            KnowledgeBaseUnreachable: others were at work until the deadline, or the worker cannot be started.
        """
        if not self._lock.acquire(timeout=deadline.remaining):
            raise KnowledgeBaseUnreachable(self._name, f"{self._name} was busy with another query.")
        try:
            reply = self._ask(query, deadline)
        finally:
            self._lock.release()
        if isinstance(reply, str):
            raise QueryRefused(reply)
        assert isinstance(reply, QueryResult)
        return reply

    def close(self) -> None:
        """End the worker, in the middle of a query if need be; may be called twice."""
        self._closed = True
        worker = self._worker
        if worker is not None:
            worker.kill()
        with self._lock:
            self._end()

    def _ask(self, query: str, deadline: Deadline) -> object:
        connection = self._started(deadline)
        seconds = deadline.remaining
        try:
            connection.send((query, seconds))
            if _answers(connection, deadline):
                return connection.recv()
        except (EOFError, OSError):
            self._end()
            if self._closed:
                raise self._unreachable("is closed") from None
            return "The query needs too much memory and was ended: ask for less at once."
        self._end()
        return f"The query took longer than {seconds:.0f} s and was ended: make it more selective."

    def _started(self, deadline: Deadline) -> Connection:
        if self._closed:
            raise self._unreachable("is closed")
        if self._worker is not None and self._worker.poll() is not None:
            self._end()
        if self._connection is None:
            own, other = Pipe()
            command = [sys.executable, "-m", worker.__name__, str(other.fileno()), str(self._folder)]
            with other:
                self._worker = subprocess.Popen(
                    command, cwd=_ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, pass_fds=[other.fileno()]
                )
            self._connection = own
            self._await_ready(own, deadline)
        return self._connection

    def _await_ready(self, connection: Connection, deadline: Deadline) -> None:
        try:
            if _answers(connection, deadline):
                connection.recv()
                return
            reason = "had no time left to start its queries"
        except EOFError:
            reason = "cannot be opened for queries; remove it and add it again"
        self._end()
        raise self._unreachable(reason)

    def _unreachable(self, reason: str) -> KnowledgeBaseUnreachable:
        return KnowledgeBaseUnreachable(self._name, f"The knowledge base {self._name} {reason}.")

    def _end(self) -> None:
        worker, connection = self._worker, self._connection
        self._worker = self._connection = None
        if connection is not None:
            connection.close()
        if worker is not None:
            worker.kill()
            worker.wait()


def _answers(connection: Connection, deadline: Deadline) -> bool:
    while not (there := connection.poll(min(_LOOK_SECONDS, deadline.remaining))) and deadline.remaining:
        pass
    return there
