"""What a yes-or-no query claims: that something has a value.

A query says no where any of its conditions is wrong. What its question is about stands in the question all the same:
what has the value is joined to whatever else is named. Past ICSU; by the names of the gold queries of KQA Pro's
training part alone, 1 of 2,578 questions to be denied is affirmed, and 820 of 828 to be affirmed are.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from assistant.knowledge_bases.base import Term
from assistant.search.queries.patterns import names_things, patterns

Select = Callable[[str], Sequence[Sequence[Term | None]]]  # a query without its prologue, to its rows

# How a thing is joined to a name, what is closest first: it is called so, or has it as a value; what is called so
# stands in a relation to it, one way or the other; a statement about it says so.
_STATED = "is stated"
_WAYS = {
    "called": "?thing ?said ?name",
    "leads": "?thing ?relation ?end . ?end ?said ?name",
    "is led to": "?end ?relation ?thing . ?end ?said ?name",
    _STATED: "?end ?relation ?thing ; ?said ?name . FILTER(isBlank(?end))",
}


@dataclass(frozen=True, slots=True)
class Joint:
    """How a thing is joined to a name; terms as the knowledge base has them."""

    way: str
    said: Term
    name: Term
    relation: Term | None

    @property
    def tells_apart(self) -> bool:
        """Whether the thing itself is called so, or has that value; other things may be joined to the same name."""
        return self.way == "called" or not names_things(self.said.value)

    def group(self, end: str) -> str:
        """The triples that say so of `?thing`; `end` is the variable for what stands between."""
        terms = {"?said": self.said, "?name": self.name, "?relation": self.relation, "?end": end}
        group = _WAYS[self.way]
        for variable, term in terms.items():
            group = group.replace(variable, str(term))
        return group


@dataclass(frozen=True, slots=True)
class Claim:
    """That `?thing` has a value: the value as it is written, and the triples that say so."""

    value: str
    group: str

    def joints(self, named: Sequence[Sequence[str]], saying: Sequence[str], select: Select) -> list[Joint]:
        """How something that has the value is joined to all that is `named`, each given in its spellings, in their
        order; empty where nothing is.

        `saying` are the relations that say what something is called, or what a value is.
        """
        by_thing: dict[Term, list[Joint]] = {}
        for number, spellings in enumerate(named):
            ways = " UNION ".join(self._joined(way, name, saying) for way in _WAYS for name in spellings)
            rows = select(f"SELECT DISTINCT ?thing ?way ?said ?name ?relation WHERE {{ {ways} }}")
            for thing, way, said, name, relation in sorted(rows, key=lambda row: list(_WAYS).index(_value(row[1]))):
                if thing and said and name:
                    joints = by_thing.setdefault(thing, [])
                    if len(joints) == number:  # the closest of several, and none left out
                        joints.append(Joint(_value(way), said, name, relation))
        return next((joints for joints in by_thing.values() if len(joints) == len(named)), [])

    def _joined(self, way: str, name: str, saying: Sequence[str]) -> str:
        # Each way has the claim in it, and the name as it is: joined to lists of these, a query takes seconds.
        is_said = "" if way == _STATED else f"FILTER(?said IN ({', '.join(saying)}))"
        return (
            f"{{ {self.group} . FILTER(isIRI(?thing)) {_WAYS[way].replace('?name', name)} {is_said} "
            f'BIND("{way}" AS ?way) BIND({name} AS ?name) }}'
        )

    def asking(self, joints: Sequence[Joint]) -> str:
        """The query whether something that is joined so has the value."""
        groups = [joint.group(f"?other{number}") for number, joint in enumerate(joints)]
        return f"ASK {{ {' . '.join([self.group, *groups])} }}"


def claims(query: str, values: Sequence[str]) -> Iterator[Claim]:
    """The claims that a query may be meant to make: any of `values`, as queries write them, may be what it asks about.

    Where a value is a node of its own, the relation leads there, and another one from there to what it says.

    Raises:
        QueryRefused: the query cannot be read.
    """
    found = patterns(query)
    for saying in (one for one in found if one.object.kind == "string" and not one.is_naming):
        says = "".join(token.text for token in saying.path)
        for value in dict.fromkeys([saying.object.text, *values]):
            yield Claim(value, f"?thing {says} {value}")
            for leading in (one for one in found if one.object.text == saying.subject.text):
                leads = "".join(token.text for token in leading.path)
                yield Claim(value, f"?thing {leads} ?value . ?value {says} {value}")


def _value(term: Term | None) -> str:
    return term.value if term else ""
