"""Linking a generated query into the knowledge base that it is for.

A model copies names and values with small mistakes, makes predicates up, turns edges round. The knowledge base itself
says what was meant: a term that it does not hold is replaced by the nearest that it does, and where a query of known
terms still finds nothing, each part in turn is left open, and what the rest of the query then finds there is compared
with what the model wrote. A value that the question does not say, and a relation between two things that it does, may
be anything that the knowledge base has there.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from assistant.errors import KnowledgeBaseUnreachable
from assistant.knowledge_bases import rdf
from assistant.knowledge_bases.base import Deadline, KnowledgeBase, Term
from assistant.knowledge_bases.files.names import likeness, name_key
from assistant.knowledge_bases.naming import Wording, names_in
from assistant.knowledge_bases.relations import Asked, RelationRanker
from assistant.knowledge_bases.sparql.text import Token, edited, prologue, quoted, tokens
from assistant.search.anonymize import anonymize
from assistant.search.queries.attempt import Asking, Attempt
from assistant.search.queries.claims import claims
from assistant.search.queries.patterns import (
    Pattern,
    core_of,
    listed,
    names_things,
    patterns,
    rendered,
    replaced,
    turned_round,
)
from assistant.search.queries.statements import asks_when, may_answer, statements
from assistant.stemming import stem
from memory.folding import terms

_NAMES_SECONDS = 8.0  # to tell which names are known
_QUERY_SECONDS = 2.0  # a part that is left open can make a query of a selective one that is not
_OPEN_ROWS = 3000  # terms looked at in place of one that was left open
_CANDIDATES = 5
# Likeness from 0 to 1 below which what was found in an open place is something else than what was written there.
_LIKE_NAME, _LIKE_VALUE, _LIKE_RELATION = 0.72, 0.85, 0.86
_SAME = 0.97  # for yes-or-no questions, which are often asked about things that are not so
_SLIP = 0.9  # below it, a name is another thing's: Sarnia is no Narnia
_FIGURE = re.compile(r"(?<!\w)-?\d+(?:\.\d+)?|\d+")


class QueryLinker:
    """Links the queries for one question; `codes` are the queries of its examples."""

    def __init__(self, kb: KnowledgeBase, codes: Sequence[str], ranker: RelationRanker, asking: Asking) -> None:
        self._kb = kb
        self._ranker = ranker
        self._asking = asking
        self._codes = codes
        self._said = set(terms(asking.question))
        self._when = asks_when(asking.question)
        self._deadline, self._prologue = Deadline.after(0.0), ""  # set by each call
        words = [token for code in codes for token in tokens(code)]
        self._relations = list(dict.fromkeys(token.text for token in words if token.kind in {"iri", "name"}))
        said = [one.path[0].text for code in codes for one in patterns(code) if one.predicate and _says(one)]
        self._saying = list(dict.fromkeys(said))  # relations to a name or a value
        self._suffixes = sorted({token.suffix for token in words if token.kind == "string"})

    def linked(self, attempt: Attempt) -> Attempt:
        """The attempt, or one that the knowledge base rather bears out, as far as the question's time for it goes."""
        allowance = self._asking.linking
        self._deadline, self._prologue = Deadline.after(allowance.left, self._asking.cancel), prologue(attempt.query)
        try:
            linked = self._nearest(attempt)
            return linked if attempt.error or not linked.error else attempt  # there was no time for the last step
        finally:
            allowance.left = self._deadline.remaining

    def _nearest(self, attempt: Attempt) -> Attempt:
        query = self._with_known_terms(attempt.query, asks=attempt.result.boolean is not None)
        linked = attempt if query == attempt.query else self._run(query)
        if linked.result.boolean is False:
            linked = self._affirmed(linked, attempt.query)
        elif not linked.found:
            linked = self._borne_out(linked)
        terms_found = [term for row in linked.result.rows for term in row if term]
        if linked.result.boolean is None and not any(may_answer(one, when=self._when) for one in terms_found):
            linked = self._stated(linked)
        slip = _SLIP if linked.result.boolean is None else 1.0  # yes-or-no questions are asked about what is not so
        other = linked.other_relation or not _relations(linked.query) <= _relations(attempt.query)
        return replace(linked, other_relation=other, taken=_taken(attempt.query, linked.query, slip))

    def unknown_names(self, query: str) -> list[str]:
        """The names in the query of which the knowledge base has no things."""
        self._deadline, self._prologue = Deadline.after(_NAMES_SECONDS, self._asking.cancel), prologue(query)
        return [
            one.object.value for one in _naming(query) if not self._holds(f"?s {one.path[0].text} {one.object.text}")
        ]

    def unlike(self, query: str) -> list[str]:
        """What the query lists that its patterns do not hold for: of two that it compares, it finds the other alone."""
        self._deadline, self._prologue = Deadline.after(_NAMES_SECONDS, self._asking.cancel), prologue(query)
        group = rendered(patterns(query))
        return [
            value.value
            for variable, value in listed(query)
            if not self._holds(group.replace(f"{variable.text} ", f"{value.text} "))
        ]

    def lacks_values(self, query: str) -> bool:
        """Whether the query compares with values where the knowledge base has none at all."""
        self._deadline, self._prologue = Deadline.after(_NAMES_SECONDS, self._asking.cancel), prologue(query)
        found = patterns(query)
        opened = [_opened(one, place) for place, one in enumerate(found)]
        compares = opened != found or any(token.keyword == "FILTER" for token in tokens(query))
        return compares and not self._holds(rendered(opened))

    def _with_known_terms(self, query: str, *, asks: bool) -> str:
        """The query without terms that the knowledge base does not hold, where there are near ones that it does."""
        for place in range(len(patterns(query))):
            if not self._deadline.remaining:
                break
            found = patterns(query)
            pattern = found[place]
            if pattern.object.kind == "string":
                query = self._with_known_string(query, pattern, asks)
            if pattern.predicate is not None and pattern.predicate.kind in {"iri", "name"}:
                query = self._with_known_relation(query, pattern.predicate)
        return query

    def _with_known_string(self, query: str, pattern: Pattern, asks: bool) -> str:
        value, path = pattern.object, "".join(token.text for token in pattern.path)
        if said_otherwise := self._said_otherwise(query, pattern):
            return said_otherwise
        if self._holds(f"?s {path} {value.text}"):
            return query
        suffixes = [value.written + suffix for suffix in self._suffixes]
        for text in suffixes:
            if self._holds(f"?s {path} {text}"):
                return replaced(query, value, text)
        if named := self._as_named_thing(query, pattern, suffixes):
            return named
        floor = _LIKE_NAME if pattern.is_naming else _LIKE_VALUE
        if asks:
            floor = _LIKE_VALUE if pattern.is_naming else _SAME
        candidates = self._names_like(value.value) if pattern.is_naming else self._values_like(query, pattern)
        for name in candidates:
            if _likeness(name, value.value) >= floor:
                for suffix in self._suffixes:
                    if self._holds(f"?s {path} {quoted(name)}{suffix}"):
                        return replaced(query, value, quoted(name) + suffix)
        return query

    def _said_otherwise(self, query: str, pattern: Pattern) -> str:
        """A thing told by a value where it has a name, or the other way round; empty where it is told as it has to be.

        What leads to the thing decides: `?x <capital> ?y . ?y <value> "Lima"` for `?y <name> "Lima"`.
        """
        leading = [one for one in patterns(query) if one.object.text == pattern.subject.text and _is_edge(one)][:1]
        if not leading or self._holds(rendered([*leading, pattern])):
            return ""
        for relation in self._saying:
            other = f"{rendered(leading)} . {pattern.subject.text} {relation} {pattern.object.text}"
            if relation != pattern.path[0].text and self._holds(other):
                return edited(query, [(pattern.path[0], relation)])
        return ""

    def _as_named_thing(self, query: str, pattern: Pattern, spellings: Sequence[str]) -> str:
        """A name that stands where the thing itself has to: `?x <capital> "Lima"`; empty where it is none."""
        for relation in self._relations:
            if not names_things(relation) or not pattern.predicate or pattern.predicate.text == relation:
                continue
            for text in spellings:
                if self._holds(f"?s {relation} {text}"):
                    if pattern.is_naming:
                        return replaced(query, pattern.predicate, relation)
                    there = next((p for p in patterns(query) if p.object.text == text and p.is_naming), None)
                    if there is not None:
                        return _with_object(query, pattern, there.subject.text, "")
                    return _with_object(query, pattern, "?named", f"?named {relation} {text} . ")
        return ""

    def _names_like(self, mention: str) -> list[str]:
        """Names of things that are called about so; none where that cannot be looked up in time."""
        seconds = min(_QUERY_SECONDS, self._deadline.remaining)
        try:
            entities = self._kb.link(mention, [], "", Deadline.after(seconds))[:_CANDIDATES] if seconds else []
        except KnowledgeBaseUnreachable:
            return []
        names = [name for entity in entities for name in (entity.name, *entity.aliases)]
        return sorted(dict.fromkeys(names), key=lambda name: -_likeness(name, mention))[: 2 * _CANDIDATES]

    def _values_like(self, query: str, pattern: Pattern) -> list[str]:
        """Values that stand in the place of the pattern's: with all of the query, else with what is next to it."""
        beside = [one for one in patterns(query) if pattern.subject.text in (one.object.text, one.subject.text)]
        for some in (patterns(query), beside):
            others = [one for one in some if one.path[0].start != pattern.path[0].start]
            opened = rendered([*others, pattern]).replace(f" {pattern.object.text}", " ?open")
            if values := self._open(opened):
                texts = dict.fromkeys(term.value for term in values)
                return sorted(texts, key=lambda text: -_likeness(text, pattern.object.value))[:_CANDIDATES]
        return []

    def _with_known_relation(self, query: str, relation: Token) -> str:
        if self._holds(f"?s {relation.text} ?o"):
            return query
        opened = rendered(patterns(replaced(query, relation, "?open")))
        names = [term for term in self._open(opened) if not names_things(term.value)]
        known = [f"<{term.value}>" for term in names] or [text for text in self._relations if not names_things(text)]
        likest = self._likest_relations(relation, known)
        return replaced(query, relation, likest[0][1]) if likest else query

    def _affirmed(self, attempt: Attempt, draft: str) -> Attempt:
        """A query that says yes to what one that says no was meant to ask; the attempt itself where there is none."""
        ran = self._asked_the_right_way(attempt)
        if ran.result.boolean is False:
            ran = self._spelled_its_way(ran)
        return self._claimed(ran, ran.query, draft) if ran.result.boolean is False else ran

    def _spelled_its_way(self, attempt: Attempt) -> Attempt:
        """A yes-or-no query with a value as the thing that is asked about has it: the other spelling is another's."""
        for pattern in patterns(attempt.query):
            if _says(pattern) and not pattern.is_naming:
                for value in self._values_like(attempt.query, pattern):
                    if _likeness(value, pattern.object.value) >= _SAME:
                        return self._run(replaced(attempt.query, pattern.object, quoted(value) + pattern.object.suffix))
        return attempt

    def _claimed(self, attempt: Attempt, *drafts: str) -> Attempt:
        """What one of the drafts may be meant to claim, where that is borne out by all that the question names."""
        for draft in dict.fromkeys(drafts):
            named = self._named(draft)
            for claim in claims(draft, list(chain.from_iterable(named))):
                others = [spellings for spellings in named if claim.value not in spellings]
                if len(named) - len(others) > 1:  # a title, which is the name as well
                    others.append([claim.value])
                joints = claim.joints(others, self._saying, self._rows) if others else []
                if len(joints) > 1 or any(joint.tells_apart for joint in joints):
                    return replace(self._run(self._prologue + claim.asking(joints)), other_relation=True)
        return attempt

    def _named(self, draft: str) -> list[list[str]]:
        """What the question names, each as queries may write it; not what the draft made up, nor a name of nothing."""
        named = []
        for one in patterns(draft):
            if _says(one) and name_key(one.object.value) in name_key(self._asking.question):
                spellings = [one.object.written + suffix for suffix in self._suffixes]
                known = [text for text in spellings if self._holds(f"?s ?p {text}")]
                if known or not one.is_naming:
                    named.append(known or spellings)
        return named + [self._spelled([said]) for said in self._asking.left_out(draft, self._codes)]

    def _asked_the_right_way(self, attempt: Attempt) -> Attempt:
        """A yes-or-no query whose edge holds the other way round only is asked that way."""
        for place, pattern in enumerate(patterns(attempt.query)):
            if not _is_edge(pattern) or self._edge_holds(attempt.query, place):
                continue
            turned = turned_round(attempt.query, pattern)
            if self._edge_holds(turned, place):
                return replace(self._run(turned), other_relation=True)
        return attempt

    def _edge_holds(self, query: str, place: int) -> bool:
        """Whether any such edge is there between what its ends are called."""
        found = patterns(query)
        ends = {found[place].subject.text, found[place].object.text}
        names = [one for one in found if one.subject.text in ends and one.is_naming]
        return self._holds(rendered([found[place], *names]))

    def _borne_out(self, attempt: Attempt) -> Attempt:
        """The nearest query that finds something; the attempt itself where none is near."""
        turned = [turned_round(attempt.query, edge) for edge in patterns(attempt.query) if _is_edge(edge)]
        core = core_of(attempt.query)
        # Either end may be meant: who was bought by a company is not what it bought.
        ways = [(self._run, query) for query in turned] + [(self._changed, attempt.query)]
        ways += [(self._changed, query) for query in turned] + [
            (way, core) for way in (self._run, self._changed) if core
        ]
        for way, query in ways:
            if (ran := way(query)).found:
                return replace(ran, other_relation=ran.other_relation or query != attempt.query)
        return attempt

    def _changed(self, query: str) -> Attempt:
        """The query with the likeliest change of one term that makes it find something.

        One that is unlike is a condition less.
        """
        for like, changed in sorted(self._changes(query), key=lambda change: -change[0])[:_CANDIDATES]:
            if (ran := self._run(changed)).found:
                return replace(ran, other_relation=like < _LIKE_NAME)
        return Attempt(query)

    def _stated(self, attempt: Attempt) -> Attempt:
        """What statements between two things that the question or the query names say of what the query asks of one;
        the attempt itself where they say nothing."""
        saying, asked = "|".join(self._saying), list(statements(attempt.query))
        spellings = self._spellings(attempt.query) if asked else []
        for statement in asked:
            rows = self._rows(statement.between(spellings, saying))
            said = [tuple(term for term in row if term is not None) for row in rows]
            if chosen := statement.chosen(said, when=self._when):
                ran = self._run(self._prologue + statement.asking(chosen, saying))
                return replace(ran, other_relation=True) if ran.found else attempt
        return attempt

    def _spellings(self, query: str) -> list[str]:
        """What the question and the query call things, as it may be written in the knowledge base."""
        question = self._asking.question
        known = names_in(question, [self._kb], Wording(()), self._deadline)  # common words too: two have to fit
        said = [*known, *anonymize(question, known).replaced.values()]
        return self._spelled([*said, *(one.object.value for one in patterns(query) if _says(one))])

    def _spelled(self, said: Sequence[str]) -> list[str]:
        """Names and values as they may be written in the knowledge base."""
        like = [name for mention in said for name in self._names_like(mention) if _likeness(name, mention) >= _SLIP]
        return [quoted(text) + suffix for text in dict.fromkeys([*said, *like]) for suffix in self._suffixes]

    def _changes(self, query: str) -> Iterator[tuple[float, str]]:
        """Queries with one term changed to what the rest of the query finds in its place, with their likeness."""
        found = patterns(query)
        for token in {one.object.text: one.object for one in found if one.object.kind == "string"}.values():
            naming = any(one.is_naming for one in found if one.object.text == token.text)
            made_up = not naming and self._said.isdisjoint(terms(token.value))
            floor = 0.0 if made_up else _LIKE_NAME if naming else _LIKE_VALUE
            for term in self._open(rendered(patterns(replaced(query, token, "?open")))):
                if (like := _likeness(term.value, token.value)) >= floor:
                    yield like, replaced(query, token, str(term))
        relations = [one for one in found if one.predicate and one.predicate.kind in {"iri", "name"}]
        for pattern in {one.path[0].text: one for one in relations if not one.is_naming}.values():
            relation = pattern.path[0]
            texts = [f"<{term.value}>" for term in self._open(rendered(patterns(replaced(query, relation, "?open"))))]
            told = [_is_told(end, found) for end in (pattern.subject, pattern.object)]
            floor = 0.0 if all(told) else _LIKE_RELATION
            for like, text in self._likest_relations(relation, texts, floor):
                yield like, replaced(query, relation, text)

    def _likest_relations(
        self, relation: Token, known: Sequence[str], floor: float = _LIKE_RELATION
    ) -> list[tuple[float, str]]:
        by_name = {_relation_name(text): text for text in reversed(known)}
        ranked = self._ranker.rank([Asked((name,), True) for name in by_name], [_relation_name(relation.text)])
        return [(like, by_name[asked.names[0]]) for like, asked in ranked if like >= floor]

    def _run(self, query: str) -> Attempt:
        seconds = min(_QUERY_SECONDS, self._deadline.remaining)
        try:
            return self._asking.run(query, seconds) if seconds else Attempt(query, error="There was no time left.")
        except KnowledgeBaseUnreachable as away:  # busy, or starting anew after a query that was ended
            return Attempt(query, error=str(away))

    def _open(self, group: str) -> list[Term]:
        """What stands where `?open` is; nothing where that cannot be looked up in time."""
        return [row[0] for row in self._rows(f"SELECT DISTINCT ?open WHERE {{ {group} }}") if row[0] is not None]

    def _rows(self, query: str) -> Sequence[Sequence[Term | None]]:
        """The first rows of a query without its prologue; none where it cannot be run in time."""
        return self._run(f"{self._prologue}{query} LIMIT {_OPEN_ROWS}").result.rows

    def _holds(self, group: str) -> bool:
        held, query = self._asking.held, f"{self._prologue}ASK {{ {group} }}"
        if query not in held:
            ran = self._run(query)
            if ran.error:  # what cannot be looked up is not to blame
                return True
            held[query] = bool(ran.result.boolean)
        return held[query]


def _opened(pattern: Pattern, place: int) -> Pattern:
    """The pattern with a variable for the value that it says; one that says a name stays."""
    if pattern.is_naming or pattern.object.kind not in {"string", "number"}:
        return pattern
    return replace(pattern, object=Token("variable", f"?open{place}", pattern.object.start))


def _is_edge(pattern: Pattern) -> bool:
    """Whether the pattern can stand the other way round."""
    named = pattern.predicate is not None and pattern.predicate.kind in {"iri", "name"} and not pattern.is_naming
    return named and pattern.subject.text != "[" and pattern.object.kind in {"variable", "iri", "name"}


def _naming(query: str) -> list[Pattern]:
    return [pattern for pattern in patterns(query) if pattern.is_naming and pattern.object.kind == "string"]


def _taken(before: str, after: str, slip: float) -> tuple[tuple[str, str], ...]:
    """The names that were replaced by others less alike than a slip, each with the likest new one."""
    old, new = ({pattern.object.value for pattern in _naming(query)} for query in (before, after))
    likest = ((name, max(old - new, key=lambda other: _likeness(name, other))) for name in new - old if old - new)
    return tuple(sorted((other, name) for name, other in likest if _likeness(name, other) < slip))


def _says(pattern: Pattern) -> bool:
    return pattern.object.kind == "string"


def _is_told(end: Token, found: Sequence[Pattern]) -> bool:
    """Whether the query says what this is: by a name, a value or an id."""
    if end.kind == "variable":
        return any(one.subject.text == end.text and one.object.kind == "string" for one in found)
    return end.text != "["


def _relations(query: str) -> set[frozenset[str]]:
    """What a query asks for, each relation as the stems of its words: "birth_place" is "place_of_birth"."""
    words = [token.text for pattern in patterns(query) for token in pattern.path if token.kind in {"iri", "name"}]
    return {frozenset(map(stem, terms(_relation_name(text)))) for text in words if not names_things(text)}


def _relation_name(text: str) -> str:
    return rdf.relation_name(text.strip("<>"))


def _likeness(one: str, other: str) -> float:
    """None between what has different figures: a day later is another day, and Apollo 13 another flight."""
    mine, its = ([float(figure) for figure in _FIGURE.findall(text)] for text in (one, other))
    return 0.0 if mine and its and mine != its else likeness(name_key(one), name_key(other)) / 100


def _with_object(query: str, pattern: Pattern, text: str, before: str) -> str:
    """The query with another object in the pattern, and what has to be said of it first in its group."""
    start = query.index("{") + 1
    changed = query[: pattern.object.start] + text + query[pattern.object.end :]
    return f"{changed[:start]} {before}{changed[start:]}" if before else changed
