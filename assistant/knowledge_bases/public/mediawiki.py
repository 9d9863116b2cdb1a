"""The MediaWiki action API, which Wikipedia and Wikidata share: its errors, and its empty maps.

https://www.mediawiki.org/wiki/API:Errors_and_warnings: an error comes with status 200 and an object `error`.
"""

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator

from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.public.replies import read
from assistant.knowledge_bases.web.http import Http

_Value = TypeVar("_Value")
_Form = TypeVar("_Form", bound=BaseModel)

# PHP writes an empty map as an empty list.
Map = Annotated[dict[str, _Value], BeforeValidator(lambda value: value or {})]


def ask(
    http: Http, address: str, params: Mapping[str, str | int], form: type[_Form], deadline: Deadline, *, kb: str
) -> _Form:
    """The reply of the API at `address`.

    Raises:
        KnowledgeBaseUnreachable: no answer, an error in it, or one of another form.
    """
    reader = partial(read, form, kb=kb, complaint=_error_in)
    return http.get_json(address, {**params, "format": "json"}, deadline, kb, reader)


def _error_in(reply: Any) -> str:
    if not isinstance(reply, dict):
        return "its reply is not an object."
    error = reply.get("error") or {}
    return str(error.get("info") or error.get("code") or "") if isinstance(error, dict) else str(error)
