"""A document as it was kept, opened at what an answer cites: `/documents/p12`, or a fact's as `/documents/f3`.

Of a PDF or a picture, the page that is cited is shown as it looks, too: `/documents/p12/page`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import islice
from urllib.parse import quote, urlencode

import fastapi
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, Response

from assistant.answering.units import sentences as with_citations
from assistant.citations import cited
from assistant.knowledge_bases.personal import remembered_as
from assistant.messages import spoken, tell
from assistant.settings import DEFAULT_USER
from assistant.types import Evidence
from memory.errors import NothingThere
from memory.folding import last_heading, terms
from memory.passages import PARAGRAPHS_APART, sentences
from memory.records.keys import FACT
from memory.records.library import CHAT
from memory.speakers import above
from memory.store import Memory
from memory.types import Passage, Source, Span
from memory.user_memory import UserMemory
from ui.security import refused

_LONGEST_MARK = 600  # characters
_UNSTORED = {"Cache-Control": "no-store"}
_AROUND = 40  # passages before the place, and as many behind it
_PAGE = """<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<link rel="stylesheet" href="/lorekeeper/reading.css"><script src="/lorekeeper/reading.js"></script></head>
<body><header><h1 dir="auto">{title}</h1><p>{added}</p></header><main><div>{before}</div>
<section id="here">{here}</section>{image}<div>{behind}</div></main></body></html>"""
_IMAGE = '<figure><a href="{address}"><img src="{address}" alt="{alt}" loading="lazy"></a></figure>'


class Reading:
    """The route that shows documents to whoever is logged in."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def add_routes(self, app: fastapi.FastAPI) -> None:
        """Serve documents; to be called before Gradio's page is mounted."""
        app.add_api_route("/documents/{record}", self.show, methods=["GET"], response_model=None)
        app.add_api_route("/documents/{record}/page", self.show_page, methods=["GET"], response_model=None)

    async def show(self, request: fastapi.Request, record: str, said: str = "") -> Response:
        """The text around a passage or a fact; of a passage, what is `said` in it is marked."""
        try:
            html = await run_in_threadpool(_page, self._user(request), record, said)
        except NothingThere:
            return _not_there()
        return HTMLResponse(html, headers=_UNSTORED)

    async def show_page(self, request: fastapi.Request, record: str, said: str = "") -> Response:
        """The page that `show` marks something on as it looks, with that marked on it, too."""
        try:
            image = await run_in_threadpool(_image, self._user(request), record, said)
        except NothingThere:
            image = b""
        return Response(image, media_type="image/png", headers=_UNSTORED) if image else _not_there()

    def _user(self, request: fastapi.Request) -> UserMemory:
        return self._memory.of(request.scope.get("user") or DEFAULT_USER)


def _not_there() -> Response:
    return refused(404, tell("This is not remembered any more."))


def address(evidence: Evidence, answer: str) -> str:
    """Where a document that is evidence can be read, at the sentence of which an answer says most; empty for others."""
    fact_id, passage_id = remembered_as(evidence)
    if evidence.source in ("", CHAT) or not (fact_id or passage_id):
        return ""
    if fact_id:
        return f"/documents/{fact_id}#here"
    said = _best(evidence.text or evidence.object, _citing(answer, evidence.id))[:_LONGEST_MARK]
    return f"/documents/{passage_id}?{urlencode({'said': said})}#here"


def _citing(answer: str, number: int) -> str:
    """What an answer says with a citation of this number; all of it where none is."""
    said = [sentence for line in answer.splitlines() for sentence in with_citations(line)]
    return " ".join(sentence for sentence in said if number in cited(sentence)) or answer


def _best(text: str, said: str) -> str:
    """The sentence that shares most with what is said; the whole text where none shares anything."""
    wanted = set(terms(said))
    found = [text[span.start : span.end] for span in sentences(text, 0, len(text))]
    most, best = max(((len(wanted & set(terms(one))), one) for one in found), key=lambda pair: pair[0], default=(0, ""))
    return best if most else text


@dataclass(frozen=True, slots=True)
class _Place:
    """A source, its passages, the one that is opened, and what is marked in its text."""

    source: Source
    passages: Sequence[tuple[str, Passage]]
    opened: int
    marked: Span

    @property
    def said(self) -> str:
        """What is marked, as it stands there."""
        _, passage = self.passages[self.opened]
        return passage.text[self.marked.start - passage.span.start : self.marked.end - passage.span.start]

    @property
    def page(self) -> int:
        """The page that it stands on, from 1; what a file says of itself, and a picture, stand on the first."""
        return self.passages[self.opened][1].page or 1


def _place(memory: UserMemory, record: str, said: str) -> _Place:
    """Where a record stands. Raises NothingThere: it is none, or of no document."""
    if record.startswith(FACT):
        facts = memory.facts_with_ids([record])
        if not facts:
            raise NothingThere("There is nothing with the id {id}.", id=record)
        source = memory.source(facts[0].source_id)
        passages = memory.passages(source.id)
        within = [number for number, (_, part) in enumerate(passages) if part.span.start <= facts[0].span.start]
        place = _Place(source, passages, within[-1] if within else 0, facts[0].span)
    else:
        source = memory.source_of_passage(record)
        passages = memory.passages(source.id)
        opened = next((number for number, (id_, _) in enumerate(passages) if id_ == record), None)
        if opened is None:  # it was forgotten just now
            raise NothingThere("There is nothing with the id {id}.", id=record)
        place = _said_in(source, passages, opened, said)
    if place.source.kind == CHAT:
        raise NothingThere("There is nothing with the id {id}.", id=record)
    return place


def _said_in(source: Source, passages: Sequence[tuple[str, Passage]], opened: int, said: str) -> _Place:
    """The place of what is said in the passage that is opened or in those behind it, wherever lines end in it."""
    wanted = re.compile(r"\s+".join(map(re.escape, said.split())))
    for number, (_, passage) in islice(enumerate(passages), opened, opened + _AROUND if said else opened):
        if match := wanted.search(passage.text):
            start = passage.span.start
            return _Place(source, passages, number, Span(start + match.start(), start + match.end()))
    begin = passages[opened][1].span.start
    return _Place(source, passages, opened, Span(begin, begin))


def _page(memory: UserMemory, record: str, said: str) -> str:
    place = _place(memory, record, said)
    first, last = max(0, place.opened - _AROUND), min(len(place.passages), place.opened + _AROUND + 1)
    parts = list(_parts(place, first, last))
    own = place.opened - first
    begins, here = parts[own]
    return _PAGE.format(
        language=spoken(),
        title=escape(place.source.name),
        added=tell("added on {day}", day=f"{place.source.added:%Y-%m-%d}"),
        before=_further(place, first - 1, tell("Earlier")) + "".join(map("".join, parts[:own])) + begins,
        here=here,
        image=_figure(memory, place, record, said),
        behind="".join(map("".join, parts[own + 1 :])) + _further(place, last, tell("Later")),
    )


def _figure(memory: UserMemory, place: _Place, record: str, said: str) -> str:
    """The image of the page; empty where its original is not kept."""
    if not memory.has_original(place.source.id):
        return ""
    address = f"/documents/{quote(record)}/page?{urlencode({'said': said})}"
    return _IMAGE.format(
        address=escape(address), alt=escape(tell("The page as it looks in {name}", name=place.source.name))
    )


def _image(memory: UserMemory, record: str, said: str) -> bytes:
    place = _place(memory, record, said)
    return memory.page_image(place.source.id, place.page, place.said)


def _further(place: _Place, number: int, words: str) -> str:
    """A link to what comes before or behind what is shown."""
    if not 0 <= number < len(place.passages):
        return ""
    return f'<p class="further"><a href="/documents/{place.passages[number][0]}#here">{words}</a></p>'


def _parts(place: _Place, first: int, last: int) -> Iterator[tuple[str, str]]:
    """Passages: the page and the heading that begin with each, and its paragraphs."""
    heading, page = "", 0
    for number in range(first, last):
        _, passage = place.passages[number]
        begins = ""
        if passage.page != page:
            page = passage.page
            begins += f'<p class="page">{tell("page {number}", number=page)}</p>' if page else ""
        upper = above(passage.heading)
        if upper and upper != above(heading):
            begins += f'<h2 dir="auto">{_last(upper)}</h2>'
        if passage.heading not in (heading, upper):
            begins += f'<h3 dir="auto">{_last(passage.heading)}</h3>'  # who speaks
        heading = passage.heading
        yield begins, _paragraphs(passage, place.marked)


def _last(heading: str) -> str:
    return escape(last_heading(heading))


def _paragraphs(passage: Passage, marked: Span) -> str:
    """A passage in paragraphs, with what is marked of it."""
    html, start = "", passage.span.start
    for paragraph in passage.text.split(PARAGRAPHS_APART):
        begin, end = (min(max(0, place - start), len(paragraph)) for place in (marked.start, marked.end))
        before, said, behind = (escape(part) for part in (paragraph[:begin], paragraph[begin:end], paragraph[end:]))
        html += f'<p dir="auto">{before}{f"<mark>{said}</mark>" if said else ""}{behind}</p>'
        start += len(paragraph) + len(PARAGRAPHS_APART)
    return html
