"""Replies of public knowledge bases, checked before anything is read out of them."""

from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from assistant.errors import KnowledgeBaseUnreachable

_Form = TypeVar("_Form", bound=BaseModel)


def read(form: type[_Form], reply: object, kb: str, complaint: Callable[[Any], str]) -> _Form:
    """Check a reply against the form that its reader needs; `complaint` finds an error in it, or nothing.

    Raises:
        KnowledgeBaseUnreachable: it tells of an error, or is of another form.
    """
    if problem := complaint(reply):
        raise KnowledgeBaseUnreachable(kb, f"{kb} could not answer: {problem}")
    try:
        return form.model_validate(reply)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise KnowledgeBaseUnreachable(kb, f"{kb} sent a reply of another form than expected, at {where}.") from error
