"""A server on loopback that says what it is told to, in good and in bad ways."""

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit


@dataclass
class Reply:
    """What the server says once. A `body` that is not bytes is sent as JSON; `stall` holds it back until the end,
    `drip` sends it byte by byte, twenty a second, and `drip_head` all that goes before it."""

    body: object = field(default_factory=dict)
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    stall: bool = False
    drip: bool = False
    drip_head: bool = False
    cut: bool = False


def _function(path: str) -> dict[str, str]:
    """What stands behind the address that a client is given, as in `/api/avpair`."""
    return {"function": path.removeprefix("/api/")} if path.startswith("/api/") else {}


class LoopbackServer:
    """Answers by `answer(path, parameters)` and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[dict[str, str]] = []
        self.headers: list[dict[str, str]] = []
        self.answer: Callable[[dict[str, str]], Reply] = lambda _: Reply()
        self.over = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.host = f"127.0.0.1:{self._server.server_address[1]}"
        self.url = f"http://{self.host}/api"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    def replies(self, *replies: Reply) -> None:
        """Say these in order, and the last one for ever."""
        left = list(replies)
        self.answer = lambda _: left.pop(0) if len(left) > 1 else left[0]

    def close(self) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                address = urlsplit(self.path)
                asked = dict(parse_qsl(address.query)) | _function(address.path)
                server.asked.append(asked)
                server.headers.append(dict(self.headers))
                reply = server.answer(asked)
                body = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
                self.send_response(reply.status)
                for name, value in {"Content-Length": str(len(body)), **reply.headers}.items():
                    self.send_header(name, value)
                if reply.drip_head:
                    self.flush_headers()
                    while not server.over.wait(0.05):
                        self.wfile.write(b"X-More: x\r\n")
                    return
                self.end_headers()
                if reply.stall:
                    server.over.wait(30)
                if reply.drip:
                    for place in range(len(body)):
                        self.wfile.write(body[place : place + 1])
                        if server.over.wait(0.05):
                            return
                    return
                self.wfile.write(body[: len(body) // 2] if reply.cut else body)
                self.close_connection = reply.cut or reply.stall

            def log_message(self, *_: object) -> None:
                pass

        return Handler
