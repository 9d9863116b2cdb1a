"""The index of names that mentions are linked by: exact, folded, alias and fuzzy, in one SQLite file.

Fuzzy matches are proposed by an FTS5 trigram index and ranked by RapidFuzz.
"""

import re
import sqlite3
import threading
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from opencc import OpenCC
from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

from assistant.errors import KnowledgeBaseUnreachable
from assistant.knowledge_bases.base import Deadline

_TABLES = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
CREATE TABLE entity (id INTEGER PRIMARY KEY, iri TEXT NOT NULL UNIQUE, weight INTEGER NOT NULL);
CREATE TABLE name (
    id INTEGER PRIMARY KEY, entity INTEGER NOT NULL, text TEXT NOT NULL, folded TEXT NOT NULL,
    language TEXT NOT NULL, alias INTEGER NOT NULL
);
CREATE TABLE relation (iri TEXT NOT NULL, text TEXT NOT NULL, language TEXT NOT NULL, alias INTEGER NOT NULL);
CREATE TABLE stated (iri TEXT NOT NULL, text TEXT NOT NULL, language TEXT NOT NULL, alias INTEGER NOT NULL);
"""
_INDEXES = """
CREATE INDEX name_folded ON name (folded);
CREATE VIRTUAL TABLE gram USING fts5(folded, content='', tokenize='trigram', detail='none', columnsize=0);
INSERT INTO gram (rowid, folded) SELECT id, ' ' || folded || ' ' FROM name;
CREATE VIRTUAL TABLE gram_count USING fts5vocab(gram, row);
"""
_INSERT_NAME = "INSERT INTO name (entity, text, folded, language, alias) VALUES (?, ?, ?, ?, ?)"
_BATCH = 100_000
_KEYS = 500  # of one SELECT; SQLite allows 999 in its older builds
_EXACT_LIMIT = 200  # namesakes looked at for one name
_RAREST_GRAMS = 8  # of a mention's trigrams, those asked for: common ones tell little and cost much
_MOST_GRAMS = 200  # of a mention with all its aliases; SQLite joins no more than 500 SELECTs
_GRAM_LIMIT = 2000  # names looked at for one trigram
_FUZZY_POOL = 200  # names that share most trigrams, ranked by RapidFuzz
FUZZY_CUT = 80.0  # of 100: "Austira" for "Austria" is 86, "Iraq" for "Iran" 75
_ENGLISH = 1  # how strange an English name is to whoever reads another language
_STEPS_BETWEEN_CHECKS = 10_000  # of SQLite's virtual machine, about a millisecond

_ACCENTS = re.compile(r"[\u0300-\u036f]")
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_PUNCTUATION = re.compile(r"[\s!-/:-@\[-`{-~\u00a1-\u00bf\u2000-\u206f\u3000-\u303f\u30fb]+")
_NUMBER = re.compile(r"\d+|\b[ivx]+\b")  # of a folded text
_BRACKETS = re.compile(r"^(.+?)\s*[(（][^()（）]+[)）]$")


@cache
def _to_simplified() -> OpenCC:
    return OpenCC("t2s")


def name_key(text: str) -> str:
    """Under what an index of names holds one: no case, accents, width or punctuation; traditional Chinese characters as
    simplified. `memory.folding.fold` compares texts, and takes ideographs apart."""
    folded = text
    if not text.isascii():
        folded = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFKD", text)))
        if _HAN.search(folded):
            folded = _to_simplified().convert(folded)
    folded = folded.casefold()
    return _PUNCTUATION.sub(" ", folded).strip() or folded.strip() or text.strip()


def likeness(one: str, other: str) -> float:
    """How much two folded names are alike, in whatever order their words stand: 0 to 100.

    A letter more or less makes another word of a short one ("dog", "doge"), so that names in letters may differ in one
    place for each four characters beyond the first; an ideograph says as much as a word. Another number is another
    thing ("Apollo 11", "Apollo 13").
    """
    if sorted(_NUMBER.findall(one)) != sorted(_NUMBER.findall(other)):
        return 0.0
    pairs = [(one, other), (" ".join(sorted(one.split())), " ".join(sorted(other.split())))]
    return max((fuzz.ratio(*pair) for pair in pairs if _differ_little(*pair)), default=0.0)


def _differ_little(one: str, other: str) -> bool:
    return bool(_HAN.search(one)) or OSA.distance(one, other) <= (min(len(one), len(other)) - 1) // 4


class NamesWriter:
    """Gathers entities and their names while a file is read, in bounded memory; `finish` makes the index."""

    def __init__(self, path: Path) -> None:
        self._database = sqlite3.connect(path, isolation_level=None)
        self._database.executescript(_TABLES)
        self._database.execute("BEGIN")
        self._seen: Counter[str] = Counter()
        self._stated: list[tuple[str, str, str, bool]] = []

    def saw(self, iri: str, triples: int = 1) -> None:
        """So many triples have this entity at one end."""
        self._seen[iri] += triples
        if len(self._seen) >= _BATCH:
            self._flush()

    def named(self, iri: str, text: str, language: str, *, alias: bool) -> None:
        """The file gives this entity or relation a name; of its labels in a language, the first is the one shown."""
        self._stated.append((iri, text.strip(), language.lower().partition("-")[0], alias))
        if len(self._stated) >= _BATCH:
            self._flush()

    def finish(self, relations: Iterable[str], name_of: Callable[[str], str], weights: Mapping[str, int]) -> None:
        """Make the index. What is in `relations` cannot be linked to; an entity without a label gets `name_of` it;
        `weights` replace the number of triples, by which namesakes are ranked."""
        self._flush()
        run, run_many = self._database.execute, self._database.executemany
        run("CREATE TEMP TABLE predicate (iri TEXT PRIMARY KEY)")
        run_many("INSERT OR IGNORE INTO predicate VALUES (?)", ((iri,) for iri in relations))
        run(
            "INSERT INTO relation SELECT iri, text, language, alias FROM stated JOIN predicate USING (iri) "
            "ORDER BY alias, stated.rowid"
        )
        run("DELETE FROM entity WHERE iri IN (SELECT iri FROM predicate)")
        run_many("UPDATE entity SET weight = ? WHERE iri = ?", ((weight, iri) for iri, weight in weights.items()))
        stated = run(
            "SELECT entity.id, text, language, alias FROM stated CROSS JOIN entity USING (iri) ORDER BY stated.rowid"
        )
        run_many(_INSERT_NAME, _name_rows(stated))
        run("DROP TABLE stated")
        run("CREATE INDEX name_entity ON name (entity)")
        unnamed = run(
            "SELECT id, iri FROM entity "
            "WHERE NOT EXISTS (SELECT 1 FROM name WHERE name.entity = entity.id AND NOT alias)"
        )
        run_many(_INSERT_NAME, _name_rows((entity, name_of(iri), "", False) for entity, iri in unnamed))
        run("COMMIT")
        self._database.executescript(_INDEXES)

    def close(self) -> None:
        """Close the file, finished or not."""
        self._database.close()

    def _flush(self) -> None:
        self._database.executemany(
            "INSERT INTO entity (iri, weight) VALUES (?, ?) "
            "ON CONFLICT (iri) DO UPDATE SET weight = weight + excluded.weight",
            self._seen.items(),
        )
        self._seen.clear()
        self._database.executemany("INSERT INTO stated VALUES (?, ?, ?, ?)", self._stated)
        self._stated.clear()


def _name_rows(named: Iterable[tuple[int, str, str, bool]]) -> Iterator[tuple[int, str, str, str, bool]]:
    """Rows of the table `name`; "Kismet (1944 film)" is also known as "Kismet"."""
    for entity, text, language, alias in named:
        if folded := name_key(text):
            yield entity, text, folded, language, alias
        if text[-1:] in ")）" and (bare := _BRACKETS.match(text)):
            yield entity, bare[1], name_key(bare[1]), language, True


def _strangeness(language: str, wanted: str) -> int:
    """How strange a name in a language is to who reads the `wanted` one; of others, English is the least."""
    return 0 if language == wanted else _ENGLISH if language == "en" else _ENGLISH + 1


class Names:
    """Reads an index of names. Safe to use from several threads."""

    def __init__(self, path: Path, owner: str) -> None:
        self._owner = owner
        self._database = sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False)
        self._lock = threading.RLock()
        self._closed = False
        self.languages = frozenset(row[0] for row in self._rows("SELECT DISTINCT language FROM name WHERE NOT alias"))

    def find(self, names: Sequence[str], language: str, limit: int, deadline: Deadline) -> list[str]:
        """The IRIs of at most `limit` entities called by one of `names` (the mention first, then its aliases).

        Best first: exact before folded before alias; the mention before its aliases; names in the language before
        English ones before others, which are never exact; then the most connected. Only where none of these fits, the
        most similar names.

        Raises:
            KnowledgeBaseUnreachable: the deadline passed.
        """
        with self._until(deadline):
            ranked: dict[str, tuple[float, ...]] = {}
            for position, name in enumerate(names):
                for iri, text, named_in, alias, weight in self._called(name):
                    strangeness = _strangeness(named_in or language, language)
                    # "palau" is how French writes a language, and how anybody may type the country.
                    tier = 2 if alias else int(text != name.strip() or strangeness > _ENGLISH)
                    rank = (tier, position, strangeness, -weight)
                    ranked[iri] = min(rank, ranked.get(iri, rank))
            if not ranked:
                ranked = self._similar({name_key(name) for name in names})
        return sorted(ranked, key=lambda iri: ranked[iri])[:limit]

    def known(self, names: Sequence[str], deadline: Deadline) -> dict[str, set[str]]:
        """Those of `names` that an entity is called by, once both are folded, with how they are written here.

        Raises:
            KnowledgeBaseUnreachable: the deadline passed.
        """
        folded = {name: name_key(name) for name in names}
        written: dict[str, set[str]] = defaultdict(set)
        with self._until(deadline):
            query = "SELECT DISTINCT folded, text FROM name"
            for key, text in self._of_each(query, set(folded.values()), "1", "folded"):
                written[key].add(text)
        return {name: written[key] for name, key in folded.items() if key in written}

    def labels(self, iris: Iterable[str], language: str) -> dict[str, str]:
        """The name to show of each: its label in the language, else in English, else any."""
        rows = self._of_each(
            "SELECT iri, language, text FROM entity JOIN name ON entity = entity.id", iris, "NOT alias"
        )
        best: dict[str, tuple[int, str]] = {}
        for iri, label_language, text in rows:
            rank = _strangeness(label_language, language)
            if iri not in best or rank < best[iri][0]:
                best[iri] = rank, text
        return {iri: text for iri, (_, text) in best.items()}

    def other_names(self, iri: str, language: str, limit: int, called: Sequence[str] = ()) -> tuple[str, ...]:
        """Other names of an entity: those that it was `called` first, then those in the language."""
        query = (
            "SELECT DISTINCT text FROM name JOIN entity ON entity = entity.id WHERE iri = ? "
            f"ORDER BY folded NOT IN ({','.join('?' * len(called))}), language != ?, alias, name.id LIMIT ?"
        )
        return tuple(row[0] for row in self._rows(query, (iri, *map(name_key, called), language, limit)))

    def weights(self, iris: Iterable[str]) -> dict[str, int]:
        """What namesakes are ranked by: the number of triples, where the builder gave nothing else."""
        return dict(self._of_each("SELECT iri, weight FROM entity", iris, "1"))

    def relations(self) -> dict[str, list[tuple[str, str]]]:
        """The names of the relations that have some, labels before aliases: IRI to (name, language)."""
        named: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for iri, text, language in self._rows("SELECT iri, text, language FROM relation ORDER BY rowid"):
            named[iri].append((text, language))
        return dict(named)

    def all(self) -> Iterator[tuple[str, str, str, bool]]:
        """Every name: the entity's IRI, the name, its language, and whether it is an alias."""
        last = 0
        query = "SELECT name.id, iri, text, language, alias FROM name JOIN entity ON entity = entity.id "
        while rows := self._rows(f"{query} WHERE name.id > ? ORDER BY name.id LIMIT ?", (last, _BATCH)):
            yield from ((iri, text, language, bool(alias)) for _, iri, text, language, alias in rows)
            last = rows[-1][0]

    def close(self) -> None:
        """Close the file; may be called twice."""
        with self._lock:
            self._closed = True
            self._database.close()

    @contextmanager
    def _until(self, deadline: Deadline) -> Iterator[None]:
        with self._lock:
            self._check_open()
            self._database.set_progress_handler(lambda: not deadline.remaining, _STEPS_BETWEEN_CHECKS)
            try:
                yield
            except sqlite3.OperationalError as error:
                if "interrupted" not in str(error):
                    raise
                raise KnowledgeBaseUnreachable(
                    self._owner, f"{self._owner} took too long to look up a name."
                ) from error
            finally:
                self._database.set_progress_handler(None, 0)

    def _called(self, name: str) -> list[tuple[str, str, str, int, int]]:
        return self._rows(
            "SELECT iri, text, language, alias, weight FROM name JOIN entity ON entity = entity.id WHERE folded = ? "
            "ORDER BY alias, text != ?, weight DESC LIMIT ?",
            (name_key(name), name.strip(), _EXACT_LIMIT),
        )

    def _similar(self, wanted: set[str]) -> dict[str, tuple[float, ...]]:
        grams = sorted({gram for folded in wanted for gram in self._rarest_grams(folded)})[:_MOST_GRAMS]
        if not grams:
            return {}
        one = "SELECT * FROM (SELECT rowid FROM gram WHERE gram MATCH ? LIMIT ?)"
        values = [value for gram in grams for value in ('"' + gram.replace('"', '""') + '"', _GRAM_LIMIT)]
        sharing = f"SELECT rowid FROM ({' UNION ALL '.join([one] * len(grams))}) GROUP BY 1 ORDER BY count(*) DESC"
        pool = [row[0] for row in self._rows(f"{sharing} LIMIT ?", [*values, _FUZZY_POOL])]
        query = "SELECT iri, folded, weight FROM name JOIN entity ON entity = entity.id"
        ranked: dict[str, tuple[float, ...]] = {}
        for iri, folded, weight in self._of_each(query, pool, "1", column="name.id"):
            score = max(likeness(folded, name) for name in wanted)
            if score >= FUZZY_CUT:
                ranked[iri] = min((-score, -weight), ranked.get(iri, (0.0, 0.0)))
        return ranked

    def _rarest_grams(self, folded: str) -> list[str]:
        padded = f" {folded} "
        grams = {padded[start : start + 3] for start in range(len(padded) - 2)}
        rows = self._of_each("SELECT doc, term FROM gram_count", grams, "1", column="term")
        return [term for _, term in sorted(rows)[:_RAREST_GRAMS]]

    def _of_each(self, query: str, keys: Iterable[object], where: str, column: str = "iri") -> list[tuple[Any, ...]]:
        wanted, rows = list(keys), []
        for start in range(0, len(wanted), _KEYS):
            some = wanted[start : start + _KEYS]
            marks = ",".join("?" * len(some))
            rows += self._rows(f"{query} WHERE {column} IN ({marks}) AND {where}", some)
        return rows

    def _rows(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        with self._lock:
            self._check_open()
            return self._database.execute(query, values).fetchall()

    def _check_open(self) -> None:
        if self._closed:
            raise KnowledgeBaseUnreachable(self._owner, f"The knowledge base {self._owner} is closed.")
