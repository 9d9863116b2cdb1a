"""The command over knowledge bases: kb add, list, remove."""

from pathlib import Path

from assistant.commands.console import Console
from assistant.errors import NothingThere
from assistant.knowledge_bases.registry import KnowledgeBaseInfo
from assistant.knowledge_bases.sparql.bank import QueryBank, read_bank
from assistant.messages import Phrase, tell, translated
from assistant.orchestrator import Assistant

_TOLD = 5  # lines about what is left out of a bank
_ADDED = Phrase("Added {name}: {n} triple.", "Added {name}: {n} triples.")
_MORE_LEFT_OUT = Phrase("Left out: {n} more query of {file}.", "Left out: {n} more queries of {file}.")
_TRIPLES = Phrase("{n} triple", "{n} triples")
_STATES = {"up": Phrase("up"), "down": Phrase("down"), "off": Phrase("off")}


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
    """Take a file of triples or an encyclopaedia as a knowledge base, or ask a SPARQL endpoint from now on."""
    examples = None if bank is None else _bank(console, _file(console, bank))
    if file is None:
        assert endpoint is not None, "the arguments have one of the two"
        info = assistant.knowledge_bases.add_endpoint(name, endpoint, languages=language, bank=examples)
        console.say(tell("Added {name}, which asks {address}.", name=info.name, address=endpoint))
    else:
        path = _file(console, file)
        info = assistant.knowledge_bases.add(name, path, format=format, languages=language, bank=examples)
        told = Phrase("Added {name}.") if info.triples is None else _ADDED
        console.say(tell(told, n=info.triples or 0, name=info.name))
    if examples is not None:
        assistant.prepare_query_banks()


def _bank(console: Console, path: Path) -> QueryBank:
    """The bank in the file, with a line on `console` for what is left out of it, up to a few."""
    bank = read_bank(path)
    for line in bank.left_out[:_TOLD]:
        console.note(tell("Left out: {what}", what=translated(line)))
    if len(bank.left_out) > _TOLD:
        console.note(tell(_MORE_LEFT_OUT, n=len(bank.left_out) - _TOLD, file=path.name))
    return bank


def _file(console: Console, name: str) -> Path:
    path = console.folder / name
    if not path.is_file():
        raise NothingThere("There is no file {file}.", file=path)
    return path


def remove(assistant: Assistant, console: Console, *, name: str) -> None:
    """Remove a knowledge base that `add` made."""
    assistant.knowledge_bases.remove(name)
    console.say(tell("Removed {name}.", name=name))


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
    size = [tell(_TRIPLES, n=info.triples)] if info.triples is not None else []
    codes = ", ".join(info.languages)
    spoken = [tell("for questions in {languages}", languages=codes)] if codes else []
    return tell(
        "knowledge base {name} ({details}): {state}",
        name=info.name,
        details=", ".join([info.kind, *size, *spoken]),
        state=tell(_STATES[info.state]) + because(info.message),
    )


def because(message: str) -> str:
    """The reason of a state, to put behind it."""
    return f", {translated(message)}" if message else ""
