"""What a question names, with its ids, for banks whose queries name things by IRIs."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from assistant.knowledge_bases.files.building import BANK, build
from assistant.knowledge_bases.files.formats import read_triples
from assistant.knowledge_bases.files.triples import Triples
from assistant.knowledge_bases.sparql.bank import read_bank
from assistant.search.examples import Example
from assistant.search.queries.topic_entities import linked, names_by_iri, with_topic_entities

BANKS = Path(__file__).parents[4] / "prompts" / "banks"
CHILE = "What is the capital of Chile?"
PERU = """
@prefix wd: <http://www.wikidata.org/entity/> . @prefix dbr: <http://dbpedia.org/resource/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
wd:Q419 rdfs:label "Peru"@en . wd:Q2868 rdfs:label "Lima"@en .
dbr:Republic_of_Peru rdfs:label "Republic of Peru"@en .
"""


def lc_quad(field: str, query: str) -> list[dict[str, str]]:
    return [{"question": CHILE, field: query}]


def qald(query: str) -> dict[str, Any]:
    return {"questions": [{"question": [{"language": "en", "string": CHILE}], "query": {"sparql": query}}]}


@pytest.mark.parametrize(
    ("published", "chile", "asked", "named"),
    [
        (lc_quad("sparql_wikidata", "select ?x where { wd:Q298 wdt:P36 ?x . }"), "wd:Q298", "Peru", "wd:Q419"),
        (
            lc_quad("sparql_query", "SELECT ?x { <http://dbpedia.org/resource/Chile> dbp:capital ?x }"),
            "<http://dbpedia.org/resource/Chile>",
            "Republic of Peru",
            "<http://dbpedia.org/resource/Republic_of_Peru>",
        ),
        (
            qald("PREFIX dbr: <http://dbpedia.org/resource/> SELECT ?x { ?y a dbo:State . dbr:Chile dbp:capital ?x }"),
            "dbr:Chile",
            "Republic of Peru",
            "dbr:Republic_of_Peru",
        ),
    ],
    ids=["LC-QuAD of Wikidata", "LC-QuAD of DBpedia", "QALD"],
)
def test_with_a_bank_as_published(tmp_path: Path, published: object, chile: str, asked: str, named: str) -> None:
    (tmp_path / "bank.json").write_text(json.dumps(published))
    (tmp_path / "peru.ttl").write_text(PERU)
    build(tmp_path / "kb", read_triples(tmp_path / "peru.ttl", "turtle"), "peru.ttl")
    (tmp_path / "kb" / BANK).write_text(read_bank(tmp_path / "bank.json").dump())
    bank = read_bank(tmp_path / "kb" / BANK)
    (pair,) = bank.pairs
    example = Example(pair.question, pair.sparql)
    assert names_by_iri(bank)
    assert with_topic_entities(example, bank).question == f"{CHILE}\nTopic Entity Id: {chile}"
    kb = Triples("countries", tmp_path / "kb")
    try:
        told = linked(f"What is the capital of {asked}?", kb, [example], bank, lambda _: None)
    finally:
        kb.close()
    assert told == f"What is the capital of {asked}?\nTopic Entity Id: {named} ({asked})"


@pytest.mark.parametrize(("name", "by_iri"), [("wikidata", True), ("world", False)])
def test_which_banks_name_things_by_iris(name: str, by_iri: bool) -> None:
    assert names_by_iri(read_bank(BANKS / f"{name}.jsonl")) == by_iri


def test_an_id_is_told_with_its_label() -> None:
    bank = read_bank(BANKS / "wikidata.jsonl")
    example = Example("Capital of Australia?", "SELECT ?x WHERE { wd:Q408 wdt:P36 ?x . }")
    assert with_topic_entities(example, bank).question.endswith("Topic Entity Id: wd:Q408 (Australia)")


@pytest.fixture
def countries(tmp_path: Path):
    (tmp_path / "some.nt").write_text(
        "".join(
            f'<http://x/{number}> <http://www.w3.org/2000/01/rdf-schema#label> "{name}" .\n'
            for number, name in enumerate(["Berlin", "法国", "Pride and Prejudice", "Pride", "Chile", "Peru"])
        )
    )
    build(tmp_path / "kb", read_triples(tmp_path / "some.nt", "ntriples"), "some.nt")
    kb = Triples("countries", tmp_path / "kb")
    yield kb
    kb.close()


@pytest.mark.parametrize(
    ("question", "names", "linked_names"),
    [
        ("who is the mayor of berlin", ("berlin",), ["Berlin"]),
        ("法国的首都是哪里？", ("法国",), ["法国"]),
        ("Who wrote Pride and Prejudice?", (), ["Pride and Prejudice"]),
        ("Do Chile and Peru touch?", (), ["Chile", "Peru"]),
    ],
)
def test_names_are_found_that_no_capital_shows_or_that_have_an_and(
    countries: Triples, question: str, names: tuple[str, ...], linked_names: list[str]
) -> None:
    bank = read_bank(BANKS / "wikidata.jsonl")
    example = Example("Capital of Australia?", "SELECT ?x WHERE { wd:Q408 wdt:P36 ?x . }")
    told = linked(question, countries, [example], bank, lambda _: None, names=names)
    assert re.findall(r"\((.*?)\)", told.partition("Topic Entity Id:")[2]) == linked_names
