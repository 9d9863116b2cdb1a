"""The strategy `sparql` in whole turns: by commands, over a file and over the protocol."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app import execute
from assistant.commands.arguments import read
from assistant.commands.console import Console, exit_status
from assistant.knowledge_bases.sparql.bank import read_bank
from assistant.search.queries.banks import QueryBanks
from assistant.types import Turn
from tests.assistant.knowledge_bases.loopback import LoopbackServer
from tests.assistant.knowledge_bases.sparql.sparql_double import serving
from tests.assistant.search.queries.books import TRIPLES, bank_text

QUERY = 'SELECT ?x WHERE { ?a rdfs:label "Jane Austen"@en ; p:place_of_birth ?x . }'
NONE = QUERY.replace("Jane Austen", "Zoroaster")
SCRIPT = {"understand": ["en ask"], "sparql": [QUERY, NONE, NONE], "answer": ["She was born in Steventon [1]."]}


@pytest.fixture
def run(composed, tmp_path: Path):
    assistant = composed(SCRIPT)
    (tmp_path / "books.ttl").write_text(TRIPLES)
    (tmp_path / "bank.jsonl").write_text(bank_text())
    broken = '{"question": "Who?", "sparql": "DROP ALL"}\n'
    (tmp_path / "broken.jsonl").write_text(broken)
    (tmp_path / "half.jsonl").write_text(f"{bank_text()}\n{broken * 7}")

    def run(*arguments: str) -> tuple[int, str]:
        said: list[str] = []
        console = Console(said.append, said.append, folder=tmp_path)
        status = exit_status(lambda: execute(assistant, console, **read(arguments)), said.append, tmp_path / "log")
        return status, "".join(said)

    return run


def ask(run, *more: str) -> dict[str, object]:
    question = "Where did Jane Austen first see the light?"
    status, said = run("ask", question, "--kb", "books", *more, "--strategy", "sparql", "--json")
    assert status == 0, said
    return json.loads(said)


def test_over_a_file_with_a_bank(run) -> None:
    assert run("kb", "add", "books", "books.ttl", "--bank", "bank.jsonl")[0] == 0
    asked = ask(run)
    assert asked["strategy"] == "sparql"
    assert asked["query"] == QUERY
    assert asked["answer"] == "She was born in Steventon [2]."  # the triple, which has a source
    assert asked["grounded"]
    assert asked["unreachable"] == []


def test_the_vectors_of_a_bank_go_with_it(run, home: Path) -> None:
    assert run("kb", "add", "books", "books.ttl", "--bank", "bank.jsonl")[0] == 0
    ask(run)
    (kept,) = home.rglob("books/vectors.db")
    assert run("kb", "remove", "books")[0] == 0
    assert not kept.exists()


def test_the_query_that_is_told_is_the_one_that_found_something(run) -> None:
    for name in ("books", "more"):
        assert run("kb", "add", name, "books.ttl", "--bank", "bank.jsonl")[0] == 0
    assert ask(run, "--kb", "more")["query"] == QUERY


def test_it_is_told_with_the_knowledge_base_on_which_it_found_something(composed, tmp_path: Path) -> None:
    nameless = 'SELECT ?n WHERE { ?n p:publisher "John Murray" . }'
    assistant = composed({**SCRIPT, "sparql": [nameless, nameless, QUERY]})
    (tmp_path / "books.ttl").write_text(TRIPLES)
    (tmp_path / "bank.jsonl").write_text(bank_text())
    names = ("books", "more")
    for name in names:
        assistant.knowledge_bases.add(name, tmp_path / "books.ttl", bank=read_bank(tmp_path / "bank.jsonl"))
    question = "Where did Jane Austen first see the light?"
    turn = Turn(question, "me", "s", datetime.now(UTC), knowledge_bases=names, strategy="sparql")
    *_, answered = assistant.reply(turn)
    assert (answered.query, answered.query_kb) == (QUERY, "more")


def test_over_an_endpoint_with_the_same_bank(run) -> None:
    server = LoopbackServer()
    server.answer = serving(TRIPLES)
    try:
        assert run("kb", "add", "books", "--endpoint", server.url, "--bank", "bank.jsonl")[0] == 0
        assert ask(run)["grounded"]
    finally:
        server.close()


def test_a_bank_is_made_ready_only_where_something_may_ask_it(composed, tmp_path: Path, monkeypatch) -> None:
    made_ready: list[list[str]] = []
    monkeypatch.setattr(QueryBanks, "prepare", lambda _, bases: made_ready.append([base.name for base in bases]))
    (tmp_path / "books.ttl").write_text(TRIPLES)
    (tmp_path / "bank.jsonl").write_text(bank_text())
    assistant = composed([])
    console = Console(print, print, folder=tmp_path)
    execute(assistant, console, **read(["kb", "add", "first", "books.ttl", "--bank", "bank.jsonl"]))
    assert made_ready == []
    assistant.prepare()
    execute(assistant, console, **read(["kb", "add", "second", "books.ttl", "--bank", "bank.jsonl"]))
    assert ["second" in names for names in made_ready] == [False, True]


def test_without_a_bank_there_is_nothing_to_write_after(run) -> None:
    assert run("kb", "add", "books", "books.ttl")[0] == 0
    status, said = run("ask", "Where?", "--kb", "books", "--strategy", "sparql")
    assert (status, said.count("\n")) == (2, 1)
    assert "books" in said


def test_a_broken_bank_adds_nothing(run) -> None:
    status, said = run("kb", "add", "books", "books.ttl", "--bank", "broken.jsonl")
    assert (status, said.count("\n")) == (2, 1)
    assert "Line 1 of broken.jsonl" in said
    assert "books" not in run("kb", "list")[1]


def test_what_is_broken_of_a_bank_is_told_and_the_rest_used(run) -> None:
    status, said = run("kb", "add", "books", "books.ttl", "--bank", "half.jsonl")
    assert (status, said.count("\n")) == (0, 7)
    assert "Left out: Line 7 of half.jsonl has a query that cannot be used: Only SELECT and ASK" in said
    assert "Left out: 2 more queries of half.jsonl." in said
    assert ask(run)["query"] == QUERY
