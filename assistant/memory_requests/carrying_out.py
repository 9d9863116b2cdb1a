"""Does what a message asks of the memory, and says what was done, as the events of a turn.

Whatever is forgotten here goes from the disk at once. "Undo" brings it back from this process's own memory, for ten
minutes, where the process lasts; what was remembered can be taken back at any time.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from assistant.answering import answering
from assistant.citations import as_text
from assistant.knowledge_bases.personal import PASSAGE, fact_evidence, passage_evidence
from assistant.llm.client import LanguageModel
from assistant.memory_requests.lately import Lately, Step, keep, lately, speak_of
from assistant.memory_requests.meaning import Meant, documents_saying, is_named, meant, meant_to_go, shares_words
from assistant.memory_requests.noting import LEANS, line
from assistant.memory_requests.periods import days
from assistant.memory_requests.replies import counted, reply
from assistant.memory_requests.taking_back import brought_back, gone, undone
from assistant.memory_requests.wording import (
    BringBack,
    Correct,
    Forget,
    ForgetDocument,
    ForgetEverything,
    ForgetLast,
    ForgetTold,
    MemoryRequest,
    Summarise,
    SummariseAll,
    Tell,
    Undo,
    requested,
)
from assistant.search.evidence import numbered
from assistant.types import Event, Evidence, Forgot, Found, Routed, Token, Turn
from memory.folding import fold
from memory.records.library import CHAT, DOCUMENT
from memory.resolution import USER_NAMES
from memory.types import Fact, Source, StillOnDisk
from memory.user_memory import UserMemory

_TOLD = 30  # facts
_SUMMARY_CHARACTERS = 5_000
_SUMMED_UP = 8  # documents at once, the latest: of more there would be hardly a sentence of each
_A_DOCUMENT = re.compile(r"^(?:the )?(?:document|file) |^(?:文件|文档)", re.IGNORECASE)
_ENDING = re.compile(r"\.\w+$")
_TIMES = re.compile(r"\((?:since|until) [^()]*\)$|\([^()]*\d起[^()]*\)$|\(到\d[^()]*\)$")


def carried_out(turn: Turn, memory: UserMemory, model: LanguageModel) -> Iterator[Event] | None:
    """The events of a turn that asks something of the memory; None where it does not, or the memory has nothing of it.

    What the memory has nothing of is for the search to look up. A correction is left to `remembering`; see `corrected`.
    """
    request = requested(turn.text)
    return None if request is None else _Request(turn, memory, model).events(request)


def corrected(turn: Turn, memory: UserMemory) -> tuple[str, ...]:
    """The ids of the facts that a message puts right: those that were just spoken of, where it is about them."""
    request = requested(turn.text)
    if not isinstance(request, Correct):
        return ()
    spoken_of = memory.facts_with_ids(lately(memory, turn.session).facts)
    if request.of and not is_named(memory, request.of, spoken_of):
        return ()
    return tuple(fact.id for fact in spoken_of) if _is_about(turn, spoken_of) else ()


def turned_aside(turn: Turn, memory: UserMemory) -> None:
    """Let a conversation be about nothing that is remembered, after a turn that was not about what was spoken of.

    A correction may still mean what it was about before.
    """
    now = lately(memory, turn.session)
    if (now.facts or now.sources or now.steps) and not _is_about(turn, memory.facts_with_ids(now.facts)):
        keep(memory, turn.session, replace(now, aside=True))


def _is_about(turn: Turn, spoken_of: Sequence[Fact]) -> bool:
    return bool(LEANS.search(turn.text)) or any(shares_words(turn.text, fact) for fact in spoken_of)


class _Request:
    def __init__(self, turn: Turn, memory: UserMemory, model: LanguageModel) -> None:
        self._turn = turn
        self._memory = memory
        self._model = model

    def events(self, request: MemoryRequest) -> Iterator[Event] | None:
        """What happens; decided at once, done when it is iterated."""
        match request:
            case Undo(note):
                return undone(self._turn, self._memory, note=note)
            case BringBack():
                return brought_back(self._turn, self._memory)
            case Forget(what=""):
                return self._forgotten_lately(lately(self._memory, self._turn.session))
            case Forget(what):
                return self._forgotten_by_words(what)
            case ForgetLast():
                return self._forgotten_note(lately(self._memory, self._turn.session))
            case ForgetDocument():
                documents = self._documents()
                return self._gone_document(documents[-1]) if documents else None
            case ForgetTold(period):
                return self._forgotten_told(period)
            case ForgetEverything(confirmed):
                return self._everything_forgotten() if confirmed else self._said("forget everything?")
            case Tell(what):
                found = meant(self._memory, what)
                return self._told(found) if found else None
            case Summarise(what):
                documents = self._documents(what)
                return self._summary(documents[-1:]) if documents else None if what else self._said("no document")
            case SummariseAll(period):
                documents = self._came_in(period, self._documents()) if period else self._documents()
                if period and not documents:
                    return self._said("nothing uploaded then" if self._documents() else "no document")
                return self._summary(documents[-_SUMMED_UP:]) if documents else None
        return None

    def _said(self, wording: str, facts: Sequence[str] = (), **values: str) -> Iterator[Event]:
        yield Routed("answer", self._turn.text, 0.0)
        yield Token(reply(self._turn.text, wording, facts, **values))

    def _documents(self, called: str = "") -> list[Source]:
        """The documents, the latest last; with `called` those of that name, with or without its ending."""
        documents = [source for source in self._memory.sources() if source.kind == DOCUMENT]
        name = fold(_A_DOCUMENT.sub("", called))
        return [one for one in documents if not called or name in (fold(one.name), fold(one.name.rpartition(".")[0]))]

    def _forgotten_lately(self, last: Lately) -> Iterator[Event]:
        if last.aside:  # "that" would be the joke of just now, and not what was told before it
            return self._said("spoken of since")
        facts = self._memory.facts_with_ids(last.facts)
        there = [source for source in self._memory.sources() if source.id in last.sources]
        notes = [source.id for source in there if source.kind == CHAT]
        if facts or notes:
            return self._gone(facts, facts=[fact.id for fact in facts], sources=notes)
        return self._stays([source.name for source in there], "only in documents")

    def _forgotten_note(self, last: Lately) -> Iterator[Event]:
        """Forget what the user told last, though something else was spoken of since."""
        if last.aside:
            return self._said("spoken of since")
        if last.taken_back or not last.steps:
            return self._said("nothing to undo")
        note = last.steps[-1].source
        if note not in {source.id for source in self._memory.sources()}:
            return self._said("forgotten already")
        facts = self._memory.facts(source_id=note)
        return self._gone(facts, facts=[fact.id for fact in facts], sources=[note])

    def _forgotten_by_words(self, what: str) -> Iterator[Event]:
        if fold(what) in USER_NAMES:
            return self._said("forget everything?")
        documents = self._documents(what)
        if documents and (_A_DOCUMENT.match(what) or _ENDING.search(what)):
            return self._gone_document(documents[-1])
        found = meant_to_go(self._memory, what)
        if found.entity is not None:
            return self._gone_but_in_documents(self._gone(found.facts, entity=found.entity.id), found.entity.name)
        if found:
            notes = [note.source_id for note in found.notes]
            going = self._gone(found.facts, facts=[fact.id for fact in found.facts], sources=notes, said=[what])
            return self._gone_but_in_documents(going, what)
        if documents:
            return self._gone_document(documents[-1])
        return self._not_remembered(found, what)

    def _forgotten_told(self, period: str) -> Iterator[Event]:
        told = self._came_in(period, [one for one in self._memory.sources() if one.kind == CHAT])
        if not told:
            return self._said("nothing told then")
        facts = [fact for note in told for fact in self._memory.facts(source_id=note.id)]
        return self._gone(facts, sources=[note.id for note in told])

    def _came_in(self, period: str, sources: Sequence[Source]) -> list[Source]:
        since, until = days(period, self._turn.at)
        return [one for one in sources if since <= one.added < until]

    def _gone_document(self, document: Source) -> Iterator[Event]:
        yield from self._gone(self._memory.facts(source_id=document.id), sources=[document.id])
        yield Token("\n" + reply(self._turn.text, "document forgotten", document=document.name))

    def _gone_but_in_documents(self, going: Iterator[Event], words: str) -> Iterator[Event]:
        """Forget, and say which documents still have the words; only what surely is a name is blanked in all."""
        yield from going
        if documents := documents_saying(self._memory, words):
            listed = ", ".join(documents)
            yield Token("\n" + reply(self._turn.text, "left in documents", documents=listed, document=documents[0]))

    def _not_remembered(self, found: Meant, what: str) -> Iterator[Event]:
        """What only documents say is theirs, and stays with them."""
        if not found.documents:
            return self._said("nothing to forget", what=what)
        return self._stays([hit.source for hit in found.documents], "said by documents", what=what)

    def _stays(self, documents: Sequence[str], wording: str, **values: str) -> Iterator[Event]:
        """Say that nothing was forgotten, and which documents say it."""
        if not documents:
            return self._said("nothing to undo")
        names = dict.fromkeys(documents)
        return self._said(wording, documents=", ".join(names), document=documents[0], **values)

    def _gone(
        self,
        known: Sequence[Fact],
        *,
        facts: Sequence[str] = (),
        entity: str | None = None,
        sources: Sequence[str] = (),
        said: Sequence[str] = (),
    ) -> Iterator[Event]:
        """Forget; `known` are the facts that may go with it.

        `said` are the words that asked for it, where they are what was remembered and not just its name.
        """
        yield Routed("answer", self._turn.text, 0.0)
        source = tuple(dict.fromkeys(sources))
        trouble = None
        try:
            forgotten = self._memory.forget(facts=facts, source=source, entity=entity, said=said, undoable=True)
        except StillOnDisk as failure:  # it can be taken back all the same
            forgotten, trouble = failure.forgotten, failure
        yield Forgot(gone(self._memory, known), forgotten.undo_id)
        now = lately(self._memory, self._turn.session).with_step(Step(undo_id=forgotten.undo_id))
        keep(self._memory, self._turn.session, replace(now, facts=(), sources=()))
        said = "forgotten" if forgotten.undo_id else "forgotten for good"
        yield Token(reply(self._turn.text, said, count=counted(self._turn.text, forgotten.facts)))
        if forgotten.kept_by:
            yield Token("\n" + reply(self._turn.text, "sentence stays", tuple(map(line, forgotten.kept_by))))
        if forgotten.naming:
            yield Token("\n" + reply(self._turn.text, "named still", n=str(forgotten.naming)))
        if trouble:
            raise trouble

    def _everything_forgotten(self) -> Iterator[Event]:
        sessions = self._memory.sessions
        saved = any(info.id == self._turn.session for info in sessions.list())
        self._memory.forget(everything=True)
        keep(self._memory, self._turn.session, Lately())
        if saved:  # this conversation goes on
            sessions.new(self._turn.session)
        yield from self._said("everything forgotten")

    def _told(self, found: Meant) -> Iterator[Event]:
        """What is remembered, line by line, with where it is from; no model has to word that."""
        notes = [passage_evidence(str(hit.passage_id), hit.source, hit.text) for hit in found.notes]
        evidence = numbered([*(fact_evidence(fact) for fact in found.facts), *notes])[:_TOLD]
        yield Routed("search", self._turn.text, 0.0)
        yield Found(tuple(evidence), 0.0)
        yield Token("\n".join(f"- {as_text(_told(item))} [{item.id}]" for item in evidence))
        sources = [hit.source_id for hit in found.notes]
        speak_of(self._memory, self._turn.session, [fact.id for fact in found.facts[:_TOLD]], sources)

    def _summary(self, documents: Sequence[Source]) -> Iterator[Event]:
        share = _SUMMARY_CHARACTERS // len(documents)
        evidence = numbered([item for document in documents for item in _passages(self._memory, document, share)])
        yield Routed("search", self._turn.text, 0.0)
        yield Found(tuple(evidence), 0.0)
        title = ", ".join(document.name for document in documents)
        for piece in answering.summary(self._model, self._turn, title, evidence):
            yield Token(piece.text, piece.cut)


def _passages(memory: UserMemory, document: Source, characters: int) -> list[Evidence]:
    """About so much of a document: all of it, or passages from all of its parts."""
    passages = memory.passages(document.id)
    total = sum(len(part.text) for _, part in passages)
    kept = min(len(passages), max(1, len(passages) * characters // max(total, 1)))
    chosen = [passages[place * len(passages) // kept] for place in range(kept)]
    return [passage_evidence(passage_id, document.name, part.text) for passage_id, part in chosen]


def _told(item: Evidence) -> str:
    if item.relation == PASSAGE:
        return " ".join(item.text.split())
    said = f"{item.subject} – {item.relation}: {item.object}" if item.relation != "description" else item.object
    times = _TIMES.search(item.text)
    return f"{said} {times[0]}" if times else said
