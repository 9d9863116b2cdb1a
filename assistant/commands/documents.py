"""The command `remember`: files, folders and addresses, taken in and read."""

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.commands.console import Console
from assistant.commands.turns import await_model
from assistant.errors import Failure, Interrupted, LorekeeperError, NothingThere, UserMistake
from assistant.folders import files_in
from assistant.knowledge_bases.web.fetching import is_address
from assistant.messages import Phrase, tell, translated
from assistant.messages.shared import FACTS, PASSAGES
from assistant.orchestrator import Assistant
from memory.documents import SUFFIXES, read_file
from memory.errors import Notice
from memory.types import Progress, Source

_POLL_SECONDS = 0.5
_WAITING = ("queued", "reading", "paused")
_NOT_READ = {
    "queued": Phrase("not begun"),
    "reading": Phrase("not finished"),
    "paused": Phrase("paused"),
    "cancelled": Phrase("cancelled"),
}


@dataclass(frozen=True, slots=True)
class _Document:
    """The bytes of a document; `place` is its path or address, by which its next state is known."""

    name: str
    data: bytes
    place: str = ""


def remember(assistant: Assistant, console: Console, *, files: Sequence[str], user: str, json: bool) -> None:
    """Take documents in and wait until they are read; how far that is goes to standard error.

    Of several, one that cannot be taken in costs a line, and the others are read. One document is one JSON object;
    several documents, or a folder, are a list of them.

    Raises:
        UserMistake: a document cannot be taken in, or several cannot.
        Failure: one is not read to its end, or several are not.
        Interrupted: the caller has gone before all were taken in.
    """
    wanted: list[str] = []
    troubles: list[LorekeeperError] = []
    for file in files:
        try:
            wanted += _found(file, console)
        except NothingThere as error:
            troubles.append(error)
    several = len(files) > 1 or wanted != list(files)
    taken = _taken_in(assistant, console, wanted, user, troubles)
    if taken:
        console.note(_beforehand(assistant.ingestion.progress(user), taken))
        await_model(assistant, console)
    read = [_read(assistant, console, source, user) for source in taken]
    if json and (several or read):
        console.show(read if several else read[0])
    for source in read:
        if source.state != "ready":
            why = translated(source.error) or tell(_NOT_READ[source.state])
            troubles.append(Failure("{name} is not read to its end ({reason}).", name=source.name, reason=why))
        elif not json:
            console.say(
                tell(
                    "Remembered {name}: {passages}, {facts} (source {id}).",
                    name=source.name,
                    passages=tell(PASSAGES, n=source.passages),
                    facts=tell(FACTS, n=source.facts),
                    id=source.id,
                )
            )
    if troubles:
        raise troubles[0] if not several else _together(troubles, console)


def _found(file: str, console: Console) -> list[str]:
    """What an argument stands for: itself, or the files of a folder and of the folders in it.

    Raises:
        NothingThere: none of a folder's files can be read.
    """
    if not file:
        raise NothingThere("A file name is empty; name a file or a folder, or . for this one.")
    folder = console.folder / file
    if file == "-" or is_address(file) or not folder.is_dir():
        return [file]
    files = list(files_in(folder))
    known = [str(path) for path in files if path.suffix.lower() in SUFFIXES]
    if not known:
        raise NothingThere(
            "There is no file in {folder} that can be read; these can: {kinds}.",
            folder=folder,
            kinds=", ".join(SUFFIXES),
        )
    if len(known) < len(files):
        left = len(files) - len(known)
        console.note(
            tell("Files of other kinds in {folder} that are left out: {count}.", folder=str(folder), count=left)
        )
    return known


def _taken_in(
    assistant: Assistant, console: Console, wanted: Sequence[str], user: str, troubles: list[LorekeeperError]
) -> list[Source]:
    """The sources, each once; what is wrong with the others is added to `troubles`."""
    taken: dict[str, Source] = {}
    for file in wanted:
        try:
            document = _document(assistant, console, file)
            source = assistant.ingestion.add(
                user, document.name, document.data, document.place, stopped=console.cancel.is_set
            )
            taken[source.id] = source
        except Interrupted:  # the others are not wanted any more either
            raise
        except OSError as error:
            troubles.append(UserMistake(_unreadable(file, error)))
        except LorekeeperError as error:
            troubles.append(error)
    return list(taken.values())


def _document(assistant: Assistant, console: Console, file: str) -> _Document:
    if file == "-":
        # Two texts that are piped in are no two states of one file, however much they have in common.
        digest = hashlib.sha256(console.input).hexdigest()
        return _Document("standard input.txt", console.input, f"standard input:{digest}")
    if is_address(file):
        page = assistant.fetching.fetch(file)
        return _Document(page.name, page.data, page.address)
    path = console.folder / file
    if not os.path.lexists(path):
        raise NothingThere("There is no file {file}.", file=path)
    return _Document(path.name, read_file(path), os.path.realpath(path))


def _read(assistant: Assistant, console: Console, source: Source, user: str) -> Source:
    """Wait until a source is read, or reading it was cancelled, or the caller has gone."""
    said = ""
    while source.state in _WAITING and not console.cancel.is_set():
        source = assistant.ingestion.wait(user, source.id, timeout_seconds=_POLL_SECONDS)
        reports = [p for p in assistant.ingestion.progress(user) if p.source.id == source.id]
        if reports and (line := _how_far(reports[0])) != said:
            console.note(line)
            said = line
    return source


def _beforehand(progress: Sequence[Progress], taken: Sequence[Source]) -> str:
    ids = {source.id for source in taken}
    waiting = [report for report in progress if report.source.id in ids]
    passages, tokens = sum(r.total - r.done for r in waiting), sum(r.tokens_left for r in waiting)
    return tell(
        "Documents: {documents}; passages to read: {passages}, about {tokens} tokens.",
        documents=len(taken),
        passages=passages,
        tokens=tokens,
    )


def _how_far(progress: Progress) -> str:
    told = [tell("{done} of {total} passages read", done=progress.done, total=progress.total)]
    if progress.seconds_left is not None:
        told.append(tell("about {number} s left", number=round(progress.seconds_left)))
    if progress.tokens_left:
        told.append(tell("about {number} tokens", number=progress.tokens_left))
    if progress.source.state == "paused":
        told.append(tell("paused"))
    message = f" ({translated(progress.message)})" if progress.message else ""
    return f"{progress.source.name}: {', '.join(told)}{message}"


def _unreadable(file: str, error: OSError) -> Notice:
    return Notice("{file} cannot be read: {reason}.", file=file, reason=error.strerror or error)


def _together(troubles: Sequence[LorekeeperError], console: Console) -> LorekeeperError:
    """A line for each trouble, and an error that says how many there are."""
    for trouble in troubles:
        console.note(translated(str(trouble)))
    told = Notice("Not remembered in full: {count} of the documents.", count=len(troubles))
    return UserMistake(told) if all(isinstance(trouble, UserMistake) for trouble in troubles) else Failure(told)
