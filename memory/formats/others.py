"""What Kreuzberg reads best of what was tried: OpenDocument text, RTF, Outlook mail, old Office files and others.

It is not asked for PDF, Word, spreadsheets, slides and pages: it shows what Word hides, joins words at line ends by
chance, takes many times the memory over a large sheet, and tells neither the tables of a slide nor where it ends.
"""

from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any

from memory.errors import UserMistake
from memory.formats.pieces import Piece, decoded, one_line, paragraphs, written_lines
from memory.formats.tables import Rows

KINDS = {
    ".odt": "application/vnd.oasis.opendocument.text",
    ".odp": "application/vnd.oasis.opendocument.presentation",
    ".rtf": "application/rtf",
    ".msg": "application/vnd.ms-outlook",
    ".doc": "application/msword",
    ".ppt": "application/vnd.ms-powerpoint",
    ".fb2": "application/x-fictionbook+xml",
    ".ipynb": "application/x-ipynb+json",
    ".org": "text/x-org",
    ".rst": "text/x-rst",
    ".tex": "application/x-latex",
}
_TEXT = frozenset((".fb2", ".ipynb", ".org", ".rst", ".tex"))


def read_other(name: str, data: bytes) -> Iterator[Piece]:
    """Headings, paragraphs, and the rows of tables; the name's suffix says what it is."""
    import kreuzberg  # loaded with the first file that wants it

    config = kreuzberg.ExtractionConfig(
        include_document_structure=True, use_cache=False, enable_quality_processing=False
    )
    suffix = PurePath(name).suffix.lower()
    if suffix in _TEXT:
        data = decoded(name, data).encode(errors="replace")
    kind = KINDS[suffix]
    try:
        document: Any = kreuzberg.extract_bytes_sync(data, kind, config=config).document
    except kreuzberg.KreuzbergError as error:
        raise UserMistake(
            "{name} cannot be read ({reason}); choose another copy, or save it in another form.",
            name=name,
            reason=error,
        ) from error
    nodes = (document or {}).get("nodes", ())
    if not nodes and suffix in _TEXT:
        yield from map(Piece, paragraphs(data.decode()))
    for node in nodes:
        yield from _pieces(node["content"], node.get("page") or 0)


def _pieces(content: Mapping[str, Any], page: int) -> Iterator[Piece]:
    text = content.get("text") or ""
    match content["node_type"]:
        case "heading" | "title":
            yield Piece(one_line(text), content.get("level") or 1, page)
        case "table":
            yield from _rows(content["grid"])
        case "code":
            yield Piece(text, page=page)
        case _:
            yield from (Piece(line, page=page) for line in written_lines(text))


def _rows(grid: Mapping[str, Any]) -> Iterator[Piece]:
    rows: dict[int, list[str]] = {}
    for cell in grid["cells"]:
        rows.setdefault(cell["row"], [""] * grid["cols"])[cell["col"]] = one_line(cell["content"])
    told = Rows()
    for row in rows.values():
        yield told.row(row)
