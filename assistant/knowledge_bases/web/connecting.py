"""Connections whose answers begin in time, and of them those to public hosts only: three seconds in all to connect, and
never to a private address, whatever the name says.

The check stands where the socket is opened, so that no second look-up of the name can lead somewhere else.
"""

import contextlib
import ipaddress
import queue
import socket
import threading
import time
from collections.abc import Iterable
from http.client import HTTPException
from typing import Any, ClassVar

from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.exceptions import ConnectTimeoutError, NameResolutionError, NewConnectionError
from urllib3.poolmanager import ProxyManager
from urllib3.response import HTTPResponse

CONNECT_SECONDS = 3.0

_Network = ipaddress.IPv4Network | ipaddress.IPv6Network
_GLOBAL_UNICAST = ipaddress.ip_network("2000::/3")
# What the system (mapped addresses) or the network (NAT64) sends on to the IPv4 address in the last 32 bits.
_TRANSLATED = (ipaddress.ip_network("::ffff:0:0/96"), ipaddress.ip_network("64:ff9b::/96"))
# What `is_global` lets pass in some versions of Python, and tunnels that lead to any IPv4 address.
_RESERVED = tuple(
    map(
        ipaddress.ip_network,
        (
            "192.0.0.0/24",  # protocol assignments
            "192.88.99.0/24",  # the nearest relay of 6to4
            "2001::/23",  # protocol assignments, Teredo among them
            "2001:db8::/32",  # documentation
            "2002::/16",  # 6to4
            "3fff::/20",  # documentation
        ),
    )
)


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
    """Whether an address belongs to one host of the internet at large.

    An IPv6 address that carries one of IPv4, to which a translator or a tunnel hands what is sent, is judged by both.
    """
    ip = ipaddress.ip_address(address)
    if isinstance(ip, ipaddress.IPv4Address):
        return ip.is_global and not ip.is_multicast and not _within(ip, _RESERVED)
    translated = _within(ip, _TRANSLATED)
    tunnelled = (int(ip) >> 32) & 0xFDFFFFFF == 0x5EFE  # ISATAP, whichever way its bit for global addresses is set
    if (translated or tunnelled) and not is_public(str(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF))):
        return False
    return translated or (ip in _GLOBAL_UNICAST and not _within(ip, _RESERVED))


def _within(ip: ipaddress.IPv4Address | ipaddress.IPv6Address, networks: Iterable[_Network]) -> bool:
    return any(ip in network for network in networks)


class _Connection(HTTPConnection):
    """The head of an answer has the whole of the time that one reading of it has, however slowly it drips."""

    def getresponse(self) -> HTTPResponse:  # type: ignore[override]  # as urllib3 has it
        """The answer, with its head read."""
        late = threading.Event()

        def end() -> None:
            late.set()
            if (connected := self.sock) is not None:
                with contextlib.suppress(OSError):  # closed already
                    connected.shutdown(socket.SHUT_RDWR)

        timer = threading.Timer(float(self.timeout or 0), end)
        timer.daemon = True
        timer.start()
        try:
            answer = super().getresponse()
        except (OSError, HTTPException):
            if not late.is_set():
                raise
        finally:
            timer.cancel()
        if late.is_set():
            raise TimeoutError("the answer did not begin in time")
        return answer


class _SecureConnection(_Connection, HTTPSConnection):
    pass


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Connection


class _SecurePool(HTTPSConnectionPool):
    ConnectionCls = _SecureConnection


class _PublicConnection(_Connection):
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


class InTime(HTTPAdapter):
    """For `Session.mount`, with either scheme."""

    _pools: ClassVar[dict[str, type[HTTPConnectionPool]]] = {"https": _SecurePool, "http": _Pool}

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        """Set up the pools as usual, of connections of this module."""
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = self._pools

    def proxy_manager_for(self, *args: Any, **kwargs: Any) -> ProxyManager:
        """A proxy resolves names, and its own rules hold; it answers in time, too."""
        manager: ProxyManager = super().proxy_manager_for(*args, **kwargs)
        manager.pool_classes_by_scheme = InTime._pools
        return manager


class PublicOnly(InTime):
    """To public hosts only, unless a proxy is between."""

    _pools: ClassVar[dict[str, type[HTTPConnectionPool]]] = {"https": _PublicSecurePool, "http": _PublicPool}
