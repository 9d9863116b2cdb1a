"""Programs for questions that ask for several things of one entity."""

import pytest

from assistant.search.coordination import side_by_side

FOUND = "find_entity_or_value"


@pytest.mark.parametrize(
    ("question", "code", "wanted"),
    [
        (
            "What are the area and the currency of Peru?",
            f"# Peru > area > currency\n{FOUND}(['Peru'], ['area'], ['currency', 'money'])",
            f"# Peru > area, currency\n{FOUND}(['Peru'], ['area']) + {FOUND}(['Peru'], ['currency', 'money'])",
        ),
        (
            "How many people live in Peru, and what is its calling code?",
            f"{FOUND}(['Peru'], ['population'], ['calling code'])",
            f"# Peru > population, calling code\n"
            f"{FOUND}(['Peru'], ['population']) + {FOUND}(['Peru'], ['calling code'])",
        ),
        (
            "Which capital, language and currency has the largest neighbour?",
            f"# it > capital > language > currency\n{FOUND}(['it'], ['capital'], ['language'], ['currency'])",
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
            f"# 秘鲁 > 首都 > 货币\n{FOUND}(['秘鲁'], ['首都'], ['货币'])",
            f"# 秘鲁 > 首都, 货币\n{FOUND}(['秘鲁'], ['首都']) + {FOUND}(['秘鲁'], ['货币'])",
        ),
    ],
)
def test_each_is_followed_from_the_entity(question, code, wanted):
    assert side_by_side(code, question) == wanted


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("Who directed Heat?", f"# Heat > director\n{FOUND}(['Heat'], ['director'])"),
        ("Of the neighbours of Mali, which capitals are there?", f"{FOUND}(['Mali'], ['neighbours'], ['capital'])"),
        ("Name the neighbours of Mali and their capitals.", f"{FOUND}(['Mali'], ['neighbours'], ['capital'])"),
        ("Who wrote Emma and what other books did she write?", f"{FOUND}(['Emma'], ['author'], ['books written'])"),
        ("Who directed Heat and what is his birthplace?", f"{FOUND}(['Heat'], ['director'], ['birthplace'])"),
        ("Which clubs did Zidane coach, and in which cities are they?", f"{FOUND}(['Zidane'], ['clubs'], ['cities'])"),
        ("the genres of the films of Rossi and Sons", f"{FOUND}(['Rossi and Sons'], ['films'], ['genres'])"),
        ("马里的邻国的首都和人口", "邻国 = find_entity_or_value(['马里'], ['邻国'])\n邻国"),
        ("Mali and area", "get_entity_info(['Mali'])"),
    ],
)
def test_paths_stay_paths(question, code):
    assert side_by_side(code, question) == code
