"""Subtitles (.srt, .vtt): what was said, in paragraphs that begin with the time."""

import re
from collections.abc import Iterator
from itertools import zip_longest

from memory.formats.pieces import Piece, decoded, one_line, paragraphs

_TIMES = re.compile(
    r"^[ \t]*(?P<begin>(?:\d+:)?\d\d:\d\d)[.,]\d+[ \t]*-->[ \t]*(?P<end>(?:\d+:)?\d\d:\d\d)[.,]\d+.*$", re.MULTILINE
)
_TAG = re.compile(r"<[^<>\n]{0,100}>|\{\\[^{}\n]{0,100}\}")
_NUMBER = re.compile(r"\n[ \t]*\d+[ \t]*\Z|\n[ \t]*\n.*\Z", re.DOTALL)  # or the name of the next one
_PAUSE = 4  # seconds after which something new begins
_LONG = 400  # characters after which it does at the end of a sentence
_ENDS = (".", "!", "?", "…", "。", "！", "？", "”", '"')


def read_subtitles(name: str, data: bytes) -> Iterator[Piece]:
    """The words in the order in which they are shown; a sentence may run over several titles."""
    text = decoded(name, data)
    titles = list(_TIMES.finditer(text))
    if not titles:
        yield from map(Piece, paragraphs(text))
    run, began, ended = "", "", -_PAUSE
    for title, after in zip_longest(titles, titles[1:]):
        said = text[title.end() : after.start() if after else len(text)]
        said = one_line(_TAG.sub("", said if after is None else _NUMBER.sub("", said)))
        if run and (_seconds(title["begin"]) - ended >= _PAUSE or (len(run) > _LONG and run.endswith(_ENDS))):
            yield Piece(f"{began} {run}")
            run = ""
        began = began if run else title["begin"]
        run, ended = f"{run} {said}".strip(), _seconds(title["end"])
    if run:
        yield Piece(f"{began} {run}")


def _seconds(time: str) -> int:
    seconds = 0
    for part in time.split(":"):
        seconds = seconds * 60 + int(part)
    return seconds
