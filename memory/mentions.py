"""Where a text says certain words, to take them out of it."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from unicodedata import normalize

from memory.folding import STOP_WORDS

_IDEOGRAPHS = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_IDEOGRAPH = re.compile(f"[{_IDEOGRAPHS}]")
_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)
# A frequent surname that begins few other words, with a given name of two characters; or what a dot sets apart, as in
# 安娜·卡列尼娜. Shorter names look like any other word.
_SURNAMES = "李王张刘赵吴徐朱郭郑梁宋许邓冯曹彭潘袁蒋魏吕沈姚卢崔谭汪廖贾韦邹孟邱薛阎郝龚邵"
_CHINESE_NAME = re.compile(
    rf"(?:[{_SURNAMES}][{_IDEOGRAPHS}]|(?:欧阳|诸葛|司马|上官)[{_IDEOGRAPHS}]?)[{_IDEOGRAPHS}]"
    rf"|[{_IDEOGRAPHS}]+(?:·[{_IDEOGRAPHS}]+)+"
)
# Written with a capital also where they are no name: in dates, and where a sentence begins.
_TIMES = """
january february march april may june july august september october november december monday tuesday wednesday thursday
friday saturday sunday spring summer autumn winter
"""
_NAMES_AND_WORDS = """
art bill chase dawn drew faith frank grace grant hope iris ivy joy jack lily mark olive pat penny rich rob rose ruby
sandy sue ward
"""
_GIVEN_NAMES = frozenset(_NAMES_AND_WORDS.split())
_COMMON = STOP_WORDS | set(_TIMES.split()) | _GIVEN_NAMES
# Before it, a word that is a name as well is in doubt where a sentence begins: "Mark the date", "Bill them".
_FOLLOWING = (
    "the|an?|this|that|these|those|my|your|his|her|our|their|it|them|me|us|you|all|every|each|as|for|oil|period"
)
# Also a name of two characters, or with a surname that begins other words, too; in doubt it is taken for one.
_LIKELY_CHINESE_NAME = re.compile(
    r"(?!许[多可久愿诺昌]|[张王][开力贴嘴口望扬国后子冠位室牌朝宫府]|宋[代词朝体]|李[子树]|刘海|赵国|吴语|[徐郑]州|魏国|沈阳"
    r"|卢比|梁[山柱]|胡[萝椒子同]|叶[绿子]|黄[鼠金色河山油瓜豆]|罗[马列]|陈[列旧述]|林[荫业地区木]|周[末围年期边日]|孙[子女]|杨[树柳梅])"
    rf"(?:[{_SURNAMES}][{_IDEOGRAPHS}]|[{_SURNAMES}陈杨周黄林孙胡罗叶][{_IDEOGRAPHS}]{{2}})"
)
# What makes another word with a surname behind it: 行李明天, 也许明天.
_WORDS_ENDING = {
    "李": "行桃", "王": "国女大帝霸天君亲", "许": "也或不允容准少几默期赞", "张": "一两三几这那每纸紧主夸慌扩开",
    "宋": "唐北南", "梁": "桥高房脊栋", "吴": "东",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Finder:
    """Finds phrases in a text, but not within other phrases that are known."""

    _pattern: re.Pattern[str]  # the others are its only group

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Where the phrases stand, in their order."""
        return (match for match in self._pattern.finditer(text) if match[1] is None)

    def search(self, text: str) -> re.Match[str] | None:
        """The first of them."""
        return next(self.finditer(text), None)

    def sub(self, instead: Callable[[str], str], text: str) -> str:
        """The text with something else in place of each of them."""
        return self._pattern.sub(lambda match: instead(match[0]) if match[1] is None else match[0], text)


def saying(phrases: Iterable[str], but: Iterable[str] = (), *, surely: bool = False) -> Finder | None:
    """Finds any of these phrases as whole words, however they are spaced; None where there is none.

    A phrase of several words is found in any case, a single one as it is written or in capitals: "May" is not "may". A
    single character is no phrase: it says nothing by itself. Within the phrases `but`, which are longer, nothing is
    found: "Oslo" is not said by "University of Oslo". With `surely`, a name is not found where it may well be a word.
    """
    wanted = set(phrases)
    told = _any(wanted)
    others = [_any(set(but) - wanted), *(map(_in_doubt, wanted) if surely else ())]
    return Finder(re.compile(f"({'|'.join(filter(None, others)) or '(?!)'})|{told}")) if told else None


def is_proper(name: str) -> bool:
    """Whether a name surely tells its bearer apart: "Anna" and 王小明 do; "the boiler", "May" and 会议 do not.

    A script without capitals tells less: a Chinese name in doubt is none.
    """
    if _IDEOGRAPH.search(name):
        return bool(_CHINESE_NAME.fullmatch(name))
    name = without_article(name)
    return name != name.lower() and name.lower() not in _COMMON


def is_telling(name: str) -> bool:
    """Whether a sentence with a name is likely about its bearer: also "Mark" and 李明, which are words as well.

    Enough to blank a sentence that nothing else rests on, and that somebody wants forgotten; not to let go of facts.
    """
    if _IDEOGRAPH.search(name):
        return is_proper(name) or bool(_LIKELY_CHINESE_NAME.fullmatch(name))
    return is_proper(name) or (name != name.lower() and name.lower() in _GIVEN_NAMES)


def without_article(name: str) -> str:
    """A name by itself: "the boiler" as "boiler"."""
    return _ARTICLE.sub("", name)


def within_another(name: str, longer: str) -> bool:
    """Whether a longer name is another's, and no description by `name`: "University of Oslo", not "trip to Oslo"."""
    found = saying([name])
    rest = found.sub(lambda _: "", longer) if found else longer
    if rest == longer:
        return False
    return "的" not in rest if _IDEOGRAPH.search(rest) else rest != rest.lower()


def _any(phrases: Iterable[str]) -> str:
    written = {normalize(form, phrase.strip()) for phrase in phrases for form in ("NFC", "NFD")}
    told = sorted({phrase for phrase in written if len(normalize("NFC", phrase)) > 1}, key=len, reverse=True)
    return "|".join(map(_whole, told))


def _in_doubt(name: str) -> str:
    """Where a name may be a word, or within others: "Mark the date", 行李明天."""
    if _IDEOGRAPH.search(name):
        before = _WORDS_ENDING.get(name[0], "")
        return rf"(?<=[{before}]){name}" if before and len(name) == 2 else ""
    return rf"(?<![\w,;]\s){_whole(name)}(?=\s+(?:{_FOLLOWING})\b)"


def _whole(phrase: str) -> str:
    spaced = r"\s+".join(re.escape(word).replace("'", "['’]") for word in phrase.split())
    in_any_case = f"(?i:{spaced})" if " " in phrase else f"(?:{spaced}|{re.escape(phrase.upper())})"
    return f"{_edge(phrase[0], '(?<!')}{in_any_case}{_edge(phrase[-1], '(?!')}"


def _edge(character: str, looking: str) -> str:
    """Chinese has no spaces: a name in it may stand anywhere."""
    return rf"{looking}\w)" if character.isalnum() and not _IDEOGRAPH.match(character) else ""
