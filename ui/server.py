"""The page as a web server: mounted under FastAPI, with login, headers and limits."""

import errno
import os
import socket
from importlib import resources
from pathlib import Path
from typing import Literal

import fastapi
import gradio as gr
import uvicorn
from starlette.responses import FileResponse

from assistant.errors import UserMistake
from assistant.orchestrator import Assistant
from ui.login import Login
from ui.page import build
from ui.security import LOOPBACK, MAX_BODY_BYTES, Guarded
from ui.theme import THEME

_FILES = Path(str(resources.files("ui")))


def create_app(assistant: Assistant) -> fastapi.FastAPI:
    """The web application; with no password it answers to the names of this machine only."""
    settings = assistant.settings
    os.environ["GRADIO_TEMP_DIR"] = str(settings.home / "uploads")  # Gradio has no other way to be told
    app = fastapi.FastAPI(docs_url=None, redoc_url=None, openapi_url=None)

    @app.get("/health")
    def health() -> dict[str, str]:
        return {"status": "ok", "model": assistant.model.transport.status().state}

    @app.get("/lorekeeper/{name}")
    def file(name: Literal["page.css", "page.js"]) -> FileResponse:
        return FileResponse(_FILES / name, headers={"Cache-Control": "no-cache"})

    gr.mount_gradio_app(
        app,
        build(assistant),
        path="/",
        theme=THEME,
        footer_links=[],
        run_history=False,
        enable_monitoring=False,
        mcp_server=False,
        ssr_mode=False,
        pwa=False,
        show_error=True,
        max_file_size=MAX_BODY_BYTES,
        app_kwargs={"docs_url": None, "redoc_url": None, "openapi_url": None},
    )
    if settings.password:
        app.add_middleware(Login, password=settings.password)
    app.add_middleware(Guarded, hosts=None if settings.password else LOOPBACK)
    return app


def serve(assistant: Assistant, host: str, port: int) -> None:
    """Run the page until it is interrupted.

    Raises:
        UserMistake: the port is in use, the address is not this machine's, or it is open to others without a password.
    """
    if not assistant.settings.password and host not in LOOPBACK | {"::1"}:
        raise UserMistake(f"On {host} everybody who reaches it could read your memory: set LOREKEEPER_PASSWORD first.")
    listener = _listen(host, port)
    print(f"Lorekeeper is at http://{host}:{listener.getsockname()[1]}", flush=True)
    config = uvicorn.Config(create_app(assistant), log_level="warning", timeout_graceful_shutdown=3)
    uvicorn.Server(config).run(sockets=[listener])


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise UserMistake(f"Port {port} is in use by another program; choose another with --port.") from error
        raise UserMistake(f"Cannot listen on {host}:{port}: {error.strerror}; choose another with --host.") from error
    return listener
