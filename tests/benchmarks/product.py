"""The assistant as the benchmarks drive it: put together by `app.compose`, in a home of its own, without public
knowledge bases."""

import contextlib
import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from app import compose
from assistant.errors import Failure
from assistant.llm.client import Transport
from assistant.orchestrator import Assistant
from assistant.settings import Settings
from assistant.types import Answered, Message, Turn


def model_name() -> str:
    """The model that the environment names; "embedded" where it names none."""
    settings = Settings.from_environment()
    return settings.model or ("remote" if settings.remote_model else "embedded")


@contextlib.contextmanager
def assistant(transport: Transport | None = None, *, home: Path | None = None) -> Iterator[Assistant]:
    """An assistant with a copy of `home`, or with nothing remembered; `transport` stands in for the model.

    Raises:
        Failure: the model cannot be had.
    """
    with tempfile.TemporaryDirectory(prefix="lorekeeper-bench-", ignore_cleanup_errors=True) as folder:
        own_home = Path(folder) / "home"
        if home is not None:
            shutil.copytree(home, own_home)
        settings = replace(Settings.from_environment(), home=own_home, public_knowledge_bases=False)
        made = compose(settings, transport)
        try:
            _wait_for(made.model.transport)
            yield made
        finally:
            made.close()


@contextlib.contextmanager
def scratch(name: str, text: str) -> Iterator[Path]:
    """A file that is there for a while."""
    with tempfile.TemporaryDirectory(prefix="lorekeeper-bench-") as folder:
        path = Path(folder) / name
        path.write_text(text, encoding="utf-8")
        yield path


def turn(text: str, user: str, history: tuple[Message, ...] = ()) -> Turn:
    """A turn of a conversation of its own."""
    return Turn(text=text, user=user, session=f"{user}-benchmark", at=datetime.now().astimezone(), history=history)


def answered(made: Assistant, asked: Turn) -> Answered:
    """Let the turn run; its last event."""
    *_, last = made.reply(asked)
    assert isinstance(last, Answered)
    return last


def _wait_for(transport: Transport) -> None:
    transport.start()
    while (status := transport.status()).state in {"fetching", "starting"}:
        time.sleep(0.1)
    if status.state != "ready":
        raise Failure(status.message)
