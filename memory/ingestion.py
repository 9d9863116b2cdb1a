"""Reads documents in the background: one worker, one passage after the other, on from where the last process ended.

The queue is the records themselves: a source waits as long as its state says so, a passage as long as it is unread. So
nothing has to be saved when the process ends, however it ends. Once all is read, entities that are one are joined.
"""

import contextlib
import logging
import math
import threading
import time
from collections.abc import Callable, Sequence

from memory.errors import Failure, Interrupted, LorekeeperError, NothingThere, Notice, Unavailable
from memory.joining import Joining
from memory.pace import Pace
from memory.store import Memory
from memory.types import Extractor, Matcher, Passage, Progress, Source
from memory.user_memory import UserMemory

_SWEEP_SECONDS = 1.0
_EMBEDDED_AT_ONCE = 128
_EMBED_SECONDS = 1.0  # who closes this waits for as long
_FIRST_WAIT, _LONGEST_WAIT = 1.0, 60.0  # seconds between attempts to reach the model
_LOOK_AGAIN = 1.0  # seconds; not all that changes the records says so here
_BREATH = 0.05  # seconds after an interruption; the model itself waits until the turn is over
_STORED = 3  # attempts at a passage that cannot be stored …
_READ = 9  # … or read, while others can be: it may be this one that ends the model
_FEW = 3  # passages that may each end the model, one after the other; where more fail, it is away
_PAUSED, _FINISHED = "paused", ("ready", "cancelled")

_log = logging.getLogger(__name__)


class Ingestion:
    """The queue of documents of all users, and the thread that works through it."""

    def __init__(self, memory: Memory, extractor: Extractor, matcher: Matcher) -> None:
        self._memory = memory
        self._joining = Joining(memory, matcher)
        self._extractor = extractor
        self._changed = threading.Condition()
        self._closing = False
        self._pace = Pace()
        self._message = ""
        self._failures: dict[str, int] = {}  # of passages that are tried again, since another one was read
        self._failed: set[str] = set()  # passages, since the last one was read
        self._failed_before: set[str] = set()  # passages, and another one was read since
        self._suspects: set[str] = set()
        self._worker: threading.Thread | None = None
        memory.when_put_in(self.wake)

    def start(self) -> None:
        """Read on where the last process ended, unless that goes on already; `add` does so too."""
        with self._changed:
            if self._worker is None and not self._closing:
                self._worker = threading.Thread(target=self._work, name="ingestion", daemon=True)
                self._worker.start()

    @property
    def running(self) -> bool:
        """Whether the background is at work in this process."""
        return self._worker is not None

    def add(
        self,
        user: str,
        name: str,
        data: bytes,
        place: str = "",
        beside: Sequence[str] = (),
        *,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Source:
        """Add a document; it can be searched on return, and its facts are read in the background.

        `place`, `beside` and `stopped` as in `UserMemory.add_document`: by the first two a changed document finds what
        it replaces.

        Raises:
            UserMistake, Interrupted, Unavailable: as `UserMemory.add_document`.
        """
        source = self._memory.of(user).add_document(name, data, place, beside, stopped=stopped)
        self.start()
        self.wake()
        return source

    def progress(self, user: str) -> list[Progress]:
        """Every source of a user that is not finished, paused ones too, in the order in which they are read.

        The seconds left count what is ahead in the queue, of other users too; while something else goes first, or
        nothing can be read, the message says so, and no seconds are told.
        """
        found = []
        ahead = 0
        stands_still = self._message or self._goes_first()
        for owner, source in self._memory.unfinished():
            rest = source.passages - source.passages_read
            paused = source.state == _PAUSED
            ahead += 0 if paused else rest
            if owner == user:
                message = "" if paused else stands_still
                left = None if paused or message else self._pace.seconds(ahead)
                tokens = self._pace.tokens(rest)
                with contextlib.suppress(NothingThere):  # forgotten meanwhile
                    replaces = tuple(self._memory.of(user).replaces(source.id))
                    done = source.passages_read, source.passages
                    found.append(Progress(source, *done, left, message, tokens, replaces))
        return found

    def wait(self, user: str, source_id: str, timeout_seconds: float | None = None) -> Source:
        """Wait until a source is finished, or the time is over; the source as it is then. Raises NothingThere."""
        memory = self._memory.of(user)
        until = math.inf if timeout_seconds is None else time.monotonic() + timeout_seconds
        with self._changed:
            while not self._closing and memory.source(source_id).state not in _FINISHED:
                left = until - time.monotonic()
                if left <= 0:
                    break
                self._changed.wait(min(left, _LOOK_AGAIN))
        return memory.source(source_id)

    def pause(self, user: str, source_id: str) -> None:
        """Read no further facts from a source until `resume`, whatever is restarted meanwhile. Raises NothingThere."""
        self._memory.of(user).pause(source_id)
        self.wake()

    def resume(self, user: str, source_id: str) -> None:
        """Read on from a paused source where its reading stopped. Raises NothingThere."""
        self._memory.of(user).resume(source_id)
        self.start()
        self.wake()

    def keep_both(self, user: str, source_id: str) -> None:
        """Let an upload replace nothing once it is read. Raises NothingThere."""
        self._memory.of(user).keep_both(source_id)
        self.wake()

    def cancel(self, user: str, source_id: str) -> None:
        """Read no further facts from a source; its text can still be searched. Raises NothingThere."""
        self._memory.of(user).cancel(source_id)
        self.wake()

    def wake(self) -> None:
        """Look at once for what came into the queue otherwise than by `add`."""
        with self._changed:
            self._changed.notify_all()

    def close(self) -> None:
        """Stop after the passage at hand, whose result is kept; what is left is read next time. May be called twice."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        if self._worker is not None:
            self._worker.join()

    def _work(self) -> None:
        pause = _FIRST_WAIT
        while not self._closing:
            try:
                if not self._step():
                    self._rest()
                pause, self._message = _FIRST_WAIT, ""
            except Interrupted:  # a turn went first: the same passage again
                self._pause(_BREATH)
            except Failure as error:  # the model is away, or the disk is full: no fault of the passage
                pause = self._put_off(pause, str(error))
            except Exception:  # our bug, or the database's; whoever added a document must not wait for a dead worker
                _log.exception("Reading failed.")
                pause = self._put_off(pause, Notice("Reading failed; the log says how. It is tried again."))

    def _step(self) -> bool:
        """Do one piece of work, if there is any: go on forgetting, embed, read one passage, or join two entities."""
        unswept = self._memory.unswept()
        if unswept:
            self._memory.of(unswept[0]).sweep(_SWEEP_SECONDS)
            return True
        not_embedded = self._memory.not_embedded()
        if not_embedded:
            self._memory.of(not_embedded[0]).embed_waiting(_EMBEDDED_AT_ONCE, _EMBED_SECONDS)
            return True
        queue = self._queue()
        if not queue:
            return self._joining.step()
        with contextlib.suppress(NothingThere):  # forgotten meanwhile
            self._read(*self._next(queue))
        self.wake()
        return True

    def _goes_first(self) -> str:
        """What is done before anything is read, where that is more than a piece of work; empty where nothing is."""
        if self._memory.unswept():
            return Notice("what was forgotten is being removed first")
        records = sum(self._memory.of(user).not_embedded() for user in self._memory.not_embedded())
        filling = Notice("the index is being filled: {count} records left", count=records)
        return filling if records > _EMBEDDED_AT_ONCE else ""

    def _queue(self) -> list[tuple[str, Source]]:
        return [(user, source) for user, source in self._memory.unfinished() if source.state != _PAUSED]

    def _next(self, queue: Sequence[tuple[str, Source]]) -> tuple[UserMemory, Source, str, Passage]:
        """The passage to read: the first, but one that failed waits for all others, which tell whose fault it was."""
        least: tuple[UserMemory, Source, str, Passage] | None = None
        fewest = math.inf
        for user, source in queue:
            memory = self._memory.of(user)
            # One more than have failed: there is one among them that has not, or these are all.
            for passage_id, passage in memory.passages(source.id, unread=True, limit=len(self._failures) + 1):
                failures = self._failures.get(passage_id, 0)
                if failures < fewest:
                    least, fewest = (memory, source, passage_id, passage), failures
                if not failures:
                    break
            if not fewest:
                break
        if least is None:
            raise NothingThere("Nothing waits to be read any more.")
        return least

    def _read(self, memory: UserMemory, source: Source, passage_id: str, passage: Passage) -> None:
        began = time.monotonic()
        try:
            extraction = self._extractor.extract(passage, source.name)
        except Interrupted:
            raise
        except Unavailable as error:
            self._failed.add(passage_id)
            attempts = _READ if passage_id in self._suspects else math.inf  # where all fail, the model is away
            if not self._given_up(memory, source, passage_id, error, attempts):
                raise
            return
        except Exception as error:  # whatever is wrong with this passage, the next ones are read
            self._skip(memory, source, passage_id, error)
            return
        try:
            memory.store(source.id, passage_id, extraction)
        except LorekeeperError:  # the disk is full, or the source was forgotten
            raise
        except Exception as error:
            if not self._given_up(memory, source, passage_id, error, _STORED):
                raise
            return
        self._suspect(passage_id)
        self._done_with(passage_id)
        self._failed.clear()
        self._failures = dict.fromkeys(self._failures, 1)  # the model may have been away
        self._pace.note(time.monotonic() - began, extraction.tokens)

    def _suspect(self, read: str) -> None:
        """Suspect passages that failed before this one was read: one alone, a few, or those that did so before.

        A few only where this one was read at once: had it failed, too, the model would have been away from them all.
        """
        others = self._failed - {read}
        few = 1 if read in self._failed else _FEW
        self._suspects |= others if len(others) <= few else others & self._failed_before
        self._failed_before |= others

    def _given_up(self, memory: UserMemory, source: Source, passage_id: str, error: Exception, attempts: float) -> bool:
        """Count a failure of a passage; whether that was the last of its attempts, and it is left as text."""
        self._failures[passage_id] = self._failures.get(passage_id, 0) + 1
        if self._failures[passage_id] < attempts:
            return False
        self._skip(memory, source, passage_id, error)
        return True

    def _skip(self, memory: UserMemory, source: Source, passage_id: str, error: Exception) -> None:
        unexpected = not isinstance(error, Failure)
        _log.warning("A passage of %s could not be read: %s", source.id, error, exc_info=unexpected)
        memory.skip(source.id, passage_id)
        self._done_with(passage_id)

    def _done_with(self, passage_id: str) -> None:
        self._failures.pop(passage_id, None)
        self._failed.discard(passage_id)
        self._failed_before.discard(passage_id)
        self._suspects.discard(passage_id)

    def _rest(self) -> None:
        """Until there is something to do; looked at once more, since it may have come just before."""
        with self._changed:
            memory = self._memory
            if not (self._closing or memory.unswept() or self._queue() or memory.not_embedded()):
                self._changed.wait(_LONGEST_WAIT)

    def _put_off(self, seconds: float, message: str) -> float:
        """Say why nothing is read just now, and wait; how long to wait the next time."""
        self._message = message
        self._pause(seconds)
        return min(2 * seconds, _LONGEST_WAIT)

    def _pause(self, seconds: float) -> None:
        """Until something changes, the time is over, or the end."""
        with self._changed:
            if not self._closing:
                self._changed.wait(seconds)
