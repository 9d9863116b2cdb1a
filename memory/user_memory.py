"""One user's memory: remember, forget, keep; the only writer.

Records are written first and embedded afterwards, so that what was acknowledged survives the end of the process at any
moment; what the vector index then lacks is added when the user is next opened.
"""

import hashlib
import math
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection

from memory import interchange
from memory.contents import Contents
from memory.documents import read_document
from memory.errors import UserMistake
from memory.indexing import Indexer
from memory.learning import Learned, Place, learn
from memory.records import closing, entities, facts, library, merging, places
from memory.records.database import Database, State
from memory.records.forgetting import Gone, Selection, part, remove, select
from memory.records.keys import FACT, MERGE, PASSAGE, SOURCE, key, number
from memory.records.transfer import put_in, take_out
from memory.redaction import redact, restore
from memory.sessions import Sessions, remove_conversations
from memory.sweeping import Sweeping
from memory.types import Extraction, Fact, Forgotten, MemoryStatus, Passage, Source, Span, Stored
from memory.undoing import ForgottenLately, Remains
from memory.updating import place_of_upload, replace

_AT_ONCE = 64  # records that are embedded before a call returns; the rest wait


class UserMemory(Contents):
    """The memory of one user; nothing of another can be reached from here. Made by `Memory.of`."""

    def __init__(self, user: str, user_id: int, database: Database, indexer: Indexer) -> None:
        super().__init__(user_id, database, indexer)
        self.user = user
        self.state = State(database, user_id)
        self._lately = ForgottenLately()
        indexer.open(user_id)
        self._sweeping = Sweeping(user_id, database, indexer)
        self.sessions = Sessions(database, user_id, self._sweeping)

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

    def add_document(self, name: str, data: bytes, place: str = "", beside: Sequence[str] = ()) -> Source:
        """Keep a document: its passages can be searched on return, its facts are read later (state "queued").

        The same bytes again are the same source; one whose reading was paused or cancelled is queued again. Other bytes
        at the same `place` (a path, an address) replace what was there once they are read. Without one, as uploads
        are, `memory.updating` finds it; `beside` are the ids of what was uploaded together.

        Raises:
            UserMistake: the file cannot be read; the message says why and what to do.
        """
        digest = _digest(data)
        with self._database.reading() as connection:
            known = library.document(connection, self._id, digest)
        if known is not None:
            return self._add_again(known, place)
        text, parts = read_document(name, data)
        new = library.NewSource(library.DOCUMENT, name, digest, text, datetime.now(UTC), library.QUEUED)
        with self._database.transaction() as connection:
            known = library.document(connection, self._id, digest)  # another thread may have been faster
            if known is None:
                together = {number(SOURCE, own_id) for own_id in beside}
                place = place or place_of_upload(connection, self._id, new, together)
                source_id = library.add_source(connection, self._id, new)
                added = [library.add_passage(connection, self._id, source_id, part, library.UNREAD) for part in parts]
                places.put(connection, self._id, source_id, place)
        if known is not None:
            return self._add_again(known, place)
        self._indexer.embed(self._id, [key(PASSAGE, own_id) for own_id in added[:_AT_ONCE]])
        return self.source(key(SOURCE, source_id))

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
            gone = self._finish(connection, source_id, passage_id, library.READ)
        self._taken_in(learned, [])
        self._let_go(gone)
        return _stored(learned)

    def skip(self, source_id: str, passage_id: str) -> None:
        """Mark a passage as one that no facts could be read from; its text stays. Raises as `store`."""
        with self._database.transaction() as connection:
            library.source(connection, self._id, source_id)
            library.passage(connection, source_id, passage_id)
            gone = self._finish(connection, source_id, passage_id, library.SKIPPED)
        self._let_go(gone)

    def pause(self, source_id: str) -> None:
        """Read no further facts from a source until `resume`, also in other processes. Raises NothingThere."""
        self._change_state(source_id, (library.QUEUED, library.READING), library.PAUSED)

    def resume(self, source_id: str) -> None:
        """Let the reading of a paused source go on. Raises NothingThere."""
        self._change_state(source_id, (library.PAUSED,), library.QUEUED)

    def cancel(self, source_id: str) -> None:
        """Read no further facts from a source; its text stays. Raises NothingThere."""
        self._change_state(source_id, (library.QUEUED, library.READING, library.PAUSED), library.CANCELLED)

    def embed_waiting(self, limit: int) -> int:
        """Embed at most `limit` of the records that are not in the vector index; how many those were."""
        return self._indexer.embed_waiting(self._id, limit)

    # --- forget ---

    def forget(
        self,
        *,
        facts: Sequence[str] = (),
        source: str | Sequence[str] = (),
        entity: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        everything: bool = False,
        undoable: bool = False,
    ) -> Forgotten:
        """Remove all that is named: from records, vectors and graph, from saved evidence, and from the disk.

        Its text is gone then. Of a large index the files may keep its vectors for a while: `sweep` goes on with that.

        `source` is an id, or several; `entity` an id or a name. `since` (included) and `until` (not included) mean when
        it was learned. With `undoable`, `undo` can bring it back for a while; everything goes for good.

        Raises:
            NothingThere: what is named does not exist, or there is nothing in that time.
            UserMistake: nothing was named, or several entities have that name.
            Failure: it is gone from the lists, but could not be removed from the disk yet.
        """
        sources = (source,) if isinstance(source, str) else tuple(source)
        wanted = Selection(tuple(facts), sources, entity, since, until, everything)
        with self._database.transaction() as connection:
            chosen = select(connection, self._id, wanted)
            records = take_out(connection, self._id, part(connection, *chosen)) if undoable else None
            gone = remove(connection, self._id, *chosen)
            redacted = redact(connection, self._id, gone.texts, gone.values)
            sessions = remove_conversations(connection, self._id) if everything else len(redacted.conversations)
            self._sweeping.mark(connection)
        self._graph.forget()
        vectors = self._sweeping.begin(gone.ids)
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
        """Go on with removing what was forgotten from the disk; see `Sweeping.go_on`."""
        return self._sweeping.go_on(seconds)

    # --- merge ---

    def merge(self, entity_id: str, into_id: str) -> str:
        """Let two entities be one, by the second's name, until `unmerge`; the merge's id.

        What is known of the first is found with the second from now on, its names are aliases. Nothing is closed by it.

        Raises:
            NothingThere: one of them does not exist.
            UserMistake: they are one already.
        """
        with self._database.transaction() as connection:
            numbers = [entities.entity_number(connection, self._id, id_) for id_ in (entity_id, into_id)]
            group = merging.merge(connection, numbers[0], numbers[1], datetime.now(UTC))
            renamed = facts.reindex_facts_of(connection, self._id, group)
        self._called_otherwise(renamed)
        return key(MERGE, numbers[0])

    def unmerge(self, merge_id: str) -> None:
        """Take a merge back: each of the two has again what its own sources say of it, also what was learned since.

        Raises:
            NothingThere: it was taken back, or one of the two is forgotten.
        """
        with self._database.transaction() as connection:
            apart = merging.unmerge(connection, self._id, merge_id)
            closing.reopen_apart(connection, apart)
            renamed = facts.reindex_facts_of(connection, self._id, apart)
        self._called_otherwise(renamed)

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

    def counts(self) -> tuple[int, int]:
        """How many facts and passages are remembered; quick, also where there are many."""
        with self._database.reading() as connection:
            return library.counts(connection, self._id)

    def status(self) -> MemoryStatus:
        """What this user's memory holds."""
        vectors, waiting = self._indexer.expected(self._id)
        held, passages = self.counts()
        agrees, unswept = self._indexer.agrees(self._id), self._sweeping.left()
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

    def _add_again(self, known: Source, place: str) -> Source:
        """Take in bytes that are known: they may lie at another place now, or again where others lay meanwhile."""
        source_id = number(SOURCE, known.id)
        gone = None
        with self._database.transaction() as connection:
            state = library.source(connection, self._id, known.id).state
            if state in (library.PAUSED, library.CANCELLED):
                library.set_state(connection, known.id, library.QUEUED)
            place = place or places.last_place(connection, source_id) or places.own_place(known.digest)
            places.put(connection, self._id, source_id, place)
            if state == library.READY:
                gone = self._replace(connection, source_id)
        self._let_go(gone)
        return self.source(known.id)

    def _finish(self, connection: Connection, source_id: str, passage_id: str, state: str) -> Gone | None:
        if not library.finish_passage(connection, source_id, passage_id, state):
            return None
        return self._replace(connection, number(SOURCE, source_id))

    def _replace(self, connection: Connection, source_id: int) -> Gone | None:
        gone = replace(connection, self._id, source_id)
        if gone is not None:
            self._sweeping.mark(connection)
        return gone

    def _let_go(self, gone: Gone | None) -> None:
        """Take what was replaced out of graph and index; what is left of it in files is for `sweep`."""
        if gone is not None:
            self._graph.forget()
            self._indexer.remove(self._id, gone.ids)
            self._indexer.embed(self._id, sorted(gone.changed))

    def _taken_in(self, learned: Learned, passage_ids: list[str]) -> None:
        self._graph.add(learned.edges)
        self._indexer.embed(self._id, [*learned.changed, *passage_ids])

    def _called_otherwise(self, fact_ids: Sequence[int]) -> None:
        self._graph.forget()
        self._indexer.embed(self._id, [key(FACT, own_id) for own_id in fact_ids[:_AT_ONCE]])

    def _change_state(self, source_id: str, states: Sequence[str], to: str) -> None:
        with self._database.transaction() as connection:
            if library.source(connection, self._id, source_id).state in states:
                library.set_state(connection, source_id, to)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _stored(learned: Learned) -> Stored:
    return Stored(tuple(learned.added), tuple(learned.confirmed), tuple(learned.closed), learned.dropped)
