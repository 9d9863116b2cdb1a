"""The triple patterns of a SPARQL query, each end a token of its text, so that it can be changed there."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from assistant.knowledge_bases.sparql.text import Token, edited, tokens

# What may stand before a group or a clause and is no triple.
_SKIPPED_WITH_BRACKETS = {"FILTER", "BIND", "HAVING"}
_NAMING = {"name", "label", "preflabel"}  # local names
_TERMS = {"iri", "name", "variable", "blank", "string", "number"}


@dataclass(frozen=True, slots=True)
class Pattern:
    """One triple pattern; `path` is its predicate, of several tokens where it is a property path.

    A blank node in brackets is its opening bracket.
    """

    subject: Token
    path: tuple[Token, ...]
    object: Token

    @property
    def predicate(self) -> Token | None:
        """The one token of its predicate; None for a path."""
        return self.path[0] if len(self.path) == 1 else None

    @property
    def is_naming(self) -> bool:
        """Whether it says what something is called."""
        return self.predicate is not None and names_things(self.predicate.text)


def patterns(query: str) -> list[Pattern]:
    """The triple patterns of the query's groups, in the order of the text.

    What is no triple (filters, values, projections, solution modifiers) is passed over.

    Raises:
        QueryRefused: the query cannot be read.
    """
    return _Reader(tokens(query)).read()


class _Reader:
    """One pass over the tokens; `_at` is the next one."""

    def __init__(self, words: Sequence[Token]) -> None:
        self._words = words
        self._at = 0
        self._found: list[Pattern] = []

    def read(self) -> list[Pattern]:
        depth = 0
        while token := self._next():
            if token.text == "{":
                depth += 1
            elif token.text == "}":
                depth -= 1
            elif depth and token.keyword == "SELECT":
                self._skip_to("{")
            elif depth and token.keyword == "VALUES":
                self._skip_to("{")
                self._next()
                self._skip_to("}")
                self._next()
            elif depth and token.keyword in _SKIPPED_WITH_BRACKETS:
                self._skip_condition()
            elif depth and token.keyword == "GRAPH":
                self._next()
            elif depth and self._is_term(token):
                self._at -= 1
                self._read_subject()
        return sorted(self._found, key=lambda pattern: pattern.path[0].start)

    def _read_subject(self) -> None:
        subject = self._read_term()
        if subject is not None:
            self._read_properties(subject)

    def _read_properties(self, subject: Token) -> None:
        """`predicate object, object; predicate object`, up to what ends it."""
        while path := self._read_path():
            while (value := self._read_term()) is not None:
                self._found.append(Pattern(subject, path, value))
                if self._peek() != ",":
                    break
                self._next()
            if self._peek() != ";":
                return
            while self._peek() == ";":
                self._next()

    def _read_path(self) -> tuple[Token, ...]:
        """A verb: one term, `a`, or a property path with its operators."""
        start = self._at
        expects_term = True
        while token := self._token():
            if token.text == "(":
                self._skip_brackets()
                expects_term = False
            elif token.text in {"^", "!"} and expects_term:
                self._next()
            elif expects_term and (token.kind in {"iri", "name", "variable"} or token.text == "a"):
                self._next()
                expects_term = False
            elif not expects_term and token.text in {"/", "|"}:
                self._next()
                expects_term = True
            elif not expects_term and token.text in {"*", "+", "?"}:
                self._next()
            else:
                break
        return tuple(self._words[start : self._at])

    def _read_term(self) -> Token | None:
        token = self._token()
        if token is None or not self._is_term(token):
            return None
        self._next()
        if token.text == "[":
            self._read_properties(token)
            if self._peek() == "]":
                self._next()
        elif token.text == "(":
            self._at -= 1
            self._skip_brackets()
        elif token.text in {"-", "+"}:
            return self._next()
        return token

    def _is_term(self, token: Token) -> bool:
        return token.kind in _TERMS or token.text in {"[", "(", "-", "+"} or token.keyword in {"TRUE", "FALSE"}

    def _skip_condition(self) -> None:
        """What a FILTER or BIND holds; the group of NOT EXISTS is read like any other."""
        while (token := self._token()) and token.kind in {"word", "name", "iri"} and token.text != "{":
            self._next()
        if self._peek() == "(":
            self._skip_brackets()

    def _skip_brackets(self) -> None:
        depth = 0
        while token := self._next():
            depth += {"(": 1, ")": -1}.get(token.text, 0)
            if depth == 0:
                return

    def _skip_to(self, text: str) -> None:
        while (token := self._token()) and token.text != text:
            self._next()

    def _token(self) -> Token | None:
        return self._words[self._at] if self._at < len(self._words) else None

    def _peek(self) -> str:
        token = self._token()
        return token.text if token else ""

    def _next(self) -> Token | None:
        token = self._token()
        self._at += 1
        return token


def listed(query: str) -> list[tuple[Token, Token]]:
    """The strings that VALUES gives to a variable, each with it."""
    found: list[tuple[Token, Token]] = []
    variable: Token | None = None
    for before, token in pairwise(tokens(query)):
        if before.keyword == "VALUES":
            variable = token if token.kind == "variable" else None
        elif token.text == "}":
            variable = None
        elif variable is not None and token.kind == "string":
            found.append((variable, token))
    return found


def names_things(predicate: str) -> bool:
    """Whether a predicate, as it is written in a query, gives things their names."""
    return re.split(r"[#/:]", predicate.strip("<>"))[-1].lower() in _NAMING


def rendered(found: Sequence[Pattern]) -> str:
    """The patterns as the inside of a group."""
    return " . ".join(
        f"{_written(pattern.subject)} {''.join(token.text for token in pattern.path)} {_written(pattern.object)}"
        for pattern in found
    )


def core_of(query: str) -> str:
    """The query without the conditions that say more of things which it names anyway.

    Empty where there are none, or where what is left would not say what things it is about.
    """
    start, end = query.find("{"), query.rfind("}")
    words = tokens(query)
    asked = {token.text for token in words if token.kind == "variable" and token.start < start}
    if not asked or any(token.text in {"{", "("} or token.keyword for token in words if token.start > start):
        return ""
    found = patterns(query)
    saying = [one for one in found if one.object.kind == "string" and one.subject.kind == "variable"]
    told = {one.subject.text for one in saying}
    used = Counter(end.text for one in found for end in (one.subject, one.object) if end.kind == "variable")
    told |= {name for name, times in used.items() if times == 1} - asked  # what is there at all says no more
    kept = [one for one in found if one not in saying and not {one.subject.text, one.object.text} <= told]
    needed = {end.text for one in kept for end in (one.subject, one.object)}
    kept += [one for one in saying if one.subject.text in needed]
    if len(kept) == len(found) or not asked <= needed:
        return ""
    return f"{query[: start + 1]} {rendered(kept)} {query[end:]}"


def replaced(query: str, old: Token, new: str) -> str:
    """The query with `new` wherever `old` stands."""
    return edited(query, [(token, new) for token in tokens(query) if token.text == old.text])


def turned_round(query: str, pattern: Pattern) -> str:
    """The query with the ends of the pattern swapped, also where a statement node says the same triple again."""
    found = patterns(query)
    ends = {pattern.subject.text: pattern.object.text, pattern.object.text: pattern.subject.text}
    edits = [(pattern.subject, pattern.object.text), (pattern.object, pattern.subject.text)]
    listed = [one for one in found if one.subject.start == pattern.subject.start]  # ?s p ?o ; q ?r
    if len(listed) > 1:
        if any(one.object.text in {"[", "("} for one in listed):
            return query  # one that says so much in one sentence is none that a model gets wrong by its direction alone
        swapped = [replace(one, subject=one.object, object=one.subject) if one == pattern else one for one in listed]
        start, end = pattern.subject.start, max(one.object.end for one in listed)
        edits = [(token, "") for token in tokens(query) if start < token.start < end]
        edits.append((pattern.subject, rendered(swapped)))
    stating = {
        one.subject.start for one in found if one.subject.text == "[" and one.object.text == pattern.path[0].text
    }
    edits += [
        (one.object, ends[one.object.text]) for one in found if one.subject.start in stating and one.object.text in ends
    ]
    return edited(query, edits)


def _written(end: Token) -> str:
    """A bracketed blank node as a variable of its own."""
    return f"?node{end.start}" if end.text == "[" else end.text
