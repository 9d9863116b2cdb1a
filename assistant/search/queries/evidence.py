"""Rows of a query as evidence: what each row says in words, so that an answer can cite it.

The result comes first. Beside it stand the triples that bear it: each row put into the query's own triple patterns,
where the query does not compute.
"""

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from pyoxigraph import Literal, NamedNode

from assistant.errors import KnowledgeBaseUnreachable, QueryRefused
from assistant.knowledge_bases import rdf
from assistant.knowledge_bases.base import Deadline, Queryable, QueryResult, Term
from assistant.knowledge_bases.sparql.querying import is_cut
from assistant.knowledge_bases.sparql.text import Token, prologue, quoted, tokens
from assistant.language import language_of
from assistant.messages import Phrase, say
from assistant.messages.shared import yes_or_no
from assistant.search.evidence import RESULT, with_objects
from assistant.search.queries.banks import Bank
from assistant.search.queries.patterns import Pattern, patterns
from assistant.types import Certainty, Evidence, Turn

_SECONDS = 5.0
_SHOWN_ROWS = 50
_TOLD_CHARACTERS = 10_000  # of all rows; a prompt holds some more
_CELL_CHARACTERS = 1000
_BEARING_ROWS = 12
_LABELLED = 200  # things whose names are asked for
_AT_ONCE = 40  # of them, so that an address holds the query: many servers take 8,000 characters
_COMPUTES = {"GROUP", "COUNT", "SUM", "AVG", "MIN", "MAX", "HAVING", "UNION", "OPTIONAL", "NOT", "MINUS", "SELECT"}
_EXTREMES = {"MIN", "MAX"}  # of what is asked for: of all the rows, few bear it
_TAKEN_FOR = Phrase("there is no {name} here; this is about {other}")
_FIRST_ROWS = Phrase("only the first {shown} of {found} rows")
_FIRST_OF_MORE_ROWS = Phrase("only the first {shown} of {found}+ rows")
_PROPERTY = re.compile(r"http://www\.wikidata\.org/prop/(?:.*/)?(P\d+)")  # has its labels under another IRI


class RowReader:
    """Reads results on one knowledge base, called `name`, for the question of a turn, in its language."""

    def __init__(self, kb: Queryable, name: str, bank: Bank, turn: Turn) -> None:
        self._kb = kb
        self._name = name
        self._bank = bank
        self._turn = turn
        self._language = language_of(turn.question)
        self._labels: dict[str, str] = {}

    def rows(self, result: QueryResult) -> tuple[tuple[str, ...], ...]:
        """The first rows as people read them; one row with yes or no for ASK."""
        if result.boolean is not None:
            return ((yes_or_no(self._turn.language, result.boolean),),)
        shown = result.rows[:_SHOWN_ROWS]
        self._learn_labels(term for row in shown for term in row)
        return tuple(tuple(self.text(term) for term in row) for row in shown)

    def evidence(self, query: str, result: QueryResult, taken: Sequence[tuple[str, str]] = ()) -> list[Evidence]:
        """The result itself, then the triples that bear it; nothing where the query found nothing.

        It is said which names were `taken` for which, and how many rows are left out.
        """
        rows = [", ".join(filter(None, row)) for row in self.rows(result)]
        lengths = itertools.accumulate(map(len, rows))
        rows = rows[: 1 + sum(length <= _TOLD_CHARACTERS for length in lengths)]
        told = list(filter(None, dict.fromkeys(rows)))
        if not told:
            return []
        # A query names its relations, so that they are clear; they are the model's choice, and so not sure.
        gaps = [say(self._turn.language, _TAKEN_FOR, name=name, other=other) for name, other in taken]
        if len(result.rows) > len(rows):
            few = _FIRST_OF_MORE_ROWS if is_cut(result) else _FIRST_ROWS
            gaps.append(say(self._turn.language, few, shown=len(rows), found=len(result.rows)))
        whole = Evidence(
            0,
            self._name,
            self._turn.question,
            RESULT,
            "",
            text="; ".join(gaps),
            certainty=Certainty.DOUBTFUL if taken else Certainty.CLEAR,
            source=self._name,
            is_so=result.boolean,
        )
        return [with_objects(whole, told), *(self._bearing(query, result) if result.boolean is not False else [])]

    def text(self, term: Term | None) -> str:
        """A term as people read it; empty for what has no name."""
        if isinstance(term, NamedNode):
            return self._labels.get(term.value) or rdf.entity_name(term.value)
        text = rdf.value_text(term) if isinstance(term, Literal) else ""
        return text if len(text) <= _CELL_CHARACTERS else f"{text[:_CELL_CHARACTERS]} …"

    def name(self, token: Token) -> str:
        """An IRI of the query, most often a predicate, as people read it."""
        iri = self._bank.source.expanded(token)
        return self._labels.get(iri) or rdf.relation_name(iri)

    def _bearing(self, query: str, result: QueryResult) -> list[Evidence]:
        """The triples that the query's patterns become where they come to the result."""
        words = tokens(query)
        group = next((word for word in words if word.text == "{"), None)
        keywords = {word.keyword for word in words if group is not None and word.start > group.start}
        if group is None or keywords & _COMPUTES or _EXTREMES & {word.keyword for word in words}:
            return []
        most = "" if "LIMIT" in keywords else f" LIMIT {_BEARING_ROWS}"
        everything = self._bank.whole(f"{prologue(query)}SELECT * WHERE {query[group.start :]}{most}")
        found = patterns(query)
        written = [end for one in found for end in (one.subject, *one.path, one.object) if end.kind in {"iri", "name"}]
        named = [NamedNode(iri) for token in written if ":" in (iri := self._bank.source.expanded(token))]
        try:
            rows = _agreeing(self._kb.query(everything, Deadline.after(_SECONDS)), result)[:_BEARING_ROWS]
        except (QueryRefused, KnowledgeBaseUnreachable):  # the result stands, also where no variable is named
            return []
        self._learn_labels([*named, *(term for row in rows for term in row.values())])
        return [item for row in rows for item in _Telling(self, found, row).evidence(self._name)]

    def _learn_labels(self, terms: Iterable[Term | None]) -> None:
        """Ask for the names of those not known yet, in the question's language, else in English, else in any.

        Where they cannot be had, things go by the names that their IRIs have.
        """
        iris = dict.fromkeys(term.value for term in terms if isinstance(term, NamedNode))
        new = [iri for iri in iris if iri not in self._labels][:_LABELLED]
        self._labels |= dict.fromkeys(new, "")
        deadline = Deadline.after(_SECONDS)
        with suppress(QueryRefused, KnowledgeBaseUnreachable):
            for start in range(0, len(new), _AT_ONCE):
                self._labels |= self._labels_of(new[start : start + _AT_ONCE], deadline)

    def _labels_of(self, iris: Sequence[str], deadline: Deadline) -> dict[str, str]:
        labelled = {_PROPERTY.sub(r"http://www.wikidata.org/entity/\1", iri): iri for iri in iris}
        things = " ".join(f"<{iri}>" for iri in labelled)
        wanted = ", ".join(quoted(language) for language in dict.fromkeys((self._language, "en", "mul", "")))
        query = (
            f"SELECT ?thing ?label WHERE {{ VALUES ?thing {{ {things} }} ?thing <{rdf.LABEL}> ?label . "
            f"FILTER(LANG(?label) IN ({wanted})) }}"
        )
        labels: dict[str, str] = {}
        ranks: dict[str, int] = {}
        for thing, label in self._kb.query(query, deadline).rows:
            if not isinstance(thing, NamedNode) or not isinstance(label, Literal):
                continue
            rank = 0 if label.language == self._language else 1 if label.language == "en" else 2
            iri = labelled[thing.value]
            if rank < ranks.get(iri, 3):
                ranks[iri], labels[iri] = rank, label.value
        return labels


def _agreeing(bound: QueryResult, result: QueryResult) -> list[dict[str, Term | None]]:
    """The rows of all variables that come to a row of the result; others are among them where the projection computes
    what the query orders by."""
    asked = [name for name in result.variables if name in bound.variables]
    places = [result.variables.index(name) for name in asked]
    said = {tuple(row[place] for place in places) for row in result.rows}
    rows = [dict(zip(bound.variables, row, strict=True)) for row in bound.rows]
    return [row for row in rows if not asked or tuple(row[name] for name in asked) in said]


@dataclass(frozen=True, slots=True)
class _Telling:
    """The triples that a query's patterns become with the values of one row."""

    reader: RowReader
    found: Sequence[Pattern]
    row: Mapping[str, Term | None]

    def evidence(self, kb: str) -> Iterator[Evidence]:
        """One piece a pattern. Of a node without a name, the last pattern is told, and what the others say is its name:
        a statement is what it states, a value node the value."""
        for one in self.found:
            if not _is_named(one):
                continue
            if not self._name(one.subject):
                about = self._about(one.subject)
                if len(about) == 1 or one is not about[-1]:
                    continue
            subject, value = self._name(one.subject) or self._said(one.subject, one), self._told(one.object)
            if subject and value and subject != value:
                yield Evidence(0, kb, subject, self.reader.name(one.path[0]), value, source=kb)

    def _told(self, end: Token) -> str:
        return self._name(end) or self._said(end, None)

    def _said(self, end: Token, but: Pattern | None) -> str:
        return " ".join(filter(None, (self._name(one.object) for one in self._about(end) if one is not but)))

    def _about(self, end: Token) -> list[Pattern]:
        return [one for one in self.found if one.subject.text == end.text and (end.text != "[" or one.subject == end)]

    def _name(self, end: Token) -> str:
        if end.kind == "variable":
            return self.reader.text(self.row.get(end.text[1:]))
        if end.kind in {"iri", "name"}:
            return self.reader.name(end)
        return end.value if end.kind in {"string", "number"} else ""


def _is_named(pattern: Pattern) -> bool:
    """Whether its predicate is one that has a name, and no path or variable."""
    return pattern.predicate is not None and pattern.predicate.kind in {"iri", "name"}
