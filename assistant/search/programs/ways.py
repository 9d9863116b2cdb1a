"""Where relations lead, read as a question is read against a knowledge base before any program is written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from assistant.knowledge_bases.linking import Linking
from assistant.knowledge_bases.relations import Asked
from assistant.knowledge_bases.triples_read import TriplesRead, other_end, other_id
from assistant.types import Entity

_ENTITIES = 20  # of which relations are read in a step

End = tuple[str, str | None]  # a name, and the id of what bears it; None for a value


@dataclass
class Ways:
    """The relations of entities and their ends, each entity's read once.

    Its methods raise `KnowledgeBaseUnreachable` as `KnowledgeBase.triples` and `KnowledgeBase.link`, and as
    `Deadline.check`.
    """

    linking: Linking
    _read: TriplesRead = field(init=False)

    def __post_init__(self) -> None:
        self._read = TriplesRead(self.linking.kb, self.linking.question, self.linking.deadline)

    def on_from(self, entities: Sequence[Entity]) -> Mapping[Asked, Sequence[End]]:
        """What the relations of the entities, from either end, lead to."""
        ways: dict[Asked, dict[End, None]] = {}
        for entity in entities[:_ENTITIES]:
            for triple, asked in self._read.of(entity).items():
                ways.setdefault(asked, {})[other_end(triple, asked), other_id(triple, asked)] = None
        return {asked: list(ends) for asked, ends in ways.items()}

    def reached(self, ends: Sequence[End]) -> list[Entity]:
        """The entities at the ends; a value stands for what is called so, or for all that it lists."""
        found = dict[Entity, None]()
        for name, known in ends[:_ENTITIES]:
            entity = [Entity(self.linking.kb.name, known, name)] if known else []
            found |= dict.fromkeys(self.linking.bearers(name, entity))
        return list(found)[:_ENTITIES]
