"""Replies of the model that are kept, so that what is asked in the same words is paid for once, in later runs too.

Each reply is kept with what it took, tokens and seconds, so that a reply given again can be counted like a new one. A
change of the model, of a prompt or of the reply's form asks anew.
"""

import hashlib
import json
import time
from collections.abc import Container, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from assistant.llm.client import Chunk, ModelStatus, Request, Stop, Transport
from assistant.types import UsageCount


@dataclass(frozen=True, slots=True)
class Given:
    """A reply, what it took when it was new, and whether it is."""

    text: str
    usage: UsageCount
    seconds: float
    new: bool = True


@dataclass(slots=True)
class Account:
    """The replies given since it was opened."""

    given: list[Given] = field(default_factory=list)

    @property
    def texts(self) -> list[str]:
        """All replies."""
        return [reply.text for reply in self.given]

    @property
    def usage(self) -> UsageCount:
        """What all of them took."""
        return sum((reply.usage for reply in self.given), UsageCount())

    @property
    def seconds_asking(self) -> float:
        """What the new ones took."""
        return sum(reply.seconds for reply in self.given if reply.new)

    @property
    def seconds_saved(self) -> float:
        """What the kept ones took when they were new."""
        return sum(reply.seconds for reply in self.given if not reply.new)

    @property
    def all_new(self) -> bool:
        """Whether none of them was kept."""
        return all(reply.new for reply in self.given)


class KeptReplies:
    """See `assistant.llm.client.Transport`; one call at a time.

    The file holds texts of data sets and belongs into the user's cache folder.
    """

    def __init__(self, transport: Transport, file: Path, purposes: Container[str] | None = None) -> None:
        """Keeps replies for these purposes, for all if there are none; `file` need not exist."""
        self._account = Account()
        self._transport = transport
        self._file = file
        self._purposes = purposes
        self._kept: dict[str, Given] = {}
        if file.exists():
            content = file.read_bytes()
            whole = content[: content.rfind(b"\n") + 1]
            if whole != content:  # the last line was cut off
                file.write_bytes(whole)
            for entry in map(json.loads, whole.decode().splitlines()):
                self._kept[entry.pop("request")] = _read(entry)

    def account(self) -> Account:
        """Opens an account, in the place of the one before."""
        self._account = Account()
        return self._account

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
        """See `Transport.send`; without the alternatives to tokens where a reply is a kept one."""
        if self._purposes is not None and request.purpose not in self._purposes:
            yield from self._transport.send(request, stop)
            return
        told = json.dumps([self.status().name, asdict(request)], sort_keys=True)
        key = hashlib.sha256(told.encode()).hexdigest()
        if kept := self._kept.get(key):
            self._account.given.append(replace(kept, new=False))
            yield Chunk(kept.text, kept.usage)
            return
        start, text, usage = time.monotonic(), "", UsageCount()
        for chunk in self._transport.send(request, stop):
            text += chunk.text
            usage = chunk.usage or usage
            yield chunk
        reply = Given(text, usage, time.monotonic() - start)
        self._account.given.append(reply)
        self._keep(key, reply)

    def _keep(self, key: str, reply: Given) -> None:
        self._kept[key] = reply
        self._file.parent.mkdir(parents=True, exist_ok=True)
        entry = {"request": key, "text": reply.text, "usage": asdict(reply.usage), "seconds": reply.seconds}
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")


def _read(entry: dict[str, Any]) -> Given:
    return Given(entry["text"], UsageCount(**entry["usage"]), entry["seconds"])
