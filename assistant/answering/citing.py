"""The citations of an answer, put right by comparing words: a wrong one points elsewhere, a missing one is added."""

import re
from collections.abc import Sequence

from assistant.answering import support
from assistant.search.evidence import RESULT
from assistant.types import Evidence

_SEVERAL = re.compile(r"\[\d+(?:\s*[,，;、]\s*\d+)+\]")  # [1, 2]


def cited_rightly(sentence: str, question: str, evidence: Sequence[Evidence]) -> str:
    """The sentence with each citation pointing to evidence that holds what stands before it, and at least one."""
    sentence = _SEVERAL.sub(
        lambda several: "".join(f"[{number}]" for number in re.findall(r"\d+", several[0])), sentence
    )
    if not support.cited(sentence):
        bearing = support.best(sentence, question, evidence)
        body = sentence.rstrip(" \n.!?。！？")
        return f"{body} [{bearing.id}]{sentence[len(body) :]}" if bearing else sentence
    by_id = {item.id: item for item in evidence}
    written, end, run = "", 0, set[int]()
    for citation in support.CITATION.finditer(sentence):
        part = sentence[end : citation.start()]
        item = _right(by_id.get(int(citation[1])), part, question, evidence)
        run = run if not part.strip() else set()
        if item and item.id not in run:
            run.add(item.id)
            written += part + citation[0].replace(citation[1], str(item.id))
        else:
            written += part
        end = citation.end()
    return written + sentence[end:]


def _right(cited: Evidence | None, part: str, question: str, evidence: Sequence[Evidence]) -> Evidence | None:
    """The evidence to cite behind a part of a sentence: the cited one unless another holds more of it.

    What a search came to is cited only for what no single piece of evidence holds: that one has a source to open.
    """
    claimed = support.claims(part, question)
    held = support.borne(claimed, [cited]) if cited else 0.0
    if cited and cited.relation == RESULT:
        found = support.best(part, question, [item for item in evidence if item.relation != RESULT])
        return found if found and support.borne(claimed, [found]) >= held else cited
    bearing = support.best(part, question, evidence) if held < support.BORNE else None
    return bearing if bearing and support.borne(claimed, [bearing]) > held else cited
