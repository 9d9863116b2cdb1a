"""The MediaWiki action API, which Wikipedia and Wikidata share: its errors, and replies of another form than promised.

https://www.mediawiki.org/wiki/API:Errors_and_warnings: an error comes with status 200 and an object `error`.
"""

from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ValidationError

from assistant.errors import KnowledgeBaseUnreachable
from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.http import Http

_Form = TypeVar("_Form", bound=BaseModel)
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


def read(form: type[_Form], reply: object, kb: str) -> _Form:
    """Check a reply against the form that its reader needs.

    Raises:
        KnowledgeBaseUnreachable: it is of another form.
    """
    try:
        return form.model_validate(reply)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise KnowledgeBaseUnreachable(kb, f"{kb} sent a reply of another form than expected, at {where}.") from error


def _error_in(reply: Any) -> str:
    if not isinstance(reply, dict):
        return "its reply is not an object."
    error = reply.get("error") or {}
    return str(error.get("info") or error.get("code") or "") if isinstance(error, dict) else str(error)
