"""Questions that say their path word for word, on a small file of triples."""

import pytest

from assistant.embedding import load_embedder
from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.linking import Linking
from assistant.knowledge_bases.relations import RelationRanker
from assistant.search.examples import Example
from assistant.search.programs.bank import program_examples
from assistant.search.programs.verbatim import read_verbatim, wording

TRIPLES = """\
Peru\tcapital\tLima
Peru\tofficial language\tSpanish
Lima\tmayor\tAnn Lee
Lima\tcountry\tPeru
Ann Lee\tdate of birth\t3 May 1960
The Hague\tmayor\tJan
House of Usher\tauthor\tPoe
秘鲁\t首都\t利马
利马\t市长\t安丽
安丽\t毕业院校\t甲大学
安丽\t大学\t乙大学
Peru\tHauptstadt\tLima
Lima\tBürgermeisterin\tAnn Lee
"""
BANK = program_examples()
GERMAN = (Example("Wie heißt der Autor von Momo?", "# Momo > Autor\nfind_entity_or_value(['Momo'], ['Autor'])"),)


@pytest.fixture(scope="module")
def program(small_kb, tmp_path_factory):
    ranker = RelationRanker(load_embedder("", tmp_path_factory.mktemp("verbatim")))

    def read(question, *names, examples=BANK):
        return read_verbatim(names, Linking(small_kb, question, Deadline.after(10), ranker), wording(examples))

    return read


@pytest.mark.parametrize(
    ("question", "name", "steps"),
    [
        ("What is the capital of Peru?", "Peru", ["capital"]),
        ("what's peru's capital", "peru", ["capital"]),
        ("What are the official languages of Peru?", "Peru", ["official language"]),
        ("Who is the mayor of the capital of Peru?", "Peru", ["capital", "mayor"]),
        ("Who is the mayor of Peru's capital?", "Peru", ["capital", "mayor"]),
        ("What is the date of birth of the mayor of Lima?", "Lima", ["mayor", "date of birth"]),
        ("Who is the mayor of The Hague?", "The Hague", ["mayor"]),
        ("Who was the author of the House of Usher?", "House of Usher", ["author"]),
        ("秘鲁的首都是哪里？", "秘鲁", ["首都"]),
        ("秘鲁的首都的市长是谁？", "秘鲁", ["首都", "市长"]),
        ("请问安丽的毕业院校是什么？", "安丽", ["毕业院校"]),
    ],
)
def test_a_path_is_followed(program, question, name, steps):
    path = " > ".join([name, *steps])
    assert program(question, name) == f"# {path}\nfind_entity_or_value({[name]}, {', '.join(str([s]) for s in steps)})"


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("How many capitals does Peru have?", "Peru"),
        ("Is Lima the capital of Peru?", "Peru"),
        ("What is the country whose capital is Lima?", "Lima"),
        ("What is the oldest capital of Peru?", "Peru"),
        ("Why is the capital of Peru by the sea?", "Peru"),
        ("What is the religion of the capital of Peru?", "Peru"),
        ("What is Peru?", "Peru"),
        ("秘鲁的首都有多远？", "秘鲁"),
        ("秘鲁的首都是利马吗？", "秘鲁"),
        ("谁打败了秘鲁的首都？", "秘鲁"),
    ],
)
def test_what_asks_for_more_is_left_to_the_model(program, question, name):
    assert program(question, name) == ""


def test_another_language_needs_no_more_than_examples(program):
    question = "Wie heißt die Bürgermeisterin von der Hauptstadt von Peru?"
    assert program(question, "Peru") == ""
    also = (*GERMAN, Example("Wer ist die Frau von der Post?", "find_entity_or_value(['Post'], ['Frau'])"))
    assert "['hauptstadt'], ['bürgermeisterin']" in program(question, "Peru", examples=also).lower()
