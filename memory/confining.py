"""How a process is confined that reads what others wrote."""

import resource
import signal
from pathlib import Path


def limit_memory(more_bytes: int, further_bytes: int = 0) -> None:
    """Let the process have so much more memory than it has now, and further memory should it ask for it; what it starts
    may have as much as itself.

    Beyond that an allocation fails, which ends the process where it is none of Python's. The system checks that on
    Linux alone: others have no limit that holds.
    """
    own = Path("/proc/self/statm")
    if own.exists():  # the sixth is what it may write: stacks of threads, of which some machines have many, count too
        most = int(own.read_text(encoding="ascii").split()[5]) * resource.getpagesize() + more_bytes
        resource.setrlimit(resource.RLIMIT_DATA, (most, most + further_bytes))


def confine(more_bytes: int, further_bytes: int = 0) -> None:
    """Limit the memory of the process, as `limit_memory`; it leaves no core, an alarm ends it, and Ctrl-C is for its
    parent."""
    limit_memory(more_bytes, further_bytes)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
