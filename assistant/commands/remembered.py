"""The commands over the personal memory, no model called: recall, forget, export, import."""

import math
import time
from dataclasses import asdict
from datetime import datetime

from assistant.acquaintance import line
from assistant.commands.console import Console
from assistant.errors import NothingThere, UserMistake
from assistant.knowledge_bases.personal import fact_evidence
from assistant.memory_requests.replies import NAMED_STILL, SENTENCE_STAYS
from assistant.messages import Phrase, tell
from assistant.messages.shared import FACTS, NOT_INDEXED, PASSAGES, SOURCES
from assistant.orchestrator import Assistant
from memory.types import Fact, FactKind
from memory.user_memory import UserMemory

_EMBEDDED_AT_ONCE = 32  # records; a second
_SAY_AGAIN = 5.0  # seconds
_COUNTED = {
    "facts": FACTS,
    "entities": Phrase("{n} entity", "{n} entities"),
    "passages": PASSAGES,
    "sources": SOURCES,
    "vectors": Phrase("{n} vector", "{n} vectors"),
    "sessions": Phrase("{n} session", "{n} sessions"),
}
_INDEXING = Phrase(
    "Indexing by meaning: {n} record waits; what this does not finish, a page or status does.",
    "Indexing by meaning: {n} records wait; what this does not finish, a page or status does.",
)
_WROTE = Phrase("Wrote {n} fact to {file}.", "Wrote {n} facts to {file}.")
_READ = Phrase("Read {n} new fact from {file}.", "Read {n} new facts from {file}.")


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
        place = tell("{source}, fact {id}", source=hit.source, id=hit.fact.id) if hit.fact else hit.source
        console.say(f"[{number}] {said}  ({place})")
    if not hits:
        console.say(tell("Nothing that fits is remembered."))


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
        counts = asdict(gone)
        counted = [tell(phrase, n=counts[what]) for what, phrase in _COUNTED.items() if counts[what]]
        what = ", ".join(counted) or tell("nothing")
        console.say(tell("Forgotten: {what}.", what=what))
        if gone.kept_by:
            others = "; ".join(map(line, gone.kept_by))
            console.say(f"{tell(SENTENCE_STAYS)} {others}.")
        if gone.naming:
            console.say(tell(NAMED_STILL, n=gone.naming))
    fill(assistant, console)


def sweep(memory: UserMemory, console: Console) -> None:
    """Wait until nothing that was forgotten is left on the disk."""
    if not memory.sweep(0):
        console.note(tell("Removing what it meant from the index on the disk; this can take a minute."))
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
            console.note(tell(NOT_INDEXED, n=left))
            return
        if time.monotonic() - said > _SAY_AGAIN:
            console.note(tell(_INDEXING, n=left))
            said = time.monotonic()
        memory.of(names[0]).embed_waiting(_EMBEDDED_AT_ONCE)


def export(assistant: Assistant, console: Console, *, file: str, user: str, format: str) -> None:
    """Write all that is remembered to one file."""
    count = _filled(assistant, user).export(console.folder / file, format)
    console.say(tell(_WROTE, n=count, file=str(console.folder / file)))


def import_(assistant: Assistant, console: Console, *, file: str, user: str) -> None:
    """Read a file that `export` wrote as JSON-LD."""
    path = console.folder / file
    count = assistant.memory.of(user).import_(path)
    console.say(tell(_READ, n=count, file=str(path)))
    fill(assistant, console)


def _said(fact: Fact) -> str:
    """What a fact says, and the words for it, with the time when it held."""
    words = fact_evidence(fact).text
    return f"{line(fact)} – {words}" if fact.kind is FactKind.TRIPLE else words


def _filled(assistant: Assistant, user: str) -> UserMemory:
    """The memory of a user who has one; looking makes no new user."""
    if user not in assistant.memory.users() or assistant.memory.of(user).is_empty():
        raise NothingThere("Nothing is remembered for {user}.", user=user)
    return assistant.memory.of(user)
