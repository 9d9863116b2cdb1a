"""HTML to a tree, in time and memory that grow with its length alone, however it is nested or broken.

The parser of libxml2 tells what it reads; the trees that it makes itself would cost the square of the number of
attributes, and end where they are too deep.
"""

import re
from collections.abc import Mapping
from xml.etree.ElementTree import Element, TreeBuilder

import webencodings
from lxml import etree

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_PARTS = ("div", "section", "article", "main", "body")
BLOCK_TAGS = frozenset((*_HEADINGS, *_PARTS, "p", "li", "tr", "pre", "blockquote", "dt", "dd", "figcaption", "caption"))
_DECLARED_WITHIN = 4096  # bytes or characters
_DECLARED = re.compile(
    rb"""<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)|<meta\s[^>]*?charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE
)
_MOST_ATTRIBUTES = 64  # of one element that are looked at
# What stands in these is for browsers that do not know them.
_IN_THE_PLACE_OF = ("canvas", "video", "audio", "noframes", "noembed")
_NEVER_SHOWN = frozenset(
    ("script", "style", "template", "noscript", "iframe", "datalist", "title", "nav", *_IN_THE_PLACE_OF)
)
_ON_SCREEN = ("", "all", "screen")  # what a style sheet is for
_WITHOUT_END = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
)
_CLOSED = re.compile(r"<([A-Za-z][^\s<>/]*)([^<>]*)/>")  # HTML takes the end of such a tag for that of the page


class Tree:
    """A page without scripts, templates, comments and the like, which never show.

    `root` is None where there is nothing; `inline` are the paragraphs that stand alone in a cell of a table, where they
    set nothing apart.
    """

    def __init__(self, source: str) -> None:
        """`source` is HTML or XHTML."""
        target = _Target()
        parser = etree.HTMLParser(target=target, encoding="utf-8", huge_tree=True, no_network=True)
        self.root: Element | None = etree.fromstring(_with_ends(source).encode(errors="replace") or b" ", parser)
        self.title = "".join(target.title)
        self.styles = "\n".join(target.styles)
        self.inline = target.inline


def declared_encoding(data: bytes) -> webencodings.Encoding | None:
    """The encoding that a page says it is in, if browsers know one of that name."""
    found = _DECLARED.search(data, 0, _DECLARED_WITHIN)
    return webencodings.lookup((found[1] or found[2]).decode("ascii", "replace")) if found else None


def _with_ends(source: str) -> str:
    """XHTML with an end for each element: `<title/>` is `<title></title>`."""
    if "http://www.w3.org/1999/xhtml" not in source[:_DECLARED_WITHIN]:
        return source
    return _CLOSED.sub(
        lambda tag: tag[0] if tag[1].lower() in _WITHOUT_END else f"<{tag[1]}{tag[2]}></{tag[1]}>", source
    )


class _Target:
    """What the parser tells, made into a tree."""

    def __init__(self) -> None:
        self.title: list[str] = []
        self.styles: list[str] = []
        self.inline: set[Element] = set()
        self._builder = TreeBuilder()
        self._any = self._titled = False
        self._unseen: list[str] = []  # elements that never show, from the outermost to the one at hand
        self._blocks: list[list[Element]] = [[]]  # of each open element, one or two blocks in it

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        name = tag.rpartition(":")[2].lower() if isinstance(tag, str) else ""
        if self._unseen or name in _NEVER_SHOWN:
            elsewhere = name == "style" and attributes.get("media", "").strip().lower() not in _ON_SCREEN
            self._unseen.append("" if elsewhere else name)
            return
        kept = {}
        for key, value in attributes.items():
            kept[key] = value
            if len(kept) == _MOST_ATTRIBUTES:
                break
        self._any = True
        self._blocks.append([])
        self._builder.start(name, kept)

    def end(self, tag: str) -> None:
        if self._unseen:
            self._titled |= self._unseen == ["title"] and bool(self.title)
            self._unseen.pop()
            return
        element = self._builder.end(tag.rpartition(":")[2].lower())
        blocks = self._blocks.pop()
        if element.tag in ("td", "th") and len(blocks) == 1 and blocks[0].tag in ("p", "div"):
            self.inline.add(blocks[0])
        outer = self._blocks[-1]
        outer += ([element, *blocks] if element.tag in BLOCK_TAGS else blocks)[: 2 - len(outer)]

    def data(self, text: str) -> None:
        if not self._unseen:
            self._builder.data(text)
        elif self._unseen == ["style"]:
            self.styles.append(text)
        elif self._unseen == ["title"] and not self._titled:
            self.title.append(text)

    def close(self) -> Element | None:
        return self._builder.close() if self._any else None
