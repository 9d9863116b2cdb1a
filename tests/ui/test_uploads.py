"""Uploads that break off, over real sockets to a real server: nothing of them stays."""

import gc
import json
import os
import resource
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from gradio import processing_utils

from assistant.settings import Settings
from tests.ui.conftest import Served
from ui import security, uploads
from ui.uploads import sweep

pytestmark = pytest.mark.usefixtures("browser")  # Gradio leaves an event loop open where none runs
Serve = Callable[..., Served]
_PART = b'--x\r\nContent-Disposition: form-data; name="files"; filename="notes.txt"\r\n\r\n'
_END = b"\r\n--x--\r\n"
_PIECE = b"word " * 20_000


@contextmanager
def connected(served: Served, *headers: str, path: str = "/gradio_api/upload") -> Iterator[socket.socket]:
    """A connection on which the head of an upload has been sent."""
    host = urlsplit(served.url).netloc
    name, _, port = host.partition(":")
    head = [f"POST {path} HTTP/1.1", f"Host: {host}", "Content-Type: multipart/form-data; boundary=x", *headers]
    with socket.create_connection((name, int(port)), timeout=60) as connection:
        connection.sendall("\r\n".join([*head, "", ""]).encode())
        yield connection


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def answer(connection: socket.socket) -> bytes:
    """All that the server says before it closes the connection, or its body has come."""
    said = b""
    while piece := connection.recv(65_536):
        said += piece
        head, _, body = said.partition(b"\r\n\r\n")
        length = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        if length and len(body) >= int(length[0].split(b":")[1]):
            break
    return said


def files(settings: Settings) -> list[Path]:
    return [path for path in (settings.home / "uploads").rglob("*") if path.is_file()]


def wait_until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not true() and time.monotonic() < end:
        time.sleep(0.02)
    assert true()


def test_an_upload_that_is_broken_off_leaves_nothing(serve: Serve, settings: Settings) -> None:
    served = serve()
    for length, reset in product((True, False), repeat=2):
        _break_off(served, settings, length=length, reset=reset)


def _break_off(served: Served, settings: Settings, *, length: bool, reset: bool) -> None:
    header = f"Content-Length: {len(_PART) + 100 * len(_PIECE)}" if length else "Transfer-Encoding: chunked"
    framed = bytes if length else chunk
    with connected(served, header) as connection:
        connection.sendall(framed(_PART))
        for _ in range(20):
            connection.sendall(framed(_PIECE))
        wait_until(lambda: bool(files(settings)))
        if reset:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    wait_until(lambda: not list((settings.home / "uploads").iterdir()))


def test_an_upload_that_is_too_large_is_refused_and_leaves_nothing(
    serve: Serve, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(security, "MAX_BODY_BYTES", 1_000_000)
    served = serve()
    with connected(served, "Content-Length: 2000000") as connection:
        assert answer(connection).startswith(b"HTTP/1.1 413 ")
    with connected(served, "Transfer-Encoding: chunked") as connection:
        for piece in (_PART, *[_PIECE] * 11):
            connection.sendall(chunk(piece))
        assert answer(connection).startswith(b"HTTP/1.1 413 ")
    wait_until(lambda: not files(settings))


def test_an_upload_that_falls_silent_is_refused_and_leaves_nothing(
    serve: Serve, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(security, "_SILENT_SECONDS", 0.5)
    served = serve()
    with connected(served, "Transfer-Encoding: chunked") as connection:
        connection.sendall(chunk(_PART) + chunk(_PIECE))
        assert answer(connection).startswith(b"HTTP/1.1 408 ")
    assert files(settings) == []


def test_a_form_that_is_none_leaves_nothing(serve: Serve, settings: Settings) -> None:
    served = serve()
    for body in (
        _PART + _PIECE,  # without its end
        b"nothing of the kind",
        _PART.replace(b'name="files"; ', b"") + b"x" + _END,
        _PART.replace(b"name=", b"x" * 20_000 + b"=") + b"x" + _END,
    ):
        with connected(served, f"Content-Length: {len(body)}") as connection:
            connection.sendall(body)
            said = answer(connection)
        assert said[9:12] in (b"400", b"413"), body[:200]
        assert files(settings) == []


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # Gradio closes no file that has failed
def test_a_full_disk_is_said_and_leaves_nothing(serve: Serve, settings: Settings) -> None:
    served = serve()
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    body = _PART + _PIECE * 60 + _END
    resource.setrlimit(resource.RLIMIT_FSIZE, (4 * len(_PIECE), before[1]))
    try:
        with connected(served, f"Content-Length: {len(body)}") as connection:
            connection.sendall(body)
            said = answer(connection)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert said.startswith(b"HTTP/1.1 507 ")
    assert b"make room" in said
    assert files(settings) == []
    gc.collect()


def test_an_upload_that_comes_whole_is_kept_until_nobody_came_for_it(serve: Serve, settings: Settings) -> None:
    served = serve()
    body = _PART + b"Ada keeps bees." + _END
    with connected(served, f"Content-Length: {len(body)}") as connection:
        connection.sendall(body)
        said = answer(connection)
    path = Path(json.loads(said.partition(b"\r\n\r\n")[2])[0])
    assert path.read_text() == "Ada keeps bees."
    folder = settings.home / "uploads"
    sweep(folder, uploads.KEPT_SECONDS)
    assert path.exists()
    long_ago = time.time() - uploads.KEPT_SECONDS - 1
    for one in (path, *path.parents):
        if one.is_relative_to(folder) and one != folder:
            os.utime(one, (long_ago, long_ago))
    sweep(folder, uploads.KEPT_SECONDS)
    assert list(folder.iterdir()) == []


def test_what_the_page_does_not_use_takes_no_files(serve: Serve, settings: Settings) -> None:
    served = serve()
    for path in ("component_server", "component_server/", "process_recording"):
        with connected(served, "Transfer-Encoding: chunked", path=f"/gradio_api/{path}") as connection:
            connection.sendall(chunk(_PART))
            assert answer(connection).startswith(b"HTTP/1.1 404 ")
    assert files(settings) == []


def test_an_address_given_as_a_file_is_not_fetched(serve: Serve, tmp_path: Path) -> None:
    serve()
    with pytest.raises(ValueError, match="only files are taken"):
        processing_utils.async_ssrf_protected_download("https://example.org/letter.txt", str(tmp_path)).send(None)
