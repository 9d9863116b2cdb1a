import pytest

from assistant.stemming import root, roots, stem


def test_forms_of_a_word_have_one_stem():
    assert stem("films") == stem("film") == "film"
    assert stem("directed") == stem("directing")


def test_what_is_not_plain_english_stays_as_it_is():
    assert stem("电影") == "电影"
    assert stem("élus") == "élus"


@pytest.mark.parametrize(
    "forms",
    [
        "child children",
        "go goes going went",
        "write writes wrote written writing",
        "find finding found",
        "old older oldest",
        "crisis crises",
        "fisherman fishermen",
    ],
)
def test_irregular_forms_have_the_root_of_their_word(forms: str):
    assert len(set(map(root, forms.split()))) == 1


def test_the_root_of_a_regular_word_is_its_stem():
    assert root("films") == stem("film")


def test_the_root_of_what_is_not_plain_english_is_itself():
    assert root("电影") == "电影"
    assert root("élus") == "élus"


def test_forms_of_one_word_have_one_root():
    assert roots("who wrote it") & roots("written by") == roots("write")
