"""Sums in replies: the model writes `<<sum>>` where the result belongs, and code puts the result there.

Small models know what is to be computed and compute it wrongly; so the calculator is theirs to call, as in GSM8K
(Cobbe et al. 2021, "Training Verifiers to Solve Math Word Problems"). A sum has numbers, dates as 2026-05-02, times of
day as 17:45, lengths of time as 95 min, `today`, `age(date)`, `until(month-day)` in days, + - * / ^ % and brackets; or
it compares, as `earlier(Ann: 1952-05-03; Ben: 1960)`, and the result is a name.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING

from assistant.answering.figures import numbers, readings
from assistant.citations import ends_in_code
from assistant.messages.catalogues import ENGLISH

if TYPE_CHECKING:
    from babel import Locale

_SUM = re.compile(r"<<(?P<sum>[^\n<>]{0,120})(?P<end>>>)?")
# In GBNF of llama.cpp: no sum but the days until a date that is known to everybody; in code << has a space.
NO_NUMBERS = """root ::= ([^<] | "<" [^<] | "<< " [^0-9] | "<<until(" month "-" day ")>>")*
month ::= "0" [1-9] | "1" [0-2]
day ::= "0" [1-9] | [12] [0-9] | "3" [01]"""
_LARGEST, _MOST_TIMES = Decimal(10) ** 15, 1000  # of a result, of an exponent
_GROUPED = 10_000  # from here on; a year is not
_DAY = timedelta(days=1)
_UNITS = {
    "min": timedelta(minutes=1), "h": timedelta(hours=1), "day": _DAY, "days": _DAY, "weeks": 7 * _DAY,
}  # fmt: skip
_TOKEN = re.compile(
    r"\s*(?:age\(\s*(?P<birth>\d{4}-\d\d-\d\d)\s*\)|until\(\s*(?P<month>\d\d?)-(?P<day>\d\d?)\s*\)"
    r"|age\(\s*(?P<years>\d{1,3})\s*\)"  # which is known, and no birthday
    r"|date\(\s*(?P<named>\d{4}-\d\d-\d\d)\s*\)|(?P<date>\d{4}-\d\d-\d\d|today)|(?P<time>\d\d?[:h]\d\d)"
    r"|[$€£¥]?(?P<number>\d+(?:[.,]\d+)*)(?:\s*(?P<unit>(?!x\b)[^\W\d_]+|[$€£¥]))?|(?P<sign>[-+*/^%()×x·÷−–]))"
)
_SIGNS = {"×": "*", "x": "*", "·": "*", "÷": "/", "−": "-", "–": "-"}
_CHOICE = re.compile(
    r"\s*(?P<way>earlier|later|less|more)\((?P<one>[^:;]+):(?P<of_one>[^;]+);(?P<other>[^:;]+):(?P<of_other>[^;]+)\)\s*"
)
_ISO = re.compile(r"(\d{4})-\d\d-(\d\d)|until\(\s*\d\d?-(\d\d?)\s*\)")
_CALL = re.compile(r"[a-z]\(")
_BARE = re.compile(r"\s*\d+(?:[.,]\d+)*\s*")  # there is nothing to compute
_ADDED_PERCENT = re.compile(r"[-+−–]\s*[\d.,]+\s*%\s*(?:$|[-+−–)])")  # of what, only its reader knows

_Value = Decimal | date | time | timedelta
_Joining = Callable[[_Value, _Value], _Value]


def with_results(pieces: Iterable[str], today: date, language: str, said: str = "") -> Iterator[str]:
    """The pieces of a reply in a language, with what each sum comes to in its place; `said` stands before them.

    Of what cannot be computed the words are left; in code, where `<<` may be anything, it stands as it is.
    """
    waiting = ""
    for piece in pieces:
        waiting += piece
        while match := _SUM.search(waiting):
            yield waiting[: match.start()]
            said, waiting = said + waiting[: match.start()], waiting[match.start() :]
            if not match["end"] and waiting[len(match[0]) :] in {"", ">"}:  # it goes on
                break
            yield _result(match, today, language) if match["end"] and not _is_in_code(said) else match[0]
            said, waiting = said + match[0], waiting[len(match[0]) :]
        else:
            whole = len(waiting) - waiting.endswith("<")
            yield waiting[:whole]
            said, waiting = said + waiting[:whole], waiting[whole:]
    yield waiting


def computed(text: str, today: date, language: str) -> tuple[str, list[str]]:
    """A text in a language with what each sum comes to in its place, and those sums; no code."""
    sums = list[str]()

    def result(match: re.Match[str]) -> str:
        if not match["end"] or _is_in_code(text[: match.start()]):
            return match[0]
        said, is_sum = _computed(match["sum"], today, language)
        if is_sum:
            sums.append(match["sum"])
        return said

    return _SUM.sub(result, text), sums


def fails(text: str, today: date, language: str) -> bool:
    """Whether a text calls what computes with what it cannot read: the words that are left say nothing."""
    sums = (match for match in _SUM.finditer(text) if match["end"] and not _is_in_code(text[: match.start()]))
    calls = (match["sum"] for match in sums if _CALL.search(unicodedata.normalize("NFKC", match["sum"])))
    return any(not _computed(sum, today, language)[1] for sum in calls)


def operands(sum: str) -> Iterator[frozenset[Decimal]]:
    """The numbers that a sum is made of, each in all ways to read it; of a date its year and day, for its month may be
    told by its name."""
    choice = _CHOICE.fullmatch(sum)
    text = f"{choice['of_one']}; {choice['of_other']}" if choice else sum.partition("=")[0]
    return numbers(_ISO.sub(lambda match: " ".join(filter(None, match.groups())), text))


def _is_in_code(said: str) -> bool:
    """Whether what follows is code: in a block, or behind a mark of it in the same line."""
    return ends_in_code(said) or said.rpartition("\n")[2].count("`") % 2 == 1


def _result(match: re.Match[str], today: date, language: str) -> str:
    return _computed(match["sum"], today, language)[0] or match[0]


def _computed(sum: str, today: date, language: str) -> tuple[str, bool]:
    """What a sum comes to, and that it does; of what cannot be computed the words, and a number as it is written."""
    if _BARE.fullmatch(sum):
        return sum.strip(), True
    sum = unicodedata.normalize("NFKC", sum)
    choice = _CHOICE.fullmatch(sum)
    try:
        if choice:
            return _chosen(choice, today, language), True
        return _told(_Sum(sum.partition("=")[0], today, language).value(), language), True
    except (ValueError, ArithmeticError):
        return ("{one}:{of_one}; {other}:{of_other}".format(**choice.groupdict()) if choice else sum.strip()), False


def _chosen(choice: re.Match[str], today: date, language: str) -> str:
    """The name of which of two is more, or less; raises ValueError where that cannot be told."""
    one, other = (_Sum(choice[part], today, language).value() for part in ("of_one", "of_other"))
    if isinstance(one, date) != isinstance(other, date):  # of one of them, the year is known
        one, other = (Decimal(value.year) if isinstance(value, date) else value for value in (one, other))
    if type(one) is not type(other) or one == other:
        raise ValueError(choice[0])
    is_less = one < other  # type: ignore[operator]
    return choice["one" if is_less == (choice["way"] in {"earlier", "less"}) else "other"].strip()


class _Sum:
    """A sum that is read from left to right; everything raises `ValueError` where it is none, or `ArithmeticError`."""

    def __init__(self, text: str, today: date, language: str) -> None:
        self._today = today
        self._language = language
        self._tokens = list[_Value | str]()
        place = 0
        if _ADDED_PERCENT.search(text):
            raise ValueError(text)
        while text[place:].strip():
            if not (match := _TOKEN.match(text, place)):
                raise ValueError(text)
            self._tokens.append(self._token(match))
            place = match.end()
        self._tokens.append("")

    def value(self) -> _Value:
        """What it comes to."""
        found = self._added()
        if self._tokens[0]:
            raise ValueError(self._tokens)
        return found

    def _token(self, match: re.Match[str]) -> _Value | str:
        if birth := match["birth"]:
            return _age(date.fromisoformat(birth), self._today)
        if match["years"]:
            return Decimal(match["years"])
        if match["month"]:
            return _until(int(match["month"]), int(match["day"]), self._today)
        if day := match["date"] or match["named"]:
            return self._today if day == "today" else date.fromisoformat(day)
        if clock := match["time"]:
            return datetime.strptime(clock.replace("h", ":"), "%H:%M").time()
        if sign := match["sign"]:
            return _SIGNS.get(sign, sign)
        number = _number(match["number"], self._language)
        unit = _UNITS.get(match["unit"] or "")
        return _times(unit, number) if unit else number

    def _added(self) -> _Value:
        return self._joined({"+": _plus, "-": _minus}, self._multiplied)

    def _multiplied(self) -> _Value:
        return self._joined({"*": _times, "/": _over}, self._raised)

    def _joined(self, ways: Mapping[_Value | str, _Joining], part: Callable[[], _Value]) -> _Value:
        """Parts from left to right, as far as the signs between them say in which of the ways they are joined."""
        found = part()
        while way := ways.get(self._tokens[0]):
            del self._tokens[0]
            found = way(found, part())
        return found

    def _raised(self) -> _Value:
        if self._tokens[0] == "-":
            del self._tokens[0]
            return _times(self._raised(), Decimal(-1))
        found = self._single()
        if self._tokens[0] != "^":
            return found
        del self._tokens[0]
        times = self._raised()
        if not (isinstance(found, Decimal) and isinstance(times, Decimal) and abs(times) <= _MOST_TIMES):
            raise ValueError(times)
        return found**times

    def _single(self) -> _Value:
        token = self._tokens.pop(0)
        if token == "(":
            token = self._added()
            if self._tokens.pop(0) != ")":
                raise ValueError("A bracket is open.")
        if isinstance(token, str):
            raise ValueError(token)
        while self._tokens[0] == "%":
            del self._tokens[0]
            token = _over(token, Decimal(100))
        return token


@cache
def _locale(language: str) -> "Locale":
    """How a language writes numbers and dates; as English where that is not known, as of Latin."""
    from babel import Locale, UnknownLocaleError

    try:
        return Locale.parse(language or ENGLISH)
    except UnknownLocaleError:
        return Locale.parse(ENGLISH)


def _number(figure: str, language: str) -> Decimal:
    """What a figure says: "1,250" is more than a thousand, but where the language writes its fractions with a comma."""
    from babel.numbers import get_decimal_symbol

    whole, fraction = min(ways := readings(figure), default=None), max(ways, default=None)
    if whole is None or fraction is None:
        raise ValueError(figure)
    is_fraction = figure.startswith("0") or get_decimal_symbol(_locale(language)) in figure
    return whole if is_fraction else fraction


def _plus(one: _Value, other: _Value) -> _Value:
    match one, other:
        case Decimal(), Decimal():
            return one + other
        case timedelta(), timedelta():
            return one + other
        case date(), timedelta():
            return one + other
        case date(), Decimal():
            return one + timedelta(days=int(other))
        case time(), timedelta():
            return (datetime.combine(date.min + _DAY, one) + other % _DAY).time()
        case time(), Decimal():
            return _plus(one, timedelta(minutes=float(other)))
        case time(), time():  # "3:15" is as well the length of a time
            return _plus(one, timedelta(hours=other.hour, minutes=other.minute))
    raise ValueError("These cannot be added up.")


def _minus(one: _Value, other: _Value) -> _Value:
    match one, other:
        case date(), date():
            return Decimal((one - other).days)
        case time(), time():  # on the next day, if need be
            return (datetime.combine(date.min, one) - datetime.combine(date.min, other)) % _DAY
        case _, Decimal() | timedelta():
            return _plus(one, _times(other, Decimal(-1)))
    raise ValueError("One cannot be taken from the other.")


def _times(one: _Value, other: _Value) -> _Value:
    match one, other:
        case Decimal(), Decimal():
            return one * other
        case timedelta(), Decimal():
            return one * float(other)
        case Decimal(), timedelta():
            return other * float(one)
    raise ValueError("These cannot be multiplied.")


def _over(one: _Value, other: _Value) -> _Value:
    match one, other:
        case Decimal(), Decimal():
            return one / other
        case timedelta(), timedelta():
            return Decimal(one / other)
        case timedelta(), Decimal():
            return one / float(other)
    raise ValueError("One cannot be divided by the other.")


def _age(birth: date, today: date) -> Decimal:
    return Decimal(today.year - birth.year - ((today.month, today.day) < (birth.month, birth.day)))


def _until(month: int, day: int, today: date) -> Decimal:
    """The days until a day of the year comes next; of 29 February, until there is one."""
    days = (today + ahead * _DAY for ahead in range(9 * 366))
    if found := next((coming for coming in days if (coming.month, coming.day) == (month, day)), None):
        return Decimal((found - today).days)
    raise ValueError("No year has this day.")


def _told(value: _Value, language: str) -> str:
    from babel.dates import format_date
    from babel.numbers import format_decimal

    if isinstance(value, date):
        return str(format_date(value, "long", locale=_locale(language)))
    if isinstance(value, time):
        return f"{value:%H:%M}"
    if isinstance(value, timedelta):
        if value % _DAY:
            minutes = round(abs(value) / timedelta(minutes=1))
            return f"{'-' if value < timedelta() else ''}{minutes // 60}:{minutes % 60:02}"
        value = Decimal(value // _DAY)
    if abs(value) > _LARGEST:
        raise ValueError(value)
    rounded = round(value, 2) if abs(value) >= 1 else round(value, 1 - value.adjusted() if value else 0)
    pattern = "#,##0.##########" if abs(rounded) >= _GROUPED else "0.##########"
    return str(format_decimal(rounded, pattern, locale=_locale(language)))
