"""What a program came to, held against what its question asks for."""

import subprocess
import sys
from pathlib import Path

import pytest

from assistant.search.programs.doubts import complaint, doubt
from assistant.types import Call, ProgramRun


def run(*value, error=""):
    return ProgramRun(
        "world", "", (Call("find_entity_or_value", ("Peru",), "Peru – capital: nothing found"),), value, error
    )


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("When was Lima founded?", "18 January 1535"),
        ("which years did the films come out", "1954"),
        ("利马是什么时候建立的？", "1535年"),
        ("How many people live in Lima?", "7,737,002"),
        ("秘鲁有多少人口？", "三千万"),
        ("Who founded Lima?", "Francisco Pizarro"),
        ("谁建立了利马？", "皮萨罗"),
        ("When is market day?", "Tuesday"),
        ("How many sisters do I have?", "two"),
        ("Which films are there?", "1917"),
        ("What is the capital of Peru?", "Lima"),
        ("Where is Lima?", "-12.04318, -77.02824"),
    ],
)
def test_what_can_be_an_answer_is_taken(question, value):
    assert doubt(question, run(value)) == ""


@pytest.mark.parametrize(
    ("question", "value", "why"),
    [
        ("When was Lima founded?", "Pizarro", "a date"),
        ("in what years did the films come out", "Heat", "a date"),
        ("利马是什么时候建立的？", "皮萨罗", "a date"),
        ("How many people live in Lima?", "Lima", "a number"),
        ("Who founded Lima?", "1535", "a person"),
        ("In which year did the ship sink?", "three-masted ship", "a date"),
        ("Where was the opera first performed?", "1871", "a place"),
        ("这部歌剧在哪里首演？", "1871年", "a place"),
    ],
)
def test_what_is_of_another_kind_is_doubted(question, value, why):
    assert why in doubt(question, run(value))


def test_what_only_leads_back_to_its_start_is_doubted():
    back = ProgramRun("world", "# lima > country > capital\n…", (), ("Lima",))
    assert "itself names" in doubt("What is the population of Lima?", back)
    city_state = ProgramRun("world", "# Luxembourg > capital\n…", (), ("Luxembourg",))
    assert doubt("What is the capital of Luxembourg?", city_state) == ""
    larger = ProgramRun("world", "# Lima, Quito > population > the larger\n…", (), ("Lima",))
    assert doubt("Which is larger, Lima or Quito?", larger) == ""


def test_errors_and_nothing_are_told():
    assert doubt("Who?", run("Ann", error="NameError: boom")) == "NameError: boom"
    assert "Nothing" in doubt("Who?", run())


def test_the_model_is_told_what_there_is_instead():
    told = complaint("Who?", [(run(), "Nothing was found."), (run(), "Nothing was found.")])
    assert told == "Who?\nHint: Peru – capital: nothing found"


def test_the_model_is_told_of_errors_and_wrong_kinds():
    assert complaint("Who?", [(run(error="NameError: boom"), "NameError: boom")]) == "Who?\nHint: NameError: boom"
    found = ProgramRun("world", "", (Call("f", ("Peru",), "Peru – capital: Lima", ("Lima",)),), ("Lima",))
    assert (
        complaint("When?", [(found, "The question asks for a date.")]) == "When?\nHint: The question asks for a date."
    )


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
    doubted = doubt("Who is older, Ann or Bo?", ProgramRun("personal", code, calls, ("Bo",), ""))
    assert doubted.startswith("Something was not found") if why else not doubted
    assert why in doubted


def test_a_value_of_any_length_is_looked_at_once():
    code = """
from assistant.search.kinds import mismatch
for question in ("When was it?", "How many are there?", "Who is it?", "Where is it?", "谁？", "几个？"):
    for sign in "a1.,一 ":
        mismatch(question, [sign * 300_000])
"""
    subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[4], check=True, timeout=60)
