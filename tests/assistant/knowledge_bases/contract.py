"""What holds for every knowledge base, for those that have triples, and for those that are asked over HTTP.

A knowledge base joins with a class in its own test module:

    class TestContract(KnowledgeBaseContract, TriplesContract):
        @pytest.fixture
        def case(self, ...) -> Case:
            return Case(base, known="Berlin", question="What is the capital of Germany?")
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest

from assistant.errors import KnowledgeBaseUnreachable
from assistant.knowledge_bases.base import Deadline, KnowledgeBase
from assistant.knowledge_bases.web.http import Http
from assistant.types import Direction, Entity, Triple
from tests.assistant.knowledge_bases.loopback import LoopbackServer, Reply

DIRECTIONS: tuple[Direction, ...] = ("out", "in", "both")


@dataclass
class Case:
    """A knowledge base, and a name that it knows and describes, or does not; `at` gives the same one with its server at
    another address."""

    base: KnowledgeBase
    known: str
    question: str
    at: Callable[[str], KnowledgeBase] | None = None
    described: bool = True

    def link(self, mention: str) -> list[Entity]:
        return self.base.link(mention, [], self.question, Deadline.after(30))

    def entity(self) -> Entity:
        return self.link(self.known)[0]

    def triples(self, direction: Direction, limit: int = 1000) -> list[Triple]:
        return self.base.triples(self.entity(), direction, limit, Deadline.after(30))


def asking(http: Http, kind: Callable[[Http, str], KnowledgeBase], address: str) -> KnowledgeBase:
    """A knowledge base whose server is on this machine, at `address`."""
    http.allow(urlsplit(address).netloc, private=True)
    return kind(http, address)


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
        text = case.base.entity_info(case.entity(), Deadline.after(30))
        assert bool(text.strip()) is case.described


class TriplesContract:
    """Inherited besides where triples lead from the known entity; to it, a server may not tell any."""

    @pytest.mark.parametrize("direction", DIRECTIONS)
    def test_triples_have_names_and_touch_the_entity(self, case: Case, direction: Direction) -> None:
        entity = case.entity()
        triples = case.triples(direction)
        assert triples or direction == "in"
        for triple in triples:
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


class ServedContract:
    """Inherited besides where a server is asked: what goes wrong there is never an empty answer."""

    @pytest.mark.parametrize(
        "reply",
        [
            Reply(status=429, headers={"Retry-After": "60"}),
            Reply(status=503),
            Reply(status=404),
            Reply(status=302, headers={"Location": "http://10.0.0.1/"}),
            Reply(stall=True),
            Reply({"query": ["long"] * 50}, cut=True),
            Reply(b'{"query": {"search": ['),
        ],
        ids=["busy", "broken", "missing", "redirect to a private address", "slow", "cut off", "truncated"],
    )
    def test_a_server_in_trouble_is_unreachable(self, case: Case, server: LoopbackServer, reply: Reply) -> None:
        assert case.at is not None
        base = case.at(server.url)
        server.replies(reply)
        with pytest.raises(KnowledgeBaseUnreachable) as caught:
            base.link("A name not asked for before", [], case.question, Deadline.after(0.4))
        assert caught.value.name == case.base.name
        assert server.asked

    def test_without_its_server_it_is_unreachable(self, case: Case) -> None:
        assert case.at is not None
        entity = case.entity()
        gone = LoopbackServer()
        base = case.at(gone.url)
        gone.close()
        with pytest.raises(KnowledgeBaseUnreachable):
            base.entity_info(entity, Deadline.after(20))
