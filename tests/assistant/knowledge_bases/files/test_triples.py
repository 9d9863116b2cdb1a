"""Files of triples as knowledge bases."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.errors import Failure, KnowledgeBaseUnreachable, UserMistake
from assistant.knowledge_bases import rdf
from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.files.building import build
from assistant.knowledge_bases.files.formats import guess_format, read_triples
from assistant.knowledge_bases.files.triples import Triples, _shares
from assistant.types import Direction, Entity
from tests.assistant.knowledge_bases.contract import Case, KnowledgeBaseContract, TriplesContract

Load = Callable[..., Triples]

FILMS = """Kismet|directed_by|William Dieterle
Kismet|release_year|1944
Kismet|starred_actors|Marlene Dietrich
Love Letters|directed_by|William Dieterle
Love Letters|has_genre|Drama
"""
IRI = "http://example.org/"
CITIES = """
@prefix e: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
e:Vienna rdfs:label "Vienna"@en, "维也纳"@zh ; skos:altLabel "Wien"@de ; rdfs:comment "A city on the Danube."@en ,
    "多瑙河畔的城市。"@zh ; e:capitalOf e:Austria ; e:area "414.78"^^xsd:decimal ; e:ring_road "Gürtel" ;
    e:motto "Vienna waits"@en , "维也纳在等"@zh ; e:foundedOn "1137-01-01T00:00:00Z"^^xsd:dateTime .
e:Austria rdfs:label "Austria"@en, "奥地利"@zh .
e:Lower_Austria e:partOf e:Austria .
e:capitalOf rdfs:label "capital of"@en, "首都"@zh .
"""

TEAMS = """
<ent:Keld> <pred:name> "Arno Keld" .
<ent:Osk%20FC> <pred:name> "Osk F.C." .
<ent:club> <pred:name> "football club" .
<ent:Osk%20FC> <pred:instance_of> <ent:club> .
<ent:Keld> <p:member_of_sports_team> <ent:Osk%20FC> .
<ent:Keld> <p:height> _:v1 .
_:v1 <pred:value> "184 centimetre" .
_:f1 <pred:fact_h> <ent:Keld> .
_:f1 <pred:fact_r> <p:member_of_sports_team> .
_:f1 <pred:fact_t> <ent:Osk%20FC> .
_:f1 <p:start_time> "1998" .
_:f1 <p:position> <ent:goalkeeper> .
_:f2 <pred:fact_h> <ent:Keld> .
_:f2 <pred:fact_r> <p:height> .
_:f2 <pred:fact_t> _:v1 .
_:f2 <p:point_in_time> _:v2 .
_:v2 <pred:value> "2001" .
"""
REIFIED = """
@prefix e: <http://example.org/> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
e:Keld e:playedFor e:Osk .
e:statement1 a rdf:Statement ; rdf:subject e:Keld ; rdf:predicate e:playedFor ; rdf:object e:Osk ; e:since "1998" .
"""


@pytest.fixture
def load(tmp_path: Path) -> Iterator[Load]:
    opened: list[Triples] = []

    def load_(text: str, name: str = "file.txt") -> Triples:
        file, folder = tmp_path / name, tmp_path / f"kb-{len(opened)}"
        file.write_text(text, encoding="utf-8")
        build(folder, read_triples(file, guess_format(file)), name)
        opened.append(Triples("test", folder))
        return opened[-1]

    yield load_
    for base in opened:
        base.close()


def linked(base: Triples, mention: str, question: str = "") -> Entity:
    return base.link(mention, [], question, Deadline.after(10))[0]


def said(base: Triples, entity: Entity, direction: Direction = "both", limit: int = 100) -> list[tuple[str, str, str]]:
    triples = base.triples(entity, direction, limit, Deadline.after(10))
    return [(triple.subject, triple.relation, triple.object) for triple in triples]


class TestContract(KnowledgeBaseContract, TriplesContract):
    @pytest.fixture(params=[FILMS, CITIES], ids=["names", "rdf"])
    def case(self, load: Load, request: pytest.FixtureRequest) -> Case:
        names_only = request.param == FILMS
        known = "Kismet" if names_only else "Vienna"
        return Case(load(request.param), known, "Which one?", described=not names_only)


def test_triples_are_read_in_each_direction(load: Load) -> None:
    films = load(FILMS)
    director = linked(films, "william dieterle")
    assert said(films, director, "out") == []
    assert set(said(films, director, "in")) == {
        ("Kismet", "directed by", "William Dieterle"),
        ("Love Letters", "directed by", "William Dieterle"),
    }


def test_from_one_triple_to_the_next(load: Load) -> None:
    films = load(FILMS)
    (direction,) = (
        t for t in films.triples(linked(films, "Kismet"), "out", 9, Deadline.after(9)) if "direct" in t.relation
    )
    assert direction.object_id
    director = Entity("test", direction.object_id, direction.object)
    assert ("Love Letters", "directed by", "William Dieterle") in said(films, director)


def test_values_relations_and_names_are_readable(load: Load) -> None:
    cities = load(CITIES)
    assert set(said(cities, linked(cities, "Vienna"))) == {
        ("Vienna", "capital of", "Austria"),
        ("Vienna", "area", "414.78"),
        ("Vienna", "ring road", "Gürtel"),
        ("Vienna", "motto", "Vienna waits"),
        ("Vienna", "founded on", "1137-01-01"),
    }
    assert ("Lower Austria", "part of", "Austria") in said(cities, linked(cities, "Austria"))


@pytest.mark.parametrize(
    ("value", "question", "expected"),
    [
        ("414.78", "Which city?", ("Vienna", "area", "414.78")),
        ("Gürtel", "Which city?", ("Vienna", "ring road", "Gürtel")),
        ("Vienna waits", "Which city?", ("Vienna", "motto", "Vienna waits")),
        ("1137-01-01", "哪座城市？", ("维也纳", "founded on", "1137-01-01")),
    ],
)
def test_what_has_a_value_is_found_from_it(
    load: Load, value: str, question: str, expected: tuple[str, str, str]
) -> None:
    (found,) = load(CITIES).bearing(value, question, 9, Deadline.after(9))
    assert (found.subject, found.relation, found.object) == expected
    assert (found.subject_id, found.object_id) == (f"{'zh' if '维' in found.subject else 'en'} {IRI}Vienna", None)


def test_of_very_many_with_a_value_each_relation_keeps_its_share(load: Load) -> None:
    many = "\n".join(f'<e:p{n}> <e:sex> "1" .' for n in range(50))
    found = load(f'{many}\n<e:hydrogen> <e:atomic_number> "1" .\n', "file.nt").bearing("1", "", 10, Deadline.after(9))
    assert {triple.relation for triple in found} == {"sex", "atomic number"}
    assert len(found) == 10
    statements = load(REIFIED.replace("e:Osk", '"Osk"'), "file.ttl").bearing("Osk", "", 10, Deadline.after(9))
    assert [(triple.subject, triple.relation) for triple in statements] == [("Keld", "played for")]


def test_what_is_named_and_what_is_nothing_is_no_value(load: Load) -> None:
    cities = load(CITIES)
    for value in ("Vienna", "A city on the Danube.", "99", "", "44.78"):
        assert cities.bearing(value, "", 9, Deadline.after(9)) == []


def test_a_statement_about_a_triple_gives_its_qualifiers_from_either_end(load: Load) -> None:
    teams = load(TEAMS, "kb.nt")
    keld = linked(teams, "arno keld")
    found = {t.relation: t for t in teams.triples(keld, "both", 9, Deadline.after(9))}
    assert found.keys() == {"member of sports team", "height"}
    assert (found["height"].object, found["height"].qualifiers) == ("184 centimetre", (("point in time", "2001"),))
    assert set(found["member of sports team"].qualifiers) == {("start time", "1998"), ("position", "goalkeeper")}
    back = {t.relation: t for t in teams.triples(linked(teams, "Osk F.C."), "both", 9, Deadline.after(9))}
    assert back["member of sports team"].subject == "Arno Keld"
    assert back["member of sports team"].qualifiers == found["member of sports team"].qualifiers
    assert back["instance of"].qualifiers == ()


def test_the_statements_of_rdf_itself_give_qualifiers_too(load: Load) -> None:
    base = load(REIFIED, "kb.ttl")
    (triple,) = base.triples(linked(base, "Keld"), "both", 9, Deadline.after(9))
    assert (triple.relation, triple.object, triple.qualifiers) == ("played for", "Osk", (("since", "1998"),))


def test_a_chinese_question_is_answered_in_chinese_from_hop_to_hop(load: Load) -> None:
    cities = load(CITIES)
    vienna = linked(cities, "Vienna", "维也纳是哪国的首都？")
    assert vienna.name == "维也纳"
    assert cities.entity_info(vienna, Deadline.after(9)) == "多瑙河畔的城市。"
    triples = {triple.relation: triple for triple in cities.triples(vienna, "out", 9, Deadline.after(9))}
    assert triples["首都"].object == "奥地利"
    assert triples["首都"].relation_aliases == ("capital of",)
    assert triples["motto"].object == "维也纳在等"
    assert ("维也纳", "首都", "奥地利") in said(cities, Entity("test", triples["首都"].object_id or "", "奥地利"))


@pytest.mark.parametrize("mention", ["Wien", "WIEN", "维也纳", "維也納", "Viena"])
def test_every_name_of_the_graph_links(load: Load, mention: str) -> None:
    vienna = linked(load(CITIES), mention)
    assert vienna.name in {"Vienna", "维也纳"}
    assert vienna.url == "http://example.org/Vienna"
    assert vienna.description


def test_another_name_in_a_file_of_names_links(load: Load) -> None:
    base = load("美国 ||| 别名 ||| 美利坚合众国\n美国 ||| 首都 ||| 华盛顿\n")
    names = [entity.name for entity in base.link("美利坚合众国", [], "", Deadline.after(9))]
    assert "美国" in names


def test_names_are_kept_to_the_letter(load: Load) -> None:
    odd = ["50% <off> {now}", "a#b?c/d", "C\\x^`", "tab and  spaces", "名字 \ue000", "100%25"]
    base = load("".join(f"{name}|is next to|thing {number}\n" for number, name in enumerate(odd)))
    for number, name in enumerate(odd):
        assert said(base, linked(base, name)) == [(name, "is next to", f"thing {number}")]


def test_a_long_text_is_a_value_and_no_entity(load: Load) -> None:
    text = "A long story. " * 60
    base = load(f"Kismet|plot|{text}\n")
    (triple,) = base.triples(linked(base, "Kismet"), "both", 9, Deadline.after(9))
    assert (triple.object, triple.object_id) == (text.strip(), None)


def test_where_much_is_left_out_each_relation_keeps_its_share(load: Load) -> None:
    lines = [f"Film {number}|release_year|1994" for number in range(500)]
    base = load("\n".join([*lines, "Film 7|has_genre|Drama", "1994|is a|year", "Forrest|born in|1994"]))
    found = said(base, linked(base, "1994"), limit=10)
    assert len(found) == 10
    assert ("1994", "is a", "year") in found
    assert ("Forrest", "born in", "1994") in found
    assert ("Film 7", "release year", "1994") in found  # the most connected of the films


def test_of_a_hub_every_relation_is_found_and_each_can_be_read_to_its_end(load: Load) -> None:
    lines = [f"Person {number}|born in|Osk" for number in range(5100)]
    base = load("\n".join([*lines, *(f"Osk|street|Street {number}" for number in range(5100)), "Zed|mayor of|Osk"]))
    osk = linked(base, "Osk")
    found = base.triples(osk, "both", 400, Deadline.after(30))
    assert {triple.relation for triple in found} == {"born in", "street", "mayor of"}
    assert len(found) == 400
    born = base.related(osk, ["born in"], 9000, Deadline.after(30), outgoing=False)
    assert {triple.subject for triple in born} == {f"Person {number}" for number in range(5100)}
    assert len(base.related(osk, ["street"], 7, Deadline.after(30), outgoing=True)) == 7
    assert base.related(osk, ["street"], 7, Deadline.after(30), outgoing=False) == []


@pytest.mark.parametrize("members", [900, 5100])
def test_what_has_no_name_takes_the_place_of_nothing_that_has_one(load: Load, members: int) -> None:
    notes = "".join(f"<e:Osk> <e:note> _:note{number} .\n" for number in range(3))
    written = "".join(f"<e:Osk> <e:member> <e:member{number}> .\n" for number in range(members))
    base = load(f'<e:Osk> <{rdf.LABEL}> "Osk" .\n{notes}{written}<e:Osk> <e:seat> <e:Hill> .\n', "file.nt")
    osk = linked(base, "Osk")
    found = base.triples(osk, "both", 400, Deadline.after(30))
    assert {triple.relation for triple in found} == {"member", "seat"}
    assert len(found) == 400
    assert base.related(osk, ["note"], 2, Deadline.after(30), outgoing=True) == []


def test_what_holds_both_ways_is_said_once(load: Load) -> None:
    base = load("Austria|borders|Hungary\nHungary|borders|Austria\n")
    assert said(base, linked(base, "Austria")) == [("Austria", "borders", "Hungary")]


@given(st.lists(st.integers(1, 60), max_size=8), st.integers(0, 100))
def test_shares_are_fair(sizes: list[int], limit: int) -> None:
    shares = _shares(sizes, limit)
    assert sum(shares) == min(limit, sum(sizes))
    assert all(0 <= share <= size for share, size in zip(shares, sizes, strict=True))
    cut = [share for share, size in zip(shares, sizes, strict=True) if share < size]
    assert not cut or max(cut) - min(cut) <= 1
    assert not cut or max(shares) - min(cut) <= 1


def test_a_broken_line_leaves_nothing_behind(tmp_path: Path) -> None:
    file = tmp_path / "films.txt"
    file.write_text(FILMS * 50 + "Kismet|directed_by\n")
    with pytest.raises(UserMistake, match=r"Line 251 of films\.txt is not head\|relation\|tail: “Kismet\|directed_by”"):
        build(tmp_path / "kb" / "films", read_triples(file, "pipe"), "films.txt")
    assert list((tmp_path / "kb").iterdir()) == []


def test_a_file_without_triples_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserMistake, match="holds no triples"):
        build(tmp_path / "kb", iter(()), "empty.txt")
    assert not (tmp_path / "kb").exists()


def test_a_folder_that_cannot_be_written_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(Failure, match="Cannot write"):
        build(tmp_path / "file" / "kb", iter(()), "x")


def test_a_damaged_knowledge_base_says_what_to_do(load: Load, tmp_path: Path) -> None:
    load(FILMS).close()
    (tmp_path / "kb-0" / "names.db").write_bytes(b"nothing of the kind, and long enough to be read as a header" * 20)
    with pytest.raises(Failure, match="remove it and add it again"):
        Triples("films", tmp_path / "kb-0")


def test_a_damaged_store_says_what_to_do(load: Load, tmp_path: Path) -> None:
    load(FILMS).close()
    for table in (tmp_path / "kb-0" / "store").glob("*.sst"):
        table.write_bytes(bytes(100))
    with pytest.raises(Failure, match="remove it and add it again"):
        Triples("films", tmp_path / "kb-0")


def test_a_closed_one_is_unreachable_and_may_be_closed_again(load: Load) -> None:
    films = load(FILMS)
    kismet = linked(films, "Kismet")
    films.close()
    films.close()
    with pytest.raises(KnowledgeBaseUnreachable):
        linked(films, "Kismet")
    with pytest.raises(KnowledgeBaseUnreachable):
        said(films, kismet)


def test_an_hour_gone_by_is_unreachable(load: Load) -> None:
    films = load(FILMS)
    with pytest.raises(KnowledgeBaseUnreachable):
        films.triples(linked(films, "Kismet"), "both", 9, Deadline(time.monotonic() - 3600))


def there(file: Path) -> Path:
    """A file of the evaluation data; the test is skipped where that has been cut down and lacks it."""
    if not file.exists():
        pytest.skip(f"{file} is not part of the evaluation data here.")
    return file


def test_films_as_they_come(evaluation_data: Path, tmp_path: Path) -> None:
    file = there(evaluation_data / "metaqa" / "kb.txt.gz")
    assert build(tmp_path / "metaqa", read_triples(file, guess_format(file)), file.name) > 120_000
    films = Triples("metaqa", tmp_path / "metaqa")
    directed = [s for s, relation, _ in said(films, linked(films, "William Dieterle")) if relation == "directed by"]
    assert {"Kismet", "The Life of Emile Zola"} <= set(directed)
    assert linked(films, "Wiliam Dieterl").name == "William Dieterle"
    films.close()


def test_facts_with_qualifiers_as_they_come(evaluation_data: Path, tmp_path: Path) -> None:
    file = there(evaluation_data / "kqapro" / "kb.nt.gz")
    build(tmp_path / "kqapro", read_triples(file, guess_format(file)), file.name)
    base = Triples("kqapro", tmp_path / "kqapro")
    triples = base.triples(linked(base, "Amy Nuttall"), "both", 400, Deadline.after(30))
    won = [t for t in triples if t.relation == "winner" and "Screen Actors Guild" in t.subject]
    assert [dict(t.qualifiers)["point in time"] for t in won] == ["2013"]
    base.close()


def test_chinese_triples_as_they_come(evaluation_data: Path, tmp_path: Path) -> None:
    file = there(evaluation_data / "nlpcc" / "kb.tsv.gz")
    build(tmp_path / "nlpcc", read_triples(file, guess_format(file)), file.name)
    base = Triples("nlpcc", tmp_path / "nlpcc")
    assert ("$", "中文名", "美元") in said(base, linked(base, "$"))
    base.close()
