"""Plain text, code and Markdown."""

import re
from collections.abc import Iterator, Sequence

import yaml

from memory.formats.chats.reading import read_chat_text
from memory.formats.pieces import Piece, decoded, paragraphs, written_lines
from memory.formats.records import record
from memory.formats.tables import Rows

# Files of other kinds are read, too, where they are text; of these one expects it.
CODE = (
    ".bash", ".bat", ".c", ".cfg", ".clj", ".conf", ".cpp", ".cs", ".css", ".diff", ".ex", ".go", ".gradle", ".h",
    ".hpp", ".hs", ".ini", ".java", ".jl", ".js", ".jsx", ".kt", ".log", ".lua", ".patch", ".php", ".pl", ".ps1", ".py",
    ".r", ".rb", ".rs", ".scala", ".scss", ".sh", ".sql", ".swift", ".tf", ".toml", ".ts", ".tsx", ".vue", ".xml",
    ".yaml", ".yml",
)  # fmt: skip
_DEEPEST = 6  # level of a heading
_FRONT_MATTER = re.compile(r"---[ \t]*\n(.{0,20000}?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_NO_FIELD = re.compile(r"^#|[&*]\w", re.MULTILINE)  # a heading; or what YAML repeats, without end
_CELLS = re.compile(r"(?<!\\)\|")
_BLANK_LINES = re.compile(r"\n[ \t]*\n")


def read_text(name: str, data: bytes) -> Iterator[Piece]:
    """The messages of an exported conversation; else paragraphs, set apart by blank lines, and the lines of lists."""
    text = decoded(name, data)
    yield from read_chat_text(name, text) or map(Piece, paragraphs(text))


def read_code(name: str, data: bytes) -> Iterator[Piece]:
    """What blank lines set apart, as it was written."""
    yield from map(Piece, _BLANK_LINES.split(decoded(name, data)))


def read_markdown(name: str, data: bytes) -> Iterator[Piece]:
    """What stands before the text about it; paragraphs, headings, the lines of lists, the rows of tables.

    Code stays as it is.
    """
    text = decoded(name, data)
    if said := read_chat_text(name, text):
        yield from said
        return
    if (head := _FRONT_MATTER.match(text)) and (about := _about(head[1])):
        yield about
        text = text[head.end() :]
    block: list[str] = []
    fenced = False
    for line in text.split("\n"):
        a_fence = line.lstrip().startswith("```")
        heading = None if fenced else _heading(line)
        if a_fence or heading or not (line.strip() or fenced):
            yield from _pieces(block, code=fenced)
            block = []
        if heading:
            yield heading
        elif not a_fence and (line.strip() or fenced):
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
    start = 0
    for number in range(0 if code else len(block) - 1):
        if number < start or not _is_head(block, number):
            continue
        yield from map(Piece, written_lines("\n".join(block[start:number])))
        told = Rows()
        yield told.row(_row(block[number]), header=True)
        start = number + 2
        while start < len(block) and "|" in block[start]:
            yield told.row(_row(block[start]), header=False)
            start += 1
    text = "\n".join(block[start:])
    yield from map(Piece, [text] if code else written_lines(text))


def _is_head(block: Sequence[str], number: int) -> bool:
    """Whether a line names the columns of a table, above a rule."""
    line, below = block[number : number + 2]
    return "|" in line and "|" in below and "-" in below and not below.strip(" \t|:-")


def _row(line: str) -> list[str]:
    cells = [cell.strip().replace("\\|", "|") for cell in _CELLS.split(line.strip())]
    return cells[cells[0] == "" : len(cells) - (cells[-1] == "" and len(cells) > 1)]


def _about(front_matter: str) -> Piece | None:
    """What is said about the text before it: its title, its author, its day, what it is tagged; None where that is no
    such thing."""
    if _NO_FIELD.search(front_matter):
        return None
    try:
        said = yaml.load(front_matter, yaml.BaseLoader)  # which makes nothing but text
    except (yaml.YAMLError, RecursionError):
        return None
    return record(said) if isinstance(said, dict) else None
