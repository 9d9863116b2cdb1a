"""Programs for questions that ask for several things of one entity."""

import pytest

from assistant.search.programs.coordination import may_ask_for_several, readings

FOUND = "find_entity_or_value"


def path(*names):
    return f"# {' > '.join(names)}\n{FOUND}({', '.join(f'[{name!r}]' for name in names)})"


@pytest.mark.parametrize(
    ("question", "code", "apart"),
    [
        (
            "What are the area and the currency of Peru?",
            f"# Peru > area > currency\n{FOUND}(['Peru'], ['area'], ['currency', 'money'])",
            f"# Peru > area, currency\n{FOUND}(['Peru'], ['area']) + {FOUND}(['Peru'], ['currency', 'money'])",
        ),
        (
            "How many people live in Peru, and what calling code has Peru?",
            f"{FOUND}(['Peru'], ['population'], ['calling code'])",
            f"# Peru > population, calling code\n"
            f"{FOUND}(['Peru'], ['population']) + {FOUND}(['Peru'], ['calling code'])",
        ),
        (
            "Which capital, language and currency has the largest neighbour?",
            path("it", "capital", "language", "currency"),
            f"# it > capital, language, currency\n"
            f"{FOUND}(['it'], ['capital']) + {FOUND}(['it'], ['language']) + {FOUND}(['it'], ['currency'])",
        ),
        (
            "I am in Lima. What is the currency there, and which languages are spoken?",
            f"# Lima > country > currency > languages\n{FOUND}(['Lima'], ['country'], ['currency'], ['language'])",
            f"# Lima > country > currency, language\n"
            f"{FOUND}(['Lima'], ['country'], ['currency']) + {FOUND}(['Lima'], ['country'], ['language'])",
        ),
        (
            "秘鲁的首都和货币分别是什么？",
            path("秘鲁", "首都", "货币"),
            f"# 秘鲁 > 首都, 货币\n{FOUND}(['秘鲁'], ['首都']) + {FOUND}(['秘鲁'], ['货币'])",
        ),
    ],
)
def test_each_is_followed_from_the_entity_first(question, code, apart):
    assert readings(code, question) == [apart, code]


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("What is the capital of Peru and what is its population?", path("Peru", "capital", "population")),
        ("What is the capital of Peru and the population of that city?", path("Peru", "capital", "population")),
        ("Who directed Heat, and what is the birthplace of the director?", path("Heat", "director", "birthplace")),
        ("Name the neighbours of Mali and their capitals.", path("Mali", "neighbours", "capital")),
        ("Who wrote Emma and what other books did she write?", path("Emma", "author", "books written")),
        ("Who directed Heat and what is his birthplace?", path("Heat", "director", "birthplace")),
        ("Which clubs did Zidane coach, and in which cities are they?", path("Zidane", "clubs", "cities")),
        ("秘鲁的首都及其人口是什么？", path("秘鲁", "首都", "人口")),
    ],
)
def test_the_path_comes_first_where_what_was_found_may_be_meant(question, code):
    first, second = readings(code, question)
    assert first == code
    assert " + " in second


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("Who directed Heat?", path("Heat", "director")),
        ("Of the neighbours of Mali, which capitals are there?", path("Mali", "neighbours", "capital")),
        ("the genres of the films of Rossi and Sons", path("Rossi and Sons", "films", "genres")),
        ("马里的邻国的首都和人口", "邻国 = find_entity_or_value(['马里'], ['邻国'])\n邻国"),
        ("Mali and area", "get_entity_info(['Mali'])"),
    ],
)
def test_other_programs_have_one_reading(question, code):
    assert readings(code, question) == [code]


@pytest.mark.parametrize(
    ("question", "names", "several"),
    [
        ("Who directed Heat, and where was he born?", ["Heat"], True),
        ("Who directed Heat? Where was he born?", ["Heat"], True),
        ("姚明的妻子是谁，她多高？", ["姚明"], True),
        ("Wie heißt der Trainer und wie alt ist er?", [], True),
        ("Where was the director of Pride and Prejudice born?", ["Pride and Prejudice"], False),
        ("Where was the director of pride and prejudice born?", ["Pride and Prejudice"], False),
        ("中华人民共和国的国歌的作者出生在哪里？", ["中华人民共和国"], False),
        ("Where was the director of Heat born?", ["Heat"], False),
        ("Please tell me, where was the director of Heat born?", ["Heat"], False),
        ("请问，热浪的导演的父亲出生在哪里？", ["热浪"], False),
        ("共和国总统的妻子出生在哪里？", [], False),
        ("What did Ann and Bo do?", ["an"], True),
    ],
)
def test_whether_a_question_may_ask_for_several_things(question, names, several):
    assert may_ask_for_several(question, names) is several
