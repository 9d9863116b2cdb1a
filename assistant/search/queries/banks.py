"""The banks of questions with queries that the knowledge bases bring, ready to choose examples from."""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from assistant.errors import UserMistake
from assistant.knowledge_bases.base import KnowledgeBase, Queryable
from assistant.knowledge_bases.sparql.bank import Annotated, QueryBank, stored_bank
from assistant.knowledge_bases.sparql.text import tokens
from assistant.search.examples import Example, ExampleBank, Form
from assistant.search.queries.patterns import names_things
from assistant.search.queries.topic_entities import names_by_iri
from assistant.search.vector_cache import VectorCache
from memory.types import Embedder

_log = logging.getLogger(__name__)

_FORMS: tuple[Form, ...] = ("anonymized", "question")  # by which examples are chosen


@dataclass(frozen=True, slots=True)
class Bank:
    """The examples of one knowledge base, how its queries become whole, and whether they name things by IRIs."""

    examples: ExampleBank
    source: QueryBank
    by_iri: bool

    def whole(self, query: str) -> str:
        """See `QueryBank.whole`."""
        return self.source.whole(query)

    def await_examples(self, cancel: threading.Event) -> None:
        """Wait until examples can be chosen; raises as `ExampleBank.await_prepared`."""
        self.examples.await_prepared(cancel, *_FORMS)

    def named(self, example: Example) -> Example:
        """An example that was not read from the bank, with the names in its query."""
        return replace(example, names=_names(example.code, self.source))


class QueryBanks:
    """Reads each knowledge base's bank once, and again when its file was replaced. Safe in several threads."""

    def __init__(self, embedder: Embedder, cache_of: Callable[[Path], VectorCache]) -> None:
        """`cache_of` says where the vectors of a bank's questions are kept, by its file."""
        self._embedder = embedder
        self._cache_of = cache_of
        self._banks: dict[tuple[Path, int], Bank | None] = {}
        self._lock = threading.Lock()
        self._closed = False

    def prepare(self, knowledge_bases: Sequence[KnowledgeBase]) -> threading.Thread:
        """Make their banks ready in the background, one after another.

        The first question would else wait: for minutes where a bank is large.
        """

        def make() -> None:
            for bank in filter(None, map(self.of, knowledge_bases)):
                bank.examples.prepare(*_FORMS).join()

        thread = threading.Thread(target=make, name="query banks", daemon=True)
        thread.start()
        return thread

    def close(self) -> None:
        """Stop what goes on in the background; may be called twice."""
        with self._lock:
            self._closed = True
            for bank in filter(None, self._banks.values()):
                bank.examples.close()

    def of(self, kb: KnowledgeBase) -> Bank | None:
        """The bank of a knowledge base that can be queried; None where it has none, or a damaged one."""
        file = kb.bank_file if isinstance(kb, Annotated) and isinstance(kb, Queryable) else None
        if file is None:
            return None
        try:
            key = file, file.stat().st_mtime_ns
        except OSError as error:
            _log.error("Cannot read the bank %s: %s.", file, error.strerror or error)
            return None
        with self._lock:
            if key not in self._banks and not self._closed:
                self._let_go_of_removed()
                self._banks[key] = self._read(file)
            return self._banks.get(key)

    def _let_go_of_removed(self) -> None:
        for file, written in [key for key in self._banks if not key[0].exists() or key[0].stat().st_mtime_ns != key[1]]:
            if removed := self._banks.pop((file, written)):
                removed.examples.close()

    def _read(self, file: Path) -> Bank | None:
        try:
            source = stored_bank(file)
        except UserMistake as mistake:
            _log.error("%s", mistake)
            return None
        for line in source.left_out:
            _log.warning("%s", line)
        examples = [Example(pair.question, pair.sparql, names=_names(pair.sparql, source)) for pair in source.pairs]
        return Bank(ExampleBank(examples, self._embedder, self._cache_of(file)), source, names_by_iri(source))


def _names(query: str, bank: QueryBank) -> tuple[str, ...]:
    """The names of things in the query: no words for classes, such as "film", and no values."""
    words = tokens(query)
    strings = [word.value for before, word in pairwise(words) if word.kind == "string" and names_things(before.text)]
    strings += [bank.labels.get(word.text.partition(":")[2], "") for word in words]
    return tuple(dict.fromkeys(name for name in strings if name != name.lower() or not name.isascii()))
