"""The process that queries run in; `process` is its parent's side.

It opens one store read-only, and answers one query after another until its parent is gone. Oxigraph can neither be
stopped nor bounded from within, so the process is: by an alarm that ends it should the parent not live to do so, and by
a limit on its memory.
"""

import signal
import sys
from multiprocessing.connection import Connection
from pathlib import Path

from pyoxigraph import Store

from assistant.errors import QueryRefused
from assistant.knowledge_bases.sparql.querying import run
from memory.confining import limit_memory

_MEMORY_BYTES = 112 * 2**20  # for queries
_GRACE_SECONDS = 1.0  # the parent's own kill comes first


def serve(connection: Connection, folder: Path) -> None:
    """Answer `(query, seconds)` with a `QueryResult`, or with the line that says why it was refused."""
    store = Store.read_only(str(folder))
    limit_memory(_MEMORY_BYTES)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent alone
    connection.send("ready")
    while True:
        try:
            query, seconds = connection.recv()
        except EOFError:
            return
        signal.setitimer(signal.ITIMER_REAL, seconds + _GRACE_SECONDS)
        try:
            reply: object = run(store, query)
        except QueryRefused as refused:
            reply = str(refused)
        signal.setitimer(signal.ITIMER_REAL, 0)
        connection.send(reply)


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])), Path(sys.argv[2]))
