"""Text with its entities replaced by their type and a number (ICSU, section on ICSU (Anonymized)).

"Which movie is shorter, Jaws or Rhinestone?" becomes "Which movie is shorter, [ENTITY_0] or [ENTITY_1]?": what is left
is the shape of a question, by which it is like others about other things. Past the paper, dates, numbers, quoted
strings, identifiers and addresses are replaced too; their types are those of OntoNotes where it has one.

Names are seen by their capital letters, or because a knowledge base has them (`names_in`), and all are of one type.
The paper recognises persons, places and so on with a model; spaCy's small one finds fewer of the names in questions,
and the types that it gives them make the examples found worse, not better (`tests/benchmarks/LOG.md`).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

ENTITY = "ENTITY"


@dataclass(frozen=True, slots=True)
class Anonymized:
    """A text without its entities; `replaced` tells what stood where: "[DATE_0]" to "5 May 1990"."""

    text: str
    replaced: dict[str, str]


@dataclass(frozen=True, slots=True)
class Recognised:
    """Characters `start` (included) to `end` (not included) of a text, and the type of what they name."""

    start: int
    end: int
    type: str


_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_CODE = r"A-Za-z\d_./:-"
_ORDINAL = r"\d{1,2}(?:st|nd|rd|th)?"
# Within each of these two, what an earlier pattern has taken, a later one does not get.
_ENCLOSED = (
    ("URL", re.compile(r"\b(?:https?://|www\.)[^\s<>\"“”，。？]*[^\s<>\"“”，。？?!.,;:)]", re.IGNORECASE)),
    ("WORK_OF_ART", re.compile(r"[《〈][^《》〈〉\n]+[》〉]")),
    ("STRING", re.compile(r"\"[^\"\n]+\"|“[^“”\n]+”|「[^「」\n]+」|『[^『』\n]+』|(?<!\w)['‘][^'‘’\n]+['’](?!\w)")),
)
_VALUES = (
    ("DATE", re.compile(rf"\b(?:{_ORDINAL} (?:of )?{_MONTH}|{_MONTH} {_ORDINAL})(?:,? \d{{4}})?\b", re.IGNORECASE)),
    ("DATE", re.compile(rf"\b{_MONTH} \d{{4}}\b", re.IGNORECASE)),
    ("DATE", re.compile(r"\d{1,4}年(?:\d{1,2}月(?:\d{1,2}[日号])?)?|\d{1,2}月\d{1,2}[日号]")),
    ("DATE", re.compile(r"(?<![\w.,-])(?:\d{4}-\d\d?(?:-\d\d?)?|\d\d?[./]\d\d?[./]\d{2,4})(?![\w-])")),
    ("DATE", re.compile(r"(?<![\w.,-])(?:1\d{3}|20\d\d)s?(?![\w,.-]*\d)(?![\w-])")),
    ("IDENTIFIER", re.compile(rf"(?<![{_CODE}])(?=[{_CODE}]*\d)(?=[{_CODE}]*[A-Za-z])[A-Za-z\d][{_CODE}]*[A-Za-z\d]")),
    ("IDENTIFIER", re.compile(r"(?<![\w.,-])\d+(?:[-/:]\d+)+(?![\w-])")),
    ("CARDINAL", re.compile(r"(?<![A-Za-z\d_.,])[-−]?\d+(?:[,.]\d+)*(?:[eE][-+]?\d+)?[万亿]*(?![A-Za-z\d_])")),
)

_WORD = re.compile(r"(?:Dr|Mr|Mrs|Ms|Prof|St)\.|[^\W\d_\u3400-\u9fff]+(?:[.'’&/-]?[^\W\u3400-\u9fff])*")
_POSSESSIVE = re.compile(r"['’]s?$")
_CONTRACTED = re.compile(r"n?['’].*$")
_HAN = re.compile(r"[\u3400-\u9fff]")
# Words between the parts of a name.
_INSIDE = "of the de da do del della di du des la le les van von der den el al bin ibn for &"
_INSIDE_NAMES = frozenset(_INSIDE.split())
# Words that begin a question without being a name.
_FIRST = """
a about according after all also am an and any are as at be been before between both but by can compare compute could
count describe did do does during each every explain find for from give had has have he her his how i if in is it its
just let list many may me might much my name of on one or our out over please said same say she should show so some
such tell than that the their them then there these they this those through to today two under until up us was we were
what when where whether which while who whom whose why will with within without would you your
"""
_FIRST_WORDS = frozenset(_FIRST.split())


def anonymize(text: str, names: Iterable[str] = ()) -> Anonymized:
    """`text` without its entities, those called by one of `names` among them, in whatever case they are written.

    The same thing twice is one placeholder. Longer names go before shorter ones.
    """
    chosen: list[Recognised] = []
    taken = bytearray(len(text))
    for found in _recognised(text, names):
        if not any(taken[found.start : found.end]):
            chosen.append(found)
            taken[found.start : found.end] = b"\1" * (found.end - found.start)
    return _replaced(text, sorted(chosen, key=lambda found: found.start))


def _recognised(text: str, names: Iterable[str]) -> Iterator[Recognised]:
    """All that could be replaced, what is surest first."""
    yield from _matches(text, _ENCLOSED)
    for name in sorted(set(names), key=lambda name: (-len(name), name)):
        yield from _occurrences(text, name)
    yield from _matches(text, _VALUES)
    yield from _capitalised(text)


def _matches(text: str, patterns: Iterable[tuple[str, re.Pattern[str]]]) -> Iterator[Recognised]:
    for kind, pattern in patterns:
        yield from (Recognised(*match.span(), kind) for match in pattern.finditer(text))


def _occurrences(text: str, name: str) -> Iterator[Recognised]:
    """Where a name stands, in whatever case; not within a word, where its letters are of a script that has words."""
    searched, wanted = _lowered(text), _lowered(name.strip())
    start = searched.find(wanted) if wanted else -1
    while start >= 0:
        end = start + len(wanted)
        if not (within_word(text, start) or within_word(text, end)):
            yield Recognised(start, end, ENTITY)
        start = searched.find(wanted, end)


def _lowered(text: str) -> str:
    """The text in lower case, each character in its place; some capitals become two letters, and stay as they are."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def within_word(text: str, place: int) -> bool:
    """Whether a word goes on over this place; between Chinese characters none does."""
    around = text[max(0, place - 1) : place + 1]
    return len(around) == 2 and around.isalnum() and not _HAN.search(around)


def _capitalised(text: str) -> Iterator[Recognised]:
    """Runs of words with capitals, joined by words that stand inside names; none where the whole text has capitals."""
    if not re.search(r"[a-z]", text):
        return
    run: list[re.Match[str]] = []
    inside: list[re.Match[str]] = []
    for word in _WORD.finditer(text):
        last = (inside or run)[-1] if run else None
        joined = last is not None and text[last.end() : word.start()] in (" ", ", Jr")
        if run and not joined:
            yield _named(text, run)
            run, inside = [], []
        if _is_capitalised(text, word):
            run, inside = [*run, *inside, word], []
        elif run and word[0] in _INSIDE_NAMES:
            inside.append(word)
        elif run:
            yield _named(text, run)
            run, inside = [], []
    if run:
        yield _named(text, run)


def _is_capitalised(text: str, word: re.Match[str]) -> bool:
    if word[0] == word[0].lower() or word[0] == "I" or word[0].startswith(("I'", "I’")):
        return False
    first = not text[: word.start()].strip(" \"'“‘(¿¡") or text[: word.start()].rstrip()[-1] in ".?!:。？！："
    return not (first and _CONTRACTED.sub("", word[0].lower()) in _FIRST_WORDS)


def _named(text: str, run: list[re.Match[str]]) -> Recognised:
    start, end = run[0].start(), run[-1].end()
    possessive = _POSSESSIVE.search(text[start:end])
    return Recognised(start, start + possessive.start() if possessive else end, ENTITY)


def _replaced(text: str, found: list[Recognised]) -> Anonymized:
    placeholders: dict[tuple[str, str], str] = {}
    replaced: dict[str, str] = {}
    numbers: dict[str, int] = {}
    parts, end = [], 0
    for one in found:
        named = text[one.start : one.end]
        key = one.type, named.casefold()
        if key not in placeholders:
            number = numbers.get(one.type, 0)
            numbers[one.type] = number + 1
            placeholders[key] = f"[{one.type}_{number}]"
            replaced[placeholders[key]] = named
        parts += [text[end : one.start], placeholders[key]]
        end = one.end
    return Anonymized("".join([*parts, text[end:]]), replaced)
