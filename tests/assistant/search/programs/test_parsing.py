import pytest

from assistant.search.programs.bank import named_in
from assistant.search.programs.parsing import parsed
from assistant.search.programs.path import only_call

HOSTILE = {
    "brackets": "[" * 150 + "1" + "]" * 150,
    "signs": "-" * 900 + "1",
    "calls": "find_entity_or_value" + "(['a'])" * 400,
    "attributes": "print(a" + ".b" * 800 + ")",
    "nots": "not " * 600 + "a",
    "functions": "lambda: " * 400 + "1",
    "digits": "9" * 5000,
    "long": "a = 1\n" * 5000,
    "nothing": "\0",
}


@pytest.mark.parametrize("code", HOSTILE.values(), ids=HOSTILE)
def test_a_program_that_is_too_long_or_too_deep_is_no_program(code):
    with pytest.raises(SyntaxError):
        parsed(code)


@pytest.mark.parametrize("code", HOSTILE.values(), ids=HOSTILE)
def test_whoever_reads_programs_takes_it_as_words(code):
    """None of them goes down its nodes, each a step of Python's own stack."""
    assert only_call(code) is None
    assert named_in(code) == ()
