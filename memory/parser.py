"""The process that documents are parsed in; `parsing` is its parent's side.

It reads one document after another until its parent is gone. An alarm ends it should the parent not live to do so.
"""

import contextlib
import ctypes
import json
import resource
import signal
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from memory.confining import confine
from memory.documents import load_readers, read_document
from memory.errors import Notice, UserMistake
from memory.parsing import LAST, NO_MEMORY, PASSAGE, READ, READY, REFUSED, REPLY, REQUEST
from memory.types import Passage

_GRACE_SECONDS = 1.0  # the parent's own kill comes first
_GROWN = 24 * 2**20  # bytes; who has needed more than that gives it back by ending
_RECOGNITION = 400 * 2**20  # bytes that recognising text takes, of which a part is only reserved
_MMAP_THRESHOLD, _TRIM_THRESHOLD, _MOST_ARENAS = -3, -1, -8  # of glibc's malloc.h
_LARGE = 4 * 2**20  # bytes
_LONGEST_VALUE = 400  # characters
_UNIT = 1 if sys.platform == "darwin" else 1024  # bytes, that `ru_maxrss` counts


def serve(connection: socket.socket, memory_bytes: int) -> None:
    """Answer documents with their text, or with the line that says why they have none."""
    load_readers()
    _give_back_at_once()
    confine(memory_bytes, _RECOGNITION)
    idle = _peak()
    stream = connection.makefile("rb")
    connection.sendall(READY)
    while head := stream.read(REQUEST.size):
        grown = _answer(connection, stream, head, idle)
        if grown:
            return


def _answer(connection: socket.socket, stream: BinaryIO, head: bytes, idle: int) -> bool:
    """Answer one request; whether the process is not to be used again."""
    name_length, length, seconds, characters = REQUEST.unpack(head)
    signal.setitimer(signal.ITIMER_REAL, seconds + _GRACE_SECONDS)
    text, passages = "", list[Passage]()
    try:
        name = stream.read(name_length).decode()
        text, passages = read_document(name, stream.read(length), characters)
        outcome = READ
    except UserMistake as mistake:
        outcome, text = REFUSED, _form(mistake.notice)
    except MemoryError:
        outcome = NO_MEMORY
    except Exception as error:  # whatever a hostile file comes to, in whichever library
        said = Notice(
            "{name} cannot be read ({reason}); choose another copy, or save it in another form.",
            name=name,
            reason=f"{type(error).__name__}: {error}",
        )
        outcome, text = REFUSED, _form(said)
    last = outcome == NO_MEMORY or _peak() - idle > _GROWN
    try:
        _send(connection, outcome | (LAST if last else 0), text, passages)
    except MemoryError:
        _send(connection, NO_MEMORY | LAST, "", [])
        return True
    signal.setitimer(signal.ITIMER_REAL, 0)
    return last


def _form(refusal: Notice) -> str:
    """A refusal as it is sent, in one line and not too long, whatever a document or a library put into it."""
    text, values = refusal.text, refusal.values
    short = {
        name: " ".join(value.split())[:_LONGEST_VALUE] if isinstance(value, str) else value
        for name, value in values.items()
    }
    return json.dumps([text, short], ensure_ascii=False)


def _send(connection: socket.socket, outcome: int, text: str, passages: Sequence[Passage]) -> None:
    numbers: dict[str, int] = {}
    packed = bytearray()
    for passage in passages:
        heading = numbers.setdefault(passage.heading, len(numbers))
        packed += PASSAGE.pack(passage.span.start, passage.span.end, heading, passage.page)
    written, headings = text.encode(errors="replace"), "\0".join(numbers).encode()
    connection.sendall(REPLY.pack(outcome, len(written), len(passages), len(headings)))
    for part in (written, packed, headings):
        connection.sendall(part)


def _give_back_at_once() -> None:
    """Let glibc hand large blocks back to the system: of many scanned pages, recognition takes 450 MB then, not 650."""
    with contextlib.suppress(OSError, AttributeError):  # another library for C
        set_option = ctypes.CDLL(None).mallopt
        for option in (_MMAP_THRESHOLD, _TRIM_THRESHOLD):
            set_option(option, _LARGE)
        set_option(_MOST_ARENAS, 1)


def _peak() -> int:
    """The most memory that the process has had, in bytes: since it was started, not since it was its parent's copy, as
    Linux counts it in `ru_maxrss`."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _UNIT


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])), int(sys.argv[2]))
