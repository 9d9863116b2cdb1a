"""What holds for every knowledge base.

A knowledge base joins with a class in its own test module:

    class TestContract(KnowledgeBaseContract):
        @pytest.fixture
        def case(self, ...) -> Case:
            return Case(base, known="Berlin", question="What is the capital of Germany?")
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

from assistant.errors import KnowledgeBaseUnreachable
from assistant.knowledge_bases.base import Deadline, KnowledgeBase
from assistant.types import Direction, Entity, Triple

DIRECTIONS: tuple[Direction, ...] = ("out", "in", "both")


@dataclass
class Case:
    """A knowledge base, and a name that it knows; `stop` takes its server away, where it has one."""

    base: KnowledgeBase
    known: str
    question: str
    stop: Callable[[], None] | None = None

    def link(self, mention: str) -> list[Entity]:
        return self.base.link(mention, [], self.question, Deadline.after(30))

    def entity(self) -> Entity:
        return self.link(self.known)[0]

    def triples(self, direction: Direction, limit: int = 1000) -> list[Triple]:
        return self.base.triples(self.entity(), direction, limit, Deadline.after(30))


class KnowledgeBaseContract:
    """Inherited by a test class that has a fixture `case`."""

    def test_a_known_name_is_linked(self, case: Case) -> None:
        entities = case.link(case.known)
        assert entities
        assert all(entity.kb == case.base.name and entity.id and entity.name for entity in entities)
        assert len({entity.id for entity in entities}) == len(entities)

    def test_an_unknown_name_is_linked_to_nothing(self, case: Case) -> None:
        assert case.link("Qwxzvk Jjfhgpq") == []

    def test_an_alias_is_as_good_as_the_name(self, case: Case) -> None:
        by_alias = case.base.link("Qwxzvk Jjfhgpq", [case.known], case.question, Deadline.after(30))
        assert case.entity().id in {entity.id for entity in by_alias}

    @pytest.mark.parametrize("name", ["", "  ", "|", "[[x]]|<b>", "'; DROP TABLE t;--", "\x00\n", "%_*?", "长" * 3000])
    def test_an_odd_name_is_a_name_like_any_other(self, case: Case, name: str) -> None:
        assert isinstance(case.link(name), list)

    def test_linking_is_the_same_each_time_also_from_several_threads(self, case: Case) -> None:
        first = case.link(case.known)
        with ThreadPoolExecutor(3) as pool:
            assert all(again == first for again in pool.map(case.link, [case.known] * 6))

    def test_information_is_text(self, case: Case) -> None:
        assert isinstance(case.base.entity_info(case.entity(), Deadline.after(30)), str)

    @pytest.mark.parametrize("direction", DIRECTIONS)
    def test_triples_have_names_and_touch_the_entity(self, case: Case, direction: Direction) -> None:
        entity = case.entity()
        for triple in case.triples(direction):
            assert triple.subject.strip()
            assert triple.relation.strip()
            assert triple.object.strip()
            assert triple.kb == case.base.name
            ends = {"out": [triple.subject_id], "in": [triple.object_id]}
            assert entity.id in ends.get(direction, [triple.subject_id, triple.object_id])

    @pytest.mark.parametrize("direction", DIRECTIONS)
    def test_no_more_triples_than_asked_for(self, case: Case, direction: Direction) -> None:
        everything = case.triples(direction)
        for limit in (1, 2):
            assert len(case.triples(direction, limit)) == min(limit, len(everything))

    def test_without_its_server_it_is_unreachable_which_is_not_nothing(self, case: Case) -> None:
        if case.stop is None:
            pytest.skip("has no server that could be away")
        case.stop()
        with pytest.raises(KnowledgeBaseUnreachable) as caught:
            case.link("A name not asked for before")
        assert caught.value.name == case.base.name
