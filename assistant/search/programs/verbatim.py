"""Questions that say their path word for word, read against a knowledge base: no model is called for "what is Peru's
capital" or 岁夜的解释的出处是什么.

Such a question has one name that is known and relations that lead on from there, each by the very name that it has in
the knowledge base, and beside these nothing but words in which such questions are asked. Which these are, the examples
tell: what is left of their questions without the names and relations of their programs. So it is the same for every
language that has examples, and what asks for more (to count, to compare, yes or no) has words over, and is the model's.
"""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from assistant.knowledge_bases.linking import Linking
from assistant.search.examples import Example
from assistant.search.programs.path import followed, following
from assistant.search.programs.ways import Ways
from assistant.stemming import stem
from assistant.types import Entity
from memory.folding import fold

_MOST_STEPS = 4
_WAYS = 500  # of taking relations out of one question
_HAN = "\u3400-\u9fff"
_TOKEN = re.compile(rf"[{_HAN}]|[^\W_{_HAN}]+")

_Words = tuple[str, ...]


def read_verbatim(names: Sequence[str], linking: Linking, wording: Set[_Words]) -> str:
    """The program that follows the path which the question says from one of the `names`; empty where it says none, or
    several.

    Raises:
        KnowledgeBaseUnreachable: as `KnowledgeBase.link` and `KnowledgeBase.triples`.
        TimeoutError, Interrupted: as `Deadline.check`.
    """
    question, ways = (_words(linking.question),), Ways(linking)
    for name in sorted(names, key=len, reverse=True):
        walk = _Walk(ways, wording, linking.bearers(name))
        found = {path for rest in _without(question, _words(name)) for path in walk.paths(rest)}
        if len(found) == 1:
            (path,) = found
            return following([name, *path], [name], [[step] for step in path])
    return ""


@lru_cache(maxsize=4)
def wording(examples: Sequence[Example]) -> frozenset[_Words]:
    """The words, and pairs of Chinese characters, of those questions that say their path, without what it is."""
    known = set[_Words]()
    for example in examples:
        given = followed(example.code)
        if len(given) < 2:
            continue
        text: tuple[_Words, ...] | None = (_words(example.question),)
        for name, *_ in given:
            text = next(_without(text, _words(name)), None) if text else None
        known |= {piece for run in text or () for piece in _pieces(run)}
    return frozenset(known)


@dataclass
class _Walk:
    """Looks for paths from the `start` that leave nothing of a question but `wording`."""

    ways: Ways
    wording: Set[_Words]
    start: Sequence[Entity]
    _left: int = field(default=_WAYS, init=False)

    def paths(self, rest: Sequence[_Words], path: _Words = (), at: Sequence[Entity] = ()) -> Iterator[_Words]:
        """The relations that lead on from `at`, or the start, behind those of `path`; `rest` is what they leave."""
        self._left -= 1
        if path and all(piece in self.wording for run in rest for piece in _pieces(run)):
            yield path
        elif len(path) < _MOST_STEPS and self._left > 0:
            for asked, ends in self.ways.on_from(at if path else self.start).items():
                relation = asked.names[0]
                for left in _without(rest, _words(relation)) if asked.outgoing else ():
                    reached = self.ways.reached(ends)
                    if set(reached).isdisjoint(self.start):  # "the country whose capital is …" asks from its other end
                        yield from self.paths(left, (*path, relation), reached)


def _words(text: str) -> _Words:
    """The stems of the folded words of a text, and its Chinese characters."""
    return tuple(map(stem, _TOKEN.findall(fold(text))))


def _without(text: Sequence[_Words], words: _Words) -> Iterator[tuple[_Words, ...]]:
    """The runs of words of which a text consists, without one place where the given ones stand, for each such place."""
    size = len(words)
    for number, run in enumerate(text) if words else ():
        for place in range(len(run) - size + 1):
            if run[place : place + size] == words:
                parts = [part for part in (run[:place], run[place + size :]) if part]
                yield (*text[:number], *parts, *text[number + 1 :])


def _pieces(run: _Words) -> Iterator[_Words]:
    """Its words, and its Chinese characters in pairs, for one alone may be part of any word; or the only one it has."""
    if len(run) == 1:
        yield run
        return
    for first, second in pairwise(run):
        if _is_han(first) and _is_han(second):
            yield first, second
    yield from ((word,) for word in run if not _is_han(word))


def _is_han(word: str) -> bool:
    return "\u3400" <= word[0] <= "\u9fff"
