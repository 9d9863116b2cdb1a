"""The user's own memory as a knowledge base."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from assistant.knowledge_bases.base import Deadline, TextSearch
from assistant.knowledge_bases.linking import Linking
from assistant.knowledge_bases.personal import Personal
from assistant.knowledge_bases.relations import RelationRanker
from assistant.types import Entity
from memory.store import Memory
from memory.types import Extraction, FactKind, Held, Mention, Span, Statement
from memory.user_memory import UserMemory
from tests.assistant.knowledge_bases.contract import Case, KnowledgeBaseContract, TriplesContract
from tests.memory.samples import WordEmbedder, read

TEXT = "Ilka is a glassblower. Ilka works in Drava Hall. Her workshop opens at nine and smells of pine."


def stated(kind: FactKind, subject: str, relation: str, value: str, sentence: str) -> Statement:
    start = TEXT.index(sentence)
    return Statement(kind, subject, relation, value, Span(start, start + len(sentence)))


@pytest.fixture
def memory(home: Path) -> Iterator[Memory]:
    opened = Memory(home, WordEmbedder())
    yield opened
    opened.close()


@pytest.fixture
def user(memory: Memory) -> UserMemory:
    of_user = memory.of("ana")
    source = of_user.add_document("ilka.txt", TEXT.encode())
    statements = (
        stated(FactKind.DESCRIPTION, "Ilka", "description", "A glassblower.", "Ilka is a glassblower."),
        stated(FactKind.TRIPLE, "Ilka", "works in", "Drava Hall", "Ilka works in Drava Hall."),
        stated(FactKind.ASPECT, "Ilka", "workshop", "It opens at nine.", "Her workshop opens at nine"),
    )
    extraction = Extraction((Mention("Ilka"), Mention("Drava Hall")), statements)
    for passage_id, _ in of_user.passages(source.id):
        of_user.store(source.id, passage_id, extraction)
    return of_user


@pytest.fixture
def personal(user: UserMemory) -> Personal:
    return Personal(user)


def ilka(personal: Personal) -> Entity:
    return personal.link("Ilka", [], "", Deadline.after(9))[0]


class TestContract(KnowledgeBaseContract, TriplesContract):
    @pytest.fixture
    def case(self, personal: Personal) -> Case:
        return Case(personal, "Ilka", "Where does Ilka work?")


def test_facts_and_aspects_are_triples_with_the_words_that_support_them(personal: Personal) -> None:
    triples = {triple.relation: triple for triple in personal.triples(ilka(personal), "out", 9, Deadline.after(9))}
    works, workshop = triples["works in"], triples["workshop"]
    assert (works.subject, works.relation, works.object) == ("Ilka", "works in", "Drava Hall")
    assert (works.text, works.source) == ("Ilka works in Drava Hall.", "ilka.txt")
    assert works.url.startswith("memory:fact/")
    assert (workshop.object, workshop.object_id) == ("It opens at nine.", None)


def test_the_description_is_the_information_and_no_triple(personal: Personal) -> None:
    assert personal.entity_info(ilka(personal), Deadline.after(9)) == "A glassblower."
    assert "description" not in {t.relation for t in personal.triples(ilka(personal), "both", 9, Deadline.after(9))}


def test_a_fact_is_found_from_its_other_end(personal: Personal) -> None:
    (works,) = (t for t in personal.triples(ilka(personal), "out", 9, Deadline.after(9)) if t.relation == "works in")
    hall = Entity("personal", works.object_id or "", works.object)
    assert [t.subject for t in personal.triples(hall, "in", 9, Deadline.after(9))] == ["Ilka"]
    assert personal.triples(hall, "out", 9, Deadline.after(9)) == []


def test_of_very_many_facts_each_relation_has_its_share_and_can_be_read_to_its_end(memory: Memory) -> None:
    user = memory.of("ben")
    text = "Ilka works in Drava Hall. " + "Ilka knows everybody. " * 5
    source = user.add_document("ilka.txt", text.encode())
    works, knows = Span(0, 25), Span(26, 47)
    statements = (
        Statement(FactKind.TRIPLE, "Ilka", "works in", "Drava Hall", works),
        *(Statement(FactKind.TRIPLE, "Ilka", "knows", f"Person {number}", knows) for number in range(30)),
    )
    for passage_id, _ in user.passages(source.id):
        user.store(source.id, passage_id, Extraction((Mention("Ilka"),), statements))
    personal = Personal(user)
    found = personal.triples(ilka(personal), "both", 10, Deadline.after(9))
    assert [triple.relation for triple in found].count("works in") == 1
    assert len(found) == 10
    known = personal.related(ilka(personal), ["knows"], 99, Deadline.after(9), outgoing=True)
    assert {triple.object for triple in known} == {f"Person {number}" for number in range(30)}
    assert personal.related(ilka(personal), ["knows"], 99, Deadline.after(9), outgoing=False) == []


def test_what_no_fact_holds_is_found_as_a_passage(personal: Personal) -> None:
    assert isinstance(personal, TextSearch)
    found = personal.search_text("What does the workshop smell of, pine?", 9, Deadline.after(9))
    (passage,) = (evidence for evidence in found if evidence.url.startswith("memory:passage/"))
    assert (passage.subject, passage.relation, passage.object) == ("ilka.txt", "passage", TEXT)
    assert (passage.text, passage.source, passage.kb, passage.id) == (TEXT, "ilka.txt", "personal", 0)
    assert found == [passage]  # the facts that it holds are not said again


@pytest.mark.parametrize(
    ("told", "question", "before", "now"),
    [
        (
            [("I live in Berlin.", "lives in", "Berlin"), ("I moved to Oslo.", "moved to", "Oslo")],
            "Where did I live before?",
            "I live in Berlin. (until ",
            "I moved to Oslo.",
        ),
        (
            [("我住在柏林。", "住在", "柏林"), ("我搬到了奥斯陆。", "搬到了", "奥斯陆")],
            "我以前住在哪里？",
            "我住在柏林。 (到",
            "我搬到了奥斯陆。",
        ),
    ],
)
def test_what_was_says_that_it_was(
    memory: Memory, told: list[tuple[str, str, str]], question: str, before: str, now: str
) -> None:
    user = memory.of("ana")
    for text, relation, value in told:
        user.note(text, read(text, ("the user", relation, value), ends=[fact.id for fact in user.facts()]))
    texts = [evidence.text for evidence in Personal(user).search_text(question, 4, Deadline.after(9))]
    assert [text.startswith(before) for text in texts] == [False, True]
    assert now in texts


def test_what_is_to_come_says_from_when(memory: Memory) -> None:
    user = memory.of("ana")
    text = "I am moving to Rome in March 2099."
    to_come = Held(datetime(2099, 3, 1, tzinfo=UTC), ahead=True)
    user.note(text, read(text, ("the user", "moving to", "Rome"), held=to_come))
    personal = Personal(user)
    (entity,) = personal.link("the user", (), text, Deadline.after(9))
    (found,) = personal.triples(entity, "out", 4, Deadline.after(9))
    assert found.text == f"{text} (not before 2099-03-01)"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ann lives in Oslo.", ["No, that's wrong, Ann lives in Rome."]),
        (
            "Ann lives in Oslo. She keeps geese.",
            [
                "Ann lives in Oslo. (put right since: it was never so)",
                "Ann lives in Oslo. She keeps geese.",
                "No, that's wrong, Ann lives in Rome.",
            ],
        ),
    ],
)
def test_what_was_never_so_only_says_what_a_passage_has_wrong(memory: Memory, text: str, found: list[str]) -> None:
    user = memory.of("ana")
    _, stored = user.note(text, read("Ann lives in Oslo.", ("Ann", "lives in", "Oslo")))
    right = "No, that's wrong, Ann lives in Rome."
    wrong = [stored.added[0].id]
    user.note(right, read(right, ("Ann", "lives in", "Rome"), ends=wrong), corrects=wrong)
    texts = [evidence.text for evidence in Personal(user).search_text("Where does Ann live?", 4, Deadline.after(9))]
    assert sorted(texts) == sorted(found)


def test_what_was_is_told_however_much_else_there_is(memory: Memory) -> None:
    user = memory.of("ana")
    _, stored = user.note("Ann lives in Oslo.", read("Ann lives in Oslo.", ("Ann", "lives in", "Oslo")))
    user.note("Ann moved to Rome.", read("Ann moved to Rome.", ("Ann", "moved to", "Rome"), ends=[stored.added[0].id]))
    for name in ("Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida"):
        user.note(f"{name} lives in Oslo.", read(f"{name} lives in Oslo.", (name, "lives in", "Oslo")))
    found = Personal(user).search_text("Where did Ann live before?", 6, Deadline.after(9))
    assert found[-1].text.startswith("Ann lives in Oslo. (until ")


def test_in_a_document_what_was_goes_before_its_passage(memory: Memory) -> None:
    user = memory.of("ana")
    text = "Ilka lived in Ljubljana until 2019. She works in Drava Hall."
    source = user.add_document("ilka.txt", text.encode())
    ((passage_id, _),) = user.passages(source.id)
    over = Held(until=datetime(2019, 12, 31, tzinfo=UTC))
    statement = Statement(FactKind.TRIPLE, "Ilka", "lived in", "Ljubljana", Span(0, 35), held=over)
    user.store(source.id, passage_id, Extraction((Mention("Ilka"),), (statement,)))
    found = Personal(user).search_text("Where did Ilka live before?", 4, Deadline.after(9))
    ended = "Ilka lived in Ljubljana until 2019. (until 2019-12-31, no longer so)"
    assert [evidence.text for evidence in found] == [ended, text]


def test_nothing_of_one_user_is_found_by_another(memory: Memory, personal: Personal) -> None:
    assert ilka(personal)
    other = Personal(memory.of("ben"))
    assert other.link("Ilka", [], "", Deadline.after(9)) == []
    assert other.search_text("Where does Ilka work?", 9, Deadline.after(9)) == []


def test_all_that_have_the_name_are_linked(memory: Memory) -> None:
    user = memory.of("ben")
    named = [f"Anna {letter * 3}" for letter in "abcdefghijkl"]
    text = " ".join(f"{name} bakes bread." for name in named)
    source = user.add_document("annas.txt", text.encode())
    spans = [Span(text.index(name), text.index(name) + len(name)) for name in named]
    statements = (Statement(FactKind.TRIPLE, n, "bakes", "bread", s) for n, s in zip(named, spans, strict=True))
    for passage_id, _ in user.passages(source.id):
        user.store(source.id, passage_id, Extraction(tuple(map(Mention, named)), tuple(statements)))
    linking = Linking(Personal(user), "What does Anna do?", Deadline.after(30), RelationRanker(WordEmbedder()))
    assert sorted(entity.name for entity in linking.entities(["Anna"], ["job"])) == named
