"""Evidence in order: what is one thing, and what is a list."""

from hypothesis import given
from hypothesis import strategies as st

from assistant.search.evidence import numbered, objects, subjects
from assistant.types import Evidence

NAMES = st.lists(st.text(min_size=1, max_size=12).filter(str.strip), min_size=1, max_size=5, unique_by=str.casefold)


def test_a_name_with_a_semicolon_is_one_thing() -> None:
    whale, tale = "Moby-Dick; or, The Whale", "Typee"
    (wrote,) = numbered([Evidence(0, "books", "Melville", "wrote", book) for book in (whale, tale)])
    assert objects(wrote) == (whale, tale)
    assert (wrote.subject, wrote.object) == ("Melville", f"{whale}; {tale}")
    (alone,) = numbered([Evidence(0, "books", "Melville", "wrote", whale)])
    assert objects(alone) == (whale,)


@given(NAMES)
def test_what_differs_in_one_end_only_is_one_list_of_the_things_as_they_are(names: list[str]) -> None:
    found = numbered([Evidence(0, "kb", "start", "has", name) for name in names])
    assert {name for item in found for name in objects(item)} <= set(names)
    turned = numbered([Evidence(0, "kb", name, "is in", "end") for name in names])
    assert {name for item in turned for name in subjects(item)} <= set(names)
    assert len(found) == len(turned) == 1
