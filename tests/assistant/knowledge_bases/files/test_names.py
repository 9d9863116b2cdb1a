"""The index of names: what is found, and in which order."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.errors import KnowledgeBaseUnreachable
from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.files.names import Names, NamesWriter, name_key

Index = Callable[..., Names]


@pytest.fixture
def index(tmp_path: Path) -> Index:
    def make(entities: Mapping[str, Sequence[tuple[str, bool]]], weights: Mapping[str, int] | None = None) -> Names:
        """Names in no language, but for those that begin with one: "de:Wien"."""
        writer = NamesWriter(tmp_path / "names.db")
        for iri, names in entities.items():
            writer.saw(iri)
            for name, alias in names:
                language, _, text = name.rpartition(":")
                writer.named(iri, text, language, alias=alias)
        writer.finish((), str, weights or {})
        writer.close()
        return Names(tmp_path / "names.db", "test")

    return make


def find(names: Names, *mentions: str, language: str = "en") -> list[str]:
    return names.find(mentions, language, 10, Deadline.after(10))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Zürich", "ZURICH"),
        ("Ｔｏｋｙｏ", "tokyo"),
        ("Xi’an", "Xi'an"),
        ("New  York", "new-york"),
        ("維也納", "维也纳"),
        ("Straße", "STRASSE"),
        ("Malmö (Sweden)", "malmo sweden"),
    ],
)
def test_what_reads_the_same_is_folded_to_the_same(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(("one", "other"), [("パリ", "バリ"), ("कि", "क"), ("Iran", "Iraq"), ("+", "-")])
def test_what_reads_otherwise_stays_apart(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@given(st.text())
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert name_key(name_key(text)) == name_key(text)


def test_exact_goes_before_folded_before_alias(index: Index) -> None:
    names = index(
        {"alias": [("Other", False), ("Mercury", True)], "folded": [("MERCURY", False)], "exact": [("Mercury", False)]}
    )
    assert find(names, "Mercury") == ["exact", "folded", "alias"]


def test_among_namesakes_the_heaviest_goes_first(index: Index) -> None:
    names = index({"a": [("Georgia", False)], "b": [("Georgia", False)]}, weights={"b": 9, "a": 3})
    assert find(names, "Georgia") == ["b", "a"]


def test_of_namesakes_what_is_called_so_in_the_language_goes_first_then_in_english(index: Index) -> None:
    names = index({"fr": [("fr:Nice", False)], "en": [("en:Nice", False)], "de": [("de:Nice", False)]}, {"fr": 9})
    assert find(names, "Nice", language="de") == ["de", "en", "fr"]
    assert find(names, "Nice", language="fr") == ["fr", "en", "de"]


def test_a_name_in_a_strange_language_is_no_more_exact_than_another_spelling(index: Index) -> None:
    names = index({"language": [("fr:palau", False)], "country": [("en:Palau", False), ("de:Palau", False)]})
    assert [find(names, "palau", language=language)[0] for language in ("en", "de", "ja")] == ["country"] * 3


def test_a_name_in_no_language_is_one_in_each(index: Index) -> None:
    names = index(
        {"town": [("en:USA", False)], "country": [("USA", False), ("en:United States", False)]}, {"country": 9}
    )
    assert find(names, "USA", language="en") == find(names, "USA", language="zh") == ["country", "town"]


def test_the_mention_goes_before_its_aliases(index: Index) -> None:
    names = index({"a": [("Peking", False)], "b": [("Beijing", False)]}, weights={"a": 100})
    assert find(names, "Beijing", "Peking") == ["b", "a"]


@pytest.mark.parametrize("mention", ["Austira", "Austri", "Asutria"])
def test_a_name_spelt_wrongly_is_found(index: Index, mention: str) -> None:
    names = index({"a": [("Austria", False)], "b": [("Kenya", False)], "c": [("Latvia", False)]})
    assert find(names, mention) == ["a"]


def test_a_name_of_two_characters_is_found_within_a_longer_one(index: Index) -> None:
    assert find(index({"a": [("巴黎", False)], "b": [("罗马", False)]}), "巴黎市") == ["a"]


@pytest.mark.parametrize(
    ("name", "mention"),
    [
        ("Iran", "Iraq"),
        ("Doga", "dog"),
        ("Kenya", "Kenyatta"),
        ("Lagos", "Laos"),
        ("罗马", "罗南"),
        ("Apollo 13", "Apollo 11"),
        ("Rocky III", "Rocky II"),
    ],
)
def test_an_unlike_name_is_not_found(index: Index, name: str, mention: str) -> None:
    assert find(index({"a": [(name, False)]}), mention) == []


def test_the_words_of_a_name_may_be_turned_round(index: Index) -> None:
    assert find(index({"a": [("William Dieterle", False)]}), "Dieterle Wiliam") == ["a"]


def test_similar_names_are_not_proposed_where_one_fits(index: Index) -> None:
    assert find(index({"a": [("Austria", False)], "b": [("Austrias", False)]}), "austria") == ["a"]


def test_what_stands_in_brackets_may_be_left_out(index: Index) -> None:
    names = index({"a": [("红楼梦（电视剧）", False)], "b": [("Kismet (1944 film)", False)]})
    assert find(names, "红楼梦") == ["a"]
    assert find(names, "Kismet") == ["b"]


def test_a_relation_is_no_entity(tmp_path: Path) -> None:
    writer = NamesWriter(tmp_path / "names.db")
    writer.saw("urn:capital")
    writer.named("urn:capital", "capital", "en", alias=False)
    writer.finish({"urn:capital"}, str, {})
    writer.close()
    names = Names(tmp_path / "names.db", "test")
    assert find(names, "capital") == []
    assert names.relations() == {"urn:capital": [("capital", "en")]}


def test_too_little_time_is_not_the_same_as_nothing(index: Index) -> None:
    names = index({f"e{number}": [(f"A rather long name, number {number}", False)] for number in range(3000)})
    with pytest.raises(KnowledgeBaseUnreachable):
        names.find(["A rather lomg name"], "en", 10, Deadline.after(-1))


@given(st.lists(st.text(min_size=1).filter(str.strip), min_size=1, max_size=8, unique=True))
def test_every_name_finds_its_entity(tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
    path = tmp_path_factory.mktemp("names") / "names.db"
    writer = NamesWriter(path)
    for number, text in enumerate(texts):
        writer.saw(str(number))
        writer.named(str(number), text, "", alias=False)
    writer.finish((), str, {})
    writer.close()
    names = Names(path, "test")
    for number, text in enumerate(texts):
        assert str(number) in find(names, text)
    names.close()
