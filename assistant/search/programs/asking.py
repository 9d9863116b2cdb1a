"""What a Chinese question asks in so many words, apart from the names and relations in it."""

import re
from collections.abc import Iterable

_QUESTION = "什么|[谁哪几怎啥]|多[少久长大高远重深宽厚]|如何|何[时处地人种]"
_PREFACED = "(?:.*(?:请问|知道|告诉我|觉得))?"
_COUNTS = "几[个座条位部本家]|多少[个种位座条部本家]|[一总]共"
_COMPUTED = re.compile(
    rf"[最比更不]|{_COUNTS}|同时|共同|除了|以外|超过|[以之][上下前后间外]|没有|是否|[中里][，,]|[和与跟]"
)
_ASKING = re.compile(
    r"[想能还]?(?:请[问教]?|知道|告诉|了解|记得|清楚|说出|问)|很?好奇|有人|大家|一[些下]|到底|究竟|分别|具体|应该|现在|主要|叫做|名字|样子?|什么|时候|多少|哪[些个里儿位种]?"
    r"|该?(?:怎[么样]*|如何)(?:拼?[写读]|[念说]|称呼|描述|表[示达])?|[你我]们|[我你是为有叫都在于谁几吗呢啊呀吧的了又这那名个位啥]|[\W_]"
)
_OWNED = re.compile(r"(?:(?<!告诉)[我你您咱他她它]们?|的)$")  # 我妈妈 is not the film of that name
_BESIDE = re.compile(r"^[》〉”」』\"' ]*(?:这[个部本款张首位座种家]\w{1,3}?(?=的))?")  # 甲这部电影的导演
_CHARACTER = re.compile(r"^字(?=的)")  # 汭字的部首
# What is asked for may stand before the name: 哪年创立了甲公司. Who did something to a thing is not what the thing did.
_ASKED_FIRST = re.compile(rf"{_PREFACED}((?:是?在|是)?(?!谁)(?:{_QUESTION})[^的，谁]*的?)")
_WHICH_IS = re.compile(rf"{_PREFACED}(?:哪一?|什么)[^的，]{{1,4}}[是为]")  # 哪座城市是甲的首都
# 与甲的专业相关的学科 are the 相关学科 of it.
_WITH, _RELATED = re.compile(r"[与和跟]$"), re.compile(r"[相有]关的")
# How a question for a value ends; 密度是多少 behind 人口 asks for something else.
_WORDING = re.compile(
    r"(?!为什么|为何)(?:大[约概]|究竟|到底|[了是有于为叫])*(?:什么|谁|哪|几|多[少久长大高远重]|怎么?[样写读念称叫算])"
)
_STATED = re.compile(rf"(?:就?是|为|叫|等于)(?=\w)(?!.*(?:{_QUESTION}))|.*还是")
# Of what kind the answer is, and no step to follow: 首都是哪座城市.
_OF_WHICH_KIND = re.compile(
    r"(?:[是叫]|为(?!什么))(?:哪一?|什么)(?![里儿年天日月时]|意思)[座个种位条片家所部款]?([^\W的]{1,3})的?[\W呢啊呀]*$"
)
# What is counted in the relation itself: 有几个行政村 where 行政村 is 29个, 有多少页 where there is 页数.
_COUNTED = re.compile(
    r"(?:[一总]?共|大[约概])?(?:[有是]|包[括含])?(?:几|多少)([个座条位本部家所张种层页册卷集章间名首]?)([^\W的]*)[\W吗呢啊呀]*$"
)
_MEASURED = re.compile(r"有?多([长高大重宽深厚远])")
_FIGURE = re.compile(r"[约共有全辖]*(?:\d|[一二两三四五六七八九十百千万]+(?:[多余个座条种名人家所页层]|$))")
# 的 joins two names; behind a question word (哪个年代的作品) and before one (使用的什么语言) it does not.
_JOINED = re.compile(rf"^(?:(?!{_QUESTION}).)+的(?![呢吗啊呀吧是]|{_QUESTION})\w|[？?]")
# The capital of which country is none that a city has; and who defeated it is not whom it defeated.
_FROM_THE_OTHER_END = re.compile(r"(?:谁|哪(?!样)\w{1,5}?|什么(?!样)\w{1,5}?)的(\w+)|^是?谁((?!的)\w+?)了?$")
_DOER = re.compile(r"^[者商人员](?=[的是有都\W]|$)")
_PARTICLES = frozenset("吗呢啊呀吧_")
# What leads to a question and what follows it, and asks for nothing by itself.
_PREFACE = re.compile(
    r".*(?:[请求]问|知道|记得|了解|告诉(?:我|大家)?|请?回答|好奇|想问|觉得|解释一下)(?:一下)?[\W_]*|那么[\W_]*"
)
_ADDED = (
    "来着",
    *(f"{who}{knows}" for who in ("有人", "有谁", "你们", "你", "大家") for knows in ("知道", "了解", "清楚")),
)
_OPENING, _CLOSING = "《〈“「『\"' ", "》〉”」』\"' "
_BEFORE_NAME = re.compile(rf"(?:在?\d+年|(?:是|由|在|有)?(?:{_QUESTION})[^的，]*的?)?")
_LEADS_ON = re.compile(r"(?:^|[年是为叫由给帮]|担任|当)$")  # 谁是甲的婆婆, but not 谁创办了甲的省会
_ENDS = re.compile(r"(?<![在给到向])$")  # who lives there, or married her, is what others are to it
_PREDICATE = re.compile(
    r"[是为叫没]|了(?!解)|过(?!程)|能(?![源力量])|(?<![省都州社议协工国商])会|(?<!所)有(?!限)|(?<!所)在"
)
_KNOWS = re.compile("知道|记得|了解")
# 什么宗教 in 信仰什么宗教, 哪些国家 in 邻国有哪些国家.
_OF_SOME_KIND = re.compile(r"[是有]?(?:什么|哪[些几个])[^\W的]{1,3}$")
# Why something is so, whether, how far from elsewhere, what it is to the user, several questions, and what another
# thing in quotation marks has: no one thing that is known of it.
_NOT_ONE = re.compile(
    rf"为[什何啥]|[凭因]什么|什么原因|怎么[会能]|还是|是[否不]|有没有|第几大|[离到].*多远|[我咱俺？?，,；;{_OPENING.strip()}]"
)
# Asks what a thing is, and for nothing that it has.
_WHAT_IT_IS = re.compile(
    r"(?:又|到底|究竟)?(?:[指叫]?的?是|叫|指)?一?个?(?:什么|谁|啥|哪[个位]?|怎么?样|怎么回事|如何|多少)"
    r"(?:样的?|东西)?(?:人|东西|国家|城市|地方)?(?:是|叫)?"
)
_OWNER = re.compile(rf"((?:(?!{_QUESTION})[^的，])+)的(?=\w)")


def asked_in(text: str) -> str:
    """What a text asks for: what is left without question words."""
    return _ASKING.sub("", text)


def starts(names: Iterable[str]) -> list[str]:
    """The names, those first that a question is likely about, longer ones before others.

    有谁知道 is a song, and how a question begins.
    """
    return sorted(names, key=lambda name: (asked_in(name) != "", len(name)), reverse=True)


def behind(name: str, question: str) -> str:
    """What the question asks of the thing called `name`, as it stands behind the name; empty where it asks nothing."""
    before, _, rest = question.partition(name)
    if _WHICH_IS.fullmatch(before):
        before = ""
    elif (first := _ASKED_FIRST.fullmatch(before)) and asked_in(first[1]) and not re.search(f"，|{_QUESTION}", rest):
        before, rest = "", without_particles(rest) + first[1]
    if _WITH.search(before) and _RELATED.search(rest):
        before, rest = before[:-1], _RELATED.sub("的相关", rest, count=1)
    if _OWNED.search(before) or asked_in(before) or not asked_in(rest):
        return ""
    return _BESIDE.sub("", rest) if len(name) > 1 else _CHARACTER.sub("", rest)


def words_around(name: str, question: str) -> tuple[str, str]:
    """The words in which the question asks one thing of what is called `name`: those before it, and those behind it.

    Both are empty where it asks otherwise. Without a question word it asks for yes or no, but for "do you know the …".
    """
    before, _, rest = question.partition(name)
    preface = _PREFACE.match(before)
    before = (before[preface.end() :] if preface else before).strip(_OPENING)
    behind = _without_added(rest).lstrip(_CLOSING)
    whether = "吗" in rest and not (preface and _KNOWS.search(preface[0]))
    names_it = preface is not None and "的" in behind and not _PREDICATE.search(behind) and not whether
    before, behind = before.removesuffix("的"), behind.removeprefix("的")
    words = before + behind
    if not _BEFORE_NAME.fullmatch(before) or not (_LEADS_ON if behind else _ENDS).search(before):
        return "", ""
    asks = names_it or re.search(_QUESTION, words)
    return ("", "") if not asks or _NOT_ONE.search(words) or _WHAT_IT_IS.fullmatch(words) else (before, behind)


def _without_added(text: str) -> str:
    text = without_particles(text)
    while added := next((added for added in _ADDED if text.endswith(added)), ""):
        text = without_particles(text.removesuffix(added))
    return text


def goes_on(text: str) -> bool:
    """Whether the text behind a relation asks for something of its value, and not of what kind that is."""
    return asked_in(text) != "" and not kind_in(text) and not _OF_SOME_KIND.match(text)


def first_owner(words: str) -> str:
    """What stands before the first 的 that joins two names: 父亲 in 父亲的职业是什么; empty where there is none."""
    return _held(_OWNER.match(words))


def without_particles(text: str) -> str:
    """The text without the particles and signs that it ends with."""
    end = len(text)
    while end and (not text[end - 1].isalnum() or text[end - 1] in _PARTICLES or _is_asking_particle(text, end - 1)):
        end -= 1
    return text[:end]


def _is_asking_particle(text: str, place: int) -> bool:
    """Whether 么 stands there by itself, and not as the end of 什么."""
    return text[place] == "么" and text[place - 1 : place] not in {"什", "怎", "多"}


def is_doer(text: str) -> bool:
    """Whether what is behind a relation makes it one who does it, who may be at either end: 拥有者 of what 拥有 has."""
    return _DOER.match(text) is not None


def is_computed(text: str, relation: str = "") -> bool:
    """Whether the text asks for more than to follow relations: to count, to compare, to choose.

    It does not where the `relation` that it means says so itself, as 最大深度 does.
    """
    return any(found not in relation for found in _COMPUTED.findall(text))


def is_counted(text: str, relation: str) -> bool:
    """Whether all that the text asks to compute is how many there are."""
    return all(found in relation or re.fullmatch(_COUNTS, found) for found in _COMPUTED.findall(text))


def is_joined(text: str) -> bool:
    """Whether the text has several steps, joined by 的, or several questions."""
    return _JOINED.search(text) is not None


def is_stated(text: str) -> bool:
    """Whether the text behind a relation states its value, so that the question is for yes or no."""
    return _STATED.match(text) is not None


def only_words(text: str) -> bool:
    """Whether the text words the question for a value, and asks for nothing that could be computed from it."""
    return _WORDING.match(text) is not None and not is_computed(text)


def kind_in(text: str) -> str:
    """Of what kind the text says that the answer is: 城市 in 是哪座城市; empty where it does not say."""
    return _held(_OF_WHICH_KIND.match(text))


def counted_in(text: str) -> str:
    """Of what the text asks how many there are: 行政村 in 有几个行政村; empty where it does not."""
    return _held(_COUNTED.match(text))


def size_in(text: str) -> str:
    """Which size the text asks for: 长 in 有多长; empty where it asks for none."""
    return _held(_MEASURED.match(text))


def asked_of_others(text: str) -> str:
    """The relation that others have to the thing asked about: 首都 in 是哪个国家的首都; empty where there is none."""
    return _held(_FROM_THE_OTHER_END.search(text))


def is_figure(value: str) -> bool:
    """Whether a value begins with a number, as 29个 and 约三百人 do."""
    return _FIGURE.match(value) is not None


def _held(match: re.Match[str] | None) -> str:
    """What the last group holds that holds anything; empty where nothing matched."""
    return next((group for group in reversed(match.groups()) if group), "") if match else ""
