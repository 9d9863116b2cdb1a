"""Which facts cannot hold at once: those of one relation that has one value at a time (one lives in one place).

Relations come in the texts' own words, so each that has one value is listed with its other wordings; beside these, a
relation that says that it has one ("phone number", "favourite colour") has one. Every other relation (likes, has child)
has as many values as are told, and closes nothing. That a sentence names the old value to deny it ("on Friday, not
Thursday") tells of any relation.
"""

import re

from memory.folding import fold, terms

_SINGLE = (
    "lives in|live in|living in|lived in|lives|resides in|residence|place of residence|home|home city|moved to|moves to"
    "|moving to|moved|relocated to|based in|current city|used to live in|居住地|住在|居住|居住在|住|现居|现居地|家住"
    "|搬到|搬去|搬家到|居住城市",
    "works at|work at|works for|work for|worked at|worked for|working at|working for|employer|employed by|employed at"
    "|company|workplace|place of work|joined|works in|工作单位|单位|公司|就职于|任职于|供职于|工作于|工作地点|雇主",
    "job|occupation|profession|works as|work as|worked as|working as|job title|position|职业|工作|职位|职务|岗位",
    "married to|was married to|spouse|husband|wife|配偶|丈夫|妻子|老公|老婆|太太|爱人",
    "girlfriend|boyfriend|partner|dating|女朋友|男朋友|女友|男友|对象",
    "age|aged|years old|turned|年龄|岁数",
    "studies at|study at|studied at|student at|attends|school|university|学校|就读于|就读|上学|大学",
    "grade|class|school year|年级|班级|上",
    "boss|manager|reports to|supervisor|老板|上司|领导",
    "landlord|landlady|房东",
    "name|named|called|is called|名字|名叫|叫|姓名",
    "date of birth|birth date|born on|birthday|生日|出生日期|出生于",
    "place of birth|birthplace|born in|hometown|home town|出生地|老家|家乡|籍贯",
    "drives|car|开|车",
    "marital status|婚姻状况",
    "nationality|citizenship|国籍",
    "located in|location|is in|位于|在",
)
_BETWEEN_IDEOGRAPHS = re.compile("(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])")


def _folded(text: str) -> str:
    return _BETWEEN_IDEOGRAPHS.sub("", fold(text))


_SLOTS = {_folded(wording): group.partition("|")[0] for group in _SINGLE for wording in group.split("|")}
# Who says what has happened tells what is, or was: asked for later is where somebody lives, not where they moved to.
_STATES = {
    "lives in": "moved to|moves to|moving to|moved|relocated to|lived in|used to live in|now lives in",
    "works at": "joined|worked at|used to work at|started at|now works at",
    "married to": "was married to|got married to",
    "居住地": "搬到|搬去|搬家到|搬到了|搬去了|以前住在|现在住在",
    "工作单位": "加入|加入了|以前就职于",
}
_STATE = {_folded(wording): state for state, wordings in _STATES.items() for wording in wordings.split("|")}
_SINGLE_BY_NAME = re.compile(
    r"^(favou?rite|best|main|primary|preferred|最喜欢的?|最爱的?) ?\w"
    r"|\b(number|code|plate|address|date|time|day|deadline|email|e mail|phone|mobile|height|weight|size|salary|rent"
    r"|price|password|birthday)$|[号码址箱期间价格]$|电话$|手机$|身高$|体重$|工资$|房租$|生日$"
)
_BESIDE = re.compile(
    r"\b(is|are|was|has|have|got|now|currently|current|new|just|recently|the|a|my|his|her|their|our|former|formerly"
    r"|previous|previously|ex|past|used to be)\b|现在|目前|现|新|以前|曾经|曾|原|前|的$"
)
_CHANGE = re.compile(
    r"\b(moved?|moving|relocated|now|new|changed?|switched|became|no longer|instead)\b|搬|现在|如今|改|换|新|不再",
    re.IGNORECASE,
)
_DENIAL = r"(not|no longer|isn t|never|instead of|rather than|不是|不在|不再)"
_DENYING = re.compile(_DENIAL)


def single(relation: str) -> str | None:
    """What a relation with one value at a time goes by, whatever its wording; None for one that may have several."""
    folded = _folded(relation)
    plain = " ".join(_BESIDE.sub(" ", folded).split()) or folded
    known = _SLOTS.get(folded) or _SLOTS.get(plain)
    return known or (plain if _SINGLE_BY_NAME.search(plain) else None)


def as_state(relation: str) -> str:
    """The relation that holds (or held) after what `relation` tells has happened: "moved to" gives "lives in"."""
    return _STATE.get(_folded(relation), relation)


def tells_a_change(sentence: str) -> bool:
    """Whether a sentence speaks of something that is other than before."""
    return _CHANGE.search(sentence) is not None


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
