"""Banks of questions with queries, from files."""

import json
from pathlib import Path

import pytest

from assistant.errors import UserMistake
from assistant.knowledge_bases.sparql.bank import Pair, QueryBank, read_bank


@pytest.fixture
def write(tmp_path: Path):
    def write(text: str) -> Path:
        file = tmp_path / "bank.json"
        file.write_text(text, encoding="utf-8")
        return file

    return write


def test_our_own_form(write) -> None:
    lines = [{"prefixes": {"p": "http://e.org/"}}, {"question": "Who? ", "sparql": "ASK {}", "answer": "yes"}]
    bank = read_bank(write("\n\n".join(json.dumps(line) for line in lines)))
    assert bank == QueryBank((Pair("Who?", "ASK {}"),), {"p": "http://e.org/"})
    assert read_bank(write(bank.dump())) == bank


def test_qald_as_published(write) -> None:
    entry = {
        "id": "1",
        "question": [{"language": "en", "string": "Who?", "keywords": "x"}, {"language": "zh", "string": "谁？"}],
        "query": {"sparql": "ASK {}"},
        "answers": [],
    }
    assert read_bank(write(json.dumps({"questions": [entry]}))).pairs == (
        Pair("Who?", "ASK {}"),
        Pair("谁？", "ASK {}"),
    )


def test_lc_quad_as_published(write) -> None:
    entries = [
        {"_id": "1", "corrected_question": "Who?", "sparql_query": "ASK {}"},
        {"question": None, "paraphrased_question": "When?", "sparql_wikidata": "SELECT ?x {}", "sparql_dbpedia18": "x"},
        {"question": None, "sparql_wikidata": "ASK {}"},
        {"question": "", "paraphrased_question": "Where?", "sparql_wikidata": "ASK {}"},
        {"question": "n/a", "NNQT_question": "{Why}", "sparql_wikidata": "ASK {}"},
    ]
    asked = Pair("Who?", "ASK {}"), Pair("When?", "SELECT ?x {}"), Pair("Where?", "ASK {}"), Pair("{Why}", "ASK {}")
    assert read_bank(write(json.dumps(entries))).pairs == asked


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"question": " ", "sparql": "ASK {}"}\nx', "Line 1 of bank.json is not"),
        ('{"question": "Who?", "sparql": "DROP ALL"}\n{}', "Line 1 of bank.json has a query that cannot be used: Only"),
        ('[{"question": "Who?", "sparql": "ASK { SERVICE <x> {} }"}]', "Entry 1 of bank.json has a query"),
        ('{"prefixes": {"p": 3}}', "Line 1 of bank.json is not"),
        ("[1, null, []]", "holds no questions"),
        ("", "holds no questions"),
        ("[" * 100_000, "Line 1 of bank.json is not"),
    ],
)
def test_a_file_without_a_pair_that_can_be_used_is_a_mistake(write, text: str, told: str) -> None:
    with pytest.raises(UserMistake, match=told):
        read_bank(write(text))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"question": "Wh', 'is not {"question": "…", "sparql": "…"}.'),
        ('{"question": "Who\\ud800?", "sparql": "ASK {}"}', 'is not {"question": "…", "sparql": "…"}.'),
        ('{"question": "Who?"}', 'is not {"question": "…", "sparql": "…"}.'),
        ('{"prefixes": {"p": "no iri"}}', 'is not {"question": "…", "sparql": "…"}.'),
        ('{"question": "Who?", "sparql": "DROP ALL"}', "Only SELECT and ASK are allowed, not DROP."),
        ('{"question": "Who?", "sparql": "SELECT WHERE WHERE } } ("}', "The query is not valid SPARQL: error at 1:"),
        ('{"question": "Who?", "sparql": "ASK { ?s ?p ?o"}', "The query is not valid SPARQL: error at 1:"),
        ('{"question": "Who?", "sparql": "ASK { q:s ?p ?o }"}', "The query is not valid SPARQL: error at 1:"),
    ],
)
def test_a_broken_line_is_left_out_and_named(write, line: str, told: str) -> None:
    good = ['{"question": "When?", "sparql": "ASK { p:s ?p ?o }"}', '{"prefixes": {"p": "http://e.org/"}}']
    bank = read_bank(write("\n".join([good[0], line, good[1]])))
    assert bank.pairs == (Pair("When?", "ASK { p:s ?p ?o }"),)
    (left_out,) = bank.left_out
    assert left_out.startswith("Line 2 of bank.json ")
    assert told in left_out
    assert "\n" not in left_out


def test_a_bank_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "bank").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UserMistake, match="Cannot read the bank"):
        read_bank(tmp_path / "bank")
    with pytest.raises(UserMistake, match="Cannot read the bank"):
        read_bank(tmp_path / "none")


def test_a_sign_that_is_none_spoils_its_line_only(tmp_path: Path) -> None:
    lines = [b'{"question": "Wh\xff?", "sparql": "ASK {}"}', b'{"question": "When?", "sparql": "ASK {}"}']
    (tmp_path / "bank").write_bytes(b"\n".join(lines))
    bank = read_bank(tmp_path / "bank")
    assert [pair.question for pair in bank.pairs] == ["When?"]
    assert bank.left_out == ('Line 1 of bank is not {"question": "…", "sparql": "…"}.',)


_CROSSED = " ".join(f"VALUES ?x{n} {{ {' '.join(map(str, range(20)))} }}" for n in range(6))


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("ASK " + "{" * 10_000 + "}" * 10_000, "are the most"),
        ("ASK " + "{" * 900 + "}" * 900, "levels deep"),
        (f"ASK {{ {_CROSSED} FILTER(?x0 + ?x1 + ?x2 + ?x3 + ?x4 + ?x5 = 1000) }}", "took longer than"),
    ],
)
def test_a_query_that_would_end_the_process_or_never_end_is_left_out(write, query: str, told: str) -> None:
    entries = [{"question": "Who?", "sparql": query}, {"question": "When?", "sparql": "ASK {}"}]
    bank = read_bank(write("\n".join(map(json.dumps, entries))))
    assert bank.pairs == (Pair("When?", "ASK {}"),)
    assert told in bank.left_out[0]


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\x85"])
def test_a_question_may_hold_any_sign(write, sign: str) -> None:
    bank = QueryBank((Pair(f"Who{sign}is it?", "ASK {}"), Pair("When?", "ASK {}")))
    assert read_bank(write(bank.dump())) == bank


@pytest.mark.parametrize("name", ["d:Category:Films", "d:AC\\/DC", "d:a.b", 'd:x "a:b"@en', '"1"^^d:year'])
def test_names_with_further_signs_have_a_prefix_too(name: str) -> None:
    bank = QueryBank((), {"d": "http://d.org/", "a": "http://a.org/"})
    assert bank.whole(f"ASK {{ ?s ?p {name} }}").splitlines()[0] == "PREFIX d: <http://d.org/>"


def test_prefixes_are_declared_where_a_query_uses_them() -> None:
    bank = QueryBank((), {"p": "http://e.org/", "xsd": "http://x.org/", "q": "http://q.org/"})
    query = 'PREFIX q: <other> ASK { ?s p:a/q:b "c:d"^^xsd:date . ?s <p:e> "q:x" }'
    assert bank.whole(query) == f"PREFIX p: <http://e.org/>\nPREFIX xsd: <http://x.org/>\n{query}"
