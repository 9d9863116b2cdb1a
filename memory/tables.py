"""The tables that stand in documents, with their rows and cells."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import PurePath

from memory.folding import HEADINGS_APART, fold
from memory.formats.tables import lined, read_back
from memory.passages import PARAGRAPHS_APART
from memory.speakers import above
from memory.types import Passage

_LONGEST_TITLE = 120  # characters


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row: its cells, "" where one is empty, the text that says them, and the passage in which it begins."""

    id: str
    name: str
    cells: tuple[str, ...]
    text: str
    passage_id: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a document. Its rows bear the names in the column `key`, or numbers where no column tells them apart.

    `titles` is what else it is called by: the line before it, the headings that it stands under.
    """

    id: str
    document: str
    titles: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    key: int | None


def tables_of(source_id: str, document: str, text: str, passages: Sequence[tuple[str, Passage]]) -> Iterator[Table]:
    """The tables in the text of a document, in their order; `passages` are its own, with their ids."""
    paragraphs = text.split(PARAGRAPHS_APART)
    starts = [0, *accumulate(len(paragraph) + len(PARAGRAPHS_APART) for paragraph in paragraphs)]
    called, numbered = PurePath(document).stem, 0
    for number, (columns, rows) in enumerate(read_back(paragraphs)):
        places = _places([starts[row] for row, _ in rows], passages)
        if not places:  # forgotten meanwhile
            continue
        key = _key([cells for _, cells in rows])
        titles = _before(paragraphs[: rows[0][0]][-2:], columns)
        titles += filter(None, above(places[0][1].heading).split(HEADINGS_APART))
        told = tuple(
            TableRow(
                f"{source_id}/{number}/{place}",
                cells[key] if key is not None else f"{called} {numbered + place + 1}",
                tuple(cells),
                paragraphs[paragraph],
                places[place][0],
            )
            for place, (paragraph, cells) in enumerate(rows)
        )
        numbered += len(rows) if key is None else 0
        yield Table(f"{source_id}/{number}", document, tuple(dict.fromkeys(titles)), tuple(columns), told, key)


def _before(paragraphs: Sequence[str], columns: Sequence[str]) -> list[str]:
    """The line that stands before a table, where that is one, and before the names of its columns."""
    said = [paragraph for paragraph in paragraphs if paragraph != lined(columns).text][-1:]
    return [line for line in said if len(line) <= _LONGEST_TITLE and "\n" not in line]


def _places(starts: Sequence[int], passages: Sequence[tuple[str, Passage]]) -> list[tuple[str, Passage]]:
    """The passage in which each place of the text lies, or the last one before it."""
    found: list[tuple[str, Passage]] = []
    after = 0
    for start in starts:
        while after < len(passages) and passages[after][1].span.start <= start:
            after += 1
        if passages:
            found.append(passages[max(after - 1, 0)])
    return found


def _key(rows: Sequence[Sequence[str]]) -> int | None:
    """The first column that has another value with letters in each row."""
    for column in range(len(rows[0])):
        values = {fold(row[column]) for row in rows}
        if len(values) == len(rows) and all(any(map(str.isalpha, value)) for value in values):
            return column
    return None
