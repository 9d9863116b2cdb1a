"""The MediaWiki action API, which Wikipedia and Wikidata share: its errors, and its empty maps.

https://www.mediawiki.org/wiki/API:Errors_and_warnings: an error comes with status 200 and an object `error`.
"""

from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator

from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.http import Http

_Value = TypeVar("_Value")

# PHP writes an empty map as an empty list.
Map = Annotated[dict[str, _Value], BeforeValidator(lambda value: value or {})]


def ask(http: Http, address: str, params: Mapping[str, str | int], deadline: Deadline, kb: str) -> dict[str, Any]:
    """The reply of the API at `address`.

    Raises:
        KnowledgeBaseUnreachable: no answer, or an error in it.
    """
    reply: dict[str, Any] = http.get_json(address, {**params, "format": "json"}, deadline, kb, complaint=_error_in)
    return reply


def _error_in(reply: Any) -> str:
    if not isinstance(reply, dict):
        return "its reply is not an object."
    error = reply.get("error") or {}
    return str(error.get("info") or error.get("code") or "") if isinstance(error, dict) else str(error)
