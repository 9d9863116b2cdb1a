"""What one user's memory takes in: what the user says, and documents, whose passages are read one by one.

Records are written first and embedded afterwards, so that what was acknowledged survives the end of the process at any
moment. No call embeds for longer than a moment: the rest is found by its words until the background has embedded it.
"""

import dataclasses
import hashlib
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from sqlalchemy import Connection

from memory.contents import Contents
from memory.encodings import storable, storable_name
from memory.errors import UserMistake
from memory.indexing import Indexer
from memory.learning import Learned, Place, learn
from memory.originals import Originals
from memory.parsing import Parser
from memory.records import library, places
from memory.records.database import Database, State
from memory.records.forgetting import Gone
from memory.records.keys import FACT, PASSAGE, SOURCE, key, number
from memory.sweeping import Sweeping
from memory.types import Extraction, Mention, Passage, Source, Span, Stored
from memory.updating import earlier_state, replace

UNMATCHED = "memory.unmatched"  # a user's mark: documents were read since all that may be one was asked about


class Keeping(Contents):
    """The half of a user's memory that adds to it."""

    def __init__(
        self, user_id: int, database: Database, indexer: Indexer, originals: Originals, parser: Parser
    ) -> None:
        super().__init__(user_id, database, indexer, originals)
        self._parser = parser
        self.state = State(database, user_id)
        indexer.open(user_id)
        self._sweeping = Sweeping(user_id, database, indexer, originals)

    def note(
        self, text: str, extraction: Extraction, name: str = "chat", corrects: Sequence[str] = ()
    ) -> tuple[Source, Stored]:
        """Keep what the user said, as a source with one passage, and its statements.

        A statement closes the facts that it ends; those of them that it `corrects` (ids) never held.

        Raises:
            UserMistake: there is no text.
        """
        if not text.strip():
            raise UserMistake("There is nothing to remember: the text is empty.")
        text, extraction = storable(text), _storable(extraction)
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

    def add_document(
        self,
        name: str,
        data: bytes,
        place: str = "",
        beside: Sequence[str] = (),
        *,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Source:
        """Keep a document: its passages can be searched on return, its facts are read later (state "queued").

        The same bytes again are the same source; one whose reading was paused or cancelled is queued again, and so are
        passages that could not be read. Other bytes at the same `place` (a path, an address) replace what was there
        once they are read. Without one, as uploads are, `memory.updating` finds it; `beside` are the ids of what was
        uploaded together.

        Raises:
            UserMistake: the file cannot be read; the message says why and what to do.
        """
        name, place = storable_name(name), storable_name(place)
        digest = _digest(data)
        with self._database.reading() as connection:
            known = library.document(connection, self._id, digest)
        if known is not None:
            return self._add_again(known, place, data)
        text, parts = self._parser.read(name, data, stopped)
        new = library.NewSource(library.DOCUMENT, name, digest, text, datetime.now(UTC), library.QUEUED)
        with self._database.transaction() as connection:
            known = library.document(connection, self._id, digest)  # another thread may have been faster
            if known is None:
                together = {number(SOURCE, own_id) for own_id in beside}
                before = None if place else earlier_state(connection, self._id, new, together)
                source_id = library.add_source(connection, self._id, new)
                added = [library.add_passage(connection, self._id, source_id, part, library.UNREAD) for part in parts]
                if place:
                    places.put(connection, self._id, source_id, place)
                else:
                    places.put_upload(connection, self._id, source_id, before)
        if known is not None:
            return self._add_again(known, place, data)
        self._originals.keep(name, digest, data)
        self._indexer.embed(self._id, [key(PASSAGE, own_id) for own_id in added])
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

    def replaces(self, source_id: str) -> list[Source]:
        """The documents that an upload is taken for a later state of, and replaces once it is read.

        Raises NothingThere.
        """
        with self._database.reading() as connection:
            library.source(connection, self._id, source_id)
            return library.sources_by_id(
                connection, places.earlier(connection, number(SOURCE, source_id), guessed=True)
            )

    def keep_both(self, source_id: str) -> None:
        """Let an upload be another document than those that it was taken for a later state of; these are read on too.

        Raises NothingThere.
        """
        with self._database.transaction() as connection:
            library.source(connection, self._id, source_id)
            upload = number(SOURCE, source_id)
            others = places.earlier(connection, upload, guessed=True)
            places.part_from(connection, self._id, upload, others)
            for other in library.sources_by_id(connection, others):
                if other.state == library.CANCELLED:
                    library.set_state(connection, other.id, library.QUEUED)

    def _add_again(self, known: Source, place: str, data: bytes) -> Source:
        """Take in bytes that are known: they may lie at another place now, or again where others lay meanwhile."""
        source_id = number(SOURCE, known.id)
        gone = None
        with self._database.transaction() as connection:
            state = library.source(connection, self._id, known.id).state
            if library.queue_skipped(connection, known.id):
                state = library.QUEUED
            elif state in (library.PAUSED, library.CANCELLED):
                library.set_state(connection, known.id, library.QUEUED)
            lies = place or places.last_place(connection, source_id) or places.new_place()
            places.put(connection, self._id, source_id, lies, guessed=not place)
            if state == library.READY:
                gone = self._replace(connection, source_id)
        self._originals.keep(known.name, known.digest, data)
        self._let_go(gone)
        return self.source(known.id)

    def _finish(self, connection: Connection, source_id: str, passage_id: str, state: str) -> Gone | None:
        if not library.finish_passage(connection, source_id, passage_id, state):
            return None
        return self._ended(connection, number(SOURCE, source_id))

    def _ended(self, connection: Connection, source_id: int) -> Gone | None:
        """Call where a source has been read to its end; what it replaces goes."""
        self.state.set_within(connection, UNMATCHED, True)
        return self._replace(connection, source_id)

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

    def _change_state(self, source_id: str, states: Sequence[str], to: str) -> None:
        with self._database.transaction() as connection:
            if library.source(connection, self._id, source_id).state in states:
                library.set_state(connection, source_id, to)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _storable(extraction: Extraction) -> Extraction:
    """The same with all its names and values as they can be kept."""
    mentions = (Mention(storable(one.name), tuple(map(storable, one.aliases))) for one in extraction.mentions)
    statements = (
        dataclasses.replace(
            said, subject=storable(said.subject), relation=storable(said.relation), object=storable(said.object)
        )
        for said in extraction.statements
    )
    return dataclasses.replace(extraction, mentions=tuple(mentions), statements=tuple(statements))


def _stored(learned: Learned) -> Stored:
    return Stored(tuple(learned.added), tuple(learned.confirmed), tuple(learned.closed), learned.dropped)
