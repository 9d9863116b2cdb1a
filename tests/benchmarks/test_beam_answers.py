"""Which of BEAM's questions a string can judge."""

import pytest

from tests.benchmarks.beam_answers import wanted


@pytest.mark.parametrize(
    ("kind", "answer", "rubric", "value"),
    [
        ("information_extraction", "It ends on March 29.", ["LLM response should state: March 29"], "March 29"),
        ("temporal_reasoning", "4 weeks", ["LLM response should state: 8 weeks", "from May till July"], None),
        (
            "information_extraction",
            "You planned a, b",
            ["LLM response should state: you planned to ask for a first"],
            None,
        ),
        ("abstention", "Nothing is told of it.", ["Nothing is told of it"], ""),
        ("summarization", "March 29", ["LLM response should state: March 29"], None),
    ],
)
def test_it_judges_short_values_on_which_answer_and_rubric_agree(kind, answer, rubric, value) -> None:
    assert wanted({"kind": kind, "answer": answer, "rubric": rubric}) == value
