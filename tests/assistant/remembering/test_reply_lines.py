import pytest

from assistant.remembering.reply_lines import Told, read


def facts(*strings: str, said: str = "") -> list[tuple[str, str, str]]:
    return [(line.subject, line.relation, line.object) for told in read([strings], [said]) for line in told.lines]


@pytest.mark.parametrize(
    ("strings", "expected"),
    [
        (("x", "Ada|likes|tea", "|plays|chess"), [("Ada", "likes", "tea"), ("Ada", "plays", "chess")]),
        (("x", "Ada|likes|tea|jazz"), [("Ada", "likes", "tea"), ("Ada", "likes", "jazz")]),
        (("x", "Ada|likes|tea", "|jazz"), [("Ada", "likes", "tea"), ("Ada", "likes", "jazz")]),
        (("x", "Ada|likes|tea", "she|plays|chess"), [("Ada", "likes", "tea"), ("Ada", "plays", "chess")]),
        (("x", "Ada|likes|tea", "Ada|likes|tea"), [("Ada", "likes", "tea")]),
        (("x", "Up|is|1994 film", "Ed|is|man", "the film|won|Oscar"), [("Up", "won", "Oscar")]),
        (("x", "Up|is|1994 film", "Film|won|Oscar"), [("Up", "won", "Oscar")]),
        (("x", "Ada|likes|tea", "since|2011"), [("Ada", "likes", "tea"), ("Ada", "since", "2011")]),
        (("x", "Ada|in|Belgium", "|and|France"), [("Ada", "in", "Belgium"), ("Ada", "in", "France")]),
        (("x", "Ada|is owned by", "two investors"), [("Ada", "is owned by", "two investors")]),
        (("x", "Ada|was diagnosed with a cold"), [("Ada", "was diagnosed with", "a cold")]),
        (("x", "Ada|is|produced by|Bo"), [("Ada", "is produced by", "Bo")]),
        (("Ada|likes|tea",), [("Ada", "likes", "tea")]),
    ],
)
def test_what_is_left_out_is_that_of_the_line_before(strings, expected):
    assert facts(*strings)[-len(expected) :] == expected


def test_and_is_no_relation():
    assert facts("x", "Maxeda|is|result", "KBB|and|Vendex") == [("Maxeda", "is", "result")]


@pytest.mark.parametrize(
    ("objects", "several"),
    [
        ("director, writer and producer", ["director", "writer", "producer"]),
        ("Ann Lee, Bo Ek, and Cy Ray", ["Ann Lee", "Bo Ek", "Cy Ray"]),
        ("英语、法语和德语", ["英语", "法语", "德语"]),
        ("Los Angeles, California", ["Los Angeles, California"]),
        ("Simon and Garfunkel", ["Simon and Garfunkel"]),
        ("Ann Lee and Bo Ek", ["Ann Lee", "Bo Ek"]),
        ("16 July 1966", ["16 July 1966"]),
    ],
)
def test_an_enumeration_is_several_objects(objects, several):
    assert [object_ for _, _, object_ in facts("x", f"Ada|knows|{objects}")] == several


def test_a_reply_may_begin_with_what_its_sentence_tells():
    told = read([["storm of 1902"], ["nothing", "Ada|likes|tea", "Ada"], []], [""] * 3)
    assert told[0] == Told("", "storm of 1902", ())
    assert (told[1].subject, told[1].topic, told[1].lines[0].sentence, told[1].unread) == ("Ada", "nothing", 1, 1)
    assert told[2] == Told("Ada", "", ())


@pytest.mark.parametrize(
    ("said", "string", "expected"),
    [
        ("我叔叔住在苏州", "the user|叔叔|住在|苏州", [("the user", "叔叔住在", "苏州")]),
        ("我对芒果过敏", "the user|对|芒果|过敏", [("the user", "对芒果", "过敏")]),
        ("Ben has  horses called Rex.", "Ben|has|horses called|Rex", [("Ben", "has horses called", "Rex")]),
        (
            "Ben has horses, Rex and Bo.",
            "Ben|has horses|Rex|Bo",
            [("Ben", "has horses", "Rex"), ("Ben", "has horses", "Bo")],
        ),
        ("小敏会说法语、德语", "小敏|会说|法语|德语", [("小敏", "会说", "法语"), ("小敏", "会说", "德语")]),
    ],
)
def test_objects_that_nothing_sets_apart_are_one(said, string, expected):
    assert facts(string, said=said) == expected
