"""Runs queries on a local store in a process of its own, which is killed where one takes too long."""

import threading
from pathlib import Path

from assistant.child import LOOK_SECONDS, Child, Gone, Late
from assistant.errors import KnowledgeBaseUnreachable, QueryRefused
from assistant.knowledge_bases.base import Deadline, QueryResult

_WORKER = "assistant.knowledge_bases.sparql.worker"


class QueryProcess:
    """One warm worker for one store, started at the first query and again after a kill. Safe for several threads."""

    def __init__(self, name: str, folder: Path) -> None:
        """`folder` is the store's; `name` is the knowledge base's, for messages."""
        self._name = name
        self._folder = folder
        self._lock = threading.Lock()
        self._child: Child | None = None
        self._closed = False

    def run(self, query: str, deadline: Deadline) -> QueryResult:
        """The query's result.

        Raises:
            QueryRefused: see `querying.run`; also where the query takes longer than the deadline, or more than it may
                have of memory or nesting.
            KnowledgeBaseUnreachable: others were at work until the deadline, or the worker cannot be started.
        """
        while not self._lock.acquire(timeout=min(LOOK_SECONDS, deadline.remaining)):
            if not deadline.remaining:
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
        child = self._child
        if child is not None:
            child.kill()
        with self._lock:
            self._end()

    def _ask(self, query: str, deadline: Deadline) -> object:
        child = self._started(deadline)
        seconds = deadline.remaining
        try:
            child.send((query, seconds))
            return child.receive(deadline)
        except Gone:
            self._end()
            if self._closed:
                raise self._unreachable("is closed") from None
            return "The query needs too much memory or is nested too deeply, and was ended: ask for less at once."
        except Late:
            self._end()
            return f"The query took longer than {seconds:.0f} s and was ended: make it more selective."

    def _started(self, deadline: Deadline) -> Child:
        if self._closed:
            raise self._unreachable("is closed")
        if self._child is not None and not self._child.alive:
            self._end()
        if self._child is None:
            self._child = Child(_WORKER, str(self._folder))
            self._await_ready(self._child, deadline)
        return self._child

    def _await_ready(self, child: Child, deadline: Deadline) -> None:
        try:
            child.receive(deadline)
            return
        except Late:
            reason = "had no time left to start its queries"
        except Gone:
            reason = "cannot be opened for queries; remove it and add it again"
        self._end()
        raise self._unreachable(reason)

    def _unreachable(self, reason: str) -> KnowledgeBaseUnreachable:
        return KnowledgeBaseUnreachable(self._name, f"The knowledge base {self._name} {reason}.")

    def _end(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.close()
