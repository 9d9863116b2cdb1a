"""Does what a message asks of the memory, and says what was done, as the events of a turn.

What goes beyond the last thing said is forgotten once the user has confirmed it, and then goes from the disk at once.
"Undo" brings it back from this process's own memory, for ten minutes, where the process lasts; what was remembered can
be taken back at any time.
"""

import re
import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from assistant.acquaintance import line
from assistant.answering.reader import Reader
from assistant.citations import as_text
from assistant.errors import NothingThere, UserMistake
from assistant.knowledge_bases.personal import PASSAGE, evidence_of, fact_evidence, passage_evidence
from assistant.llm.client import LanguageModel
from assistant.memory_requests import replies
from assistant.memory_requests.choosing import chosen
from assistant.memory_requests.lately import (
    Going,
    Lately,
    Step,
    ask_first,
    keep,
    lately,
    no_longer_asked,
    speak_of,
)
from assistant.memory_requests.meaning import Meant, documents_saying, meant, meant_to_go
from assistant.memory_requests.replies import counted, reply
from assistant.memory_requests.requests import (
    Agree,
    BringBack,
    Forget,
    ForgetDocument,
    ForgetEverything,
    ForgetLast,
    ForgetThat,
    ForgetTold,
    MemoryRequest,
    Summarise,
    SummariseAll,
    Tell,
    Undo,
    requested,
)
from assistant.memory_requests.taking_back import brought_back, gone, undone
from assistant.messages import Phrase, Value
from assistant.periods import days
from assistant.search.evidence import numbered
from assistant.types import Event, Evidence, ForgetAsked, Forgot, Found, Routed, Token, Turn
from assistant.understanding import Understanding
from memory.folding import fold
from memory.records.library import CHAT, DOCUMENT
from memory.resolution import USER_NAMES
from memory.types import THE_USER, Fact, KnownEntity, Passage, Source, StillOnDisk
from memory.user_memory import UserMemory

_TOLD = 30  # facts
_ALL = 100_000  # facts
_SUMMED_UP = 8  # documents at once, the latest: of more there would be hardly a sentence of each
_A_DOCUMENT = re.compile(r"^(?:the )?(?:document|file) |^(?:文件|文档)", re.IGNORECASE)
_ENDING = re.compile(r"\.\w+$")
_TIMES = re.compile(r"\((?:since|until) [^()]*\)$|\([^()]*\d起[^()]*\)$|\(到\d[^()]*\)$")


def carried_out(
    turn: Turn, understood: Understanding, memory: UserMemory, model: LanguageModel, reader: Reader
) -> Iterator[Event] | None:
    """The events of a turn that asks something of the memory; None where it does not, or the memory has nothing of it.

    What the memory has nothing of is for the search to look up. What the turn before asked about before it is forgotten
    is so no more, whatever this one says.
    """
    asked = no_longer_asked(memory, turn.session)
    request = None if turn.knowledge_bases else requested(understood)
    return None if request is None else _Request(turn, memory, model, reader, asked).events(request)


def corrected(understood: Understanding, turn: Turn, memory: UserMemory) -> tuple[str, ...]:
    """The ids of the facts that a message may put right: those that were just spoken of."""
    return lately(memory, turn.session).facts if understood.kind == "correct" else ()


class _Request:
    def __init__(
        self, turn: Turn, memory: UserMemory, model: LanguageModel, reader: Reader, asked: Going | None
    ) -> None:
        """`asked` is what the turn before asked about before it is forgotten."""
        self._asked = asked
        self._turn, self._language = turn, turn.language
        self._memory = memory
        self._model = model
        self._reader = reader

    def events(self, request: MemoryRequest) -> Iterator[Event] | None:
        """What happens; decided at once, done when it is iterated."""
        match request:
            case Undo():
                return undone(self._turn, self._memory)
            case BringBack():
                return brought_back(self._turn, self._memory)
            case Agree():
                return self._agreed()
            case Tell(what):
                found = meant(self._memory, what)
                return self._told(found) if found else None
            case Summarise(what):
                documents = self._documents(what)
                return self._summary(documents[-1:]) if documents else None if what else self._said(replies.NO_DOCUMENT)
            case SummariseAll(period):
                documents = self._came_in(period, self._documents()) if period else self._documents()
                if period and not documents:
                    return self._said(replies.NOTHING_UPLOADED_THEN if self._documents() else replies.NO_DOCUMENT)
                return self._summary(documents[-_SUMMED_UP:]) if documents else self._said(replies.NO_DOCUMENT)
            case _:
                return self._forgetting(request)

    def _forgetting(self, request: MemoryRequest) -> Iterator[Event] | None:
        match request:
            case ForgetThat():
                return self._forgotten_lately(lately(self._memory, self._turn.session))
            case ForgetLast():
                return self._forgotten_note(lately(self._memory, self._turn.session))
            case Forget(what):
                return self._forgotten_by_words(what)
            case ForgetDocument():
                documents = self._documents()
                return self._gone_document(documents[-1]) if documents else self._said(replies.NO_DOCUMENT)
            case ForgetTold(period):
                return self._forgotten_told(period)
            case ForgetEverything():
                return self._forgotten_all()
        return None

    def _said(self, phrase: Phrase, **values: Value) -> Iterator[Event]:
        yield Routed("answer", self._turn.text, 0.0)
        yield Token(reply(self._language, phrase, (), **values))

    def _documents(self, called: str = "") -> list[Source]:
        """The documents, the latest last; with `called` those of that name, with or without its ending."""
        documents = [source for source in self._memory.sources() if source.kind == DOCUMENT]
        name = fold(_A_DOCUMENT.sub("", called))
        return [one for one in documents if not called or name in (fold(one.name), fold(one.name.rpartition(".")[0]))]

    def _forgotten_lately(self, last: Lately) -> Iterator[Event]:
        if last.aside or self._asked:  # "that" would be the joke of just now, and not what was told before it
            return self._said(replies.SPOKEN_OF_SINCE)
        facts = self._memory.facts_with_ids(last.facts)
        there = [source for source in self._memory.sources() if source.id in last.sources]
        notes = [source.id for source in there if source.kind == CHAT]
        if facts or notes:
            going = Going(_ids(facts), _ids(self._resting_on(notes)), sources=tuple(notes))
            told_last = bool(last.steps) and notes == [last.steps[-1].source]
            return self._go(going) if told_last or len(going.facts) + len(notes) == 1 else self._gone(going)
        return self._stays([source.name for source in there], replies.ONLY_IN_DOCUMENTS)

    def _forgotten_note(self, last: Lately) -> Iterator[Event]:
        """Forget what the user told last, though something else was spoken of since."""
        if last.aside:
            return self._said(replies.SPOKEN_OF_SINCE)
        if last.taken_back or not last.steps:
            return self._said(replies.NOTHING_TO_UNDO)
        note = last.steps[-1].source
        if note not in {source.id for source in self._memory.sources()}:
            return self._said(replies.FORGOTTEN_ALREADY)
        return self._go(Going(_ids(self._resting_on([note])), sources=(note,)))

    def _forgotten_by_words(self, what: str) -> Iterator[Event]:
        if fold(what) in USER_NAMES:
            return self._gone(Going(everything=True))
        documents = self._documents(what)
        if documents and (_A_DOCUMENT.match(what) or _ENDING.search(what)):
            return self._gone_document(documents[-1])
        found = meant_to_go(self._memory, what)
        if found.entity is not None:
            return self._gone(Going(about=_ids(found.facts), entity=found.entity.id, words=found.entity.name))
        if found:
            notes = tuple(dict.fromkeys(note.source_id for note in found.notes))
            return self._gone(Going(_ids(found.facts), _ids(self._resting_on(notes)), sources=notes, words=what))
        if documents:
            return self._gone_document(documents[-1])
        overlooked = {entity.id for entity in self._named(self._turn.text)} - {e.id for e in self._named(what)}
        if facts := chosen(self._model, self._memory, self._turn.text if overlooked else what):
            return self._gone(Going(_ids(facts)))
        return self._not_remembered(found, what)

    def _forgotten_all(self) -> Iterator[Event]:
        """Forget everything, or everything about whom or what the message names: a small model overlooks the end of
        "forget all you know about Anna"."""
        named = self._named(self._turn.text)
        about = _ids(fact for entity in named for fact in self._memory.facts_of(entity.id, _ALL))
        if len(named) == 1:
            return self._gone(Going(about=about, entity=named[0].id, words=named[0].name))
        return self._gone(Going(tuple(dict.fromkeys(about))) if named else Going(everything=True))

    def _named(self, text: str) -> list[KnownEntity]:
        """Whom and what a text names that is known, but for the user."""
        return [entity for entity in self._memory.named_in(text) if entity.name != THE_USER.name]

    def _forgotten_told(self, period: str) -> Iterator[Event]:
        told = self._came_in(period, [one for one in self._memory.sources() if one.kind == CHAT])
        if not told:
            return self._said(replies.NOTHING_TOLD_THEN)
        notes = tuple(note.id for note in told)
        return self._gone(Going(about=_ids(self._resting_on(notes)), sources=notes))

    def _came_in(self, period: str, sources: Sequence[Source]) -> list[Source]:
        since, until = days(period, self._turn.at)
        return [one for one in sources if since <= one.added < until]

    def _gone_document(self, document: Source) -> Iterator[Event]:
        return self._gone(Going(about=_ids(self._resting_on([document.id])), sources=(document.id,)))

    def _resting_on(self, sources: Sequence[str]) -> list[Fact]:
        """The facts that were read in some sources."""
        return [fact for source in sources for fact in self._memory.facts(source_id=source, limit=_ALL)]

    def _not_remembered(self, found: Meant, what: str) -> Iterator[Event]:
        """What only documents say is theirs, and stays with them."""
        if not found.documents:
            return self._said(replies.NOTHING_TO_FORGET, what=what)
        return self._stays([hit.source for hit in found.documents], replies.SAID_BY_DOCUMENTS, what=what)

    def _stays(self, documents: Sequence[str], phrase: Phrase, **values: Value) -> Iterator[Event]:
        """Say that nothing was forgotten, and which documents say it."""
        if not documents:
            return self._said(replies.NOTHING_TO_UNDO)
        return self._said(phrase, documents=list(dict.fromkeys(documents)), document=documents[0], **values)

    def _gone(self, going: Going) -> Iterator[Event]:
        """Forget where the user has confirmed it; else ask whether to."""
        return self._go(going) if self._turn.confirmed else self._ask(going)

    def _ask(self, going: Going) -> Iterator[Event]:
        yield Routed("answer", self._turn.text, 0.0)
        asked = replace(going, id=secrets.token_hex(8), language=self._language)
        ask_first(self._memory, self._turn.session, asked)
        facts = tuple(dict.fromkeys(map(line, self._memory.facts_with_ids([*going.facts, *going.about]))))
        yield ForgetAsked(facts, asked.id)
        documents = self._documents_in(going)
        if going.everything:
            yield Token(reply(self._language, replies.FORGET_EVERYTHING))
        elif documents:
            yield Token(counted(self._language, replies.FORGET_DOCUMENT, len(facts), document=documents[0]))
        else:
            yield Token(counted(self._language, replies.FORGET_THIS, len(facts)))

    def _agreed(self) -> Iterator[Event] | None:
        """Forget what was asked about, and nothing else; None where a yes is to something else."""
        asked, chosen_by_button = self._asked, self._turn.agrees
        if asked is not None and chosen_by_button in ("", asked.id):
            self._language = asked.language
            return self._go(asked)
        return self._said(replies.NOT_ASKED_ANY_MORE) if chosen_by_button else None

    def _go(self, going: Going) -> Iterator[Event]:
        return self._everything_forgotten() if going.everything else self._forgotten(going)

    def _forgotten(self, going: Going) -> Iterator[Event]:
        yield Routed("answer", self._turn.text, 0.0)
        known, documents = self._memory.facts_with_ids([*going.facts, *going.about]), self._documents_in(going)
        there = {source.id for source in self._memory.sources()}
        facts, sources = _ids(self._memory.facts_with_ids(going.facts)), [id_ for id_ in going.sources if id_ in there]
        trouble = None
        try:
            forgotten = self._memory.forget(
                facts=facts,
                source=sources,
                entity=going.entity,
                said=[going.words] if going.words and going.entity is None else [],
                undoable=True,
            )
        except (NothingThere, UserMistake):  # it has gone since
            yield Token(reply(self._language, replies.FORGOTTEN_ALREADY))
            return
        except StillOnDisk as failure:  # it can be taken back all the same
            forgotten, trouble = failure.forgotten, failure
        yield Forgot(gone(self._memory, known), forgotten.undo_id)
        now = lately(self._memory, self._turn.session).with_step(Step(undo_id=forgotten.undo_id))
        keep(self._memory, self._turn.session, replace(now, facts=(), sources=()))
        said = replies.FORGOTTEN if forgotten.undo_id else replies.FORGOTTEN_FOR_GOOD
        yield Token(counted(self._language, said, forgotten.facts))
        if forgotten.kept_by:
            yield Token("\n" + reply(self._language, replies.SENTENCE_STAYS, tuple(map(line, forgotten.kept_by))))
        if forgotten.naming:
            yield Token("\n" + reply(self._language, replies.NAMED_STILL, n=forgotten.naming))
        yield from self._of_documents(going, documents)
        if trouble:
            raise trouble

    def _of_documents(self, going: Going, forgotten: Sequence[str]) -> Iterator[Event]:
        """Say which documents went, and which still have the words; only what surely is a name is blanked in all."""
        for document in forgotten:
            yield Token("\n" + reply(self._language, replies.DOCUMENT_FORGOTTEN, document=document))
        if going.words and (documents := documents_saying(self._memory, going.words)):
            said = reply(self._language, replies.LEFT_IN_DOCUMENTS, documents=documents, document=documents[0])
            yield Token(f"\n{said}")

    def _documents_in(self, going: Going) -> list[str]:
        return [document.name for document in self._documents() if document.id in going.sources]

    def _everything_forgotten(self) -> Iterator[Event]:
        sessions = self._memory.sessions
        saved = any(info.id == self._turn.session for info in sessions.list())
        self._memory.forget(everything=True)
        keep(self._memory, self._turn.session, Lately())
        if saved:  # this conversation goes on
            sessions.new(self._turn.session)
        yield from self._said(replies.EVERYTHING_FORGOTTEN)

    def _told(self, found: Meant) -> Iterator[Event]:
        """What is remembered, line by line, with where it is from; no model has to word that."""
        notes = [evidence_of(hit) for hit in found.notes]
        evidence = numbered([*(fact_evidence(fact) for fact in found.facts), *notes])[:_TOLD]
        yield Routed("search", self._turn.text, 0.0)
        yield Found(tuple(evidence), 0.0)
        yield Token("\n".join(f"- {as_text(_told(item))} [{item.id}]" for item in evidence), supported=True)
        sources = [hit.source_id for hit in found.notes]
        speak_of(self._memory, self._turn.session, [fact.id for fact in found.facts[:_TOLD]], sources)

    def _summary(self, documents: Sequence[Source]) -> Iterator[Event]:
        yield Routed("search", self._turn.text, 0.0)
        characters, pieces = (room // len(documents) for room in self._reader.room)
        read = {document: self._memory.gist(document.id, characters, pieces) for document in documents}
        evidence = numbered([_passage(document, *one) for document, gist in read.items() for one in gist.passages])
        yield Found(tuple(evidence), 0.0)
        title = ", ".join(document.name for document in documents)
        for piece in self._reader.summary(self._model, self._turn, title, evidence):
            yield piece.token
        if cut := [document.name for document, gist in read.items() if not gist.is_all]:
            yield Token(f"\n\n{reply(self._language, replies.IN_PARTS, documents=cut)}")


def _ids(facts: Iterable[Fact]) -> tuple[str, ...]:
    return tuple(fact.id for fact in facts)


def _passage(document: Source, passage_id: str, passage: Passage) -> Evidence:
    return passage_evidence(passage_id, document.name, passage.text, passage.heading, passage.page)


def _told(item: Evidence) -> str:
    if item.relation == PASSAGE:
        return " ".join(item.text.split())
    said = f"{item.subject} – {item.relation}: {item.object}" if item.relation != "description" else item.object
    times = _TIMES.search(item.text)
    return f"{said} {times[0]}" if times else said
