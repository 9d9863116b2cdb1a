"""Which facts cannot hold at once: those of one relation that has one value at a time (one lives in one place).

Relations come in the texts' own words, so each that has one value is listed with its other wordings; beside these, a
relation that says that it has one ("phone number", "favourite colour") has one. Every other relation (likes, has child,
born in: a town and its country are both true) has as many values as are told, and closes nothing. Nor does a value that
is no name, where only names exclude each other: who lives in a small flat may live in Berlin. That a sentence names the
old value to deny it ("on Friday, not Thursday") tells of any relation.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from memory.folding import fold, terms
from memory.geography import extent, may_lie_in
from memory.values import is_a_date, is_a_day, is_like, is_name, is_somebody, may_be_a_place

_BETWEEN_IDEOGRAPHS = re.compile("(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])")


def _folded(text: str) -> str:
    return _BETWEEN_IDEOGRAPHS.sub("", fold(text))


@dataclass(frozen=True, slots=True)
class _Slot:
    """A relation with one value at a time: its name, wordings that say the same, and others that say how it came to be
    so or that it was so. `of_names`: only names exclude each other there, or follow from what happened.

    The digests that facts are kept by are made of `name`, `chinese` and `same` (see `canonical`): where these change, a
    migration must write the digests again, as 0009 did.
    """

    name: str
    chinese: str  # its name in that language
    same: str = ""
    others: str = ""
    of_names: bool = False


_SLOTS = (
    _Slot(
        "lives in",
        "居住地",
        "live in|living in|lives|resides in|residence|place of residence|home|home city|based in|current city"
        "|住在|居住|居住在|住|现居|现居地|家住|居住城市",
        "moved to|moves to|relocated to|lived in|used to live in|now lives in"
        "|搬到|搬去|搬家到|搬到了|搬去了|以前住在|现在住在",
        of_names=True,
    ),
    _Slot(
        "works at",
        "工作单位",
        "work at|works for|work for|working at|working for|employer|employed by|employed at|company|workplace"
        "|单位|公司|就职于|任职于|供职于|雇主",
        "worked at|worked for|used to work at|started at|now works at|job at|new job at|got a job at|got a new job at"
        "|started job at|started new job at|started a new job at|started a job at|started working at"
        "|started working for|took a job at|took job at|hired by|以前就职于|入职|入职于|跳槽到",
        of_names=True,
    ),
    _Slot(
        "job", "职业", "occupation|profession|works as|work as|working as|job title|工作|职位|职务|岗位", "worked as"
    ),
    _Slot(
        "married to",
        "配偶",
        "spouse|husband|wife|丈夫|妻子|老公|老婆|太太|爱人",
        "was married to|got married to|married|嫁给|娶了",
    ),
    _Slot("partner", "对象", "girlfriend|boyfriend|dating|女朋友|男朋友|女友|男友"),
    _Slot("age", "年龄", "aged|years old|岁数"),
    _Slot("studies at", "就读于", "study at|student at|就读", "studied at", of_names=True),
    _Slot("school", "学校", of_names=True),
    _Slot("grade", "年级", "school year|班级"),
    _Slot("boss", "老板", "manager|reports to|supervisor|上司|领导"),
    _Slot("landlord", "房东", "landlady"),
    _Slot("name", "名字", "is called|名叫|姓名"),
    _Slot("date of birth", "出生日期", "birth date|born on|birthday|生日"),
    _Slot("marital status", "婚姻状况"),
    _Slot("located in", "位于", "location", of_names=True),
)
_WORDS = {slot.name: "|".join((slot.name, slot.chinese, slot.same)).strip("|") for slot in _SLOTS}
_SAME = {_folded(told): slot for slot in _SLOTS for told in (slot.name, slot.chinese, *slot.same.split("|")) if told}
_OTHERS = {_folded(told): slot for slot in _SLOTS for told in slot.others.split("|") if told}
_OF_NAMES = {slot.name for slot in _SLOTS if slot.of_names}
_OF_PLACES = {"lives in", "located in"}
OF_ONE_JOB = {"works at", "job"}  # that one has ended says that both have
_OF_SOMEBODY = {"married to", "partner", "boss", "landlord"}
_OF_PEOPLE = {"lives in", "married to", "partner", "job"}
# An appointment that moves to another day; what it was on before may be told otherwise.
_MOVED = frozenset(
    (
        *("moved to", "postponed to", "rescheduled to", "put off to", "brought forward to", "pushed to"),
        *("改到", "改为", "推迟到", "提前到", "移到"),
    )
)
_ON_A_DAY = _MOVED | {
    *("is", "on", "takes place on", "scheduled for", "set for", "planned for", "due on", "day", "date"),
    *("时间", "日期", "定在", "安排在", "在"),
}
# What tells that other relations have ended, and the names of these.
_ENDS = {
    r"(?:quit|resigned|fired|laid off|retired)\b|辞去|辞职|离职": ("works at", "job"),
    r"left\b|离开": ("works at", "studies at", "job"),
    r"divorced\b|离婚": ("married to",),
    r"(?:broke|split) up\b|分手": ("partner",),
    r"moved (?:away|out|from)\b|搬离|搬出": ("lives in",),
    r"dropped out\b|退学": ("studies at",),
}
_ENDS_WITH = (  # "left keys at" and "quit smoking" end no job
    r"(?:[ 了]*(?:at|away|by|employed|employee|for|from|her|his|home|in|job|my|of|out|position|role|school|university"
    r"|with|work|working|公司|工作|学校))*了?"
)
_NO_MORE = re.compile(r"(?:no longer|stopped)\b|不再")
_ENDING = re.compile("|".join((_NO_MORE.pattern, *_ENDS)))
_FOR_TODAY = re.compile(
    r"\b(?:at \d|o['’]clock|early|late|today|tonight|this (?:morning|afternoon|evening)|lunch|for the day)\b",
    re.IGNORECASE,
)
# "I quit my job": which one, only those who know of one can tell.
_A_JOB = {"job", "my job", "work", "工作"}
_NO_NAME_OF_IT = _A_JOB | {"wife", "my wife", "husband", "my husband", "yes", "妻子", "丈夫"}
_DIVORCED = {"divorced", "离婚", "离异", "已离婚"}
_SINGLE_BY_NAME = re.compile(
    r"^(favou?rite|best|main|primary|preferred|最喜欢的?|最爱的?) ?\w(?!.*[^s]s$)"
    r"|\b(number|code|plate|address|date|(?<!free )(?<!spare )time|day|deadline|email|e mail|phone|mobile|height|weight"
    r"|size|salary|rent|price|password|birthday)$"
    r"|(号|号码|地址|住址|网址|邮箱|日期|(?<!空闲)(?<!业余)时间|价格|密码|电话|手机|身高|体重|工资|房租|生日)$"
)
_BESIDE = re.compile(
    r"\b(is|are|was|has|have|got|now|currently|current|new|just|recently|the|a|my|his|her|their|our|former|formerly"
    r"|previous|previously|ex|past|used to be)\b|现在|目前|现|新|以前|曾经|曾|原|前|的$"
)
# "Previous employer", "ex-wife", 前公司; not 目前 or 三年前.
_FORMER = r"(?:(?:former|previous|ex|old) (?=\w)|(?:以前|之前|过去|曾经)的|(?<![目之以年月周期天])前(?=\w)|原(?=\w))"
_IS_FORMER = re.compile(rf"(?<![a-z]){_FORMER}")
# "New York" and 新加坡 are not new.
_NEW = "(?-i:new|New(?= [a-z]))"
_NEW_IN_CHINESE = "新(?:的|公司|工作|单位|职位|地址|家|房东|号码|电话|手机|邮箱|老板|[男女]朋?友)"
_CHANGE = re.compile(
    rf"\b(moved?|moving|relocated|now|{_NEW}|changed?|switched|became|no longer|instead)\b"
    rf"|搬|现在|如今|改|换|不再|{_NEW_IN_CHINESE}",
    re.IGNORECASE,
)
# Of a story nobody knows when it was; these tell what is so as it is told.
_NOWADAYS = re.compile(
    rf"\b(now|nowadays|currently|{_NEW}|no longer|any ?more|instead"
    r"|((has|have)|(?<=['’])(s|ve)) (\w+ )?(moved|relocated|changed|switched|become))\b"
    rf"|现在|如今|目前|不再|{_NEW_IN_CHINESE}",
    re.IGNORECASE,
)
_MOVING = re.compile(r"\b(moved?|relocated|emigrated|immigrated)\b|搬|移居|移民|定居", re.IGNORECASE)
_MORE = re.compile(
    r"\b(also|as well|another|additional(ly)?|(a|my|our|his|her|their) second|too(?=\W*$))\b|也|还有|另外|另一|第二",
    re.IGNORECASE,
)
_NOT_PLAINLY = re.compile(
    r"[?？]|\b(?:when(?:ever)?|once|before|after|until|till|as soon as|if|unless|whether|could|would|should|might|may"
    r"|almost|nearly|hardly|against|not|never|asked|wish\w*|hop(?:e|es|ed|ing)|dream\w*)\b|n['’]t\b"
    r"|如果|要是|等|之?后|之?前|时候?|[没不]|可能|也许|差点|希望",
    re.IGNORECASE,
)
# "No, ...", "I meant ...", or it speaks of what was spoken of: "it is a cat".
_REJECTING = re.compile(
    r"^\W*(no|nope|not|wrong)\b|\b(wrong|mistaken?|mistyped|misspoke|mean|meant|he|she|it|they|him|her|his|them|their|its|that"
    r"|this|those|these)\b|^\W*[不错]|[说搞弄记写]错|[他她它那这]",
    re.IGNORECASE,
)
_ENDED = re.compile(r"\b(no longer|any ?more)\b|不.*了\W*$", re.IGNORECASE)
_NOT_SO = re.compile(
    r"(?:(?:(?:am|is|are|was|were|do|does|did) )?(?:not|never)|(?:is|are|was|were|do|does|did)n t) (.+)"
    r"|(?:已经)?(?:不|没有|没)(?!再)(.+?)了?"
)
_FIRST_WORD = re.compile(r"^(?:(?:am|is|are) (?=\w))?(\w+?)s?\b")
_DENIAL = r"(not|no longer|isn t|never|instead of|rather than|不是|不在|不再)"
_DENYING = re.compile(_DENIAL)


def single(relation: str) -> str | None:
    """What a relation with one value at a time goes by, whatever its wording; None for one that may have several."""
    folded = _folded(relation)
    plain = _plain(relation)
    known = next((slot for name in (folded, plain) for slots in (_SAME, _OTHERS) if (slot := slots.get(name))), None)
    if known is not None:
        return known.name
    return plain if _SINGLE_BY_NAME.search(plain) else None


def _plain(relation: str) -> str:
    """A relation folded, without the words beside it: "my new job" gives "job"."""
    folded = _folded(relation)
    return " ".join(_BESIDE.sub(" ", folded).split()) or folded


def is_former(relation: str) -> bool:
    """Whether a relation says itself that it is of what was so once: "previous employer", "ex-wife", 前公司."""
    return _IS_FORMER.search(_folded(relation)) is not None


def as_former(relation: str, value: str, said: str) -> str:
    """The relation as a sentence tells it that calls it former: of "My previous employer was Siemens", that.

    Else it would read like the present one, whatever it is called.
    """
    slot = single(relation)
    if slot is None or is_former(relation):
        return relation
    words = "|".join(sorted(map(_folded, _WORDS.get(slot, slot).split("|")), key=len, reverse=True))
    told = re.findall(rf"(?<![a-z])({_FORMER}?)({words})(?![a-z])", _folded(said.replace(value, " ")))
    return "".join(told[0]) if told and all(former for former, _ in told) else relation


def affirmed(relation: str) -> str | None:
    """The relation that one denies: "does not live in" and 不住在 give "live in" and 住在; else None."""
    denied = _NOT_SO.fullmatch(_folded(relation))
    return denied and (denied[1] or denied[2])


def alike(relation: str) -> str:
    """What two relations have in common that differ by their grammar only: "like" and "likes", "is in" and "in"."""
    return _FIRST_WORD.sub(r"\1", fold(relation))


def canonical(relation: str) -> str:
    """A relation folded, as all its wordings that say the same: "resides in" and 住在 give "lives in"."""
    slot = _SAME.get(_folded(relation))
    return fold(relation) if slot is None else slot.name


def excludes_others(slot: str, value: str, said: str) -> bool:
    """Whether a value of a relation of that name (as `single` gives it) cannot hold beside another of its kind.

    `said` is the sentence that tells it: who writes in small letters writes names so, too.
    """
    if slot in _OF_PLACES and not may_be_a_place(value):
        return False
    if slot in _OF_SOMEBODY:
        return is_somebody(value)
    if slot == "date of birth":
        return is_a_date(value)
    if slot == "job" and is_like(value):
        return False
    return slot not in _OF_NAMES or is_name(value, said)


def may_hold_both(slot: str, value: str, other: str) -> bool:
    """Whether one of two places may lie in the other: a town and its country, a country and a continent."""
    if slot not in _OF_PLACES or extent(value) == extent(other):
        return False
    return may_lie_in(*sorted((value, other), key=extent))


def moves_to_a_country(slot: str, value: str, other: str, said: str) -> bool:
    """Whether a sentence tells that somebody moved to `value`, which is larger than where they were.

    Nobody says so who stays in it.
    """
    return slot == "lives in" and extent(value) > extent(other) and _MOVING.search(said) is not None


def as_state(relation: str, value: str, said: str, *, is_user: bool, known: Iterable[str]) -> str:
    """The relation that holds (or held) after what a fact tells in `said` has happened: "moved to" gives "lives in".

    Asked for later is where somebody lives, not where they moved to. Who moved to the marketing department did so. Only
    people live somewhere: the user, and whose relations (`known`) say so; a meeting that moved to Friday does not.
    """
    slot = _OTHERS.get(_folded(relation))
    if slot is None or not excludes_others(slot.name, value, said):
        return relation
    if not is_user and _OF_PEOPLE.isdisjoint(canonical(name) for name in known):
        return relation
    return slot.name if relation.isascii() else slot.chinese


def ends(relation: str) -> bool:
    """Whether a relation tells that another one has ended: "quit", "moved away from"."""
    return _ENDING.match(_plain(relation)) is not None


def ended_by(relation: str, value: str, said: str) -> frozenset[str]:
    """The names (as `single` gives them) of the relations that a fact may put an end to: "quit" does to "works at"."""
    plain = _plain(relation)
    if single(relation) == "marital status" and _folded(value) in _DIVORCED:
        return frozenset({"married to"})
    if over := _NO_MORE.match(plain):
        name = single(plain[over.end() :])
        return frozenset({name} if name else ())
    if plain.startswith(("left", "离开")) and _FOR_TODAY.search(said):
        return frozenset()
    told = (names for pattern, names in _ENDS.items() if re.fullmatch(f"(?:{pattern}){_ENDS_WITH}", plain))
    ended = frozenset(name for names in told for name in names)
    return ended & OF_ONE_JOB if _folded(value) in _A_JOB else ended


def names_nothing(value: str) -> bool:
    """Whether the value of what ended does not say which one it is: "my job"."""
    return _folded(value) in _NO_NAME_OF_IT | _DIVORCED


def moves_to_a_day(relation: str, value: str) -> bool:
    """Whether a fact tells that something has been moved to another day: "moved to", "Friday"."""
    return _plain(relation) in _MOVED and is_a_day(value)


def is_on_a_day(relation: str, value: str) -> bool:
    """Whether a fact tells the day of something: "is on", "Thursday"."""
    return _plain(relation) in _ON_A_DAY and is_a_day(value)


def tells_a_change(sentence: str, value: str) -> bool:
    """Whether a sentence speaks of something that is other than before; what stands in the value does not say so."""
    return _CHANGE.search(sentence.replace(value, " ")) is not None


def tells_of_now(sentence: str, value: str) -> bool:
    """Whether a sentence says that it speaks of what is so as it is told, and not of some time before."""
    return _NOWADAYS.search(sentence.replace(value, " ")) is not None


def tells_an_end(sentence: str) -> bool:
    """Whether a sentence tells that what it denies was so: 我不住在上海了."""
    return _ENDED.search(sentence) is not None


def rejects(sentence: str) -> bool:
    """Whether a sentence says that what was spoken of is not so, or speaks of that very thing."""
    return _REJECTING.search(sentence) is not None


def tells_plainly(sentence: str) -> bool:
    """Whether a sentence tells that something is so, and neither asks, nor hangs it on something, nor denies it."""
    return _NOT_PLAINLY.search(sentence) is None


def adds_to_it(sentence: str) -> bool:
    """Whether a sentence tells of one more, beside what may be known: "I also have a second phone number"."""
    return _MORE.search(sentence) is not None


def denies_something(sentence: str) -> bool:
    """Whether a sentence may name what is not so; `denies` then tells of which value it does."""
    return _DENYING.search(_folded(sentence)) is not None


def denies(sentence: str, value: str) -> bool:
    """Whether a sentence names `value` as what is not so: "on Friday, not on Thursday"."""
    return re.search(rf"{_DENIAL}( \w+)?? ?{re.escape(_folded(value))}(?![a-z])", _folded(sentence)) is not None


def differ(value: str, other: str) -> bool:
    """Whether two values of a relation are two: "Oslo" and "Oslo, Norway" are one."""
    words, others = set(terms(value)), set(terms(other))
    return not (words <= others or others <= words)
