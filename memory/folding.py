"""Text as it is compared: case and accents folded, and cut into words; Chinese and Japanese character by character.

Names are looked up by `fold`, texts are searched by `terms`. Records keep what these functions return, so changing them
asks for a migration that writes those columns again.
"""

import re
import unicodedata
from itertools import accumulate
from typing import NamedTuple

_IDEOGRAPHS = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# "C++" and "C#" are other names than "C".
_TOKEN = re.compile(rf"[{_IDEOGRAPHS}]|[^\W_{_IDEOGRAPHS}]+[+#]*")
_IDEOGRAPH = re.compile(f"[{_IDEOGRAPHS}]")
_ACCENTS = re.compile("[\u0300-\u036f]")
_LONGEST_NAME = 12  # tokens
_BRACKETED = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
HEADINGS_APART = " > "

_ENGLISH = """
a about an and any are as at be been but by can could did do does for from had has have he her him his how i if in is it
its me my of on or our s she should so that the their them they this to us was we were what when where which who whom
whose why will with would you your
"""
_CHINESE = "的了是在和吗呢吧啊么也就都而及与着或这那哪"
STOP_WORDS = frozenset(_ENGLISH.split()) | frozenset(_CHINESE)
_NEVER_NAMES = STOP_WORDS - {"i", "me", "my"}


class Phrase(NamedTuple):
    """A run of tokens of a text that could be a name: its folded form, and the tokens `first` to `last` (excluded)."""

    key: str
    first: int
    last: int


def fold(text: str) -> str:
    """The form under which two spellings of a name are one: "Zoë  O'Neil" and "ZOE O’NEIL" both give "zoe o neil"."""
    return " ".join(_tokens(text)) or text.strip().casefold()


def ascii_digits(text: str) -> str:
    """The text with the decimal digits of every script as those of ASCII; no record keeps it."""
    return "".join(str(unicodedata.decimal(sign)) if sign.isdecimal() else sign for sign in text)


def last_heading(headings: str) -> str:
    """The nearest of the headings that a passage stands under; empty without any."""
    return headings.rpartition(HEADINGS_APART)[2]


def topic(heading: str) -> str | None:
    """What a passage under these headings is about: the last of them, folded, without what stands in brackets."""
    return fold(_BRACKETED.sub("", last_heading(heading))) or None


def phrases(text: str) -> list[Phrase]:
    """Every run of at most twelve tokens of `text`; single function words are left out, since no name is one.

    "I", "me" and "my" are kept: in the chat they name the user.
    """
    tokens = _tokens(text)
    return [
        Phrase(" ".join(tokens[first:last]), first, last)
        for first in range(len(tokens))
        for last in range(first + 1, min(first + _LONGEST_NAME, len(tokens)) + 1)
        if last - first > 1 or tokens[first] not in _NEVER_NAMES
    ]


def possible_names(text: str, longest: int) -> set[str]:
    """The keys that `phrases` has up to that many tokens; quick, also for a long text."""
    tokens = _tokens(text)
    runs: set[str] = set()
    for first in range(len(tokens)):
        runs.update(accumulate(tokens[first : first + longest], lambda run, token: f"{run} {token}"))
    return runs - _NEVER_NAMES


def terms(text: str) -> list[str]:
    """The search terms of `text` in their order: words without function words, and pairs of ideographs.

    Written Chinese has no word boundaries; pairs find two-character words without a dictionary. A character that stands
    alone is a term of its own.
    """
    found: list[str] = []
    previous, previous_end, paired = "", -1, False
    for match in _TOKEN.finditer(_plain(text)):
        token = match.group()
        if not _IDEOGRAPH.match(token):
            _end_run(found, previous, paired)
            previous = ""
            if token not in STOP_WORDS:
                found.append(token)
            continue
        if previous and match.start() == previous_end:
            found.append(previous + token)
            paired = True
        else:
            _end_run(found, previous, paired)
            paired = False
        previous, previous_end = token, match.end()
    _end_run(found, previous, paired)
    return found


def _end_run(found: list[str], last: str, paired: bool) -> None:
    if last and not paired and last not in STOP_WORDS:
        found.append(last)


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(_plain(text))


def _plain(text: str) -> str:
    # Case twice: a mathematical 𝐀 is a letter with a case only once it is decomposed.
    decomposed = unicodedata.normalize("NFKD", text.casefold()).casefold()
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFKD", decomposed)))
