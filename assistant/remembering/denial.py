"""Whether a sentence says that something is not so."""

import re

from assistant.stemming import stem
from memory.folding import STOP_WORDS, fold

_NOT = frozenset({"not", "never", "cannot", "nor", "without", "no"})
_PARTICLES = "a an the to in at on of by with for from be been being have has had any ever yet really so longer"
_BETWEEN = frozenset(_PARTICLES.split())  # a denial and what it denies: "not married to", "never been in"
_IDEOGRAPH = re.compile("[\u4e00-\u9fff]")
_NOT_IN_CHINESE = "(?:不再|不|没有|没|未)"
_SO_SINCE = re.compile(r"\b(until|till)\b|直到")


def denied(sentence: str, relation: str, value: str) -> bool:
    """Whether a sentence denies a fact read out of it: "Ann does not live in Oslo" that she lives in Oslo.

    It does where the relation's last word, the one nearest before the value, has a denial before it, or the value's
    first word where the relation's does not stand there. A relation that has the denial itself ("does not like") says
    what the sentence says.
    """
    folded = sentence.casefold()
    if _SO_SINCE.search(folded):
        return False
    if _IDEOGRAPH.search(relation):
        return _denied_in_chinese(sentence, relation, value)
    words, told = fold(sentence).split(), fold(relation).split()
    if not _NOT.isdisjoint(told) or any(_is_denial(told, place) for place in range(len(told))):
        return False
    stems = [stem(word) for word in words]
    content = [word for word in told if word not in STOP_WORDS | _BETWEEN][-1:]
    first = fold(value).split()[:1]
    named = max((place for place, word in enumerate(words) if word in first), default=len(words))
    for word in (*content, *first):
        places = [place for place, other in enumerate(stems) if other == stem(word)]
        nearest = [place for place in places if place < named][-1:] or places
        if nearest:
            return all(_follows_denial(words, place) for place in nearest)
    return False


def _denied_in_chinese(sentence: str, relation: str, value: str) -> bool:
    said = re.escape(relation)
    if re.search(_NOT_IN_CHINESE, relation):
        return False
    if re.search(rf"{_NOT_IN_CHINESE}[住在是去做当用吃喝喜欢爱]{{1,2}}{re.escape(value)}", sentence):
        return True  # whatever the relation is called: 居住地 of 不住在上海, 工作 of 不在百度工作
    if re.search(rf"(?<![不没未])(?<!没有){said}", sentence):
        return False
    parts = ((re.escape(relation[:at]), re.escape(relation[at:])) for at in range(len(relation)))
    return any(re.search(f"{first}{_NOT_IN_CHINESE}{rest}", sentence) for first, rest in parts)


def _follows_denial(words: list[str], place: int) -> bool:
    before = place - 1
    while before > 0 and words[before] in _BETWEEN:
        before -= 1
    return before >= 0 and _is_denial(words, before)


def _is_denial(words: list[str], place: int) -> bool:
    """Of folded words: "doesn't" is "doesn t" there. A "no" that begins a sentence answers another one."""
    if words[place] == "t":
        return place > 0 and words[place - 1].endswith("n")
    return words[place] in _NOT and (words[place] != "no" or place > 0)
