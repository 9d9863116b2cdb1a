"""One user's memory, whole: beside what `Keeping` and `Contents` do, it forgets, merges, moves and mends."""

import contextlib
import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from memory import interchange
from memory.errors import Failure
from memory.indexing import Indexer
from memory.keeping import Keeping
from memory.originals import Originals
from memory.parsing import Parser
from memory.records import closing, entities, facts, library, merging, places, splitting
from memory.records.coming_back import coming_back
from memory.records.database import Database
from memory.records.dating import date_again
from memory.records.facts import facts_by_id
from memory.records.forgetting import blank_again, remove
from memory.records.keys import ENTITY, FACT, MERGE, SOURCE, key
from memory.records.putting_in import put_in
from memory.records.selection import Selection, part, select
from memory.records.taking_out import left_of, take_part
from memory.redaction import Redacted, Redaction, restore
from memory.sessions import ASKED, Sessions, remove_conversations
from memory.types import Fact, Forgotten, MemoryStatus, SavedMessage, StillOnDisk
from memory.undoing import ForgottenLately, Later, Remains

_MENDED_AT_ONCE = 64  # records


class UserMemory(Keeping):
    """The memory of one user; nothing of another can be reached from here. Made by `Memory.of`."""

    def __init__(
        self,
        user: str,
        user_id: int,
        database: Database,
        indexer: Indexer,
        parser: Parser,
        *,
        originals: Originals,
        lasting: bool,
        when_forgotten: Callable[[Collection[str] | None], None],
        when_put_in: Callable[[], None],
    ) -> None:
        """Where the process is not `lasting`, whatever is forgotten is so for good.

        `when_forgotten` is told of forgotten names, values and places; of None, where everything is forgotten.

        `when_put_in` is called after an undo or an import: documents come as far as they had been read.
        """
        super().__init__(user_id, database, indexer, originals, parser)
        self.user = user
        self._lasting = lasting
        self._when_forgotten = when_forgotten
        self._when_put_in = when_put_in
        self._lately = ForgottenLately()
        self.sessions = Sessions(database, user_id, self._sweeping)

    def embed_waiting(self, limit: int, seconds: float = math.inf) -> int:
        """Embed at most `limit` of the records that are not in the vector index, for about so many seconds.

        Returns:
            how many those were.
        """
        return self._indexer.embed_waiting(self._id, limit, seconds)

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
        said: Sequence[str] = (),
        undoable: bool = False,
        in_conversations: bool = True,
    ) -> Forgotten:
        """Remove all that is named: from records, vectors and graph, from saved evidence, and from the disk.

        Its text is gone then. Of a large index the files may keep its vectors for a while: `sweep` goes on with that.

        A document that is not named itself stays, also where it was added before the facts that go were learned; it
        loses the sentences that only they rest on, those that say the same in the same words, and those that name an
        entity which goes; where its name is a word as well, only those that nothing else rests on, or none.

        `source` is an id, or several; `entity` an id or a name. `since` (included) and `until` (not included) mean when
        it was learned. `said` are words that say what goes, blanked wherever conversations have them. With `undoable`,
        `undo` can bring it back for a while; everything goes for good, and so does all in a process that does not last.
        Not `in_conversations` means that these keep all that they say: for a note that the user is just saying anew.

        Raises:
            NothingThere: what is named does not exist, or there is nothing in that time.
            UserMistake: nothing was named, or several entities have that name.
            StillOnDisk: it is gone from the lists, but could not be removed from the disk yet.
        """
        sources = (source,) if isinstance(source, str) else tuple(source)
        wanted = Selection(tuple(facts), sources, entity, since, until, everything)
        self._database.reserve.give_up()
        with self._lately.order:
            with self._database.transaction() as connection:
                chosen = select(connection, self._id, wanted)
                undoable, now = undoable and self._lasting and not everything, datetime.now(UTC)
                records = take_part(connection, self._id, part(connection, chosen)) if undoable else None
                gone = remove(connection, self._id, chosen)
                phrases = {*said, *chosen.names, *chosen.doubtful}
                redaction = Redaction(gone.texts, gone.values, phrases, chosen.others, gone.said_in)
                if not in_conversations:
                    redaction = Redaction()
                blanked = Redacted() if everything else redaction.apply(connection, self._id)
                sessions = remove_conversations(connection, self._id) if everything else len(blanked.conversations)
                kept_by = tuple(facts_by_id(connection, sorted(gone.kept_by)).values())
                naming = chosen.sentences_left(connection, self._id)
                # A source may have waited for nothing but what went; then it is read, and replaces what it was before.
                replaced = [self._ended(connection, own_id) for own_id in library.end_read(connection, self._id)]
                left = left_of(connection, records) if records else None
                self.state.delete_within(connection, ASKED)  # in the words of who asked
                mark = self._sweeping.mark(connection)
            redaction.before.add(blanked)
            self._lately.tell(Later(now, chosen.facts, gone.told, redaction))
            if everything:
                self._lately.clear()
            kept = self._lately.keep(Remains(now, records, gone.facts, left, redaction)) if records and left else ""
        forgotten = Forgotten(
            facts=len(gone.facts),
            entities=len(gone.entities),
            passages=len(gone.passages),
            sources=len(gone.sources),
            sessions=sessions,
            undo_id=kept,
            kept_by=kept_by,
            naming=naming,
        )
        self._graph.forget()
        changed = sorted(gone.changed)
        try:
            try:  # first, since the mark that what is left on the disk has does not say what it was
                self._when_forgotten(None if everything else chosen.names | gone.values | gone.places)
            finally:  # that the one fails is no reason to leave out the other
                for old in replaced:
                    self._let_go(old)
                vectors = self._sweeping.begin(mark, [*gone.ids, *changed])  # theirs are of what they said before
                self._indexer.embed(self._id, changed)
        except Failure as failure:
            raise StillOnDisk(str(failure), forgotten) from failure
        return replace(forgotten, vectors=vectors)

    def leave(self, paths: Collection[str]) -> None:
        """Know that files are gone: what no other file holds is forgotten, with all earlier states of it.

        Raises:
            StillOnDisk: as `forget`.
        """
        with self._database.transaction() as connection:
            nowhere = [key(SOURCE, own_id) for own_id in places.leave(connection, self._id, paths)]
        if nowhere:
            self.forget(source=nowhere)

    def undo(self, undo_id: str) -> list[Fact]:
        """Bring back what `forget` let go with this id; the sources have the ids that they had, the facts new ones.

        What was forgotten after it stays so, and what was told meanwhile holds beside it.

        Raises:
            NothingThere: it was brought back, or is gone for good.
            Failure: it is back, but what was forgotten after it could not be removed from the disk again yet; or else
                nothing could be written, and the same call may work later.
        """
        with self._lately.order:
            remains = self._lately.remains(undo_id)
            with self._database.transaction() as connection:
                now = left_of(connection, remains.records)
                records = coming_back(remains.records, remains.facts, remains.forgotten_since, remains.left, now)
                put = put_in(connection, self._id, records)
                date_again(connection, set(put.facts) - set(put.new))
                restore(connection, self._id, remains.redaction.before)
                blanked = []
                for later in remains.since:
                    later.redaction.texts.update(remains.sentences_of(later))
                    blanked.append((later.redaction, later.redaction.apply(connection, self._id)))
                    blank_again(connection, self._id, later.told, put.new)
                if remains.since:  # what stays forgotten was there for a moment
                    self._sweeping.mark_records(connection)
                again = list(facts.facts_by_id(connection, put.new).values())
            for redaction, before in blanked:
                redaction.before.add(before)
            self._lately.given_back(undo_id)
            self._lately.renumber(dict(zip(records.fact_ids, put.facts, strict=True)))
        self._put_in()
        if remains.since:
            self._sweeping.go_on(0.0)
        return again

    def keep_answer(self, session_id: str, answer: SavedMessage, since: datetime, *, place: int | None = None) -> None:
        """Add an answer to a conversation, without what was forgotten `since` its turn began.

        With `place`, it stands for the message there and all that followed.

        Raises:
            NothingThere: there is no such conversation any more.
        """
        with self._lately.order:
            redactions = self._lately.redactions(since)
            with self._database.transaction() as connection:
                if place is not None:
                    self.sessions.cut_within(connection, session_id, place)
                self.sessions.append_within(connection, session_id, answer)
                blanked = [redaction.apply(connection, self._id) for redaction in redactions]
                if redactions:  # it was there for a moment
                    self._sweeping.mark_records(connection)
            for redaction, before in zip(redactions, blanked, strict=True):
                redaction.before.add(before)
        if redactions:
            with contextlib.suppress(Failure):  # the mark stays: tried again later
                self._sweeping.go_on(0.0)

    def sweep(self, seconds: float) -> bool:
        """Go on with removing what was forgotten from the disk; see `Sweeping.go_on`."""
        return self._sweeping.go_on(seconds)

    # --- merge ---

    def merge(self, entity_id: str, into_id: str) -> str:
        """Let two entities be one, by the second's name, until `unmerge`; the merge's id.

        What is known of the first is found with the second from now on, its names are aliases. Nothing is closed by it
        but what was opened when the two were taken apart.

        Raises:
            NothingThere: one of them does not exist.
            UserMistake: they are one already.
        """
        with self._database.transaction() as connection:
            numbers = [entities.entity_number(connection, self._id, id_) for id_ in (entity_id, into_id)]
            others = merging.everyone(connection, numbers[1:])
            group = merging.merge(connection, numbers[0], numbers[1], datetime.now(UTC))
            closing.close_again(connection, group, others)
            renamed = facts.reindex_facts_of(connection, self._id, group)
        self._called_otherwise(renamed)
        return key(MERGE, numbers[0])

    def unmerge(self, merge_id: str) -> None:
        """Take a merge back: each of the two has again what its own sources say of it, also what was learned since.

        They stay apart: only `merge` makes them one again.

        Raises:
            NothingThere: it was taken back, or one of the two is forgotten.
        """
        with self._database.transaction() as connection:
            alone = merging.unmerge(connection, self._id, merge_id)
            closing.reopen_apart(connection, alone)
            renamed = facts.reindex_facts_of(connection, self._id, alone)
        self._called_otherwise(renamed)

    def take_apart(self, entity_id: str, source_id: str) -> str:
        """Let what one source says of an entity be another entity, by the name that the source uses; its id.

        A fact that other sources say too is then known of both. They stay apart: only `merge` makes them one again. Of
        merged entities, the one that they go by leaves the others where no other source speaks of it.

        Raises:
            NothingThere: there is no such entity, or no such source.
            UserMistake: the source says nothing of it, or no other source does.
        """
        with self._database.transaction() as connection:
            own_id = entities.entity_number(connection, self._id, entity_id)
            split = splitting.take_apart(connection, self._id, own_id, library.source(connection, self._id, source_id))
        self._graph.forget()
        self._indexer.embed(self._id, split.changed)
        return key(ENTITY, split.entity_id)

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
        self._put_in()
        return added

    def counts(self) -> tuple[int, int]:
        """How many facts and passages are remembered; quick, also where there are many."""
        with self._database.reading() as connection:
            return library.counts(connection, self._id)

    def not_embedded(self) -> int:
        """How many records are not in the vector index yet, and are found by their words alone; quick as `counts`."""
        return self._indexer.waiting(self._id)

    def status(self) -> MemoryStatus:
        """What this user's memory holds."""
        vectors, waiting = self._indexer.expected(self._id)
        held, passages = self.counts()
        agrees, unswept = self._indexer.agrees(self._id), self._sweeping.left()
        return MemoryStatus(1, held, passages, vectors, waiting, agrees, unswept)

    def mend(self) -> None:
        """Bring indexes and graph in step with the records, and finish what was being forgotten.

        What is not embedded waits as before.
        """
        self._indexer.compare(self._id)
        self._indexer.refill_words(self._id)
        self.sweep(math.inf)
        self._graph.forget()

    def repair(self) -> None:
        """As `mend`, and embeds whatever waits, however long it takes."""
        self.mend()
        while self.embed_waiting(_MENDED_AT_ONCE):
            pass

    def _put_in(self) -> None:
        self._graph.forget()
        self._indexer.begin(self._id)
        self._when_put_in()

    def _called_otherwise(self, fact_ids: Sequence[int]) -> None:
        self._graph.forget()
        self._indexer.embed(self._id, [key(FACT, own_id) for own_id in fact_ids])
