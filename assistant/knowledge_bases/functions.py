"""The functions that search programs call, the same over every knowledge base (KnowledGPT, section 3.2).

One object serves one run of one program on one knowledge base. What its results stand for is remembered, so that a
later call takes them as they are instead of linking their names again.

What programs hand over is bounded here, before anything is done with it; the work itself looks at the deadline, which
is also how Stop ends it, wherever a knowledge base, the model or the embedding is asked.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from rapidfuzz.distance import Levenshtein

from assistant.bounded import TooMuch
from assistant.errors import KnowledgeBaseUnreachable
from assistant.knowledge_bases.base import Deadline, KnowledgeBase, PairIndex, TextSearch
from assistant.knowledge_bases.hops import Hops
from assistant.knowledge_bases.linking import Linking
from assistant.knowledge_bases.personal import PERSONAL
from assistant.knowledge_bases.record import RunRecord, names_in_argument
from assistant.knowledge_bases.relation_choice import RelationChoice
from assistant.knowledge_bases.relations import Asked, RelationRanker
from assistant.knowledge_bases.triples_read import TriplesRead, other_end
from assistant.llm.client import LanguageModel
from assistant.types import Certainty, Entity, Event, Linked, Triple
from memory.folding import fold
from memory.resolution import USER_NAMES

_OF_BOTH = 36  # triples: with what else was found, as many as are told of a run
_TRIPLES_OF_INFO = 10  # as section 4.3 has it
# What one call may be given: names that were not found before, in an argument, each of so many characters; names for
# one relation; relations one after the other.
_NEW_NAMES, _NAME_CHARACTERS, _RELATION_NAMES, _STEPS = 500, 500, 50, 20
_PASSAGES, _QUESTION_CHARACTERS = 6, 2_000  # that a search of text finds, and that it looks for


@dataclass
class KnowledgeFunctions:
    """`get_entity_info`, `find_entity_or_value`, `find_relationship` and `search_text` on `kb`.

    `model` tells namesakes apart, and says which relation is meant. `unreachable` is set where the knowledge base did
    not answer; the program then ends there. `linked` is set once a name was linked to an entity. `record` has what came
    of the calls, with what was left out said in `language`. A program that counts or ranks `of_all` there are also
    counts what it began with.
    """

    kb: KnowledgeBase
    ranker: RelationRanker
    question: str
    deadline: Deadline
    emit: Callable[[Event], None]
    model: LanguageModel | None = None
    unreachable: KnowledgeBaseUnreachable | None = None
    linked: bool = False
    language: str = ""
    of_all: bool = False

    def __post_init__(self) -> None:
        self.record = RunRecord(self.kb.name, self.language)
        ranker = self.ranker.until(self.deadline)
        self._triples = TriplesRead(self.kb, self.question, self.deadline)
        self._linking = Linking(self.kb, self.question, self.deadline, ranker, self.model)
        choice = RelationChoice(self.question, ranker, self.kb.relation_policy, self.model)
        self._hops = Hops(self.record, self._triples, self._linking, choice, self.of_all)

    def relations_there(self) -> str:
        """Which relations there are of what the last call went from, and of what it found; empty where there are none.

        Raises:
            KnowledgeBaseUnreachable: as `KnowledgeBase.triples`.
        """
        last = self.record.calls[-1].results if self.record.calls else ()
        found = self.record.known(last[0]) if last else ()
        return self._hops.relations_there(self._hops.last) + self._hops.relations_there(found)

    def by_name(self) -> dict[str, Callable[..., object]]:
        """The functions under the names that programs use."""
        return {
            function.__name__: self._guarded(function)
            for function in (self.get_entity_info, self.find_entity_or_value, self.find_relationship, self.search_text)
        }

    def get_entity_info(self, entity: object) -> str:
        """What is known of an entity, its aliases given as a list: its description and triples (section 3.2.3)."""
        texts = []
        for found in self._link(self._names(entity, "entity")):
            if text := self._triples.description(found):
                texts.append(self.record.take_text(found, text))
            for triple, asked in _one_a_relation_first(self._triples.of(found))[:_TRIPLES_OF_INFO]:
                texts.append(f"{triple.subject} – {triple.relation}: {triple.object}")
                self.record.take(triple, Certainty.UNKNOWN, outgoing=asked.outgoing)
        self.record.log("get_entity_info", [entity], texts)
        return self.record.text("\n".join(texts))

    def find_entity_or_value(self, entity: object, relation: object, *further: object) -> list[str]:
        """The entities or values that an entity has in a relation, both given as lists of aliases (Algorithm 1).

        Where no triple fits: the description's sentences that name the relation, else the whole description. Past the
        paper, each of `further` is a relation followed from the results before (`Hops`).
        """
        if len(further) >= _STEPS:
            raise TooMuch(f"{_STEPS} relations are the most in one call: use several calls.")
        names = self._names(entity, "entity")
        steps = [_relation_names(asked) for asked in (relation, *further)]
        alone = not further and not any(map(self.record.known, names))
        return self._hops.follow(names, self._link(names, steps[0]), steps, may_ask=alone)

    def find_relationship(self, entity1: object, entity2: object) -> list[str]:
        """How two entities are related: the first one's triples, its description, then the same the other way round.

        Entity likeness is 100 − d for edit distance d where the names share a word, else 0 (section 3.2.5).
        """
        first, second = self._names(entity1, "entity1"), self._names(entity2, "entity2")
        results: list[str] = []
        if first and second and isinstance(self.kb, PairIndex):
            results = self._told_of_both(self.kb, first, second)
        if first and second and not results:
            results = self._relations_between(first, second) or self._relations_between(second, first)
        self.record.log("find_relationship", [entity1, entity2], results)
        return results

    def search_text(self, question: object) -> list[str]:
        """The passages that bear most on a question, or on several things together, best first; of a knowledge base
        without text none.

        Past the paper: so a step over what people wrote is a step of a program, too.
        """
        asked = " ".join(names_in_argument(question, "question"))[:_QUESTION_CHARACTERS]
        passages = []
        if asked and isinstance(self.kb, TextSearch):
            passages = self.kb.search_text(asked, _PASSAGES, self.deadline)
        results = [self.record.take_passage(passage) for passage in passages]
        self.linked = self.linked or bool(results)
        self.record.log("search_text", [asked], results)
        return results

    def _guarded(self, function: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object, **kwargs: object) -> object:
            self.deadline.check()
            try:
                return function(*args, **kwargs)
            except KnowledgeBaseUnreachable as error:
                self.unreachable = error
                raise

        return call

    def _names(self, value: object, argument: str) -> list[str]:
        """The names in an argument; what was found before may be long and many, what the program made up may not.

        Raises:
            TypeError, TooMuch: as `names_in_argument`.
        """
        names = names_in_argument(value, argument)
        new = [name for name in names if not (self.record.is_text(name) or self.record.is_result(name))]
        _check(new, argument, _NEW_NAMES)
        return names

    def _link(self, names: Sequence[str], relations: Sequence[str] = ()) -> list[Entity]:
        names = [name for name in names if not self.record.is_text(name)]
        if all(map(self.record.is_result, names)) and (reached := self._hops.reached(names)):
            return reached
        if self.kb.name != PERSONAL:  # "me" is nobody there, or Montenegro
            names = [name for name in names if fold(name) not in USER_NAMES]
        linked = self._linking.entities(names, relations) if names else []
        self.linked = self.linked or bool(linked)
        if names:
            self.emit(Linked(self.kb.name, names[0], tuple(linked)))
        return linked

    def _told_of_both(self, kb: PairIndex, first: Sequence[str], second: Sequence[str]) -> list[str]:
        pairs = product(self._link(first), self._link(second))
        one, other = next((pair for pair in pairs if pair[0] != pair[1]), (None, None))
        found = kb.between(one, other, _OF_BOTH, self.deadline) if one and other else []
        return [self.record.text(self.record.take(triple, Certainty.NAMED)) for triple in found]

    def _relations_between(self, first: Sequence[str], second: Sequence[str]) -> list[str]:
        results = []
        names = [fold(name) for name in second]
        for entity in self._link(first):
            for triple, asked in self._triples.of(entity).items():
                self.deadline.check()
                end = fold(other_end(triple, asked))
                if max(_entity_likeness(end, name) for name in names) >= 95:
                    self.record.take(triple, Certainty.NAMED, outgoing=asked.outgoing)
                    results.append(triple.relation)
            if not results and (text := self._triples.sentences_with(entity, second, inflected=False)):
                self.record.take_text(entity, text)
                results.append(text)
        return list(dict.fromkeys(results))


def _one_a_relation_first(triples: Mapping[Triple, Asked]) -> list[tuple[Triple, Asked]]:
    """The triples, the first of each relation before the second of any."""
    seen: Counter[Asked] = Counter()
    ranked = []
    for triple, asked in triples.items():
        ranked.append((seen[asked], triple, asked))
        seen[asked] += 1
    return [(triple, asked) for _, triple, asked in sorted(ranked, key=lambda entry: entry[0])]


def _relation_names(value: object) -> list[str]:
    names = names_in_argument(value, "relation")
    _check(names, "relation", _RELATION_NAMES)
    return names


def _check(names: Sequence[str], argument: str, most: int) -> None:
    if len(names) > most:
        raise TooMuch(f"{argument} has {len(names):,} names, {most} are the most: name one thing in each call.")
    if any(len(name) > _NAME_CHARACTERS for name in names):
        raise TooMuch(f"{argument} has a name of more than {_NAME_CHARACTERS} characters: nothing is called so.")


def _entity_likeness(left: str, right: str) -> float:
    """That of two folded names."""
    if left == right:
        return 100.0
    if set(left.split()) & set(right.split()):
        return 100.0 - Levenshtein.distance(left, right)
    return 0.0
