import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.remembering.asked import without_questions
from memory.passages import sentences
from memory.types import Extraction, FactKind, Span, Statement


def reading(parts: list[tuple[str, Span]]) -> Extraction:
    return Extraction(statements=tuple(Statement(FactKind.TRIPLE, "the user", "has", *part) for part in parts))


def sentences_of(text: str) -> list[tuple[str, Span]]:
    return [(text[span.start : span.end], span) for span in sentences(text, 0, len(text))]


@pytest.mark.parametrize(
    ("text", "objects", "told"),
    [
        (
            "Hello. I moved to Kiel. What is the weather like there? It rains.",
            ["Kiel"],
            "Hello. I moved to Kiel. It rains.",
        ),
        ("Wo ist hier ein Bäcker? Ich wohne in Gera.", ["Gera"], "Ich wohne in Gera."),
        ("我住在烟台。这里有什么好吃的？", ["烟台"], "我住在烟台。"),
        ("أسكن في حلب. ما حال الطقس؟", ["حلب"], "أسكن في حلب."),
        ("Hi! Can you keep that my PIN is 4422?", ["4422"], "Hi! Can you keep that my PIN is 4422?"),
        ("What is my sister's dog called?", [], ""),
        ("My daughter is in 6B, what does she need?", ["6B"], "My daughter is in 6B, what does she need?"),
    ],
)
def test_sentences_that_only_ask_are_not_kept(text: str, objects: list[str], told: str) -> None:
    parts = [(word, span) for word in objects for sentence, span in sentences_of(text) if word in sentence]
    kept, extraction = without_questions(text, reading(parts))
    assert kept == told
    assert all(one.object in kept[one.span.start : one.span.end] for one in extraction.statements)


PARTS = st.sampled_from(["I row. ", "Do I? ", "我会。", "好吗？", "Tea?? ", "Yes!\n"])


@given(st.lists(PARTS, min_size=1, max_size=8).map("".join), st.data())
def test_what_is_read_keeps_its_place(text: str, data: st.DataObject) -> None:
    told = reading(data.draw(st.lists(st.sampled_from(sentences_of(text)), unique=True)))
    kept, extraction = without_questions(text, told)
    found = [kept[one.span.start : one.span.end] for one in extraction.statements]
    assert found == [one.object for one in told.statements]


def test_what_a_whole_message_tells_keeps_it() -> None:
    text = "I row. Do you?"
    told = reading([("row", Span(0, len(text)))])
    assert without_questions(text, told) == (text, told)
