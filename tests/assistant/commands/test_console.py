"""Results as JSON, and errors as one line with an exit status."""

import errno
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from assistant.commands.console import Console, exit_status
from assistant.errors import Failure, NothingThere, UserMistake


@dataclass
class _Row:
    name: str
    at: datetime
    parts: tuple[str, ...] = ()


def raising(error: BaseException) -> Callable[[], None]:
    def work() -> None:
        raise error

    return work


def test_dataclasses_are_shown_as_json_in_any_language() -> None:
    printed: list[str] = []
    console = Console(printed.append, printed.append)
    console.show({"rows": [_Row("内罗毕", datetime(2026, 11, 21, tzinfo=UTC), ("a", "b"))]})
    text = "".join(printed)
    assert "内罗毕" in text
    assert json.loads(text) == {"rows": [{"name": "内罗毕", "at": "2026-11-21T00:00:00+00:00", "parts": ["a", "b"]}]}


@pytest.mark.parametrize(
    ("error", "status", "line"),
    [
        (UserMistake("Choose\nanother name."), 2, "Choose another name.\n"),
        (NothingThere("No such fact."), 2, "No such fact.\n"),
        (Failure("The model is down."), 1, "The model is down.\n"),
        (KeyboardInterrupt(), 130, "Interrupted.\n"),
    ],
)
def test_an_error_is_one_line_and_its_status(error: BaseException, status: int, line: str, tmp_path: Path) -> None:
    printed: list[str] = []
    assert exit_status(raising(error), printed.append, tmp_path / "log") == status
    assert "".join(printed) == line
    assert not (tmp_path / "log").exists()


def test_a_full_disk_says_what_to_do(tmp_path: Path) -> None:
    printed: list[str] = []
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "memory.db")
    assert exit_status(raising(full), printed.append, tmp_path / "log") == 1
    assert "".join(printed).startswith("No space left on device: memory.db. Make room on the disk")


def test_our_own_bug_is_one_line_and_its_traceback_goes_to_the_log(tmp_path: Path) -> None:
    printed: list[str] = []
    log = tmp_path / "home" / "errors.log"
    assert exit_status(raising(ZeroDivisionError("oh")), printed.append, log) == 1
    assert "".join(printed) == f"Something unexpected happened (oh). Its details are in {log}.\n"
    assert "Traceback" in log.read_text("utf-8")


def test_a_log_that_cannot_be_written_does_not_hide_the_error(tmp_path: Path) -> None:
    printed: list[str] = []
    (tmp_path / "file").touch()
    assert exit_status(raising(ZeroDivisionError("oh")), printed.append, tmp_path / "file" / "log") == 1
    assert "oh" in "".join(printed)


def test_the_status_of_a_forwarded_command_is_kept(tmp_path: Path) -> None:
    assert exit_status(lambda: 2, print, tmp_path / "log") == 2
