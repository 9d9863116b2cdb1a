"""The product as a process of its own: `python app.py serve` in a given home, asked over loopback."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assistant.errors import Failure
from tests.benchmarks.harness import ROOT

_PATIENCE_SECONDS = 300.0


@dataclass(frozen=True)
class Server:
    """A running server whose page has answered; `start_seconds` is how long that took from the process's start."""

    home: Path
    pid: int
    start_seconds: float

    def ask(self, question: str) -> None:
        """A turn, by the command line, which forwards it to this server.

        Raises:
            Failure: it came to nothing.
        """
        command = [sys.executable, "app.py", "ask", question, "--json"]
        environment = _environment(self.home)
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failure(f"A turn of the server failed: {done.stderr.strip()}")

    def resident_megabytes(self, without: str) -> float:
        """Resident memory of the server and all processes under it, but for those with `without` in their command.

        Pages that two processes share count twice.
        """
        family = [member for member in _family(self.pid) if without not in _command(member)]
        return sum(map(_resident_bytes, family)) / 2**20


@contextlib.contextmanager
def serve(home: Path) -> Iterator[Server]:
    """Start a server on a free port and wait until its page answers; it is stopped afterwards.

    Raises:
        Failure: it ends, or does not answer in time.
    """
    port = _free_port()
    start = time.monotonic()
    log = (home.parent / f"{home.name}.log").open("w+", encoding="utf-8")
    command = [sys.executable, "app.py", "serve", "--port", str(port)]
    with log, subprocess.Popen(command, cwd=ROOT, env=_environment(home), stdout=log, stderr=log) as process:
        try:
            while not _answers(f"http://127.0.0.1:{port}/"):
                if process.poll() is not None or time.monotonic() - start > _PATIENCE_SECONDS:
                    log.seek(0)
                    raise Failure(f"The server did not come up: {log.read()[-500:].strip()}")
                time.sleep(0.02)
            yield Server(home, process.pid, time.monotonic() - start)
        finally:
            process.send_signal(signal.SIGTERM)


def proportional_megabytes(pid: int) -> float:
    """Memory of a process and all under it, what several of them share counted once among them."""
    return sum(map(_proportional_bytes, _family(pid))) / 2**20


def seconds_of(code: str) -> float:
    """How long a Python process of its own takes to run `code` and end."""
    start = time.monotonic()
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True)
    return time.monotonic() - start


def _environment(home: Path) -> dict[str, str]:
    return os.environ | {"LOREKEEPER_HOME": str(home), "LOREKEEPER_PUBLIC": "off", "LOREKEEPER_PASSWORD": ""}


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=10) as reply:
            return bool(reply.status == 200)
    except (OSError, urllib.error.URLError):
        return False


def _family(pid: int) -> list[int]:
    """The process and everything under it; Linux only, as is all that reads /proc here."""
    children: dict[int, list[int]] = defaultdict(list)
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has just ended
            parent = int(stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[1])
            children[parent].append(int(stat.parent.name))
    family = [pid]
    for member in family:
        family += children[member]
    return family


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def _proportional_bytes(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def _resident_bytes(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
