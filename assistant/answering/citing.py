"""The citations of an answer, put right by comparing words: a wrong one points elsewhere, a missing one is added."""

from collections.abc import Sequence

from assistant.answering import support
from assistant.citations import citations
from assistant.search.evidence import RESULT
from assistant.types import Evidence


def cited_rightly(sentence: str, question: str, evidence: Sequence[Evidence]) -> str:
    """The sentence with each citation pointing to evidence that holds what stands before it, and at least one."""
    found = citations(sentence)
    if not found:
        bearing = support.best(sentence, question, evidence)
        body = sentence.rstrip(" \n.!?。！？")
        return f"{body} [{bearing.id}]{sentence[len(body) :]}" if bearing else sentence
    by_id = {item.id: item for item in evidence}
    written, end, run = "", 0, set[int]()
    for citation in found:
        part = sentence[end : citation.start]
        run = run if not part.strip() else set()
        first, *others = (by_id.get(number) for number in citation.numbers)
        right = [_right(first, part, question, evidence), *others]
        numbers = [n for n in dict.fromkeys(item.id for item in right if item) if n not in run]
        run.update(numbers)
        written += part + "".join(f"[{number}]" for number in numbers) if numbers else part.rstrip()
        end = citation.end
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
