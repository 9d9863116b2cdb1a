"""A brake on guessing passwords: who guesses waits, and nobody else."""

import ipaddress
import math
import time
from collections import OrderedDict
from collections.abc import Callable

ATTEMPTS = 5
WAIT_SECONDS = 30.0
MOST_ADDRESSES = 10_000  # that are kept in mind


class Brake:
    """After `ATTEMPTS` wrong passwords from an address, that address alone waits for `WAIT_SECONDS`.

    Of more than `MOST_ADDRESSES` those are forgotten that have guessed longest ago. All calls come from one thread.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures: OrderedDict[str, tuple[int, float]] = OrderedDict()  # how many, and when the last was

    def seconds_to_wait(self, address: str) -> int:
        """How long until the next attempt from there is looked at; 0 if at once."""
        number, last = self._failures.get(_whose(address), (0, 0.0))
        return max(0, math.ceil(last + WAIT_SECONDS - self._clock())) if number >= ATTEMPTS else 0

    def failed(self, address: str) -> None:
        """Count a wrong password; those before a pause as long as the wait no longer count."""
        whose, now = _whose(address), self._clock()
        number, last = self._failures.pop(whose, (0, now))
        self._failures[whose] = (1 if now - last >= WAIT_SECONDS else number + 1, now)
        if len(self._failures) > MOST_ADDRESSES:
            self._failures.popitem(last=False)

    def passed(self, address: str) -> None:
        """Forget the wrong passwords: the right one has come."""
        self._failures.pop(_whose(address), None)


def _whose(address: str) -> str:
    """What one guesser has: an address of IPv4, or the 2^64 of IPv6 that a single machine may take at will."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:  # no address, as behind a socket of Unix
        return address
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    return str(ip.ipv4_mapped or int(ip) >> 64)
