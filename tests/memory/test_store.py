"""Memory as the assistant uses it: nothing lost, nothing twice, users apart."""

import contextlib
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from memory import indexing
from memory.errors import Failure, NothingThere, UserMistake
from memory.store import Memory
from memory.types import Extraction, FactKind, Mention, Span, Statement
from tests.memory.samples import SlowEmbedder, WordEmbedder, read, said

_SHIPPED_MOMENT = indexing._MOMENT  # all other tests have one that is long enough for all they embed

OSLO = "My sister Ann lives in Oslo."
DOCUMENT = b"# Marta Quillfeather\n\nMarta Quillfeather was born in Lisbon. She founded the Blue Heron Press in 1990.\n"


def test_a_note_gives_facts_that_rest_on_its_words(memory: Memory) -> None:
    user = memory.of("eve")
    source, stored = user.note(OSLO, read(OSLO, ("user", "sister", "Ann"), ("Ann", "lives in", "Oslo")))
    assert (source.kind, source.state, source.facts) == ("chat", "ready", 2)
    sister, lives = stored.added
    assert (lives.subject, lives.relation, lives.object) == ("Ann", "lives in", "Oslo")
    assert sister.object_id == lives.subject_id
    assert lives.text == OSLO == user.source_text(source.id)[lives.span.start : lives.span.end]
    assert user.entity(lives.subject_id).facts == 2
    assert {fact.id for fact in user.facts_of(lives.subject_id)} == {sister.id, lives.id}


def test_what_is_said_again_gains_a_source_and_no_copy(memory: Memory) -> None:
    user = memory.of("eve")
    (first,) = user.note(OSLO, read(OSLO, ("Ann", "lives in", "Oslo")))[1].added
    again = "ANN lives in oslo, by the way."
    source, stored = user.note(again, read(again, ("ANN", "Lives in", "oslo.")))
    assert not stored.added
    assert [fact.id for fact in stored.confirmed] == [first.id]
    assert [fact.id for fact in user.facts(source_id=source.id)] == [first.id]
    assert len(user.entities()) == 2


def test_values_that_differ_in_a_sign_are_two_facts(memory: Memory) -> None:
    user = memory.of("eve")
    text = "It was 5 °C, then -5 °C."
    stored = user.note(text, read(text, ("Oslo", "temperature", "5 °C"), ("Oslo", "temperature", "-5 °C")))[1]
    assert len(stored.added) == 2


def test_statements_without_support_are_dropped_and_counted(memory: Memory) -> None:
    beyond = Statement(FactKind.TRIPLE, "Ann", "likes", "tea", Span(0, 999))
    empty = Statement(FactKind.TRIPLE, "Ann", " ", "tea", Span(0, 5))
    kept = said(OSLO, "Ann", "lives in", "Oslo")
    stored = memory.of("eve").note(OSLO, Extraction((), (beyond, empty, kept), dropped=2))[1]
    assert stored.dropped == 4
    assert [fact.relation for fact in stored.added] == ["lives in"]


def test_an_object_becomes_a_link_when_it_becomes_an_entity(memory: Memory) -> None:
    user = memory.of("eve")
    text = "Ann works at the bakery Kringle."
    statement = said(text, "Ann", "works at", "Kringle")
    user.note(text, Extraction((Mention("Ann"),), (statement,)))
    assert user.facts()[0].object_id is None
    user.note("Kringle is in Oslo.", read("Kringle is in Oslo.", ("Kringle", "is in", "Oslo")))
    (works,) = user.facts("works at")
    assert works.object_id is not None
    assert user.entity(works.object_id).name == "Kringle"


@pytest.mark.parametrize("length", [3, 60_000])
def test_lists_are_searched_for_a_text_of_any_length(memory: Memory, length: int) -> None:
    user = memory.of("eve")
    name, value = "Xx" * (length // 2), "100%" * length
    text = f"{name} is {value}."
    user.note(text, read(text, (name, "is", value), ("Ann", "has", "x")))
    assert [fact.object for fact in user.facts(value[1:])] == [value]
    assert [entity.name for entity in user.entities(name.upper())] == [name]
    assert user.facts("_" * length) == user.entities("_" * length) == user.entities("y" * length) == []
    with pytest.raises(NothingThere):
        user.forget(entity="y" * length)


def test_descriptions_and_aspects_are_kept_with_their_entity(memory: Memory) -> None:
    user = memory.of("eve")
    text = "Ann is a cellist from Bergen. She practised four hours a day as a child."
    user.note(
        text,
        Extraction(
            (Mention("Ann", ("Annie",)),),
            (
                said(text, "Ann", "description", "a cellist from Bergen", FactKind.DESCRIPTION),
                said(text, "Annie", "childhood", "She practised four hours a day.", FactKind.ASPECT),
            ),
        ),
    )
    (ann,) = user.entities()
    assert (ann.name, ann.aliases, ann.description, ann.facts) == ("Ann", ("Annie",), "a cellist from Bergen", 2)


def test_a_document_can_be_searched_at_once_and_read_later(memory: Memory) -> None:
    user = memory.of("eve")
    source = user.add_document("marta.md", DOCUMENT)
    assert (source.state, source.passages, source.passages_read) == ("queued", 1, 0)
    assert user.recall("Who founded the Blue Heron Press?")[0].source == "marta.md"
    ((passage_id, passage),) = user.passages(source.id, unread=True)
    assert passage.heading == "Marta Quillfeather"
    assert user.source_text(source.id)[passage.span.start : passage.span.end] == passage.text
    begin = passage.text.index("She founded")
    statement = Statement(FactKind.TRIPLE, "Marta", "founded", "Blue Heron Press", Span(begin, len(passage.text)))
    mention = Mention("Marta Quillfeather", ("Marta",))
    (fact,) = user.store(source.id, passage_id, Extraction((mention,), (statement,))).added
    assert fact.subject == "Marta Quillfeather"
    assert fact.text == "She founded the Blue Heron Press in 1990."
    assert user.source_text(source.id)[fact.span.start : fact.span.end] == fact.text
    assert user.source(source.id).state == "ready"
    assert user.passages(source.id, unread=True) == []


def test_the_same_bytes_are_one_document(memory: Memory) -> None:
    user = memory.of("eve")
    first = user.add_document("marta.md", DOCUMENT)
    assert user.add_document("copy.md", DOCUMENT).id == first.id
    user.cancel(first.id)
    assert user.source(first.id).state == "cancelled"
    assert user.add_document("marta.md", DOCUMENT).state == "queued"


def test_restart_keeps_everything(open_memory: Callable[..., Memory]) -> None:
    user = open_memory().of("eve")
    user.add_document("marta.md", DOCUMENT)
    user.note(OSLO, read(OSLO, ("Ann", "lives in", "Oslo")))
    user.state.set("theme", {"dark": True})
    before = (user.sources(), user.facts(), user.entities(), user.recall("Where does Ann live?"))
    again = open_memory().of("eve")
    assert (again.sources(), again.facts(), again.entities(), again.recall("Where does Ann live?")) == before
    assert again.state.get("theme") == {"dark": True}
    assert open_memory().status().agrees


def test_users_are_apart(memory: Memory) -> None:
    eve, bob = memory.of("eve"), memory.of("bob")
    source, stored = eve.note(OSLO, read(OSLO, ("Ann", "lives in", "Oslo")))
    fact = stored.added[0]
    eve.sessions.new("s")
    eve.state.set("theme", "dark")
    assert bob.recall("Where does Ann live?") == []
    assert bob.find_entities("Ann") == bob.entities() == bob.facts() == bob.sources() == bob.sessions.list() == []
    assert bob.state.get("theme") is None
    for reach in (
        lambda: bob.entity(fact.subject_id),
        lambda: bob.facts_of(fact.subject_id),
        lambda: bob.source_text(source.id),
        lambda: bob.passages(source.id),
        lambda: bob.cancel(source.id),
        lambda: bob.store(source.id, "p1", Extraction()),
        lambda: bob.forget(facts=[fact.id]),
        lambda: bob.forget(source=source.id),
        lambda: bob.forget(entity="Ann"),
        lambda: bob.sessions.load("s"),
    ):
        with pytest.raises(NothingThere):
            reach()
    assert bob.is_empty()
    assert memory.users() == ["eve"]


@pytest.mark.parametrize("name", ["", "   ", "a" * 65, "a\nb", "a\0b"])
def test_what_cannot_be_a_user(memory: Memory, name: str) -> None:
    with pytest.raises(UserMistake, match="user's name"):
        memory.of(name)


@pytest.mark.parametrize("name", ["../../etc", "张伟", "a b", "'; DROP TABLE users; --", "a" * 64])
def test_a_user_may_have_any_name_that_can_be_seen(memory: Memory, home: Path, name: str) -> None:
    memory.of(name).note(OSLO, read(OSLO, ("Ann", "lives in", "Oslo")))
    assert memory.users() == [name]
    assert {path.name for path in home.iterdir()} <= {"memory.db", "memory.db-wal", "memory.db-shm", "vectors"}


def test_another_embedding_model_means_new_vectors(
    open_memory: Callable[..., Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    user = open_memory().of("eve")
    text = " ".join(f"Ann met Person{n}." for n in range(40))
    user.note(text, read(text, *(("Ann", "met", f"Person{n}") for n in range(40))))
    monkeypatch.setattr("memory.indexing._MOMENT", 0.0)
    memory = open_memory(WordEmbedder("other", size=48))
    status = memory.status()
    assert status.waiting and not status.agrees
    assert memory.not_embedded() == ["eve"]
    assert memory.of("eve").recall("Person7", k=3)[0].fact is not None  # by its words
    assert memory.repair().agrees
    assert memory.repair().vectors == status.vectors + status.waiting


def test_a_call_returns_though_much_is_still_to_be_embedded(
    open_memory: Callable[..., Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.indexing._MOMENT", _SHIPPED_MOMENT)
    embedder = SlowEmbedder()
    memory = open_memory(embedder)
    paragraph = " ".join(["The hive is blue and the garden is green."] * 20)
    memory.of("eve").add_document("long.txt", "\n\n".join(f"{n}: {paragraph}" for n in range(50)).encode())
    assert 1 <= embedder.embedded <= 10
    assert memory.status().waiting >= 40


def write_garbage(file: Path) -> None:
    file.write_bytes(b"garbage" * 1000)


def drop_a_table(file: Path) -> None:
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute("DROP TABLE embeddings")


@pytest.mark.parametrize("damage", [write_garbage, drop_a_table])
def test_a_damaged_index_is_made_anew(
    home: Path, open_memory: Callable[..., Memory], damage: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    memory = open_memory()
    memory.of("eve").note("Ann lives in Oslo.", read("Ann lives in Oslo.", ("Ann", "lives in", "Oslo")))
    vectors = memory.status().vectors
    memory.close()
    damage(home / "vectors" / "chroma.sqlite3")
    memory = open_memory()
    assert "damaged" in caplog.text
    repaired = memory.repair()
    assert (repaired.agrees, repaired.vectors) == (True, vectors)
    assert memory.of("eve").recall("Where does Ann live?")


def test_repair_mends_an_index_that_differs(open_memory: Callable[..., Memory]) -> None:
    memory = open_memory()
    user = memory.of("eve")
    user.note(OSLO, read(OSLO, ("Ann", "lives in", "Oslo")))
    vectors = memory.status().vectors
    index, user_id = memory._index, user._id
    index.upsert(user_id, ["f999"], WordEmbedder().passage(["nothing"]))
    index.remove(user_id, ["f1"])
    assert not memory.status().agrees
    repaired = memory.repair()
    assert repaired.agrees
    assert repaired.vectors == vectors


def test_a_lost_index_is_made_anew(open_memory: Callable[..., Memory], home: Path) -> None:
    memory = open_memory()
    memory.of("eve").note(OSLO, read(OSLO, ("Ann", "lives in", "Oslo")))
    memory.close()
    shutil.rmtree(home / "vectors")
    assert open_memory().status().agrees


def test_a_home_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file, not a folder")
    with pytest.raises(UserMistake, match="LOREKEEPER_HOME"):
        Memory(tmp_path / "home", WordEmbedder())


def test_records_that_are_none(home: Path) -> None:
    home.mkdir()
    (home / "memory.db").write_bytes(b"This is not SQLite." * 100)
    with pytest.raises(Failure, match="damaged"):
        Memory(home, WordEmbedder())


def test_an_empty_note_is_a_mistake(memory: Memory) -> None:
    with pytest.raises(UserMistake, match="empty"):
        memory.of("eve").note("  \n", Extraction())
