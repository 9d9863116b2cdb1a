"""Text to passages: nothing lost, nothing cut in the middle."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.passages import Block, sentences, split

_PARAGRAPHS = st.lists(
    st.text(st.sampled_from("ab Z.!?\n。！？”)中文 ,;1é"), max_size=400).map(str.strip).filter(bool), max_size=6
)


def blocks_of(paragraphs: list[str]) -> tuple[str, list[Block]]:
    """Paragraphs joined, and where they stand; one that begins with "Z" is a heading."""
    text, blocks = "", []
    for paragraph in paragraphs:
        blocks.append(Block(len(text), len(text) + len(paragraph), 2 if paragraph[0] == "Z" else 0))
        text += paragraph + "\n\n"
    return text, blocks


@given(_PARAGRAPHS)
def test_passages_cover_the_text_in_order(paragraphs: list[str]) -> None:
    text, blocks = blocks_of(paragraphs)
    passages = list(split(text, blocks))
    end = 0
    for passage in passages:
        assert passage.span.start >= end
        end = passage.span.end
        assert text[passage.span.start : end] == passage.text == passage.text.strip() != ""
    headings = all(block.level for block in blocks)
    body = "".join(text[block.start : block.end] for block in blocks if headings or not block.level)
    assert re.sub(r"\s", "", "".join(p.text for p in passages)) == re.sub(r"\s", "", body)


def test_about_120_words_in_whole_sentences() -> None:
    text = " ".join(f"This is the sentence number {n} of a long story." for n in range(100))
    passages = list(split(text, [Block(0, len(text))]))
    assert len(passages) == 9
    for passage in passages:
        assert passage.text.endswith("story.")
        assert len(passage.text.split()) <= 120


def test_chinese_passages_end_with_a_sentence() -> None:
    text = "玛尔塔出生于里斯本，后来搬到了格拉茨。" * 40
    passages = list(split(text, [Block(0, len(text))]))
    assert len(passages) > 3
    assert all(passage.text.endswith("。") and len(passage.text) <= 230 for passage in passages)


@pytest.mark.parametrize("text", ["word " * 1000, "字" * 2000, "x" * 20_000, "!" * 20_000])
def test_a_sentence_without_end_is_cut(text: str) -> None:
    passages = list(split(text, [Block(0, len(text))]))
    assert "".join(passage.text.replace(" ", "") for passage in passages) == text.replace(" ", "")
    assert max(len(passage.text) for passage in passages) <= 9600


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Am 3. April war Markt. Das war 1945. Mai kam.", ["Am 3. April war Markt.", "Das war 1945.", "Mai kam."]),
        ("Dr. Smith met J. R. R. Tolkien. They ate.", ["Dr. Smith met J. R. R. Tolkien.", "They ate."]),
        ("It cost 3.50 euros. Cheap!", ["It cost 3.50 euros.", "Cheap!"]),
        ('"Stop!" she said. He stopped.', ['"Stop!" she said.', "He stopped."]),
        ("她说：“好。”他走了！真的？", ["她说：“好。”", "他走了！", "真的？"]),
        ("No end", ["No end"]),
        ("Bring\n- a rope\n- two lamps\n1. go", ["Bring", "- a rope", "- two lamps", "1. go"]),
        ("One… two. Three", ["One… two.", "Three"]),
        ("Она родилась в 1990 г. в Москве. Да!", ["Она родилась в 1990 г. в Москве.", "Да!"]),
        ("Il cria : hé ! écoutez. Oui ?", ["Il cria : hé ! écoutez.", "Oui ?"]),
        (
            "1. Budget: Ann reports.\n2. We move in 2012. It rains.",
            ["1. Budget: Ann reports.", "2. We move in 2012.", "It rains."],
        ),
        ("City: Oslo\n\nCity: Rome\n \nCity: Bonn", ["City: Oslo", "City: Rome", "City: Bonn"]),
        ("A line that is\nset in two", ["A line that is\nset in two"]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert [text[span.start : span.end] for span in sentences(text, 0, len(text))] == expected
