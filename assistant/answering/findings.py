"""What a search clearly came to, told from the first piece of evidence, and whether a reply says it.

Likeness tells clear finds (`CLEAR`, `SAME`) from others only roughly: of relations that a knowledge base has beside
the one that is missing, half are as like. So what was not found by the very name (`NAMED`) is asked about once more,
but for where a path of several clear relations led, which none of its triples tells.
"""

import re
from collections.abc import Sequence

from assistant.answering import support
from assistant.citations import without_citations
from assistant.knowledge_bases.relations import CLEAR, NAMED, SAME
from assistant.search.evidence import LISTED, RESULT, objects, subjects, with_objects
from assistant.search.kinds import FIGURE
from assistant.stemming import roots
from assistant.types import Evidence
from memory.folding import fold, terms
from memory.resolution import USER_NAMES

_NAME = 60  # characters; what is longer is said in other words
_HAN = re.compile("[\u3400-\u9fff]")
_PARTING = re.compile(r"(?<=[\u3400-\u9fff）)》])\s+(?=[\u3400-\u9fff《])")  # of a Chinese list without signs
_LETTER = re.compile(r"[^\W\d_]")
WHICH = re.compile(r"\s*[(（][^()（）]+[)）]$")  # which of its namesakes: 茶花女(1995年电影)
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"(?<![\d.])\d+\.\d+(?![\d.]*\d)|\d+")  # 2.3, but of 29.3.1950 three
# Of what kind the answer is, a question says in its question word, and a relation in its name: "when was it released"
# asks for its release date.
_KINDS = (
    (r"\bwhen\b|什么时[候间]|何[时年]|哪一?[年月天日]|几[年月]", r"\b(?:date|year|time)\b|时间|日期|年[份代月]"),
    (r"\bwhere\b|哪[里儿]|什么地[方点区]|何[地处]", r"\b(?:place|location)\b|地[点方区址]|位置"),
    (r"\bhow many\b|多少|几", r"\bnumber(?: of)?\b|总?数[量目]?"),
    (r"\bwho\b|谁|哪位|什么人", r"[者人员]$"),
    (r"[哪什]么?[种类]|类型|种类|类别|属于", r"类型|类别|种类"),
    (r"如何|怎[么样]", r"方[式法]|情况"),
)
# Fewer are asked for than there are: one of them, or those for which something else holds.
_FEWER = re.compile(
    r"\b(?:(?<!who )(?:is|was)|first|last|latest|current|currently|now|only|one|most|least|more|less|fewer|than"
    r"|which of|\w{2,}est|before|after|since|until|between"
    r"|besides|except|apart|other|others|else|another|not|without|both|either|or)\b"
    r"|最|第|现任|目前|唯一|其中|除|另|还|以[前后]|之[前后]|不|没|还是|更|同时|都|[哪这那一]位",
    re.IGNORECASE,
)


def clear_end(first: Evidence, question: str, least: float = CLEAR) -> tuple[str, ...]:
    """What the search came to by relations at least so like what was asked for: what is listed at the end that the
    question leaves open.

    Nothing where it did not, or where the question leaves neither end open, or both.
    """
    if first.score < least or not first.object:
        return ()
    if first.relation == RESULT:
        return objects(first)
    if _named(first.subject, question):
        return () if _named(first.object, question) else objects(first)
    return subjects(first) if _named(first.object, question) else ()


def whole(evidence: Sequence[Evidence]) -> Evidence:
    """What was found first, with all else that the same sentence tells by its relation: peanuts; penicillin."""
    first = evidence[0]
    if not (first.text and first.object):
        return first
    told = [item for item in evidence if _sentence(item) == _sentence(first)]
    return with_objects(first, [value for item in told for value in objects(item)])


def _sentence(item: Evidence) -> tuple[str, str, str, str]:
    return item.kb, item.subject, item.relation, item.text


def relations_between(question: str, evidence: Sequence[Evidence]) -> list[Evidence]:
    """What clearly joins two things that the question names; none where the first piece does not."""
    joining = [
        item
        for item in evidence
        if item.score >= CLEAR and item.object and item.relation != RESULT
        if _named(item.subject, question) and _named(item.object, question)
    ]
    return joining if joining[:1] == list(evidence[:1]) else []


def asked_by_name(item: Evidence, question: str) -> bool:
    """Whether a triple was found by the very name of its relation, and the question has a word of that; or clearly,
    and it has all of them, but for that which says of what kind the answer is.

    A program may have asked for another relation than the question.
    """
    if has_all_of(item, question):
        return item.score >= CLEAR
    return bool(roots(item.relation) & roots(question)) and item.score >= NAMED


def has_all_of(item: Evidence, question: str) -> bool:
    """Whether the question has all words of the relation, in Chinese all characters, but for the kind of answer."""
    own = without_kind(item.relation, question).casefold()
    if _HAN.search(own):
        return set(own.replace(" ", "")) <= set(question.casefold().replace(WHICH.sub("", item.subject).casefold(), ""))
    return set() < roots(own) <= roots(question)


def without_kind(relation: str, question: str) -> str:
    """The relation without what the question word says of the kind of answer: 上映 of 上映时间 for 什么时候."""
    for asks, kind in _KINDS:
        if re.search(asks, question, re.IGNORECASE):
            relation = re.sub(kind, " ", relation, flags=re.IGNORECASE)
    return relation.strip()


def says_what_was_found(said: str, question: str, first: Evidence) -> bool:
    """Whether the reply says what the search came to: by the very name of a relation that the question has a word of,
    or by a path of clear relations."""
    if first.relation != RESULT and not asked_by_name(first, question):
        return False
    return any(_says(said, end) for end in clear_end(first, question) if end)


def passes_over(said: str, question: str, evidence: Sequence[Evidence]) -> bool:
    """Whether a reply leaves out all that the search surely came to, or says other words for it.

    Figures may be rounded or written out, but not left out. What other evidence has is another answer. Where the
    question names both ends of what was found, a reply that only repeats the question leaves it out.
    """
    first = evidence[0]
    if joining := relations_between(question, evidence):
        spoken = support.claims(said, "")
        told = any(support.claims(item.relation, "") & spoken for item in joining)
        return not told and spoken <= support.claims(question, "")
    if first.relation != RESULT and support.borne(support.claims(said, question), evidence[1:]) >= support.BORNE:
        return False
    sure = clear_end(first, question, SAME)
    ends = [end for end in (objects(first) if first.relation == RESULT else sure) if end and len(end) <= _NAME]
    if any(_LETTER.search(end) for end in ends):
        return not any(_says(said, end) for end in ends)
    return bool(sure and ends) and not FIGURE.search(without_citations(said))


def left_out(said: str, question: str, first: Evidence) -> list[str]:
    """Of several names that the search clearly came to, and that all seem asked for, those that a reply leaves out.

    Of a Chinese value without commas these are its parts.

    None where it says none of them: then it says something else. Figures and dates may be written otherwise, so that
    they are missing only where none of their numbers is said; and a question that has a figure, or words that leave
    some out, asks for fewer.
    """
    whole = objects(first) if first.relation == RESULT else clear_end(first, question)
    ends = [end for item in whole for end in _PARTING.split(item)]
    short = all(len(end) <= _NAME for end in ends)
    if not 1 < len(ends) < LISTED or not short or _DIGIT.search(question) or _FEWER.search(question):
        return []
    numbers = set(_NUMBER.findall(without_citations(said, " ")))
    figures = {end: _NUMBER.findall(end) for end in ends if not _named(end, question)}
    missing = [end for end, its in figures.items() if (numbers.isdisjoint(its) if its else not _says(said, end))]
    tells_some = any(end not in missing for end in figures) or any(_says(said, end) for end in ends)
    return missing if tells_some else []


def _named(name: str, question: str) -> bool:
    """Whether the question has the name, without what tells it from its namesakes; "my" is the user's."""
    named = WHICH.sub("", name)
    return any(support.named_in(own, question) for own in (USER_NAMES if fold(named) in USER_NAMES else {named}))


def _says(text: str, name: str) -> bool:
    """Whether all words of the name stand in the text, in whatever order; of Chinese, its pairs of characters."""
    said = without_citations(text, " ")
    return support.named_in(name, said) or set(terms(name)) <= set(terms(said))
