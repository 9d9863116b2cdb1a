"""Markdown that shows text as it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.markdown import as_typed, safe_markdown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<script>x</script>", "&lt;script>x&lt;/script>"),
        ("a &lt; b", "a &amp;lt; b"),
        ("![x](https://e.example/x.png)", "!\\[x](https://e.example/x.png)"),
        ("`<b>`", "`<b>`"),
        ("```html\n<b>\n```", "```html\n<b>\n```"),
        ("```mermaid\ngraph\n```", "```text\ngraph\n```"),
        ("**bold** _it_", "**bold** _it_"),
    ],
)
def test_markup_of_a_model_is_text_but_markdown_stays(text: str, shown: str) -> None:
    assert safe_markdown(text) == shown


@given(st.text(alphabet="a&<>;#lt/`\n "))
def test_a_message_is_edited_as_it_was_typed(text: str) -> None:
    assert as_typed(safe_markdown(text)) == text
