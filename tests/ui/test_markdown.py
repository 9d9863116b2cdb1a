"""Markdown that shows text as it is: what the parser here makes of it, and what a real browser does."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from html import unescape
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from playwright.sync_api import Page, expect

from assistant.turns.kept_events import to_details
from assistant.types import Evidence, Found
from memory.types import SavedMessage
from tests.ui.conftest import Served
from ui.markdown import Growing, literal, safe_html, safe_markdown
from ui.sources import linking

Serve = Callable[..., Served]
Visit = Callable[..., Page]

EVIDENCE = (Evidence(1, "world", "Kenya", "capital", 'Nai"robi <b>'), Evidence(2, "world", "a", "b", "c"))
PIECES = (
    *("`", "``", "```", "~~~", "````", "\\", "\\`", "\\\\", "*", "**", "_", "~~", "#", "# ", "> ", "- ", "1. ", "+ "),
    *("\n", "\n\n", "\r\n", "\r", "\t", " ", "    ", "  \n", "|", "|-|", "\n|a|b|\n|-|-|\n|c|d|\n", "---", "===", ":"),
    *("<img src=x onerror=alert(1)>", "<form action=/x><input name=q>", "<script>alert(1)</script>", "<b>", "</b>"),
    *("<svg onload=alert(1)>", "<iframe src=//evil.example>", "<style>*{}</style>", "<!--", "-->", "<?x", "<![CDATA["),
    *("<a href=javascript:alert(1)>", "</pre>", "</code>", "<div>", "</div>", "<details open ontoggle=alert(1)>", "<p"),
    *("&lt;img src=x&gt;", "&amp;", "&#60;img src=y&#62;", "&#x3c;", "<", ">", "&", '"', "'", "!", "[", "]", "(", ")"),
    *("![a](https://evil.example/a.png)", "[x](javascript:alert(2))", "[y](https://good.example/a)", "[z](/logout)"),
    *("[w](data:text/html,<b>)", "[e](#e-0-9)", "[r]: https://evil.example", "[r]", "![r]", "[1]: javascript:alert(3)"),
    *(
        "<https://good.example>",
        "<javascript:alert(4)>",
        "https://good.example/x[1]",
        "www.evil.example",
        "me@evil.example",
    ),
    *(
        "[1]",
        "[1, 2]",
        "[9]",
        "[^1]",
        "[^1]: note",
        "- [ ] todo",
        "- [x] done",
        "a[1]",
        "`a[1]`",
        "$x$",
        "$$y$$",
        "\\(z\\)",
    ),
    *(
        "```mermaid\ngraph TD\n```",
        "```html\n<img src=q>\n",
        "%%%LATEX_BLOCK_0%%%",
        "word",
        "Ünï",
        "米拉",
        "\u200b",
        "\u2028",
    ),
)
WORDS = st.integers(0, 10**9).map("ü{}ü".format)
TEXTS = st.lists(st.one_of(WORDS, *[st.sampled_from(PIECES)] * 3), max_size=12).map("".join)
ALLOWED = frozenset(
    {"P", "EM", "STRONG", "CODE", "PRE", "S", "UL", "OL", "LI", "A", "BLOCKQUOTE", "HR", "BR", "SPAN", "DIV"}
    | {"TABLE", "THEAD", "TBODY", "TR", "TH", "TD", "H1", "H2", "H3", "H4", "H5", "H6"}
)


@pytest.mark.parametrize(
    "text",
    [
        "\\`<img src=x>`",
        "~~~\n```\n~~~\n<form>\n```",
        "~~~\n```\n<form action=/x>\n~~~\n<img src=x>",
        "``\n\n<img src=x> ``",
        "`<b>` and <b>",
    ],
)
def test_no_tag_of_a_text_is_one_whatever_stands_around_it(text: str) -> None:
    outside = re.sub(r"(?ms)^(`{3,}).*?^\1`*$", "", safe_markdown(text))
    assert set(re.findall(r"<\s*([a-z]+)", outside)) <= {"p", "code", "pre", "br"}


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("**bold** _it_ ~~gone~~", "<p><strong>bold</strong> <em>it</em> <s>gone</s></p>"),
        ("a &lt; b", "<p>a &#38;lt&#59; b</p>"),
        ("one\ntwo", "<p>one<br />two</p>"),
        ("[a](/logout)", "<p>&#91;a&#93;&#40;&#47;logout&#41;</p>"),
        ("`<b>`", "<p><code>&#60;b&#62;</code></p>"),
    ],
)
def test_what_is_markdown_is_shown_as_such(text: str, html: str) -> None:
    assert safe_markdown(text) == html


def test_a_block_of_code_is_left_to_the_page_to_colour_but_no_diagram() -> None:
    assert safe_markdown("```html\n<b>\n```") == "```html\n<b>\n```"
    assert safe_markdown("```mermaid\ngraph\n```") == "```text\ngraph\n```"


def test_a_picture_is_a_link_to_it() -> None:
    shown = safe_markdown("![a cat](https://e.example/x.png) ![](https://e.example/y.png) [](https://e.example/z)")
    assert "<img" not in shown
    assert unescape(re.sub(r"<[^>]+>", "", shown)) == "a cat https://e.example/y.png https://e.example/z"


def test_quotes_in_quotes_without_end_are_shown_as_they_were_written() -> None:
    assert "deep" in safe_markdown("one\n\n" + "> " * 500 + "deep")
    assert "deep" in safe_html("one\n\n" + "> " * 500 + "deep")


@given(TEXTS, st.lists(st.integers(0, 200)))
def test_a_text_that_grows_ends_as_it_would_be_shown_at_once(text: str, cuts: list[int]) -> None:
    growing = Growing(linking(EVIDENCE, "0"))
    for cut in sorted(cuts):
        growing.markdown(text[:cut])
    assert growing.markdown(text) == safe_markdown(text, linking(EVIDENCE, "0"))


@pytest.mark.parametrize("text", ["[" * 5000, "![[" * 2000, "*a " * 3000, "`a ``b " * 2000, "<a " * 3000, "\\" * 9999])
def test_hostile_text_takes_no_time_to_speak_of(text: str) -> None:
    assert safe_markdown(text)


@given(TEXTS)
def test_nothing_but_ours_is_a_tag_for_a_parser_that_lets_html_through(text: str) -> None:
    page = MarkdownIt("commonmark", {"html": True}).enable("table").render(safe_markdown(text, linking(EVIDENCE, "0")))
    for name, attributes in re.findall(r"<([a-z0-9]+)([^>]*)>", page):
        assert name.upper() in ALLOWED
        assert not re.search(r"\bon\w+\s*=", re.sub(r'"[^"]*"', "", attributes))


@pytest.mark.parametrize("text", ["Mira lives in Tromsø", "市花是什么？"])
def test_plain_words_need_no_markdown_to_be_shown_as_they_are(text: str) -> None:
    assert literal(text) == text


# What the page's own renderer makes of messages, as the browser then has it.
_LOOK = """
() => [...document.querySelectorAll('#lk-chat .bot-row .message-content .md')].map((shown) => ({
  text: shown.textContent,
  elements: [...shown.querySelectorAll('*')].filter((e) => !e.closest('.copy_code_button')).map((e) => ({
    name: e.tagName.toUpperCase(),
    attributes: Object.fromEntries(e.getAttributeNames().map((name) => [name, e.getAttribute(name)])),
  })),
}))
"""


def test_the_page_makes_nothing_else_of_any_text(serve: Serve, visit: Visit) -> None:
    drawn: list[list[str]] = []

    @settings(max_examples=4, database=None, phases=[Phase.explicit, Phase.generate])
    @given(st.lists(TEXTS.filter(str.strip), min_size=120, max_size=120))
    def draw(texts: list[str]) -> None:
        drawn.append(texts)

    draw()  # before there is a server, whose threads draw random numbers as well
    served = serve()
    sessions = served.assistant.memory.of("me").sessions
    page = visit(served)
    for texts in drawn:
        session = sessions.new().id
        details = to_details([Found(EVIDENCE, 0.0)])
        for number, text in enumerate(texts):
            said = f"{text}\n\nend{number}of{session}"
            sessions.append(session, SavedMessage("assistant", said, datetime.now(UTC), details))
        page.reload()
        page.locator(f'#lk-sessions [data-action="open"][data-id="{session}"]').click()
        expect(page.locator("#lk-chat .bot-row").last).to_contain_text(f"end{len(texts) - 1}of{session}")
        page.wait_for_timeout(1000)  # code is coloured a moment later
        ends = re.compile(rf"end(\d+)of{session}\s*$")
        shown = {find[1]: one for one in page.evaluate(_LOOK) if (find := ends.search(one["text"]))}
        for number, text in enumerate(texts):
            check(text, shown[str(number)])


def check(text: str, shown: dict[str, Any]) -> None:
    """Whether a text is shown as text: nothing that acts or loads, links to the web or to evidence, and all words."""
    elsewhere = ""
    for element in shown["elements"]:
        name, attributes = element["name"], element["attributes"]
        assert name in ALLOWED, (text, name)
        assert not [one for one in attributes if one.startswith("on") or one in ("src", "srcset", "action")], text
        href = attributes.get("href")
        assert href is None or re.match(r"https?://|mailto:|#e-\d+-[12]$", href), (text, href)
        elsewhere += f" {href} {attributes.get('title')}"
    if "|" not in text:  # a row of a table loses what stands in no column
        named = re.findall(r"(?m)^[ >+\-\d.\t]*(?:`{3,}|~{3,})(.*)$", text.replace("\r", "\n"))
        for word in re.findall(r"ü\d+ü", text):
            assert word in shown["text"] or word in elsewhere or any(word in info for info in named), (text, word)
