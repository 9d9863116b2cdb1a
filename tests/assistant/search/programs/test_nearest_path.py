"""Questions that mean a path without saying it, on a small file of triples and with the embedding that is shipped."""

import pytest

from assistant.embedding import load_embedder
from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.linking import Linking
from assistant.knowledge_bases.relations import RelationRanker
from assistant.search.examples import Example, ExampleBank
from assistant.search.programs.bank import program_examples
from assistant.search.programs.nearest_path import asks_for_path, read_nearest, read_planned, relations_in
from assistant.search.programs.path import path
from assistant.search.vector_cache import VectorCache

TRIPLES = """\
Varrel\tcapital\tOstby
Varrel\tarea\t1200 km²
Varrel\tnational anthem\tSong of the Firs
Ostby\tmayor\tLena Holm
Ostby\tpopulation\t81,000
Lena Holm\tdate of birth\t3 May 1960
Lena Holm\tteacher\tKarl Menz
Night Ferry\tcomposer\tKarl Menz
Night Ferry\trunning time\t96 minutes
Night Ferry\tproduction company\tNordlys
瓦雷尔\t首都\t奥斯特比
瓦雷尔\t面积\t1200平方公里
奥斯特比\t市长\t莱娜
"""


@pytest.fixture(scope="module")
def small(small_kb, tmp_path_factory):
    cache = tmp_path_factory.mktemp("nearest")
    embedder = load_embedder("", cache)
    ranker = RelationRanker(embedder)
    bank = ExampleBank(program_examples(), embedder, VectorCache(cache, embedder))
    return lambda question: Linking(small_kb, question, Deadline.after(20), ranker), bank


def read(small, question, *names):
    linking, bank = small
    near = bank.nearest(question, 40, names=names)
    return path(read_nearest(names, linking(question), near, relations_in(bank.examples)))


def test_a_plain_path_is_followed_under_other_words(small):
    assert read(small, "瓦雷尔有多大？", "瓦雷尔") == "瓦雷尔 > 面积"


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What is the climate of Varrel like?", "Varrel"),
        ("Who was the first king of Varrel?", "Varrel"),
        ("瓦雷尔的首都是哪年建立的？", "瓦雷尔"),
        ("Is Varrel larger than Ostby?", "Varrel"),
        ("How many capitals does Varrel have?", "Varrel"),
    ],
)
def test_what_is_not_there_or_must_be_computed_is_left_to_the_model(small, question, name):
    assert read(small, question, name) == ""


def test_a_plan_finds_the_path_that_there_is(small):
    linking, bank = small
    question = "In what year did the person who runs the capital of Varrel come into the world?"
    plan = ["Varrel", "capital city", "head", "birth year"]
    found = path(read_planned(plan, linking(question), relations_in(bank.examples)))
    assert found == "Varrel > capital > mayor > date of birth"


def test_examples_tell_whether_a_path_is_asked_for(small):
    _, bank = small
    assert asks_for_path(bank.nearest("Who painted the ceiling of the chapel?", 40))
    assert not asks_for_path(bank.nearest("Which of the two rivers is longer, the Elm or the Ash?", 40))
    assert not asks_for_path([])


def test_the_relations_of_examples_are_those_that_their_programs_follow():
    examples = (
        Example("Who directed Heat?", "# Heat > director\nfind_entity_or_value(['Heat'], ['director', 'made by'])"),
        Example("How many?", "len(find_entity_or_value(['Heat'], ['films']))"),
    )
    assert relations_in(examples) == ("director", "made by")
