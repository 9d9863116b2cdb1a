"""Replies of the model that are kept, so that methods with the same prompt pay for it once, and later runs not at all.

Beside its text each reply has what it took, tokens and seconds, so that a reply given again counts like a new one.
"""

import hashlib
import json
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from assistant.llm.client import Chunk, ModelStatus, Request, Stop, Transport
from assistant.types import UsageCount


class KeptReplies:
    """See `assistant.llm.client.Transport`; one call at a time.

    The file holds texts of data sets and belongs into the user's cache folder.
    """

    def __init__(self, transport: Transport, file: Path) -> None:
        """`file` is of one model; it need not exist."""
        self.texts: list[str] = []  # of all replies so far
        self._saved_seconds = 0.0
        self._transport = transport
        self._file = file
        self._kept: dict[str, dict[str, Any]] = {}
        if file.exists():
            content = file.read_bytes()
            whole = content[: content.rfind(b"\n") + 1]
            if whole != content:  # the last line was cut off
                file.write_bytes(whole)
            self._kept = {entry["request"]: entry for entry in map(json.loads, whole.decode().splitlines())}

    def clock(self) -> float:
        """Seconds, as if each reply were new."""
        return time.monotonic() + self._saved_seconds

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
        """See `Transport.send`; without the alternatives to tokens, which are not kept."""
        key = hashlib.sha256(json.dumps(asdict(request), sort_keys=True).encode()).hexdigest()
        if kept := self._kept.get(key):
            self._saved_seconds += kept["seconds"]
            self.texts.append(kept["text"])
            yield Chunk(kept["text"], UsageCount(**kept["usage"]))
            return
        start, text, usage = time.monotonic(), "", UsageCount()
        for chunk in self._transport.send(request, stop):
            text += chunk.text
            usage = chunk.usage or usage
            yield chunk
        self.texts.append(text)
        self._keep({"request": key, "text": text, "usage": asdict(usage), "seconds": time.monotonic() - start})

    def _keep(self, entry: dict[str, Any]) -> None:
        self._kept[entry["request"]] = entry
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")
