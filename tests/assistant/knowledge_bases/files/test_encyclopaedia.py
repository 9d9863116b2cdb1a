"""Encyclopaedias in ZIM files, made here as Kiwix makes them."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from libzim.writer import Creator, Hint, Item, StringProvider

from assistant.errors import Failure, UserMistake
from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.files.encyclopaedia import Encyclopaedia
from assistant.knowledge_bases.personal import PASSAGE
from assistant.knowledge_bases.registry import KnowledgeBases
from assistant.knowledge_bases.sparql.bank import read_bank
from assistant.settings import Settings
from memory.store import Memory
from tests.assistant.knowledge_bases.contract import Case, KnowledgeBaseContract, TriplesContract
from tests.memory.samples import WordEmbedder

SKARV = """<html><head><title>Skarv Island</title></head><body><h1>Skarv Island</h1>
<table><tr><th>Capital</th><td>Hamn</td></tr><tr><th>Area</th><td>41 km²</td></tr>
<tr><th>Flag</th><td></td></tr></table>
<p>Skarv Island lies in the northern sea. Its only town is Hamn.</p>
<h2>Ferries</h2><p>The ferry from Vik has run since 1931 and takes two hours.</p>
<h2>Birds</h2><p>Some four thousand puffins breed on its western cliffs.</p></body></html>"""
HAMN = (
    "<html><body><h1>Hamn</h1><p>Hamn is the capital of Skarv Island. It has a harbour and a school.</p></body></html>"
)
VIK = "<html><body><h1>Vik</h1><p>Vik is a town on the mainland, from where a ferry leaves.</p></body></html>"


class Page(Item):
    def __init__(self, path: str, title: str, html: str) -> None:
        super().__init__()
        self._path, self._title, self._html = path, title, html

    def get_path(self) -> str:
        return self._path

    def get_title(self) -> str:
        return self._title

    def get_mimetype(self) -> str:
        return "text/html"

    def get_contentprovider(self) -> StringProvider:
        return StringProvider(self._html)

    def get_hints(self) -> dict[Hint, bool]:
        return {Hint.FRONT_ARTICLE: True}


def made(folder: Path, *, indexed: bool = True) -> Path:
    file = folder / "isles.zim"
    with Creator(file).config_indexing(indexed, "eng") as creator:
        creator.set_mainpath("Skarv_Island")
        for path, title, html in (("Skarv_Island", "Skarv Island", SKARV), ("Hamn", "Hamn", HAMN), ("Vik", "Vik", VIK)):
            creator.add_item(Page(path, title, html))
        creator.add_redirection("Skarvoy", "Skarvoy", "Skarv_Island", {Hint.FRONT_ARTICLE: True})
        for name in ("Title", "Creator", "Publisher", "Description"):
            creator.add_metadata(name, "isles")
        creator.add_metadata("Language", "eng")
        creator.add_metadata("Date", "2026-01-01")
    return file


@pytest.fixture
def isles(tmp_path: Path) -> Encyclopaedia:
    return Encyclopaedia("isles", made(tmp_path), ["en"])


@pytest.fixture
def knowledge_bases(home: Path) -> Iterator[Callable[[], KnowledgeBases]]:
    """Opens the registry of one home, again and again."""
    settings = Settings.from_environment({"LOREKEEPER_HOME": str(home), "LOREKEEPER_PUBLIC": "off"})
    with closing(Memory(home, WordEmbedder())) as memory:
        opened: list[KnowledgeBases] = []

        def again() -> KnowledgeBases:
            while opened:
                opened.pop().close()
            opened.append(KnowledgeBases(settings, memory))
            return opened[-1]

        yield again
        opened[-1].close()


class TestContract(KnowledgeBaseContract, TriplesContract):
    @pytest.fixture
    def case(self, isles: Encyclopaedia) -> Case:
        return Case(isles, known="Skarv Island", question="What is the capital of Skarv Island?")


def test_articles_are_linked_by_title_redirect_and_beginning(isles: Encyclopaedia) -> None:
    for name in ("Skarv Island", "skarv island", "Skarvoy", "Skarv"):
        assert [entity.id for entity in isles.link(name, [], "", Deadline.after(9))] == ["Skarv_Island"], name
    (entity,) = isles.link("Hamn", [], "", Deadline.after(9))
    assert entity.description == "Hamn is the capital of Skarv Island. It has a harbour and a school."
    known = isles.known(["hamn", "skarv island", "Skarvoy", "puffins", ""], Deadline.after(9))
    assert known == {"hamn": {"Hamn"}, "skarv island": {"Skarv Island"}, "Skarvoy": {"Skarv Island"}}


def test_the_rows_of_a_box_are_triples_and_the_rest_is_text(isles: Encyclopaedia) -> None:
    (island,) = isles.link("Skarv Island", [], "", Deadline.after(9))
    triples = isles.triples(island, "out", 9, Deadline.after(9))
    assert [(triple.relation, triple.object) for triple in triples] == [("Capital", "Hamn"), ("Area", "41 km²")]
    text = isles.entity_info(island, Deadline.after(9))
    assert "puffins" in text and "41 km²" not in text


@pytest.mark.parametrize(
    ("question", "title", "said"),
    [
        ("How long does the ferry from Vik take?", "Skarv Island", "two hours"),
        ("Which birds breed on the cliffs of Skarv?", "Skarv Island", "puffins"),
        ("Where is there a school?", "Hamn", "school"),
    ],
)
def test_a_question_finds_the_passages_with_its_rarer_words(
    isles: Encyclopaedia, question: str, title: str, said: str
) -> None:
    first = isles.search_text(question, 3, Deadline.after(9))[0]
    assert (first.subject, first.relation, first.source) == (title, PASSAGE, "isles.zim")
    assert said in first.text


def test_what_stands_nowhere_is_not_found(isles: Encyclopaedia, tmp_path: Path) -> None:
    for question in ("Xylophones?", "", "的", "' OR \x00", "长" * 3000):
        assert isles.search_text(question, 3, Deadline.after(9)) == []
    (tmp_path / "bare").mkdir()
    bare = Encyclopaedia("bare", made(tmp_path / "bare", indexed=False))
    assert bare.search_text("Where is there a school?", 3, Deadline.after(9)) == []
    assert [entity.name for entity in bare.link("Hamn", [], "", Deadline.after(9))] == ["Hamn"]


def test_it_is_added_where_it_lies_and_stays_after_a_restart(
    knowledge_bases: Callable[[], KnowledgeBases], tmp_path: Path
) -> None:
    file = made(tmp_path)
    info = knowledge_bases().add("isles", file, languages=["en"])
    assert (info.name, info.kind, info.languages, info.state, info.triples) == (
        "isles",
        "encyclopaedia",
        ("en",),
        "up",
        None,
    )
    again = knowledge_bases()
    assert "isles" in {base.name for base in again.choose("ana", "en")}
    assert "isles" not in {base.name for base in again.choose("ana", "de")}
    file.rename(tmp_path / "moved.zim")
    (gone,) = (one for one in knowledge_bases().infos() if one.name == "isles")
    assert gone.state == "down" and "isles.zim cannot be read" in gone.message
    last = knowledge_bases()
    last.remove("isles")
    assert "isles" not in {one.name for one in knowledge_bases().infos()}
    assert (tmp_path / "moved.zim").exists()


def test_what_is_no_encyclopaedia_is_refused(knowledge_bases: Callable[[], KnowledgeBases], tmp_path: Path) -> None:
    broken, bank = tmp_path / "broken.zim", tmp_path / "bank.jsonl"
    broken.write_bytes(b"ZIM" * 100)
    bank.write_text('{"question": "Who?", "sparql": "SELECT ?a WHERE { ?a ?b ?c }"}\n')
    bases = knowledge_bases()
    with pytest.raises(Failure, match=r"broken\.zim cannot be read as an encyclopaedia"):
        bases.add("isles", broken)
    with pytest.raises(UserMistake, match="leave --bank out"):
        bases.add("isles", made(tmp_path), bank=read_bank(bank))
    assert "isles" not in {info.name for info in bases.infos()}


def test_it_may_stand_in_for_a_public_knowledge_base(
    knowledge_bases: Callable[[], KnowledgeBases], tmp_path: Path
) -> None:
    bases = knowledge_bases()
    with pytest.raises(UserMistake, match="built-in"):
        bases.add("world", made(tmp_path))
    bases.add("wikipedia", tmp_path / "isles.zim")
    (standing_in,) = (base for base in bases.shared if base.name == "wikipedia")
    assert not standing_in.public and standing_in.link("Hamn", [], "", Deadline.after(9))
    assert [info.kind for info in bases.infos() if info.name == "wikipedia"] == ["encyclopaedia"]
    bases.remove("wikipedia")
    assert [base.public for base in bases.shared if base.name == "wikipedia"] == [True]
    with pytest.raises(UserMistake, match="cannot be removed"):
        bases.remove("wikipedia")
