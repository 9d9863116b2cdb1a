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
    files = [Path(path) for path in paths]
    other = [file for file in files if file.suffix.lower() not in FILE_TYPES] if len(files) > 1 else []
    if other:
        gr.Info(f"{counted(len(other), 'file')} left out: only {', '.join(FILE_TYPES)} can be read.")
        for file in other:
            file.unlink(missing_ok=True)
    for path in (file for file in files if file not in other):
        try:
            source = ingestion.add(user, path.name, path.read_bytes())
        except Exception as error:  # whatever is wrong with one file, the others are taken in
            line = one_line(error)
            gr.Warning(line if path.name in line else f"{path.name}: {line}")
        else:
            gr.Info(f"{source.name} can be searched now; it is being read in the background.")
        finally:
            path.unlink(missing_ok=True)


def progress_html(progresses: Sequence[Progress]) -> str:
    """A bar for each document that is not finished; empty when all are."""
    return "".join(_bar(progress) for progress in progresses)


def _bar(progress: Progress) -> str:
    name = progress.source.name
    share = progress.done / progress.total if progress.total else 0.0
    words = [f"{progress.done} of {progress.total} passages read"]
    if progress.seconds_left is not None:
        words.append(time_left(progress.seconds_left))
    if progress.message:
        words.append(progress.message)
    cancel = button("cancel", progress.source.id, f"Stop reading {name}", "lk-icon", content=icon("close"))
    return (
        f'<div class="lk-progress"><div class="lk-progress-line">{icon("document")}<b>{escape(name)}</b>'
        f"<span>{escape(' · '.join(words))}</span>{cancel}</div>{bar(share, name)}</div>"
    )
