"""Slips in programs, mended before they run."""

import pytest

from assistant.search.programs.slips import mended

COMPARED = "key=lambda name: number(find_entity_or_value([name], ['density']))"


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("# Osk\nget_entity_or_value(['Osk'])", "# Osk\nget_entity_info(['Osk'])"),
        ("find_value(['Osk'], ['length'])", "find_entity_or_value(['Osk'], ['length'])"),
        (
            "len(find_entities(['Osk'], ['towns'], ['river']))",
            "len(find_entity_or_value(['Osk'], ['towns'], ['river']))",
        ),
        (f"# denser\nmax(['tin', 'lead'], {COMPARED})[0]", f"# denser\nmax(['tin', 'lead'], {COMPARED})"),
        (
            "[n for n in found if 'Euro' not in find_entity_or_value([n], ['currency'])]",
            "[n for n in found if 'euro' not in [text.lower() for text in find_entity_or_value([n], ['currency'])]]",
        ),
        ("max(sizes, key=sizes.get)", "max(sizes, key=lambda item: sizes.get(item))"),
        ("max(sizes, key=sizes.get)[0]", "max(sizes, key=lambda item: sizes.get(item))"),
        (f"best = min(names, {COMPARED})[0]\nbest", f"best = min(names, {COMPARED})\nbest"),
    ],
)
def test_they_are_mended(code, wanted):
    assert mended(code, ["Osk"], "") == wanted


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("find_entity_or_value(['柞川中学'], ['校长'])", "find_entity_or_value(['栎川中学'], ['校长'])"),
        ("find_entity_or_value(['十川中学'], ['校长'])", "find_entity_or_value(['栎川中学'], ['校长'])"),
        ("find_entity_or_value(['栎川小学'], ['校长'])", "find_entity_or_value(['栎川小学'], ['校长'])"),
        ("get_entity_info(['栎川中学的校训'])", "find_entity_or_value(['栎川中学'], ['校训'])"),
        ("get_entity_info(['the motto of Harrow'])", "find_entity_or_value(['Harrow'], ['motto'])"),
        ("get_entity_info(['Harrow'])", "get_entity_info(['Harrow'])"),
        ("get_entity_info(['Bank of Ireland'])", "get_entity_info(['Bank of Ireland'])"),
    ],
)
def test_what_is_known_is_named_as_it_is_known(code, wanted):
    assert mended(code, ["栎川中学", "Harrow"], "Harrow、栎川中学和栎川小学怎么样？") == wanted


BY_YEAR = "(['Ann', 'Bo'], key=lambda name: year(find_entity_or_value([name], ['date of birth'])))"


@pytest.mark.parametrize(
    ("question", "written", "wanted"),
    [
        ("Who is older, Ann or Bo?", "max", "min"),
        ("Who is older, Ann or Bo?", "min", "min"),
        ("Was Ann or Bo born first?", "max", "min"),
        ("Who is the youngest of Ann and Bo?", "min", "max"),
        ("安和波谁更年长？", "max", "min"),
        ("Who is older, the younger Ann or Bo?", "max", "max"),
        ("Who has more films?", "max", "max"),
    ],
)
def test_the_older_one_has_the_smaller_year(question, written, wanted):
    assert mended(f"{written}{BY_YEAR}", [], question) == f"{wanted}{BY_YEAR}"
    by_number = f"{written}{BY_YEAR}".replace("year", "number")  # an age
    assert mended(by_number, [], question) == by_number


@pytest.mark.parametrize(
    ("question", "written", "wanted"),
    [
        ("Is Ann older than Bo?", ">", "<"),
        ("Is Ann younger than Bo?", "<", ">"),
        ("Is Ann younger than Bo?", ">", ">"),
        ("Did Ann have more films than Bo?", ">", ">"),
    ],
)
def test_so_it_has_where_two_years_are_compared(question, written, wanted):
    def code(sign: str) -> str:
        return f"year(find_entity_or_value(['Ann'], ['born'])) {sign} year(find_entity_or_value(['Bo'], ['born']))"

    assert mended(code(written), [], question) == code(wanted)


def test_what_the_last_try_came_to_is_no_name_of_a_relation():
    code = "# Corvo > owner\nfind_entity_or_value(['Corvo'], ['owner', 'owner: nothing found'])"
    assert mended(code, ["Corvo"], "Who owns Corvo?") == code.replace(": nothing found", "")


@pytest.mark.parametrize(
    "reply", ["The Osk is 84 km long, and it flows through Brenholm.", "Osk ist lang", "'84 km'", "84,000"]
)
def test_words_become_a_program_that_describes_what_the_question_names(reply):
    assert (
        mended(reply, ["Osk", "Brenholm"], "")
        == "# Osk, Brenholm\nget_entity_info(['Osk'])\nget_entity_info(['Brenholm'])"
    )
    assert mended(reply, [], "") == reply


@pytest.mark.parametrize(
    "code",
    [
        "# Osk > length\nfind_entity_or_value(['Osk'], ['length'])",
        "# Osk > towns > count",
        "",
        "find_entity_or_value(['Osk'], ['length'",
        "max(pairs, key=lambda pair: pair[1])[0]",
        "max(lengths)[0]",
        "sorted(['tin', 'lead'], key=lambda name: len(find_entity_or_value([name], ['ores'])))[0]",
        "number('84')",
    ],
)
def test_other_programs_stay_as_they_are(code):
    assert mended(code, ["Osk"], "") == code


@pytest.mark.parametrize(
    ("question", "names", "code", "wanted"),
    [
        (
            "奥地利面积最大的邻国是哪个？",
            ["奥地利"],
            "# 西班牙 > 邻国\nfound = find_entity_or_value(['西班牙'], ['邻国'])\nmax(found)",
            "# 奥地利 > 邻国\nfound = find_entity_or_value(['奥地利'], ['邻国'])\nmax(found)",
        ),
        ("Does Peru border Chad?", ["Peru"], "get_entity_info(['Spain', 'Espagne'])", "get_entity_info(['Peru'])"),
        (
            "How many actors are there? I mean Ocean's Eleven!",
            ["Ocean's Eleven"],
            "# Oman > Romania\nCount = find_entity_or_value(['Oman'], ['Romania'])\nlen(Count)",
            "# Ocean's Eleven > Romania\nCount = find_entity_or_value([\"Ocean's Eleven\"], ['Romania'])\nlen(Count)",
        ),
    ],
)
def test_a_program_about_something_else_is_about_what_the_question_names(question, names, code, wanted):
    assert mended(code, names, question) == wanted


@pytest.mark.parametrize(
    ("question", "names", "code"),
    [
        ("Who is taller, Ann or Bo?", ["Ann", "Bo"], "get_entity_info(['Cy'])"),
        ("Where does my sister live?", ["sister"], "find_entity_or_value(['the user'], ['sister'])"),
        ("What is the tower of Pisa?", ["Pisa"], "get_entity_info(['leaning tower'])"),
        ("Is Peru larger than Chad?", ["Peru"], "find_relationship(['Peru'], ['Chad'])"),
        ("Capital of Peru?", ["Peru"], "a = get_entity_info(['Spain'])\nget_entity_info(['Oslo'])"),
        ("Capital of Peru?", [], "get_entity_info(['Spain'])"),
        ("Capital of Peru?", ["Peru"], "names = []\nget_entity_info(names)"),
    ],
)
def test_what_a_program_is_about_stays_where_the_question_may_mean_it(question, names, code):
    assert mended(code, names, question) == code
