"""Every example of the bank runs as it stands, on a knowledge base that holds what it asks for."""

import ast
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

import pytest
from pyoxigraph import Literal, NamedNode, Quad

from assistant.embedding import load_embedder
from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.files.building import build
from assistant.knowledge_bases.files.formats import read_triples
from assistant.knowledge_bases.files.triples import Triples
from assistant.knowledge_bases.functions import KnowledgeFunctions
from assistant.knowledge_bases.personal import PERSONAL
from assistant.knowledge_bases.rdf import entity_node
from assistant.knowledge_bases.relations import RelationRanker
from assistant.language import language_of
from assistant.search.anonymize import anonymize
from assistant.search.examples import Example
from assistant.search.programs.bank import named_in, parse, program_examples
from assistant.search.programs.path import counts
from assistant.search.programs.sandbox import Outcome, Sandbox
from memory.folding import fold
from memory.resolution import USER_NAMES

BANK = program_examples()
LEAST_OF_A_KIND = 8
_COMMENT = NamedNode("http://www.w3.org/2000/01/rdf-schema#comment")
FUNCTIONS = {"get_entity_info", "find_entity_or_value", "find_relationship"}
NUMBERS = (
    "amount area atomic mass boiling point duration elevation employees height inhabitants length melting point "
    "population price cost total Preis montant preço 値段 金额 "
    "人口 面积 海拔 熔点 长度 Höhe Einwohner altitud altitude 標高 высота население"
)
YEARS = "date year 日期 时间 fecha"


class Imagined:
    """A knowledge base in which every question of the bank has an answer: made up as it is asked, and noted."""

    def __init__(self) -> None:
        self.values: dict[tuple[str, str], list[str]] = {}
        self.descriptions: dict[str, str] = {}

    def by_name(self) -> dict[str, Callable[..., object]]:
        return {name: getattr(self, name) for name in FUNCTIONS}

    def get_entity_info(self, entity: list[str]) -> str:
        found = {value for values in self.values.values() for value in values}
        names = entity if found.issuperset(entity) else entity[:1]
        self.descriptions.update((name, f"What is known of {name}") for name in names)
        return "\n".join(self.descriptions[name] for name in names)

    def find_entity_or_value(self, entity: list[str], *relations: list[str]) -> list[str]:
        found = entity[:1]
        for relation in relations:
            last = relation is relations[-1]
            for name in found:
                self.values.setdefault((name, relation[0]), _imagined(name, relation[0], shared=last))
            found = [value for name in found for value in self.values[name, relation[0]]]
        return list(dict.fromkeys(found))

    def find_relationship(self, entity1: list[str], entity2: list[str]) -> list[str]:
        self.values[entity1[0], "knows"] = [entity2[0]]
        return ["knows"]


def _imagined(name: str, relation: str, *, shared: bool) -> list[str]:
    """A number or a year, where the relation says so, else one thing, or several for a plural and in Chinese.

    `shared` puts a thing among them that others have too.
    """
    mark = zlib.crc32(f"{name} {relation}".encode()) % 1000
    several = relation.endswith("s") or not relation.isascii()
    if any(word in relation for word in YEARS.split()):
        values = [str(1000 + mark)]
    elif any(word in relation for word in NUMBERS.split()):
        values = [str(1000 * mark)]
    else:
        values = [f"{relation} of all"] if shared and (several or mark % 2) else []
        values += [f"{relation} {number} of {name}" for number in range(1 + mark % 7)]
        values = values if several else values[:1]
    return values


def agrees(real: object, imagined: object) -> bool:
    """Whether two values are the same but for the order of a list, which a set of triples does not keep.

    What is known of a thing is its triples too, besides what was imagined.
    """
    if isinstance(real, str) and isinstance(imagined, str):
        return set(imagined.splitlines()) <= set(real.splitlines())
    if isinstance(real, list | set) and isinstance(imagined, list | set):
        return sorted(map(str, real)) == sorted(map(str, imagined))
    if isinstance(real, dict) and isinstance(imagined, dict):
        return real.keys() == imagined.keys() and all(agrees(real[key], imagined[key]) for key in real)
    return real == imagined


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    sandbox = Sandbox()
    yield sandbox
    sandbox.close()


@pytest.fixture(scope="module")
def imagined(sandbox: Sandbox) -> tuple[Imagined, dict[Example, Outcome]]:
    base = Imagined()
    return base, {one: sandbox.run(one.code, base.by_name(), {"question": one.question}) for one in BANK}


def test_the_bank_is_wide() -> None:
    kinds = Counter((one.kind, language_of(one.question)) for one in BANK)
    assert len(BANK) >= 150
    assert sum(count for (_, language), count in kinds.items() if language == "zh") >= 45
    for kind in {one.kind for one in BANK}:
        assert kinds[kind, "en"] + kinds[kind, "zh"] >= LEAST_OF_A_KIND, kind
        assert kinds[kind, "zh"] >= 3, kind


def test_no_two_examples_are_alike() -> None:
    for text in (lambda one: fold(one.question), lambda one: anonymize(one.question, one.names).text):
        assert [text for text, count in Counter(map(text, BANK)).items() if count > 1] == []


@pytest.mark.parametrize("example", BANK, ids=lambda one: one.question)
def test_an_example_plans_its_path_and_ends_with_its_result(example: Example) -> None:
    comment, *lines = example.code.splitlines()
    assert comment.startswith("# ")
    assert isinstance(ast.parse(example.code).body[-1], ast.Expr)
    call = ast.parse("\n".join(lines)).body[0]
    if len(lines) == 1 and isinstance(call, ast.Expr) and isinstance(call.value, ast.Call):
        steps = len(call.value.args)
        if isinstance(call.value.func, ast.Name) and call.value.func.id == "find_entity_or_value":
            assert comment.count(" > ") == steps - 1


@pytest.mark.parametrize("example", BANK, ids=lambda one: one.question)
def test_an_example_asks_for_what_its_question_names(example: Example) -> None:
    start = example.code.splitlines()[0].lstrip("# ").split(" > ", maxsplit=1)[0]
    for name in start.replace("，", ",").split(","):
        assert fold(name) in fold(example.question) or fold(name) in USER_NAMES


@pytest.mark.parametrize("example", BANK, ids=lambda one: one.question)
def test_an_example_runs(imagined: tuple[Imagined, dict[Example, Outcome]], example: Example) -> None:
    outcome = imagined[1][example]
    assert outcome.error == ""
    assert outcome.value is not None


def test_real_functions_find_the_same(
    imagined: tuple[Imagined, dict[Example, Outcome]], sandbox: Sandbox, tmp_path: Path
) -> None:
    base, expected = imagined
    file = tmp_path / "imagined.txt"
    lines = [f"{name}|{relation}|{value}\n" for (name, relation), values in base.values.items() for value in values]
    file.write_text("".join(lines), encoding="utf-8")
    described = [Quad(entity_node(name), _COMMENT, Literal(text)) for name, text in base.descriptions.items()]
    build(tmp_path / "kb", chain(read_triples(file, "pipe"), described), "imagined")
    kb, ranker = Triples(PERSONAL, tmp_path / "kb"), RelationRanker(load_embedder("", tmp_path))
    differing = {}
    for one in BANK:
        deadline, of_all = Deadline.after(30), counts(one.code)
        functions = KnowledgeFunctions(kb, ranker, one.question, deadline, lambda _: None, of_all=of_all)
        outcome = sandbox.run(one.code, functions.by_name(), {"question": one.question})
        if outcome.error or not agrees(outcome.value, expected[one].value):
            differing[one.question] = outcome, expected[one]
    kb.close()
    assert differing == {}


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ('# Heat\nfind_entity_or_value(["Heat"], ["director"])', ("Heat",)),
        ('find_entity_or_value(["the user", "me", "I"], ["sister"], ["job"])', ()),
        ('max(["Chad", "Niger"], key=lambda n: number(find_entity_or_value([n], ["area"])))', ("Chad", "Niger")),
        ('"Sucre" in find_entity_or_value(["Bolivia"], ["capital"])', ("Sucre", "Bolivia")),
        ('find_relationship(["Pixar"], ["Disney"])', ("Pixar", "Disney")),
        ("x = = 1", ()),
        ("\0", ()),
    ],
)
def test_what_a_program_names(code: str, names: tuple[str, ...]) -> None:
    assert set(named_in(code)) == set(names)


@pytest.mark.parametrize(
    "text", ["## A kind\n\nWho?\n", "## A kind\n\nWho?\n\nWhat?\n\n    a\n", "## A kind\n\n    a\n"]
)
def test_a_question_without_a_program_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="has no"):
        parse(text)


def test_a_bank_in_markdown() -> None:
    text = "# Title\n\nSome words.\n\n## One\n\nWho?\n\n    # a\n    b(1)\n\n## Two\n\nWhat?\n\n    c(2)\n"
    assert parse(text) == [Example("Who?", "# a\nb(1)", "One"), Example("What?", "c(2)", "Two")]
