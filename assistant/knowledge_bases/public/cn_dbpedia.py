"""CN-DBpedia, the Chinese knowledge base of KnowledGPT (section 4.1), through its public API.

http://shuyantech.com/docuapi documents `ment2ent` (a mention's entities), `avpair` (an entity's attributes and values)
and `value` (the values of one attribute). The service speaks plain HTTP only.
"""

import re
from collections.abc import Sequence
from functools import partial
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

from pydantic import BaseModel

from assistant.knowledge_bases.base import Deadline, LinkPolicy, RelationPolicy
from assistant.knowledge_bases.public.replies import read
from assistant.knowledge_bases.web.http import Http
from assistant.types import Direction, Entity, Triple

_Form = TypeVar("_Form", bound=BaseModel)

_MAX_SEARCHES = 3
_MAX_CANDIDATES = 20
_MAX_NAME_CHARACTERS = 100
_DESCRIPTION = "DESC"
# Attributes of the service's own making, by the word that a reader expects.
_READABLE = {"CATEGORY_ZH": "类别"}
_NAMESAKE = re.compile(r"^(.+?)[（(]([^（）()]+)[）)]$")
_TAG = re.compile(r"<[^<>]*>")


class CnDbpedia:
    """Entities by mention, attribute–value pairs as triples; `address` is where the API is.

    An entity's id is its name there, which tells namesakes apart in brackets: 红楼梦（中国古典四大名著之一）.
    """

    name = "cn-dbpedia"
    languages = frozenset({"zh"})
    public = True
    link_policy: LinkPolicy = "one"
    relation_policy: RelationPolicy = "best"

    def __init__(self, http: Http, address: str = "http://shuyantech.com/api/cndbpedia") -> None:
        self._http = http
        self._address = address
        http.allow(urlsplit(address).netloc, plain=True)

    def link(self, mention: str, aliases: Sequence[str], question: str, deadline: Deadline) -> list[Entity]:
        """The entities of the first name that the service knows, in its own order."""
        del question
        names = dict.fromkeys(name for name in map(str.strip, (mention, *aliases)) if name)
        for name in list(names)[:_MAX_SEARCHES]:
            reply = self._ask("ment2ent", {"q": name[:_MAX_NAME_CHARACTERS]}, _Entities, deadline)
            if known := list(dict.fromkeys(found for found in reply.ret if found.strip())):
                return [self._entity(found) for found in known[:_MAX_CANDIDATES]]
        return []

    def entity_info(self, entity: Entity, deadline: Deadline) -> str:
        """The first paragraph of its article, else what tells it from its namesakes."""
        described = [value for attribute, value in self._pairs(entity, deadline) if attribute == _DESCRIPTION]
        if not described:
            reply = self._ask("value", {"q": entity.id, "attr": _DESCRIPTION}, _Entities, deadline)
            described = [_TAG.sub("", text).strip() for text in reply.ret]
        return next(filter(None, described), entity.description)

    def triples(self, entity: Entity, direction: Direction, limit: int, deadline: Deadline) -> list[Triple]:
        """Its attributes; the API tells none of which it is the value, so "in" alone is empty."""
        if direction == "in":
            return []
        pairs = dict.fromkeys(pair for pair in self._pairs(entity, deadline) if all(pair) and pair[0] != _DESCRIPTION)
        return [
            Triple(
                entity.name,
                _READABLE.get(attribute, attribute),
                value,
                kb=self.name,
                subject_id=entity.id,
                url=self._page(entity.id),
            )
            for attribute, value in list(pairs)[:limit]
        ]

    def _pairs(self, entity: Entity, deadline: Deadline) -> list[tuple[str, str]]:
        """Attributes and values, without the links that some values are written with."""
        reply = self._ask("avpair", {"q": entity.id}, _Pairs, deadline)
        return [(attribute.strip(), _TAG.sub("", value).strip()) for attribute, value in reply.ret]

    def _entity(self, known_as: str) -> Entity:
        namesake = _NAMESAKE.match(known_as)
        name, description = namesake.groups() if namesake else (known_as, "")
        return Entity(self.name, known_as, name, description=description, url=self._page(known_as))

    def _page(self, known_as: str) -> str:
        return f"{self._address}/avpair?q={quote(known_as, safe='')}"

    def _ask(self, function: str, params: dict[str, str | int], form: type[_Form], deadline: Deadline) -> _Form:
        reader = partial(read, form, kb=self.name, complaint=_error_in)
        return self._http.get_json(f"{self._address}/{function}", params, deadline, self.name, reader)


class _Entities(BaseModel):
    ret: list[str]


class _Pairs(BaseModel):
    ret: list[tuple[str, str]]


def _error_in(reply: Any) -> str:
    """`status` is "ok", or "fail" with a reason that the documentation does not promise."""
    if not isinstance(reply, dict):
        return "its reply is not an object."
    return (
        "" if reply.get("status") == "ok" else str(reply.get("msg") or reply.get("message") or "it reports a failure.")
    )
