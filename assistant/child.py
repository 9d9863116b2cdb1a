"""A process of ours for what others wrote, programs and queries: it can be killed, and what runs there cannot flood us.

Nothing of what runs in it is waited for longer than a deadline, which is also how Stop reaches it; its replies are of
bounded size; and where it is killed, all that it started goes with it.
"""

import contextlib
import os
import pickle
import signal
import subprocess
import sys
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path

from assistant.deadline import Deadline

LOOK_SECONDS = 0.1  # between two looks at whether an answer is still wanted
_ROOT = Path(__file__).parents[1]
_REPLY_BYTES = 32 * 2**20


class Gone(Exception):
    """The process has ended, by itself, for want of memory, or since it was killed."""


class Late(Exception):
    """It did not reply by the deadline, or nobody wants the reply any more."""


class Child:
    """`python -m module`, with a connection of its own; it says something once it is ready."""

    def __init__(self, module: str, *arguments: str) -> None:
        own, other = Pipe()
        command = [sys.executable, "-m", module, str(other.fileno()), *arguments]
        with other:
            self._process = subprocess.Popen(
                command,
                cwd=_ROOT,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[other.fileno()],
                start_new_session=True,  # so that it can be killed with its own children
            )
        self._connection: Connection = own
        self._killed = False

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    def send(self, message: object) -> None:
        """Hand it a message; raises Gone."""
        try:
            self._connection.send(message)
        except OSError as error:
            raise Gone from error

    def receive(self, deadline: Deadline) -> object:
        """Its next message.

        Raises:
            Late, Gone: there is none; a late one should be killed.
        """
        try:
            while not self._connection.poll(min(LOOK_SECONDS, deadline.remaining)):
                if not deadline.remaining:
                    raise Late
            return pickle.loads(self._connection.recv_bytes(_REPLY_BYTES))
        except (EOFError, OSError) as error:
            raise Gone from error

    def kill(self) -> None:
        """End it and what it started, now; may be called twice, and while another thread waits for a message."""
        if not self._killed:
            self._killed = True
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def close(self) -> None:
        """Kill it, and let go of the connection; not while another thread waits for a message."""
        self.kill()
        self._connection.close()
