"""How a process is confined that reads what others wrote."""

import resource
import signal
from pathlib import Path


def confine(more_bytes: int, further_bytes: int = 0) -> None:
    """Let the process have so much more memory than it has now, and further memory should it ask for it.

    The system checks that, on Linux alone, as others have no limit that holds. It leaves no core, an alarm ends it, and
    Ctrl-C is for its parent.
    """
    own = Path("/proc/self/statm")
    if own.exists():
        most = int(own.read_text().split()[5]) * resource.getpagesize() + more_bytes
        resource.setrlimit(resource.RLIMIT_DATA, (most, most + further_bytes))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
