"""What a message quotes of older ones, told by its form alone: they are written in all languages.

A message is taken line by line, each of some depth: how often it is quoted.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from memory.formats.pieces import Piece, one_line

_DEEPEST = 10
_LONGEST_HEADING = 250  # characters; the whole of a longer one stands below it
_LONGEST_LINE = 200  # characters, in which it is said who wrote what follows
_SIGNS = re.compile(r"(?:>[ \t]?)+")
_ENDS = (":", "：")
_ADDRESS = re.compile(r"<[^<>\s]+@[^<>\s]+>|\[mailto:")
_TIME = re.compile(r"\d{1,2}[:.h]\d\d(?!\d)")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
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
    found = []
    for line in text.split("\n"):
        signs = _SIGNS.match(line)
        depth = min(signs[0].count(">"), _DEEPEST) if signs else 0
        found.append(Line(depth, line[signs.end() :] if signs else line))
    return found


def apart(lines: Sequence[Line], subject: str) -> list[Part]:
    """The parts of a message, the new one first and then the older ones as they come."""
    return _Sorter(lines, subject).parts


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
            said = self._who_wrote(self._open[self._depth], first=depth not in self._open)
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

    def _who_wrote(self, part: Part, *, first: bool) -> str:
        """The line or two above a quotation that say who wrote it, taken from the part that they stand in."""
        last = part.last()
        if not last.rstrip().endswith(_ENDS) or len(last) > _LONGEST_LINE:
            return ""
        above = [line.text for line in part.lines[-3:]]
        place = max(index for index, text in enumerate(above) if text == last)
        before = above[place - 1] if place else ""
        if not _dated(last) and _dated(before) and len(before) <= _LONGEST_LINE:
            part.drop()
            part.drop()
            return f"{before.strip()} {last.strip()}"
        if not first and not _tells(last):
            return ""
        part.drop()
        return last.strip()

    def _says_who(self, number: int) -> bool:
        """Whether a line says who wrote what follows at the same depth, which then begins."""
        line = self._lines[number]
        if not line.text.rstrip().endswith(_ENDS) or len(line.text) > _LONGEST_LINE or self._deeper_after(number):
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
        timed = any(_TIME.search(value) for _, value in found)
        if len(found) < _FEWEST or not timed:
            return ()
        known = self._subject and any(_core(value) == self._subject for _, value in found)
        ruled = _RULE.fullmatch(self._open[self._depth].last()) is not None
        return [line for line, _ in found] if known or ruled or "@" in found[0][1] else ()


def heading_of(part: Part) -> Piece:
    """What says of an older message that it is one."""
    return Piece(f"Quoted: {one_line(part.heading)[:_LONGEST_HEADING]}" if part.heading else "Quoted", 2)


def _core(subject: str) -> str:
    """A subject without what says that it is an answer."""
    return re.split("[:：]", subject)[-1].strip().lower()


def _tells(line: str) -> bool:
    """Whether a line may say who wrote something, or when."""
    return any(map(str.isdigit, line)) or "@" in line


def _dated(line: str) -> bool:
    """Whether a line names a year or a time of day."""
    return _YEAR.search(line) is not None or _TIME.search(line) is not None


def _tells_all(line: str) -> bool:
    """Whether a line can but say who wrote something and when."""
    return all(pattern.search(line) for pattern in (_ADDRESS, _TIME, _YEAR))
