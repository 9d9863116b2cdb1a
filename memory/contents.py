"""What one user's memory holds; nothing here writes."""

import contextlib
import threading
from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import Connection

from memory.bridges import further_questions
from memory.drawing import draw
from memory.duplicates import Duplicates, ordered
from memory.errors import NothingThere
from memory.folding import terms
from memory.gist import Gist, gist
from memory.graph import Graph
from memory.indexing import Indexer
from memory.originals import Originals
from memory.outlines import Outline, outline
from memory.recall import NEAR, entities_in, entities_named_like, joined, recall, recall_named, still_there
from memory.records import entities, facts, library, merging, places, splitting, words
from memory.records.database import Database
from memory.records.keys import ENTITY, FACT, PASSAGE, SOURCE, key, missing, number
from memory.records.library import State
from memory.tables import Table, tables_of
from memory.types import Fact, KnownEntity, Merge, Passage, Recalled, Source


class _Read(NamedTuple):
    """What a document holds beside its text."""

    tables: list[Table]
    outline: Outline


class Contents:
    """The reading half of a user's memory."""

    def __init__(self, user_id: int, database: Database, indexer: Indexer, originals: Originals) -> None:
        self._id = user_id
        self._database = database
        self._indexer = indexer
        self._originals = originals
        self._graph = Graph(self._edges)
        self._duplicates = Duplicates(user_id, indexer)
        self._read: dict[int, tuple[State, _Read]] = {}
        self._reading = threading.Lock()

    def recall(self, text: str, k: int = 10) -> list[Recalled]:
        """The `k` facts and passages that bear most on `text`, best first; no language model is called."""
        if not text.strip():
            return []
        near = self._indexer.related(self._id, text, NEAR)
        with self._database.reading() as connection:
            return recall(connection, self._id, text, near, self._graph, k=k)

    def recall_further(self, text: str, k: int = 10) -> list[Recalled]:
        """As `recall`, and looks again from what that found, for what an answer in two steps rests on."""
        found = self.recall(text, k)
        if not found:
            return []
        leading = next((hit for hit in found if hit.fact is None), found[0]).text
        names = [name for entity in self.named_in(leading) for name in (entity.name, *entity.aliases)]
        further = further_questions(text, leading, names)
        if not further:
            return found
        with self._database.reading() as connection:
            again = [recall_named(connection, self._id, one, k=k) for one in further]
            # Something may have been forgotten since the first look.
            return still_there(connection, joined(found, again)[:k])

    def nearest_facts(self, text: str, k: int) -> list[Fact]:
        """At most `k` of the facts among the records nearest to `text` by meaning, then those that recall finds, of
        which some may not be embedded yet."""
        near = [id_ for id_, _ in self._indexer.nearest(self._id, text, NEAR) if id_.startswith(FACT)]
        recalled = [hit.fact.id for hit in self.recall(text, k) if hit.fact]
        return self.facts_with_ids(list(dict.fromkeys([*near[:k], *recalled])))

    def named_in(self, text: str) -> list[KnownEntity]:
        """The entities whose name or alias stands in `text`, in its order; a longer name hides those within it."""
        with self._database.reading() as connection:
            return list(entities.entities_by_id(connection, entities_in(connection, self._id, text)).values())

    def holding(self, wanted: Collection[str]) -> set[str]:
        """Those of some terms, as `memory.folding.terms` gives them, that stand in a record or a document's name."""
        with self._database.reading() as connection:
            found = words.held(connection, self._id, wanted)
            if left := set(wanted) - found:
                found |= left & {term for name in library.names_of(connection, self._id) for term in terms(name)}
        return found

    def find_entities(self, mention: str, aliases: Sequence[str] = (), limit: int = 10) -> list[KnownEntity]:
        """All entities that match by exact name, folded name, alias or its words, best first; else by meaning."""
        if not mention.strip():
            return []
        with self._database.reading() as connection:
            found = entities_named_like(connection, self._id, mention, aliases, limit)
            if not found:
                alike = self._indexer.entities_alike(self._id, mention, NEAR)[:limit]
                numbers = [number(ENTITY, entity_id) for entity_id in alike]
                found = list(entities.entities_by_id(connection, numbers).values())
        return found

    def entity(self, entity_id: str) -> KnownEntity:
        """One entity; raises NothingThere."""
        with self._database.reading() as connection:
            own_id = entities.entity_number(connection, self._id, entity_id)
            return entities.entities_by_id(connection, [own_id])[own_id]

    def facts_of(self, entity_id: str, limit: int = 200) -> list[Fact]:
        """The facts with an entity as subject or object, current ones first; raises NothingThere."""
        with self._database.reading() as connection:
            own_id = entities.entity_number(connection, self._id, entity_id)
            return facts.facts_about(connection, merging.everyone(connection, [own_id]), limit)

    def entities(self, search: str = "", offset: int = 0, limit: int = 50) -> list[KnownEntity]:
        """Entities by name; with `search`, those that have it in a name."""
        with self._database.reading() as connection:
            return entities.list_entities(connection, self._id, search, offset=offset, limit=limit)

    def facts(self, search: str = "", source_id: str | None = None, offset: int = 0, limit: int = 50) -> list[Fact]:
        """Facts, the latest first; with `search`, those that say it; with `source_id`, those that rest on it."""
        with self._database.reading() as connection:
            return facts.list_facts(connection, self._id, search, source_id, offset=offset, limit=limit)

    def facts_with_ids(self, fact_ids: Sequence[str]) -> list[Fact]:
        """The facts of these ids, in their order; those that are gone are left out."""
        with self._database.reading() as connection:
            return facts.own_facts(connection, self._id, [number(FACT, fact_id) for fact_id in fact_ids])

    def facts_on(self, passage_id: str) -> list[Fact]:
        """The facts that rest on a passage."""
        with self._database.reading() as connection:
            resting = facts.resting_on_passage(connection, number(PASSAGE, passage_id))
            return facts.own_facts(connection, self._id, resting)

    def likely_duplicates(self) -> list[tuple[KnownEntity, KnownEntity]]:
        """Pairs of entities that may be one, by name and meaning, the likeliest first; of the second more is known."""
        with self._database.reading() as connection:
            return self._duplicates.likely(connection, self.revision)

    def merges(self) -> list[Merge]:
        """Which entities were merged, the latest first."""
        with self._database.reading() as connection:
            return merging.merges(connection, self._id)

    def taken_apart(self) -> list[tuple[KnownEntity, KnownEntity]]:
        """Pairs of entities that were taken apart, the latest first; of the second of a pair more is known."""
        with self._database.reading() as connection:
            pairs = sorted(merging.kept_apart(connection, self._id), key=lambda pair: (-max(pair), min(pair)))
            known = entities.entities_by_id(connection, {end for pair in pairs for end in pair})
        return [ordered(*(known[end] for end in pair)) for pair in pairs]

    def sources_of(self, entity_id: str) -> list[Source]:
        """The sources that say something of an entity, oldest first; raises NothingThere."""
        with self._database.reading() as connection:
            own_id = entities.entity_number(connection, self._id, entity_id)
            return library.sources_by_id(connection, splitting.speakers(connection, [own_id])[own_id])

    def number_of_sources(self, entity_ids: Sequence[str]) -> dict[str, int]:
        """How many sources say something of each of these entities, by the id of the one that stands for it.

        Those that are gone are left out.
        """
        numbers = [number(ENTITY, entity_id) for entity_id in entity_ids]
        with self._database.reading() as connection:
            found = splitting.speakers(connection, entities.numbers_of_own(connection, self._id, numbers))
        return {key(ENTITY, own_id): len(source_ids) for own_id, source_ids in found.items()}

    @property
    def revision(self) -> int:
        """Another number whenever facts were added or have gone; counts from the start of the process."""
        return self._graph.revision

    def sources(self) -> list[Source]:
        """All sources, oldest first."""
        with self._database.reading() as connection:
            return library.all_sources(connection, self._id)

    def digests(self, source_ids: Sequence[str]) -> dict[str, str]:
        """The digests of what some sources say now; of those that are there."""
        wanted = [number(SOURCE, source_id) for source_id in source_ids]
        with self._database.reading() as connection:
            found = library.digests(connection, self._id, wanted)
        return {key(SOURCE, own_id): digest for own_id, digest in found.items()}

    def documents(self) -> list[str]:
        """The names of the documents, oldest first; quick, whatever else there is."""
        with self._database.reading() as connection:
            return list(library.documents(connection, self._id).values())

    def source(self, source_id: str) -> Source:
        """One source; raises NothingThere."""
        with self._database.reading() as connection:
            return library.source(connection, self._id, source_id)

    def source_of_passage(self, passage_id: str) -> Source:
        """The source that a passage is of; raises NothingThere."""
        own_id = number(PASSAGE, passage_id)
        with self._database.reading() as connection:
            held = library.passages_by_id(connection, [own_id])
            if passage_id not in held:
                raise missing(PASSAGE, passage_id)
            return library.source(connection, self._id, held[passage_id][0])

    def source_text(self, source_id: str) -> str:
        """The whole text of a source, which all spans count in; raises NothingThere."""
        with self._database.reading() as connection:
            return library.source_text(connection, self._id, source_id)

    def has_original(self, source_id: str) -> bool:
        """Whether the bytes of a PDF or a picture are there, as it was added and nothing of it forgotten.

        Raises NothingThere.
        """
        return self._originals.find(self.source(source_id).digest) is not None

    def page_image(self, source_id: str, page: int, said: str = "") -> bytes:
        """A page of an original, from 1, as it looks: a PNG, with what is `said` marked where it has a text.

        Empty where there is no original, or it cannot be drawn. Raises NothingThere.
        """
        source = self.source(source_id)
        original = self._originals.find(source.digest)
        return draw(original, source.name, page, said) if original else b""

    def passages(self, source_id: str, *, unread: bool = False, limit: int | None = None) -> list[tuple[str, Passage]]:
        """The passages of a source with their ids; with `unread`, those that wait for facts to be read from them.

        With `limit`, the first so many of these.
        """
        with self._database.reading() as connection:
            library.source(connection, self._id, source_id)
            return library.passages_of(connection, source_id, unread=unread, limit=limit)

    def passages_with_ids(self, passage_ids: Sequence[str]) -> dict[str, Passage]:
        """Those of the passages with these ids that are there."""
        with self._database.reading() as connection:
            return library.passages_with_ids(connection, self._id, passage_ids)

    def gist(self, source_id: str, characters: int, pieces: int) -> Gist:
        """So much of a source at most: all of its passages, or sentences of each part of it. Raises NothingThere."""
        return gist(self._indexer, self._id, self.passages(source_id), characters, pieces)

    def tables(self) -> list[Table]:
        """The tables that stand in documents, oldest first; a document is read again only where it has changed."""
        return [table for read in self._all_read() for table in read.tables]

    def outlines(self) -> list[Outline]:
        """What the documents say of themselves, oldest first; a document is read again only where it has changed."""
        return [read.outline for read in self._all_read()]

    def _all_read(self) -> list["_Read"]:
        with self._reading, self._database.reading() as connection:
            before, now = self._read, dict[int, tuple[State, _Read]]()
            for own_id, state in library.states(connection, self._id).items():
                known = before.get(own_id)
                with contextlib.suppress(NothingThere):  # forgotten just now
                    now[own_id] = known if known and known[0] == state else (state, self._of(connection, own_id, state))
            self._read = now
        return [read for _, read in now.values()]

    def _of(self, connection: Connection, own_id: int, state: State) -> "_Read":
        source_id = key(SOURCE, own_id)
        text = library.source_text(connection, self._id, source_id)
        passages = library.passages_of(connection, source_id)
        return _Read(
            list(tables_of(source_id, state.name, text, passages)),
            outline(source_id, state, text, passages),
        )

    def places_in(self, folder: str) -> set[str]:
        """The paths below a folder at which a document is or was."""
        with self._database.reading() as connection:
            return places.places_in(connection, self._id, folder)

    def is_empty(self) -> bool:
        """Whether nothing is remembered."""
        with self._database.reading() as connection:
            return not library.has_sources(connection, self._id)

    def _edges(self) -> list[tuple[int, int, int, str]]:
        with self._database.reading() as connection:
            return facts.edges(connection, self._id)
