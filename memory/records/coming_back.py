"""What may come back of records that were taken out: not what was forgotten after them."""

import re
from collections.abc import Collection, Mapping

from memory.records.library import DOCUMENT, digest_of_blanked
from memory.records.portable import EntityData, FactData, MemoryData, SourceData, SupportData
from memory.records.taking_out import Left, Taken
from memory.types import FactKind

_WORD = re.compile(r"\w")


def coming_back(taken: Taken, went: Collection[int], since: Collection[int], left: Left, now: Left) -> Taken:
    """What was taken out, but for what was forgotten since: only the words that went with it are said again.

    `went` are the numbers of the facts that went with it, `since` of those that were forgotten after it; `left` is what
    was still there after it, `now` what is there now.
    """
    return _ComingBack(taken, went, since, left, now).taken()


class _ComingBack:
    """The records that come back, by the numbers that they have in the data; some are left out, so others are new."""

    def __init__(
        self,
        taken: Taken,
        went: Collection[int],
        since: Collection[int],
        left: Left,
        now: Left,
    ) -> None:
        self._before = taken
        self._objects = tuple(zip(left.objects, now.objects, strict=True))
        # A number may be given again: what went with it is not what has that number later.
        self._forgotten = set(since).difference(went)
        self._sources: dict[int, SourceData] = {}
        self._passages: dict[tuple[int, int], int] = {}
        data = taken.data
        gone = [fact for fact, own_id in zip(data.facts, taken.fact_ids, strict=True) if own_id in went]
        for number, (source, own_id) in enumerate(zip(data.sources, taken.source_ids, strict=True), 1):
            own = [(rest.start, rest.end) for fact in gone for rest in fact.sources if rest.source == number]
            text = _words_again(source.text, left.texts.get(own_id), now.texts.get(own_id), own)
            self._keep(number, source, _saying(source, own_id, text))
        self._numbers = {number: place for place, number in enumerate(self._sources, 1)}

    def taken(self) -> Taken:
        """All of it, numbered anew."""
        before = self._before
        kept = {
            number: self._fact(number, fact)
            for number, (fact, own_id) in enumerate(zip(before.data.facts, before.fact_ids, strict=True), 1)
            if own_id not in self._forgotten and not self._went_since(number, fact)
        }
        facts = {number: fact for number, fact in kept.items() if fact.sources}
        order = {number: place for place, number in enumerate(facts, 1)}
        data = MemoryData(
            sources=tuple(self._sources.values()),
            entities=tuple(map(self._entity, before.data.entities)),
            facts=tuple(fact.model_copy(update=self._closed(number, facts, order)) for number, fact in facts.items()),
        )
        source_ids = tuple(before.source_ids[number - 1] for number in self._sources)
        return Taken(data, before.entity_ids, source_ids, tuple(before.fact_ids[number - 1] for number in facts))

    def _keep(self, number: int, before: SourceData, source: SourceData) -> None:
        """Keep a source with the passages that still have words, if there is any."""
        kept = {
            part: passage
            for part, passage in enumerate(source.passages, 1)
            if source == before or _WORD.search(source.text[passage.start : passage.end])
        }
        if kept:
            self._passages |= {(number, part): place for place, part in enumerate(kept, 1)}
            self._sources[number] = source.model_copy(update={"passages": tuple(kept.values())})

    def _entity(self, entity: EntityData) -> EntityData:
        names = [name for name in entity.names if name.source in self._numbers]
        again = tuple(name.model_copy(update={"source": self._numbers[name.source]}) for name in names)
        return entity.model_copy(update={"names": again})

    def _went_since(self, number: int, fact: FactData) -> bool:
        """Whether a description or an aspect that had stayed, and perhaps lost words, is there no more."""
        left, now = self._objects[number - 1]
        return fact.kind is not FactKind.TRIPLE and left is not None and now is None

    def _fact(self, number: int, fact: FactData) -> FactData:
        """A fact with what of its sources says it still, perhaps nothing, and in the words that it had."""
        rests = [rest for rest in fact.sources if self._said(rest)]
        prose = fact.kind is not FactKind.TRIPLE
        object_ = _words_again(fact.object, *self._objects[number - 1], ()) if prose else fact.object
        again = tuple(
            rest.model_copy(
                update={
                    "source": self._numbers[rest.source],
                    "passage": self._passages[rest.source, rest.passage],
                }
            )
            for rest in rests
        )
        return fact.model_copy(update={"sources": again, "object": object_})

    def _closed(self, number: int, facts: Mapping[int, FactData], order: Mapping[int, int]) -> dict[str, object]:
        """What closed a fact and still does; in place of one that stays forgotten, the next in the row."""
        before = self._before.data.facts
        fact = last = before[number - 1]
        while last.closed_by and not self._closes(facts.get(last.closed_by), last.closed_in):
            last = before[last.closed_by - 1]
        until = last.valid_to if last is fact or last.closed_by else None
        once = self._closes(facts.get(fact.once_closed_by or 0), fact.once_closed_in)
        return {
            "closed_by": order.get(last.closed_by or 0),
            "closed_in": self._numbers.get(last.closed_in or 0),
            "valid_to": until,
            "once_closed_by": order.get(fact.once_closed_by or 0) if once else None,
            "once_closed_in": self._numbers.get(fact.once_closed_in or 0) if once else None,
            "once_valid_to": fact.once_valid_to if once else None,
        }

    def _closes(self, closer: FactData | None, closed_in: int | None) -> bool:
        """Whether a fact comes back; said by the source, too, that says it again where only that closes another."""
        if closer is None or closed_in is None:
            return closer is not None
        return self._numbers.get(closed_in) in {rest.source for rest in closer.sources}

    def _said(self, rest: SupportData) -> bool:
        if (rest.source, rest.passage) not in self._passages:
            return False
        before, again = self._before.data.sources[rest.source - 1], self._sources[rest.source]
        # A sentence that others rest on may have lost some of its words since.
        was, said = (source.text[rest.start : rest.end] for source in (before, again))
        return was == said or bool(_WORD.search(said))


def _words_again(was: str, left: str | None, now: str | None, own: Collection[tuple[int, int]]) -> str:
    """A text with the words that went; where it went as a whole, nobody can have forgotten something of it since."""
    if left is None or left == now:
        return was
    blank = " " * len(was)
    back = bytearray(one != other for one, other in zip(was, left, strict=True))
    for start, end in own:
        back[start:end] = b"\1" * (end - start)
    # What it lacked then may have come back with something else.
    return "".join(
        one if again and one != " " else rest for one, again, rest in zip(was, back, now or blank, strict=True)
    )


def _saying(source: SourceData, own_id: int, text: str) -> SourceData:
    if text == source.text:
        return source
    digest = digest_of_blanked(own_id, text) if source.kind == DOCUMENT else source.digest
    return source.model_copy(update={"text": text, "digest": digest})
