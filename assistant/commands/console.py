"""Where a command reads and writes, and what becomes of its errors: one line and an exit status, never a traceback."""

import dataclasses
import errno
import json
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from assistant.messages import Phrase, tell, translated
from memory.errors import LorekeeperError, UserMistake

Write = Callable[[str], None]

MISTAKE, FAILURE, INTERRUPTED = 2, 1, 130


@dataclass(frozen=True, slots=True)
class Console:
    """The streams of whoever gave the command: this process's own, or another's that forwarded it here.

    `folder` is the caller's working directory, from which relative paths start; `cancel` is set when the caller goes.
    """

    out: Write
    err: Write
    input: bytes = b""
    folder: Path = field(default_factory=Path.cwd)
    cancel: threading.Event = field(default_factory=threading.Event)

    def say(self, line: str) -> None:
        """Print a line of the result."""
        self.out(f"{line}\n")

    def note(self, line: str) -> None:
        """Print a line about the work, apart from the result."""
        self.err(f"{line}\n")

    def show(self, value: object) -> None:
        """Print a result as JSON; dataclasses become objects."""
        self.say(json.dumps(plain(value), ensure_ascii=False, indent=2))


def plain(value: object) -> object:
    """`value` with dataclasses as dicts and times in ISO 8601, ready for JSON."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if isinstance(value, datetime | Path):
        return value.isoformat() if isinstance(value, datetime) else str(value)
    return value


def exit_status(work: Callable[[], int | None], err: Write, log: Path) -> int:
    """Do the work; an error becomes one line on `err` and its exit status, our own bug a traceback in `log` as well."""
    try:
        return work() or 0
    except BrokenPipeError:
        raise  # nobody reads any more: for the process that owns the stream
    except (LorekeeperError, OSError) as error:
        err(f"{_line(error)}\n")
        return MISTAKE if isinstance(error, UserMistake) else FAILURE
    except KeyboardInterrupt:
        interrupted = tell("Interrupted.")
        err(f"{interrupted}\n")
        return INTERRUPTED
    except Exception as error:
        unexpected = tell("Something unexpected happened ({error}).", error=_line(error))
        err(f"{unexpected} {_kept(error, log)}\n")
        return FAILURE


def _line(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        place = f": {error.filename}" if error.filename else ""
        advice = _ADVICE.get(error.errno or 0)
        return f"{error.strerror}{place}. {tell(advice) if advice else ''}".strip()
    return " ".join(translated(str(error)).split()) or type(error).__name__


_FORBIDDEN = Phrase("Choose a folder that you may write to; LOREKEEPER_HOME sets the one for everything personal.")
_ADVICE = {
    errno.ENOSPC: Phrase("Make room on the disk and try again; nothing that was stored is lost."),
    errno.EACCES: _FORBIDDEN,
    errno.EPERM: _FORBIDDEN,
    errno.EROFS: Phrase("Choose a folder that can be written; LOREKEEPER_HOME sets the one for everything personal."),
}


def _kept(error: Exception, log: Path) -> str:
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("a", encoding="utf-8") as file:
            file.write(f"{datetime.now(UTC).isoformat()}\n{''.join(traceback.format_exception(error))}\n")
    except OSError:
        return tell("Its details could not be written anywhere.")
    return tell("Its details are in {file}.", file=str(log))
