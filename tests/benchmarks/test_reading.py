"""What of a document is kept, and whether an answer from memory is right, told by strings."""

from datetime import UTC, datetime

import pytest

from assistant.types import Answered
from memory.types import Fact, FactKind, KnownEntity, Span
from tests.benchmarks.coverage import scores
from tests.benchmarks.paragraphs import Paragraph
from tests.benchmarks.reading import right
from tests.benchmarks.words import WORDNET, content_words

needs_wordnet = pytest.mark.skipif(not WORDNET.exists(), reason="WordNet is not installed")
PARAGRAPH = Paragraph("Ada Berg", "Ada Berg paints gulls. She was born in Oban. She keeps two geese in her garden.")


def fact(kind: FactKind, relation: str, object_: str, text: str) -> Fact:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    return Fact("f1", kind, "e1", "Ada Berg", relation, object_, None, text, "s1", "1.md", Span(0, len(text)), now)


@needs_wordnet
def test_words_are_lemmas_without_stop_words() -> None:
    assert content_words("The geese of Ada’s churches and the boats") == {"goose", "ada", "church", "boat"}


@needs_wordnet
def test_each_form_adds_to_what_is_kept_of_a_paragraph() -> None:
    whole = "She keeps two geese in her garden."
    facts = [
        fact(FactKind.TRIPLE, "paints", "gulls", "Ada Berg paints gulls."),
        fact(FactKind.TRIPLE, "lives in", "Rome", "She was born in Oban."),
        fact(FactKind.DESCRIPTION, "description", "She was born in Oban.", "She was born in Oban."),
        fact(FactKind.ASPECT, "geese", whole, whole),
    ]
    entities = [KnownEntity("e1", "Ada Berg")]
    found = scores(PARAGRAPH, facts, entities)
    assert found["recall_triples"] == pytest.approx(4 / 10)  # ada berg paints gull | born oban | keep two goose garden
    assert found["recall_triples_descriptions"] == pytest.approx(6 / 10)
    assert found["recall_all"] == 1.0
    assert found["supported"] == 3 / 4
    assert found["aspects_in_form"] == 1.0
    said = "The painter moved to Rome."
    moved = fact(FactKind.TRIPLE, "moved to", "Rome", said)
    assert scores(PARAGRAPH, [*facts, moved], entities)["supported"] == 3 / 5
    painter = fact(FactKind.TRIPLE, "is", "painter", "She is a painter.")
    assert scores(PARAGRAPH, [*facts, painter, moved], entities)["supported"] == 5 / 6
    assert found["words_stored_per_word"] == pytest.approx((2 + 2 + 3 + 5 + 8) / 18)


@pytest.mark.parametrize(
    ("answer", "gold", "score"),
    [
        ("Yes, both are films [1].", ["yes"], 1.0),
        ("Yes: both are films [1].", ["yes"], 1.0),
        ("No.", ["yes"], 0.0),
        ("Both are films [1].", ["yes"], 0.0),
        ("It was Stanley Hall [2].", ["G. Stanley Hall", "Stanley Hall"], 1.0),
        ("It was Ann Hall [2].", ["Stanley Hall"], 0.0),
        ("Norton Mills [1] makes it.", ["Norton Mills, Inc."], 1.0),
        ("Bea Norton led it.", ['Beatrice Ann "Bea" Norton'], 1.0),
        ("Beatrice Norton led it.", ['Beatrice "Bea" Norton'], 1.0),
        ("Carl Norton led it.", ['Beatrice "Bea" Norton'], 0.0),
        ("In Lake District, to the north.", ["the Lake District."], 1.0),
    ],
)
def test_an_answer_is_right_when_it_says_the_gold_one(answer: str, gold: list[str], score: float) -> None:
    reply = Answered(answer, "search", "Who?")
    assert right(reply, gold) == score
