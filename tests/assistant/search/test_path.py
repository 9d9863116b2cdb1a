"""Programs that stop short of the path that they plan."""

import pytest

from assistant.search.path import completed, path


def test_the_path_is_the_comment_in_the_first_line():
    assert path("# Heat > director\nf()") == "Heat > director"
    assert path("f()") == path("") == ""


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        (
            '# Ann Lee > films > genre\nfind_entity_or_value(["Ann Lee"], ["films", "acted in"])',
            "# Ann Lee > films > genre\nfind_entity_or_value(['Ann Lee'], ['films', 'acted in'], ['genre'])",
        ),
        (
            '# Ann Lee > films > genre\nfind_entity_or_value(["Ann Lee"], ["films", "genre of"])',
            "# Ann Lee > films > genre\nfind_entity_or_value(['Ann Lee'], ['films'], ['genre'])",
        ),
        (
            '# Network > writer\nget_entity_info(["Network"])',
            "# Network > writer\nfind_entity_or_value(['Network'], ['writer'])",
        ),
        (
            '# 利马 > 国家 > 货币\nfind_entity_or_value(["利马"], ["国家"])',
            "# 利马 > 国家 > 货币\nfind_entity_or_value(['利马'], ['国家'], ['货币'])",
        ),
    ],
)
def test_what_its_only_call_leaves_out_is_added(code, wanted):
    assert completed(code) == wanted


@pytest.mark.parametrize(
    "code",
    [
        '# Heat > director\nfind_entity_or_value(["Heat"], ["director", "directed by"])',
        '# Bolivia > neighbours > count\nlen(find_entity_or_value(["Bolivia"], ["neighbours"]))',
        '# Bolivia > neighbours > count\nfind_entity_or_value(["Bolivia"], ["neighbours"])',
        '# Mali > neighbours > largest area\nfind_entity_or_value(["Mali"], ["neighbours"])',
        "# Heat > director\na = find_entity_or_value(['Heat'], ['director'])\na",
        '# Heat > director > age\nfind_entity_or_value(["Heat"], names)',
        '# Olga Petrov\nget_entity_info(["Olga Petrov"])',
        "# Heat > director\nnot a program",
        "",
    ],
)
def test_other_programs_stay_as_they_are(code):
    assert completed(code) == code
