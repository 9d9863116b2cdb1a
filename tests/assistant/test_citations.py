"""What cites evidence, and what only looks like it."""

import re
from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.answering.declining import without_model
from assistant.answering.reader import Reader
from assistant.citations import (
    Lookalikes,
    as_text,
    as_texts,
    cited,
    ends_in_code,
    evidence_told_apart,
    told_apart,
    without_citations,
)
from assistant.llm.client import LanguageModel
from assistant.llm.scripted import ScriptedTransport, Weights
from assistant.memory_requests.replies import acknowledgement
from assistant.policy import SMALL
from assistant.search.evidence import with_objects
from assistant.types import Certainty, Evidence, Turn
from tests.ui.samples import read
from ui.markdown import safe_markdown
from ui.sources import linking

PIECES = (
    *("[1]", "[2]", "[ 3 ]", "[1, 2]", "[1-3]", "【3】", "［3］", "⟦3⟧", "[a]", "[", "]", "(", ")", "\\", "1", "word"),
    *(" ", "\n", "[2](https://x.example)", "a[1]", "[[4]]", "[2024-05-01]", "[1] [2]", "[citation needed]", "米[1]。"),
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=10).map("".join)
THREE = tuple(Evidence(n, "kb", f"thing {n}", "is", f"value {n}") for n in (1, 2, 3))


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Lima [1].", [1]),
        ("利马[1]。", [1]),
        ("Both [1, 2] and [1；2] and [3、4].", [1, 2, 3, 4]),
        ("All of [1-3] and [7–9].", [1, 2, 3, 7, 8, 9]),
        ("[5-2] and [1-900]", [5, 2, 1, 900]),
        ("`a[1]` and ``b`[2]`` but [3]", [3]),
        ("\\`[1]`", [1]),
        ("```python\na[1]\n```\nas said [2]", [2]),
        ("~~~\n```\na[1]\n~~~\nas said [2]", [2]),
        ("\\[1\\] and [2](https://example.org) and 【3】 and ［4］", []),
        ("A day [2024-05-01], a year [1999], a [link].", []),
        ("a\r\nb [1]", [1]),
    ],
)
def test_which_numbers_a_text_cites(text: str, numbers: list[int]) -> None:
    assert cited(text) == numbers


def test_a_text_without_its_citations() -> None:
    assert without_citations("Lima [1] is `a[1]` [2, 3].") == "Lima is `a[1]`."


def test_a_block_of_code_is_open_until_it_is_closed() -> None:
    assert ends_in_code("See:\n```python\na = 1")
    assert ends_in_code("~~~\n```\n")
    assert not ends_in_code("See:\n```python\na = 1\n```\n")
    assert not ends_in_code("`a")


@given(TEXTS)
def test_what_a_model_reads_has_no_citation_and_is_shown_as_it_was_spelled(text: str) -> None:
    apart = told_apart(text)
    assert cited(apart) == []
    shown = safe_markdown(Lookalikes.of([], text).in_answer(apart), linking(THREE, "0"))
    assert "#e-" not in shown
    if not re.search(r"\\|\]\(", text):  # where the text is Markdown itself, it is shown as such
        same = str.maketrans("［］【】⟦⟧", "[][][]")  # of one number in several brackets, all get the first ones
        assert "".join(read(shown).translate(same).split()) == "".join(text.translate(same).split())


@given(TEXTS)
def test_words_of_others_cite_nothing_in_an_answer_of_ours(text: str) -> None:
    assert "#e-" not in safe_markdown(as_text(text.replace("\\", "")), linking(THREE, "0"))


@given(st.lists(st.sampled_from(["[", "1", "]", " a ", "[2]", "`b[1]`", "[1, 2]", "[long words that never end "])))
def test_a_text_in_pieces_cites_nothing_wherever_it_is_cut(pieces: list[str]) -> None:
    assert cited("".join(as_texts(pieces))) == []


@pytest.mark.parametrize("text", ["[" * 50_000, "[1" * 30_000, "[" + "1," * 30_000, "[ " * 30_000, "`[1]" * 3_000])
def test_hostile_text_takes_no_time_to_speak_of(text: str) -> None:
    assert told_apart(text)
    assert len(cited(text)) <= 3_000


def answered(reply: str, evidence: tuple[Evidence, ...], question: str, own: bool = False) -> tuple[str, str]:
    """The answer, and the last prompt that it was made of."""
    model = ScriptedTransport({"answer": [reply, "From memory [2] and a["], "entailment": [Weights({"yes": 1.0})] * 9})
    turn = Turn(question, "me", "s", datetime(2026, 1, 5), question=question)
    policy = replace(SMALL, own_knowledge="marked" if own else "never")
    pieces = list(Reader(policy).answer(LanguageModel(model), turn, evidence))
    asked = [request for request in model.requests if request.purpose == "answer"]
    return "".join(piece.text for piece in pieces), asked[0].messages[-1].content


PLAN = Evidence(
    1, "personal", "plan.md", "", "", "The mill was bought by Roux[3], as the deed [2] says 【1】.", source="plan.md"
)
DEED = Evidence(2, "personal", "deed.md", "", "", "The mill stands in Ulm.", source="deed.md")
BAKERY = Evidence(3, "personal", "other.md", "", "", "The bakery is closed.", source="other.md")


def test_a_marker_that_a_document_has_is_no_citation_where_the_model_repeats_it() -> None:
    question = "Who bought the mill of note [2]?"
    reply = "The mill was bought by Roux⟦3⟧, as the deed ⟦2⟧ says ⟦1⟧ [1]."
    said, prompt = answered(reply, (PLAN, DEED, BAKERY), question)
    assert said == "The mill was bought by Roux\\[3\\], as the deed \\[2\\] says 【1】 [1]."
    assert cited(said) == [1]
    shown = safe_markdown(said, linking((PLAN, DEED, BAKERY), "0"))
    assert read(shown) == "The mill was bought by Roux[3], as the deed [2] says 【1】 1."
    assert shown.count("#e-0-") == 1
    assert cited(prompt) == [1, 2, 3]  # each piece of evidence has its number, and nothing else has one
    assert "Who bought the mill of note ⟦2⟧?" in prompt


def test_an_index_in_code_is_neither_a_link_nor_taken_away() -> None:
    code = Evidence(
        1, "personal", "notes.md", "", "", "The first mill is mills[0], the second mill mills[1].", source="notes.md"
    )
    said, _ = answered("The second mill is `mills⟦1⟧`, or `mills[7]` [1].", (code,), "Which is the second mill?")
    assert said == "The second mill is `mills[1]`, or `mills[7]` [1]."
    said, _ = answered(
        "The second mill [1]:\n```python\nmills[1]\nmills[9]\n```\n", (code,), "Which is the second mill?"
    )
    assert "```python\nmills[1]\nmills[9]\n```" in said
    assert cited(said) == [1]


def test_what_the_model_knows_by_itself_cites_no_evidence() -> None:
    said, _ = answered("UNKNOWN", (DEED,), "Who owns the mill?", own=True)
    assert "From memory \\[2\\] and a[" in said
    assert cited(said) == []


def test_a_result_as_it_stands_cites_only_itself() -> None:
    mills = [f"mill {n}[{n}]" for n in range(1, 9)]
    listed = with_objects(Evidence(1, "kb", "mills", "result", "", certainty=Certainty.NAMED), mills)
    turn = Turn("Which mills are there?", "me", "s", datetime(2026, 1, 5), question="Which mills are there?")
    pieces = Reader(SMALL).answer(LanguageModel(ScriptedTransport([])), turn, (listed, DEED))
    said = "".join(piece.text for piece in pieces)
    assert cited(said) == [1]
    assert "mill 2\\[2\\]" in said


def test_facts_that_are_listed_cite_nothing_by_their_own_brackets() -> None:
    turn = Turn("hello", "me", "s", datetime(2026, 1, 5))
    assert cited(without_model(turn, [PLAN])) == [1]
    assert cited(acknowledgement("en", ["Roux – note: [3]"])) == []
    assert evidence_told_apart(DEED) is DEED


@settings(max_examples=60)
@given(TEXTS)
def test_a_document_summed_up_by_its_own_sentences_cites_only_itself(text: str) -> None:
    turn = Turn("Sum it up", "me", "s", datetime(2026, 1, 5), question="Sum it up")
    passage = Evidence(1, "personal", "a.md", "", "", f"Start {text}".replace("\\", "").replace("\n", " "))
    model = LanguageModel(ScriptedTransport({"answer": ["UNKNOWN"]}))
    said = "".join(piece.text for piece in Reader(SMALL).summary(model, turn, "a.md", [passage]))
    assert set(cited(said)) <= {1}
