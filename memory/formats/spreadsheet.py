"""Spreadsheets (.xlsx, .xls, .xlsb, .ods): the rows of each sheet that is shown."""

import datetime
import io
from collections.abc import Iterator, Sequence

from memory.errors import UserMistake
from memory.formats.pieces import Piece, one_line
from memory.formats.tables import records

_MIDNIGHT = datetime.time()


def read_spreadsheet(name: str, data: bytes) -> Iterator[Piece]:
    """A heading for each sheet, where there are several, and below it a piece a row; of formulas what they came to."""
    import python_calamine  # loaded with the first file that wants it

    try:
        book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
        shown = [
            sheet.name for sheet in book.sheets_metadata if sheet.visible == python_calamine.SheetVisibleEnum.Visible
        ]
        for sheet in shown:
            if len(shown) > 1:
                yield Piece(sheet, 1)
            yield from records(_texts(row) for row in book.get_sheet_by_name(sheet).iter_rows())
    except python_calamine.PasswordError:
        raise UserMistake(
            "{name} is locked with a password; save it without one and add it again.", name=name
        ) from None
    except (python_calamine.CalamineError, OSError, ValueError) as error:
        raise UserMistake("{name} is damaged or no spreadsheet; open it and save it anew.", name=name) from error


def _texts(row: Sequence[object]) -> list[str]:
    """The values up to the last one that is there: a row has all columns of its sheet, 16,384 at most."""
    last = next((place for place in range(len(row), 0, -1) if row[place - 1] != ""), 0)
    return [_text(value) if value != "" else "" for value in row[:last]]


def _text(value: object) -> str:
    """A value as people write it: numbers as Excel shows them, days without a time of day."""
    if isinstance(value, float):
        return f"{value:.15g}"
    if isinstance(value, datetime.datetime) and value.time() == _MIDNIGHT:
        return value.date().isoformat()
    if isinstance(value, datetime.datetime):
        return value.isoformat(" ", "minutes")
    return one_line(str(value))
