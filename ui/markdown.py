"""Text for the page, which reads each message as Markdown: made so that it reads nothing there that is not meant.

A parser here and the page's own would differ somewhere, and what is code to the one would be a tag to the other. So the
page gets nothing to parse: an answer comes as the HTML that the parser here makes of it, a block a line, in which each
sign that is not ours is a reference such as `&#60;`; what is no Markdown comes with a backslash before each sign.
"""

import re
import string
from collections.abc import Callable, Sequence
from html import escape
from typing import Any
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from assistant.citations import citation_at

_SIGNS = str.maketrans({sign: f"&#{ord(sign)};" for sign in (*string.punctuation, "\n", "\r", "\t")})
_SIGN = re.compile(rf"[{re.escape(string.punctuation)}]")
_LOST_SPACE = re.compile(r"(?<!\S)[ \t]")  # one that begins a line, or follows another
_SCHEMES = frozenset({"http", "https", "mailto"})
_FORMULA = "%%%LATEX_BLOCK_"  # the page puts formulas in such places, also in code
_DEEPEST = 100  # blocks in each other; what is deeper is shown as it was written
# Languages that the page colours.
_COLOURED = frozenset(
    {"bash", "c", "cpp", "css", "html", "java", "javascript", "json", "python", "rust", "sparql", "sql"}
)

# Links in place of the numbers that a citation names, as HTML; empty where there is no evidence for one of them.
Cite = Callable[[Sequence[int]], str]


class Growing:
    """A model's Markdown for the page, also while it is written: what came before the last block is read once."""

    def __init__(self, cite: Cite = lambda _: "") -> None:
        """`cite` makes the links of a citation."""
        self._cite = cite
        self._text = ""
        self._shown: list[str] = []
        self._last = 0  # where the last block begins, which more text may change

    def markdown(self, text: str) -> str:
        """The Markdown to give the page: raw HTML, images and diagrams are text, and links lead to the web only."""
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        if not text.startswith(self._text):
            self._shown, self._last = [], 0
        rest = text[self._last :]
        blocks = _top(_PARSER.parse(rest, {"cite": self._cite}))
        shown = [_block(block, rest) for block in blocks]
        if len(blocks) > 1:
            begins = sum(len(line) + 1 for line in rest.split("\n")[: _lines(blocks[-1])[0]])
            self._shown += shown[:-1]
            self._last += begins
            shown = shown[-1:]
        self._text = text[: self._last]
        return "\n\n".join([*self._shown, *shown])


def safe_markdown(text: str, cite: Cite = lambda _: "") -> str:
    """The same for a whole text."""
    return Growing(cite).markdown(text)


def safe_html(text: str, cite: Cite = lambda _: "") -> str:
    """The same where the page takes HTML."""
    return "".join(_html(block, text) for block in _top(_PARSER.parse(text, {"cite": cite})))


def literal(text: str) -> str:
    """Markdown that shows text character by character; page.js takes it back where a question is edited."""
    return _LOST_SPACE.sub("\u00a0", _SIGN.sub(r"\\\g<0>", text))


def literal_line(text: str) -> str:
    """The same on one line, as for a title."""
    return literal(" ".join(text.split()))


def fenced(code: str, language: str) -> str:
    """A block of code, whatever stands in it."""
    if _FORMULA in code:
        return _pre(code)
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", code)), default=0))
    code = code.strip("\n")
    return f"{fence}{language}\n{code}\n{fence}"


def bulleted(lines: Sequence[str]) -> str:
    """A list of plain lines."""
    return "\n".join(f"- {literal_line(line)}" for line in lines)


def _pre(code: str) -> str:
    return f"<pre><code>{code.translate(_SIGNS)}</code></pre>"


def _top(blocks: Sequence[Token]) -> list[list[Token]]:
    """The tokens of each block that stands in no other."""
    tops: list[list[Token]] = []
    depth = 0
    for block in blocks:
        if not depth:
            tops.append([])
        tops[-1].append(block)
        depth += block.nesting
    return tops


def _block(block: Sequence[Token], text: str) -> str:
    if block[0].type == "fence":  # as Markdown the page colours it, and offers to copy it
        language = block[0].info.strip().lower()
        return fenced(block[0].content, language if language in _COLOURED else "text")
    return _html(block, text)


def _html(block: Sequence[Token], text: str) -> str:
    if any(token.level >= _DEEPEST for token in block):
        start, end = _lines(block)
        return _pre("\n".join(text.split("\n")[start:end]))
    return _HTML.render(block, _PARSER.options, {}).replace("\n", "")


def _lines(block: Sequence[Token]) -> tuple[int, int]:
    start, end = block[0].map or (0, 0)
    return start, end


def _is_sound(address: str) -> bool:
    try:
        return urlsplit(address).scheme.lower() in _SCHEMES
    except ValueError:
        return False


def _citation(state: StateInline, silent: bool) -> bool:
    """The parser's rule for `[1]` that has evidence."""
    citation = citation_at(state.src, state.pos)
    links = state.env["cite"](citation.numbers) if citation and citation.end <= state.posMax else ""
    if not (citation and links):
        return False
    if not silent:
        state.push("citation", "", 0).content = links
    state.pos = citation.end
    return True


class _Html(RendererHTML):
    """HTML without any sign that is not ours."""

    def text(self, tokens: Sequence[Token], index: int, *_: Any) -> str:
        return tokens[index].content.translate(_SIGNS)

    def citation(self, tokens: Sequence[Token], index: int, *_: Any) -> str:
        return tokens[index].content

    def code_inline(self, tokens: Sequence[Token], index: int, *_: Any) -> str:
        return f"<code>{tokens[index].content.translate(_SIGNS)}</code>"

    def code_block(self, tokens: Sequence[Token], index: int, *_: Any) -> str:
        return _pre(tokens[index].content)

    fence = code_block

    def image(self, tokens: Sequence[Token], index: int, *_: Any) -> str:
        image = tokens[index]
        address = str(image.attrs["src"])
        return f"{_opening(address)}{(image.content or address).translate(_SIGNS)}</a>"

    def link_open(self, tokens: Sequence[Token], index: int, *_: Any) -> str:
        address = str(tokens[index].attrs["href"])
        said = "" if tokens[index + 1].type != "link_close" else address.translate(_SIGNS)
        return f"{_opening(address, str(tokens[index].attrs.get('title', '')))}{said}"


def _opening(address: str, title: str = "") -> str:
    hint = f' title="{title.translate(_SIGNS)}"' if title else ""
    return f'<a href="{escape(address).translate(_ADDRESS)}"{hint} target="_blank" rel="noopener noreferrer">'


# Signs that Markdown would read, should it look into an address.
_ADDRESS = str.maketrans({sign: f"&#{ord(sign)};" for sign in "`*_[]<>\\!"})


def _parser() -> MarkdownIt:
    options = {"html": False, "breaks": True, "linkify": True, "maxNesting": _DEEPEST + 1}
    parser = MarkdownIt("commonmark", options).enable(["table", "strikethrough", "linkify"])
    # With the rules for definitions and references, words would vanish; with that for entities, they would be others.
    parser.disable(["reference", "entity", "html_block", "html_inline"])
    parser.inline.ruler.before("link", "citation", _citation)
    parser.linkify.set({"fuzzy_link": False, "fuzzy_email": False})
    parser.validateLink = _is_sound  # type: ignore[method-assign]
    return parser


_PARSER = _parser()
_HTML = _Html(_PARSER)
