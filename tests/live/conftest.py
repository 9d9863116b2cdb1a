"""The product as people run it: a process of its own, the embedded model, a real browser."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.ui.conftest import browser, shot, visit

__all__ = ["browser", "shot", "visit"]

_ROOT = Path(__file__).parents[2]


@pytest.fixture
def server(home: Path) -> Iterator[Callable[[], str]]:
    """`server()` starts `python app.py serve` on a free port, after ending one that it started before; its address."""
    running: list[subprocess.Popen[str]] = []

    def end() -> None:
        for process in running:
            process.send_signal(signal.SIGINT)
            assert process.wait(60) == 0
        running.clear()

    def start() -> str:
        end()
        environment = {**os.environ, "LOREKEEPER_HOME": str(home), "LOREKEEPER_PUBLIC": "off"}
        process = stack.enter_context(
            subprocess.Popen(
                [sys.executable, "app.py", "serve", "--port", "0"],
                cwd=_ROOT,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        )
        running.append(process)
        assert process.stdout is not None
        for line in process.stdout:
            if found := re.search(r"http://[\d.]+:\d+", line):
                return found[0] + "/"
        raise AssertionError("The server ended before it had printed its address.")

    with ExitStack() as stack:
        yield start
        end()
