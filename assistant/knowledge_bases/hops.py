"""Relations followed from entities, hop by hop: the body of `find_entity_or_value` (KnowledGPT, Algorithm 1).

Past the paper, one call takes several relations, each followed from the results of the one before and never straight
back to the start, which for a call on all that another found is where that one began; but where a program counts or
ranks all there are, the start is one of them. A small model keeps the thread of several hops in one call, and loses it
over several lines. What it gets wrong in such a path, the knowledge base tells:

- A hop that leads nowhere, where the entities have the next relation themselves, comes after that one, or was one too
  many.
- A last hop that leads nowhere, where what is one relation further has the relation asked for, leaves that one out, if
  the question has a word for it that no other step has.
"""

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import islice

from assistant.errors import KnowledgeBaseUnreachable, QueryRefused
from assistant.knowledge_bases.linking import Linking, enumerated
from assistant.knowledge_bases.record import RunRecord
from assistant.knowledge_bases.relation_choice import RelationChoice
from assistant.knowledge_bases.relations import Asked, certainty
from assistant.knowledge_bases.triples_read import TriplesRead, other_end, other_id
from assistant.messages import Phrase
from assistant.stemming import stems
from assistant.types import Certainty, Entity, Triple
from memory.folding import fold

# Results that a hop goes on from: each may be a request, or a name to look up; known ones of a file are read fast.
_RESULTS, _KNOWN_RESULTS = 60, 500
_NAMED = 3  # entities of whose relations one is chosen
_SHOWN_RELATIONS = 20
_TRIED = 3  # entities, and relations of theirs of which is seen where they lead
# What was left out on the way.
_STEP_LEFT_OUT = Phrase("{relation} was left out")
_FIRST_FOLLOWED = Phrase("only the first {followed} of {found} were followed")
_FIRST_READ = Phrase("only the first {read} triples of {name} were read")
_NOT_ASKED = Phrase("what has it as {relation} could not be asked")
# Names of relations, folded as they are compared.
_KIND = frozenset(map(fold, ("instance of", "is a", "kind", "type", "是", "类型")))
_NAME = frozenset(map(fold, ("name", "label", "名称", "名字")))
# The relation by which the question tells what bears something: the country whose currency is …, 货币是…的国家, or by
# which it asks for that: 哪个国家的货币是…, …是哪个国家的货币.
_WHOSE = re.compile(r"\bwhose ([\w ]+?) (?:is|are|was|were)\b", re.IGNORECASE)
_BEARING = re.compile(
    r"([^\W的因认成]{1,6})[是为叫][^\W的什哪谁几]{1,20}的(?=\w)"
    r"|[哪谁][^\W的]{0,5}的([^\W的因认成]{1,6})[是为叫]"
    r"|[是为][哪谁][^\W的]{0,5}的(\w{1,6})[^\w]*$"
)


@dataclass
class Hops:
    """The hops of one run of a program on one knowledge base; `last` are the entities that the last one went from.

    Where the program counts or ranks `of_all` there are, a way may lead back to where it began.
    """

    record: RunRecord
    triples: TriplesRead
    linking: Linking
    choice: RelationChoice
    of_all: bool
    last: Sequence[Entity] = ()

    def follow(
        self, names: Sequence[str], start: Sequence[Entity], steps: Sequence[Sequence[str]], *, may_ask: bool
    ) -> list[str]:
        """The names of what is reached from the `start`, called `names`, by relations given as lists of aliases.

        The model may be asked which relation is meant where `may_ask`, and where the last one of several leads nowhere.

        Raises:
            KnowledgeBaseUnreachable: as `KnowledgeBase.triples`.
            TimeoutError, Interrupted: as `Deadline.check`.
        """
        left, entities, results = list(steps), list(start), list[str]()
        question = fold(self.linking.question)
        named = any(fold(name) in question for name in names)  # what the question itself begins with was not reached
        origin = () if named else self.record.origin(names)
        left_out, start = ([] if self.of_all else list(origin)), origin or start
        put_off, between = None, list[str]()
        while left:
            self.linking.deadline.check()
            aliases = left.pop(0)
            if any(map(self.record.is_text, results)):  # what prose names is not looked up; it may say more itself
                results = self._told(entities, aliases, whole=False)
                self._log([entity.name for entity in entities], aliases, results, entities)
                if not results:
                    break
                continue
            if results:
                entities, left_out = self.reached(results), ([] if self.of_all else list(start))
            before = [found.name for found in entities] or results or list(names)
            found = self._found(entities, aliases, left_out, may_ask=may_ask)
            again = origin and not results  # where another call began may be all that this one can come to
            found = found or (self._found(entities, aliases, (), may_ask=may_ask) if again else [])
            if not (found or between or left) and results and aliases is not put_off:
                between = self._between(entities, steps, start)
                if between:
                    left = [between, aliases]
                    continue
                found = self._found(entities, aliases, start, may_ask=True)  # it is what the question asks for
            turned = not found and put_off is None and bool(left) and self._have(entities, left[0], Certainty.CLEAR)
            if not (found or results or turned):
                found = self._told(entities, aliases, whole=True)
            if turned:
                put_off = aliases
                left.insert(1, aliases)
            elif found or aliases is not put_off:
                results = found
            else:
                self.record.gap(_STEP_LEFT_OUT, relation=aliases[0])
            self._log(before, aliases, found, entities)
            if not results and not turned:
                break
        self.record.reached_from(start, results)
        return results

    def reached(self, results: Sequence[str]) -> list[Entity]:
        """What results stand for, to go on from there, but not from many more than can be read in time.

        Raises:
            KnowledgeBaseUnreachable: as `KnowledgeBase.link`.
        """
        local = not self.linking.kb.public and all(map(self.record.known, results))
        most = _KNOWN_RESULTS if local else _RESULTS
        reached, followed = dict[Entity, None](), 0
        while followed < min(most, len(results)) and len(reached) < most:
            name = results[followed]
            reached |= dict.fromkeys(self.linking.bearers(name, self.record.known(name)))
            reached |= dict.fromkeys(entity for value in self.record.lists(name) for entity in self.record.known(value))
            followed += 1
        if followed < len(results):
            self.record.gap(_FIRST_FOLLOWED, followed=followed, found=len(results))
        return list(reached)

    def _log(
        self, before: Sequence[str], aliases: Sequence[str], found: Sequence[str], entities: Sequence[Entity]
    ) -> None:
        self.last = entities
        there = "" if found else self.relations_there(entities)
        rewritten = self.choice.rewritten(aliases)
        taken = f" (as {rewritten})" if rewritten else ""
        self.record.log("find_entity_or_value", [before, aliases], found, there, taken)

    def _found(
        self, entities: Sequence[Entity], aliases: Sequence[str], start: Sequence[Entity], *, may_ask: bool
    ) -> list[str]:
        """What the entities have in the relation, or the same things as entities of another name."""
        found = self._followed(entities, aliases, start, may_ask=may_ask)
        if not found and (namesakes := self._under_other_names(entities)):
            found = self._followed(namesakes, aliases, start, may_ask=may_ask)
        return found

    def _followed(
        self, entities: Sequence[Entity], aliases: Sequence[str], start: Sequence[Entity], *, may_ask: bool
    ) -> list[str]:
        """What the entities have in the relation that is meant, chosen among the relations of all of them.

        The model may be asked which that is where the whole question is about this one relation of theirs.
        """
        wanted = {fold(alias) for alias in aliases}
        if wanted & _NAME:
            return [self.record.itself(entity) for entity in entities]
        left_out = _names_and_ids(start)
        inverse = self.triples.inverse_names(aliases)
        if inverse and not self._have(entities, aliases, Certainty.CLEAR):
            self._ask_having(entities, inverse)
        triples = {entity: self.triples.of(entity, left_out) for entity in entities}
        kinds = {
            e
            for e, found in triples.items()
            if any(fold(t.relation) in _KIND and fold(t.object) in wanted for t in found)
        }
        values = {asked: other_end(triple, asked) for found in triples.values() for triple, asked in found.items()}
        name = ", ".join(entity.name for entity in entities[:_NAMED])
        chosen = self.choice.chosen(name, values, aliases, may_ask=may_ask and len(kinds) < len(triples))
        borne = bool(kinds) and self._is_borne(aliases)
        exact = any(how >= Certainty.NAMED and (asked.outgoing or borne) for asked, how in chosen.items())
        results: list[str] = []
        for entity in entities:
            if not exact and entity in kinds:
                results.append(self.record.itself(entity))  # "the country" of a country
            else:
                results += self._taken(entity, chosen, left_out)
        return list(dict.fromkeys(results))

    def _ask_having(self, entities: Sequence[Entity], names: Sequence[str]) -> None:
        """Where that is another service, its trouble is no trouble with what the entities themselves have."""
        try:
            self.triples.ask_having(entities, names)
        except (KnowledgeBaseUnreachable, QueryRefused):
            self.record.gap(_NOT_ASKED, relation=names[0])

    def _is_borne(self, aliases: Sequence[str]) -> bool:
        """Whether the question is about what has something in this relation: the country whose currency is …"""
        question = self.linking.question
        english, chinese = _WHOSE.search(question), _BEARING.search(question)
        if english and stems(english[1]) & {stem for alias in aliases for stem in stems(alias)}:
            return True
        return chinese is not None and any((chinese[chinese.lastindex or 1]).endswith(alias) for alias in aliases)

    def _taken(self, entity: Entity, chosen: Mapping[Asked, Certainty], left_out: Set[str]) -> list[str]:
        """What the entity has in the relations, each as surely as it is what was asked for."""
        found, whole = self.triples.along(entity, chosen, left_out)
        if not whole:
            self.record.gap(_FIRST_READ, read=len(found), name=entity.name)
        results: list[str] = []
        likest_first = list(chosen)
        for triple, asked in sorted(found.items(), key=lambda pair: likest_first.index(pair[1])):
            name = self.record.take(triple, chosen[asked], outgoing=asked.outgoing)
            items = enumerated(name) if asked.outgoing else []
            split = items and not self._is_known(triple)
            results += self.record.itemized(name, items) if split else [name]
        return results

    def _is_known(self, triple: Triple) -> bool:
        """Whether the object is an entity of which more is said; files make one of every value."""
        if triple.object_id is None or self.linking.kb.public:
            return triple.object_id is not None
        value = Entity(self.record.kb, triple.object_id, triple.object)
        return any(asked.outgoing for asked in self.triples.of(value).values())

    def _have(self, entities: Sequence[Entity], aliases: Sequence[str], least: Certainty = Certainty.SAME) -> bool:
        """Whether one of the entities has a relation that is `least` that surely meant."""
        relations = {asked for entity in entities for asked in self.triples.of(entity).values()}
        ranked = self.choice.ranker.rank(list(relations), aliases)
        return bool(ranked) and certainty(ranked[0][0]) >= least

    def _between(
        self, entities: Sequence[Entity], steps: Sequence[Sequence[str]], start: Sequence[Entity]
    ) -> list[str]:
        """The relation behind which the very one that the last step asks for comes, if the question has a word for it.

        "The directors of the films with actors of Network" are not the directors of actors, but of their films. A
        public knowledge base is not asked: each entity that is tried would be a request.
        """
        if self.linking.kb.public:
            return []
        left_out = _names_and_ids(start)
        taken = (*(aliases[0] for aliases in steps), *(entity.name for entity in start))
        words = stems(self.linking.question) - {stem for text in taken for stem in stems(text)}
        ways = {
            asked: triple
            for entity in entities[:_TRIED]
            for triple, asked in self.triples.of(entity, left_out).items()
            if words & stems(asked.shown) and other_id(triple, asked) is not None
        }
        for asked, triple in islice(ways.items(), _TRIED):
            end = Entity(self.record.kb, other_id(triple, asked) or "", other_end(triple, asked))
            if self._have([end], steps[-1]):
                return [asked.shown]
        return []

    def _under_other_names(self, entities: Sequence[Entity]) -> list[Entity]:
        """The same things as entities of their own: encyclopaedias keep 石猴 and 孙悟空 apart, and say "alias".

        Where several bear the other name, it is followed only to what has something in common with the entity.
        """
        others = []
        for entity in entities:
            for triple, other in self.triples.other_names(entity):
                if self.linking.alone_of_its_name(other, entity) or self.triples.share_a_value(entity, other):
                    self.record.take(triple, Certainty.NAMED)
                    others.append(other)
        return list(dict.fromkeys(others))

    def _told(self, entities: Sequence[Entity], aliases: Sequence[str], *, whole: bool) -> list[str]:
        """The sentences of each description that name the relation; where none does, all of it if `whole`."""
        texts = []
        for entity in entities:
            text = self.triples.sentences_with(entity, aliases)
            if text or (whole and (text := self.triples.description(entity))):
                texts.append(self.record.take_text(entity, text))
        return texts

    def relations_there(self, entities: Sequence[Entity]) -> str:
        """Which relations an entity really has, for the model to choose from where it asked for another."""
        if not entities:
            return ""
        own_first = sorted(self.triples.of(entities[0]).values(), key=lambda asked: not asked.outgoing)
        names = dict.fromkeys(asked.shown for asked in own_first)
        return f"; {entities[0].name} has: {', '.join(list(names)[:_SHOWN_RELATIONS])}" if names else ""


def _names_and_ids(entities: Sequence[Entity]) -> set[str]:
    """What tells them, also where a triple calls one by its full name; a value has no id."""
    return {fold(entity.name) for entity in entities} | {entity.id for entity in entities if entity.id}
