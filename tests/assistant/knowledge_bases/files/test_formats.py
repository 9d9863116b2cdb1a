"""Files of triples: formats are recognised, broken lines are named."""

import gzip
from pathlib import Path

import pytest

from assistant.errors import UserMistake
from assistant.knowledge_bases.files.formats import guess_format, read_triples

NTRIPLES = "<http://e.org/Oslo> <http://e.org/capitalOf> <http://e.org/Norway> .\n"
TURTLE = "@prefix e: <http://e.org/> .\ne:Oslo e:capitalOf e:Norway .\n"
RDFXML = """<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e.org/">
<rdf:Description rdf:about="http://e.org/Oslo"><e:capitalOf rdf:resource="http://e.org/Norway"/></rdf:Description>
</rdf:RDF>
"""
PIPE = "Oslo|capital_of|Norway\nOslo|river|Akerselva\n"
TSV = "Oslo\tcapital_of\tNorway\n"
NLPCC = "奥斯陆 ||| 别名 ||| 克里斯蒂安尼亚\n"
SAMPLES = {"ntriples": NTRIPLES, "turtle": TURTLE, "rdfxml": RDFXML, "pipe": PIPE, "tsv": TSV, "nlpcc": NLPCC}


def written(folder: Path, text: str | bytes, name: str = "file.txt") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize("format", SAMPLES)
def test_the_first_lines_tell_the_format(tmp_path: Path, format: str) -> None:
    path = written(tmp_path, SAMPLES[format])
    assert guess_format(path) == format
    assert len(list(read_triples(path, format))) == SAMPLES[format].count("Akerselva") + 1


@pytest.mark.parametrize(
    ("name", "format"), [("a.nt", "ntriples"), ("a.ttl.gz", "turtle"), ("A.RDF", "rdfxml"), ("kb.tsv.gz", "tsv")]
)
def test_the_name_tells_the_format(name: str, format: str) -> None:
    assert guess_format(Path(name)) == format


@pytest.mark.parametrize("format", SAMPLES)
def test_compressed_files_are_read_like_others(tmp_path: Path, format: str) -> None:
    path = written(tmp_path, gzip.compress(SAMPLES[format].encode()), "file.gz")
    assert guess_format(path) == format
    assert list(read_triples(path, format))


@pytest.mark.parametrize(
    ("format", "text", "line"),
    [
        ("pipe", PIPE + "Oslo|river\n" + PIPE, 3),
        ("pipe", PIPE + "a|b|c|d\n", 3),
        ("tsv", TSV + "only one field\n", 2),
        ("nlpcc", "\n" + NLPCC + "奥斯陆 || 河 || x\n", 3),
        ("ntriples", NTRIPLES * 3 + "<http://e.org/Oslo> <http://e.org/river> oops .\n", 4),
        ("turtle", TURTLE + "e:Oslo e:river .\n", 3),
        ("rdfxml", RDFXML.replace("</rdf:Description>", "</wrong>"), 3),
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, format: str, text: str, line: int) -> None:
    path = written(tmp_path, text)
    with pytest.raises(UserMistake, match=rf"^Line {line} of file\.txt is not "):
        list(read_triples(path, format))


def test_a_line_in_another_encoding_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, PIPE.encode() + "Malmö|land|Schweden\n".encode("latin-1"))
    with pytest.raises(UserMistake, match=r"^Line 3 of file\.txt is not UTF-8"):
        list(read_triples(path, "pipe"))


@pytest.mark.parametrize("format", SAMPLES)
def test_a_byte_order_mark_is_no_part_of_the_first_line(tmp_path: Path, format: str) -> None:
    marked = written(tmp_path, b"\xef\xbb\xbf" + SAMPLES[format].encode())
    assert guess_format(marked) == format
    assert list(read_triples(marked, format)) == list(read_triples(written(tmp_path, SAMPLES[format], "b"), format))


@pytest.mark.parametrize("format", ["turtle", "rdfxml"])
def test_a_file_may_have_any_name(tmp_path: Path, format: str) -> None:
    assert list(read_triples(written(tmp_path, SAMPLES[format], "my films (100%) #1 <电影>.txt"), format))


@pytest.mark.parametrize(
    ("format", "header", "line"),
    [
        ("tsv", "head\trelation\ttail", "Oslo\tcapital_of\tNorway"),
        ("tsv", "Subject\tPredicate\tObject", "Oslo\tcapital_of\tNorway"),
        ("tsv", "subject\tobject\tpredicate", "Oslo\tNorway\tcapital_of"),
        ("pipe", "#head|relation|tail", "Oslo|capital_of|Norway"),
        ("nlpcc", "实体 ||| 属性 ||| 值", "Oslo ||| capital_of ||| Norway"),
    ],
)
def test_a_first_line_that_names_the_columns_is_no_triple(tmp_path: Path, format: str, header: str, line: str) -> None:
    expected = list(read_triples(written(tmp_path, TSV, "plain"), "tsv"))
    assert list(read_triples(written(tmp_path, f"\ufeff{header}\n{line}\n"), format)) == expected
    twice = written(tmp_path, f"{line}\n{header}\n")
    assert len(list(read_triples(twice, format))) == 2


def test_a_line_with_an_empty_name_is_left_out(tmp_path: Path) -> None:
    assert len(list(read_triples(written(tmp_path, "\ta\tb\n" + TSV), "tsv"))) == 1


@pytest.mark.parametrize("format", ["tsv", "ntriples"])
def test_a_compressed_file_that_is_cut_off_is_a_mistake_of_one_line(tmp_path: Path, format: str) -> None:
    whole = gzip.compress(SAMPLES[format].encode() * 10)
    for broken in (whole[: len(whole) // 2], b"no gzip at all"):
        path = written(tmp_path, broken, "kb.gz")
        with pytest.raises(UserMistake, match="gzip"):
            list(read_triples(path, format))
        with pytest.raises(UserMistake, match="gzip"):
            guess_format(path)


@pytest.mark.parametrize("content", [b"", b"just some prose\n", bytes(range(256))])
def test_what_is_no_file_of_triples_is_said_to_be_none(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(UserMistake, match="--format"):
        guess_format(written(tmp_path, content))


def test_a_file_that_cannot_be_read_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserMistake, match="Cannot read"):
        guess_format(tmp_path / "missing.txt")
    with pytest.raises(UserMistake, match="no format “csv”"):
        list(read_triples(tmp_path / "missing.txt", "csv"))
