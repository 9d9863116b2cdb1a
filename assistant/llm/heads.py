"""The fixed heads of prompts: in the cache of the model's server, and on disk from one start to the next.

Reading them takes a minute on a small machine; taking back what the server kept of one, a tenth of a second. Nothing
personal is in them, so they lie in the cache folder.
"""

import contextlib
import hashlib
import json
import logging
import os
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import httpx2

from assistant.errors import Interrupted, ModelTooSlow, ModelUnavailable
from assistant.llm.client import Stop
from assistant.llm.serving import CONTEXT_TOKENS, SLOTS
from assistant.types import Message

Head = tuple[Message, ...]

_logger = logging.getLogger(__name__)
_TIMEOUT_SECONDS = 60.0  # to write what a slot holds, or to read it, takes a second or two, and so does a batch
_NOTHING = " "  # a prompt that takes the place of another's in a slot
_EVENT = "data: "


class _Refused(ModelUnavailable):
    """The server answers that it cannot do what was asked."""


class Heads:
    """What the server at `address` knows of the prompts' heads; `folder` is where it keeps the states of its slots.

    The content of a slot goes to the server's cache, where all the heads find room, when another prompt takes its
    place; but what is taken back into a slot overwrites it, so that a slot is freed first. One thread at a time.
    """

    def __init__(self, address: str, key: str, folder: Path, heads: Sequence[Head]) -> None:
        self._folder = folder
        self._files = {head: f"{_digest(head)}.bin" for head in heads}
        self._slot = 0  # that has the head that was read last
        self._http = httpx2.Client(
            base_url=address,
            headers={"Authorization": f"Bearer {key}"},
            limits=httpx2.Limits(max_keepalive_connections=0),
            timeout=_TIMEOUT_SECONDS,
            trust_env=False,
        )

    def restore(self) -> list[Head]:
        """Take back what is on disk; the heads that are not there, or that the server could not take."""
        left = list(self._files)
        try:
            left = [head for head in left if not self._restored(head)]
        except ModelUnavailable as error:  # those that are there count as read when they are
            _logger.warning("The heads of the prompts cannot be taken back: %s", error)
        return left

    def read(self, head: Head, stop: Stop) -> None:
        """Have the server read a head; where that was broken off, from there on.

        Raises:
            Interrupted, ModelUnavailable: as `Transport.send`.
        """
        messages = [{"role": message.role, "content": message.content} for message in head]
        self._slot = self._completed(self._asked("/apply-template", {"messages": messages}, "prompt"), stop)

    def save(self, head: Head) -> None:
        """Keep the head that was read last, and nothing of earlier versions; no call may have come between.

        Where the disk takes it not, it is read again at the next start.
        """
        new = self._folder / f"{os.getpid()}.new"
        try:
            self._act("save", new.name)
            new.replace(self._folder / self._files[head])
            for file in self._folder.glob("*.bin"):
                if file.name not in self._files.values():
                    file.unlink(missing_ok=True)
        except (OSError, ModelUnavailable) as error:
            _logger.warning("The head of a prompt cannot be kept: %s", error)
        finally:
            new.unlink(missing_ok=True)

    def _restored(self, head: Head) -> bool:
        file = self._folder / self._files[head]
        if not file.exists():
            return False
        self._slot = self._completed(_NOTHING, _never)
        try:
            self._act("restore", file.name)
        except _Refused as error:
            _logger.warning("The head of a prompt cannot be taken back: %s", error)
            file.unlink(missing_ok=True)
            return False
        self.read(head, _never)  # but for its last token it is there; now it counts as used
        return True

    def _completed(self, prompt: str, stop: Stop) -> int:
        """Have a prompt read, in steps of a batch; the slot that it is in."""
        body = {"prompt": prompt, "n_predict": 1, "stream": True, "return_progress": True}
        with self._answering(), self._http.stream("POST", "/completion", json=body) as reply:
            reply.raise_for_status()
            for line in reply.iter_lines():
                if stop():
                    raise Interrupted("Stopped.")
                step = json.loads(line.removeprefix(_EVENT)) if line.startswith(_EVENT) else {}
                if step.get("stop"):
                    return int(step["id_slot"])
            raise LookupError("the reply has no end")

    def _act(self, action: str, filename: str) -> None:
        self._asked(f"/slots/{self._slot}?action={action}", {"filename": filename}, "filename")

    def _asked(self, path: str, body: dict[str, Any], key: str) -> str:
        """What the server's reply has under a key."""
        with self._answering():
            return str(self._http.post(path, json=body).raise_for_status().json()[key])

    @contextlib.contextmanager
    def _answering(self) -> Iterator[None]:
        """Around a call: raises what becomes of it where a server answers late, with an error, otherwise or not."""
        try:
            yield
        except httpx2.TimeoutException as error:
            raise ModelTooSlow(str(error)) from error
        except httpx2.HTTPStatusError as error:
            raise _Refused(str(error)) from error
        except (httpx2.HTTPError, LookupError, TypeError, ValueError) as error:
            raise ModelUnavailable(str(error)) from error


def _never() -> bool:
    return False


def _digest(head: Head) -> str:
    messages = [(message.role, message.content) for message in head]
    identity = json.dumps([version("xllamacpp"), SLOTS, CONTEXT_TOKENS, messages])
    return hashlib.sha256(identity.encode()).hexdigest()[:16]
