"""The sources of an answer: one card for each piece of evidence, and the links that lead from [n] to its card."""

import re
from collections.abc import Sequence
from html import escape
from urllib.parse import urlsplit

from assistant.citations import cited
from assistant.messages import Phrase, tell
from assistant.messages.shared import SOURCES
from assistant.search.evidence import RESULT
from assistant.types import Evidence
from ui.markdown import Cite
from ui.reading import address
from ui.words import kb_heading, relation

_TEXT_LIMIT = 700
_UNCITED = Phrase("{n} finding, none cited", "{n} findings, none cited")


def card_id(key: str, number: int) -> str:
    """The id of the card of evidence `number` in the turn called `key`; unique on the page."""
    return f"e-{key}-{number}"


def linking(evidence: Sequence[Evidence], key: str) -> Cite:
    """What makes an answer's citations into links to its cards; one with a number without evidence stays as it is."""
    by_number = {e.id: e for e in evidence}

    def links(numbers: Sequence[int]) -> str:
        found = [by_number[number] for number in numbers if number in by_number]
        return "".join(map(link, found)) if len(found) == len(numbers) else ""

    def link(e: Evidence) -> str:
        return f'<a href="#{escape(card_id(key, e.id))}" title="{escape(_hint(e))}">{e.id}</a>'

    return links


def sources_html(evidence: Sequence[Evidence], answer: str, key: str) -> str:
    """A folded list of cards, those that the answer cites first; empty without evidence."""
    if not evidence:
        return ""
    numbers = set(cited(answer))
    used = [e for e in evidence if e.id in numbers]
    rest = [e for e in evidence if e.id not in numbers]
    title = tell(SOURCES, n=len(used)) if used else tell(_UNCITED, n=len(rest))
    cards = [_card(e, answer, key) for e in used]
    if used and rest:
        also = tell("Also found")
        cards.append(f'<p class="lk-also">{also}</p>')
    cards += [_card(e, answer, key) for e in rest]
    return (
        f'<details class="lk-fold lk-sources"><summary>{title}</summary>'
        f'<div class="lk-cards">{"".join(cards)}</div></details>'
    )


def _card(evidence: Evidence, answer: str, key: str) -> str:
    text = evidence.text if len(evidence.text) <= _TEXT_LIMIT else evidence.text[:_TEXT_LIMIT].rstrip() + " …"
    statement = " · ".join(part for part in (evidence.subject, relation(evidence)) if part)
    if evidence.relation == RESULT:
        statement = tell("What the search came to:")
    value = "" if evidence.object == evidence.text else evidence.object
    lines = [
        f'<p class="lk-origin"><span class="lk-number">{evidence.id}</span>{escape(kb_heading(evidence.kb))}</p>',
        f'<p class="lk-statement">{escape(statement)}{f" <b>{escape(value)}</b>" if value else ""}</p>',
    ]
    if text and text != value:
        lines.append(f"<blockquote>{escape(text)}</blockquote>")
    lines.append(_origin(evidence, answer))
    label = escape(_name(evidence), quote=True)
    return (
        f'<article class="lk-card" id="{escape(card_id(key, evidence.id), quote=True)}" tabindex="-1" '
        f'aria-label="{label}">{"".join(lines)}</article>'
    )


def _origin(evidence: Evidence, answer: str) -> str:
    page = tell("page {number}", number=evidence.page) if evidence.page else ""
    where = (evidence.source if evidence.source != evidence.kb else "", evidence.heading, page)
    source = "".join(f"<span>{escape(part)}</span>" for part in where if part)
    link = ""
    if own := address(evidence, answer):
        link = f'<a href="{escape(own, quote=True)}" target="_blank">{tell("Open at this place")}</a>'
    elif urlsplit(evidence.url).scheme in ("http", "https"):
        href = escape(evidence.url, quote=True)
        host = escape(urlsplit(evidence.url).netloc)
        words = tell("Open {site}", site=host)
        link = f'<a href="{href}" target="_blank" rel="noopener noreferrer">{words}</a>'
    return f"<footer>{source}{link}</footer>" if source or link else ""


def _name(evidence: Evidence) -> str:
    return tell("Source {number}", number=evidence.id)


def _hint(evidence: Evidence) -> str:
    words = f"{_name(evidence)}: {evidence.subject} {relation(evidence)}".strip()
    return re.sub(r'["\\<>&\[\]()\s]+', " ", words)[:80].strip()
