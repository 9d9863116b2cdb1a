import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.remembering.names import names


@pytest.mark.parametrize(
    ("sentence", "found", "not_found"),
    [
        ("Her thesis on the Ice of Svalbard won a prize.", ["Ice of Svalbard", "Svalbard"], ["Her", "Her thesis"]),
        ("She sold it to Ole Falk in Oban.", ["Ole Falk", "Oban"], ["She", "She sold", "it"]),
        ("Tickets cost more than tickets did.", [], ["Tickets"]),
        ("Die Wärmepumpe Nordluft 7 braucht Öl, und die Pumpe auch.", ["Wärmepumpe Nordluft 7"], ["Die Wärmepumpe"]),
        ("Анна живёт в Твери.", ["Анна", "Твери"], ["живёт"]),
        ("Name: Ann Berg; City: Oslo", ["Ann Berg", "Oslo"], ["Ann Berg; City"]),
        ("", [], [""]),
    ],
)
def test_names_have_capitals(sentence: str, found: list[str], not_found: list[str]) -> None:
    read = names(sentence, sentence)
    assert set(found) <= set(read)
    assert set(read).isdisjoint(not_found)


@given(st.text(max_size=60))
def test_every_name_is_a_run_of_its_sentence_that_begins_with_a_capital(sentence: str) -> None:
    for name in names(sentence, sentence):
        assert name in sentence
        assert name[0].isupper()
