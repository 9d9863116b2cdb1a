"""The SPARQL 1.1 Protocol: a query over HTTP, its results as JSON.

https://www.w3.org/TR/sparql11-protocol/ and https://www.w3.org/TR/sparql11-results-json/
"""

import json
from functools import partial

from pyoxigraph import QueryBoolean, QueryResultsFormat, QuerySolutions, parse_query_results

from assistant.errors import KnowledgeBaseUnreachable, QueryRefused
from assistant.knowledge_bases.base import Deadline, QueryResult
from assistant.knowledge_bases.sparql.querying import result_of
from assistant.knowledge_bases.web.http import BadRequest, Http


def ask(
    http: Http, address: str, sparql: str, deadline: Deadline, kb: str, *, fresh: bool = False, costly: bool = False
) -> QueryResult:
    """The result of a SELECT or an ASK query at the service whose address is `address`; a `fresh` one is not kept.

    A `costly` one was written by others, and may be more than the service can do (see `Http.get_json`).

    Raises:
        QueryRefused: the service says that the query is wrong, or cannot do what is `costly`.
        KnowledgeBaseUnreachable: there is no usable answer in time.
    """
    try:
        return http.get_json(address, {"query": sparql}, deadline, kb, partial(_read, kb), fresh=fresh, costly=costly)
    except BadRequest as refusal:
        raise QueryRefused(f"{kb} refuses the query: {refusal.said}") from refusal


def _read(kb: str, reply: object) -> QueryResult:
    try:
        found = parse_query_results(json.dumps(reply), format=QueryResultsFormat.JSON)
        if isinstance(found, QueryBoolean):
            return QueryResult(boolean=bool(found))
        assert isinstance(found, QuerySolutions), "results are one of the two"
        return result_of(found)
    except (SyntaxError, ValueError) as error:
        raise KnowledgeBaseUnreachable(kb, f"{kb} sent a reply that is not the result of a query.") from error
