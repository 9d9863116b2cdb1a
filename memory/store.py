"""Memory as the assistant sees it: remember, recall, forget; the only writer.

Records are written first and embedded afterwards, so that what was acknowledged survives the end of the process at any
moment; what the vector index then lacks is added when the user is next opened.
"""

import contextlib
import hashlib
import math
import threading
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memory import interchange
from memory.documents import read_document
from memory.errors import Failure, UserMistake
from memory.graph import Graph
from memory.indexing import Indexer
from memory.learning import Learned, Place, learn
from memory.recall import NEAR, entities_named_like, recall
from memory.records import entities, facts, library, pending
from memory.records.database import Database, State
from memory.records.forgetting import Selection, part, remove, select
from memory.records.keys import ENTITY, FACT, PASSAGE, SOURCE, key, number
from memory.records.transfer import put_in, take_out
from memory.records.users import all_users, checked_name, user_number, users_values
from memory.redaction import redact, restore
from memory.sessions import Sessions, remove_conversations
from memory.types import (
    Embedder,
    Extraction,
    Fact,
    Forgotten,
    KnownEntity,
    MemoryStatus,
    Passage,
    Recalled,
    Source,
    Span,
    Stored,
)
from memory.undoing import ForgottenLately, Remains
from memory.vectors import VectorIndex

_AT_ONCE = 64  # passages of a document that are embedded before `add_document` returns
_UNSWEPT = "memory.unswept"  # where forgotten things may still lie: in free pages and the index, or the index alone
_EVERYWHERE, _IN_THE_INDEX = "everywhere", "index"
_SWEPT_AT_ONCE = 1.0  # seconds; enough for some thousand vectors


class Memory:
    """All users' memories in one folder, which this process owns.

    Raises:
        UserMistake: the folder cannot be written.
    """

    def __init__(self, home: Path, embedder: Embedder) -> None:
        self._database = Database(home / "memory.db")
        self._index = VectorIndex(home / "vectors")
        self._indexer = Indexer(self._database, self._index, embedder)
        self._opening = threading.Lock()
        self._open: dict[str, UserMemory] = {}
        self.state = State(self._database)
        self._indexer.check_model()
        for name in self.unswept():
            with contextlib.suppress(Failure):  # a full disk must not shut the others out
                self.of(name)

    def of(self, user: str) -> "UserMemory":
        """The memory of one user, who is added where there is none.

        Raises:
            UserMistake: `user` cannot be a name.
        """
        name = checked_name(user)
        with self._opening:
            if name not in self._open:
                with self._database.transaction() as connection:
                    user_id = user_number(connection, name)
                self._open[name] = UserMemory(name, user_id, self._database, self._indexer)
            return self._open[name]

    def users(self) -> list[str]:
        """The names of those who have something here."""
        with self._database.reading() as connection:
            return all_users(connection)

    def states(self, name: str) -> dict[str, Any]:
        """All users' lasting values of one name, by user."""
        with self._database.reading() as connection:
            return users_values(connection, name)

    def unfinished(self) -> list[tuple[str, Source]]:
        """The sources that wait to be read, of all users, oldest first: (user, source)."""
        with self._database.reading() as connection:
            return library.unfinished(connection)

    def unswept(self) -> list[str]:
        """The users of whom something forgotten still lies on the disk, in the vector index at least."""
        with self._database.reading() as connection:
            return list(users_values(connection, _UNSWEPT))

    def not_embedded(self) -> list[str]:
        """The users with records that are not in the vector index."""
        with self._database.reading() as connection:
            return pending.users_waiting(connection)

    def status(self) -> MemoryStatus:
        """What there is, and whether the vector index agrees with the records."""
        users = [self.of(name) for name in self.users()]
        parts = [user.status() for user in users]
        return MemoryStatus(
            users=len(users),
            facts=sum(part.facts for part in parts),
            passages=sum(part.passages for part in parts),
            vectors=sum(part.vectors for part in parts),
            waiting=sum(part.waiting for part in parts),
            agrees=all(part.agrees for part in parts),
            unswept=any(part.unswept for part in parts),
        )

    def repair(self) -> MemoryStatus:
        """Bring vectors and graph of all users in step with the records; embeds whatever is missing."""
        for name in self.users():
            self.of(name).repair()
        return self.status()

    def close(self) -> None:
        """Let go of the folder; may be called twice."""
        self._index.close()
        self._database.close()


class UserMemory:
    """The memory of one user; nothing of another can be reached from here. Made by `Memory.of`."""

    def __init__(self, user: str, user_id: int, database: Database, indexer: Indexer) -> None:
        self.user = user
        self.state = State(database, user_id)
        self.sessions = Sessions(database, user_id)
        self._id = user_id
        self._database = database
        self._indexer = indexer
        self._graph = Graph(self._edges)
        self._lately = ForgottenLately()
        indexer.open(user_id)
        if self.state.get(_UNSWEPT):
            with contextlib.suppress(Failure):  # the mark stays: tried again later
                self.sweep(_SWEPT_AT_ONCE)

    # --- remember ---

    def note(
        self, text: str, extraction: Extraction, name: str = "chat", corrects: Sequence[str] = ()
    ) -> tuple[Source, Stored]:
        """Keep what the user said, as a source with one passage, and its statements.

        A statement closes the fact that it contradicts, and one of `corrects` (ids) whatever it says of that subject.

        Raises:
            UserMistake: there is no text.
        """
        if not text.strip():
            raise UserMistake("There is nothing to remember: the text is empty.")
        now = datetime.now(UTC)
        new = library.NewSource(library.CHAT, name, _digest(text.encode()), text, now, library.READY)
        passage = Passage(text, Span(0, len(text)))
        with self._database.transaction() as connection:
            source_id = library.add_source(connection, self._id, new)
            passage_id = library.add_passage(connection, self._id, source_id, passage, library.READ)
            corrected = frozenset(number(FACT, fact_id) for fact_id in corrects)
            place = Place(self._id, source_id, passage_id, passage, True, now, corrected)
            learned = learn(connection, place, extraction)
            source = library.source(connection, self._id, key(SOURCE, source_id))
        self._taken_in(learned, [key(PASSAGE, passage_id)])
        return source, _stored(learned)

    def add_document(self, name: str, data: bytes) -> Source:
        """Keep a document: its passages can be searched on return, its facts are read later (state "queued").

        The same bytes again are the same source; one whose reading was cancelled is queued again.

        Raises:
            UserMistake: the file cannot be read; the message says why and what to do.
        """
        digest = _digest(data)
        with self._database.reading() as connection:
            known = library.document(connection, self._id, digest)
        if known is None:
            return self._add(name, digest, read_document(name, data))
        if known.state == library.CANCELLED:
            self._set_state(known.id, library.QUEUED)
        return self.source(known.id)

    def store(self, source_id: str, passage_id: str, extraction: Extraction) -> Stored:
        """Keep the statements of one passage and mark it as read; all of it, or nothing.

        Raises:
            NothingThere: the source or the passage is not there (any more).
        """
        with self._database.transaction() as connection:
            library.source(connection, self._id, source_id)
            passage = library.passage(connection, source_id, passage_id)
            numbers = number(SOURCE, source_id), number(PASSAGE, passage_id)
            place = Place(self._id, *numbers, passage, False, datetime.now(UTC))
            learned = learn(connection, place, extraction)
            library.finish_passage(connection, source_id, passage_id, library.READ)
        self._taken_in(learned, [])
        return _stored(learned)

    def skip(self, source_id: str, passage_id: str) -> None:
        """Mark a passage as one that no facts could be read from; its text stays. Raises as `store`."""
        with self._database.transaction() as connection:
            library.source(connection, self._id, source_id)
            library.passage(connection, source_id, passage_id)
            library.finish_passage(connection, source_id, passage_id, library.SKIPPED)

    def cancel(self, source_id: str) -> None:
        """Read no further facts from a source; its text stays. Raises NothingThere."""
        if self.source(source_id).state in (library.QUEUED, library.READING):
            self._set_state(source_id, library.CANCELLED)

    def embed_waiting(self, limit: int) -> int:
        """Embed at most `limit` of the records that are not in the vector index; how many those were."""
        return self._indexer.embed_waiting(self._id, limit)

    # --- recall ---

    def recall(self, text: str, k: int = 10) -> list[Recalled]:
        """The `k` facts and passages that bear most on `text`, best first; no language model is called."""
        if not text.strip():
            return []
        near = [id_ for id_, _ in self._indexer.nearest(self._id, text, NEAR)]
        with self._database.reading() as connection:
            return recall(connection, self._id, text, near, self._graph, k=k)

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
            return facts.facts_about(connection, [own_id], limit)

    def entities(self, search: str = "", offset: int = 0, limit: int = 50) -> list[KnownEntity]:
        """Entities by name; with `search`, those that have it in a name."""
        with self._database.reading() as connection:
            return entities.list_entities(connection, self._id, search, offset=offset, limit=limit)

    def facts(self, search: str = "", source_id: str | None = None, offset: int = 0, limit: int = 50) -> list[Fact]:
        """Facts, the latest first; with `search`, those that say it; with `source_id`, those that rest on it."""
        with self._database.reading() as connection:
            return facts.list_facts(connection, self._id, search, source_id, offset=offset, limit=limit)

    @property
    def revision(self) -> int:
        """Another number whenever facts were added or have gone; counts from the start of the process."""
        return self._graph.revision

    def sources(self) -> list[Source]:
        """All sources, oldest first."""
        with self._database.reading() as connection:
            return library.all_sources(connection, self._id)

    def source(self, source_id: str) -> Source:
        """One source; raises NothingThere."""
        with self._database.reading() as connection:
            return library.source(connection, self._id, source_id)

    def source_text(self, source_id: str) -> str:
        """The whole text of a source, which all spans count in; raises NothingThere."""
        with self._database.reading() as connection:
            return library.source_text(connection, self._id, source_id)

    def passages(self, source_id: str, *, unread: bool = False) -> list[tuple[str, Passage]]:
        """The passages of a source with their ids; with `unread`, those that wait for facts to be read from them."""
        with self._database.reading() as connection:
            library.source(connection, self._id, source_id)
            return library.passages_of(connection, source_id, unread=unread)

    def is_empty(self) -> bool:
        """Whether nothing is remembered."""
        return not self.sources()

    # --- forget ---

    def forget(
        self,
        *,
        facts: Sequence[str] = (),
        source: str | None = None,
        entity: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        everything: bool = False,
        undoable: bool = False,
    ) -> Forgotten:
        """Remove all that is named: from records, vectors and graph, from saved evidence, and from the disk.

        Its text is gone then. Of a large index the files may keep its vectors for a while: `sweep` goes on with that.

        `entity` is an id or a name. `since` (included) and `until` (not included) mean when it was learned. With
        `undoable`, `undo` can bring it back for a while; everything goes for good.

        Raises:
            NothingThere: what is named does not exist, or there is nothing in that time.
            UserMistake: nothing was named, or several entities have that name.
            Failure: it is gone from the lists, but could not be removed from the disk yet.
        """
        wanted = Selection(tuple(facts), source, entity, since, until, everything)
        with self._database.transaction() as connection:
            chosen = select(connection, self._id, wanted)
            records = take_out(connection, self._id, part(connection, *chosen)) if undoable else None
            gone = remove(connection, self._id, *chosen)
            redacted = redact(connection, self._id, gone.texts, gone.values)
            sessions = remove_conversations(connection, self._id) if everything else len(redacted.conversations)
            self.state.set_within(connection, _UNSWEPT, _EVERYWHERE)
        self._graph.forget()
        vectors = self._indexer.remove(self._id, gone.ids)
        self._wipe()
        self.sweep(_SWEPT_AT_ONCE)
        self._indexer.embed(self._id, sorted(gone.changed))
        if everything:
            self._lately.clear()
        return Forgotten(
            facts=len(gone.facts),
            entities=len(gone.entities),
            passages=len(gone.passages),
            sources=len(gone.sources),
            vectors=vectors,
            sessions=sessions,
            undo_id=self._lately.keep(Remains(records, redacted)) if records and not everything else "",
        )

    def undo(self, undo_id: str) -> list[Fact]:
        """Bring back what `forget` let go with this id; the facts that are there again, under new ids.

        Raises:
            NothingThere: it was brought back, or is gone for good.
        """
        remains = self._lately.take(undo_id)
        with self._database.transaction() as connection:
            added = put_in(connection, self._id, remains.records)
            restore(connection, self._id, remains.conversations)
            again = list(facts.facts_by_id(connection, added).values())
        self._graph.forget()
        self._embed_all()
        return again

    def sweep(self, seconds: float) -> bool:
        """Go on with removing what was forgotten from the disk, for about so long; whether nothing of it is left.

        Raises:
            Failure: the disk is full, or somebody reads on in what was deleted; the rest is still to be done.
        """
        left = self.state.get(_UNSWEPT)
        if left is None:
            return True
        if left != _IN_THE_INDEX:
            self._indexer.compare(self._id)
            self._wipe()
        if not self._indexer.rebuild(self._id, seconds):
            return False
        self.state.delete(_UNSWEPT)
        return True

    # --- keep, move and mend ---

    def export(self, path: Path, format: str = "jsonld") -> int:
        """Write everything remembered to a file: jsonld, ntriples or graphml; how many facts.

        Raises:
            NothingThere: nothing is remembered.
            UserMistake: there is no such format, or the file cannot be written.
        """
        with self._database.reading() as connection:
            return interchange.export(connection, self._id, path, format)

    def import_(self, path: Path) -> int:
        """Take in a file that `export` wrote as jsonld; how many facts were new.

        Raises:
            UserMistake: the file is not there, or not of that form.
        """
        with self._database.transaction() as connection:
            added = interchange.import_(connection, self._id, path)
        self._graph.forget()
        self._embed_all()
        return added

    def status(self) -> MemoryStatus:
        """What this user's memory holds."""
        vectors, waiting = self._indexer.expected(self._id)
        with self._database.reading() as connection:
            held, passages = library.counts(connection, self._id)
        agrees, unswept = self._indexer.agrees(self._id), bool(self.state.get(_UNSWEPT))
        return MemoryStatus(1, held, passages, vectors, waiting, agrees, unswept)

    def repair(self) -> None:
        """Bring vectors and graph in step with the records, and finish what was being forgotten."""
        self._indexer.compare(self._id)
        self.sweep(math.inf)
        self._graph.forget()
        self._embed_all()

    def _embed_all(self) -> None:
        while self.embed_waiting(_AT_ONCE):
            pass

    def _add(self, name: str, digest: str, document: tuple[str, list[Passage]]) -> Source:
        text, parts = document
        new = library.NewSource(library.DOCUMENT, name, digest, text, datetime.now(UTC), library.QUEUED)
        with self._database.transaction() as connection:
            known = library.document(connection, self._id, digest)  # another thread may have been faster
            if known is not None:
                return known
            source_id = library.add_source(connection, self._id, new)
            passage_ids = [library.add_passage(connection, self._id, source_id, part, library.UNREAD) for part in parts]
        self._indexer.embed(self._id, [key(PASSAGE, own_id) for own_id in passage_ids[:_AT_ONCE]])
        return self.source(key(SOURCE, source_id))

    def _taken_in(self, learned: Learned, passage_ids: list[str]) -> None:
        self._graph.add(learned.edges)
        self._indexer.embed(self._id, [*learned.changed, *passage_ids])

    def _set_state(self, source_id: str, state: str) -> None:
        with self._database.transaction() as connection:
            library.set_state(connection, source_id, state)

    def _wipe(self) -> None:
        self._database.wipe()
        self.state.set(_UNSWEPT, _IN_THE_INDEX)

    def _edges(self) -> list[tuple[int, int, int, str]]:
        with self._database.reading() as connection:
            return facts.edges(connection, self._id)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _stored(learned: Learned) -> Stored:
    return Stored(tuple(learned.added), tuple(learned.confirmed), tuple(learned.closed), learned.dropped)
