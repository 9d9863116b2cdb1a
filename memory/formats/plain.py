"""Plain text and Markdown."""

from collections.abc import Iterator

from memory.formats.pieces import Piece, decoded, paragraphs, written_lines

_DEEPEST = 6  # level of a heading


def read_plain(name: str, data: bytes) -> Iterator[Piece]:
    """Paragraphs, set apart by blank lines, and the lines of lists."""
    for paragraph in paragraphs(decoded(name, data)):
        yield Piece(paragraph)


def read_markdown(name: str, data: bytes) -> Iterator[Piece]:
    """Paragraphs, headings, the lines of lists, the rows of tables; code stays as it is."""
    block: list[str] = []
    fenced = False
    for line in decoded(name, data).split("\n"):
        a_fence = line.lstrip().startswith("```")
        heading = None if fenced else _heading(line)
        if a_fence or heading or not (line.strip() or fenced):
            yield from _pieces(block, code=fenced)
            block = []
        if heading:
            yield heading
        elif not a_fence:
            block.append(line)
        fenced ^= a_fence
    yield from _pieces(block, code=fenced)


def _heading(line: str) -> Piece | None:
    """The heading that a line is, with as many signs before it as its level says."""
    text = line.lstrip("#")
    level = len(line) - len(text)
    said = text.strip().rstrip("#").rstrip() or text.strip()
    return Piece(said, level) if 0 < level <= _DEEPEST and said and text[0].isspace() else None


def _pieces(block: list[str], *, code: bool) -> Iterator[Piece]:
    text = "\n".join(block)
    yield from map(Piece, [text] if code else written_lines(text))
