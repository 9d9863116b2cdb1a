"""Whether what a program came to can be an answer at all.

KnowledGPT names the single round of its search as its main limit (section on limitations). What is told here is shown
to the model, which then writes a better program.
"""

import re
from collections.abc import Sequence

from assistant.search.programs.path import steps
from assistant.types import ProgramRun
from memory.folding import fold

_HINT, _HINTS = 300, 6_000  # characters of one, and of all
_OF_NAMED = re.compile(r"\b(?:max|min)\(\s*\[\s*[\"']")  # which of the things that the question names


def doubt(run: ProgramRun, *, unread: bool = False) -> str:
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
    start, *followed = steps(run.code)
    if len(followed) > 1 and [fold(value) for value in run.value] == [fold(start)]:
        return "Only what the question itself names was found."
    return ""


def complaint(question: str, doubted: Sequence[tuple[ProgramRun, str]], *, whole: bool = False) -> str:
    """The question once more, with what is wrong with the runs that came to no answer.

    Of their calls it has those that found nothing, which say what there is instead; a small model copies whatever else
    it is shown. The `whole` of it is all calls, with what they found.
    """
    lines = []
    for run, why in doubted:
        told = [call.message for call in run.calls if whole or not call.results]
        if whole or not run.error:
            lines += told
        if whole or run.error or not told:
            lines.append(why)
    hints = "\n".join(f"Hint: {line[:_HINT]}" for line in dict.fromkeys(lines))
    return f"{question}\n{hints[:_HINTS]}"
