"""Documents, opened at what an answer cites."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from html import unescape

import fastapi
import pytest
from playwright.sync_api import Page, expect
from starlette.testclient import TestClient

from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.documents import Documents
from assistant.knowledge_bases.personal import evidence_of, fact_evidence
from assistant.knowledge_bases.tables import Tables
from assistant.types import Evidence
from memory.store import Memory
from memory.types import Recalled, Span
from memory.user_memory import UserMemory
from tests.memory.samples import read
from tests.ui.conftest import WHERE, Served, ask, settled
from ui.reading import Reading, address

Serve = Callable[..., Served]
Opened = Callable[[str], str]

LEASE = "# The harbour flat\n\nThe rent is 920 euros.\n\nPets <b>need</b> consent. Notice takes three months."
ROWS = "".join(
    f"\n\nDay {day}: the boat lay in harbour {day}. " + "It rained, and nobody rowed. " * 25 for day in range(150)
)


@pytest.fixture
def me(memory: Memory) -> UserMemory:
    return memory.of("me")


@pytest.fixture
def opened(memory: Memory) -> Iterator[Callable[[str], str]]:
    """`opened(path)` is the page at that path; empty where there is none."""
    app = fastapi.FastAPI()
    Reading(memory).add_routes(app)
    with TestClient(app) as client:

        def get(path: str) -> str:
            response = client.get(path)
            return response.text if response.status_code == 200 else ""

        yield get


def marked(html: str) -> list[str]:
    return [unescape(said) for said in re.findall("<mark>(.*?)</mark>", html, re.DOTALL)]


def passage(me: UserMemory, words: str, name: str) -> Evidence:
    found = next(hit for hit in me.recall(words) if hit.source == name and hit.fact is None and words in hit.text)
    return evidence_of(found)


def test_the_sentence_that_an_answer_says_is_marked(me: UserMemory, opened: Opened) -> None:
    me.add_document("lease.md", LEASE.encode())
    cited = passage(me, "Notice", "lease.md")
    html = opened(address(cited, "Pets are another thing. The notice is three months [0]."))
    assert marked(html) == ["Notice takes three months."]
    assert '<h2 dir="auto">The harbour flat</h2>' in html
    assert "Pets &lt;b&gt;need&lt;/b&gt; consent." in html
    assert marked(opened(address(cited, "Yes."))) == cited.text.split("\n\n")


def test_the_row_of_a_table_is_marked(me: UserMemory, opened: Opened) -> None:
    me.add_document("boats.csv", b"Boat,Harbour,Berths\nSkua,Vik,4\nTern,Moss,6\nAuk,Lund,2\n")
    tables = Tables(me)
    (auk,) = tables.link("Auk", [], "", Deadline.after(9))
    triple = tables.triples(auk, "out", 9, Deadline.after(9))[0]
    found = Evidence(
        1, "tables", "Auk", triple.relation, triple.object, text=triple.text, url=triple.url, source="boats.csv"
    )
    assert marked(opened(address(found, "The Auk lies in Lund [1]."))) == ["Boat: Auk; Harbour: Lund; Berths: 2"]


def test_what_a_part_of_a_document_says_is_marked(me: UserMemory, opened: Opened) -> None:
    me.add_document(
        "rules.md", b"# Rules\n\n## Fee\n\nPay in May.\n\n## Notice\n\nNotice takes three months. Be kind.\n"
    )
    documents = Documents(me)
    (rules,) = documents.link("rules", [], "", Deadline.after(9))
    parts = documents.triples(rules, "out", 99, Deadline.after(9))
    (part,) = [triple for triple in parts if triple.relation == "Notice"]
    found = Evidence(1, "documents", "rules.md", part.relation, part.object, url=part.url, source="rules.md")
    assert marked(opened(address(found, "The notice is three months [1]."))) == ["Notice takes three months."]


def test_what_is_said_further_on_is_opened_there_wherever_its_lines_end(me: UserMemory, opened: Opened) -> None:
    rows = " ".join(f"Rule {number} is about buoys and lamps and ropes." for number in range(60))
    me.add_document("rules.md", f"# Rules\n\n{rows}\n\n- Rest is\n  seven weeks.\n".encode())
    (source,) = me.sources()
    (first, _), *_ = me.passages(source.id)
    found = Evidence(1, "documents", "rules.md", "Rules", "Rest is seven weeks.", url=f"/x/{first}", source="rules.md")
    url = replace(found, url=passage(me, "Rule 0", "rules.md").url)
    assert "".join(marked(opened(address(url, "Seven weeks [1].")))).split() == ["Rest", "is", "seven", "weeks."]


@pytest.mark.parametrize(
    "answer", ["Pets need it. [2] Notice takes three months. [1]", "宠物需要同意。[2] Notice: three months。[1]"]
)
def test_a_citation_behind_the_full_stop_is_of_the_sentence_before(me: UserMemory, opened: Opened, answer: str) -> None:
    me.add_document("lease.md", LEASE.encode())
    cited = replace(passage(me, "Notice", "lease.md"), id=1)
    assert marked(opened(address(cited, answer))) == ["Notice takes three months."]


def test_a_fact_is_marked_where_it_was_read(me: UserMemory, opened: Opened) -> None:
    text = "The Skua lies in Vik. She has four berths."
    source = me.add_document("boats.txt", text.encode())
    ((passage_id, _),) = me.passages(source.id)
    (fact,) = me.store(source.id, passage_id, read(text, ("Skua", "lies in", "Vik"))).added
    assert marked(opened(address(fact_evidence(fact), ""))) == [fact.text]


def test_a_long_document_is_shown_in_parts(me: UserMemory, opened: Opened) -> None:
    source = me.add_document("log.txt", ROWS.encode())
    passages = me.passages(source.id)
    middle = passages[len(passages) // 2][0]
    html = opened(f"/documents/{middle}")
    assert 'id="here"' in html and len(html) < len(ROWS)
    further = re.findall('class="further"><a href="(.*?)"', html)
    assert len(further) == 2
    for path in further:
        html = opened(path)
        assert "Day " in html and marked(html) == []


def test_what_is_forgotten_or_no_document_is_not_shown(me: UserMemory, opened: Opened) -> None:
    source = me.add_document("lease.md", LEASE.encode())
    path = address(passage(me, "Notice", "lease.md"), "")
    said, _ = me.note("My boat is the Auk.", read("My boat is the Auk."))
    me.forget(source=source.id)
    for gone in (path, f"/documents/{me.passages(said.id)[0][0]}", "/documents/p0", "/documents/f99", "/documents/x"):
        assert opened(gone) == ""


def test_what_is_no_document_has_no_address() -> None:
    hit = Recalled("I live in Bern.", "s1", "chat", Span(0, 15), 1.0)
    assert address(evidence_of(hit), "Bern") == ""
    assert address(Evidence(1, "world", "Kenya", "capital", "Nairobi", url="https://example.org"), "Nairobi") == ""


def test_a_card_opens_the_document_in_a_tab_of_its_own(
    serve: Serve, visit: Callable[..., Page], shot: Callable[[Page, str], None]
) -> None:
    served = serve()
    served.assistant.memory.of("me").add_document("log.txt", (ROWS + "\n\nMira Solveig lives in Tromsø.").encode())
    page = visit(served)
    ask(page, WHERE)
    settled(page)
    page.locator(".lk-sources summary").click()
    with page.expect_popup() as popup:
        page.get_by_text("Open at this place").first.click()
    document = popup.value
    expect(document.locator("mark")).to_have_text("Mira Solveig lives in Tromsø.")
    expect(document.locator("mark")).to_be_in_viewport()
    shot(document, "document")
