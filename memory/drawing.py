"""Draws pages, each in a process of its own, which is killed where it takes too long; `drawer` is the child's side.

They do not wait for documents that are being read. What comes back is bounded, and nobody but a browser looks into it.
"""

import json
import subprocess
import sys
import threading
from pathlib import Path

_ROOT = Path(__file__).parents[1]
_SECONDS = 15.0
_AT_ONCE = threading.BoundedSemaphore(2)  # processes
_MOST_BYTES = 16 * 2**20


def draw(original: Path, name: str, page: int, said: str) -> bytes:
    """A page of a PDF or a picture, from 1, as PNG; the name's suffix says what it is. What is `said` is marked on it.

    Empty where it cannot be drawn, or not in the time and the memory that one may take.
    """
    request = json.dumps({"file": str(original.absolute()), "name": name, "page": page, "said": said}).encode()
    if not _AT_ONCE.acquire(timeout=_SECONDS):
        return b""
    try:
        return _asked(request)
    except OSError:  # no process can be started, or it ended before it was asked
        return b""
    finally:
        _AT_ONCE.release()


def _asked(request: bytes) -> bytes:
    command = [sys.executable, "-m", "memory.drawer", str(int(_SECONDS) + 1)]
    pipe = subprocess.PIPE
    child = subprocess.Popen(command, cwd=_ROOT, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
    late = threading.Timer(_SECONDS, child.kill)
    late.daemon = True
    late.start()
    try:
        with child.stdin as asked, child.stdout as told:  # type: ignore[union-attr]
            asked.write(request)
            asked.close()
            image = told.read(_MOST_BYTES)
        return image if child.wait() == 0 else b""
    finally:
        late.cancel()
        child.kill()
        child.wait()
