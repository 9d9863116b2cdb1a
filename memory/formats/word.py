"""Word documents (.docx): an archive whose main part lists paragraphs and tables."""

import contextlib
import io
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from memory.errors import UserMistake
from memory.formats.pieces import Archive, Piece, one_line, written_lines
from memory.formats.tables import Rows

_NOT_SHOWN = frozenset(("del", "moveFrom", "pPr", "rPr", "tcPr", "txbxContent", "AlternateContent", "drawing", "pict"))
_SIGNS = {"tab": "\t", "ptab": "\t", "cr": "\n", "noBreakHyphen": "-"}
_OFF = ("0", "false", "off")
_WIDEST = 100  # columns of a table


def read_word(name: str, data: bytes) -> Iterator[Piece]:
    """Paragraphs, headings, and the rows of tables; without text that is hidden or deleted.

    What is printed on every page, other than numbers, comes once: before all else, or after it.
    """
    try:
        archive = Archive(name, data)
        main = _target(archive, "", "officeDocument")
        try:
            styles = _Styles(archive.read(_target(archive, main, "styles")))
        except KeyError:  # it need not have any
            styles = _Styles(b"<styles/>")
        heads, feet = (_repeated(archive, main, kind, styles) for kind in ("header", "footer"))
        yield from map(Piece, heads)
        yield from _pieces(archive.read(main), styles)
        yield from map(Piece, feet)
    except (UserMistake, MemoryError):
        raise
    except Exception as error:  # zip and XML each raise their own
        raise UserMistake(
            "{name} is damaged or no Word document (.docx); open it and save it anew.", name=name
        ) from error


def _target(archive: Archive, part: str, kind: str) -> str:
    """The part of the archive that another one, or "" for the whole, calls its own of that kind. Raises KeyError."""
    target = next(_targets(archive, part, kind), None)
    if target is None:
        raise KeyError(kind)
    return target


def _targets(archive: Archive, part: str, kind: str) -> Iterator[str]:
    folder, base = posixpath.split(part)
    listed = etree.fromstring(archive.read(posixpath.join(folder, "_rels", f"{base}.rels")), _parser())
    for relation in listed.iter("{*}Relationship"):
        if relation.get("Type", "").endswith(f"/{kind}"):
            yield posixpath.normpath(posixpath.join("/", folder, relation.attrib["Target"])).lstrip("/")


def _repeated(archive: Archive, main: str, kind: str, styles: "_Styles") -> list[str]:
    """What stands at the head or the foot of all pages, but for numbers of pages, each line once."""
    texts = list[str]()
    with contextlib.suppress(KeyError, etree.XMLSyntaxError):  # a page reads as well without
        for part in _targets(archive, main, kind):
            texts += [piece.text for piece in _pieces(archive.read(part), styles)]
    return [text for text in dict.fromkeys(texts) if sum(map(str.isalpha, text)) > 1]


def _parser() -> etree.XMLParser:
    return etree.XMLParser(resolve_entities=False, no_network=True)


@dataclass(frozen=True, slots=True)
class _Style:
    name: str
    based_on: str
    hidden: bool | None  # None where it does not say


class _Styles:
    """What the styles of a document, by their ids, say of its text."""

    def __init__(self, part: bytes) -> None:
        root = etree.fromstring(part, _parser())
        self._styles = {
            _value(style, "styleId"): _Style(
                _value(style.find("{*}name")), _value(style.find("{*}basedOn")), _hides(style.find("{*}rPr"))
            )
            for style in root.iter("{*}style")
        }
        self._hiding: dict[str, bool | None] = {}

    def level(self, paragraph: etree._Element) -> int:
        """Of a heading, from 1 on; 0 for other paragraphs."""
        style = self._styles.get(_value(paragraph.find("{*}pPr/{*}pStyle")))
        heading = re.fullmatch("heading ([1-9])", style.name.lower()) if style is not None else None
        return int(heading[1]) if heading else int(style is not None and style.name == "Title")

    def hides(self, run: etree._Element, paragraph: etree._Element) -> bool:
        """Whether a run of letters in a paragraph is not shown."""
        own = run.find("{*}rPr")
        said = _hides(own)
        if said is None and own is not None:
            said = self._hidden(_value(own.find("{*}rStyle")))
        if said is None:
            said = self._hidden(_value(paragraph.find("{*}pPr/{*}pStyle")))
        return bool(said)

    def _hidden(self, style_id: str) -> bool | None:
        """Whether a style hides its text, by itself or by the styles that it is based on; each is asked once."""
        asked = list[str]()
        while (style := self._styles.get(style_id)) is not None and style_id not in self._hiding:
            self._hiding[style_id] = style.hidden  # also ends a ring of styles
            if style.hidden is not None:
                break
            asked.append(style_id)
            style_id = style.based_on
        hidden = self._hiding.get(style_id)
        self._hiding.update(dict.fromkeys(asked, hidden))
        return hidden


def _hides(properties: etree._Element | None) -> bool | None:
    vanish = properties.find("{*}vanish") if properties is not None else None
    return None if vanish is None else _value(vanish) not in _OFF


def _value(element: etree._Element | None, name: str = "val") -> str:
    """An attribute, whatever its namespace; "" where it is not there."""
    if element is None:
        return ""
    return next((str(value) for key, value in element.attrib.items() if _local(key) == name), "")


def _local(tag: object) -> str:
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def _pieces(part: bytes, styles: _Styles) -> Iterator[Piece]:
    """The paragraphs and tables of the main part; each is let go once it is read."""
    inside = 0
    events = etree.iterparse(
        io.BytesIO(part), ("start", "end"), tag=("{*}p", "{*}tbl"), resolve_entities=False, no_network=True
    )
    for event, element in events:
        inside += 1 if event == "start" else -1
        if inside:
            continue
        if _local(element.tag) == "tbl":
            yield from _rows(element, styles)
        else:
            text, level = _text(element, styles), styles.level(element)
            yield from [Piece(one_line(text), level)] if level else map(Piece, written_lines(text))
        element.clear()
        while element.getprevious() is not None:
            del element.getparent()[0]


def _rows(table: etree._Element, styles: _Styles) -> Iterator[Piece]:
    """A piece for each row; a cell that spans several rows or columns is there in each."""
    told = Rows()
    above: dict[int, str] = {}
    for row in _within(table, "tr"):
        if row.find("{*}trPr/{*}del") is not None:
            continue
        before = row.find("{*}trPr/{*}gridBefore")
        cells: list[str | None] = [""] * min(int(_value(before) or 0), _WIDEST)
        for cell in _within(row, "tc"):
            merge = cell.find("{*}tcPr/{*}vMerge")
            goes_on = merge is not None and _value(merge) != "restart"
            column = len(cells)
            text = (
                above.get(column, "") if goes_on else one_line("\n".join(_text(p, styles) for p in _paragraphs(cell)))
            )
            above[column] = text
            cells += [text, *[None] * (min(int(_value(cell.find("{*}tcPr/{*}gridSpan")) or 1), _WIDEST) - 1)]
        header = row.find("{*}trPr/{*}tblHeader")
        yield told.row(cells, header=None if header is None else _value(header) not in _OFF)


def _within(element: etree._Element, name: str) -> Iterator[etree._Element]:
    """The rows of a table or the cells of a row, those in fields of a form too."""
    for child in element:
        match _local(child.tag):
            case "sdt" | "sdtContent":
                yield from _within(child, name)
            case local if local == name:
                yield child


def _paragraphs(element: etree._Element) -> Iterator[etree._Element]:
    for child in element:
        if _local(child.tag) == "p":
            yield child
        elif _local(child.tag) not in _NOT_SHOWN:
            yield from _paragraphs(child)


def _text(paragraph: etree._Element, styles: _Styles) -> str:
    return "".join(_said(paragraph, paragraph, styles))


def _said(element: etree._Element, paragraph: etree._Element, styles: _Styles) -> Iterator[str]:
    for child in element:
        tag = _local(child.tag)
        if tag == "t":
            yield child.text or ""
        elif tag == "br":
            yield "" if _value(child, "type") in ("page", "column") else "\n"
        elif tag in _SIGNS:
            yield _SIGNS[tag]
        elif tag not in _NOT_SHOWN and not (tag == "r" and styles.hides(child, paragraph)):
            yield from _said(child, paragraph, styles)
