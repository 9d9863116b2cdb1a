"""The command over knowledge bases: kb add, list, remove."""

from pathlib import Path

from assistant.commands.console import Console
from assistant.errors import NothingThere
from assistant.knowledge_bases.query_bank import read_bank
from assistant.knowledge_bases.registry import KnowledgeBaseInfo
from assistant.orchestrator import Assistant


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
    examples = None if bank is None else read_bank(_file(console, bank))
    if file is None:
        assert endpoint is not None, "the arguments have one of the two"
        info = assistant.knowledge_bases.add_endpoint(name, endpoint, languages=language, bank=examples)
        console.say(f"Added {info.name}, which asks {endpoint}.")
        return
    path = _file(console, file)
    info = assistant.knowledge_bases.add(name, path, format=format, languages=language, bank=examples)
    console.say(f"Added {info.name}: {info.triples} triples.")


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
