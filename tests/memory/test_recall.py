"""Recall with the real embedding model: English, Chinese, names, numbers, neighbours."""

import io
import json
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pptx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.bridges import further_questions
from memory.recall import joined
from memory.store import Memory
from memory.types import THE_USER, Embedder, Extraction, Mention, Recalled, Span
from memory.user_memory import UserMemory
from tests.memory.samples import read, said, spoken, talk_of

NOTES: tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...] = (
    ("My sister Ann lives in Oslo.", (("user", "sister", "Ann"), ("Ann", "lives in", "Oslo"))),
    ("Ann's dog is called Pixel.", (("Ann", "dog", "Pixel"),)),
    ("Pixel is a dachshund.", (("Pixel", "breed", "Dachshund"),)),
    ("The alarm code of the shed is 4711.", (("Shed", "alarm code", "4711"),)),
    ("Marta Quillfeather teaches the violin in Graz.", (("Marta Quillfeather", "teaches", "violin"),)),
    ("I am allergic to walnuts.", (("user", "is allergic to", "walnuts"),)),
    ("张伟住在北京市海淀区。", (("张伟", "住在", "北京市海淀区"),)),
    ("张伟的妻子是李娜，她是医生。", (("张伟", "妻子", "李娜"), ("李娜", "职业", "医生"))),
)


@pytest.fixture(scope="module")
def eve(e5: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[UserMemory]:
    """A memory of eight notes, a document, and much that is beside the point."""
    memory = Memory(tmp_path_factory.mktemp("home"), e5)
    user = memory.of("eve")
    for text, triples in NOTES:
        user.note(text, read(text, *triples))
    for n in range(20):
        text = f"Order {n}: the warehouse in Halle shipped {n * 3 + 5} boxes of screws on a Tuesday."
        user.note(text, read(text, (f"Order {n}", "shipped", f"{n * 3 + 5} boxes")))
    user.add_document("hut.md", "# The hut\n\nThe hut has no running water. 小屋的钥匙在花盆下面。".encode())
    yield user
    memory.close()


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where does Ann live?", "Oslo"),
        ("In which city does my sister live?", "Oslo"),
        ("What is the name of Ann's dog?", "Pixel"),
        ("What is the code of the shed?", "4711"),
        ("4711", "4711"),
        ("Which instrument does quillfeather teach?", "violin"),
        ("What food should I avoid?", "walnuts"),
        ("Is there water in the hut?", "no running water"),
        ("张伟住在哪里？", "北京"),
        ("李娜做什么工作？", "医生"),
        ("钥匙在哪里？", "花盆"),
        ("Where is the key of the hut?", "花盆"),
    ],
)
def test_the_answer_is_among_the_first_five(eve: UserMemory, question: str, answer: str) -> None:
    hits = eve.recall(question, k=5)
    assert len(hits) <= 5
    assert any(answer in hit.text for hit in hits)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    for hit in hits:
        assert eve.source_text(hit.source_id)[hit.span.start : hit.span.end] == hit.text
        assert (hit.fact is None) == (hit.passage_id is not None)


def test_my_means_the_user(memory: Memory) -> None:
    user = memory.of("eve")
    text = "Bo is the brother."
    user.note(text, Extraction((THE_USER, Mention("Bo")), (said(text, "I", "brother", "Bo"),)))
    for n in range(30):
        text = f"Number {n} of my list."
        user.note(text, read(text, (f"Item{n}", "is in", "List")))
    (fact,) = (
        hit.fact for hit in user.recall("What are my siblings called?", k=3) if hit.fact and hit.fact.object == "Bo"
    )
    assert fact.subject == THE_USER.name


def test_what_has_nothing_in_common_with_the_question_stays_away(
    open_memory: Callable[..., Memory], e5: Embedder
) -> None:
    user = open_memory(e5).of("eve")
    for text in ("I am making a dish for the Year 4 feast.", "The alarm code of the shed is 4711.", "我妹妹喜欢游泳。"):
        user.note(text, read(text))
    assert user.recall("What food do I prepare?")[0].text.startswith("I am making a dish")
    for question in ("Who directed the film Casablanca?", "What is the capital of Peru?", "Wann wurde Goethe geboren?"):
        assert user.recall(question) == []


def test_what_a_neighbour_knows_comes_along(eve: UserMemory) -> None:
    assert any("dachshund" in hit.text for hit in eve.recall("What breed is Ann's dog?", k=5))


def test_nothing_and_a_great_deal_can_be_asked(eve: UserMemory) -> None:
    assert eve.recall("") == eve.recall(" \n") == []
    assert len(eve.recall("Where does Ann live? " * 10_000, k=3)) == 3


def test_a_fact_that_no_longer_holds_comes_after_those_that_do(memory: Memory, tmp_path: Path) -> None:
    eve, bob = memory.of("eve"), memory.of("bob")
    for text, language in (("Ann speaks Basque.", "Basque"), ("Ann speaks Welsh.", "Welsh")):
        eve.note(text, read(text, ("Ann", "speaks", language)))
    eve.export(tmp_path / "a.jsonld")
    exported = (tmp_path / "a.jsonld").read_text()
    for ended in ("Basque", "Welsh"):
        data = json.loads(exported)
        (fact,) = (node for node in data["@graph"] if node.get("object") == ended)
        fact["valid_to"] = fact["learned"]
        (tmp_path / "b.jsonld").write_text(json.dumps(data))
        bob.import_(tmp_path / "b.jsonld")
        spoken = [hit.fact.object for hit in bob.recall("What does Ann speak?") if hit.fact]
        assert spoken.index(ended) > 0
        assert bob.facts_of(bob.find_entities("Ann")[0].id)[-1].object == ended
        bob.forget(everything=True)


@pytest.mark.parametrize(
    ("mention", "aliases", "found"),
    [
        ("Ann", (), "Ann"),
        ("ANN", (), "Ann"),
        ("my pet", ("pixel",), "Pixel"),
        ("Quillfeather", (), "Marta Quillfeather"),
        ("Martha Quilfeather", (), "Marta Quillfeather"),
        ("张伟", (), "张伟"),
    ],
)
def test_entities_are_found_by_any_form_of_their_name(
    eve: UserMemory, mention: str, aliases: tuple[str, ...], found: str
) -> None:
    assert eve.find_entities(mention, aliases)[0].name == found


@pytest.mark.parametrize("mention", ["Zanzibar", "photosynthesis", "光合作用", ""])
def test_what_is_not_there_is_not_found(eve: UserMemory, mention: str) -> None:
    assert eve.find_entities(mention) == []


def test_all_namesakes_are_found(memory: Memory) -> None:
    user = memory.of("eve")
    for name in ("Ann Berg", "Ann Holm"):
        text = f"{name} sings."
        user.note(text, read(text, (name, "does", "sing")))
    assert {entity.name for entity in user.find_entities("Ann")} == {"Ann Berg", "Ann Holm"}
    assert [entity.name for entity in user.find_entities("ann holm")] == ["Ann Holm"]


def test_it_recalls_after_a_restart(open_memory: Callable[..., Memory], e5: Embedder) -> None:
    open_memory(e5).of("eve").note("I like tea.", read("I like tea.", ("user", "likes", "tea")))
    assert open_memory(e5).of("eve").recall("What do I drink?")[0].text == "I like tea."


def test_a_passage_leads_to_the_one_that_it_names(memory: Memory) -> None:
    user = memory.of("eve")
    user.add_document("films.md", b"# Ed Wood (film)\n\nA film of 1994 about a director, with Bela Lugosi in it.")
    user.add_document("people.md", b"# Bela Lugosi\n\nBorn in Lugos. Ein Schauspieler.")
    for n in range(40):
        user.add_document(f"{n}.md", f"# Matter {n}\n\nA director of the number {n} was born in the year {n}.".encode())
    hits = user.recall("Where was the actor of the film about Ed Wood born?", k=3)
    assert {hit.source for hit in hits} >= {"films.md", "people.md"}


def test_looking_again_finds_what_the_first_text_leads_to(open_memory: Callable[..., Memory], e5: Embedder) -> None:
    user = open_memory(e5).of("eve")
    user.add_document("play.md", b"Brandfall is a play in verse by Henrik Steen, about a priest.")
    user.add_document("life.md", b"Henrik Steen spent his childhood in Skarn. His father sold timber.")
    for n in range(40):
        user.add_document(f"{n}.md", f"Number{n} is a town with a theatre, where {n} children grow up.".encode())
    question = "In which town did the author of Brandfall grow up?"
    assert "life.md" not in {hit.source for hit in user.recall(question, k=5)}
    found = user.recall_further(question, k=5)
    assert {hit.source for hit in found} >= {"play.md", "life.md"}


def test_names_that_memory_knows_lead_on_in_chinese_too(open_memory: Callable[..., Memory], e5: Embedder) -> None:
    user = open_memory(e5).of("eve")
    for text, triple in (
        ("《长夜》是林晚写的小说。", ("长夜", "作者", "林晚")),
        ("林晚在临江长大。", ("林晚", "长大", "临江")),
    ):
        user.note(text, read(text, triple))
    for n in range(40):
        user.note(text := f"第{n}位作者的家乡是第{n}号镇。", read(text, (f"第{n}位作者", "家乡", f"第{n}号镇")))
    question = "长夜的作者的家乡在哪里？"
    assert not any("临江" in hit.text for hit in user.recall(question, k=6))
    assert any("临江" in hit.text for hit in user.recall_further(question, k=6))


def test_looking_again_in_an_empty_memory_finds_nothing(memory: Memory) -> None:
    assert memory.of("nobody").recall_further("Who is there?") == []


def recalled(number: int, score: float) -> Recalled:
    return Recalled(f"text {number}", "s1", "a.md", Span(0, 1), score, passage_id=f"p{number}")


@given(st.lists(st.integers(0, 30), unique=True), st.lists(st.lists(st.integers(0, 30), unique=True), max_size=3))
def test_looking_again_keeps_the_best_and_all_that_was_found(first: list[int], again: list[list[int]]) -> None:
    looks = [[recalled(n, 1 / (place + 1)) for place, n in enumerate(look)] for look in again]
    found = [hit.id for hit in joined([recalled(n, 0.5) for n in first], looks)]
    assert len(found) == len(set(found))
    assert found[: min(3, len(first))] == [f"p{n}" for n in first[:3]]
    assert set(found) >= {f"p{n}" for n in first}
    assert len(found) <= len(first) + 2 * len(again)
    assert {f"p{look[0]}" for look in again if look} <= set(found)


def test_what_the_user_said_comes_before_the_answers_that_say_it_again(memory: Memory) -> None:
    user = memory.of("eve")
    answer = "For the sourdough course in Leeds, consider the sourdough, the course and Leeds. " * 12
    talk = [
        spoken("human", "I booked the sourdough course in Leeds for the 4th."),
        *[
            spoken(who, text)
            for n in range(8)
            for who, text in (("human", f"And {n}?"), ("assistant", f"{n}. {answer}"))
        ],
    ]
    user.add_document("conversations.json", talk_of(talk, "Bread"))
    best = user.recall("When is the sourdough course in Leeds?")[0]
    assert best.text.startswith("I booked")
    assert best.heading.endswith("18:04 the user")


def test_what_was_asked_is_found_by_its_answer(memory: Memory) -> None:
    user = memory.of("eve")
    talk = [spoken("human", "What would you pack?"), spoken("assistant", "Woollen socks, a lantern, a tarpaulin.")]
    other = [spoken("human", f"Number {n}?") for n in range(40)]
    user.add_document("conversations.json", talk_of([*talk, *other]))
    assert "What would you pack?" in [hit.text for hit in user.recall("tarpaulin lantern", k=3)]


def test_no_talk_goes_before_a_document_that_answers(open_memory: Callable[..., Memory], e5: Embedder) -> None:
    user = open_memory(e5).of("eve")
    manual = "\n\n".join(f"## Part {n}\n\nThe pump of the boiler is bled by its valve number {n}." for n in range(12))
    user.add_document("manual.md", manual.encode())
    talk = [spoken("human", f"My aunt number {n} has a boiler suit, I think.") for n in range(10)]
    user.add_document("conversations.json", talk_of(talk))
    assert user.recall("Which valve bleeds the pump of the boiler?", k=1)[0].source == "manual.md"


def test_what_is_forgotten_between_two_looks_is_not_found(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    user = memory.of("eve")
    user.add_document("play.md", b"Brandfall is a play in verse by Henrik Steen, about a priest.")
    user.add_document("life.md", b"Henrik Steen spent his childhood in Skarn.")

    def forgetting(*given: Any) -> list[str]:
        user.forget(source=user.sources()[0].id)
        return further_questions(*given)

    monkeypatch.setattr("memory.contents.further_questions", forgetting)
    assert {hit.source for hit in user.recall_further("Where was the author of Brandfall born?")} == {"life.md"}


@pytest.mark.parametrize("place", ["memory.recall.entities_in", "memory.records.merging.groups"])
def test_an_entity_may_be_forgotten_between_two_queries(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    user = memory.of("eve")
    text = "Brandfall is a play by Henrik Steen."
    user.note(text, read(text, ("Brandfall", "author", "Henrik Steen")))
    module, _, name = place.rpartition(".")
    real = getattr(import_module(module), name)

    def forgetting(*given: Any) -> Any:
        found = real(*given)
        monkeypatch.setattr(place, real)
        user.forget(everything=True)
        return found

    monkeypatch.setattr(place, forgetting)
    assert user.recall_further("Where was the author of Brandfall born?") == []


def slides(*texts: str) -> bytes:
    made = pptx.Presentation()
    for text in texts:
        made.slides.add_slide(made.slide_layouts[1]).placeholders[1].text = text
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def test_a_document_that_is_called_by_its_name_goes_before_its_like(memory: Memory) -> None:
    user = memory.of("me")
    for name in ("harbour.md", "mill.md"):
        user.add_document(name, f"# {name}\n\nThe rent is due on the third of each month.\n".encode())
    assert user.recall("What does mill.md say about the rent?", 1)[0].source == "mill.md"
    assert user.recall("What does harbour say about the rent?", 1)[0].source == "harbour.md"


def test_a_page_that_is_named_by_its_number_goes_first(memory: Memory) -> None:
    user = memory.of("me")
    user.add_document("plan.pptx", slides("The crane is red.", "The quay is long.", "The boats are old."))
    user.add_document(
        "other.pptx", slides("The crane is red.", "The page is blank.", "It is said that page 2 says nothing.")
    )
    for question in ("What does page 2 of plan.pptx say?", "plan.pptx 第２页讲了什么？"):
        first = user.recall(question, 1)[0]
        assert (first.source, first.page, first.text) == ("plan.pptx", 2, "The quay is long.")
