"""A bank of annotated examples, and those of them that are nearest to a question (ICSU, in-context schema
understanding).

An example is a question with what a model should write for it: a search program or a query. It has three forms by which
it can be found: its question (ICSU (Raw)), its question without entities (ICSU (Anonymized)) and its code (ICSU
(SPARQL)). Similarity is the negative Euclidean distance of sentence embeddings, as in the paper.
"""

import logging
import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from assistant.errors import Failure, Interrupted
from assistant.knowledge_bases.naming import Wording
from assistant.search.anonymize import anonymize
from assistant.search.vector_cache import VectorCache
from assistant.types import Message
from memory.folding import fold
from memory.types import Embedder, Vectors

_log = logging.getLogger(__name__)

Form = Literal["question", "anonymized", "code"]

_POOL = 20  # times as many as are asked for: those that marginal relevance chooses among
_LOOK_SECONDS = 0.1  # between two looks at whether a wait was stopped
_KEPT = 1_000  # vectors of further examples
_FENCE = re.compile(r"```(?:python|py|sparql)?\s*\n?(.*?)(?:```|$)", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Example:
    """A question and what answers it: a program or a query.

    `kind` says what sort of question it is, where known; `names` are names known to stand in the question.
    """

    question: str
    code: str
    kind: str = ""
    names: tuple[str, ...] = ()


class Nearest(NamedTuple):
    """An example with its similarity to what was asked for: at most 0, where they are the same."""

    example: Example
    similarity: float


_FORMS: Mapping[Form, Callable[[Example], str]] = {
    "question": lambda example: example.question,
    "anonymized": lambda example: anonymize(example.question, example.names).text,
    "code": lambda example: example.code,
}


class ExampleBank:
    """Examples to choose from; the vectors of a form are made when it is first asked for. Safe in several threads."""

    def __init__(self, examples: Iterable[Example], embedder: Embedder, cache: VectorCache) -> None:
        self.examples = tuple(dict.fromkeys(examples))
        self._embedder = embedder
        self._cache = cache
        self._matrices: dict[Form, Vectors] = {}
        self._last: dict[Form, tuple[str, Vectors]] = {}  # the last text asked for, and how like each example is to it
        self._further: dict[str, Vectors] = {}
        self._lock = threading.Lock()
        self._closed = threading.Event()

    @cached_property
    def wording(self) -> Wording:
        """The words of the questions, without their names."""
        return Wording(_FORMS["anonymized"](example) for example in self.examples)

    @cached_property
    def by_question(self) -> Mapping[str, Example]:
        """The first example of each question, by the question as `fold` gives it."""
        return {fold(example.question): example for example in reversed(self.examples)}

    def prepare(self, *forms: Form) -> threading.Thread:
        """Make the vectors of these forms in the background; the first question of a new bank would else wait for them.

        What fails is logged, and tried again when an example is asked for.
        """

        def make() -> None:
            try:
                for form in forms:
                    self._matrix(form)
                _ = self.wording
            except Interrupted:
                return
            except Failure as failure:
                _log.warning("The examples are not ready: %s", failure)

        thread = threading.Thread(target=make, name="examples", daemon=True)
        thread.start()
        return thread

    def await_prepared(self, cancel: threading.Event, *forms: Form) -> None:
        """Wait for `prepare`, which goes on where the wait is stopped.

        Raises:
            Interrupted: `cancel` was set.
        """
        preparing = self.prepare(*forms)
        while preparing.is_alive():
            preparing.join(_LOOK_SECONDS)
            if cancel.is_set():
                raise Interrupted("Stopped.")

    def close(self) -> None:
        """Stop what goes on in the background, once the vectors at hand are made; may be called twice."""
        self._closed.set()
        with self._lock:
            pass

    def nearest(
        self,
        text: str,
        k: int,
        form: Form = "anonymized",
        *,
        names: Iterable[str] = (),
        further: Sequence[Example] = (),
        diversity: float = 0.0,
    ) -> list[Nearest]:
        """The `k` examples nearest to `text`, best first: to a question, or with the form "code" to a program or query.

        `names` are names known to stand in the question, for the anonymised form. `further` are examples beside the
        bank's own, such as those that the user approved; their vectors are kept in memory only. With a `diversity`
        above 0, up to 1, what an example adds to those before it counts as well (maximal marginal relevance: Carbonell
        and Goldstein, 1998).

        Raises:
            Failure: the bank's vectors cannot be kept on disk.
        """
        asked = anonymize(text, names).text if form == "anonymized" else text
        bank = len(self.examples)
        if bank + len(further) == 0 or k < 1:
            return []
        query = self._embedder.query([asked])[0]
        parts = [self._matrix(form)] if self.examples else []
        cosines = [self._own_cosines(form, asked, query)] if self.examples else []
        if further:
            parts.append(self._vectors_of([_FORMS[form](example) for example in further]))
            cosines.append(_cosines(parts[-1], query))
        likeness = np.concatenate(cosines)
        if not diversity:
            chosen = _largest(likeness, k)
        else:
            pool = _largest(likeness, k * _POOL)
            rows = np.stack([parts[0][i] if i < bank else parts[-1][i - bank] for i in pool])
            chosen = [pool[i] for i in _marginal(rows, likeness[pool], k, diversity)]
        examples = [self.examples[i] if i < bank else further[i - bank] for i in chosen]
        return [Nearest(one, _similarity(likeness[i])) for one, i in zip(examples, chosen, strict=True)]

    def _own_cosines(self, form: Form, asked: str, query: Vectors) -> Vectors:
        """Of the bank's examples; a turn often asks for the same text twice, and to scan 100,000 costs milliseconds."""
        text, cosines = self._last.get(form, ("", None))
        if cosines is None or text != asked:
            cosines = _cosines(self._matrix(form), query)
            self._last[form] = asked, cosines
        return cosines

    def _matrix(self, form: Form) -> Vectors:
        with self._lock:
            if form not in self._matrices:
                self._matrices[form] = self._cache.vectors(
                    [_FORMS[form](example) for example in self.examples], self._closed
                )
            return self._matrices[form]

    def _vectors_of(self, texts: Sequence[str]) -> Vectors:
        with self._lock:
            missing = [text for text in dict.fromkeys(texts) if text not in self._further]
            if len(self._further) + len(missing) > _KEPT:
                self._further.clear()
                missing = list(dict.fromkeys(texts))
            self._further.update(zip(missing, self._embedder.query(missing), strict=True))
            return np.stack([self._further[text] for text in texts])


def as_turns(examples: Iterable[Example]) -> list[Message]:
    """The examples as turns of a chat, each question the user's and its code the assistant's, in the given order."""
    return [
        message
        for example in examples
        for message in (Message("user", example.question), Message("assistant", example.code))
    ]


def code_of(reply: str) -> str:
    """The program or query in a model's reply to such turns, taken out of its fence where there is one."""
    match = _FENCE.search(reply)
    return (match[1] if match else reply).strip()


def _similarity(cosine: float) -> float:
    """The negative Euclidean distance of two unit vectors."""
    return -float(np.sqrt(max(0.0, 2 - 2 * cosine)))


def _cosines(vectors: Vectors, query: Vectors) -> Vectors:
    """The cosine of each row; in one thread, since those of a matrix product wait for each other on a busy machine."""
    cosines: Vectors = np.einsum("ij,j->i", vectors, query)
    return cosines


def _largest(values: Vectors, count: int) -> list[int]:
    """Where the `count` largest values stand, largest first; of equal ones the earlier."""
    count = min(count, len(values))
    some = np.flatnonzero(values >= np.partition(values, -count)[-count])
    return [int(i) for i in some[np.argsort(-values[some], kind="stable")][:count]]


def _marginal(vectors: Vectors, likeness: Vectors, k: int, diversity: float) -> list[int]:
    """Greedily the rows that are like the question and unlike the rows before them."""
    chosen: list[int] = []
    among = np.full(len(vectors), -1.0, np.float32)  # how like each is to the most similar one that was chosen
    while len(chosen) < min(k, len(vectors)):
        worth = (1 - diversity) * likeness - diversity * among if chosen else likeness.copy()
        worth[chosen] = -np.inf
        chosen.append(int(np.argmax(worth)))
        among = np.maximum(among, vectors @ vectors[chosen[-1]])
    return chosen
