"""Questions in Chinese that spell out their path, or ask for one step, on a small file of triples."""

import pytest

from assistant.embedding import load_embedder
from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.files.building import build
from assistant.knowledge_bases.files.formats import guess_format, read_triples
from assistant.knowledge_bases.files.triples import Triples
from assistant.knowledge_bases.linking import Linking
from assistant.knowledge_bases.relations import RelationRanker
from assistant.search.programs.loose_reading import read_loosely
from assistant.search.programs.reading import Known, read

TRIPLES = """\
文学少女\t主演\t伊藤静
文学少女\t作者\t野村美月
伊藤静\t出道作品\t机魂末世录
伊藤静\t血型\tA
远程指示元素\t例如\t砷
砷\t发现人\t麦格努斯
砷\t熔点\t817℃
云南\t别名\t滇
云南\t省会\t昆明
云南\t邻国\t缅甸
云南\t邻国\t老挝
云南\t面积\t39.4万平方千米
昆明\t市花\t山茶
妈妈\t职业\t教师
云南\t地级市\t8个
云南\t民族数\t二十六
缅甸\t邻国\t万象
芈\t部外笔画\t5
巴雷特\t枪管\t1根
巴雷特\t枪管材质\t不锈钢
不锈钢\t材质\t镍
巴雷特\t枪管长度\t737毫米
昆明\t城市类型\t省会
昆明\t配 音\t甲
昆明\t配音\t乙
昆明\t属\t滇属
滇属\t族\t滇族
昆明\t辖区\t辖32个村
昆明\t医院数量\t共68间
昆明\t最大深度\t10米
昆明\t现任主席\t丙
昆明\t创办者\t丁
昆明\t打败\t戊
昆明\t相关学科\t地理
昆明\t成立地点\t己
昆明\t动画制作\t庚
市井小人\t释义\t庸俗之人
有谁知道\t演唱者\t辛
我是谁\t导演\t成龙
山海\t作者\t市井小人
缅甸\t首都\t内比都
内比都\t城市类型\t城市
"""


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reading")
    file = folder / "triples.tsv"
    file.write_text(TRIPLES, encoding="utf-8")
    build(folder / "kb", read_triples(file, guess_format(file)), "triples.tsv")
    kb = Triples("small", folder / "kb", ["zh"])
    ranker = RelationRanker(load_embedder("", folder / "cache"))

    def reading(reads):
        return lambda question, *names: reads(names, Known(Linking(kb, question, Deadline.after(10), ranker)))

    reading.kb, reading.ranker = kb, ranker
    yield reading
    kb.close()


@pytest.fixture(scope="module")
def program(reader):
    return reader(read)


@pytest.fixture(scope="module")
def loosely(reader):
    return reader(read_loosely)


@pytest.mark.parametrize(
    ("question", "name", "steps"),
    [
        ("你记得文学少女的主演的出道作品是哪部吗？", "文学少女", ["主演", "出道作品"]),
        ("有谁知道《文学少女》的作者是谁？", "文学少女", ["作者"]),
        ("哪个人是文学少女的作者？", "文学少女", ["作者"]),
        ("请问云南的省会的市花叫什么", "云南", ["省会", "市花"]),
        ("谁知道远程指示元素的例如是谁发现的呢？", "远程指示元素", ["例如", "是谁发现的"]),
        ("云南的面积有多大", "云南", ["面积"]),
        ("云南的面积大约是多少平方千米", "云南", ["面积"]),
        ("请告诉我云南的面积有多大", "云南", ["面积"]),
        ("云南的省会是哪座城市？", "云南", ["省会"]),
        ("缅甸的首都是哪座城市", "缅甸", ["首都"]),
        ("云南的省会是什么市花", "云南", ["省会", "市花"]),
        ("云南有几个地级市？", "云南", ["地级市"]),
        ("云南的地级市有几个？", "云南", ["地级市"]),
        ("云南一共有多少民族", "云南", ["民族数"]),
        ("请问芈的部外笔画有多少？", "芈", ["部外笔画"]),
        ("芈字的部外笔画是多少？", "芈", ["部外笔画"]),
        ("巴雷特的枪管有多长？", "巴雷特", ["枪管长度"]),
        ("文学少女这部作品的作者是谁？", "文学少女", ["作者"]),
        ("我很好奇云南的省会是哪里", "云南", ["省会"]),
        ("云南的别名该怎么写", "云南", ["别名"]),
        ("云南的别名怎么说？", "云南", ["别名"]),
        ("云南的省会是啥呀", "云南", ["省会"]),
        ("云南的省会是什么类型的城市？", "云南", ["省会", "是什么类型的城市"]),
        ("云南的省会是在哪里成立的？", "云南", ["省会", "是在哪里成立的"]),
        ("云南的省会最大有多深？", "云南", ["省会", "最大有多深"]),
        ("云南的省会现任的主席是谁", "云南", ["省会", "现任主席"]),
        ("云南的省会一共有多少间医院", "云南", ["省会", "医院数量"]),
        ("云南的省会有几个辖区", "云南", ["省会", "辖区"]),
        ("昆明的属属于什么族？", "昆明", ["属", "属于什么族"]),
        ("昆明的动画制作者是谁？", "昆明", ["动画制作者是谁"]),
        ("昆明的配音是谁？", "昆明", ["配音"]),
        ("你知道与云南的省会相关的学科吗？", "云南", ["省会", "相关学科"]),
        ("巴雷特的枪管材质是什么材质的啊？", "巴雷特", ["枪管材质"]),
        ("山海的作者是什么意思？", "山海", ["作者", "是什么意思"]),
    ],
)
def test_the_relations_that_stand_in_the_question_are_followed(program, question, name, steps):
    relations = ", ".join(f"['{step}']" for step in steps)
    assert program(question, name) == f"# {' > '.join([name, *steps])}\nfind_entity_or_value(['{name}'], {relations})"


def test_what_a_question_is_worded_with_is_no_name(program, loosely):
    assert program("有谁知道云南的省会是什么", "有谁知道", "云南").startswith("# 云南 > 省会\n")
    assert loosely("有谁知道伊藤静是干什么的", "有谁知道", "伊藤静").startswith("# 伊藤静 > 是干什么的\n")
    assert program("《我是谁》的导演是谁", "我是谁").startswith("# 我是谁 > 导演\n")


def test_a_path_may_begin_with_any_name_in_the_question(program):
    assert program("昆明的市花是什么花，告诉我", "告诉我们", "昆明") == program("昆明的市花是什么花", "昆明")
    assert program("什么是文学少女的作者", "文学少女", "什么") != ""


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("云南的省会是昆明吗？", ["云南", "昆明"]),
        ("云南的邻国有几个？", ["云南"]),
        ("缅甸有几个邻国？", ["缅甸"]),
        ("云南有多少湖泊？", ["云南"]),
        ("云南的邻国中，哪个面积最大？", ["云南"]),
        ("哪部作品的主演是伊藤静？", ["伊藤静"]),
        ("与云南接壤的国家使用什么货币？", ["云南"]),
        ("云南的省会的市长是谁？", ["云南"]),
        ("云南的总统是谁", ["云南"]),
        ("云南的面积增长率是多少", ["云南"]),
        ("我妈妈的职业是什么？", ["妈妈"]),
        ("我的妈妈的职业是什么？", ["妈妈"]),
        ("云南的别名为什么是滇", ["云南"]),
        ("昆明的市花在云南吗？", ["昆明"]),
        ("云南的省会是昆明还是大理？", ["云南"]),
        ("谁打败了昆明？", ["昆明"]),
        ("谁打败过昆明？", ["昆明"]),
        ("你知道是谁创办了云南的省会吗？", ["云南"]),
        ("缅甸是哪国的首都？", ["缅甸"]),
        ("缅甸是哪个国家的首都？", ["缅甸"]),
        ("昆明的总统是谁？哪年成立的？", ["昆明"]),
        ("哪个城市的市花是昆明的市花？", ["昆明"]),
        ("西藏的省会是哪里", []),
        ("西藏的省会是哪里", ["西藏"]),
        ("What is the 省会 of 云南?", ["云南"]),
    ],
)
def test_what_asks_for_something_else_is_left_to_the_model(program, question, names):
    assert program(question, *names) == ""


@pytest.mark.parametrize(
    ("question", "name", "steps"),
    [
        ("谁创作了文学少女？", "文学少女", ["谁创作了"]),
        ("请问是谁给《文学少女》配的音？", "文学少女", ["是谁给配的音"]),
        ("你知道谁是文学少女的主角吗？", "文学少女", ["谁是主角"]),
        ("市井小人是什么意思啊？", "市井小人", ["是什么意思"]),
        ("你知道昆明建成的地方吗", "昆明", ["建成的地方"]),
        ("昆明一共有多少个村子？", "昆明", ["一共有多少个村子"]),
        ("伊藤静是干什么的，有人知道吗？", "伊藤静", ["是干什么的"]),
        ("2010年云南有多大来着？", "云南", ["2010年有多大"]),
        ("昆明如今的主席叫什么？", "昆明", ["如今的主席叫什么"]),
        ("云南的省会的主席是哪位？", "云南", ["省会", "主席是哪位"]),
        ("2010年云南的省会的主席叫什么？", "云南", ["省会", "2010年主席叫什么"]),
        ("请问，伊藤静是干什么的？", "伊藤静", ["是干什么的"]),
        ("云南位于何处", "云南", ["位于何处"]),
        ("你知道昆明的社会结构吗？", "昆明", ["社会结构"]),
        ("请问昆明的能源政策", "昆明", ["能源政策"]),
        ("那么昆明的能源如何", "昆明", ["能源如何"]),
        ("云南的省会是哪座城市来着？", "云南", ["省会是哪座城市"]),
        ("昆明属于什么族群？", "昆明", ["属于什么族群"]),
    ],
)
def test_a_last_step_in_words_of_its_own_is_followed_by_these(loosely, question, name, steps):
    relations = ", ".join(f"['{step}']" for step in steps)
    assert loosely(question, name) == f"# {' > '.join([name, *steps])}\nfind_entity_or_value(['{name}'], {relations})"


@pytest.mark.parametrize(
    "wording",
    ["到底是哪里", "究竟是什么", "现在是哪里", "叫做什么", "应该是哪里", "是什么样子的", "是哪个城市", "的名字叫什么"],
)
def test_how_a_question_is_worded_is_no_step(program, loosely, wording):
    question = f"云南的省会{wording}？"
    assert (program(question, "云南") or loosely(question, "云南")).count(">") == 1


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("云南是什么？", ["云南"]),
        ("云南的省会是昆明吗？", ["云南", "昆明"]),
        ("你知道云南的省会是昆明吗？", ["云南", "昆明"]),
        ("昆明有没有市花？", ["昆明"]),
        ("云南有几个邻国？", ["云南"]),
        ("云南的邻国中，哪个面积最大？", ["云南"]),
        ("云南最大的城市是哪个？", ["云南"]),
        ("哪部作品的主演是伊藤静？", ["伊藤静"]),
        ("与云南接壤的国家使用什么货币？", ["云南"]),
        ("是谁创办了云南的省会？", ["云南"]),
        ("云南的省会的面积增长率是多少？", ["云南"]),
        ("我妈妈是做什么的？", ["妈妈"]),
        ("谁是我的伊藤静？", ["伊藤静"]),
        ("云南我去过几次？", ["云南"]),
        ("云南离我家多远？", ["云南"]),
        ("云南离北京多远？", ["云南"]),
        ("《云南》好看吗？", ["云南"]),
        ("请问云南靠海吗？", ["云南"]),
        ("请问昆明的物价高吗？", ["昆明"]),
        ("告诉我昆明的交通方便吗？", ["昆明"]),
        ("你知道伊藤静写过小说吗？", ["伊藤静"]),
        ("请问伊藤静结婚了没？", ["伊藤静"]),
        ("什么是云南？", ["云南"]),
        ("谁是伊藤静？", ["伊藤静"]),
        ("伊藤静是一个什么样的人？", ["伊藤静"]),
        ("谁住在昆明？", ["昆明"]),
        ("伊藤静为啥退役？", ["伊藤静"]),
        ("伊藤静主演的《昆明》的作者是谁？", ["伊藤静", "昆明"]),
        ("云南为什么叫滇", ["云南"]),
        ("昆明在云南吗？", ["昆明"]),
        ("云南的省会是昆明还是大理？", ["云南"]),
        ("谁打败了昆明？", ["昆明"]),
        ("缅甸是哪个国家的首都？", ["缅甸"]),
        ("昆明的总统是谁？哪年成立的？", ["昆明"]),
        ("西藏在哪里", ["西藏"]),
        ("Who is the 作者 of 文学少女?", ["文学少女"]),
    ],
)
def test_what_asks_for_no_step_is_left_to_the_model(loosely, question, names):
    assert loosely(question, *names) == ""


def test_an_entity_is_read_once_in_both_ways(reader, monkeypatch):
    asked, triples = [], reader.kb.triples

    def noting(entity, *rest):
        asked.append(entity.name)
        return triples(entity, *rest)

    monkeypatch.setattr(reader.kb, "triples", noting)
    known = Known(Linking(reader.kb, "云南的省会打败了谁？", Deadline.after(10), reader.ranker))
    read(["云南"], known)
    assert asked == ["云南", "昆明"]
    read_loosely(["云南"], known)
    assert asked == ["云南", "昆明"]
