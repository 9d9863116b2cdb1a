"""The fixed heads of prompts: in the cache of the model's server, and on disk from one start to the next.

Reading them takes a minute on a small machine; taking back what the server kept of one, a tenth of a second. Nothing
personal is in them, so they lie in the cache folder.
"""

import hashlib
import json
import logging
import os
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import httpx2

from assistant.errors import ModelUnavailable
from assistant.llm.client import Request, Stop
from assistant.llm.limits import EMBEDDED
from assistant.llm.openai_transport import OpenAITransport
from assistant.llm.serving import CONTEXT_TOKENS, SLOTS
from assistant.types import Message

Head = tuple[Message, ...]

_logger = logging.getLogger(__name__)
_TIMEOUT_SECONDS = 60.0  # to write what a slot holds, or to read it, takes a second or two


class Heads:
    """What the server at `address` knows of the prompts' heads; `folder` is where it keeps the states of its slots.

    The slots take turns: a slot that idles while another begins has its content moved to the server's cache, where all
    the heads find room; what is taken back into the slot of the head before it would take that one's place. One thread
    at a time.
    """

    def __init__(self, address: str, key: str, folder: Path, heads: Sequence[Head]) -> None:
        self._folder = folder
        self._files = {head: f"{_digest(head)}.bin" for head in heads}
        self._slot = 0
        self._begun: Head = ()
        self._http = httpx2.Client(
            base_url=address,
            headers={"Authorization": f"Bearer {key}"},
            limits=httpx2.Limits(max_keepalive_connections=0),
            timeout=_TIMEOUT_SECONDS,
            trust_env=False,
        )
        self._readers = [
            OpenAITransport(
                model="",
                api_key=key,
                base_url=f"{address}/v1",
                limits=EMBEDDED,
                max_retries=0,
                keep_connections=False,
                body={"id_slot": slot},
            )
            for slot in range(SLOTS)
        ]

    def restore(self) -> list[Head]:
        """Take back what is on disk; the heads that are not there, or that the server could not take."""
        return [head for head in self._files if not self._restored(head)]

    def read(self, head: Head, stop: Stop) -> None:
        """Have the server read a head; where that was broken off, from there on.

        Raises:
            Interrupted, ModelUnavailable: as `Transport.send`.
        """
        if head != self._begun:
            self._begun, self._slot = head, (self._slot + 1) % SLOTS
        self._read(head, stop)

    def save(self, head: Head) -> None:
        """Keep the head that was read last, and nothing of earlier versions; no call may have come between.

        Where the disk takes it not, it is read again at the next start.
        """
        new = self._folder / f"{os.getpid()}.new"
        try:
            if self._act("save", new.name):
                new.replace(self._folder / self._files[head])
            for file in self._folder.glob("*.bin"):
                if file.name not in self._files.values():
                    file.unlink(missing_ok=True)
        except OSError as error:
            _logger.warning("The head of a prompt cannot be kept: %s", error)
        finally:
            new.unlink(missing_ok=True)

    def _restored(self, head: Head) -> bool:
        file = self._folder / self._files[head]
        if not file.exists():
            return False
        before, self._slot = self._slot, (self._slot + 1) % SLOTS
        try:
            if self._act("restore", file.name):
                self._read(head, lambda: False)  # but for its last token it is there; now it counts as used
                return True
        except ModelUnavailable as error:
            _logger.warning("The head of a prompt cannot be taken back: %s", error)
        self._slot = before
        file.unlink(missing_ok=True)
        return False

    def _read(self, head: Head, stop: Stop) -> None:
        for _ in self._readers[self._slot].send(Request(head, "warm", max_tokens=1), stop):
            pass

    def _act(self, action: str, filename: str) -> bool:
        try:
            reply = self._http.post(f"/slots/{self._slot}?action={action}", json={"filename": filename})
        except httpx2.HTTPError:  # the server ended
            return False
        return bool(reply.status_code == 200)


def _digest(head: Head) -> str:
    messages = [(message.role, message.content) for message in head]
    identity = json.dumps([version("xllamacpp"), SLOTS, CONTEXT_TOKENS, messages])
    return hashlib.sha256(identity.encode()).hexdigest()[:16]
