"""Questions in English that spell out their path in genitives, on a small file of triples."""

import pytest

from assistant.embedding import load_embedder
from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.files.building import build
from assistant.knowledge_bases.files.formats import guess_format, read_triples
from assistant.knowledge_bases.files.triples import Triples
from assistant.knowledge_bases.linking import Linking
from assistant.knowledge_bases.relations import RelationRanker
from assistant.search.programs.genitives import asked_about, read_genitives
from assistant.search.programs.reading import Known

TRIPLES = """\
Peru\tcapital\tLima
Peru\tofficial language\tSpanish
Lima\tmayor\tAnn Lee
Ann Lee\tdate of birth\t3 May 1960
The Hague\tmayor\tJan
House of Usher\tauthor\tPoe
James\twife\tMary
Bob\tfather of\tJohn
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    folder = tmp_path_factory.mktemp("genitives")
    file = folder / "facts.tsv"
    file.write_text(TRIPLES, encoding="utf-8")
    build(folder / "kb", read_triples(file, guess_format(file)), "facts.tsv")
    kb = Triples("small", folder / "kb", ["en"])
    ranker = RelationRanker(load_embedder("", folder / "cache"))
    yield lambda question, *names: read_genitives(names, Known(Linking(kb, question, Deadline.after(10), ranker)))
    kb.close()


@pytest.mark.parametrize(
    ("question", "name", "steps"),
    [
        ("What is the capital of Peru?", "Peru", ["capital"]),
        ("what's peru's capital", "peru", ["capital"]),
        ("What are the official languages of Peru?", "Peru", ["official languages"]),
        ("Who is the mayor of the capital of Peru?", "Peru", ["capital", "mayor"]),
        ("Who is the mayor of Peru's capital?", "Peru", ["capital", "mayor"]),
        ("What is the date of birth of the mayor of Lima?", "Lima", ["mayor", "date of birth"]),
        ("What was Ann Lee's date of birth?", "Ann Lee", ["date of birth"]),
        ("Who is the mayor of The Hague?", "The Hague", ["mayor"]),
        ("Who was the author of the House of Usher?", "House of Usher", ["author"]),
        ("Who is James' wife?", "James", ["wife"]),
    ],
)
def test_genitives_are_followed(program, question, name, steps):
    path = " > ".join([name, *steps])
    assert program(question, name) == f"# {path}\nfind_entity_or_value({[name]}, {', '.join(str([s]) for s in steps)})"


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What is the largest city of Peru?", "Peru"),
        ("What is the capital of the largest neighbour of Peru?", "Peru"),
        ("Who is the mayor of Peru?", "Peru"),
        ("What was the capital of Peru in 1535?", "Peru"),
        ("What is Peru?", "Peru"),
        ("Is Lima the capital of Peru?", "Peru"),
        ("Which country has the capital of Lima?", "Lima"),
        ("What is the capital of Peru and of Chile?", "Peru"),
        ("Who is Bob's father?", "Bob"),
        ("What is " + "x of " * 200 + "Peru", "Peru"),
    ],
)
def test_what_asks_otherwise_is_left_to_the_model(program, question, name):
    assert program(question, name) == ""


def test_what_a_question_is_about_is_told_from_its_verb():
    assert asked_about("Who were the founders of Rome?") == ("were", "the founders of Rome")
    assert asked_about("What is the time.") == ("is", "the time")
    assert asked_about("what's the time?") == ("is", "the time")
    assert asked_about("Where is Rome?") == ("", "")
