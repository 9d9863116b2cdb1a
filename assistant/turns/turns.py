"""Turns that belong to the server: each runs in a thread of its own, whoever watches it or goes away.

    running = turns.start(Turn("Where does Ada live?", user, session, now))
    for event in running.log.read(0, wait_seconds=1.0): ...

The question is saved before `start` returns, and the answer before the turn's log is closed, however the turn ends.
"""

import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from assistant.errors import NothingThere, UserMistake, notice
from assistant.turns.log import EventLog, MemoryLog
from assistant.turns.saving import Exchange
from assistant.types import Event, Failed, Turn
from memory.store import Memory

_AT_ONCE = 4
_STOP_SECONDS = 5.0  # for a turn to notice that it was stopped; after that it is ended from outside
_CLOSE_SECONDS = 3.0

Reply = Callable[[Turn, threading.Event], Iterator[Event]]


@dataclass(eq=False)
class RunningTurn:
    """A turn under way, or in the line for it: `log` is what happens in it, and is closed when all of it is saved."""

    exchange: Exchange
    log: EventLog
    when_stopped: Callable[["RunningTurn"], None]
    id: str = field(default_factory=lambda: uuid.uuid4().hex)
    cancel: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)
    stopping: bool = False
    ending: bool = False

    @property
    def turn(self) -> Turn:
        """What was asked, with all that the reply is made of."""
        return self.exchange.turn

    def stop(self) -> None:
        """Let the turn end soon; what has been written so far is kept. May be called twice."""
        self.cancel.set()
        if not self.stopping:
            self.stopping = True
            self.when_stopped(self)


class Turns:
    """All turns under way: one in a conversation, a few at once; the others wait in the order in which they came."""

    def __init__(
        self,
        reply: Reply,
        check: Callable[[Turn], None],
        memory: Memory,
        *,
        at_once: int = _AT_ONCE,
        stop_seconds: float = _STOP_SECONDS,
        new_log: Callable[[], EventLog] = MemoryLog,
    ) -> None:
        """`reply` yields what happens in a turn, `check` raises UserMistake for one that cannot be answered.

        A turn that does not end within `stop_seconds` of being stopped is ended without its thread.
        """
        self._reply = reply
        self._check = check
        self._memory = memory
        self._at_once = at_once
        self._stop_seconds = stop_seconds
        self._new_log = new_log
        self._lock = threading.Lock()
        self._all: dict[tuple[str, str], RunningTurn | None] = {}  # None while the question is being saved
        self._line: deque[RunningTurn] = deque()
        self._begun: dict[RunningTurn, threading.Thread] = {}
        self._closed = False
        memory.when_forgotten(lambda names: self._end_homeless() if names is None else None)

    def start(self, turn: Turn, place: int | None = None) -> RunningTurn:
        """Save the question and begin its turn; `turn.history` is read from the conversation.

        `place` is the number of the saved message that the question takes the place of, with all that followed.

        Raises:
            UserMistake: the message cannot be answered, the conversation is being answered already, or the program
                is ending.
            NothingThere: there is no such conversation.
        """
        self._check(turn)
        key = turn.user, turn.session
        with self._lock:
            if self._closed:
                raise UserMistake("Lorekeeper is ending; start it again, and ask then.")
            if key in self._all:
                raise UserMistake(
                    "This conversation is being answered, perhaps in another window: press Stop, or wait a moment."
                )
            self._all[key] = None
        try:
            exchange = Exchange(self._memory.of(turn.user), turn, place)
        except BaseException:
            with self._lock:
                del self._all[key]
            raise
        running = RunningTurn(exchange, self._new_log(), self._stopped)
        with self._lock:
            self._all[key] = running
            self._line.append(running)
            self._begin()
        if self._closed:
            running.stop()
        return running

    def running(self, user: str, session: str) -> RunningTurn | None:
        """The turn under way in a conversation."""
        with self._lock:
            return self._all.get((user, session))

    def sessions(self, user: str) -> frozenset[str]:
        """The conversations that are being answered."""
        with self._lock:
            return frozenset(session for owner, session in self._all if owner == user)

    def ahead(self, running: RunningTurn) -> int:
        """How many turns have to end before this one begins; 0 when it has begun."""
        with self._lock:
            return self._line.index(running) + 1 if running in self._line else 0

    def stop(self, user: str, session: str | None = None, wait_seconds: float = 0.0) -> None:
        """Stop the turn of a conversation, or all of a user's, and wait for their ends up to `wait_seconds`."""
        stopped = [each for each in self._each() if each.turn.user == user and session in (None, each.turn.session)]
        for running in stopped:
            running.stop()
        _await(stopped, wait_seconds)

    def close(self) -> None:
        """Stop all turns, save what they have, and take no more; ends within seconds, may be called twice."""
        with self._lock:
            self._closed = True
        running = self._each()
        for each in running:
            each.stop()
        _await(running, _CLOSE_SECONDS)
        for each in running:
            self._end(each)

    def _each(self) -> list[RunningTurn]:
        with self._lock:
            return [running for running in self._all.values() if running is not None]

    def _begin(self) -> None:
        """Let those in the line begin for which there is room; the lock is held."""
        while self._line and not self._closed and len(self._begun) < self._at_once:
            running = self._line.popleft()
            self._begun[running] = threading.Thread(target=self._run, args=(running,), name="turn", daemon=True)
            self._begun[running].start()

    def _run(self, running: RunningTurn) -> None:
        try:
            for event in running.exchange.whole(self._reply(running.turn, running.cancel)):
                if running.log.closed:  # ended from outside
                    break
                running.log.append(event)
        except Exception as error:
            running.cancel.set()
            running.log.append(Failed("answer", notice(error)))
        finally:
            self._end(running)

    def _stopped(self, running: RunningTurn) -> None:
        with self._lock:
            waits = running in self._line
            if waits:
                self._line.remove(running)
        if waits:
            self._end(running)
            return
        late = threading.Timer(self._stop_seconds, self._end, [running])
        late.daemon = True
        late.start()

    def _end(self, running: RunningTurn) -> None:
        """Save what the turn has come to and let the next one begin; once, whichever thread is first."""
        with self._lock:
            if running.ending:
                return
            running.ending = True
        try:
            running.exchange.end(running.log)
        except Exception as error:
            running.log.append(Failed("saving", notice(error)))
        finally:
            with self._lock:
                del self._all[running.turn.user, running.turn.session]
                self._begun.pop(running, None)
                self._begin()
            running.log.close()
            running.ended.set()

    def _end_homeless(self) -> None:
        """Stop the turns whose conversations are forgotten, but the one that is just forgetting everything."""
        for running in self._each():
            try:
                self._memory.of(running.turn.user).sessions.info(running.turn.session)
            except NothingThere:
                if self._begun.get(running) is not threading.current_thread():
                    running.stop()


def _await(turns: Sequence[RunningTurn], seconds: float) -> None:
    until = time.monotonic() + seconds
    for running in turns:
        running.ended.wait(max(0.0, until - time.monotonic()))
