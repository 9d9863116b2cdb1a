"""Programs and queries that a user approved by a thumb up; they extend the banks of examples (ICSU's annotated pairs).

They are read from the thumbs themselves, so that one goes when its thumb is taken back, when its answer or conversation
is removed, and when everything is forgotten.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

import pydantic

from assistant.search.examples import Example
from assistant.search.programs.bank import named_in
from memory.store import Memory

_LATEST = 50  # those that count; embedding so many for the first question after a start takes a second


class _Approval(pydantic.BaseModel):
    """What of a thumb makes an example."""

    thumb: Literal["Like"]
    question: str
    strategy: str
    code: str = pydantic.Field(min_length=1)
    kb: str = ""
    at: datetime


class Approved:
    """The approved examples of each user."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def programs(self, user: str) -> list[Example]:
        """The latest programs that the user approved, latest first."""
        found = [one for one in self._approvals(user) if one.strategy == "program"]
        return [Example(one.question, one.code, names=named_in(one.code)) for one in found[:_LATEST]]

    def queries(self, user: str, kb: str) -> list[Example]:
        """The latest queries over the knowledge base `kb` that the user approved, latest first."""
        found = [one for one in self._approvals(user) if one.strategy == "sparql" and one.kb == kb]
        return [Example(one.question, one.code) for one in found[:_LATEST]]

    def _approvals(self, user: str) -> list[_Approval]:
        thumbs = [_read(thumb) for thumb in self._memory.of(user).sessions.all_thumbs()]
        return sorted((one for one in thumbs if one), key=lambda one: one.at, reverse=True)


def _read(thumb: Mapping[str, object]) -> _Approval | None:
    """The approval in a thumb; None for a thumb down, and where nothing was written for the answer."""
    try:
        return _Approval.model_validate(thumb)
    except pydantic.ValidationError:
        return None
