"""The paths that programs plan in their comments, and what follows them."""

from assistant.search.programs.path import (
    describing,
    following,
    is_about_others,
    is_program,
    only_call,
    path,
    path_grammar,
    strings,
)


def test_the_path_is_the_comment_in_the_first_line():
    assert path("# Heat > director\nf()") == "Heat > director"
    assert path("f()") == path("") == ""


def test_a_path_and_its_program_tell_the_same():
    code = following(["Heat", "director", "born"], ["Heat"], [["director"], ["born"]])
    assert path(code) == "Heat > director > born"
    call = only_call(code)
    assert call is not None
    assert [strings(argument) for argument in call.args] == [["Heat"], ["director"], ["born"]]


def test_a_path_begins_with_one_of_the_names_whatever_signs_they_have():
    *_, name, quoted = path_grammar(['Say "Yes"', "利马"]).splitlines()
    assert name == r'name ::= "Say \"Yes\"" | "利马"'
    assert quoted == r'quoted ::= "\"Say \\\"Yes\\\"\"" | "\"利马\""'


def test_words_are_no_program():
    assert not any(map(is_program, ("Lima is a city.", "# Lima", "Lima", "")))
    assert is_program(describing(["Lima", "Peru"]))
    assert is_program("max(3, 4)")


def test_a_program_about_another_thing_than_the_question_is_told():
    code = following(["西班牙", "邻国"], ["西班牙"], [["邻国"]])
    assert is_about_others(code, "奥地利面积最大的邻国是哪个？")
    assert not is_about_others(code, "西班牙的邻国是哪些？")
    assert not is_about_others("find_entity_or_value(['the user'], ['sister'])", "Who is my sister?")
