"""Programs that stop short of the path that they plan."""

import pytest

from assistant.search.programs.path import completed, path


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
    ("question", "steps", "wanted"),
    [
        ("What is the capital of the country that the city of Lahore belongs to?", ["country"], ["country", "capital"]),
        (
            "which is the official language of the country whose capital is Lahore",
            ["country"],
            ["country", "official language"],
        ),
        ("What is the capital of the country that Lahore is in?", ["country", "capital"], ["country", "capital"]),
        ("What is the capital of the country that Lahore is in?", ["province"], ["province"]),
        ("What is the country of Lahore?", ["country"], ["country"]),
        ("What are the names of the country that Lahore is in?", ["country"], ["country"]),
    ],
)
def test_what_is_asked_of_the_thing_that_the_steps_end_at_is_added(question, steps, wanted):
    relations = [", ".join(f"['{step}']" for step in given) for given in (steps, wanted)]
    paths = [" > ".join(["Lahore", *given]) for given in (steps, wanted)]
    before, after = (f"# {p}\nfind_entity_or_value(['Lahore'], {r})" for p, r in zip(paths, relations, strict=True))
    assert completed(before, question, ["Lahore"]) == after


def test_a_step_keeps_no_name_of_another_one():
    question = "who wrote the screenplay for the movies starred by Ann Lee"
    steps = "['movies starred', 'screenwriter in'], ['screenwriters', 'starring']"
    code = f"# Ann Lee > movies starred > screenwriters\nfind_entity_or_value(['Ann Lee'], {steps})"
    assert completed(code, question, ["Ann Lee"]).endswith("['Ann Lee'], ['movies starred'], ['screenwriters'])")
    right = "['movies directed', 'director of'], ['directors', 'directed by'], ['actors', 'acted in']"
    code = f"# Ann Lee > movies directed > directors > actors\nfind_entity_or_value(['Ann Lee'], {right})"
    assert completed(code, "which actors did Ann Lee's co-directors direct", ["Ann Lee"]) == code


def test_a_name_that_begins_with_a_known_one_stays_whole():
    question = "What is Nancy Soderberg chairman of?"
    code = "# Nancy Soderberg > chairman of\nfind_entity_or_value(['Nancy Soderberg'], ['chairman of'])"
    assert completed(code, question, ["Nancy"]) == code
    beside = "# Nancy mayor\nfind_entity_or_value(['Nancy mayor'], ['mayor'])"
    assert "['Nancy']" in completed(beside.replace("# Nancy", "# Nancy >"), "Who is the Nancy mayor?", ["Nancy"])


@pytest.mark.parametrize(
    ("question", "steps", "wanted"),
    [
        ("who wrote the movies acted by Ann", ["actors", "movies acted in", "writers"], ["movies acted in", "writers"]),
        ("who wrote the films directed by Ann", ["director", "films directed", "writer"], ["films directed", "writer"]),
        ("who directed the films written by Ann's sister", ["sister", "films written"], ["sister", "films written"]),
        ("whose films share a director with those directed by Ann", ["films directed", "director"], None),
        ("which films did the director of Ann also direct", ["director", "films directed"], None),
        ("films directed by the Ann director", ["director", "films directed"], None),
    ],
)
def test_a_first_step_that_turns_round_the_next_is_left_out(question, steps, wanted):
    relations = [", ".join(f"['{step}']" for step in given) for given in (steps, wanted or steps)]
    paths = [" > ".join(["Ann", *given]) for given in (steps, wanted or steps)]
    before, after = (f"# {p}\nfind_entity_or_value(['Ann'], {r})" for p, r in zip(paths, relations, strict=True))
    assert completed(before, question, ["Ann"]) == after


def test_a_step_of_function_words_is_none():
    code = "# Heat > in > writers > films\nfind_entity_or_value(['Heat'], ['in'], ['writers', 'by'], ['films'])"
    wanted = "# Heat > writers > films\nfind_entity_or_value(['Heat'], ['writers', 'by'], ['films'])"
    assert completed(code, "the films of the writers in Heat", ["Heat"]) == wanted
    code = "# Heat in > writers > films\nfind_entity_or_value(['Heat in'], ['writers', 'by'], ['films'])"
    assert completed(code, "the films with writers of Heat in", ["Heat"]) == wanted


def test_a_call_that_repeats_itself_follows_its_path():
    code = "# Heat > director > films directed\nfind_entity_or_value(['Heat'], ['director'], ['director'])"
    wanted = "# Heat > director > films directed\nfind_entity_or_value(['Heat'], ['director'], ['films directed'])"
    assert completed(code, "films by the director of Heat", ["Heat"]) == wanted


def test_a_path_without_an_end_is_none():
    code = f"# Seychelles{' > place' * 40}"
    assert completed(code, "Where are the Seychelles?", ["Seychelles"]) == code


def test_a_name_that_begins_with_an_article_is_told_from_what_is_beside_it():
    code = "# The Rose director > films\nfind_entity_or_value(['The Rose director'], ['films'])"
    wanted = "# The Rose > director > films\nfind_entity_or_value(['The Rose'], ['director'], ['films'])"
    assert completed(code, "the films by the The Rose director", ["The Rose"]) == wanted


@pytest.mark.parametrize(
    "code",
    [
        '# Heat > director\nfind_entity_or_value(["Heat"], ["director", "directed by"])',
        '# Bolivia > neighbours > count\nlen(find_entity_or_value(["Bolivia"], ["neighbours"]))',
        '# Bolivia > neighbours > count\nfind_entity_or_value(["Bolivia"], ["neighbours"])',
        '# Mali > neighbours > largest area\nfind_entity_or_value(["Mali"], ["neighbours"])',
        '# 马里 > 邻国 > 面积最大的\nfind_entity_or_value(["马里"], ["邻国"])',
        "# Heat > director\na = find_entity_or_value(['Heat'], ['director'])\na",
        '# Heat > director > age\nfind_entity_or_value(["Heat"], names)',
        '# Olga Petrov\nget_entity_info(["Olga Petrov"])',
        "# Bolivia > neighbours > count",
        "# Heat > director\nnot a program",
        "",
    ],
)
def test_other_programs_stay_as_they_are(code):
    assert completed(code) == code


@pytest.mark.parametrize(
    ("code", "names", "wanted"),
    [
        (
            '# Jaws director > films\nfind_entity_or_value(["Jaws director"], ["films", "director of"])',
            ["Jaws"],
            "# Jaws > director > films\nfind_entity_or_value(['Jaws'], ['director'], ['films', 'director of'])",
        ),
        (
            '# 红河的电视台 > 成立时间\nfind_entity_or_value(["红河的电视台"], ["成立时间"])',
            ["红河"],
            "# 红河 > 电视台 > 成立时间\nfind_entity_or_value(['红河'], ['电视台'], ['成立时间'])",
        ),
        (
            '# 奥运会 > 上一届\nfind_entity_or_value(["奥运会"], ["上一届"])',
            ["2016年奥运会"],
            "# 2016年奥运会 > 上一届\nfind_entity_or_value(['2016年奥运会', '奥运会'], ['上一届'])",
        ),
        (
            '# iPhone制造商 > 总部\nfind_entity_or_value(["iPhone制造商"], ["总部"])',
            ["iPhone"],
            "# iPhone > 制造商 > 总部\nfind_entity_or_value(['iPhone'], ['制造商'], ['总部'])",
        ),
        (
            '# 果园 > 创始人 > 作品的编曲\nfind_entity_or_value(["果园"], ["创始人"], ["作品的编曲"])',
            ["果园"],
            "# 果园 > 创始人 > 作品 > 编曲\nfind_entity_or_value(['果园'], ['创始人'], ['作品'], ['编曲'])",
        ),
    ],
)
def test_a_name_that_is_known_is_told_from_the_relation_beside_it(code, names, wanted):
    assert completed(code, "", names) == wanted


def test_names_that_have_nothing_to_do_with_the_entity_change_nothing():
    code = '# Heat > director\nfind_entity_or_value(["Heat"], ["director"])'
    assert completed(code, "Who directed Heat?", ["Ali", "Jaws"]) == code
    assert completed(code, "Who directed Heat?", ["heat"]) == code


@pytest.mark.parametrize(
    ("entity", "question", "names"),
    [
        (["the user", "me", "I"], "Does my sister live in Berlin?", ["Berlin"]),
        (["Roman"], "Does Roman's sister live in Romania?", ["Romania"]),
        (["Romeo"], "Does Romeo's sister live in Rome?", ["Rome"]),
    ],
)
def test_what_only_looks_like_a_known_name_is_not_taken_for_it(entity, question, names):
    code = f"# {entity[0]} > sister > residence\nfind_entity_or_value({entity}, ['sister'], ['residence'])"
    assert completed(code, question, names) == code


def test_an_entity_that_the_question_does_not_name_is_the_one_that_it_does():
    code = "# 你的歌曲 > 专辑\nfind_entity_or_value(['你的歌曲'], ['专辑'])"
    wanted = "# 因为有你 > 专辑\nfind_entity_or_value(['因为有你'], ['专辑'])"
    assert completed(code, "因为有你这首歌属于什么专辑？", ["因为有你"]) == wanted


def test_a_step_that_the_entity_s_own_name_says_is_none():
    code = "# 素描的方法 > 方法 > 用途\nfind_entity_or_value(['素描', '素描的方法'], ['方法'], ['用途'])"
    wanted = "# 素描的方法 > 用途\nfind_entity_or_value(['素描的方法', '素描'], ['用途'])"
    assert completed(code, "素描的方法有什么用途？", ["素描的方法"]) == wanted


@pytest.mark.parametrize(
    ("code", "question", "name", "wanted"),
    [
        (
            '# 石猴 > 师傅\nfind_entity_or_value(["石猴"], ["师傅"])',
            "谁是石猴的别名的师傅？",
            "石猴",
            "# 石猴 > 别名 > 师傅\nfind_entity_or_value(['石猴'], ['别名'], ['师傅'])",
        ),
        (
            '# 石猴 > 别名\nfind_entity_or_value(["石猴"], ["别名", "又名"])',
            "石猴的别名的师傅是谁？",
            "石猴",
            "# 石猴 > 别名 > 师傅\nfind_entity_or_value(['石猴'], ['别名', '又名'], ['师傅'])",
        ),
        (
            '# 鲁迅 > 妻子\nfind_entity_or_value(["鲁迅"], ["妻子"])',
            "鲁迅的第一任妻子的职业是什么？",
            "鲁迅",
            "# 鲁迅 > 第一任妻子 > 职业\nfind_entity_or_value(['鲁迅'], ['第一任妻子'], ['职业'])",
        ),
        (
            '# 酷搏 > 最大扭矩 > 2010款\nfind_entity_or_value(["酷搏"], ["最大扭矩"])',
            "2010款酷搏的最大扭矩是多少？",
            "2010款酷搏",
            "# 2010款酷搏 > 最大扭矩\nfind_entity_or_value(['2010款酷搏', '酷搏'], ['最大扭矩'])",
        ),
    ],
)
def test_a_step_that_stands_in_a_chinese_question_is_put_back(code, question, name, wanted):
    assert completed(code, question, [name]) == wanted


def test_what_stands_between_two_things_is_no_relation():
    code = '# 云南 > 省会 > 人口\nfind_entity_or_value(["云南"], ["省会"], ["人口"])'
    assert completed(code, "云南的省会和贵州的省会的人口差是多少？", ["云南", "贵州"]) == code


def test_a_path_alone_is_a_program():
    assert completed("# 水仙 >花期") == "# 水仙 > 花期\nfind_entity_or_value(['水仙'], ['花期'])"


def test_what_the_last_try_came_to_is_not_part_of_a_path():
    repeated = "# Ulm Cup, Aalen Cup > record, won by: nothing found; Ulm Cup has: was their > year"
    assert completed(repeated) == "# Ulm Cup, Aalen Cup > record, won by > year\n" + (
        "find_entity_or_value(['Ulm Cup, Aalen Cup'], ['record, won by'], ['year'])"
    )
