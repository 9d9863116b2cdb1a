"""What a message quotes of older ones, told by its form alone: they are written in all languages.

A message is taken line by line, each of some depth: how often it is quoted.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from memory.formats.pieces import Piece, one_line

DEEPEST_QUOTED = 10
_PROMPT = ">>> "  # of an interpreter
_LONGEST_HEADING = 250  # characters; the whole of a longer one stands below it
_LONGEST_LINE = 200  # characters, in which it is said who wrote what follows
_SIGNS = re.compile(r"(?:>[ \t]?)+")
_ENDS = (":", "：")
_ADDRESS = re.compile(r"<[^<>\s]+@[^<>\s]+>|\[mailto:")
_TIME = re.compile(r"\d{1,2}[:.h]\d\d(?!\d)")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_DATE = re.compile(  # with its year, in any order
    r"(?<!\d)\d{1,2}[./-]\s?\d{1,2}[./-]\s?\d\d(?:\d\d)?(?!\d)|(?<![\d:])\d{1,2}(?!\d)[^\d:]{1,25}(?:19|20)\d\d(?!\d)"
    r"|(?<!\d)(?:19|20)\d\d[^\d:]{1,25}\d{1,2}(?!\d|[:.h]\d)|(?<!\d)(?:19|20)\d\d\D{1,2}\d{1,2}\D{1,2}\d{1,2}(?!\d)"
)
_HEAD = re.compile(r"[*>\s]{0,3}([^\W\d_][^:：\n]{0,24}?)\s?[:：]\*?\s*(\S.*)")
_RULE = re.compile(r"\s*(?:-{3,}[^\n-]{1,60}-{3,}|[_-]{8,})\s*")
_FEWEST, _MOST = 3, 12  # lines at the head of an older message


class Line(NamedTuple):
    """A line, or a piece with it; how deeply it is quoted."""

    depth: int
    text: str
    piece: Piece | None = None


@dataclass(slots=True)
class Part:
    """What one person wrote: the new text, which has no heading, or an older one."""

    heading: str
    lines: list[Line] = field(default_factory=list)

    def drop(self) -> Line | None:
        """Take away the last line that is not blank."""
        while self.lines and not self.lines[-1].text.strip():
            self.lines.pop()
        return self.lines.pop() if self.lines else None

    def last(self) -> str:
        """The last line that is not blank."""
        return next((line.text for line in reversed(self.lines[-3:]) if line.text.strip()), "")


def lines_of(text: str) -> list[Line]:
    """The lines of a text, without the signs that quote them."""
    found: list[Line] = []
    for line in text.split("\n"):
        a_prompt = line.startswith(_PROMPT) and not (found and found[-1].depth)
        signs = None if a_prompt else _SIGNS.match(line)
        depth = min(signs[0].count(">"), DEEPEST_QUOTED) if signs else 0
        found.append(Line(depth, line[signs.end() :] if signs else line))
    return found


def apart(lines: Sequence[Line], subject: str) -> list[Part]:
    """The parts of a message, the new one first and then the older ones as they come.

    Where answers stand between what they answer, all is one part, as it was written.
    """
    return [Part("", list(map(_as_written, lines)))] if _is_mixed(lines) else _Sorter(lines, subject).parts


def _is_mixed(lines: Sequence[Line]) -> bool:
    """Whether new text stands between quotations, or leads to one that it does not say to be another's."""
    quoted = False
    new: list[str] = []  # since the last quotation
    for line in lines:
        if not line.text.strip():
            continue
        if not line.depth:
            new.append(line.text)
            continue
        leads = bool(new) and _leads(new[-1])
        says_who = _lines_that_tell(*new[-2:]) if leads else 0
        if (leads and not says_who) or (quoted and len(new) > says_who):
            return True
        quoted, new = True, []
    return False


def _lines_that_tell(*lines: str) -> int:
    """How many of the last one or two lines above a quotation say who wrote it."""
    *_, before, last = ("", *lines)
    if not _dated(last) and _dated(before) and len(before) <= _LONGEST_LINE:
        return 2
    return int(_tells(last))


def _leads(line: str) -> bool:
    """Whether a line leads to what follows it."""
    return line.rstrip().endswith(_ENDS) and len(line) <= _LONGEST_LINE


def _as_written(line: Line) -> Line:
    """A line with the signs that quote it."""
    if not line.depth or not line.text.strip():
        return line
    signs = ">" * line.depth
    piece = line.piece and replace(line.piece, text=f"{signs} {line.piece.text}")
    return Line(0, f"{signs} {line.text}", piece)


class _Sorter:
    """Puts the lines of a message in its parts."""

    def __init__(self, lines: Sequence[Line], subject: str) -> None:
        self.parts = [Part("")]
        self._lines = lines
        self._subject = _core(subject)
        self._open = {0: self.parts[0]}  # to which part lines of a depth belong
        self._depth = 0
        number = 0
        while number < len(lines):
            number += self._take(number)

    def _take(self, number: int) -> int:
        """Put a line away, and say with how many."""
        line = self._lines[number]
        if not line.text.strip():
            self._open[self._depth].lines.append(line)
            return 1
        if line.depth != self._depth:
            self._turn(line.depth)
        heads = self._heads(number)
        if heads:
            if _RULE.fullmatch(self._open[self._depth].last()):
                self._open[self._depth].drop()
            self._begin("; ".join(one_line(head.text) for head in heads))
            return len(heads)
        if self._says_who(number):
            return 1
        self._open[self._depth].lines.append(line)
        return 1

    def _turn(self, depth: int) -> None:
        """Go on with lines of another depth."""
        if depth > self._depth:
            said = self._who_wrote(self._open[self._depth])
            if said or depth not in self._open:
                self._depth = depth
                self._begin(said)
        self._depth = depth
        if depth not in self._open:  # between two depths
            self._begin("")
        self._open[depth].lines.append(Line(depth, ""))

    def _begin(self, heading: str) -> None:
        """Begin an older message, which has this depth and may quote others."""
        here = self._open.get(self._depth)
        if heading and here is not None and here is not self.parts[0] and not here.heading and not here.last():
            here.heading = heading
        else:
            here = Part(heading)
            self.parts.append(here)
        if len(heading) > _LONGEST_HEADING:
            here.lines.append(Line(self._depth, heading, Piece(heading)))
        self._open = {depth: part for depth, part in self._open.items() if depth < self._depth}
        self._open[self._depth] = here

    def _who_wrote(self, part: Part) -> str:
        """The line or two above a quotation that say who wrote it, taken from the part that they stand in."""
        last = part.last()
        if not _leads(last):
            return ""
        above = [line.text for line in part.lines[-3:]]
        place = max(index for index, text in enumerate(above) if text == last)
        before = above[place - 1] if place else ""
        said = (before, last)[2 - _lines_that_tell(before, last) :]
        for _ in said:
            part.drop()
        return " ".join(line.strip() for line in said)

    def _says_who(self, number: int) -> bool:
        """Whether a line says who wrote what follows at the same depth, which then begins."""
        line = self._lines[number]
        if not _leads(line.text) or self._deeper_after(number):
            return False
        here = self._open[self._depth]
        begins = here is not self.parts[0] and not here.heading and not here.last() and _tells(line.text)
        if begins or _tells_all(line.text):
            self._begin(line.text.strip())
            return True
        before = here.lines[-1].text if here.lines else ""
        if before.strip() and len(before) <= _LONGEST_LINE and _tells_all(f"{before} {line.text}"):
            here.drop()
            self._begin(f"{before.strip()} {line.text.strip()}")
            return True
        return False

    def _deeper_after(self, number: int) -> bool:
        """Whether the next line is quoted more deeply."""
        after = next((line for line in self._lines[number + 1 : number + 4] if line.text.strip()), None)
        return after is not None and after.depth > self._lines[number].depth

    def _heads(self, number: int) -> Sequence[Line]:
        """The lines at the head of an older message that begins here, if one does."""
        if not _HEAD.match(self._lines[number].text):
            return ()
        found: list[tuple[Line, str]] = []
        for line in self._lines[number : number + _MOST]:
            match = _HEAD.match(line.text) if line.depth == self._lines[number].depth else None
            if match is None:
                break
            found.append((line, match[2]))
        if len(found) < _FEWEST or not any(_TIME.search(value) for _, value in found):
            return ()
        dates = sum(_DATE.search(value) is not None for _, value in found)
        known = self._subject and any(_core(value) == self._subject for _, value in found)
        ruled = _RULE.fullmatch(self._open[self._depth].last()) is not None
        theirs = ruled or (known and dates) or ("@" in found[0][1] and dates == 1)
        return [line for line, _ in found] if theirs else ()


def heading_of(part: Part) -> Piece:
    """What says of an older message that it is one."""
    return Piece(f"Quoted: {one_line(part.heading)[:_LONGEST_HEADING]}" if part.heading else "Quoted", 2)


def _core(subject: str) -> str:
    """A subject without what says that it is an answer."""
    return re.split("[:：]", subject)[-1].strip().lower()


def _tells(line: str) -> bool:
    """Whether a line may say who wrote something, or when."""
    return _dated(line) or "@" in line


def _dated(line: str) -> bool:
    """Whether a line names a date, a year or a time of day."""
    return any(pattern.search(line) for pattern in (_YEAR, _TIME, _DATE))


def _tells_all(line: str) -> bool:
    """Whether a line can but say who wrote something and when."""
    return all(pattern.search(line) for pattern in (_ADDRESS, _TIME, _DATE))
