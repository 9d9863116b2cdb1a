"""Which mentions are one entity."""

import pytest

from memory.resolution import Candidate, Named, choose, named_in, told_apart
from memory.types import THE_USER, Extraction, FactKind, Mention
from tests.memory.samples import said

PIANIST = "Ann Berg is a jazz pianist from Vienna."
MAYOR = "Ann Berg was the mayor of some Danish town."


def known(number: int, name: str, *aliases: str, described: str = "", facts: int = 1, here: bool = False) -> Candidate:
    return Candidate(number, number, name, (name, *aliases), (described,) if described else (), facts, here)


@pytest.mark.parametrize("name", ["Ann Berg", "ann berg", "ANN  BERG", "Annie"])
def test_one_name_is_one_entity(name: str) -> None:
    found = choose(Named(name), [known(7, "Ann Berg", "Annie"), known(8, "Bo")], chat=False)
    assert found is not None and found.id == 7


def test_an_alias_of_the_new_one_counts() -> None:
    found = choose(Named("A. Berg", ["Ann Berg"]), [known(7, "Ann Berg")], chat=False)
    assert found is not None and found.id == 7


def test_a_shared_alias_decides_nothing() -> None:
    both = [known(1, "Ann Berg", "Berg"), known(2, "Bo Berg", "Berg")]
    assert choose(Named("Berg"), both, chat=False) is None
    found = choose(Named("Berg"), [*both, known(3, "Berg")], chat=False)
    assert found is not None and found.id == 3


def test_namesakes_in_two_documents_stay_apart() -> None:
    pianist = known(1, "Ann Berg", described=PIANIST)
    assert choose(Named("Ann Berg", description=MAYOR), [pianist], chat=False) is None
    for same in ("the pianist Ann Berg", "", "a singer"):
        assert choose(Named("Ann Berg", description=same), [pianist], chat=False) == pianist


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("张伟是维也纳的爵士钢琴家。", "张伟是丹麦小镇市长。", True),
        ("张伟是维也纳的爵士钢琴家。", "张伟是一位钢琴家，住在丹麦。", False),
        ("张伟是医生。", "张伟是丹麦小镇市长。", False),  # says too little
    ],
)
def test_chinese_namesakes(one: str, other: str, apart: bool) -> None:
    assert told_apart(one, [other], ["张伟"]) is apart


def test_in_one_source_and_in_the_chat_a_name_is_one_thing() -> None:
    pianist = known(1, "Ann Berg", described=PIANIST)
    assert choose(Named("Ann Berg", description=MAYOR), [pianist], chat=True) == pianist
    here = known(1, "Ann Berg", described=PIANIST, here=True)
    assert choose(Named("Ann Berg", description=MAYOR), [here], chat=False) == here


def test_the_one_that_most_is_known_of_goes_first() -> None:
    found = choose(Named("Ann"), [known(1, "Ann", facts=2), known(2, "Ann", facts=9)], chat=False)
    assert found is not None and found.id == 2


def test_the_user_is_i() -> None:
    text = "I have a sister."
    found = named_in(Extraction((THE_USER, Mention("Ann", ("I",))), (said(text, "I", "has", "sister"),)))
    assert found["i"] is found["my"] is found["我"] is found["the user"]
    assert found["ann"].aliases == []


def test_pronouns_are_no_names() -> None:
    text = "Ann sings."
    extraction = Extraction(
        (Mention("Ann", ("she", "她", "the", " ", "Annie", "Annie")),),
        (said(text, "Bo", "knows", "Ann"), said(text, "annie", "description", "a singer", FactKind.DESCRIPTION)),
    )
    found = named_in(extraction)
    assert set(found) == {"ann", "annie", "bo"}
    assert found["ann"] is found["annie"]
    assert (found["ann"].aliases, found["ann"].description) == (["Annie"], "a singer")
