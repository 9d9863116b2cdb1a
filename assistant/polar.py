"""Questions of yes or no: the evidence is repeated first, and then judged.

Asked for the bare word, a small model says yes to whatever is spoken of. Where it has to say first what the evidence
holds, it judges that; and the reader sees what the yes rests on. It concludes too much, too: from where somebody lives
to what he speaks. So what it repeats has to be grounds for an answer by itself.
"""

import re
from collections.abc import Sequence

from assistant import phrases, prompting, support
from assistant.entailment import gives_grounds
from assistant.llm.client import LanguageModel
from assistant.search.formats import Format
from assistant.types import Evidence

_POLAR = re.compile(
    r"^\W*(?:(?:and|but|so|or|then) )?(?:am|is|are|was|were|do|does|did|has|have|had|can|could|may|might|must|will"
    r"|would|shall|should)(?:n['’]t)? (?!you\b)(?!.*\bor\b)"
    r"|^(?!.*(?:谁|什么|哪|几|多少|怎|为何|还是)).*(?:吗|是不是|是否|有没有|能不能|可不可以|会不会)",
    re.IGNORECASE,
)
_REPLY = re.compile(
    r"^(?:The evidence (?:says|shows)(?: that)? |证据中?说)?(?P<says>.+?)(?:[,，]\s*so (?:yes|no))?[.。]?"
    r"\s*[:：]\s*(?P<verdict>yes|no|unknown)\W*$",
    re.IGNORECASE,
)
_CONCLUSION = re.compile(r",? so |, (?:but )?not |，(?:所以|不是|并非)")
_VERDICTS = {"yes": phrases.YES, "no": phrases.NO}
_CITED = 2


def is_polar(question: str) -> bool:
    """Whether it asks for yes or no, in English or Chinese; not what names two things, or asks the assistant to do
    something."""
    return bool(_POLAR.search(question))


def verdict(model: LanguageModel, question: str, evidence: Sequence[Evidence], format: Format) -> str:
    """Yes or no in the question's language, with what the evidence says and its citations; empty where that is open.

    Raises:
        Interrupted, ModelUnavailable: as `LanguageModel.stream` and `LanguageModel.weigh`.
    """
    messages = prompting.load("polar").render(evidence=format(evidence), question=question)
    reply = _REPLY.match("".join(model.stream(messages, purpose="answer", max_tokens=100)).strip())
    word = _VERDICTS.get(reply["verdict"].lower()) if reply else None
    if not reply or not word:
        return ""
    says = reply["says"]
    bearing = _bearing(says, evidence)
    cited = "".join(f" [{item.id}]" for item in bearing)
    grounds = _CONCLUSION.split(says)[0]
    if support.borne(support.claims(grounds, question), bearing) < support.BORNE:
        return ""
    if not gives_grounds(model, question, f"{grounds}{cited}", bearing):
        return ""
    answer = phrases.worded(question, word).capitalize()
    return phrases.worded(question, phrases.VERDICT).format(verdict=answer, says=says, cited=cited)


def _bearing(says: str, evidence: Sequence[Evidence]) -> list[Evidence]:
    """What holds most of the words, and what holds most of those that it has not."""
    left, bearing = support.claims(says, ""), list[Evidence]()
    while left and len(bearing) < _CITED:
        best = max(evidence, key=lambda item: support.borne(left, [item]))
        if not (held := {term for term in left if support.borne({term}, [best])}):
            break
        left -= held
        bearing.append(best)
    return bearing
