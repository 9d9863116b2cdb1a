"""Whether what a program came to can be an answer at all, told from the words of the question.

KnowledGPT names the single round of its search as its main limit (section on limitations). What is told here is shown
to the model, which then writes a better program.
"""

import re
from collections.abc import Iterable, Sequence

from assistant.search.programs.path import PATH_SIGN, path
from assistant.types import ProgramRun
from memory.folding import fold

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
_OF_NAMED = re.compile(r"\b(?:max|min)\(\s*\[\s*[\"']")  # which of the things that the question names


def doubt(question: str, run: ProgramRun, *, unread: bool = False) -> str:
    """Why a run's result cannot be the answer; empty where it can.

    It is `unread` where a value had no number or date.
    """
    if run.error:
        return run.error
    if not run.value:
        return "Nothing was found."
    if unread or not all(call.results for call in run.calls):
        if run.is_so is False:
            return "Something was not found, which tells neither yes nor no."
        if _OF_NAMED.search(run.code):
            return "Something was not found, so that nothing can be compared."
    start, *steps = path(run.code).split(PATH_SIGN)
    if len(steps) > 1 and [fold(value) for value in run.value] == [fold(start)]:
        return "Only what the question itself names was found."
    return mismatch(question, run.value)


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


def complaint(question: str, doubted: Sequence[tuple[ProgramRun, str]]) -> str:
    """The question once more, with what is wrong with the runs that came to no answer.

    Of their calls it has those that found nothing, which say what there is instead; a small model copies whatever else
    it is shown.
    """
    lines = []
    for run, why in doubted:
        missed = [call.message for call in run.calls if not call.results]
        lines += missed if missed and not run.error else [why]
    hints = "\n".join(f"Hint: {line}" for line in dict.fromkeys(lines))
    return f"{question}\n{hints}"
