"""Which names of relations mean the opposite of each other, from which end."""

import pytest

from assistant.knowledge_bases.opposites import opposed


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("parents", "child"),
        ("children", "parent"),
        ("teacher", "student"),
        ("teacher", "doctoral_student"),
        ("student of", "student"),
        ("follows", "followed by"),
        ("influenced", "influenced by"),
        ("part of", "has part"),
        ("date of death", "date of birth"),
        ("place of death", "birthplace"),
        ("end time", "start time"),
        ("husband", "wife"),
        ("父亲", "儿子"),
        ("逝世日期", "出生日期"),
        ("最高点", "最低点海拔"),
    ],
)
def test_names_that_mean_the_opposite(asked: str, name: str) -> None:
    assert opposed(asked, name, outgoing=True)
    assert opposed(name, asked, outgoing=True)


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("father", "parents"),
        ("teacher", "student of"),
        ("follows", "follows"),
        ("wife", "spouse"),
        ("capital of", "capital"),
        ("director", "directed by"),
        ("date of birth", "place of birth"),
        ("dates of birth and death", "date of death"),
        ("父亲", "父母"),
    ],
)
def test_names_that_do_not(asked: str, name: str) -> None:
    assert not opposed(asked, name, outgoing=True)
    assert not opposed(name, asked, outgoing=True)


def test_from_its_object_a_relation_is_the_other_one() -> None:
    assert not opposed("children", "parent", outgoing=False)
    assert not opposed("sons", "mother", outgoing=False)
    assert opposed("parent", "parent", outgoing=False)
    assert opposed("children of", "parent", outgoing=False)
    assert opposed("influenced by", "influenced by", outgoing=False)
    assert not opposed("parent of", "parent", outgoing=False)
    assert opposed("died in", "place of birth", outgoing=False)
