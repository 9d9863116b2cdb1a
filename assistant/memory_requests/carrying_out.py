"""Does what a message asks of the memory, and says what was done, as the events of a turn.

Whatever is forgotten here goes from the disk at once. "Undo" brings it back from this process's own memory, for ten
minutes; what was remembered can be taken back at any time.
"""

import re
from collections.abc import Iterator, Sequence

from assistant import answering
from assistant.errors import NothingThere
from assistant.knowledge_bases.personal import fact_evidence, passage_evidence
from assistant.llm.client import LanguageModel
from assistant.memory_requests.lately import Lately, keep, lately
from assistant.memory_requests.meaning import Meant, meant
from assistant.memory_requests.noting import line
from assistant.memory_requests.replies import counted, reply
from assistant.memory_requests.wording import (
    Correct,
    Forget,
    ForgetEverything,
    MemoryRequest,
    Summarise,
    Tell,
    Undo,
    requested,
)
from assistant.search.evidence import numbered
from assistant.types import Event, Evidence, Forgot, Found, Restored, Routed, Token, Turn
from memory.folding import fold
from memory.mentions import is_proper, saying
from memory.resolution import USER_NAMES
from memory.types import Fact, Source
from memory.user_memory import UserMemory

_TOLD = 30  # facts
_SUMMARY_CHARACTERS = 5_000
_DOCUMENT = "document"
_TIMES = re.compile(r"\((?:since|until) [^()]*\)$|\([^()]*\d起[^()]*\)$|\(到\d[^()]*\)$")


def undo(memory: UserMemory, source_id: str = "", undo_id: str = "") -> Forgot | Restored:
    """Take back what `Remembered` (`source_id`) or `Forgot` (`undo_id`) tells of.

    Raises:
        NothingThere: it was taken back before, or is forgotten for good.
    """
    if undo_id:
        return Restored(tuple(line(fact) for fact in memory.undo(undo_id)))
    facts = memory.facts(source_id=source_id, limit=_TOLD)
    gone = memory.forget(source=source_id, undoable=True)
    return Forgot(tuple(line(fact) for fact in facts), gone.undo_id)


def carried_out(turn: Turn, memory: UserMemory, model: LanguageModel) -> Iterator[Event] | None:
    """The events of a turn that asks something of the memory; None where it does not, or the memory has nothing of it.

    What the memory has nothing of is for the search to look up. A correction is left to `remembering`; see `corrected`.
    """
    request = requested(turn.text)
    return None if request is None else _Request(turn, memory, model).events(request)


def corrected(turn: Turn, memory: UserMemory) -> tuple[str, ...]:
    """The ids of the facts that a message puts right: those that were just spoken of."""
    return lately(memory, turn.session).facts if requested(turn.text) == Correct() else ()


class _Request:
    def __init__(self, turn: Turn, memory: UserMemory, model: LanguageModel) -> None:
        self._turn = turn
        self._memory = memory
        self._model = model

    def events(self, request: MemoryRequest) -> Iterator[Event] | None:
        """What happens; decided at once, done when it is iterated."""
        match request:
            case Undo():
                last = lately(self._memory, self._turn.session)
                return self._undone(last) if last.source or last.undo_id else self._said("nothing to undo")
            case Forget(what=""):
                last = lately(self._memory, self._turn.session)
                return self._forgotten_lately(last) if last.source or last.facts else None
            case Forget(what):
                if fold(what) in USER_NAMES:
                    return self._said("forget everything?")
                found = meant(self._memory, what)
                return self._forgotten(found, what) if found else self._not_remembered(found, what)
            case ForgetEverything(confirmed):
                return self._everything_forgotten() if confirmed else self._said("forget everything?")
            case Tell(what):
                found = meant(self._memory, what)
                return self._told(found) if found else None
            case Summarise(what):
                return self._summarised(what)
        return None

    def _said(self, wording: str, facts: Sequence[str] = (), **values: str) -> Iterator[Event]:
        yield Routed("answer", self._turn.text, 0.0)
        yield Token(reply(self._turn.text, wording, facts, **values))

    def _undone(self, last: Lately) -> Iterator[Event]:
        try:
            done = undo(self._memory, last.source, last.undo_id)
        except NothingThere:
            keep(self._memory, self._turn.session, Lately())
            yield from self._said("too late to undo")
            return
        yield Routed("answer", self._turn.text, 0.0)
        yield done
        if isinstance(done, Restored):
            keep(self._memory, self._turn.session, Lately())
            yield Token(reply(self._turn.text, "remembered again", done.facts))
        else:
            keep(self._memory, self._turn.session, Lately(undo_id=done.undo_id))
            yield from self._told_count("taken back", done.facts)

    def _forgotten_lately(self, last: Lately) -> Iterator[Event]:
        facts = self._memory.facts_with_ids(last.facts)
        there = {source.id for source in self._memory.sources()}
        notes = [last.source] if last.source in there else []
        return self._gone(facts, notes=notes) if facts or notes else self._said("nothing to undo")

    def _forgotten(self, found: Meant, what: str) -> Iterator[Event]:
        if found.entity is not None:
            return self._gone(found.facts, entity=found.entity.id)
        return self._gone(found.facts, notes=[note.source_id for note in found.notes], said=[what])

    def _not_remembered(self, found: Meant, what: str) -> Iterator[Event]:
        """What only documents say: of a name, all mentions go; other words are the document's, and stay with it."""
        if not found.documents:
            return self._said("nothing to forget", what=what)
        named = saying([what])
        if named and is_proper(what) and any(named.search(hit.text) for hit in found.documents):
            return self._gone((), entity=what)
        names = dict.fromkeys(hit.source for hit in found.documents)
        return self._said("said by documents", what=what, documents=", ".join(names), document=next(iter(names)))

    def _gone(
        self,
        facts: Sequence[Fact],
        *,
        entity: str | None = None,
        notes: Sequence[str] = (),
        said: Sequence[str] = (),
    ) -> Iterator[Event]:
        """Forget; `said` are the words that asked for it, where they are what was remembered and not just its name."""
        lines = tuple(line(fact) for fact in facts)
        ids = () if entity else tuple(fact.id for fact in facts)
        yield Routed("answer", self._turn.text, 0.0)
        sources = tuple(dict.fromkeys(notes))
        gone = self._memory.forget(facts=ids, source=sources, entity=entity, said=said, undoable=True)
        yield Forgot(lines, gone.undo_id)
        keep(self._memory, self._turn.session, Lately(undo_id=gone.undo_id))
        yield from self._told_count("forgotten", lines)

    def _told_count(self, wording: str, lines: Sequence[str]) -> Iterator[Event]:
        yield Token(reply(self._turn.text, wording, count=counted(self._turn.text, len(lines))))

    def _everything_forgotten(self) -> Iterator[Event]:
        sessions = self._memory.sessions
        saved = any(info.id == self._turn.session for info in sessions.list())
        self._memory.forget(everything=True)
        if saved:  # this conversation goes on
            sessions.new(self._turn.session)
        yield from self._said("everything forgotten")

    def _told(self, found: Meant) -> Iterator[Event]:
        """What is remembered, line by line, with where it is from; no model has to word that."""
        notes = [passage_evidence(str(hit.passage_id), hit.source, hit.text) for hit in found.notes]
        evidence = numbered([*(fact_evidence(fact) for fact in found.facts), *notes])[:_TOLD]
        yield Routed("search", self._turn.text, 0.0)
        yield Found(tuple(evidence), 0.0)
        yield Token("\n".join(f"- {_told(item)} [{item.id}]" for item in evidence))
        keep(self._memory, self._turn.session, Lately(facts=tuple(fact.id for fact in found.facts[:_TOLD])))

    def _summarised(self, what: str) -> Iterator[Event] | None:
        documents = [source for source in self._memory.sources() if source.kind == _DOCUMENT]
        if what:
            name = fold(what)
            documents = [
                one for one in documents if fold(one.name) == name or fold(one.name.rpartition(".")[0]) == name
            ]
        if documents:
            return self._summary(documents[-1])
        return None if what else self._said("no document")

    def _summary(self, document: Source) -> Iterator[Event]:
        evidence = _passages(self._memory, document)
        yield Routed("search", self._turn.text, 0.0)
        yield Found(tuple(evidence), 0.0)
        yield from map(Token, answering.summary(self._model, self._turn, document.name, evidence))


def _passages(memory: UserMemory, document: Source) -> list[Evidence]:
    """As much of a document as the model reads at once: all of it, or passages from all of its parts."""
    passages = memory.passages(document.id)
    total = sum(len(part.text) for _, part in passages)
    kept = max(1, len(passages) * _SUMMARY_CHARACTERS // max(total, _SUMMARY_CHARACTERS))
    chosen = [passages[place * len(passages) // kept] for place in range(kept)]
    return numbered([passage_evidence(passage_id, document.name, part.text) for passage_id, part in chosen])


def _told(item: Evidence) -> str:
    if item.relation == "passage":
        return " ".join(item.text.split())
    said = f"{item.subject} – {item.relation}: {item.object}" if item.relation != "description" else item.object
    times = _TIMES.search(item.text)
    return f"{said} {times[0]}" if times else said
