"""Replies of public knowledge bases, checked before anything is read out of them."""

from typing import TypeVar

from pydantic import BaseModel, ValidationError

from assistant.errors import KnowledgeBaseUnreachable

_Form = TypeVar("_Form", bound=BaseModel)


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
