"""The commands over the personal memory, no model called: recall, forget, export, import."""

import math
import time
from dataclasses import asdict
from datetime import datetime

from assistant.commands.console import Console
from assistant.errors import NothingThere, UserMistake
from assistant.knowledge_bases.personal import fact_evidence
from assistant.memory_requests.noting import line
from assistant.orchestrator import Assistant
from memory.types import Fact, FactKind
from memory.user_memory import UserMemory

_EMBEDDED_AT_ONCE = 32  # records; a second
_SAY_AGAIN = 5.0  # seconds
_COUNTED = ("facts", "entities", "passages", "sources", "vectors", "sessions")


def recall(assistant: Assistant, console: Console, *, text: str, user: str, k: int, json: bool) -> None:
    """Print what memory holds about `text`, best first.

    Raises:
        UserMistake: the text is empty.
    """
    if not text.strip():
        raise UserMistake("There is nothing to look for; write what memory is to be asked about.")
    hits = _filled(assistant, user).recall_further(text, k)
    if json:
        console.show({"text": text, "recalled": hits})
        return
    for number, hit in enumerate(hits, 1):
        said = _said(hit.fact) if hit.fact else hit.text
        console.say(f"[{number}] {said}  ({hit.source}{f', fact {hit.fact.id}' if hit.fact else ''})")
    if not hits:
        console.say("Nothing that fits is remembered.")


def forget(
    assistant: Assistant,
    console: Console,
    *,
    fact: str | None,
    source: str | None,
    entity: str | None,
    since: datetime | None,
    until: datetime | None,
    all: bool,
    user: str,
    json: bool,
) -> None:
    """Forget a fact, a source, an entity, what was learned in a time, or all of it; print how much went from where."""
    memory = _filled(assistant, user)
    gone = memory.forget(
        facts=[fact] if fact else [],
        source=source or (),
        entity=entity,
        since=since,
        until=until,
        everything=all,
    )
    sweep(memory, console)
    if json:
        console.show(gone)
    else:
        counted = [f"{count} {what}" for what, count in asdict(gone).items() if what in _COUNTED and count]
        console.say(f"Forgotten: {', '.join(counted) or 'nothing'}.")
        if gone.kept_by:
            others = "; ".join(f"{fact.subject} – {fact.relation}: {fact.object}" for fact in gone.kept_by)
            console.say(f"A sentence that says it stays, since this rests on it: {others}.")
        if gone.naming:
            console.say(
                f"Sentences that have those words stay, since there they may say something else: {gone.naming}."
            )
    fill(assistant, console)


def sweep(memory: UserMemory, console: Console) -> None:
    """Wait until nothing that was forgotten is left on the disk."""
    if not memory.sweep(0):
        console.note("Removing what it meant from the index on the disk; this can take a minute.")
        memory.sweep(math.inf)


def fill(assistant: Assistant, console: Console) -> None:
    """Embed what waits, and tell how far that is; where a page runs, that does it."""
    memory, said, before = assistant.memory, -math.inf, math.inf
    while (names := memory.not_embedded()) and not console.cancel.is_set():
        left = sum(memory.of(name).not_embedded() for name in names)
        if left >= before:  # something keeps them from it; that is tried again when the page is open
            return
        before = left
        if assistant.ingestion.running:
            console.note(f"Not indexed by meaning yet, and so found by their words alone: {left} records.")
            return
        if time.monotonic() - said > _SAY_AGAIN:
            console.note(f"Indexing by meaning: {left} records wait; what this does not finish, a page or status does.")
            said = time.monotonic()
        memory.of(names[0]).embed_waiting(_EMBEDDED_AT_ONCE)


def export(assistant: Assistant, console: Console, *, file: str, user: str, format: str) -> None:
    """Write all that is remembered to one file."""
    count = _filled(assistant, user).export(console.folder / file, format)
    console.say(f"Wrote {count} facts to {console.folder / file}.")


def import_(assistant: Assistant, console: Console, *, file: str, user: str) -> None:
    """Read a file that `export` wrote as JSON-LD."""
    path = console.folder / file
    count = assistant.memory.of(user).import_(path)
    console.say(f"Read {count} new facts from {path}.")
    fill(assistant, console)


def _said(fact: Fact) -> str:
    """What a fact says, and the words for it, with the time when it held."""
    words = fact_evidence(fact).text
    return f"{line(fact)} – {words}" if fact.kind is FactKind.TRIPLE else words


def _filled(assistant: Assistant, user: str) -> UserMemory:
    """The memory of a user who has one; looking makes no new user."""
    if user not in assistant.memory.users() or assistant.memory.of(user).is_empty():
        raise NothingThere(f"Nothing is remembered for {user}.")
    return assistant.memory.of(user)
