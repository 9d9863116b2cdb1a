"""Files on their way in: each upload has a folder of its own, which goes with it unless all of it has come."""

import asyncio
import errno
import secrets
import shutil
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import fastapi
from gradio import processing_utils
from gradio.route_utils import upload_fn
from gradio.routes import file_upload_statuses
from starlette.concurrency import run_in_threadpool
from starlette.formparsers import MultiPartException
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, PlainTextResponse, Response

from assistant.messages import tell
from ui.security import MAX_BODY_BYTES, refused

KEPT_SECONDS = 3600.0  # what no page has handed on by then, none will
_SWEPT_EVERY_SECONDS = 600.0
# Gradio's ways to bring files in that this page does not use; what breaks off there would stay.
_UNUSED = ("component_server", "process_recording")


class Uploads:
    """Gradio's upload, but for what is left behind: it keeps the file of one that broke off or found the disk full."""

    def __init__(self, folder: Path) -> None:
        """`folder` is emptied: what lies there, a process that was killed had not taken in yet."""
        self._folder = folder
        shutil.rmtree(folder, ignore_errors=True)
        processing_utils.async_ssrf_protected_download = _nothing_from_elsewhere

    def add_routes(self, app: fastapi.FastAPI) -> None:
        """Take uploads in Gradio's place; to be called before its page is mounted."""
        app.add_api_route("/gradio_api/upload", self.take, methods=["POST"], response_model=None)
        for name in _UNUSED:
            for path in (f"/gradio_api/{name}", f"/gradio_api/{name}/"):
                app.add_api_route(path, _unused, methods=["POST"], response_model=None)

    async def take(self, request: fastapi.Request, upload_id: str | None = None) -> Response:
        """Keep the files of a form, and answer with their paths."""
        folder = self._folder / secrets.token_hex(8)
        progress = file_upload_statuses if upload_id else None
        whole = False
        try:
            paths, _, _ = await upload_fn(request, str(folder), MAX_BODY_BYTES, upload_id, upload_progress=progress)
            whole = bool(paths) and all(entry.is_dir() for entry in folder.iterdir())  # a file there is a part of one
            return JSONResponse(paths) if whole else refused(400, _broken_off())
        except MultiPartException as error:
            return refused(413 if "maximum allowed size" in error.message else 400, error.message)
        except ClientDisconnect:
            return refused(400, _broken_off())
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
                raise
            # The connection stays until all has come and is thrown away: a browser that is cut off shows no answer.
            return PlainTextResponse(tell("The disk is full: make room on it and upload again."), 507)
        finally:
            if upload_id and not whole:
                file_upload_statuses.set_done(upload_id)
            if not whole:
                shutil.rmtree(folder, ignore_errors=True)

    @asynccontextmanager
    async def swept(self, _app: fastapi.FastAPI) -> AsyncIterator[None]:
        """While the server runs, remove what nobody came for."""
        sweeping = asyncio.create_task(self._sweep_on())
        try:
            yield
        finally:
            sweeping.cancel()
            with suppress(asyncio.CancelledError):
                await sweeping

    async def _sweep_on(self) -> None:
        while True:
            await run_in_threadpool(sweep, self._folder, KEPT_SECONDS)
            await asyncio.sleep(_SWEPT_EVERY_SECONDS)


def sweep(folder: Path, seconds: float) -> None:
    """Remove all in a folder in which nothing has changed for so long."""
    until = time.time() - seconds
    with suppress(FileNotFoundError):
        for entry in folder.iterdir():
            if _changed(entry) < until:
                if entry.is_dir():
                    shutil.rmtree(entry, ignore_errors=True)
                else:
                    entry.unlink(missing_ok=True)


def _changed(entry: Path) -> float:
    times = [0.0]
    for path in (entry, *entry.rglob("*")):
        with suppress(FileNotFoundError):
            times.append(path.stat().st_mtime)
    return max(times)


def _broken_off() -> str:
    return tell("The upload did not come to its end; send it again.")


async def _unused() -> Response:
    return refused(404, "This page has no such thing.")


async def _nothing_from_elsewhere(url: str, _folder: str) -> str:
    """In place of Gradio's own download of whatever address a request gives as a file: past our one way out."""
    raise ValueError(f"{url[:200]} is not fetched: only files are taken here.")
