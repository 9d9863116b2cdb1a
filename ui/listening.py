"""The page's port; apart from the server, so that it is open before anything heavy is loaded."""

import errno
import socket

from assistant.errors import UserMistake
from ui.security import LOOPBACK


def listen(host: str, port: int, *, password: bool) -> socket.socket:
    """Open the port; whoever connects before the page is there waits for it.

    Raises:
        UserMistake: the port is in use, the address is not this machine's, or it is open to others without a password.
    """
    if not password and host not in LOOPBACK | {"::1"}:
        raise UserMistake(
            "On {host} everybody who reaches it could read your memory: set LOREKEEPER_PASSWORD first.", host=host
        )
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise UserMistake(
                "Port {port} is in use by another program; choose another with --port.", port=str(port)
            ) from error
        raise UserMistake(
            "Cannot listen on {host}:{port}: {reason}; choose another with --host.",
            host=host,
            port=str(port),
            reason=error.strerror,
        ) from error
    return listener


def address(listener: socket.socket) -> str:
    """Where a browser finds the page."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
