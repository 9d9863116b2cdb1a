"""Questions of yes or no: the evidence is repeated first, and then judged.

Asked for the bare word, a small model says yes to whatever is spoken of. Where it has to say first what the evidence
holds, it judges that; and the reader sees what the yes rests on. It concludes too much, too: from where somebody lives
to what he speaks. So what it repeats has to be grounds for an answer by itself. Where a program has judged, the triples
that it found stand beside its word, if they are few.
"""

import re
from collections.abc import Sequence

from assistant import prompting
from assistant.answering import support
from assistant.answering.entailment import gives_grounds
from assistant.citations import without_citations
from assistant.knowledge_bases.relations import CLEAR
from assistant.llm.client import LanguageModel
from assistant.messages.shared import verdict as said
from assistant.search.formats import Format, is_triple, told
from assistant.stemming import stems
from assistant.types import Evidence, Turn

# One question alone, that asks for no more than yes or no, and nothing of the assistant itself.
_ENGLISH = re.compile(
    r"^\W*(?:(?:and|but|so|then) )?"
    r"(?:(?:am|is|are|was|were|do|does|did|has|have|had|can|could|must|shall|should)(?:n['’]t)? (?!you\b)"
    r"|(?:may|might|will|would) (?=(?:i|we|he|she|it|they|there|the|an?|my|our|his|her|its|their|this|that)\b))"
    r"(?!.*\b(?:or|who|whom|whose|where|when|what|which|why|how|know|known|tell|told|list|anything|anyone|someone)\b)"
    r"(?!.*[?？]\s*\w)",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    r"^(?!.*(?:谁|什么|哪[里儿个些位年种一]|几|多少|怎|何|还是|你|您|告诉|介绍|列出|知道))(?!.*[?？]\s*\w)"
    r".*(?:[吗嗎]\W*$|(?:是不是|是否|有没有|能不能|可不可以|会不会).*[?？]\s*$)"
)
_FORMS = {"en": _ENGLISH, "zh": _CHINESE}
_REPLY = re.compile(
    r"^(?:The evidence (?:says|said|states|shows)(?: that)? |证据中?说)?(?P<says>.+?)(?:[,，]\s*so (?:yes|no))?[.。]?"
    r"\s*[:：]\s*(?P<verdict>yes|no|unknown)\W*$",
    re.IGNORECASE,
)
_CONCLUSION = re.compile(r", (?:so|therefore|which (?:is|means)|(?:but )?not) |，(?:所以|不是|并非)")
_LEFT_OPEN = re.compile(r"\bbut not (?:what|where|who|when|whether|how|which|why)\b")
_CITED = 2
_FEW, _SHORT = 3, 240  # triples, and characters of them, that are told beside what a program came to


def is_polar(question: str, language: str) -> bool:
    """Whether it asks, in English or Chinese, for yes or no and nothing else; in other languages nothing tells."""
    form = _FORMS.get(language)
    return form is not None and form.search(question) is not None


def is_left_open(turn: Turn, first: Evidence) -> bool:
    """Whether a turn asks for yes or no and the first piece of evidence is neither."""
    return first.is_so is None and is_polar(turn.question, turn.language)


def computed(turn: Turn, evidence: Sequence[Evidence]) -> str | None:
    """The yes or no that a program clearly came to, and beside it the triples that it met with, each cited, whether it
    judged by them or not; None where it came to neither, or where there are none, or too many to be told."""
    first, *others = evidence
    if first.is_so is None or first.score < CLEAR:
        return None
    # A result is as clear as the least clear triple of its run; what is less so was found otherwise.
    near = [item for item in others if item.kb == first.kb and item.score >= first.score]
    found = [item for item in near if is_triple(item)]
    says = "; ".join(f"{told(item)} [{item.id}]" for item in found)
    if not found or len(found) > _FEW or len(says) > _SHORT:
        return None
    return said(turn.language, first.is_so, says)


def verdict(model: LanguageModel, turn: Turn, evidence: Sequence[Evidence], format: Format) -> str | None:
    """Yes or no, with what the evidence says and its citations; empty where that is open, None where the model does
    not reply so.

    Raises:
        Interrupted, ModelUnavailable: as `LanguageModel.stream` and `LanguageModel.weigh`.
    """
    question = turn.question
    messages = prompting.load("polar").render(evidence=format(evidence), question=question)
    written = model.complete(messages, purpose="answer", max_tokens=100).replace("*", "").strip()
    reply = _REPLY.match(without_citations(written).rpartition("\n")[2])
    if reply is None:
        return None
    says, judged = reply["says"], reply["verdict"].lower()
    if judged == "unknown" or _LEFT_OPEN.search(says):
        return ""
    grounds = _CONCLUSION.split(says)[0]
    bearing = _bearing(grounds, evidence)
    cited = "".join(f" [{item.id}]" for item in bearing)
    repeated = "" if stems(grounds) <= stems(question) else question
    if support.borne(support.claims(grounds, repeated), bearing) < support.BORNE:
        return ""
    if not gives_grounds(model, question, f"{grounds}{cited}", bearing):
        return ""
    return said(turn.language, judged == "yes", f"{says}{cited}")


def _bearing(grounds: str, evidence: Sequence[Evidence]) -> list[Evidence]:
    """What holds most of the words, and what holds most of those that it has not."""
    left, bearing = support.claims(grounds, ""), list[Evidence]()
    while len(bearing) < _CITED and (best := support.bearing_most(left, evidence)):
        left = {term for term in left if not support.borne({term}, [best])}
        bearing.append(best)
    return bearing
