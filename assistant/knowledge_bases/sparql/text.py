"""The text of a SPARQL query as tokens, and which queries may be run at all.

Keywords are told from what only looks like them (in comments, strings, IRIs and names) by the grammar's own terminals
(SPARQL 1.1, section 19.8), so that nothing hides from the check, and nothing harmless is taken for harm.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from assistant.errors import QueryRefused

Kind = Literal["iri", "name", "variable", "blank", "string", "number", "word", "mark"]

_TOKEN = re.compile(
    r"""
    (?P<space>[ \t\r\n]+|\#[^\r\n]*)
    |(?P<iri><[^<>"{}|^`\\\x00-\x20]*>)
    |(?P<string>(?P<written>\"{3}(?:[^"\\]|\\.|"(?!""))*\"{3}|'{3}(?:[^'\\]|\\.|'(?!''))*'{3}
               |"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*')
               (?:@[a-zA-Z]+(?:-[a-zA-Z0-9]+)*|\^\^(?:<[^<>"{}|^`\\\x00-\x20]*>|[\w.-]*:\w+))?)
    |(?P<variable>[?$]\w+)
    |(?P<blank>_:[\w.-]*\w)
    |(?P<name>(?:[^\W\d_](?:[\w.-]{0,99}[\w-])?)?:(?:(?:[\w:]|%[0-9A-Fa-f]{2}|\\[-_~.!$&'()*+,;=/?\#@%])
               (?:(?:[\w.:-]|%[0-9A-Fa-f]{2}|\\[-_~.!$&'()*+,;=/?\#@%])*(?:[\w:-]|%[0-9A-Fa-f]{2}
               |\\[-_~.!$&'()*+,;=/?\#@%]))?)?)
    |(?P<number>[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?)
    |(?P<word>@?[^\W\d_][\w-]*)
    |(?P<mark>\^\^|&&|\|\||<=|>=|!=|[{}()\[\].,;=<>!+*/|^?-])
    """,
    re.VERBOSE | re.DOTALL,
)
_FORMS = ("SELECT", "ASK")
# Oxigraph wants no space after a keyword ("trueSERVICE", "SERVICESILENT", "SERVICEa:b"), so that these are looked for
# within words and prefixes too.
_ELSEWHERE = re.compile("(SERVICE|^FROM)")
# In `FILTER(?a<1)SERVICE:x#>` services read a comparison where the grammar has an IRI. What is hidden so is followed by
# a bracket, which no IRI has, so that its end has to be hidden as well: by a comment or a string that begins in it.
_HIDES_ITS_END = re.compile("['#]")
_SCHEME = re.compile(r"<([a-z]\w*):(//)?", re.IGNORECASE)  # behind a prefix, services read no "//"
_CODEPOINT = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8}))")
MOST_CHARACTERS = 20_000  # of a query
_DEEPEST = 50  # brackets within brackets; parsers go down one step of their stack, and more, for each
_OPENING, _CLOSING = ("{", "(", "["), ("}", ")", "]")
_ESCAPES = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Token:
    """A terminal of the grammar, or a string with its language or datatype.

    It stands at `start` (included) to `end` (not included) of the query.
    """

    kind: Kind
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def keyword(self) -> str:
        """The word in capitals; empty for what is no word."""
        return self.text.upper() if self.kind == "word" else ""

    @property
    def value(self) -> str:
        """What a string says, or an IRI without its brackets."""
        if self.kind == "iri":
            return self.text[1:-1]
        if self.kind != "string":
            return self.text
        written = self.written
        quotes = 3 if written[:3] in {'"""', "'''"} else 1
        return _ESCAPE.sub(_unescaped, written[quotes:-quotes])

    @property
    def written(self) -> str:
        """A string in its quotes, without its language or datatype; any other token as it is."""
        match = _TOKEN.match(self.text)
        return match["written"] if match and match["written"] else self.text

    @property
    def suffix(self) -> str:
        """The language or datatype of a string, as it is written behind it."""
        return self.text[len(self.written) :]


def tokens(query: str) -> list[Token]:
    """The query's tokens, without comments and white space.

    Raises:
        QueryRefused: a character begins no token; or it is too long, or nested too deeply.
    """
    if len(query) > MOST_CHARACTERS:
        raise QueryRefused(f"The query has {len(query):,} characters, {MOST_CHARACTERS:,} are the most.")
    found: list[Token] = []
    at = depth = 0
    while at < len(query):
        match = _TOKEN.match(query, at)
        if match is None:
            raise QueryRefused(f"The query is not valid SPARQL at {query[at : at + 20]!r}.")
        kind = "string" if match["string"] else match.lastgroup
        if kind != "space":
            found.append(Token(kind, match[0], at))  # type: ignore[arg-type]  # the groups are the kinds
            depth += (match[0] in _OPENING) - (match[0] in _CLOSING)
            if depth > _DEEPEST:
                raise QueryRefused(f"The query is nested more than {_DEEPEST} levels deep: ask more simply.")
        at = match.end()
    return found


def check(query: str) -> None:
    """Let SELECT and ASK pass that ask nothing but the knowledge base itself.

    Some services read codepoint escapes before anything else, as section 19.2 has it, so that one ends a comment or a
    string; others leave them to strings. It has to pass either way.

    Raises:
        QueryRefused: the query is of another form, or reaches elsewhere; the message is one line.
    """
    for text in dict.fromkeys((query, _CODEPOINT.sub(_unescaped, query))):
        _check(tokens(text))


def _check(words: Sequence[Token]) -> None:
    form = next((token for token in _without_prologue(words)), None)
    if form is None or form.keyword not in _FORMS:
        raise QueryRefused(f"Only SELECT and ASK are allowed, not {form.text[:20] if form else 'an empty query'}.")
    for token in words:
        word = token.text.partition(":")[0] if token.kind == "name" else token.keyword
        _refuse(_ELSEWHERE.search(word.upper()))
    prefixes = {name.text[:-1] for word, name in pairwise(words) if word.keyword == "PREFIX"}
    for token in _without_prologue(words):
        if token.kind == "iri" and _HIDES_ITS_END.search(token.text):
            scheme = _SCHEME.match(token.text)
            if scheme is None or (scheme[1] in prefixes and not scheme[2]):
                raise QueryRefused(f"SERVICE is not allowed, and {token.text[:40]} may be a comparison that hides it.")


def _refuse(found: re.Match[str] | None) -> None:
    if found:
        raise QueryRefused(f"{found[1].upper()} is not allowed: a query may only ask the knowledge base itself.")


def edited(query: str, edits: Sequence[tuple[Token, str]]) -> str:
    """The query with each token replaced by another text."""
    for token, text in sorted(edits, key=lambda edit: -edit[0].start):
        query = query[: token.start] + text + query[token.end :]
    return query


def prologue(query: str) -> str:
    """What a query declares before it asks, as it is written.

    Raises:
        QueryRefused: the query cannot be read.
    """
    rest = _without_prologue(tokens(query))
    return query[: rest[0].start] if rest else query


def quoted(text: str) -> str:
    """The text as a string of SPARQL."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'"{escaped}"'


def _without_prologue(words: Sequence[Token]) -> Sequence[Token]:
    at = 0
    while at < len(words) and (width := {"PREFIX": 3, "BASE": 2}.get(words[at].keyword)):
        at += width
    return words[at:]


def _unescaped(match: re.Match[str]) -> str:
    if code := match[1] or match[2]:
        number = int(code, 16)
        return chr(number) if number < 0x110000 else "\N{REPLACEMENT CHARACTER}"
    return _ESCAPES.get(match[3], match[3])
