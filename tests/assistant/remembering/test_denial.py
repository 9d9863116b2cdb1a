import pytest

from assistant.remembering.denial import denied


@pytest.mark.parametrize(
    ("sentence", "relation", "value"),
    [
        ("Ann Berg does not live in Oslo.", "lives in", "Oslo"),
        ("Ann Berg doesn’t live in Oslo.", "lives in", "Oslo"),
        ("Anna is not married to Tom.", "married to", "Tom"),
        ("Anna is not a doctor.", "is", "doctor"),
        ("No, I don't live in Rome, I live in Oslo.", "lives in", "Rome"),
        ("I don't like tea, but I like milk.", "like", "tea"),
        ("我不喜欢茶，喜欢咖啡。", "喜欢", "茶"),
        ("I have never been to Oslo.", "been to", "Oslo"),
        ("He has no children.", "has", "children"),
        ("My exam is on Friday, not on Thursday.", "is on", "Thursday"),
        ("安娜不住在奥斯陆。", "住在", "奥斯陆"),
        ("我女儿不喜欢茶。", "女儿喜欢", "茶"),
        ("安娜不是医生。", "是", "医生"),
    ],
)
def test_denied(sentence, relation, value):
    assert denied(sentence, relation, value)


@pytest.mark.parametrize(
    ("sentence", "relation", "value"),
    [
        ("Ann lives in Oslo, not in Rome.", "lives in", "Oslo"),
        ("No, I don't live in Rome, I live in Oslo.", "lives in", "Oslo"),
        ("我不喜欢茶，喜欢咖啡。", "喜欢", "咖啡"),
        ("No, Ann likes coffee.", "likes", "coffee"),
        ("No, Ann is in Oslo.", "is in", "Oslo"),
        ("I don't like tea, but I like milk.", "like", "milk"),
        ("I don't like tea.", "doesn't like", "tea"),  # says so itself
        ("It was not released until 2015.", "released in", "2015"),
        ("It was not only a hit but a scandal.", "is", "hit"),
        ("He never married Eve but worked with her.", "worked with", "Eve"),
        ("安娜住在奥斯陆，不住在卑尔根。", "住在", "奥斯陆"),
    ],
)
def test_not_denied(sentence, relation, value):
    assert not denied(sentence, relation, value)


@pytest.mark.parametrize("sentence", ["Ann no longer lives in Oslo.", "Ann doesn't live in Oslo any more."])
def test_what_ended_is_not_so(sentence):
    assert denied(sentence, "lives in", "Oslo")
    assert not denied(f"Bob is a painter. {sentence}", "is", "painter")


def test_what_ended_is_not_so_in_chinese():
    assert denied("安娜不再住在奥斯陆。", "住在", "奥斯陆")


@pytest.mark.parametrize("relation", ["住在", "居住地", "住"])
def test_denied_in_chinese_whatever_the_relation_is_called(relation):
    assert denied("我不住在上海了。", relation, "上海")
    assert denied("安娜住在奥斯陆，不住在上海。", relation, "上海")
    assert not denied("我住在上海。", relation, "上海")


@pytest.mark.parametrize("relation", ["工作单位", "工作", "在"])
def test_a_job_denied_in_chinese(relation):
    assert denied("我已经不在百度工作了。", relation, "百度")
    assert not denied("我不久前在百度工作。", relation, "百度")
