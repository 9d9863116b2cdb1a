"""One process owns a home: a lock, and a socket over which the command line hands its command to the owner.

Chroma allows one process a path, so whoever wants to work on a home either takes it or asks the process that has it:

    status = forward(home, argv, stdin, out, err)     # None: nobody serves this home
    if status is None:
        owner = Owner(home)
        if owner.acquire(): ...

A request is one line of JSON, `{"argv": [...], "stdin": base64, "cwd": ..., "language": "de"}`; replies are lines
`{"out": text}` and `{"err": text}`, and `{"exit": n}` as the last. A client that closes its connection (Ctrl-C) cancels
its command. The file `lock` in the home names the owner's process id and socket.
"""

import base64
import contextlib
import errno
import fcntl
import json
import logging
import os
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from assistant.errors import Failure, UserMistake
from assistant.messages import spoken, tell
from assistant.messages.catalogues import ENGLISH
from memory.errors import Notice

_log = logging.getLogger(__name__)

Write = Callable[[str], None]
_STOP_SECONDS = 5.0  # for all that run to notice that they are cancelled
_LONGEST_SOCKET_PATH = 100  # bytes; the system allows 107 on Linux and 103 elsewhere


@dataclass(frozen=True, slots=True)
class Command:
    """A command that another process handed over; `cancel` is set when that process goes away."""

    argv: list[str]
    stdin: bytes
    cwd: Path
    language: str
    out: Write
    err: Write
    cancel: threading.Event


Handler = Callable[[Command], int]


class Owner:
    """The lock of a home, and the server of the process that holds it."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._lock: int | None = None
        self._listener: socket.socket | None = None
        self._socket_path: Path | None = None
        self._accepting: threading.Thread | None = None
        self._stopping = False
        self._running: dict[threading.Thread, threading.Event] = {}  # each command's thread, and what cancels it

    def acquire(self) -> bool:
        """Take the home, which is made if need be; False when another process has it.

        Raises:
            UserMistake: the home cannot be made or written.
        """
        try:
            self._home.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = os.open(self._home / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise self._unusable(error) from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
            return False
        except OSError as error:
            os.close(lock)
            raise self._unusable(error) from None
        with contextlib.suppress(OSError):  # only for whoever looks; a full disk can be read and forgotten
            _rewrite(lock, {"pid": os.getpid()})
        self._lock = lock
        return True

    def _unusable(self, error: OSError) -> UserMistake:
        told = {"folder": str(self._home), "reason": str(error.strerror)}
        if error.errno == errno.ENOSPC:
            line = Notice("The home folder {folder} cannot be used ({reason}): make room on its disk.", **told)
        else:
            line = Notice(
                "The home folder {folder} cannot be used ({reason}): set LOREKEEPER_HOME to one you can write.", **told
            )
        return UserMistake(line)

    def serve(self, handler: Handler) -> None:
        """Run forwarded commands, each in a thread of its own, until `stop`; returns at once.

        Raises:
            UserMistake: the home's file system takes no socket.
        """
        assert self._lock is not None, "only the owner serves"
        path = self._home / "socket"
        if len(os.fsencode(path)) > _LONGEST_SOCKET_PATH:
            path = Path(tempfile.mkdtemp(prefix="lorekeeper-")) / "socket"  # a folder of mode 0700
        listener = socket.socket(socket.AF_UNIX)
        try:
            path.unlink(missing_ok=True)  # left by a process that was killed; the lock says that it is gone
            listener.bind(str(path))
            path.chmod(0o600)  # nobody can connect before `listen`
            _rewrite(self._lock, {"pid": os.getpid(), "socket": str(path)})
        except OSError as error:
            listener.close()
            raise self._unusable(error) from None
        listener.listen()
        self._listener, self._socket_path, self._stopping = listener, path, False
        self._accepting = threading.Thread(target=self._accept, args=(listener, handler), name="owner", daemon=True)
        self._accepting.start()

    @property
    def busy(self) -> bool:
        """Whether a forwarded command is running."""
        return bool(self._running)

    def finish(self) -> None:
        """Take no more commands, and wait until those that run have ended by themselves; may be called twice."""
        self._take_no_more()
        for thread in list(self._running):
            thread.join()

    def stop(self) -> None:
        """Stop serving, cancel what is running and wait for its end, but keep the home; may be called twice."""
        self._take_no_more()
        self._stopping = True
        for cancel in list(self._running.values()):
            cancel.set()
        end = time.monotonic() + _STOP_SECONDS
        for thread in list(self._running):
            thread.join(max(0.0, end - time.monotonic()))

    def _take_no_more(self) -> None:
        if self._listener is not None and self._socket_path is not None:
            with contextlib.suppress(OSError):
                self._listener.shutdown(socket.SHUT_RDWR)
            if self._accepting is not None:
                self._accepting.join(_STOP_SECONDS)  # whoever has connected is still taken
            self._listener.close()
            self._socket_path.unlink(missing_ok=True)
            if self._socket_path.parent != self._home:
                self._socket_path.parent.rmdir()
            self._listener = None
        if self._accepting is not None:
            self._accepting.join()

    def close(self) -> None:
        """Stop, and give the home back; may be called twice."""
        self.stop()
        if self._lock is not None:
            os.ftruncate(self._lock, 0)
            os.close(self._lock)
            self._lock = None

    def _accept(self, listener: socket.socket, handler: Handler) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:  # closed
                return
            cancel = threading.Event()
            thread = threading.Thread(
                target=self._run, args=(connection, handler, cancel), name="forwarded", daemon=True
            )
            self._running[thread] = cancel
            thread.start()

    def _run(self, connection: socket.socket, handler: Handler, cancel: threading.Event) -> None:
        sender = _Sender(connection, cancel)
        with connection, connection.makefile("rb") as lines:
            try:
                command = _command(lines.readline(), sender, cancel)
                threading.Thread(target=_watch, args=(connection, cancel), name="forwarded-watch", daemon=True).start()
                status = handler(command)
                if status and self._stopping:
                    stopped = tell("The Lorekeeper that ran this was stopped; give the command again.")
                    sender.send({"err": f"{stopped}\n"})
            except Exception:
                _log.exception("A forwarded command failed.")
                failed = tell("The running Lorekeeper failed; its log says how.")
                sender.send({"err": f"{failed}\n"})
                status = 1
            sender.send({"exit": status})
            with contextlib.suppress(OSError):  # also ends the watch
                connection.shutdown(socket.SHUT_RDWR)
        del self._running[threading.current_thread()]


class _Sender:
    """Writes reply lines, whole ones also from several threads; a client that is gone cancels the command."""

    def __init__(self, connection: socket.socket, cancel: threading.Event) -> None:
        self._connection = connection
        self._cancel = cancel
        self._lock = threading.Lock()

    def send(self, reply: dict[str, object]) -> None:
        line = json.dumps(reply).encode() + b"\n"
        try:
            with self._lock:
                self._connection.sendall(line)
        except OSError:
            self._cancel.set()


def _command(line: bytes, sender: _Sender, cancel: threading.Event) -> Command:
    request = json.loads(line)
    return Command(
        argv=[str(argument) for argument in request["argv"]],
        stdin=base64.b64decode(request["stdin"]),
        cwd=Path(request["cwd"]),
        language=str(request.get("language", ENGLISH)),
        out=lambda text: sender.send({"out": text}),
        err=lambda text: sender.send({"err": text}),
        cancel=cancel,
    )


def _watch(connection: socket.socket, cancel: threading.Event) -> None:
    """A client sends nothing after its request, so the end of what it sends is the end of the client."""
    with contextlib.suppress(OSError):
        while connection.recv(1024):
            pass
    cancel.set()


def _rewrite(lock: int, content: dict[str, object]) -> None:
    os.ftruncate(lock, 0)
    os.pwrite(lock, json.dumps(content).encode(), 0)


def forward(home: Path, argv: Sequence[str], stdin: bytes, out: Write, err: Write) -> int | None:
    """Have the process that serves `home` run a command; its exit status, or None when no process serves.

    Raises:
        Failure: that process ended before the command did.
    """
    request = {
        "argv": list(argv),
        "stdin": base64.b64encode(stdin).decode(),
        "cwd": str(Path.cwd()),
        "language": spoken(),
    }
    with socket.socket(socket.AF_UNIX) as connection, connection.makefile("rb") as replies:
        try:
            connection.connect(json.loads((home / "lock").read_bytes())["socket"])
        except (OSError, ValueError, KeyError, TypeError):  # nobody serves, or the file is damaged
            return None
        with contextlib.suppress(OSError):  # the replies say what happened
            connection.sendall(json.dumps(request).encode() + b"\n")
        for line in replies:
            reply = json.loads(line)
            if "exit" in reply:
                return int(reply["exit"])
            if "out" in reply:
                out(reply["out"])
            else:
                err(reply["err"])
    raise Failure("The running Lorekeeper ended before the command did; give the command again.")
