"""What is taken out of a question, and that nothing else changes."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.search.anonymize import anonymize


@pytest.mark.parametrize(
    ("text", "anonymized"),
    [
        ("Who directed the film Heat?", "Who directed the film [ENTITY_0]?"),
        ("Which is larger, Chad or Niger?", "Which is larger, [ENTITY_0] or [ENTITY_1]?"),
        ("Is the Isle of Man in the Irish Sea?", "Is the [ENTITY_0] in the [ENTITY_1]?"),
        ("Where was Vincent van Gogh born?", "Where was [ENTITY_0] born?"),
        ("What is Dr. Novak's first name?", "What is [ENTITY_0]'s first name?"),
        ("How are Lena's cat and Lena related?", "How are [ENTITY_0]'s cat and [ENTITY_0] related?"),
        ("Am I older than my sister Anna?", "Am I older than my sister [ENTITY_0]?"),
        ("Don't you know Peter?", "Don't you know [ENTITY_0]?"),
        ("What is it? Which river is in Peru?", "What is it? Which river is in [ENTITY_0]?"),
        ("When did O'Brien meet Jean-Luc?", "When did [ENTITY_0] meet [ENTITY_1]?"),
        ("Who makes the iPhone?", "Who makes the [ENTITY_0]?"),
        ("谁导演了Heat这部电影", "谁导演了[ENTITY_0]这部电影"),
        ("WHO DIRECTED HEAT", "WHO DIRECTED HEAT"),
        ("what films did nicolas cage star in", "what films did nicolas cage star in"),
    ],
)
def test_names_by_their_capital_letters(text: str, anonymized: str) -> None:
    assert anonymize(text).text == anonymized


@pytest.mark.parametrize(
    ("text", "anonymized"),
    [
        ("《红楼梦》的作者是谁？", "[WORK_OF_ART_0]的作者是谁？"),
        ('Who wrote "The Trial"?', "Who wrote [STRING_0]?"),
        ("谁说过“天生我材必有用”？", "谁说过[STRING_0]？"),
        ("Is 'Blue Moon' Lena's song?", "Is [STRING_0] [ENTITY_0]'s song?"),
        ("Is http://a.org/b?c=1 its website?", "Is [URL_0] its website?"),
        ("It was at www.a.org, was it?", "It was at [URL_0], was it?"),
        ("Was it on 5 May 1990 or on 1990-05-06?", "Was it on [DATE_0] or on [DATE_1]?"),
        ("Which films of May 1952 and of the 1960s?", "Which films of [DATE_0] and of the [DATE_1]?"),
        ("on the 3rd of june", "on the [DATE_0]"),
        ("which marathon 2004 km long", "which marathon [DATE_0] km long"),
        ("1998年和2008年8月8日", "[DATE_0]和[DATE_1]"),
        ("more than 100,000 people or -3.5", "more than [CARDINAL_0] people or [CARDINAL_1]"),
        ("人口超过3000万的国家", "人口超过[CARDINAL_0]的国家"),
        ("What is 50-00-0, and P1082?", "What is [IDENTIFIER_0], and [IDENTIFIER_1]?"),
    ],
)
def test_values_by_their_form(text: str, anonymized: str) -> None:
    assert anonymize(text).text == anonymized


@pytest.mark.parametrize(
    ("text", "names", "anonymized"),
    [
        ("what films did nicolas cage star in", ["Nicolas Cage", "cage"], "what films did [ENTITY_0] star in"),
        ("刘德华演过哪些电影", ["刘德华"], "[ENTITY_0]演过哪些电影"),
        ("who wrote 12 angry men", ["12 angry men"], "who wrote [ENTITY_0]"),
        ("what is heating", ["heat"], "what is heating"),
        ("《红楼梦》的作者", ["红楼梦"], "[WORK_OF_ART_0]的作者"),
        ("is c++ a language", ["c++"], "is [ENTITY_0] a language"),
        ("who is she", ["", " "], "who is she"),
    ],
)
def test_names_that_are_known(text: str, names: list[str], anonymized: str) -> None:
    assert anonymize(text, names).text == anonymized


def test_what_was_replaced_is_told() -> None:
    found = anonymize("Did Ada or Bo meet Ada in 1990?")
    assert found.replaced == {"[ENTITY_0]": "Ada", "[ENTITY_1]": "Bo", "[DATE_0]": "1990"}


@given(
    st.text(alphabet="AbI 'ü李年月\"《》.,?-/:5109ed", max_size=60),
    st.lists(st.text(alphabet="Ab ü李5", max_size=4), max_size=3),
)
def test_put_back_in_its_place_it_is_the_text_again(text: str, names: list[str]) -> None:
    found = anonymize(text, names)
    restored = re.sub(r"\[[A-Z_]+_\d+\]", lambda placeholder: found.replaced[placeholder[0]], found.text)
    assert restored.casefold() == text.casefold()


def test_a_long_message_takes_no_long_time() -> None:
    for piece in ("a.", "A ", "1-", "'", "《", "Of the ", "5 may "):
        text = piece * 4_000
        assert anonymize(text).text
