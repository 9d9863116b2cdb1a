"""An encyclopaedia in a ZIM file, as Kiwix makes them of Wikipedia and others: all its articles, without a network.

The file has an index of its titles and one of its texts, which finds articles that hold all words of a query. A
question has words that no article on its answer has, so the commonest are left out one by one until something is found.
"""

import math
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from assistant.errors import Failure, UserMistake
from assistant.knowledge_bases.base import Deadline, LinkPolicy, RelationPolicy
from assistant.knowledge_bases.personal import PASSAGE
from assistant.stemming import root, roots
from assistant.types import Direction, Entity, Evidence, Triple
from memory.documents import read_document
from memory.folding import fold, terms
from memory.formats.tables import CELLS_APART, EMPTY
from memory.passages import PARAGRAPHS_APART
from memory.types import Passage

SUFFIX = ".zim"

_CANDIDATES, _FOUND = 10, 6  # articles: that a link proposes, and that a search of text reads
_WORDS = 12  # of a question that are looked for
_LARGEST = 4 * 2**20  # bytes of an article; a larger one is a list of everything
_KEPT = 64  # articles that were read last
_LONGEST_NAME, _LONGEST_RELATION = 200, 80  # characters
_DESCRIPTION = 300  # characters of an article's beginning


class _Article(NamedTuple):
    title: str
    paragraphs: tuple[str, ...]
    passages: tuple[Passage, ...]


class Encyclopaedia:
    """The articles of a ZIM file: text, and what their boxes say as triples. Safe to use from several threads."""

    public = False
    link_policy: LinkPolicy = "one"
    relation_policy: RelationPolicy = "best"

    def __init__(self, name: str, file: Path, languages: Sequence[str] = ()) -> None:
        """Open the file, which stays where it is.

        Raises:
            Failure: it cannot be read; the message says what to do.
        """
        from libzim.reader import Archive  # loaded where somebody has such a file
        from libzim.search import Searcher
        from libzim.suggestion import SuggestionSearcher

        self.name = name
        self.languages = frozenset(languages)
        self.source = file.name
        try:
            self._archive = Archive(file)
            self._titles = SuggestionSearcher(self._archive)
            self._texts = Searcher(self._archive) if self._archive.has_fulltext_index else None
            self.count = int(self._archive.article_count)
        except (RuntimeError, OSError, ValueError) as error:
            raise Failure(
                "{file} cannot be read as an encyclopaedia (ZIM): {reason}; download it again.",
                file=file,
                reason=error,
            ) from error
        self._lock = threading.Lock()  # what finds is not made for several threads
        self._read: Callable[[str], _Article | None] = lru_cache(_KEPT)(self._article)

    def link(self, mention: str, aliases: Sequence[str], question: str, deadline: Deadline) -> list[Entity]:
        """Articles of that title, those whose title begins so, and where there are none, those that the text names."""
        del question
        names = [name for name in dict.fromkeys(map(_name, (mention, *aliases))) if name]
        paths = dict.fromkeys(path for name in names for path in self._titled(name, deadline))
        return [entity for path in islice(paths, _CANDIDATES) if (entity := self._entity(path, deadline))]

    def known(self, phrases: Sequence[str], deadline: Deadline) -> dict[str, set[str]]:
        """See `NameIndex.known`."""
        found = {}
        for phrase in phrases:
            deadline.check()
            if titles := {article.title for article in self._exactly(_name(phrase))}:
                found[phrase] = titles
        return found

    def entity_info(self, entity: Entity, deadline: Deadline) -> str:
        """The whole article but for its boxes."""
        deadline.check()
        article = self._read(entity.id)
        return "" if article is None else PARAGRAPHS_APART.join(text for text in article.paragraphs if not _cells(text))

    def triples(self, entity: Entity, direction: Direction, limit: int, deadline: Deadline) -> list[Triple]:
        """What the boxes of the article say: each row of two cells is a relation and its value."""
        deadline.check()
        article = self._read(entity.id) if direction != "in" else None
        rows = (cells for text in (article.paragraphs if article else ()) if (cells := _cells(text)))
        return [
            Triple(entity.name, relation, value, kb=self.name, subject_id=entity.id, source=self.source)
            for relation, value in islice(rows, limit)
        ]

    def search_text(self, question: str, limit: int, deadline: Deadline) -> list[Evidence]:
        """See `TextSearch.search_text`: the passages that have most of the question's rarer words."""
        weights = self._weights(question, deadline)
        scored: list[tuple[float, str, Passage]] = []
        for path in self._with_most(weights, deadline):
            deadline.check()
            if article := self._read(path):
                scored += [(_score(part, article.title, weights), article.title, part) for part in article.passages]
        best = sorted((one for one in scored if one[0]), key=lambda one: -one[0])[:limit]
        return [
            Evidence(
                0,
                self.name,
                title,
                PASSAGE,
                part.text,
                text=part.text,
                source=self.source,
                heading=part.heading or title,
            )
            for _, title, part in best
        ]

    def _titled(self, name: str, deadline: Deadline) -> Iterator[str]:
        """The paths of articles that may be called so, the likest first."""
        deadline.check()
        yield from (article.path for article in self._exactly(name))
        with self._lock:
            suggested = list(self._titles.suggest(name).getResults(0, _CANDIDATES))
        entries = map(self._archive.get_entry_by_path, suggested)
        wanted = fold(name)
        yield from (entry.get_item().path for entry in entries if wanted in fold(entry.title))

    def _exactly(self, name: str) -> Iterator[Any]:
        """The articles of that title, however its first letter or those of its words are written."""
        written = dict.fromkeys((name, name[:1].upper() + name[1:], name.title())) if name else ()
        there = filter(self._archive.has_entry_by_title, written)
        return (
            self._archive.get_entry_by_title(title).get_item() for title in there
        )  # of a redirect, where that leads

    def _entity(self, path: str, deadline: Deadline) -> Entity | None:
        deadline.check()
        article = self._read(path)
        if article is None:
            return None
        prose = (text for text in article.paragraphs if not _cells(text) and fold(text) != fold(article.title))
        return Entity(self.name, path, article.title, description=next(prose, "")[:_DESCRIPTION])

    def _weights(self, question: str, deadline: Deadline) -> dict[str, float]:
        """The words of a question that some article has, the rarest first, with how much each tells."""
        counts = {}
        for term in list(dict.fromkeys(terms(question)))[:_WORDS]:
            deadline.check()
            if count := self._matching([term], 0)[0]:
                counts[term] = count
        rarest = sorted(counts, key=counts.__getitem__)
        return {term: math.log(1 + self.count / counts[term]) for term in rarest}

    def _with_most(self, weights: dict[str, float], deadline: Deadline) -> Sequence[str]:
        """The paths of the articles that have the most of these words, the rarest first of all."""
        found: dict[str, None] = {}
        words = list(weights)
        while words and len(found) < _FOUND:
            deadline.check()
            found |= dict.fromkeys(self._matching(words, _FOUND)[1])
            words.pop()
        return list(found)[:_FOUND]

    def _matching(self, words: Sequence[str], limit: int) -> tuple[int, list[str]]:
        """About how many articles have all these words, and the paths of the first of them."""
        from libzim.search import Query

        if self._texts is None:
            return 0, []
        with self._lock:
            search = self._texts.search(Query().set_query(" ".join(words)))
            return search.getEstimatedMatches(), list(search.getResults(0, limit)) if limit else []

    def _article(self, path: str) -> _Article | None:
        """An article; None where it is none that can be read."""
        item = self._archive.get_entry_by_path(path).get_item()
        if not item.mimetype.startswith("text/html") or item.size > _LARGEST:
            return None
        try:
            text, passages = read_document(f"{item.title}.html", bytes(item.content))
        except UserMistake:
            return None
        return _Article(item.title, tuple(text.split(PARAGRAPHS_APART)), tuple(passages))


def _name(text: str) -> str:
    return " ".join(text.replace("\0", "").split())[:_LONGEST_NAME]


def _cells(paragraph: str) -> tuple[str, str] | None:
    """A row of two cells, as in an article's box; None of other paragraphs."""
    relation, apart, value = paragraph.partition(CELLS_APART)
    is_row = (
        apart and CELLS_APART not in value and EMPTY not in (relation, value) and len(relation) <= _LONGEST_RELATION
    )
    return (relation, value) if is_row else None


def _score(part: Passage, title: str, weights: dict[str, float]) -> float:
    held = roots(f"{title}\n{part.heading}\n{part.text}")
    return sum(weight for term, weight in weights.items() if root(term) in held)
