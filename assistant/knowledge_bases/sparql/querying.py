"""SPARQL on a local store: queries that only read, and that reach nothing outside it."""

import textwrap

from pyoxigraph import BlankNode, Literal, NamedNode, QueryBoolean, QuerySolutions, Store

from assistant.errors import QueryRefused
from assistant.knowledge_bases.base import QueryResult, Term
from assistant.knowledge_bases.sparql.text import check

MAX_ROWS = 10_000
_MAX_CHARACTERS = 4_000_000
_CELL_CHARACTERS = 16  # that a cell weighs beside what it says
_REASON_CHARACTERS = 120  # the parser lists whatever could stand in a place


def run(store: Store, sparql: str) -> QueryResult:
    """The result of a SELECT or an ASK query, of `MAX_ROWS` rows at most.

    Oxigraph knows neither time-out nor cancel: what comes from a model belongs into a process that can be killed.

    Raises:
        QueryRefused: it is not valid, neither SELECT nor ASK, reaches out of this machine, or finds too much.
    """
    check(sparql)
    try:
        found = store.query(sparql)
    except (SyntaxError, ValueError) as error:
        reason = textwrap.shorten(str(getattr(error, "msg", error)), _REASON_CHARACTERS, placeholder=" …")
        raise QueryRefused(f"The query is not valid SPARQL: {reason}") from error
    except OSError as error:
        raise QueryRefused(f"The query could not be run: {error}") from error
    if isinstance(found, QueryBoolean):
        return QueryResult(boolean=bool(found))
    assert isinstance(found, QuerySolutions), "check lets SELECT and ASK pass only"
    return result_of(found)


def is_cut(result: QueryResult) -> bool:
    """Whether there are more rows than were read."""
    return len(result.rows) >= MAX_ROWS


def result_of(solutions: QuerySolutions) -> QueryResult:
    """At most `MAX_ROWS` solutions as rows.

    Raises:
        QueryRefused: they have more than four million characters; a cell counts for some even where it is empty.
    """
    variables = tuple(variable.value for variable in solutions.variables)
    rows: list[tuple[Term | None, ...]] = []
    characters = 0
    for solution in solutions:
        row = tuple(_term(solution[name]) for name in variables)
        characters += sum(map(_weight, row))
        if characters > _MAX_CHARACTERS:
            raise QueryRefused("The result is too large to be read: ask for less at once.")
        rows.append(row)
        if len(rows) == MAX_ROWS:
            break
    return QueryResult(variables, tuple(rows))


def _weight(term: Term | None) -> int:
    datatype = len(term.datatype.value) if isinstance(term, Literal) else 0
    return _CELL_CHARACTERS + (len(term.value) + datatype if term is not None else 0)


def _term(value: object) -> Term | None:
    return value if isinstance(value, NamedNode | BlankNode | Literal) else None
