"""The paths that programs plan in their comments, and what follows them."""

from assistant.search.programs.path import describing, following, is_program, only_call, path, path_grammar, strings


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
