import pytest

from memory.mentions import is_proper, is_telling, saying, within_another


@pytest.mark.parametrize("name", ["Anna", "The Hague", "Quilla Farn", "王小明", "欧阳修", "司马光", "安娜·卡列尼娜"])
def test_a_name_that_tells_its_bearer_apart(name):
    assert is_proper(name)


@pytest.mark.parametrize(
    "name", ["the boiler", "The boiler", "May", "Will", "café", "会议", "锅炉", "方便面", "马拉松", "高血压"]
)
def test_a_word_that_may_be_any_other_is_no_name(name):
    assert not is_proper(name)


@pytest.mark.parametrize("name", ["Anna", "Ada Lovelace", "Mark", "李明", "周杰伦"])
def test_a_name_that_likely_tells_its_bearer(name):
    assert is_telling(name)


@pytest.mark.parametrize(
    "name",
    [
        "the boiler",
        "blood pressure",
        "mark",
        "diabetes",
        "May",
        "Will",
        "in may",
        "会议",
        "高血压",
        "办公室",
        "许多",
        "王国",
    ],
)
def test_a_word_that_is_no_name_tells_nothing(name):
    assert not is_telling(name)


def test_a_name_is_not_found_where_it_is_the_word():
    named = saying(["Mark"], surely=True)
    assert named
    said = "Mark the date. Mark owes me. I told Mark the code, Mark the plumber. MARK is here. Remark on it."
    left = "Mark the date. _ owes me. I told _ the code, _ the plumber. _ is here. Remark on it."
    assert named.sub(lambda _: "_", said) == left


def test_a_name_is_found_however_its_accents_are_written():
    named = saying(["Zoë Kim"])
    assert named
    assert named.search("Zoe\u0308 Kim is here.")


@pytest.mark.parametrize(
    ("name", "longer", "another"),
    [
        ("Oslo", "University of Oslo", True),
        ("Oslo", "trip to Oslo", False),
        ("Oslo", "Osloer", False),
        ("Anna", "Anna's dog", False),
        ("王小明", "王小明月", True),
        ("王小明", "王小明的狗", False),
    ],
)
def test_a_longer_name_is_anothers_or_a_description(name, longer, another):
    assert within_another(name, longer) is another


def test_a_phrase_within_a_longer_one_is_left_as_it_is():
    named = saying(["Oslo"], but=["University of Oslo", "Oslo Fjord"])
    assert named
    text = "Oslo: the university of  Oslo, the Oslo Fjord and OSLO"
    assert named.sub(lambda _: "_", text) == "_: the university of  Oslo, the Oslo Fjord and _"
    assert [match[0] for match in named.finditer(text)] == ["Oslo", "OSLO"]
