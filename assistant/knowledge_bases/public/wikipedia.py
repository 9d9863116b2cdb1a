"""Wikipedia, in the edition of the question's language, through the package wikipedia-api over our own way out.

Without a contact only one request a second may be sent, so candidates are described many at a time: `link` costs two
requests, or four where the name leads to a disambiguation page.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import urlsplit

import wikipediaapi  # type: ignore[import-untyped]
from pydantic import BaseModel, model_validator

from assistant.knowledge_bases.base import Deadline, LinkPolicy, RelationPolicy
from assistant.knowledge_bases.public import mediawiki
from assistant.knowledge_bases.web.http import Http
from assistant.language import language_of
from assistant.types import Direction, Entity, Triple

_MAX_CANDIDATES = 20  # TextExtracts gives no more introductions at once
_MAX_HITS = 8
_MAX_SEARCHES = 3
_MAX_TITLE_BYTES = 255  # MediaWiki's own rule

# Chinese articles mix two scripts unless one is asked for.
_VARIANTS = {"zh": "zh-cn"}
_NO_TITLE = re.compile(r"[#<>\[\]{}|\x00-\x1f\x7f]")


class Wikipedia:
    """Articles as entities, by search, title and redirect; `address` is where the API of a language's edition is."""

    name = "wikipedia"
    languages: frozenset[str] = frozenset()
    public = True
    link_policy: LinkPolicy = "one"
    relation_policy: RelationPolicy = "best"

    def __init__(self, http: Http, address: str = "https://{language}.wikipedia.org/w/api.php") -> None:
        self._http = http
        self._address = address

    def link(self, mention: str, aliases: Sequence[str], question: str, deadline: Deadline) -> list[Entity]:
        """Articles called `mention` or an alias, then those that a search finds; a disambiguation page gives way to
        the articles that it lists."""
        names = list(dict.fromkeys(name for name in map(str.strip, (mention, *aliases)) if name))
        if not names:
            return []
        edition = self._edition(language_of(question or mention), deadline)
        pages = edition.describe([*filter(_may_be_title, names), *edition.first_hits(names[:_MAX_SEARCHES])])
        articles: list[_Page] = []
        for place, page in enumerate(pages):
            if not page.is_disambiguation:
                articles.append(page)
            elif not any(earlier.is_disambiguation for earlier in pages[:place]):
                listed = edition.describe(edition.listed_on(page))
                articles.extend(other for other in listed if not other.is_disambiguation)
        return [_entity(edition.language, page) for page in {page.title: page for page in articles}.values()]

    def entity_info(self, entity: Entity, deadline: Deadline) -> str:
        """The article's whole text, summary first: what is looked for may stand in its last section."""
        language, _, title = entity.id.partition(":")
        return str(self._edition(language, deadline).page(title).text)

    def triples(self, entity: Entity, direction: Direction, limit: int, deadline: Deadline) -> list[Triple]:  # noqa: ARG002
        """None: Wikipedia is text."""
        return []

    def _edition(self, language: str, deadline: Deadline) -> "_Edition":
        return _Edition(self._http, self._address.format(language=language), language, deadline)


class _Page(BaseModel):
    title: str
    ns: int = 0
    pageid: int = 0
    extract: str = ""
    canonicalurl: str = ""
    pageprops: mediawiki.Map[str] = {}
    asked_as: str = ""

    @property
    def is_disambiguation(self) -> bool:
        """By the property that the extension Disambiguator sets, which every edition has."""
        return "disambiguation" in self.pageprops


class _Hit(BaseModel):
    title: str


class _Query(BaseModel):
    """What was found, and which title led to which page."""

    search: list[_Hit] = []
    normalized: list[dict[str, Any]] = []
    converted: list[dict[str, Any]] = []
    redirects: list[dict[str, Any]] = []
    pages: mediawiki.Map[_Page] = {}

    def page_of(self, title: str) -> _Page | None:
        for step in (self.normalized, self.converted, self.redirects):
            title = next((str(rename["to"]) for rename in step if rename.get("from") == title), title)
        return next((page for page in self.pages.values() if page.title == title), None)


class _Reply(BaseModel):
    """What was asked for, and all of it as it came: the package reads that, and takes its form for granted."""

    query: _Query
    raw: dict[str, Any]

    @model_validator(mode="before")
    @classmethod
    def _keep(cls, reply: dict[str, Any]) -> dict[str, Any]:
        return {**reply, "raw": reply}


class _Edition(wikipediaapi.WikipediaResource, wikipediaapi.BaseHTTPClient):  # type: ignore[misc]
    """One edition for the length of one call; what the package asks goes through `Http`, by the call's deadline."""

    def __init__(self, http: Http, address: str, language: str, deadline: Deadline) -> None:
        super().__init__(
            user_agent="Lorekeeper",
            language=language,
            variant=_VARIANTS.get(language),
            extra_api_params={"converttitles": 1},
        )
        self._http = http
        self._address = address
        self._deadline = deadline
        http.allow(urlsplit(address).netloc)

    def first_hits(self, names: Iterable[str]) -> list[str]:
        """The titles that a search finds for the first name that it finds any for."""
        for name in names:
            if titles := list(self.search(name[:_MAX_TITLE_BYTES], limit=_MAX_HITS, what="text").pages):
                return titles
        return []

    def listed_on(self, page: _Page) -> list[str]:
        """The titles that a disambiguation page links to, those first that hold the name itself."""
        name = re.sub(r"\s*[(（][^)）]*[)）]$", "", page.title).casefold()
        titles = list(self.links(self.page(page.title), plnamespace=0))
        return sorted(titles, key=lambda title: name not in title.casefold())

    def describe(self, titles: Iterable[str]) -> list[_Page]:
        """The articles behind titles and redirects, each once, with its first sentence; unknown titles are left out."""
        asked = list(dict.fromkeys(titles))[:_MAX_CANDIDATES]
        if not asked:
            return []
        params = {
            "action": "query",
            "titles": "|".join(asked),
            "prop": "extracts|pageprops|info",
            "exintro": 1,
            "explaintext": 1,
            "exsentences": 1,
            "exlimit": _MAX_CANDIDATES,
            "ppprop": "disambiguation",
            "inprop": "url",
        }
        described = self._ask(self._construct_params_standalone(params)).query
        found: dict[str, _Page] = {}
        for title in asked:
            page = described.page_of(title)
            if page is not None and page.ns == 0 and page.pageid > 0:
                found.setdefault(page.title, page.model_copy(update={"asked_as": title}))
        return list(found.values())

    def _get(self, language: str, params: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002
        return self._ask(params).raw

    def _ask(self, params: dict[str, Any]) -> _Reply:
        self._deadline.check()  # the package asks on for as long as a reply says that there is more, kept ones too
        return mediawiki.ask(self._http, self._address, params, _Reply, self._deadline, kb=Wikipedia.name)


def _may_be_title(name: str) -> bool:
    return not _NO_TITLE.search(name) and len(name.encode()) <= _MAX_TITLE_BYTES


def _entity(language: str, page: _Page) -> Entity:
    return Entity(
        kb=Wikipedia.name,
        id=f"{language}:{page.title}",
        name=page.title,
        aliases=(page.asked_as,) if page.asked_as.casefold() != page.title.casefold() else (),
        description=page.extract.strip(),
        url=page.canonicalurl,
    )
