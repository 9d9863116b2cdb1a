"""SPARQL on a local store: queries that only read, and that reach nothing outside it."""

import re

from pyoxigraph import BlankNode, Literal, NamedNode, QueryBoolean, QuerySolutions, Store

from assistant.errors import QueryRefused
from assistant.knowledge_bases.base import QueryResult, Term

MAX_ROWS = 10_000
# What may hold the word SERVICE without being the keyword: strings, IRIs and comments.
_INERT = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"""'
    r"|'''(?:[^'\\]|\\.|'(?!''))*'''"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'(?:[^'\\\n]|\\.)*'"
    r'|<[^<>"{}|^`\\\s]*>'
    r"|\#[^\n]*",
    re.DOTALL,
)
_ESCAPED = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_SERVICE = re.compile(r"(?<![?$:\w-])SERVICE(?![\w:-])", re.IGNORECASE)


def run(store: Store, sparql: str) -> QueryResult:
    """The result of a SELECT or an ASK query, of `MAX_ROWS` rows at most.

    Oxigraph knows neither time-out nor cancel: what comes from a model belongs into a process that can be killed.

    Raises:
        QueryRefused: it is not valid, neither SELECT nor ASK, or has SERVICE, which would send it out of this machine.
    """
    if asks_elsewhere(sparql):
        raise QueryRefused("SERVICE is not allowed: a query may only ask the knowledge base itself.")
    try:
        found = store.query(sparql)
    except (SyntaxError, ValueError) as error:
        raise QueryRefused(f"The query is not valid SPARQL: {getattr(error, 'msg', error)}") from error
    if isinstance(found, QueryBoolean):
        return QueryResult(boolean=bool(found))
    if not isinstance(found, QuerySolutions):
        raise QueryRefused("Only SELECT and ASK are allowed.")
    return result_of(found)


def asks_elsewhere(sparql: str) -> bool:
    """Whether the query has the keyword SERVICE, also where its letters are written as escapes."""
    written = _ESCAPED.sub(lambda match: _character(match[1] or match[2]), sparql)
    return bool(_SERVICE.search(_INERT.sub(" ", sparql)) or _SERVICE.search(_INERT.sub(" ", written)))


def result_of(solutions: QuerySolutions) -> QueryResult:
    """At most `MAX_ROWS` solutions as rows."""
    variables = tuple(variable.value for variable in solutions.variables)
    rows: list[tuple[Term | None, ...]] = []
    for solution in solutions:
        rows.append(tuple(_term(solution[name]) for name in variables))
        if len(rows) == MAX_ROWS:
            break
    return QueryResult(variables, tuple(rows))


def _term(value: object) -> Term | None:
    return value if isinstance(value, NamedNode | BlankNode | Literal) else None


def _character(code: str) -> str:
    number = int(code, 16)
    return chr(number) if number < 0x110000 else ""
