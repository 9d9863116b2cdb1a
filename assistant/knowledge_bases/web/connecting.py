"""Connections to public hosts only: three seconds in all, and never to a private address, whatever the name says.

The check stands where the socket is opened, so that no second look-up of the name can lead somewhere else.
"""

import ipaddress
import queue
import socket
import threading
import time
from typing import Any

from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import ConnectTimeoutError, NameResolutionError, NewConnectionError

CONNECT_SECONDS = 3.0


def resolve(host: str, port: int, seconds: float) -> list[str]:
    """The addresses of `host`.

    Raises:
        socket.gaierror: the name has none.
        TimeoutError: no name server answered in `seconds`; the system's own limit can be half a minute.
    """
    answer: queue.SimpleQueue[list[str] | OSError] = queue.SimpleQueue()

    def ask() -> None:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            answer.put([str(address[0]) for *_, address in found])
        except OSError as error:
            answer.put(error)
        except UnicodeError:  # an empty label, or a long one, cannot be asked for
            answer.put(socket.gaierror(socket.EAI_NONAME, "this cannot be a name"))

    threading.Thread(target=ask, name=f"resolve {host}", daemon=True).start()
    try:
        result = answer.get(timeout=seconds)
    except queue.Empty:
        raise TimeoutError from None
    if isinstance(result, OSError):
        raise result
    return result


def is_public(address: str) -> bool:
    """Whether an address belongs to the internet at large."""
    ip = ipaddress.ip_address(address)
    return ip.is_global and not ip.is_multicast


class _PublicConnection(HTTPConnection):
    """Resolves, checks and connects within `CONNECT_SECONDS`; the time left is shared by the addresses to try."""

    def _new_conn(self) -> socket.socket:
        end = time.monotonic() + CONNECT_SECONDS
        try:
            addresses = resolve(self.host, self.port, CONNECT_SECONDS)
        except socket.gaierror as error:
            raise NameResolutionError(self.host, self, error) from error
        except TimeoutError as error:
            raise ConnectTimeoutError(self, "no name server answered") from error
        if private := [address for address in addresses if not is_public(address)]:
            raise NewConnectionError(self, f"its address {private[0]} is not a public one")
        failure: OSError = TimeoutError("no address answered")
        for tried, address in enumerate(addresses):
            share = (end - time.monotonic()) / (len(addresses) - tried)
            try:
                connected = socket.create_connection((address, self.port), timeout=max(share, 0.05))
            except OSError as error:
                failure = error
                continue
            for option in self.socket_options or ():
                connected.setsockopt(*option)
            return connected
        if isinstance(failure, TimeoutError):
            raise ConnectTimeoutError(self, "no address answered") from failure
        raise NewConnectionError(self, str(failure)) from failure


class _PublicSecureConnection(_PublicConnection, HTTPSConnection):
    pass


class _PublicPool(HTTPConnectionPool):
    ConnectionCls = _PublicConnection


class _PublicSecurePool(HTTPSConnectionPool):
    ConnectionCls = _PublicSecureConnection


class PublicOnly(HTTPAdapter):
    """For `Session.mount`, with either scheme. Behind a proxy, that resolves names, and its own rules hold."""

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        """Set up the pools as usual, of checked connections."""
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"https": _PublicSecurePool, "http": _PublicPool}
