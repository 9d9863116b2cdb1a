"""Markdown that shows text as it is."""

import pytest

from ui.markdown import literal, safe_markdown


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


@pytest.mark.parametrize("text", ["Is Ada O'Neill-Smith (b. 1815) AT&T's #1?", "3 - 2 = 1; 50% + $2.", "市花是什么？"])
def test_plain_words_need_no_markdown_to_be_shown_as_they_are(text: str) -> None:
    assert literal(text) == text
