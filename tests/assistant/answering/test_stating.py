"""Answers that are said without a model."""

import pytest

from assistant.answering.stating import stated
from assistant.knowledge_bases.relations import CLEAR, NAMED
from assistant.search.evidence import RESULT
from assistant.types import Evidence


def found(subject, relation, object, **further) -> Evidence:
    return Evidence(**{"id": 1, "kb": "kb", "score": 1.0} | further, subject=subject, relation=relation, object=object)


@pytest.mark.parametrize(
    ("question", "triple", "said"),
    [
        ("What is the capital of Peru?", ("Peru", "capital", "Lima"), "The capital of Peru is Lima [1]."),
        ("What is the capital of Peru!", ("Peru", "capital", "Lima"), "The capital of Peru is Lima [1]."),
        ("Who is the maker of Heat?", ("Heat", "maker", "Apple Inc."), "The maker of Heat is Apple Inc. [1]."),
        ("秘鲁的首都在哪里？", ("秘鲁", "首都", "利马"), "秘鲁的首都是利马 [1]。"),
        ("厚德邨是哪种类型的屋邨？", ("厚德邨", "屋邨类别", "租住屋邨"), "厚德邨的屋邨类别是租住屋邨 [1]。"),
        ("what is Peru's capital", ("Peru", "capital", "Lima"), "Peru's capital is Lima [1]."),
        ("Who was the director of Heat?", ("Heat", "director", "Ann Lee"), "The director of Heat was Ann Lee [1]."),
        ("What was the date of birth of Ann?", ("Ann", "date of birth", "3 May 1920"), "3 May 1920 [1]."),
        ("What is the price of Dune?", ("Dune (1984 film)", "price", "9 euros."), "The price of Dune is 9 euros [1]."),
        (
            "杰克逊县人口密度是多少？",
            ("杰克逊县", "人口密度", "13人/km²（34人/mi²）"),
            "人口密度是13人/km²（34人/mi²） [1]。",
        ),
        ("你们知道李尔王的上映时间吗？", ("李尔王", "上映时间", "1935年"), "李尔王的上映时间是1935年 [1]。"),
        ("李尔王什么时候上映的？", ("李尔王", "上映时间", "1935年"), "李尔王的上映时间是1935年 [1]。"),
        ("《埋伏》的编剧是哪位？", ("埋伏", "编 剧", "郝迪; 姚然"), "埋伏的编剧是郝迪和姚然 [1]。"),
        ("痴情司有多少页？", ("痴情司", "页数", "183"), "痴情司的页数是183 [1]。"),
        ("云南有几个地级市？", ("云南", "地级市", "8个"), "云南的地级市是8个 [1]。"),
        ("蔷蘼属于什么亚科？", ("蔷蘼", "亚科", "蔷薇亚科"), "蔷蘼的亚科是蔷薇亚科 [1]。"),
        ("阿森纳什么时候成立的？", ("阿森纳", "成立时间", "1886年; 1886年9月19日"), "成立时间是1886年9月19日 [1]。"),
    ],
)
def test_what_one_relation_of_one_thing_is_needs_no_model(question, triple, said):
    assert stated(question, [found(*triple)]).endswith(said)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ("1886年; 1886年9月19日", "1886年9月19日"),
        ("2365万美元[2]; 2365万美元", "2365万美元[2]"),
        ("几内亚; 赤道几内亚", "几内亚和赤道几内亚"),
        ("Rocky; Rocky 2; rocky", "Rocky和Rocky 2"),
    ],
)
def test_one_value_is_not_said_twice(values, said):
    assert stated("甲的译名是什么？", [found("甲", "译名", values)]) == f"甲的译名是{said} [1]。"


def test_several_values_are_told_where_the_question_is_for_several():
    tongues = [found("Peru", "official language", "Spanish; Quechua; Aymara")]
    told = "The official languages of Peru are Spanish, Quechua and Aymara [1]."
    assert stated("What are the official languages of Peru?", tongues) == told
    assert not stated("What is the official language of Peru?", tongues)


@pytest.mark.parametrize(
    ("question", "triple"),
    [
        ("What is the capital of the largest neighbour of Peru?", ("Peru", "capital", "Lima")),
        ("What is the highest point of the capital of Peru?", ("Peru", "capital", "Lima")),
        ("What was the capital of Peru before 1535?", ("Peru", "capital", "Lima")),
        ("Is the capital of Peru Lima?", ("Peru", "capital", "Lima")),
        ("What is the capital of Chile?", ("Peru", "capital", "Lima")),
        ("What is the capital of Peru?", ("Peru > country", RESULT, "Lima")),
        ("What is Peru?", ("Peru", "capital", "Lima")),
        ("Who is Ann's father's father?", ("Ann", "father", "Bob")),
        ("Who is the mother of Ann's father?", ("Ann > mother > father", RESULT, "Bob")),
        ("Who was killed by Brutus?", ("Brutus", "killed by", "Octavian")),
        ("What is in the capital of Peru?", ("Peru", "capital", "Lima")),
        ("What is the capital of Peru and where is it?", ("Peru", "capital", "Lima")),
        ("What is the new mayor of York?", ("New York", "mayor", "Eric")),
        ("Who is the supplier of Acme?", ("Acme", "supplier of", "Beta")),
        ("What is the capital of Nairobi?", ("Nairobi", "capital of", "Kenya")),
        ("Who is the publisher of Dune?", ("Dune", "published", "1965")),
        ("Who are the producers of Nokia?", ("Nokia", "produces", "phones")),
        ("What is the family name of Ann?", ("Ann", "family", "House of Berg")),
        ("李四在哪里去世？", ("李四", "去世", "1998年")),
        ("李四有多少作品？", ("李四", "作品", "红楼梦")),
        ("李四为什么离婚？", ("李四", "离婚", "1998年")),
        ("李四怎么去世的？", ("李四", "去世", "1998年")),
        ("张三的学校在哪里？", ("张三", "学校", "北大")),
        ("李四的公司是什么类型？", ("李四", "公司", "大唐")),
        ("李四的电影属于哪种类型？", ("李四", "电影", "大唐")),
        ("李尔王什么时候在哪里上映的？", ("李尔王", "上映时间", "1935年")),
        ("张三是谁的父亲？", ("张三", "父亲", "李四")),
        ("什么收购了大唐公司？", ("大唐公司", "收购", "小唐")),
        ("张三拥有哪些？", ("张三", "拥有者", "李四")),
        ("张三的父亲的父亲是谁？", ("张三", "父亲", "李四")),
        ("李尔王的导演的出生地是哪里？", ("李尔王", "导演", "王小波")),
        ("李尔王在哪里上映的？", ("李尔王", "上映时间", "1935年")),
        ("李尔王的导演是王小波吗？", ("李尔王", "导演", "王小波")),
        ("李尔王有几个导演？", ("李尔王", "导演", "王小波")),
        ("李尔王的导演最喜欢什么？", ("李尔王", "导演", "王小波")),
        ("哪部电影的导演是王小波？", ("李尔王", "导演", "王小波")),
        ("苏湖从哪儿流出来？", ("苏湖", "流入", "甲河")),
    ],
)
def test_what_asks_for_anything_else_is_left_to_the_model(question, triple):
    assert stated(question, [found(*triple)]) == ""


def test_what_was_found_by_another_name_or_in_text_is_left_to_the_model():
    capital = ("Peru", "capital", "Lima")
    asked = "What is the capital of Peru?"
    assert stated(asked, [found(*capital, score=NAMED)]) == stated(asked, [found(*capital, score=CLEAR)]) != ""
    assert not stated(asked, [found(*capital, score=CLEAR - 0.01)])
    assert not stated(asked, [found(*capital, text="Lima is where they met.")])
    assert not stated("What is the money of Peru?", [found("Peru", "currency", "sol")])


def test_what_two_sources_say_otherwise_is_left_to_the_model():
    asked, one = "What is the capital of Peru?", found("Peru", "capital", "Lima")
    assert not stated(asked, [one, found("Peru", "capital", "Cusco", id=2)])
    assert stated(asked, [one, found("Peru", "capital", "Lima", id=2), found("Peru", "currency", "sol", id=3)])


@pytest.mark.parametrize(
    ("question", "path", "last", "said"),
    [
        ("甲书的作者的国籍是什么？", "甲书 > 作者 > 国籍", "国籍", "甲书的作者的国籍是秘鲁 [1]。"),
        ("甲书的作者的沉船有多长？", "甲书 > 作者 > 沉船 > 有多长", "长度", "甲书的作者的沉船的长度是秘鲁 [1]。"),
        ("甲书的作者的国籍是什么？", "甲书 > 作者 > 出生地", "出生地", ""),
        ("甲书的作者的妻子的国籍是什么？", "甲书 > 作者 > 国籍", "国籍", ""),
        ("甲书的作者有几个国籍？", "甲书 > 作者 > 国籍", "国籍", ""),
        (
            "What is the code of Peru's currency?",
            "Peru > currency > code",
            "code",
            "The code of Peru's currency is 秘鲁 [1].",
        ),
        ("What is the code of Peru's currency?", "Peru > code", "code", ""),
        ("What is the smallest code of Peru's currency?", "Peru > currency > code", "code", ""),
        ("甲书的作者的国籍是秘鲁吗？", "甲书 > 作者 > 国籍", "国籍", ""),
    ],
)
def test_where_a_path_leads_that_the_question_spells_out_needs_no_model(question, path, last, said):
    assert stated(question, [found(path, RESULT, "秘鲁"), found("王小波", last, "秘鲁", id=2)]) == said
    assert not stated(question, [found(path, RESULT, "秘鲁", score=CLEAR - 0.01), found("王小波", last, "秘鲁", id=2)])


@pytest.mark.parametrize(
    ("score", "last"),
    [
        (NAMED - 0.01, found("Ann", "wife", "Eve", id=2)),
        (1.0, found("Ann", "brother", "Eve", id=2)),
        (1.0, found("Eve", "wife", "Ann", id=2)),
        (1.0, found("Ann", "wife", "Eve", id=2, text="until 1990")),
    ],
)
def test_a_path_that_went_another_way_than_its_words_is_left_to_the_model(score, last):
    question, path = "Who is the wife of Peru's president?", "Peru > president > wife"
    right = [found(path, RESULT, "Eve"), found("Ann", "wife", "Eve", id=2)]
    assert stated(question, right) == "The wife of Peru's president is Eve [1]."
    assert not stated(question, [found(path, RESULT, "Eve", score=score), last])
