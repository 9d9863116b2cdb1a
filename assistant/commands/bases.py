"""The command over knowledge bases: kb add, list, remove."""

from pathlib import Path

from assistant.commands.console import Console
from assistant.errors import NothingThere
from assistant.knowledge_bases.registry import KnowledgeBaseInfo
from assistant.knowledge_bases.sparql.bank import QueryBank, read_bank
from assistant.orchestrator import Assistant

_TOLD = 5  # lines about what is left out of a bank


def add(
    assistant: Assistant,
    console: Console,
    *,
    name: str,
    file: str | None,
    endpoint: str | None,
    format: str | None,
    language: list[str],
    bank: str | None,
) -> None:
    """Load a file of triples as a knowledge base, or ask a SPARQL endpoint from now on."""
    examples = None if bank is None else _bank(console, _file(console, bank))
    if file is None:
        assert endpoint is not None, "the arguments have one of the two"
        info = assistant.knowledge_bases.add_endpoint(name, endpoint, languages=language, bank=examples)
        console.say(f"Added {info.name}, which asks {endpoint}.")
    else:
        path = _file(console, file)
        info = assistant.knowledge_bases.add(name, path, format=format, languages=language, bank=examples)
        console.say(f"Added {info.name}: {info.triples} triples.")
    if examples is not None:
        assistant.prepare_query_banks()


def _bank(console: Console, path: Path) -> QueryBank:
    """The bank in the file, with a line on `console` for what is left out of it, up to a few."""
    bank = read_bank(path)
    for line in bank.left_out[:_TOLD]:
        console.note(f"Left out: {line}")
    if len(bank.left_out) > _TOLD:
        console.note(f"Left out: {len(bank.left_out) - _TOLD:,} more queries of {path.name}.")
    return bank


def _file(console: Console, name: str) -> Path:
    path = console.folder / name
    if not path.is_file():
        raise NothingThere(f"There is no file {path}.")
    return path


def remove(assistant: Assistant, console: Console, *, name: str) -> None:
    """Remove a knowledge base that `add` made."""
    assistant.knowledge_bases.remove(name)
    console.say(f"Removed {name}.")


def show(assistant: Assistant, console: Console, *, json: bool) -> None:
    """List the knowledge bases and how each is doing."""
    infos = assistant.knowledge_bases.infos()
    if json:
        console.show(infos)
        return
    for info in infos:
        console.say(describe(info))


def describe(info: KnowledgeBaseInfo) -> str:
    """One line about a knowledge base."""
    size = f", {info.triples} triples" if info.triples is not None else ""
    spoken = f", for questions in {', '.join(info.languages)}" if info.languages else ""
    return f"knowledge base {info.name} ({info.kind}{size}{spoken}): {info.state}{because(info.message)}"


def because(message: str) -> str:
    """The reason of a state, to put behind it."""
    return f", {message}" if message else ""
