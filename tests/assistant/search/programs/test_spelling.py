"""What a program compares with its own words."""

import unicodedata
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.search.programs.sandbox import Sandbox
from assistant.search.programs.spelling import Spelling

STATES = {
    "Skua": ["Ready"],
    "Tern": ["IN REPAIR"],
    "Auk": ["ready"],
    "Élan": ["Prêt"],
    "Eider": ["-5"],
    "Teal": ["5"],
    "Gull": ["Maße"],
}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with closing(Sandbox()) as sandbox:
        yield sandbox


def find(names: list[str]) -> list[str]:
    return STATES.get(names[0], [])


@pytest.mark.parametrize(
    ("code", "comes_to"),
    [
        ('"ready" in find(["Skua"])', True),
        ('find(["Tern"])[0] == "in repair"', True),
        ('"PRÊT" in find(["Élan"])', True),
        ('"pret" in find(["Élan"])', False),
        ('[float(one) for one in find(["Eider"]) if "5" != one]', [-5.0]),
        ('"$5" in find(["Teal"])', False),
        ('"masse" in find(["Gull"])', False),
        ('["Ready", "ready" in find(["Auk"])]', ["Ready", True]),
        ('"mended" in find(["Tern"])', False),
        ('find(["Tern"])', ["IN REPAIR"]),
        ('[name for name in ["Skua", "Tern", "Auk"] if "READY" in find([name])]', ["Skua", "Auk"]),
        ('{one: 1 for one in find(["Tern"]) if one == "in repair"}', {"IN REPAIR": 1}),
    ],
)
def test_a_value_is_one_with_the_program_s_word_for_it(sandbox: Sandbox, code: str, comes_to: object) -> None:
    spelling = Spelling(code)
    outcome = sandbox.run(code, {"find": spelling.within(find)}, {})
    assert not outcome.error and spelling.told(outcome.value) == comes_to


def test_what_is_asked_further_is_spelled_as_it_was_found() -> None:
    asked: list[object] = []

    def named(name: object) -> Callable[..., object]:
        return lambda *arguments: asked.append(arguments) or [name]

    spelling = Spelling('for one in first(): second([one], "vik harbour")')
    (found,) = spelling.within(named("Vik Harbour"))()
    assert found == "vik harbour"
    spelling.within(named(""))([found])
    assert asked[-1] == (["Vik Harbour"],)


def same(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).lower().split())


@given(st.lists(st.text(max_size=5)), st.lists(st.text(max_size=5)))
def test_outside_of_a_run_nothing_is_spelled_anew(literals: list[str], values: list[str]) -> None:
    spelling = Spelling(repr(literals))
    found = spelling.within(lambda: list(values))()
    assert isinstance(found, list) and len(found) == len(values)
    told = spelling.told(found)
    assert isinstance(told, list)
    assert list(map(same, map(str, told))) == list(map(same, values))


def test_a_program_that_cannot_be_read_says_so_when_it_is_run(sandbox: Sandbox) -> None:
    outcome = sandbox.run("if", {"find": Spelling("if").within(find)}, {})
    assert "SyntaxError" in outcome.error
