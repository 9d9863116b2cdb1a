import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.search.quantities import in_digits, spelled_out


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("more than ten million people", "more than 10000000 people"),
        ("over 2.5 billion", "over 2500000000"),
        ("half a million", "500000"),
        ("a million and 3,000 thousand", "1000000 and 3000000"),
        ("人口超过一千万的国家", "人口超过10000000的国家"),
        ("一百二十万", "1200000"),
        ("十五万平方公里", "150000平方公里"),
        ("3亿", "300000000"),
        ("1,034万", "10340000"),
        ("1.4 亿", "1.4 亿"),
        ("两百五十万", "2500000"),
        ("一亿三千万人", "130000000人"),
        ("3万亿", "3000000000000"),
        ("六万二千元", "62000元"),
        ("万圣节", "万圣节"),
        ("two thousand and five", "2005"),
        ("twelve hundred thousand", "1200000"),
        ("two hundred and fifty thousand people", "250000 people"),
        ("one million or a thousand and two million", "1000000 or 1000 and 2000000"),
        ("Which neighbours of Austria?", "Which neighbours of Austria?"),
        ("one of a kind", "one of a kind"),
    ],
)
def test_numbers_in_words_become_digits(text, spelled):
    assert spelled_out(text) == spelled


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("four months and 2,500 euros", "4 months and 2500 euros"),
        ("一九八五年、二〇一九年", "1985年、2019年"),
        ("二十三名", "23名"),
        ("六万二千元", "62000元"),
        ("一百五、一百零五、一千二、两万五", "150、105、1200、25000"),
        ("twenty-five or thirty six of two hundred and fifty", "25 or 36 of 250"),
        ("a hundred, seventeen hundred, a man", "100, 1700, a man"),
        ("someone, often, weighty, hundreds", "someone, often, weighty, hundreds"),
        ("Twenty Oaks, FORTY", "20 Oaks, 40"),
        ("一百二十万", "1200000"),
    ],
)
def test_every_number_in_digits(text, digits):
    assert in_digits(text) == digits


@given(
    st.lists(
        st.sampled_from(["9" * 400, "1,0" * 200, "九" * 400, "亿" * 60, "million", "0.", " ", "三十", "-", "1e400"])
    )
)
def test_numbers_of_any_length_are_text_to_the_end(parts):
    text = "".join(parts)
    assert isinstance(in_digits(text), str) and isinstance(spelled_out(text), str)
