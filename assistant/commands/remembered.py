"""The commands over the personal memory, no model called: recall, forget, export, import."""

from dataclasses import asdict
from datetime import datetime

from assistant.commands.console import Console
from assistant.errors import NothingThere, UserMistake
from assistant.orchestrator import Assistant
from memory.store import UserMemory


def recall(assistant: Assistant, console: Console, *, text: str, user: str, k: int, json: bool) -> None:
    """Print what memory holds about `text`, best first."""
    hits = _filled(assistant, user).recall(text, k)
    if json:
        console.show({"text": text, "recalled": hits})
        return
    for number, hit in enumerate(hits, 1):
        console.say(f"[{number}] {hit.text}  ({hit.source}{f', fact {hit.fact.id}' if hit.fact else ''})")
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
        source=source,
        entity=_entity_id(memory, entity) if entity else None,
        since=since,
        until=until,
        everything=all,
    )
    if json:
        console.show(gone)
    else:
        counted = [f"{count} {what}" for what, count in asdict(gone).items() if count]
        console.say(f"Forgotten: {', '.join(counted) or 'nothing'}.")


def export(assistant: Assistant, console: Console, *, file: str, user: str, format: str) -> None:
    """Write all that is remembered to one file."""
    count = _filled(assistant, user).export(console.folder / file, format)
    console.say(f"Wrote {count} records to {console.folder / file}.")


def import_(assistant: Assistant, console: Console, *, file: str, user: str) -> None:
    """Read a file that `export` wrote as JSON-LD."""
    path = console.folder / file
    if not path.is_file():
        raise NothingThere(f"There is no file {path}.")
    console.say(f"Read {assistant.memory.of(user).import_(path)} records from {path}.")


def _filled(assistant: Assistant, user: str) -> UserMemory:
    memory = assistant.memory.of(user)
    if memory.is_empty():
        raise NothingThere(f"Nothing is remembered for {user}.")
    return memory


def _entity_id(memory: UserMemory, name: str) -> str:
    """The one entity that is called `name`, by name, alias or id."""
    wanted = name.casefold()
    named = [e for e in memory.find_entities(name) if wanted in {n.casefold() for n in (e.id, e.name, *e.aliases)}]
    if not named:
        raise NothingThere(f"No entity called {name} is remembered.")
    if len(named) > 1:
        several = "; ".join(f"{e.id} ({e.description or f'{e.facts} facts'})" for e in named)
        raise UserMistake(f"Several entities are called {name}; forget their facts or sources one by one: {several}.")
    return named[0].id
