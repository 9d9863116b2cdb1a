"""What the model read out of documents, kept: one pass of extraction serves every benchmark that builds a memory.

A reply is kept by all that was sent, prompt and form included, so that a change of either reads anew, while what is
made of replies is always today's.
"""

import contextlib
import hashlib
import json
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from assistant.llm.client import Chunk, ModelStatus, Request, Stop, Transport
from assistant.types import UsageCount

_PURPOSES = frozenset({"extract", "count"})


class KeptReplies:
    """A transport that sends each request of extraction only once, whatever process asks; others pass through."""

    def __init__(self, transport: Transport, file: Path) -> None:
        self.asked = 0  # requests that were sent
        self.busy_seconds = 0.0  # which the model took for them
        self._usage = UsageCount()
        self._transport = transport
        self._file = file
        self._kept: dict[str, tuple[str, UsageCount]] = {}
        if file.exists():
            for line in file.read_text(encoding="utf-8").splitlines():
                with contextlib.suppress(ValueError):  # the last one, cut off
                    kept = json.loads(line)
                    self._kept[kept["key"]] = kept["text"], UsageCount(**kept["usage"])

    def start(self) -> None:
        """See `Transport.start`."""
        self._transport.start()

    def close(self) -> None:
        """See `Transport.close`."""
        self._transport.close()

    def status(self) -> ModelStatus:
        """See `Transport.status`."""
        return self._transport.status()

    def send(self, request: Request, stop: Stop) -> Iterator[Chunk]:
        """See `Transport.send`."""
        if request.purpose not in _PURPOSES:
            yield from self._transport.send(request, stop)
            return
        key = self._key(request)
        if key not in self._kept:
            self._kept[key] = self._sent(request, stop)
            self._keep(key)
        text, usage = self._kept[key]
        self._usage += usage
        yield Chunk(text, usage)

    def taken_usage(self) -> UsageCount:
        """What reading has cost since this was last asked, also where the reply was a kept one."""
        usage, self._usage = self._usage, UsageCount()
        return usage

    def _sent(self, request: Request, stop: Stop) -> tuple[str, UsageCount]:
        began = time.monotonic()
        text, usage = "", UsageCount()
        for chunk in self._transport.send(request, stop):
            text += chunk.text
            usage = chunk.usage or usage
        self.asked += 1
        self.busy_seconds += time.monotonic() - began
        return text, usage

    def _keep(self, key: str) -> None:
        text, usage = self._kept[key]
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"key": key, "text": text, "usage": asdict(usage)}, ensure_ascii=False) + "\n")

    def _key(self, request: Request) -> str:
        messages = [(message.role, message.content) for message in request.messages]
        told = [self.status().name, messages, request.schema, request.max_tokens]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()
