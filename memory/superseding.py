"""Which facts a new one puts an end to, or which one puts an end to it."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection

from memory.contradiction import (
    OF_ONE_JOB,
    adds_to_it,
    alike,
    denies,
    denies_something,
    differ,
    ended_by,
    ends,
    excludes_others,
    is_former,
    is_on_a_day,
    may_hold_both,
    moves_to_a_country,
    moves_to_a_day,
    names_nothing,
    rejects,
    single,
    tells_a_change,
    tells_an_end,
    tells_of_now,
    tells_plainly,
)
from memory.folding import fold, terms
from memory.records import closing, facts, merging
from memory.records.dating import was_ahead
from memory.records.facts import NewFact
from memory.records.keys import ENTITY, FACT, number
from memory.times import Held, held
from memory.types import NEVER, FactKind

_LATELY = timedelta(days=366)  # who tells what was then speaks of what is known
_LONG_AGO = timedelta(days=3653)  # what one did then says little about what one told of since


@dataclass(frozen=True, slots=True)
class _Subject:
    """Who is one with a subject, and the relations in which they stand: each with its one value's name, and as `alike`.

    What was once ("ex-wife") takes no part in what is now, and has no such name.
    """

    one: list[int]
    relations: dict[str, tuple[str | None, str]]


class Superseding:
    """Closes what the triples of one passage contradict; what other statements of that passage say stays open."""

    def __init__(
        self,
        connection: Connection,
        source_id: int,
        passage_id: int,
        at: datetime,
        *,
        chat: bool,
        corrects: frozenset[int],
    ) -> None:
        self._connection = connection
        self._source_id = source_id
        self._passage_id = passage_id
        self._at = at
        self._chat = chat
        self._corrects = corrects
        self._subjects: dict[int, _Subject] = {}  # by number

    def close(
        self, fact_id: int, new: NewFact, said: str, times: Held, beside: Collection[int] | None = None
    ) -> list[int]:
        """Close the rivals of a fact that is told in the words `said`, of all or of those `beside`; which those are.

        What was so once besides contradicts nothing, and what is still to come only what it corrects. The fact itself
        is closed instead, where one of them has held since a later day. What a correction puts right that tells of no
        change never held.
        """
        if times.within or (times.ahead and not self._corrects):
            return []
        rivals = [fact for fact in self._rivals(new, said, times) if beside is None or fact.id in beside]
        if times.ahead:
            rivals = [fact for fact in rivals if fact.id in self._corrects]
        later = _later(rivals, new)
        for fact in later[:1]:
            closing.close(self._connection, [fact_id], by=fact.id, at=fact.valid_from or self._at)
        if later or not rivals:
            return []
        return self.end(rivals, fact_id, new, said)

    def told(self, fact_ids: Collection[str], by: int) -> list[closing.Current]:
        """Those of the facts that hold, but for the one that takes their place."""
        numbers = {number(FACT, fact_id) for fact_id in fact_ids} - {by}
        return closing.holding(self._connection, numbers) if numbers else []

    def relations_of(self, subject_id: int) -> Iterator[str]:
        """The relations in which a subject stands, or stood, by what other passages say; looked up when asked for."""
        yield from self._subject(subject_id).relations

    def confirm(self, fact_id: int, new: NewFact, said: str, times: Held) -> list[int]:
        """Close the rivals of a fact that was known and is said again, as if it were new; which those are.

        Only where it had been still to come, or where the user corrects one of them, or denies them: else it may have
        been told with the other one known. They are open again without this source.
        """
        if not closing.holds(self._connection, fact_id):
            return []
        has_come = (
            not (times.ahead or times.within)
            and (tells_a_change(said, new.object) or tells_plainly(said))
            and was_ahead(self._connection, fact_id, self._passage_id)
        )
        if not (self._chat or has_come):
            return []
        if has_come:
            closing.begin(self._connection, fact_id, new.valid_from, self._at)
        rivals = self._rivals(new, said, times, again=not has_come)
        if _later(rivals, new) or not rivals:
            return []
        return self.end(rivals, fact_id, new, said, again_in=self._source_id)

    def end(
        self, rivals: list[closing.Current], by: int, new: NewFact, said: str, again_in: int | None = None
    ) -> list[int]:
        """Close facts, the `rivals` of another; which those are. What a correction puts right never held."""
        rival_ids = [fact.id for fact in rivals]
        mistakes = self._mistakes(rivals, new.relation, new.object, said)
        closing.close(self._connection, mistakes, by, NEVER, again_in)
        ended = [own_id for own_id in rival_ids if own_id not in mistakes]
        closing.close(self._connection, ended, by, new.valid_to or new.valid_from or self._at, again_in)
        return rival_ids

    def denied(self, subject_id: int, relation: str, value: str) -> list[closing.Current]:
        """The facts that hold and say the very thing that the user denies."""
        return [fact for fact in self._competing(subject_id, relation) if fold(fact.object) == fold(value)]

    def never_held(self, over: list[closing.Current], said: str) -> bool:
        """Whether what the user denies was a mistake, and not so once."""
        return bool(self._mistakes(over, over[0].relation, over[0].object, said))

    def _mistakes(self, rivals: list[closing.Current], relation: str, value: str, said: str) -> list[int]:
        """Those that are put right by what is told in the words `said`, which tell of no change."""
        if tells_a_change(said, value) or tells_an_end(said) or ended_by(relation, value, said):
            return []
        return [fact.id for fact in rivals if fact.id in self._corrects]

    def _competing(self, subject_id: int, relation: str) -> list[closing.Current]:
        """The facts that hold of a subject in this relation, in whatever words."""
        subject, slot, told = self._subject(subject_id), single(relation), alike(relation)
        wordings = [
            wording
            for wording, (known_slot, known) in subject.relations.items()
            if known == told or (slot is not None and known_slot == slot)
        ]
        return closing.current_of(self._connection, subject.one, self._passage_id, wordings) if wordings else []

    def _rivals(self, new: NewFact, said: str, times: Held, *, again: bool = False) -> list[closing.Current]:
        """The facts that cannot hold beside `new`.

        What the user says is the latest word on a relation with one value, unless they tell of one more; a document is,
        only where it speaks of the present; what is said `again`, only where it corrects. A fact that has itself ended
        contradicts nothing but the same fact ("I no longer live in Oslo", "my ex-wife Sue"). What happened long before
        another was told as what is so may have been over by then.
        """
        if self._chat and moves_to_a_day(new.relation, new.object) and (days := self._earlier_day(new)):
            return days
        if self._chat and not again and (over := self._over(new, said)):
            return over
        slot = single(new.relation)
        ended = new.valid_to is not None or is_former(new.relation)
        latest = slot is not None and excludes_others(slot, new.object, said) and self._is_last_word(new, said)
        if not (latest or self._corrects or ended or denies_something(said)):
            return []
        competing = [
            fact
            for fact in self._competing(new.subject_id, new.relation)
            if fact.id in self._corrects or not (self._is_ahead(fact) or self._is_after(fact, new, times))
        ]
        if ended:
            return [fact for fact in competing if fold(fact.object) == fold(new.object)]
        corrected = [fact for fact in competing if fact.id in self._corrects and not adds_to_it(said)]
        if slot is None and (len(corrected) > 1 or not rejects(said)):  # which of them, or whether any, nobody knows
            corrected = []
        latest = latest and (not again or bool(corrected))
        return [
            fact
            for fact in competing
            if (differ(fact.object, new.object) or self._are_namesakes(fact, new))
            and (
                (latest and self._excludes(str(slot), fact, new, said))
                or fact in corrected
                or denies(said, fact.object)
            )
        ]

    def _is_last_word(self, new: NewFact, said: str) -> bool:
        if self._chat:
            return tells_a_change(said, new.object) or not adds_to_it(said)
        return tells_of_now(said, new.object)

    def _is_ahead(self, fact: closing.Current) -> bool:
        """Whether a fact begins on a later day."""
        return fact.valid_from is not None and fact.valid_from.date() > self._at.astimezone().date()

    def _is_after(self, fact: closing.Current, new: NewFact, times: Held) -> bool:
        """Whether a fact was told as what is so long after the new one happened: it may have come in between."""
        if fact.valid_from or not (new.valid_from and times.happened):
            return False
        return fact.learned - new.valid_from > (_LONG_AGO if self._chat else _LATELY)

    def _excludes(self, slot: str, fact: closing.Current, new: NewFact, said: str) -> bool:
        """Whether a fact cannot hold beside a new one of the same relation with one value.

        A town and a country can: one may lie in the other. Whoever moved to a country since has left the town.
        """
        if not excludes_others(slot, fact.object, fact.object):
            return False
        if not may_hold_both(slot, fact.object, new.object):
            return True
        since = new.valid_from is None or new.valid_from > fact.learned
        return self._chat and since and moves_to_a_country(slot, new.object, fact.object, said)

    def _earlier_day(self, new: NewFact) -> list[closing.Current]:
        """The day on which something was that is moved to another; none, where nobody knows which of several it is."""
        subject = self._subject(new.subject_id)
        competing = closing.current_of(self._connection, subject.one, self._passage_id, subject.relations)
        days = [fact for fact in competing if is_on_a_day(fact.relation, fact.object)]
        return days if len(days) == 1 and differ(days[0].object, new.object) else []

    def _over(self, new: NewFact, said: str) -> list[closing.Current]:
        """What a fact says has ended ("quit Siemens"); of what it does not name, the only one that there is.

        Then the day must fit, too: "I quit my job in 2015" may mean another one than was told of since.
        """
        slots = ended_by(new.relation, new.object, said)
        if not slots:
            return []
        subject = self._subject(new.subject_id)
        wordings = [wording for wording, (known, _) in subject.relations.items() if known in slots]
        competing = [
            fact
            for fact in closing.current_of(self._connection, subject.one, self._passage_id, wordings)
            if fact.valid_from is None or fact.valid_from <= (new.valid_from or self._at)
        ]
        if names_nothing(new.object):
            told_of = {subject.relations[fact.relation][0] for fact in competing}
            if len(told_of) < len(competing) or not (len(told_of) == 1 or told_of == OF_ONE_JOB):
                return []
            day = new.valid_from
            lately = day is None or self._at - day < _LATELY
            return [fact for fact in competing if lately or (day and fact.learned <= day)]
        # What is ended may be told in fewer words than it is known by, not in more: "Siemens stock" is no job there.
        return [fact for fact in competing if (words := set(terms(new.object))) and words <= set(terms(fact.object))]

    def _are_namesakes(self, fact: closing.Current, new: NewFact) -> bool:
        """Whether the two objects are two entities of one name."""
        if fact.object_id is None or new.object_id is None or fold(fact.object) != fold(new.object):
            return False
        return len(set(merging.survivors_of(self._connection, (fact.object_id, new.object_id)).values())) > 1

    def _subject(self, subject_id: int) -> _Subject:
        """Looked up once a passage: its own facts do not count, and nothing is merged meanwhile."""
        if subject_id not in self._subjects:
            one = merging.everyone(self._connection, [subject_id])
            relations = closing.relations_of(self._connection, one)
            named = {name: (None if is_former(name) else single(name), alike(name)) for name in relations}
            self._subjects[subject_id] = _Subject(one, named)
        return self._subjects[subject_id]


def _later(rivals: list[closing.Current], new: NewFact) -> list[closing.Current]:
    """Those that have held since a later day."""
    return [fact for fact in rivals if fact.valid_from and new.valid_from and new.valid_from < fact.valid_from]


def settle(connection: Connection, added: Collection[int], since: datetime | None = None) -> None:
    """Let facts that were put in and those that were there close each other as if each had been told in its time.

    Of what was there, that counts which was learned `since` then. What belongs together has settled it already.
    """
    subjects = {number(ENTITY, fact.subject_id) for fact in facts.facts_by_id(connection, added).values()}
    told = closing.told_of(connection, merging.everyone(connection, subjects))
    own = set(added)
    earlier: dict[bool, set[int]] = {True: set(), False: set()}  # what was put in, and the others
    for fact in told:
        put_in = fact.id in own
        if not put_in and since is not None and fact.learned < since:
            continue
        if earlier[not put_in]:
            said = (fact.subject_id, fact.relation, fact.object, None, fact.learned, fact.valid_from, fact.valid_to)
            new = NewFact(FactKind.TRIPLE, *said)
            told_in = (fact.source_id, fact.passage_id, fact.learned)
            superseding = Superseding(connection, *told_in, chat=fact.chat, corrects=frozenset())
            times = held(fact.said, fact.object, fact.learned, spoken=fact.chat, ends=ends(fact.relation))
            superseding.close(fact.id, new, fact.said, times, earlier[not put_in])
        earlier[put_in].add(fact.id)
