"""When a fact held, as the words around it tell: "since 2019", "until last May", "from 2015 to 2019", "used to".

A day, a month or a year is meant by its first day where something begins, and by its last where something ends.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import zip_longest

from memory.folding import fold, terms

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
_MONTH += r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBERS = {word: n for n, word in enumerate(_WORDS, 1)}
_NUMBERS |= {"a": 1, "an": 1} | {word: n for n, word in enumerate("一二三四五六七八九十", 1)} | {"两": 2}
# What somebody may do, or not, whereby another thing ends: "I may move".
_CHANGE = "(?:have |also |even |soon |well |just )?(?:move|relocate|start|join|leave|quit|switch|change|marry|divorce"
_CHANGE += "|resign|retire|get|become|take)"
# From the longest to the shortest: "3 May 2019" is no month, "May 2019" no year.
_DATES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_YEAR}-(?P<number>\d\d)-(?P<day>\d\d)\b",
        rf"\b{_DAY} {_MONTH},? {_YEAR}\b",
        rf"\b{_MONTH} {_DAY},? {_YEAR}\b",
        rf"\b{_MONTH},?(?: of)? {_YEAR}\b",
        rf"\b{_YEAR}-(?P<number>\d\d)\b",
        rf"{_YEAR}\s*年(?:(?P<number>\d\d?)\s*月(?:(?P<day>\d\d?)\s*[日号])?)?",
        r"\b(?P<decade>(?:19|20)\d)0s\b",
        rf"\b{_YEAR}\b",
    )
)
# Four digits may be a part of something ("555-1987", "anna-1987@x.org", "$2000") or count what follows ("1950 euros").
_GLUED = re.compile(r"[a-z\d_@#$€£¥]$|(?<!\b(?:19|20)\d\d)(?<!\bmid)(?<!\bearly)(?<!\blate)[–—-]$", re.IGNORECASE)
_GLUED_BEHIND = re.compile(r"[a-z\d_@]|[–—-](?!(?:(?:19|20)?\d\d|present|now|today)(?![a-z\d]))[a-z\d]", re.IGNORECASE)
_COUNTED = re.compile(r"\s?(?:[€$£¥%元块]|(?:[a-z]{3,}s|kg|km|yuan|yen|people)\b)")
_IN_A_YEAR = re.compile(r"\b(?:in|since|until|till)\s*$", re.IGNORECASE)
# These count from the day on which something is said.
_RELATIVE = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?P<which>last|this|next) {_MONTH}\b",
        r"\b(?P<which>last|this|next) (?P<unit>year|month|week)\b",
        r"\b(?P<count>\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten) (?P<unit>year|month|week|day)s? ago\b",
        r"\b(?P<which>yesterday|today|tomorrow)\b",
        r"(?P<which>去年|今年|前年|明年)(?:(?P<number>\d\d?)\s*月)?",
        r"(?P<which>上|这|下)个?(?P<unit>月|周|星期)",
        r"(?P<count>\d+|[一二两三四五六七八九十])个?(?P<unit>年|月|周|星期|天)[之以]?前",
        r"(?P<which>昨天|今天|明天)",
        rf"\b(?!may (?:{_CHANGE})\b){_MONTH}(?= |$|[,.;])",
    )
)
_DAYS = {"week": 7, "day": 1, "周": 7, "星期": 7, "天": 1}
# How many units, or days, ago; next year is one ahead.
_AGO = {"last": 1, "上": 1, "去年": 1, "前年": 2, "yesterday": 1, "昨天": 1}
_AGO |= {"next": -1, "下": -1, "明年": -1, "tomorrow": -1, "明天": -1}
_SINCE = re.compile(r"(since|from|starting|as of|[自从])\s*(early |mid |late |about |around )?$", re.IGNORECASE)
_UNTIL = re.compile(r"(until|till|up to|through|to|直?到|至)\s*(early |mid |late |about |around )?$", re.IGNORECASE)
_FROM_TO = re.compile(
    r"\s*(?:[–—-]|until|till|through|to|直?到|至)\s*(?:early |mid |late |about |around )?", re.IGNORECASE
)
_SINCE_AFTER = re.compile(r"\s*(?:以来|起|开始|就|[–—-]\s*(?:present|now|today)\b|[到至]今)", re.IGNORECASE)
_BEGINNING = re.compile(
    r"\b(mov(e[ds]?|ing)|relocat(e[ds]?|ing)|join(ed|s|ing)?|start(ed|s|ing)?|began|begin(s|ning)?|married|marry(ing)?"
    r"|bought|became|becom(es|ing)|switch(ed|es|ing))\b|搬|加入|入职|开始|结婚|换",
    re.IGNORECASE,
)
# Where the value follows at once: "I moved out of my flat in Rome", not "I left Rome for Oslo".
_LEAVING = re.compile(
    r"\b(moved? ((away|out) )?(from|of)|(i|we|he|she|they|who|has|have|had|just|['’]ve|(?-i:[A-Z]\w+)"
    r"|(my|his|her|our|their) \w+) left(?! (?:at|in|on|for)\b)|quit|resigned from"
    r"|divorced( from)?|(broke|split) up with|(fired|laid off) (from|by)|retired from|stopped (working|living)"
    r"|dropped out of)\b|离开|搬离|搬出|辞去|退学|从(?=.{1,12}(搬|离|辞))",
    re.IGNORECASE,
)
_AT_ONCE = re.compile(
    r"\W*((my|our|the|job|position|post|work|working|flat|house|in|at|for|with|from|of)\W+)*|了?", re.I
)
_PLANNED = re.compile(
    r"\b(?:will|['’]ll|shall|plan(?:s|ning)? (?:to|on)|(?:want|hope|intend|expect)s? to|about to|would like to|gonna"
    r"|(?:am|are|is|be|['’](?:m|re|s)) (?:going to|(?:[a-z]+ly )?(?:moving|relocating|starting|joining|leaving|quitting"
    r"|switching|changing|marrying|resigning|retiring|getting (?:married|divorced)))"
    rf"|tomorrow|next (?:week|month|year|spring|summer|autumn|fall|winter|{'|'.join(_MONTHS)}))"
    r"|打算|计划|准备|即将|将要|[会要想将](?:搬|去|换|跟|和|与|结|入职|离|辞|加入)|明年|明天|下个?(?:月|周|星期)"
)
# What is only thought of, hangs on something else, or is denied.
_UNSURE = re.compile(
    rf"\b(?:if|unless|maybe|perhaps|(?:might|could|would|may) {_CHANGE}|(?:almost|nearly) (?:quit|left|got|\w+ed)"
    r"|consider(?:s|ed|ing)?|(?:think|thought|dream|talk)(?:s|ing|ed)? (?:of|about)|wanted to|hoped to"
    r"|(?:was|were) (?:going|about|planning) to)\b"
    r"|(?:\bnot|n['’]t|\bnever) (?:(?!forget|know|remember|mind|believe)\w+ ){0,2}?"
    r"(?:mov|relocat|start|join|lea?v|left|quit|switch|marr[iy]|divorc|resign"
    r"|retir|g[eo]t|fired|laid off|br[eo]ke|split|dropped|drop|bec[ao]me?|t[ao]ken?|took)"
    r"|可能|也许|如果|要是|差点|考虑|(?:没有?|不会?|未)(?:搬|离|辞|分手|退学|加入|入职|结婚|换|跳槽)",
    re.IGNORECASE,
)
_LIVING = "lived|worked|studied|used to|(?:was|were) (?:living|working|studying|teaching|staying|employed)"
_DID = "(?:[住做干当待呆教]|工作|上班|上学|学习|任职|就职|生活)过"
_PAST = re.compile(
    rf"\b(?:{_LIVING}|formerly|previously|no longer|any ?more|was married|in the past)\b"
    rf"|(?<!as )(?<!ever )(?<!never )\bbefore(?=\W*$)|以前|之前|曾|过去|不再|原来|{_DID}|小时候(?!.*搬)",
    re.IGNORECASE,
)
_LIVED = re.compile(rf"\b(?:{_LIVING})\b|以前|之前|曾|{_DID}", re.IGNORECASE)
# Right before the value: who says "I was a nurse" is one no more; of others that is sure where it says for how long.
_WAS = re.compile(r"\b(?:(?P<first>i was|we were)|was|were) (?:(?:an?|the|at|with) )?$", re.IGNORECASE)
_FOR_YEARS = re.compile(r"\bfor (?:\w+ ){1,2}(?:years|months|decades)\b", re.IGNORECASE)
# 工作了三年 may still go on, where the end of it is not told; 工作了三年了 and 已经 say that it does.
_FOR_A_WHILE = re.compile(
    r"(?<!已)(?<!已经)(?:工作|住|生活|上班|上学|学习|[待呆干做当读念])了(?:快|将近|大约|差不多)?[\d一二两三四五六七八九十几多好半]+"
    r"个?多?(?:年|月|周|星期|天)(?!.*了)"
)
# What only looks like the past: "I have always lived in Rome", "I am used to it".
_NO_PAST = re.compile(
    r"(?:\b(?:have|has)|['’](?:ve|s)) (?:(?:\w+ly|also|always|ever|just|long|never|now|since) ){0,2}"
    r"(?:lived|worked|studied)\b|(?:\b(?:am|are|is|was|were|be|been|being|gets?|getting|got)|['’](?:m|re|s)) "
    r"(?:\w+ )?used to\b",
    re.IGNORECASE,
)
# Right after what was so, or at its end: "I worked there in 2012 and still do."
_STILL = re.compile(
    r"(?:\bstill (?:am|are|do|does|is|lives?|studies|study|works?)(?: (?:so|now|today))?(?: t?here)?"
    r"|(?:\b(?:am|are|is)|['’](?:m|re|s)) still t?here|\bever since|\bto this day)\W*$"
    r"|至今|到现在|[还仍](?:然|旧)?住?在(?:[那这]|\W*$)",
    re.IGNORECASE,
)
_NOBODY = {"and", "but", "now", "today", "am", "m", "现", "在", "如", "今", "但"}
_FIRST, _THIRD = {"i", "we", "my", "our", "我"}, {"he", "she", "they", "他", "她"}
_LIVED_THEN = re.compile(r"\s*[,，]?我?(?:住|在.{1,12}?(?:工作|上班|上学|读书|学习))")  # right after a year
_WITHIN = re.compile(
    r"\b(in|during|throughout)\s*((the )?(spring|summer|autumn|fall|winter|start|middle|end)( of)? |the |early |mid "
    r"|late |about |around )*$",
    re.IGNORECASE,
)
_A_WHOLE = re.compile(r"last (year|month)|去年|前年|(19|20)\d\d\s*年", re.IGNORECASE)
_OVER = re.compile(r"\bno longer\b|(\bnot|n['’]t)\b.*\bany ?more\b|不再", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween (.{3,20}?) and (?=.{0,15}\d)", re.IGNORECASE)
_CLAUSE_END = re.compile(  # but not within "May 3, 2020"
    r"[,，;；。](?!\s*(?:19|20)\d\d\b)\s*|\s+(?:and|but|then)\s+|(?=然后|现在|后来|但|因为)"
    r"|\s+(?:because|(?:al)?though|now that)\s+|\s+(?:as|since|so(?: that)?)\s+(?=(?:i|we|he|she|they|you)\b)"
    # What was before has another time than what came then.
    r"|\s+(?:before|until|till)\s+(?=(?:i|we|he|she|they|you)\b|(?!spring|morning|evening)\w+ing\b)"
    rf"|\s+before\s+(?=(?-i:[A-Z]))(?!(?:{'|'.join(_MONTHS)})[a-z]{{0,6}}\b)"
    r"|(?<!\bis)(?<!\b(?:city|town))\s+where\s+",
    re.IGNORECASE,
)
# What somebody is told, or is to be told, is the fact: of "I want to tell you that I moved", that is "I moved".
_WHO = r"(?:i|we|he|she|they|my|our|his|her|their|(?-i:[A-Z]\w+))\b"
_TELLING = re.compile(
    r"(?:\b(?:(?:tell|told|telling|inform(?:ing)?|remind(?:ing)?) "
    r"(?:you|u|him|her|them|everybody|everyone|my \w+|(?-i:[A-Z]\w+))(?: all)?"
    rf"|let(?:ting)? (?:\w+ ){{1,2}}know|say(?:ing)?|mention(?:ing)?|announc(?:e|ing))(?: that\b|:|(?= {_WHO}))"
    r"|\b(?:add|clarify|confirm|know|note|remember|share) that\b"
    r"|(?:告诉|通知)(?:你们?|您|大家|[他她])|[跟和对](?:你们?|您|大家)说)\s*",
    re.IGNORECASE,
)
_DOUBTING = re.compile(
    r"\b(?:if|unless|whether|not|never|maybe|perhaps|dream\w*|wish\w*|might|could"
    r"|would(?! like to\b))\b|n['’]t\b|如果|要是|[没不]|可能|也许",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Held:
    """The first and the last moment at which something held, where the words tell; `until` is never ahead.

    `ahead` is what is still to come: it is planned ("will", "am moving"), or begins on a later day; and what may never
    come ("might move", "did not quit"). Of what held `within` a time ("lived there in 2012"), the words do not tell
    what was before and after. `since` is when something `happened` where they tell that ("moved there in 2012"), and
    not since when it is so.
    """

    since: datetime | None = None
    until: datetime | None = None
    ahead: bool = False
    within: bool = False
    happened: bool = False


@dataclass(frozen=True, slots=True)
class _Period:
    first: date
    last: date


def held(text: str, about: str, at: datetime, *, spoken: bool) -> Held:
    """When the fact held that `text` tells, and of whose clauses `about` is a part.

    `at` is when it was told. In the chat (`spoken`) the words count from that moment: "last May", "used to". In a
    document nobody knows which day its "now" is, so only dates that name their year count, and what is no longer so has
    ended by the time that it is read.
    """
    clause, goes_on = _clause(text, about)
    today = at.astimezone().date()
    planned = _PLANNED.search(clause) is not None
    itself = only_a_time(about)  # "the exam is on 3 May": that is what it says, not since when
    left = _leaves(clause, about)
    past = _NO_PAST.sub(" ", clause)
    since = until = None
    within = happened = to_next = False
    periods = list(_periods(clause, today, spoken=spoken, coming=planned))
    for (start, end, period), following in zip_longest(periods, periods[1:]):
        before, after = clause[:start], clause[end:]
        from_last, to_next = to_next, following is not None and bool(_FROM_TO.fullmatch(clause[end : following[0]]))
        if _is_of(about, clause[start:end].rstrip("."), itself=itself):
            continue
        if from_last or (_UNTIL.search(before) and not (_SINCE.search(before) or _SINCE_AFTER.match(after))):
            until = until or period.last
        elif to_next or _SINCE.search(before) or _SINCE_AFTER.match(after):
            since = since or period.first
        elif left:
            until = until or period.last
        elif _BEGINNING.search(clause):
            since, happened = since or period.first, True
        elif _LIVED.search(past) and (_WITHIN.search(before) or _A_WHOLE.match(clause[start:end])):
            since, until, within = since or period.first, min(period.last, today), True
        elif period.last < today and "年" in clause[start:end] and _LIVED_THEN.match(after):
            since, until, within = since or period.first, period.last, True
    unsure = _UNSURE.search(clause) is not None and _PAST.search(past) is None
    ahead = (planned and not itself) or unsure or (since is not None and since > today)
    ended = None if until is not None and until > today else _moment(until)
    over = (spoken and left) or _is_over(clause, about, spoken=spoken)
    if over and until is None and not ahead:
        ended = at
    if goes_on and not left:
        ended, within = None, False
    elif ended is None and _FOR_A_WHILE.search(clause):
        within = True
    return Held(_moment(since), ended, ahead, within, happened)


def _is_over(clause: str, about: str, *, spoken: bool) -> bool:
    """Whether a clause tells that what it is about is over."""
    # What a fact says in its own words needs no end: "two of them can no longer be identified".
    beside = "" if clause in about else clause.replace(about, " ")
    if not spoken:
        return _OVER.search(beside) is not None
    before, _, after = clause.partition(about)
    was = _WAS.search(before)
    if was and (was["first"] or _FOR_YEARS.search(after)):
        return True
    return _PAST.search(_NO_PAST.sub(" ", beside)) is not None


def _is_of(about: str, named: str, *, itself: bool) -> bool:
    """Whether a time is a part of what a fact is about ("Expo 2020"), and not just told with it ("Acme since 2020")."""
    before, found, _ = about.partition(named)
    return bool(found) and (itself or not any(words.search(before) for words in (_SINCE, _UNTIL, _WITHIN)))


def _leaves(clause: str, about: str) -> bool:
    """Whether a clause tells that somebody left, quit or moved away from what it is about."""
    for match in _LEAVING.finditer(clause):
        between, found, _ = clause[match.end() :].partition(about)
        if found and _AT_ONCE.fullmatch(between):
            return True
    return False


def _clause(text: str, about: str) -> tuple[str, bool]:
    """The clause that names `about`, with one beside it that tells nothing but a time; whether that still goes on."""
    text = _BETWEEN.sub(r"from \1 to ", text)
    clauses = [part for part in _CLAUSE_END.split(text) if part.strip()]
    wanted = set(terms(about))
    if not clauses:
        return text, False
    place = max(range(len(clauses)), key=lambda i: (len(wanted & set(terms(clauses[i]))), i))
    chosen = clauses[place]
    goes_on = _goes_on(chosen, "".join(clauses[place + 1 : place + 2]))
    for telling in _TELLING.finditer(chosen):
        told = chosen[telling.end() :]
        if wanted & set(terms(told)) and not _DOUBTING.search(chosen[: telling.start()]):
            chosen = told
            break
    for beside in (place - 1, place + 1):
        if 0 <= beside < len(clauses) and only_a_time(clauses[beside]):
            chosen = f"{clauses[beside]} {chosen}" if beside < place else f"{chosen} {clauses[beside]}"
    return chosen, goes_on


def _goes_on(clause: str, following: str) -> bool:
    """Whether what a clause tells is still so: it says so, or the one behind it does, and not of somebody else."""
    if _OVER.search(clause):
        return False
    if _STILL.search(clause):
        return True
    still = _STILL.search(following)
    if still is None:
        return False
    about = set(fold(following[: still.start()]).split()) - _NOBODY
    said = set(fold(clause).split())
    return about <= said or (about <= _THIRD and not said & _FIRST)


def only_a_time(clause: str) -> bool:
    """Whether a text names a time and says nothing else: "last month", "since 2019"."""
    rest = clause
    for pattern in (*_DATES, *_RELATIVE):
        rest = pattern.sub(" ", rest)
    return rest != clause and not set(terms(rest)) - {"since", "until", "till", "ago", "自", "直到", "以来", "开始"}


def _periods(clause: str, today: date, *, spoken: bool, coming: bool) -> Iterator[tuple[int, int, _Period]]:
    """Each time that a clause names, in its order, and where it stands there; `coming` is a month that has no year."""
    found: dict[int, tuple[int, int, _Period]] = {}
    taken: set[int] = set()
    for pattern in (*_DATES, *(_RELATIVE if spoken else ())):
        for match in pattern.finditer(clause):
            place = range(*match.span())
            period = _period(match.groupdict(), today, coming=coming) if taken.isdisjoint(place) else None
            if period is not None and not _is_part_of_a_thing(match):
                taken.update(place)
                found[match.start()] = (match.start(), match.end(), period)
    yield from (found[start] for start in sorted(found))


def _is_part_of_a_thing(match: re.Match[str]) -> bool:
    """Whether what looks like a year names a thing, or counts some, with what stands around it."""
    if not match.groupdict().get("year"):
        return False
    before, after = match.string[: match.start()], match.string[match.end() :]
    counts = _COUNTED.match(after) and not _IN_A_YEAR.search(before)
    return bool(_GLUED.search(before) or _GLUED_BEHIND.match(after) or counts)


def _period(told: dict[str, str | None], today: date, *, coming: bool) -> _Period | None:
    """What the named parts of a time mean; None for a day that no calendar has."""
    month = told.get("month")
    number = _MONTHS.index(month[:3].lower()) + 1 if month else int(told.get("number") or 0)
    which, unit, count = ((told.get(name) or "").lower() for name in ("which", "unit", "count"))
    try:
        if count:
            return _ago(today, _NUMBERS.get(count) or int(count), unit)
        if unit:
            return _ago(today, _AGO.get(which, 0), unit)
        if decade := told.get("decade"):
            return _Period(date(int(decade) * 10, 1, 1), date(int(decade) * 10 + 9, 12, 31))
        if which in ("yesterday", "昨天", "today", "今天", "tomorrow", "明天"):
            return _ago(today, _AGO.get(which, 0), "day")
        if month and not told.get("year"):
            return _calendar(_year_of(number, which, today, coming=coming), number, 0)
        year = int(told.get("year") or 0) or today.year - _AGO.get(which, 0)
        return _calendar(year, number, int(told.get("day") or 0))
    except (ValueError, OverflowError):
        return None


def _year_of(month: int, which: str, today: date, *, coming: bool) -> int:
    """The year of the last such month, or of the next one."""
    if which == "next" or (coming and not which):
        return today.year + (month < today.month or (which == "next" and month == today.month))
    return today.year - (month > today.month or (which == "last" and month == today.month))


def _ago(today: date, count: int, unit: str) -> _Period | None:
    if unit in ("year", "年"):
        return _calendar(today.year - count, 0, 0)
    if unit in ("month", "月"):
        months = today.year * 12 + today.month - 1 - count
        return _calendar(months // 12, months % 12 + 1, 0)
    day = today - timedelta(days=count * _DAYS[unit])
    return _Period(day, day)


def _calendar(year: int, month: int, day: int) -> _Period:
    if day:
        return _Period(date(year, month, day), date(year, month, day))
    if month:
        following = date(year + month // 12, month % 12 + 1, 1)
        return _Period(date(year, month, 1), following - timedelta(days=1))
    return _Period(date(year, 1, 1), date(year, 12, 31))


def first_day(period: str) -> datetime | None:
    """When a day, a month or a year begins, as "2019-05-03", "2019-05" or "2019"; None for anything else."""
    named = _named(period)
    return _moment(named.first) if named else None


def last_day(period: str) -> datetime | None:
    """The last day of it; see `first_day`."""
    named = _named(period)
    return _moment(named.last) if named else None


def _named(period: str) -> _Period | None:
    parts = re.fullmatch(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?", period.strip())
    try:
        return _calendar(*(int(part or 0) for part in parts.groups())) if parts else None
    except (ValueError, OverflowError):  # a day that no calendar has
        return None


def _moment(day: date | None) -> datetime | None:
    return None if day is None else datetime.combine(day, time(), UTC)
