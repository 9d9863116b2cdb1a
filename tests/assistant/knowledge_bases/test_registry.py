"""Which knowledge bases there are, and who may ask which."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from assistant.errors import Failure, KnowledgeBaseUnreachable, NothingThere, UserMistake
from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.registry import KnowledgeBases
from assistant.knowledge_bases.web.outbound import outbound
from assistant.settings import Settings
from memory.store import Memory
from tests.assistant.knowledge_bases.loopback import LoopbackServer, Reply
from tests.assistant.knowledge_bases.sparql.sparql_double import serving
from tests.memory.conftest import WordEmbedder
from tests.memory.samples import read
from tests.memory.test_forgetting import found_in

FILMS = "Kismet|directed_by|William Dieterle\nKismet|release_year|1944\n"

Open = Callable[..., KnowledgeBases]


@pytest.fixture
def open_registry(home: Path) -> Iterator[Open]:
    """Opens the test's home: `open_registry()` again is a restart."""
    memory = Memory(home, WordEmbedder())
    opened: list[KnowledgeBases] = []

    def open_(*, public: bool = True) -> KnowledgeBases:
        for registry in opened:
            registry.close()
        opened.append(KnowledgeBases(replace(Settings.from_environment(), public_knowledge_bases=public), memory))
        return opened[-1]

    yield open_
    opened[-1].close()
    memory.close()


@pytest.fixture
def registry(open_registry: Open) -> KnowledgeBases:
    return open_registry()


@pytest.fixture
def films(tmp_path: Path) -> Path:
    path = tmp_path / "films.txt"
    path.write_text(FILMS)
    return path


def chosen(registry: KnowledgeBases, language: str = "en", *names: str) -> list[str]:
    return [base.name for base in registry.choose("ana", language, names)]


@pytest.mark.parametrize(
    ("language", "public"),
    [("en", ["wikipedia", "wikidata"]), ("de", ["wikipedia", "wikidata"]), ("zh", ["cn-dbpedia"])],
)
def test_the_users_memory_is_asked_first_and_the_public_ones_by_language(
    registry: KnowledgeBases, language: str, public: list[str]
) -> None:
    assert chosen(registry, language) == ["personal", "world", *public]


def test_a_file_is_asked_in_the_languages_that_it_declares(registry: KnowledgeBases, films: Path) -> None:
    registry.add("films", films, languages=["en"])
    registry.add("all-films", films)
    assert {"films", "all-films"} <= set(chosen(registry, "en"))
    assert "films" not in chosen(registry, "zh")
    assert "all-films" in chosen(registry, "zh")


def test_what_was_added_answers_also_after_a_restart(open_registry: Open, films: Path) -> None:
    info = open_registry().add("films", films, languages=["en"])
    assert (info.name, info.kind, info.triples, info.state, info.languages) == ("films", "file", 2, "up", ("en",))
    restarted = open_registry()
    (base,) = restarted.choose("ana", "en", ["films"])
    (kismet,) = base.link("kismet", [], "", Deadline.after(9))
    assert {t.object for t in base.triples(kismet, "out", 9, Deadline.after(9))} == {"William Dieterle", "1944"}
    assert info in restarted.infos()


def test_what_was_removed_is_gone_and_its_name_is_free(open_registry: Open, films: Path, home: Path) -> None:
    registry = open_registry()
    registry.add("films", films)
    registry.remove("films")
    assert "films" not in chosen(registry)
    assert list((home / "knowledge_bases").iterdir()) == []
    assert "films" not in chosen(open_registry())
    assert open_registry().add("films", films).triples == 2


def test_a_broken_file_adds_nothing(registry: KnowledgeBases, films: Path, home: Path) -> None:
    films.write_text(FILMS + "half a line\n")
    with pytest.raises(UserMistake, match=r"Line 3 of films\.txt"):
        registry.add("films", films)
    assert "films" not in {info.name for info in registry.infos()}
    assert list((home / "knowledge_bases").iterdir()) == []
    films.write_text(FILMS)
    assert registry.add("films", films).triples == 2


@pytest.mark.parametrize("name", ["", "Films", "a b", "../up", "-x", "é", "x" * 65, "personal", "world", "wikipedia"])
def test_a_name_that_cannot_be_used_is_refused(registry: KnowledgeBases, films: Path, name: str) -> None:
    with pytest.raises(UserMistake, match="name"):
        registry.add(name, films)


def test_a_name_that_is_taken_is_refused(registry: KnowledgeBases, films: Path) -> None:
    registry.add("films", films)
    with pytest.raises(UserMistake, match="already"):
        registry.add("films", films)
    assert "films" in chosen(registry)


def test_a_language_is_two_letters(registry: KnowledgeBases, films: Path) -> None:
    with pytest.raises(UserMistake, match="“english” is no language"):
        registry.add("films", films, languages=["english"])


def test_only_what_was_added_can_be_removed(registry: KnowledgeBases) -> None:
    with pytest.raises(NothingThere, match="There is no knowledge base films"):
        registry.remove("films")
    with pytest.raises(UserMistake, match="built in"):
        registry.remove("world")


def test_names_override_the_choice(registry: KnowledgeBases) -> None:
    assert chosen(registry, "en", "world") == ["world"]
    assert chosen(registry, "en", "world", "personal", "world") == ["personal", "world"]
    with pytest.raises(UserMistake, match="no knowledge base wrold; choose of personal, tables, documents, world"):
        chosen(registry, "en", "wrold")


def test_public_ones_are_switched_off_for_the_user_who_wants_it(open_registry: Open) -> None:
    registry = open_registry()
    registry.switch_public("ana", False)
    assert chosen(registry) == ["personal", "world"]
    assert len(registry.choose("ben", "en")) == 4
    assert {info.state for info in registry.infos("ana") if info.public} == {"off"}
    assert {info.state for info in registry.infos() if info.public} == {"up"}
    with pytest.raises(UserMistake, match="switched off"):
        chosen(registry, "en", "wikidata")
    assert not open_registry().public_on("ana")
    registry = open_registry()
    registry.switch_public("ana", True)
    assert "wikidata" in chosen(registry)


def test_public_ones_are_switched_off_by_setting(open_registry: Open) -> None:
    registry = open_registry(public=False)
    assert chosen(registry) == ["personal", "world"]
    assert {info.enabled for info in registry.infos() if info.public} == {False}
    with pytest.raises(UserMistake, match="LOREKEEPER_PUBLIC"):
        registry.switch_public("ana", True)


def test_a_damaged_one_is_down_with_its_reason_and_the_others_go_on(
    open_registry: Open, films: Path, home: Path
) -> None:
    open_registry().add("films", films)
    (home / "knowledge_bases" / "films" / "about.json").unlink()
    registry = open_registry()
    (info,) = (info for info in registry.infos() if info.name == "films")
    assert (info.state, info.enabled, info.triples) == ("down", False, None)
    assert "remove it and add it again" in info.message
    assert "films" not in chosen(registry)
    with pytest.raises(UserMistake, match="remove it and add it again"):
        chosen(registry, "en", "films")
    registry.remove("films")
    assert registry.add("films", films).state == "up"


def test_an_endpoint_is_asked_until_it_is_removed(open_registry: Open, server: LoopbackServer) -> None:
    server.answer = serving('<http://e.org/Osk> <http://www.w3.org/2000/01/rdf-schema#label> "Osk" .')
    info = open_registry().add_endpoint("rivers", server.url, languages=["en"])
    assert (info.kind, info.state, info.public, info.languages) == ("endpoint", "up", False, ("en",))
    registry = open_registry()
    (base,) = registry.choose("ana", "en", ["rivers"])
    assert [entity.name for entity in base.link("Osk", [], "", Deadline.after(9))] == ["Osk"]
    assert info in registry.infos()
    registry.remove("rivers")
    with pytest.raises(KnowledgeBaseUnreachable, match="not on the list of allowed hosts"):
        base.link("Osk", [], "", Deadline.after(9))
    assert "rivers" not in chosen(open_registry())


def test_an_endpoint_that_is_busy_for_a_moment_is_added(registry: KnowledgeBases, server: LoopbackServer) -> None:
    server.replies(Reply(status=500), Reply({"head": {}, "boolean": True}))
    assert registry.add_endpoint("rivers", server.url).state == "up"


def test_where_no_endpoint_answers_none_is_added(registry: KnowledgeBases, server: LoopbackServer) -> None:
    server.replies(Reply(b"<html>"))
    with pytest.raises(Failure):
        registry.add_endpoint("rivers", server.url)
    with pytest.raises(UserMistake, match="is not the address"):
        registry.add_endpoint("rivers", "rivers.ttl")
    assert "rivers" not in {info.name for info in registry.infos()}


def test_an_endpoint_whose_address_is_no_longer_taken_is_down_and_can_be_removed(open_registry: Open) -> None:
    state = open_registry()._memory.state
    state.set("sparql_endpoints", {"old": "http://ada:secret@localhost/sparql"})
    state.set("knowledge_bases", {"old": []})
    registry = open_registry()
    (info,) = [info for info in registry.infos() if info.name == "old"]
    assert info.state == "down"
    assert "password" in info.message
    registry.remove("old")


def test_an_endpoint_of_the_internet_is_public(registry: KnowledgeBases, home: Path) -> None:
    memory = registry._memory
    memory.state.set("sparql_endpoints", {"far": "https://far.example/sparql"})
    memory.state.set("knowledge_bases", {"far": []})
    registry = KnowledgeBases(replace(Settings.from_environment(), public_knowledge_bases=True), memory)
    assert "far" in chosen(registry)
    registry.switch_public("ana", False)
    assert "far" not in chosen(registry)
    assert {info.name: info.state for info in registry.infos("ana")}["far"] == "off"
    registry.close()


def test_what_was_asked_about_something_forgotten_is_forgotten(home: Path) -> None:
    home.mkdir()
    memory = Memory(home, WordEmbedder())
    bases = KnowledgeBases(Settings.from_environment({"LOREKEEPER_HOME": str(home)}), memory)
    user, log = memory.of("eve"), home / "outbound.log"
    for told in ("Ada", "Bo Berg"):
        user.note(f"{told} sings.", read(f"{told} sings.", (told, "does", "sings")))
    outbound.info("GET https://wiki.example/w/api.php?titles=Bo_Berg")
    outbound.info("GET https://wiki.example/w/api.php?search=Oslo+town")
    user.forget(entity="Bo Berg")
    assert "Bo" not in log.read_text()
    assert "Oslo" in log.read_text()
    outbound.info("GET https://wiki.example/w/api.php?titles=Rome")
    assert "Rome" in log.read_text()
    user.forget(everything=True)
    assert log.read_text() == ""
    bases.close()
    memory.close()


def test_the_address_of_a_page_goes_with_the_page(home: Path) -> None:
    home.mkdir()
    memory = Memory(home, WordEmbedder())
    bases = KnowledgeBases(Settings.from_environment({"LOREKEEPER_HOME": str(home)}), memory)
    user, pages = memory.of("eve"), "https://clinic.example/patients/"
    page = user.add_document("result.txt", b"All is well.", f"{pages}biopsy-result?id=4711")
    for asked in ("biopsy-result?id=4711", "opening-hours"):
        outbound.info("the web GET %s%s: 200", pages, asked)
    user.forget(source=page.id)
    assert found_in(home, "biopsy", "4711") == []
    assert "opening-hours" in (home / "outbound.log").read_text()
    bases.close()
    memory.close()


@pytest.mark.parametrize("by", ["source", "fact", "time", "entity"])
def test_however_it_is_forgotten_nothing_tells_that_it_was_asked(home: Path, by: str) -> None:
    home.mkdir()
    memory = Memory(home, WordEmbedder())
    bases = KnowledgeBases(Settings.from_environment({"LOREKEEPER_HOME": str(home)}), memory)
    user = memory.of("eve")
    told = "Quilla Farn, or Quill, lives in Tromsdal."
    source, stored = user.note(
        told, read(told, ("Quilla Farn", "lives in", "Tromsdal"), aliases={"Quilla Farn": ("Quill",)})
    )
    for asked in ("titles=Quilla_Farn", "search=tromsdal+town", "search=quill", "titles=Oslo"):
        outbound.info("GET https://wiki.example/w/api.php?%s", asked)
        bases.http._cache.put(asked, f"Of {asked}: {told}".encode())
    assert any(file.endswith("answers.db") for file in found_in(home, "Tromsdal"))  # compressed
    what = {
        "source": {"source": source.id},
        "fact": {"facts": [stored.added[0].id]},
        "time": {"since": source.added},
        "entity": {"entity": "Quilla Farn"},
    }
    user.forget(**what[by])  # type: ignore[arg-type]
    assert found_in(home, "Tromsdal", "tromsdal", "Quilla", "quill") == []
    assert "Oslo" in (home / "outbound.log").read_text()
    bases.close()
    memory.close()


def test_a_log_that_cannot_be_read_is_said_after_all_else_is_forgotten(home: Path) -> None:
    home.mkdir()
    memory = Memory(home, WordEmbedder())
    bases = KnowledgeBases(Settings.from_environment({"LOREKEEPER_HOME": str(home)}), memory)
    user = memory.of("eve")
    user.note("Ada sings.", read("Ada sings.", ("Ada", "does", "sings")))
    (home / "outbound.log").mkdir()
    with pytest.raises(Failure, match=r"outbound\.log"):
        user.forget(entity="Ada")
    assert (user.is_empty(), user.status().agrees, user.status().unswept) == (True, True, False)
    bases.close()
    memory.close()
