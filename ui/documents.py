"""Documents on their way into memory: taking them in, and how far each is."""

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from assistant.knowledge_bases.web.fetching import Fetching
from assistant.messages import Phrase, tell, translated
from memory.documents import SUFFIXES, read_file
from memory.ingestion import Ingestion
from memory.types import Progress, Source
from ui.guard import one_line, say, warn
from ui.rows import bar, button, icon
from ui.words import DOCUMENTS, listed, time_left

FILE_TYPES = SUFFIXES
_NAMED = 3  # documents of one upload that are called by their names
_TAKEN_IN = Phrase(
    "{names} can be searched now; it is being read in the background.",
    "{names} can be searched now; they are being read in the background.",
)
_READING = Phrase("{documents} is being read", "{documents} are being read")
_PAUSED = Phrase("{documents} is paused", "{documents} are paused")
_MORE = Phrase("and {n} more file", "and {n} more files")
_REPLACING = Phrase("{n} in place of another", "{n} in place of others")


class Uploads:
    """What the page hands over, on its way into memory; several uploads may come at a time."""

    def __init__(self, ingestion: Ingestion, fetching: Fetching, user: str) -> None:
        self._ingestion = ingestion
        self._fetching = fetching
        self._user = user
        self._coming: list[list[Path]] = []  # of each upload, what is not in memory yet

    def take_in(self, paths: Sequence[str]) -> Iterator[None]:
        """Hand uploaded files to `ingestion` and remove the uploads; yields once `html` shows that they come.

        One that cannot be taken in costs one line; several of other kinds, as a folder has them, cost one together.
        """
        coming = sorted(map(Path, paths), key=_size)  # what is small need not wait for what is not
        self._coming.append(coming)
        try:
            yield
            self._each(coming)
        finally:
            self._coming.remove(coming)
            for path in paths:
                Path(path).unlink(missing_ok=True)

    def take_in_page(self, address: str) -> Iterator[None]:
        """Fetch what lies at an address of the web; yields once `html` shows that it comes.

        Raises:
            UserMistake, KnowledgeBaseUnreachable: as `Fetching.fetch`.
            UserMistake: as `Ingestion.add`.
        """
        coming = [Path(address)]
        self._coming.append(coming)
        try:
            yield
            page = self._fetching.fetch(address)
            _say_taken_in([self._ingestion.add(self._user, page.name, page.data, page.address)])
        finally:
            self._coming.remove(coming)

    def html(self, reading: Sequence[Progress]) -> str:
        """A line for what is on its way, and one to unfold for the documents that are being read; empty without any."""
        names = [file.name for coming in list(self._coming) for file in list(coming)]
        return _on_its_way(names) + progress_html(reading)

    def _each(self, coming: list[Path]) -> None:
        other = [file for file in coming if file.suffix.lower() not in FILE_TYPES]
        if len(other) > 1:
            kinds = ", ".join(FILE_TYPES)
            warn(tell("{count} files left out: only {kinds} can be read.", count=len(other), kinds=kinds))
            coming[:] = [file for file in coming if file not in other]
        taken: list[Source] = []
        while coming:
            name = coming[0].name
            try:
                together = [source.id for source in taken]
                taken.append(self._ingestion.add(self._user, name, read_file(coming[0]), beside=together))
            except Exception as error:  # whatever is wrong with one file, the others are taken in
                line = one_line(error)
                warn(line if name in line else f"{name}: {line}")
            del coming[0]
        if taken:
            _say_taken_in(taken)


def steer(ingestion: Ingestion, user: str, action: str, source_id: str) -> None:
    """Do what a button beside a bar says of the reading of a document. Raises NothingThere."""
    {
        "pause": ingestion.pause,
        "resume": ingestion.resume,
        "cancel": ingestion.cancel,
        "keep": ingestion.keep_both,
    }[action](user, source_id)


def progress_html(progresses: Sequence[Progress]) -> str:
    """One line for all documents that are not finished, with a bar for each to unfold; empty when all are."""
    if not progresses:
        return ""
    done, total = (sum(getattr(progress, name) for progress in progresses) for name in ("done", "total"))
    reading = [progress for progress in progresses if progress.source.state != "paused"]
    names = [progress.source.name for progress in progresses]
    who = escape(names[0]) if len(names) == 1 else tell(DOCUMENTS, n=len(names))
    state = tell(_READING if reading else _PAUSED, n=len(names), documents=f"<b>{who}</b>")
    words = [tell("{done} of {total} passages", done=done, total=total)]
    words += _when([progress.message for progress in reading], [progress.seconds_left for progress in reading])
    if replacing := sum(bool(progress.replaces) for progress in progresses):
        words.append(tell("takes the place of another") if len(names) == 1 else tell(_REPLACING, n=replacing))
    label = tell("Documents")
    return (
        f'<details class="lk-progress" data-fold="progress"><summary>{icon("document")}<span>{state} · '
        f"{escape(' · '.join(words))}</span></summary>{bar(done / total if total else 0.0, label)}"
        f'<div class="lk-progress-all">{"".join(map(_bar, progresses))}</div></details>'
    )


def _when(messages: Sequence[str], seconds: Sequence[float | None]) -> list[str]:
    """What all of them wait for, or how long the last of them will take, where that is known."""
    if message := next(filter(None, messages), ""):
        return [translated(message)]
    known = [left for left in seconds if left is not None]
    return [time_left(max(known))] if known and len(known) == len(seconds) else []


def _say_taken_in(taken: Sequence[Source]) -> None:
    number = len(taken)
    names = listed([source.name for source in taken]) if number <= _NAMED else tell(DOCUMENTS, n=number)
    say(tell(_TAKEN_IN, n=number, names=names))


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def _on_its_way(names: Sequence[str]) -> str:
    if not names:
        return ""
    more = [tell(_MORE, n=len(names) - 1)] if len(names) > 1 else []
    words = " · ".join([*more, tell("being read, soon to be searched")])
    return (
        f'<div class="lk-progress"><div class="lk-progress-line">{icon("document")}<b>{escape(names[0])}</b>'
        f"<span>{words}</span></div>{bar(0, names[0])}</div>"
    )


def _bar(progress: Progress) -> str:
    name = progress.source.name
    share = progress.done / progress.total if progress.total else 0.0
    paused = progress.source.state == "paused"
    words = [
        tell("{done} of {total} passages read", done=progress.done, total=progress.total),
        *([tell("paused")] if paused else []),
    ]
    if progress.seconds_left is not None:
        words.append(time_left(progress.seconds_left))
    if progress.message:
        words.append(translated(progress.message))
    if progress.tokens_left:
        words.append(tell("about {number} tokens", number=progress.tokens_left))
    both = ""
    if progress.replaces:
        words.append(tell("takes the place of the one of {day}", day=progress.replaces[-1].added))
        both = button("keep", progress.source.id, tell("Keep both"))
    action = "resume" if paused else "pause"
    said = tell("Go on reading {name}", name=name) if paused else tell("Pause reading {name}", name=name)
    pause = button(action, progress.source.id, said, "lk-icon", content=icon(action))
    stop = tell("Stop reading {name}", name=name)
    cancel = button("cancel", progress.source.id, stop, "lk-icon", content=icon("close"))
    return (
        f'<div class="lk-document"><div class="lk-progress-line"><b>{escape(name)}</b>'
        f"<span>{escape(' · '.join(words))}</span>{both}{pause}{cancel}</div>{bar(share, name)}</div>"
    )
