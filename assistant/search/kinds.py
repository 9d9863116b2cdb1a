"""The kind of answer that a question asks for, a date, a number, a person or a place, as its words tell it."""

import re
from collections.abc import Iterable, Sequence

FIGURE = re.compile(
    r"[\d〇零一二两三四五六七八九十百千万亿]"
    r"|\b(?:no|none|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|million)\b(?!-[a-z])",
    re.IGNORECASE,
)
_TIME = re.compile(
    rf"{FIGURE.pattern}|[春夏秋冬年月日朝代晨晚夜]|(?<=\w)day\b|\b(?:january|february|march|april|may|june|july|august"
    r"|september|october|november|december|spring|summer|autumn|winter|morning|noon|evening|night|midnight|christmas|easter"
    r"|century|always|never)\b",
    re.IGNORECASE,
)
_MEASURE = re.compile(r"[\d\s.,:/+%-]*(?:[a-z°²³]{0,2}|[米年月日岁元人]|公里)", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
# What a question asks for, and what its answer then has to look like. A question may ask for several things.
_KINDS = (
    (r"^(?:when|(?:in |at )?(?:what|which) (?:years?|dates?)\b)|何时|什么时候|哪一?年|几月", _TIME, "a date"),
    (r"^how (?:many|much|old|tall|long|far|high|big|large)\b|多少|几个", FIGURE, "a number"),
)
_WHO = re.compile(
    r"^(?:who|whom|whose)\b|\b(?:after|against|by|for|from|of|to|under|with) whom\b|^谁|是谁", re.IGNORECASE
)
_WHERE = re.compile(
    r"^(?:where|(?:in|at) (?:what|which) (?:place|city|town|village|country))\b|哪里|哪儿|何处|什么地方", re.IGNORECASE
)
_YEAR = re.compile(r"\d{3,4}年?")


def mismatch(question: str, answers: Sequence[str]) -> str:
    """Why none of the answers is of the kind that the question asks for; empty where one is, or any could be."""
    for asked, looks, kind in _KINDS:
        if re.search(asked, question, re.IGNORECASE) and not any(looks.search(text) for text in answers):
            return f"The question asks for {kind}."
    if is_no_name(question, answers):
        return f"The question asks for a {'person' if _WHO.search(question) else 'place'}."
    return ""


def is_no_name(question: str, told: Iterable[str]) -> bool:
    """Whether figures alone are told where a person is asked for, or years alone where a place is."""
    texts = list(told)
    if _WHO.search(question):
        return all(map(_MEASURE.fullmatch, texts)) and any(map(_DIGIT.search, texts))
    return _WHERE.search(question) is not None and all(map(_YEAR.fullmatch, texts))
