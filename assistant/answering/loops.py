"""Where a reply begins to say the same over and over, as a small model may until it is cut off.

It ends there: behind a list of things to pack the same list does not stand once more.
"""

import re
from collections.abc import Iterator

_SIGNS = ".,;:!?…。"
_LOOP = re.compile(rf"(?:(\w.{{1,40}}?)\1{{5}}|([{_SIGNS}])\2{{5}})$", re.DOTALL)
_LOOKED_BACK = 300  # characters
# An item ends with a line or a clause; there is no end within 1,000.
_ENDS = (",", ";", ".", "!", "?")
_ITEM = re.compile(rf".*?(?:\n|[{''.join(_ENDS)}](?=\s)|[。，、；！？])", re.DOTALL)
_MARK = re.compile(r"^(?:\W|\d+[.)](?=\s|$))+|\W+$")  # of a list
_IN_A_ROW, _CHARACTERS = 4, 20  # items that are said again, and how long they are together at least
_CODE = "```"


def without_loop(texts: Iterator[str]) -> Iterator[str]:
    """A reply up to where it begins to say the same words, or some of its items in their order, again at once."""
    yield from _without_items_again(_without_words_again(texts))


def _without_words_again(texts: Iterator[str]) -> Iterator[str]:
    """Of a sign that is said again at once the further ones are held back until something else comes."""
    said = held = ""
    for text in texts:
        shown = ""
        for character in text:
            said += character
            if _LOOP.search(said[-_LOOKED_BACK:]):
                yield shown
                return
            if character in _SIGNS and said[-2:-1] == character:
                held += character
            else:
                shown += held + character
                held = ""
        yield shown
    yield held


def _without_items_again(texts: Iterator[str]) -> Iterator[str]:
    """What may be items once more is held back until it is told."""
    items, rest = _Items(), ""
    for text in texts:
        rest += text
        end = 0
        for match in _ITEM.finditer(rest):
            end = match.end()
            if shown := items.said(match[0]):
                yield shown
            if items.again:
                return
        rest = rest[end:]
        if not (rest.endswith(_ENDS) or items.may_be(rest)):
            yield items.said_in_part(rest)
            rest = ""
    if left := items.held + rest:
        yield left


class _Items:
    """The items of a reply so far; `held` are the last ones, where they may be said `again`."""

    def __init__(self) -> None:
        self.held, self.again = "", False
        self._items: list[str] = []
        self._begun = ""  # of the item that is being said
        self._row: list[str] = []  # the items that are held
        self._places: set[int] = set()  # behind where these were said before
        self._came_round = False  # to where the row began, so that nothing else was said between
        self._in_code = False

    def may_be(self, begun: str) -> bool:
        """Whether what is said of an item may become one that was said before."""
        bare = _bare(self._begun + begun)
        return not bare or bare.isdigit() or any(item.startswith(bare) for item in self._items)

    def said_in_part(self, text: str) -> str:
        """Take the beginning of an item, which was not said before; the text that is to be shown."""
        self._begun += text
        return self._released() + text

    def said(self, text: str) -> str:
        """Take an item, or the rest of one; the text that is to be shown by now, which is none where it is held."""
        whole, self._begun = self._begun + text, ""
        item = _bare(whole)
        self._in_code ^= whole.count(_CODE) % 2 == 1
        if self._in_code:
            return self._released() + text
        if not item:  # the mark of the next one
            self.held += text
            return ""
        before = [place for place, one in enumerate(self._items) if one == item]
        going_on = {place + 1 for place in before if place in self._places}
        self._items.append(item)
        if not before:
            return self._released() + text
        shown = self._released() if self._row and not going_on else ""
        self._places = going_on or {place + 1 for place in before}
        self._row.append(item)
        self.held += text
        self._came_round = self._came_round or len(self._items) - len(self._row) in self._places
        is_long = len(self._row) >= _IN_A_ROW and len("".join(self._row)) >= _CHARACTERS
        self.again = self._came_round and is_long
        return shown

    def _released(self) -> str:
        held, self.held = self.held, ""
        self._row, self._places, self._came_round = [], set(), False
        return held


def _bare(text: str) -> str:
    """An item without the mark that it has in a list, and the sign that ends it."""
    return _MARK.sub("", text).casefold()
