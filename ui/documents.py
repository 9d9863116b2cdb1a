"""Documents on their way into memory: taking them in, and how far each is."""

from collections.abc import Sequence
from html import escape
from pathlib import Path

import gradio as gr

from memory.documents import SUFFIXES
from memory.ingestion import Ingestion
from memory.types import Progress
from ui.guard import one_line
from ui.rows import bar, button, icon
from ui.words import counted, time_left

FILE_TYPES = SUFFIXES


def take_in(ingestion: Ingestion, user: str, paths: Sequence[str]) -> None:
    """Hand uploaded files to `ingestion` and remove the uploads; one that cannot be taken in costs one line.

    Of several, as a folder has them, those of other kinds are left out, with one line for all.
    """
    together: list[str] = []
    files = [Path(path) for path in paths]
    other = [file for file in files if file.suffix.lower() not in FILE_TYPES] if len(files) > 1 else []
    if other:
        gr.Info(f"{counted(len(other), 'file')} left out: only {', '.join(FILE_TYPES)} can be read.")
        for file in other:
            file.unlink(missing_ok=True)
    for path in (file for file in files if file not in other):
        try:
            source = ingestion.add(user, path.name, path.read_bytes(), beside=together)
        except Exception as error:  # whatever is wrong with one file, the others are taken in
            line = one_line(error)
            gr.Warning(line if path.name in line else f"{path.name}: {line}")
        else:
            together.append(source.id)
            gr.Info(f"{source.name} can be searched now; it is being read in the background.")
        finally:
            path.unlink(missing_ok=True)


def steer(ingestion: Ingestion, user: str, action: str, source_id: str) -> None:
    """Do what a button beside a bar says: pause, resume or cancel the reading of a document. Raises NothingThere."""
    {"pause": ingestion.pause, "resume": ingestion.resume, "cancel": ingestion.cancel}[action](user, source_id)


def progress_html(progresses: Sequence[Progress]) -> str:
    """A bar for each document that is not finished; empty when all are."""
    return "".join(_bar(progress) for progress in progresses)


def _bar(progress: Progress) -> str:
    name = progress.source.name
    share = progress.done / progress.total if progress.total else 0.0
    paused = progress.source.state == "paused"
    words = [f"{progress.done} of {progress.total} passages read", *(["paused"] if paused else [])]
    if progress.seconds_left is not None:
        words.append(time_left(progress.seconds_left))
    if progress.message:
        words.append(progress.message)
    if progress.tokens_left:
        words.append(f"about {progress.tokens_left:,} tokens")
    action, said = ("resume", f"Go on reading {name}") if paused else ("pause", f"Pause reading {name}")
    pause = button(action, progress.source.id, said, "lk-icon", content=icon(action))
    cancel = button("cancel", progress.source.id, f"Stop reading {name}", "lk-icon", content=icon("close"))
    return (
        f'<div class="lk-progress"><div class="lk-progress-line">{icon("document")}<b>{escape(name)}</b>'
        f"<span>{escape(' · '.join(words))}</span>{pause}{cancel}</div>{bar(share, name)}</div>"
    )
