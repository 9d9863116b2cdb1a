"""Citations and the cards that they open."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.citations import cited
from assistant.types import Evidence
from ui.markdown import safe_markdown
from ui.sources import linking, sources_html

TWO = (
    Evidence(1, "world", "Kenya", "capital", "Nairobi", url="https://example.org/a?b=1&c=2"),
    Evidence(2, "personal", "Mira", "lives in", "Tromsø", "Mira lives in Tromsø.", source="mira.md"),
)


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("Nairobi [1].", ["#e-0-1"]),
        ("Both [1][2].", ["#e-0-1", "#e-0-2"]),
        ("Both [1, 2].", ["#e-0-1", "#e-0-2"]),
        ("两者[1，2]。", ["#e-0-1", "#e-0-2"]),
        ("All of [1-2] and ［1］.", ["#e-0-1", "#e-0-2"]),
        ("[1](https://example.org) and \\[2\\].", []),
        ("[1]: https://example.org", ["#e-0-1"]),
        ("Neither [3] nor [1, 3].", []),
        ("A year [1999] and a [link].", []),
    ],
)
def test_only_numbers_with_evidence_become_links(text: str, targets: list[str]) -> None:
    linked = safe_markdown(text, linking(TWO, "0"))
    assert [target for target in ("#e-0-1", "#e-0-2", "#e-0-3") if target in linked] == targets


def test_the_answer_s_own_sources_come_first_and_the_rest_is_set_apart() -> None:
    html = sources_html(TWO, "Tromsø [2].", "0")
    assert "<summary>1 source</summary>" in html
    assert html.index("e-0-2") < html.index("Also found") < html.index("e-0-1")
    assert "none cited" in sources_html(TWO, "I don't know.", "0")
    assert sources_html((), "Hello [1].", "0") == ""


def test_a_card_shows_text_source_and_a_safe_link() -> None:
    html = sources_html(TWO, "[1][2]", "0")
    assert "<blockquote>Mira lives in Tromsø.</blockquote>" in html
    assert "mira.md" in html
    assert 'href="https://example.org/a?b=1&amp;c=2" target="_blank" rel="noopener noreferrer"' in html


def test_nothing_in_evidence_can_become_markup() -> None:
    evil = '"><img src=x onerror=alert(1)>'
    evidence = (Evidence(1, evil, evil, evil, evil, evil + "t", "javascript:alert(1)", source=evil),)
    html = sources_html(evidence, "[1]", "0")
    assert "<img" not in html
    assert "javascript:" not in html
    link = safe_markdown("[1]", linking(evidence, "0"))
    assert link.count("<") == 4  # a paragraph, and the link in it
    assert link.count('"') == 4


@given(st.text(alphabet="ab [],0123456789，、"))
def test_what_is_cited_is_what_is_linked(text: str) -> None:
    evidence = [Evidence(n, "k", "s", "r", "o") for n in cited(text)]
    linked = safe_markdown(text, linking(evidence, "0"))
    assert all(f'"#e-0-{e.id}"' in linked for e in evidence)


def test_in_code_a_number_is_an_index() -> None:
    text = "See `rows[1]` and\n```python\nfirst = rows[1]\n```\nas said [1]."
    linked = safe_markdown(text, linking(TWO, "0"))
    assert "<code>rows&#91;1&#93;</code>" in linked
    assert "```python\nfirst = rows[1]\n```" in linked
    assert linked.count("#e-0-1") == 1
