"""Whether what a program came to can be an answer at all."""

import pytest

from assistant.search.programs.doubts import complaint, doubt
from assistant.types import Call, ProgramRun


def run(*value, error=""):
    return ProgramRun(
        "world", "", (Call("find_entity_or_value", ("Peru",), "Peru – capital: nothing found"),), value, error
    )


@pytest.mark.parametrize("value", ["18 January 1535", "三千万", "two"])
def test_what_was_found_is_taken(value):
    assert doubt(run(value)) == ""


def test_what_only_leads_back_to_its_start_is_doubted():
    back = ProgramRun("world", "# lima > country > capital\n…", (), ("Lima",))
    assert "itself names" in doubt(back)
    city_state = ProgramRun("world", "# Luxembourg > capital\n…", (), ("Luxembourg",))
    assert doubt(city_state) == ""
    larger = ProgramRun("world", "# Lima, Quito > population > the larger\n…", (), ("Lima",))
    assert doubt(larger) == ""


def test_errors_and_nothing_are_told():
    assert doubt(run("Ann", error="NameError: boom")) == "NameError: boom"
    assert "Nothing" in doubt(run())


def test_the_model_is_told_what_there_is_instead():
    told = complaint("Who?", [(run(), "Nothing was found."), (run(), "Nothing was found.")])
    assert told == "Who?\nHint: Peru – capital: nothing found"


def test_what_a_model_is_told_has_a_limit():
    calls = tuple(Call("search_text", ("a",), f"{place} " + "long " * 200, ("a",)) for place in range(90))
    assert len(complaint("Who?", [(ProgramRun("notes", "", calls), "")], whole=True)) < 7_000


def test_the_model_is_told_of_errors_and_doubts():
    assert complaint("Who?", [(run(error="NameError: boom"), "NameError: boom")]) == "Who?\nHint: NameError: boom"
    found = ProgramRun("world", "", (Call("f", ("Peru",), "Peru – capital: Lima", ("Lima",)),), ("Lima",))
    assert complaint("Who?", [(found, "It is Peru itself.")]) == "Who?\nHint: It is Peru itself."


@pytest.mark.parametrize(
    ("code", "born", "why"),
    [
        ("min(['Ann', 'Bo'], key=lambda name: year(find_entity_or_value([name], ['born'])))", (), "nothing can be"),
        ("min(['Ann', 'Bo'], key=lambda name: year(find_entity_or_value([name], ['born'])))", ("1985",), ""),
        ("max(find_entity_or_value(['Ann'], ['dogs']), key=lambda name: number(name))", (), ""),
    ],
)
def test_two_things_are_compared_only_where_something_was_found_of_both(code, born, why):
    calls = (
        Call("find_entity_or_value", ("Ann", "born"), "", ("1991",)),
        Call("find_entity_or_value", ("Bo",), "", born),
    )
    doubted = doubt(ProgramRun("personal", code, calls, ("Bo",), ""))
    assert doubted.startswith("Something was not found") if why else not doubted
    assert why in doubted
