"""What a query asks of statements, which are nodes of their own.

`[ subject ?a ; predicate <spouse> ; object ?b ] <start_time> ?x` asks for a qualifier of one. Whatever else is wrong
with a query, what its question is about stands in the question: two things with a statement between them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assistant.knowledge_bases import rdf
from assistant.knowledge_bases.base import Term
from assistant.search.queries.patterns import Pattern, patterns

Said = tuple[Term, ...]  # name of one end and of the other, relation, qualifier, value

_WHEN = re.compile(
    r"\bwhen\b|\b(?:what|which)(?: \w+)? (?:date|day|month|year|time)\b|\b(?:time|point) (?:point|in time)\b"
    r"|什么时[候间]|哪一?[年月天日]|何[时年]",
    re.IGNORECASE,
)
# "Who won when …" asks who, and so does "When … won, who …"; a relative clause (", who …") asks nothing.
_RELATIVE, _ASKING = r"who|whom|whose|which|where", r"what|how|why"
_ELSE = re.compile(rf"(?<!, )\b(?:{_RELATIVE})\b|\b(?:{_ASKING})\b|谁|哪|什么|多少|几|怎|何", re.IGNORECASE)
_THE = re.compile(r"\b(?:what|which)(?: (?:is|was|were|are))?(?: the)?(?: \w+)? ?$", re.IGNORECASE)
_CLAUSE = re.compile(
    r"^when (?!(?:did|do|does|was|is|were|are|has|have|had|will|would|can|could)\b)"
    rf".*, (?:\w+ ){{0,3}}?(?:{_RELATIVE}|{_ASKING})\b",
    re.IGNORECASE,
)
_DATE = re.compile(r"-?\d{3,4}(?:-\d\d){0,2}(?:T.*)?")


@dataclass(frozen=True, slots=True)
class Statement:
    """Terms as a query writes them: the `qualifier` that it asks for, the `relation` that is stated, and the predicates
    that lead from the node to its two `ends` and to the relation."""

    qualifier: str
    relation: str
    ends: tuple[str, str]
    predicate: str

    def between(self, names: Sequence[str], saying: str) -> str:
        """A query for all that is said of statements between things with two of these names, its columns those of
        `Said`; `saying` is the path from a thing to its name."""
        (first, second), values = self.ends, " ".join(names)
        return (
            "SELECT DISTINCT ?one ?other ?relation ?qualifier ?value WHERE { "
            f"VALUES ?one {{ {values} }} ?a {saying} ?one . VALUES ?other {{ {values} }} ?b {saying} ?other . "
            f"?node {first} ?a ; {second} ?b ; {self.predicate} ?relation ; ?qualifier ?value }}"
        )

    def asking(self, said: Said, saying: str) -> str:
        """The query for the qualifier of `said`."""
        (first, second), (one, other, relation, qualifier, _) = self.ends, said
        return (
            f"SELECT DISTINCT ?x WHERE {{ ?a {saying} {one} . ?b {saying} {other} . "
            f"[ {first} ?a ; {self.predicate} {relation} ; {second} ?b ] {qualifier} ?x . }}"
        )

    def chosen(self, said: Sequence[Said], *, when: bool) -> Said | None:
        """What is said for the qualifier, else for the only other one; only a date where the question asks `when`. Of
        several values none, unless one is of the relation that is stated."""
        own = {rdf.relation_name(term.strip("<>")) for term in (*self.ends, self.predicate)}
        qualified = [one for one in said if rdf.relation_name(one[3].value) not in own]
        fit = [one for one in qualified if may_answer(one[4], when=when)]
        some = [one for one in fit if _same(one[3], self.qualifier)] or fit
        for fitting in ([one for one in some if _same(one[2], self.relation)], some):
            if len({one[3:] for one in fitting}) == 1:
                return fitting[0]
        return None


def statements(query: str) -> Iterator[Statement]:
    """The statements of which the query asks for a qualifier.

    Raises:
        QueryRefused: the query cannot be read.
    """
    found = patterns(query)
    subjects = {one.subject.text for one in found}
    for asked in found:
        is_open = asked.object.kind == "variable" and asked.object.text not in subjects
        if asked.subject.text != "[" or asked.predicate is None or not is_open:
            continue
        stating = [one for one in found if one.subject.start == asked.subject.start and one.predicate and one != asked]
        ends = list(dict.fromkeys(_predicate(one) for one in stating if one.object.kind == "variable"))
        relations = [one for one in stating if one.object.kind in {"iri", "name"}]
        if len(ends) == 2 and len(relations) == 1:
            yield Statement(_predicate(asked), relations[0].object.text, (ends[0], ends[1]), _predicate(*relations))


def may_answer(value: Term, *, when: bool) -> bool:
    """Whether the value is a date where the question asks `when`."""
    return not when or _DATE.fullmatch(value.value) is not None


def asks_when(question: str) -> bool:
    """Whether the question asks for a time, and does not just say when what it asks for was."""
    said = _WHEN.search(question)
    if said is None or _CLAUSE.search(question):
        return False
    return not _ELSE.search(_THE.sub("", question[: said.start()]))


def _predicate(pattern: Pattern) -> str:
    return pattern.path[0].text


def _same(found: Term, written: str) -> bool:
    return rdf.relation_name(found.value) == rdf.relation_name(written.strip("<>"))
