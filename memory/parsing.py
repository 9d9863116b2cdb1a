"""Parses documents in processes of their own, which are killed where one takes too long; `parser` is the child's side.

What comes back is bounded, and is numbers and text alone: nothing that a child sends can make the parent run anything.
A request is `REQUEST`, the name, the file; a reply is `REPLY`, the text or a line that says why there is none,
`PASSAGE` for each passage, and their headings, with a NUL between each two.
"""

import contextlib
import json
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from memory.documents import MOST_CHARACTERS, MOST_PASSAGES, check
from memory.errors import Failure, Interrupted, Notice, Unavailable, UserMistake
from memory.types import Passage, Span

REQUEST = struct.Struct("<HQdQ")  # bytes of the name and of the file; seconds; characters
REPLY = struct.Struct("<BQLQ")  # one of the outcomes below; bytes of text, passages, bytes of headings
PASSAGE = struct.Struct("<LLLL")  # start and end in the text, number of the heading, page
READ, REFUSED, NO_MEMORY, LAST = 0, 1, 2, 0x80  # LAST is added by a process that ends after this reply
READY = b"\1"

_ROOT = Path(__file__).parents[1]
_AT_ONCE = 3  # processes; each may take all the memory that it may have
_LOOK_SECONDS = 0.1  # between two looks at whether a document is still wanted
_START_SECONDS = 60.0
_CHUNK = 2**20  # bytes
_LONGEST_HEADINGS = 64 * 2**20  # bytes, of all passages together
_LONGEST_LINE = 1000  # characters
_LONGEST_NAME = 1000  # characters


@dataclass(frozen=True, slots=True)
class Limits:
    """What reading one document may take: time, memory beyond that of an idle process (on Linux alone), and text."""

    seconds: float = 180.0
    memory_bytes: int = 300 * 2**20
    characters: int = MOST_CHARACTERS


class Parser:
    """A few processes that parse documents, started when they are wanted; one is kept. Safe for several threads."""

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._free = threading.BoundedSemaphore(_AT_ONCE)
        self._lock = threading.Lock()
        self._idle: _Process | None = None
        self._closed = False

    def read(self, name: str, data: bytes, stopped: Callable[[], bool] = lambda: False) -> tuple[str, list[Passage]]:
        """The text of a file and its passages; the name's suffix says what it is. Ends at once where `stopped` says so.

        Raises:
            UserMistake: see `documents.read_document`; or reading it takes more than its limits.
            Interrupted: it was stopped, or this is closed.
            Unavailable: other documents were being read all the time, or no process can be started.
        """
        check(name, len(data))
        self._wait(name, stopped)
        try:
            reply = self._read(name, data, stopped)
        finally:
            self._free.release()
        if reply.outcome != READ:
            raise UserMistake(reply.text)
        return reply.text, reply.passages

    def close(self) -> None:
        """End all processes; whoever waits for one gets Interrupted within moments. May be called twice."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, None
        if idle is not None:
            idle.end()

    def _read(self, name: str, data: bytes, stopped: Callable[[], bool]) -> "_Reply":
        seconds, began = self._limits.seconds, time.monotonic()
        kept = self._take()
        if kept is not None:
            with contextlib.suppress(_Ended):  # perhaps before the document came to it: a new one tells
                return self._read_in(kept, name, data, seconds, stopped)
            seconds -= time.monotonic() - began
        return self._read_in(_Process(self._limits.memory_bytes), name, data, seconds, stopped)

    def _read_in(
        self, process: "_Process", name: str, data: bytes, seconds: float, stopped: Callable[[], bool]
    ) -> "_Reply":
        kept = False
        try:
            self._look(stopped, time.monotonic() + 1)
            reply = self._ask(process, name, data, seconds, stopped)
            kept = not reply.last and self._keep(process)
        finally:
            if not kept:
                process.end()
        return reply

    def _wait(self, name: str, stopped: Callable[[], bool]) -> None:
        until = time.monotonic() + 2 * self._limits.seconds
        while not self._free.acquire(timeout=_LOOK_SECONDS):
            try:
                self._look(stopped, until)
            except TimeoutError:
                raise Unavailable(
                    "{name} had to wait for other documents too long; add it again later.", name=name
                ) from None

    def _look(self, stopped: Callable[[], bool], until: float) -> None:
        if self._closed or stopped():
            raise Interrupted("Reading the document was stopped; add it again to have it read.")
        if time.monotonic() > until:
            raise TimeoutError

    def _take(self) -> "_Process | None":
        """The process that was kept, where it still runs."""
        with self._lock:
            idle, self._idle = self._idle, None
        if idle is None or idle.runs():
            return idle
        idle.end()
        return None

    def _keep(self, process: "_Process") -> bool:
        """Keep a process for the next document; whether it is kept."""
        with self._lock:
            kept = not self._closed and self._idle is None
            if kept:
                self._idle = process
        return kept

    def _ask(
        self, process: "_Process", name: str, data: bytes, seconds: float, stopped: Callable[[], bool]
    ) -> "_Reply":
        limits = self._limits
        starting = time.monotonic() + _START_SECONDS
        try:
            process.await_ready(lambda: self._look(stopped, starting))
        except (OSError, EOFError) as error:  # TimeoutError is one
            raise Unavailable(
                "{name} cannot be read: the process that reads documents does not start.", name=name
            ) from error
        until = time.monotonic() + seconds
        try:
            return process.ask(name, data, limits, lambda: self._look(stopped, until))
        except TimeoutError:
            raise UserMistake(
                "{name} takes longer than {seconds} s to read and was given up; split it, or save it as text.",
                name=name,
                seconds=limits.seconds,
            ) from None
        except (OSError, EOFError):
            if process.was_killed():
                raise _Ended(_too_much_memory(name, limits)) from None
            raise _Ended(
                "{name} ended the process that read it: it is damaged; choose another copy.", name=name
            ) from None
        except _NoReply as error:
            if error.outcome == NO_MEMORY:
                raise UserMistake(_too_much_memory(name, limits)) from None
            raise Failure(
                "{name} could not be read: what reads it gave no sense; choose another copy.", name=name
            ) from None


@dataclass(frozen=True, slots=True)
class _Reply:
    outcome: int
    last: bool
    text: str
    passages: list[Passage]


class _Ended(UserMistake):
    """The process ended with a document in it."""


class _NoReply(Exception):
    def __init__(self, outcome: int) -> None:
        self.outcome = outcome


class _Process:
    """One process, and the socket to it; whoever uses it is alone."""

    def __init__(self, memory_bytes: int) -> None:
        own, other = socket.socketpair()
        command = [sys.executable, "-m", "memory.parser", str(other.fileno()), str(memory_bytes)]
        with other:
            try:
                self._child = subprocess.Popen(
                    command,
                    cwd=_ROOT,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    pass_fds=[other.fileno()],
                )
            except OSError as error:
                own.close()
                raise Unavailable(
                    "No process to read documents can be started ({reason}).", reason=error.strerror
                ) from error
        own.settimeout(_LOOK_SECONDS)
        self._socket = own
        self._ready = False

    def runs(self) -> bool:
        """Whether it has not ended."""
        return self._child.poll() is None

    def was_killed(self) -> bool:
        """Whether the system ended it, which it does where memory is short."""
        try:
            return self._child.wait(1.0) == -9
        except subprocess.TimeoutExpired:
            return False

    def end(self) -> None:
        """Kill it, whatever it does."""
        self._socket.close()
        self._child.kill()
        self._child.wait()

    def await_ready(self, look: Callable[[], None]) -> None:
        """Wait until it has loaded what it needs. Raises what `look` raises, which is called all the while."""
        if not self._ready:
            self._received(len(READY), look)
            self._ready = True

    def ask(self, name: str, data: bytes, limits: Limits, look: Callable[[], None]) -> _Reply:
        """Hand a document over and await what comes of it; `look` as in `await_ready`.

        Raises:
            _NoReply: it has not the memory, or what it says makes no sense.
            OSError, EOFError: it has ended.
        """
        own_name = name[-_LONGEST_NAME:].encode(errors="replace")
        self._send(REQUEST.pack(len(own_name), len(data), limits.seconds, limits.characters), look)
        self._send(own_name, look)
        self._send(data, look)
        said, length, count, headings_length = REPLY.unpack(self._received(REPLY.size, look))
        outcome = said & ~LAST
        most = 4 * limits.characters if outcome == READ else 4 * _LONGEST_LINE
        if (
            outcome not in (READ, REFUSED)
            or length > most
            or count > MOST_PASSAGES
            or headings_length > _LONGEST_HEADINGS
        ):
            raise _NoReply(outcome)
        try:
            text = self._received(length, look).decode()
            text = text if outcome == READ else Notice.read(json.loads(text))
            numbers = self._received(PASSAGE.size * count, look)
            headings = self._received(headings_length, look).decode().split("\0")
            passages = [_passage(text, headings, four) for four in PASSAGE.iter_unpack(numbers)]
        except (ValueError, KeyError, IndexError):
            raise _NoReply(READ) from None
        return _Reply(outcome, bool(said & LAST), text, passages)

    def _send(self, data: bytes, look: Callable[[], None]) -> None:
        left = memoryview(data)
        while left:
            look()
            try:
                left = left[self._socket.send(left[:_CHUNK]) :]
            except TimeoutError:
                continue

    def _received(self, count: int, look: Callable[[], None]) -> bytearray:
        received = bytearray(count)
        left = memoryview(received)
        while left:
            look()
            try:
                got = self._socket.recv_into(left[:_CHUNK])
            except TimeoutError:
                continue
            if not got:
                raise EOFError
            left = left[got:]
        return received


def _passage(text: str, headings: list[str], sent: tuple[int, ...]) -> Passage:
    start, end, heading, page = sent
    if not start < end <= len(text):
        raise ValueError
    return Passage(text[start:end], Span(start, end), headings[heading], page)


def _too_much_memory(name: str, limits: Limits) -> Notice:
    return Notice(
        "{name} takes more than {number} MB of memory to read and was given up; split it, or save it as text.",
        name=name,
        number=limits.memory_bytes >> 20,
    )
