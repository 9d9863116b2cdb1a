"""A SPARQL service over a store in memory, which answers by the SPARQL 1.1 Protocol."""

from collections.abc import Callable

from pyoxigraph import QueryResultsFormat, QuerySolutions, RdfFormat, Store

from tests.assistant.knowledge_bases.loopback import Reply


def serving(turtle: str) -> Callable[[dict[str, str]], Reply]:
    """What a service over these triples would say."""
    store = Store()
    store.load(turtle.encode(), format=RdfFormat.TURTLE)

    def answer(asked: dict[str, str]) -> Reply:
        try:
            found = store.query(asked["query"])
        except SyntaxError as error:
            return Reply(f"{error.msg}\nat some place".encode(), status=400)
        assert not isinstance(found, QuerySolutions) or found.variables
        body = found.serialize(format=QueryResultsFormat.JSON)
        assert body is not None
        return Reply(body, headers={"Content-Type": "application/sparql-results+json"})

    return answer
