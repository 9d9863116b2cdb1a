"""The page as a web server: mounted under FastAPI, with login, headers and limits."""

import os
import socket
from importlib import resources
from pathlib import Path
from typing import Literal

import fastapi
import gradio as gr
import uvicorn
from starlette.responses import FileResponse

from assistant.orchestrator import Assistant
from assistant.settings import Settings
from ui.documents import FILE_TYPES
from ui.login import Login
from ui.page import build
from ui.reading import Reading
from ui.security import LOOPBACK, MAX_BODY_BYTES, Guarded
from ui.theme import THEME
from ui.uploads import Uploads
from ui.words import labelled

# Gradio reads these nowhere else: no word to its makers, and no statistics of requests, which cost more than they tell.
_GRADIO = {
    "GRADIO_ANALYTICS_ENABLED": "False",
    "GRADIO_ANALYTICS_MAX_EVENTS": "1",
    "GRADIO_ANALYTICS_CACHE_FREQUENCY": str(10**12),
}
_FILES = Path(str(resources.files("ui")))


def create_app(assistant: Assistant) -> fastapi.FastAPI:
    """The web application; with no password it answers to the names of this machine only."""
    settings = assistant.settings
    os.environ |= {**_GRADIO, "GRADIO_TEMP_DIR": str(settings.home / "uploads")}
    uploads = Uploads(settings.home / "uploads")
    app = fastapi.FastAPI(docs_url=None, redoc_url=None, openapi_url=None, lifespan=uploads.swept)
    uploads.add_routes(app)
    Reading(assistant.memory).add_routes(app)

    @app.api_route("/health", methods=["GET", "HEAD"])
    def health() -> dict[str, str]:
        return {"status": "ok", "model": assistant.model.transport.status().state}

    @app.get("/lorekeeper/{name}")
    def file(name: Literal["page.css", "page.js", "login.js", "reading.css", "reading.js"]) -> FileResponse:
        return FileResponse(_FILES / name, headers={"Cache-Control": "no-cache"})

    gr.mount_gradio_app(
        app,
        build(assistant),
        path="/",
        head=_head(settings),
        i18n=labelled,
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
        assistant.memory.logins.only_by(settings.password)
        app.add_middleware(Login, password=settings.password, logins=assistant.memory.logins)
    app.add_middleware(Guarded, hosts=None if settings.password else LOOPBACK)
    return app


def _head(settings: Settings) -> str:
    kinds = f'<meta name="lk-file-types" content="{",".join(FILE_TYPES)}">'  # for the browser's own dialogue
    return kinds + ('<script defer src="lorekeeper/login.js"></script>' if settings.password else "")


def serve(assistant: Assistant, listener: socket.socket) -> None:
    """Run the page on a port that `ui.listening` opened, until it is interrupted."""
    proxies = assistant.settings.proxies
    config = uvicorn.Config(
        create_app(assistant),
        log_level="warning",
        timeout_graceful_shutdown=3,
        ws="none",
        proxy_headers=bool(proxies),  # whoever else sends them could give any address as theirs
        forwarded_allow_ips=list(proxies),
    )
    _Server(config, assistant).run(sockets=[listener])


class _Server(uvicorn.Server):
    """One that ends soon: turns and the parsing of documents are stopped before it waits for whoever asked for them."""

    def __init__(self, config: uvicorn.Config, assistant: Assistant) -> None:
        super().__init__(config)
        self._assistant = assistant

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let go of everything that still runs."""
        self._assistant.stop()
        self._assistant.memory.stop_parsing()
        await super().shutdown(sockets)
