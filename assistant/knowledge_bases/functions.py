"""The three functions that search programs call, the same over every knowledge base (KnowledGPT, section 3.2).

One object serves one run of one program on one knowledge base. What its results stand for is remembered, so that a
later call takes them as they are instead of linking their names again.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from rapidfuzz.distance import Levenshtein

from assistant.errors import Interrupted, KnowledgeBaseUnreachable
from assistant.knowledge_bases.base import Deadline, KnowledgeBase
from assistant.knowledge_bases.linking import Linking
from assistant.knowledge_bases.personal import PERSONAL
from assistant.knowledge_bases.record import RunRecord, names_in_argument
from assistant.knowledge_bases.relation_choice import RelationChoice
from assistant.knowledge_bases.relations import SAME, Asked, RelationRanker
from assistant.knowledge_bases.triples_read import TriplesRead, other_end
from assistant.llm.client import LanguageModel
from assistant.types import Entity, Event, Linked, Triple
from memory.folding import fold
from memory.passages import sentences
from memory.resolution import USER_NAMES

_ENTITIES_A_CALL = 60
_DESCRIPTION_CHARACTERS = 600
_TRIPLES_OF_INFO = 10  # as section 4.3 has it
_NAMED = 3  # entities of whose relations one is chosen
_SHOWN_RELATIONS = 20
# Names of relations, folded as they are compared.
_KIND = frozenset(map(fold, ("instance of", "is a", "kind", "type", "是", "类型")))
_NAME = frozenset(map(fold, ("name", "label", "名称", "名字")))


@dataclass
class KnowledgeFunctions:
    """`get_entity_info`, `find_entity_or_value` and `find_relationship` on `kb`.

    `model` tells namesakes apart, and says which relation is meant. `unreachable` is set where the knowledge base did
    not answer; the program then ends there. `linked` is set once a name was linked to an entity. `record` has what came
    of the calls.
    """

    kb: KnowledgeBase
    ranker: RelationRanker
    question: str
    deadline: Deadline
    emit: Callable[[Event], None]
    model: LanguageModel | None = None
    cancelled: Callable[[], bool] = lambda: False
    unreachable: KnowledgeBaseUnreachable | None = None
    linked: bool = False

    def __post_init__(self) -> None:
        self.record = RunRecord(self.kb.name)
        self._triples = TriplesRead(self.kb, self.question, self.deadline)
        self._linking = Linking(self.kb, self.question, self.deadline, self.ranker, self.model)
        self._choice = RelationChoice(self.question, self.ranker, self.kb.relation_policy, self.model)

    def by_name(self) -> dict[str, Callable[..., object]]:
        """The functions under the names that programs use."""
        return {
            function.__name__: self._guarded(function)
            for function in (self.get_entity_info, self.find_entity_or_value, self.find_relationship)
        }

    def get_entity_info(self, entity: object) -> str:
        """What is known of an entity, its aliases given as a list: its description and triples (section 3.2.3)."""
        texts = []
        for found in self._link(names_in_argument(entity, "entity")):
            if text := self._description(found):
                texts.append(text)
                self.record.take_text(found, text)
            for triple, asked in _one_a_relation_first(self._triples.of(found))[:_TRIPLES_OF_INFO]:
                texts.append(f"{triple.subject} – {triple.relation}: {triple.object}")
                self.record.take(triple, 0.0, outgoing=asked.outgoing)
        self.record.log("get_entity_info", [entity], texts)
        return "\n".join(texts)

    def find_entity_or_value(self, entity: object, relation: object, *further: object) -> list[str]:
        """The entities or values that an entity has in a relation, both given as lists of aliases (Algorithm 1).

        Where no triple fits: the description's sentences that name the relation, else the whole description. Past the
        paper, each of `further` is a relation followed from the results before, and never straight back to the start:
        a small model keeps the thread of several hops in one call, and loses it over several lines. A hop that leads
        nowhere, where the entities have the next relation themselves, comes after that one, or was one too many.
        """
        names = names_in_argument(entity, "entity")
        steps = [names_in_argument(asked, "relation") for asked in (relation, *further)]
        start = entities = self._link(names, steps[0])
        results, put_off = list[str](), None
        alone = not further and not any(map(self.record.known, names))
        while steps:
            aliases = steps.pop(0)
            if results:
                reached = (found for name in results for found in self._reached(name))
                entities = list(islice(reached, _ENTITIES_A_CALL))  # no name is linked beyond those
            before = [found.name for found in entities] or results or names
            left_out = start if results else []
            found = self._followed(entities, aliases, left_out, may_ask=alone)
            if not found and (namesakes := self._under_other_names(entities)):
                found = self._followed(namesakes, aliases, left_out, may_ask=alone)
            turned = not found and aliases is not put_off and bool(steps) and self._have(entities, steps[0])
            if not (found or results or turned):
                found = [text for entity in entities for text in self._from_description(entity, aliases)]
            there = "" if found else self._relations_there(entities)
            rewritten = self._choice.rewritten(aliases)
            self.record.log(
                "find_entity_or_value", [before, aliases], found, there, f" (as {rewritten})" if rewritten else ""
            )
            if turned:
                put_off = aliases
                steps.insert(1, aliases)
            elif found or aliases is not put_off:
                results = found
            if not results and not turned:
                break
        return results

    def find_relationship(self, entity1: object, entity2: object) -> list[str]:
        """How two entities are related: the first one's triples, its description, then the same the other way round.

        Entity likeness is 100 − d for edit distance d where the names share a word, else 0 (section 3.2.5).
        """
        first, second = names_in_argument(entity1, "entity1"), names_in_argument(entity2, "entity2")
        results = self._relations_between(first, second) or self._relations_between(second, first)
        self.record.log("find_relationship", [entity1, entity2], results)
        return results

    def _guarded(self, function: Callable[..., object]) -> Callable[..., object]:
        def call(*args: object, **kwargs: object) -> object:
            if self.cancelled():
                raise Interrupted("Stopped.")
            if not self.deadline.remaining:
                raise TimeoutError("The search takes too long.")
            try:
                return function(*args, **kwargs)
            except KnowledgeBaseUnreachable as error:
                self.unreachable = error
                raise

        return call

    def _link(self, names: Sequence[str], relations: Sequence[str] = ()) -> list[Entity]:
        known = [self.record.known(name) for name in names]
        if names and all(known):
            return list(dict.fromkeys(entity for group in known for entity in group))[:_ENTITIES_A_CALL]
        if self.kb.name != PERSONAL:  # "me" is nobody there, or Montenegro
            names = [name for name in names if fold(name) not in USER_NAMES]
        linked = self._linking.entities(names, relations) if names else []
        self.linked = self.linked or bool(linked)
        if names:
            self.emit(Linked(self.kb.name, names[0], tuple(linked)))
        return linked

    def _reached(self, name: str) -> list[Entity]:
        """What a result stands for, to go on from there."""
        return self._linking.bearers(name, self.record.known(name))

    def _followed(
        self, entities: Sequence[Entity], aliases: Sequence[str], start: Sequence[Entity], *, may_ask: bool
    ) -> list[str]:
        """What the entities have in the relation that is meant, chosen among the relations of all of them.

        The model may be asked which that is where the whole question is about this one relation of theirs.
        """
        wanted = {fold(alias) for alias in aliases}
        if wanted & _NAME:
            return [self.record.itself(entity) for entity in entities]
        left_out = {fold(entity.name) for entity in start}
        triples = {entity: self._triples.of(entity, left_out) for entity in entities}
        kinds = {
            e
            for e, found in triples.items()
            if any(fold(t.relation) in _KIND and fold(t.object) in wanted for t in found)
        }
        values = {asked: other_end(triple, asked) for found in triples.values() for triple, asked in found.items()}
        name = ", ".join(entity.name for entity in entities[:_NAMED])
        chosen = self._choice.chosen(name, values, aliases, may_ask=may_ask and len(kinds) < len(triples))
        exact = 1.0 in chosen.values()
        results: list[str] = []
        for entity, found in triples.items():
            if not exact and entity in kinds:
                results.append(self.record.itself(entity))  # "the country" of a country
            else:
                results += [
                    self.record.take(triple, chosen[asked], outgoing=asked.outgoing)
                    for triple, asked in found.items()
                    if asked in chosen
                ]
        return list(dict.fromkeys(results))

    def _have(self, entities: Sequence[Entity], aliases: Sequence[str]) -> bool:
        """Whether one of the entities has the very relation."""
        relations = {asked for entity in entities for asked in self._triples.of(entity).values()}
        ranked = self.ranker.rank(list(relations), aliases)
        return bool(ranked) and ranked[0][0] >= SAME

    def _under_other_names(self, entities: Sequence[Entity]) -> list[Entity]:
        """The same things as entities of their own: encyclopaedias keep 石猴 and 孙悟空 apart, and say "alias".

        Where several bear the other name, it is followed only to what has something in common with the entity.
        """
        others = []
        for entity in entities:
            for triple, other in self._triples.other_names(entity):
                if self._linking.alone_of_its_name(other, entity) or self._triples.share_a_value(entity, other):
                    self.record.take(triple, 1.0)
                    others.append(other)
        return list(dict.fromkeys(others))

    def _from_description(self, entity: Entity, aliases: Sequence[str]) -> list[str]:
        text = self._description(entity)
        if not text:
            return []
        words = [fold(alias) for alias in aliases]
        said = [text[span.start : span.end] for span in sentences(text, 0, len(text))]
        found = " ".join(s for s in said if any(word in fold(s) for word in words))[:_DESCRIPTION_CHARACTERS] or text
        self.record.take_text(entity, found)
        return [found]

    def _description(self, entity: Entity) -> str:
        text = (entity.id and self.kb.entity_info(entity, self.deadline)) or entity.description
        return text[:_DESCRIPTION_CHARACTERS]

    def _relations_between(self, first: Sequence[str], second: Sequence[str]) -> list[str]:
        results = []
        for entity in self._link(first):
            for triple, asked in self._triples.of(entity).items():
                if max(_entity_likeness(other_end(triple, asked), name) for name in second) >= 95:
                    self.record.take(triple, 1.0, outgoing=asked.outgoing)
                    results.append(triple.relation)
            if not results:
                text = self._description(entity)
                if any(fold(name) in fold(text) for name in second):
                    self.record.take_text(entity, text)
                    results.append(text)
        return list(dict.fromkeys(results))

    def _relations_there(self, entities: Sequence[Entity]) -> str:
        """Which relations an entity really has, for the model to choose from where it asked for another."""
        if not entities:
            return ""
        names = dict.fromkeys(asked.shown for asked in self._triples.of(entities[0]).values())
        return f"; {entities[0].name} has: {', '.join(list(names)[:_SHOWN_RELATIONS])}" if names else ""


def _one_a_relation_first(triples: Mapping[Triple, Asked]) -> list[tuple[Triple, Asked]]:
    """The triples, the first of each relation before the second of any."""
    seen: Counter[Asked] = Counter()
    ranked = []
    for triple, asked in triples.items():
        ranked.append((seen[asked], triple, asked))
        seen[asked] += 1
    return [(triple, asked) for _, triple, asked in sorted(ranked, key=lambda entry: entry[0])]


def _entity_likeness(a: str, b: str) -> float:
    left, right = fold(a), fold(b)
    if left == right:
        return 100.0
    if set(left.split()) & set(right.split()):
        return 100.0 - Levenshtein.distance(left, right)
    return 0.0
