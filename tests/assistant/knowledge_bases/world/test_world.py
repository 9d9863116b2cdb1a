"""The built-in knowledge base: what it knows, under which names, and that its data is sound."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from assistant.embedding import load_embedder
from assistant.errors import KnowledgeBaseUnreachable
from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.files.names import name_key
from assistant.knowledge_bases.functions import KnowledgeFunctions
from assistant.knowledge_bases.relations import RelationRanker
from assistant.knowledge_bases.world import world as module
from assistant.knowledge_bases.world.city_names import CityNames
from assistant.knowledge_bases.world.countries import country_names
from assistant.knowledge_bases.world.data import CHINESE_ELEMENTS, CONTINENTS, SUBREGIONS
from assistant.knowledge_bases.world.element_names import NAMES
from assistant.knowledge_bases.world.places import Places
from assistant.knowledge_bases.world.quads import cldr_names, node, place_node
from assistant.knowledge_bases.world.things import language_names, position
from assistant.knowledge_bases.world.world import World
from assistant.messages.catalogues import LANGUAGES
from assistant.settings import Settings
from assistant.types import Direction, Entity, Triple
from memory.folding import fold
from tests.assistant.knowledge_bases.contract import Case, KnowledgeBaseContract, TriplesContract

LIMIT = 400


@pytest.fixture(scope="session")
def world() -> Iterator[World]:
    """From the cache that all homes share; generated where it is not there."""
    base = World(Settings.from_environment().cache)
    base.ensure()
    base.link("Vienna", [], "", Deadline.after(120))
    yield base
    base.close()


@pytest.fixture(scope="module")
def ranker() -> RelationRanker:
    settings = Settings.from_environment()
    return RelationRanker(load_embedder(settings.embeddings, settings.cache))


class TestContract(KnowledgeBaseContract, TriplesContract):
    @pytest.fixture
    def case(self, world: World) -> Case:
        return Case(world, "Vienna", "Where is Vienna?")


@pytest.mark.parametrize(
    ("call", "question", "expected"),
    [
        ((["74"], ["atomic number of"]), "Which element has the atomic number 74?", "tungsten"),
        ((["74"], ["原子序数"]), "原子序数是74的元素是什么？", "钨"),
        ((["+41"], ["calling code of"]), "Which country has the calling code +41?", "Switzerland"),
        ((["CHF"], ["currency of"]), "Where can I pay in CHF?", "Switzerland"),
        ((["兹罗提"], ["货币 of"]), "哪个国家的货币是兹罗提？", "波兰"),
        ((["kwanza"], ["currency"], ["continent"]), "Where is the country whose currency is the kwanza?", "Africa"),
        ((["宽扎"], ["货币"], ["洲"]), "货币是宽扎的国家在哪个洲？", "非洲"),
        ((["兹罗提"], ["货币"]), "哪个国家的货币是兹罗提？", "波兰"),
        ((["兹罗提"], ["货币"]), "兹罗提是哪个国家的货币？", "波兰"),
    ],
)
def test_a_search_may_start_from_a_value(
    world: World, ranker: RelationRanker, call: tuple[list[str], list[str]], question: str, expected: str
) -> None:
    functions = KnowledgeFunctions(world, ranker, question, Deadline.after(30), lambda _: None)
    assert expected in functions.find_entity_or_value(*call)


@pytest.mark.parametrize("question", ["中国是哪个国家的邻国？", "因为中国的首都有什么", "中国是什么国家？"])
def test_of_what_kind_a_thing_is_may_be_a_step_to_itself(world: World, ranker: RelationRanker, question: str) -> None:
    functions = KnowledgeFunctions(world, ranker, question, Deadline.after(30), lambda _: None)
    assert functions.find_entity_or_value(["中国"], ["国家"]) == ["中国"]


def linked(world: World, mention: str, question: str = "") -> Entity:
    return world.link(mention, [], question or mention, Deadline.after(30))[0]


def triples(world: World, entity: Entity, direction: Direction = "both") -> list[Triple]:
    return world.triples(entity, direction, LIMIT, Deadline.after(30))


def ends(world: World, entity: Entity, relation: str, direction: Direction = "out") -> list[Entity]:
    """What the relation leads to, as entities: the way that a search program goes on from there."""
    found = [triple for triple in triples(world, entity, direction) if triple.relation == relation]
    pairs = [(t.object_id, t.object) if direction == "out" else (t.subject_id, t.subject) for t in found]
    return [Entity("world", entity_id or "", name) for entity_id, name in pairs]


def names(entities: Sequence[Entity]) -> set[str]:
    return {entity.name for entity in entities}


def number(text: str) -> float:
    """The first number in a value, as a program would read it."""
    match = re.search(r"[\d,]+(\.\d+)?", text)
    assert match
    return float(match.group().replace(",", ""))


@pytest.mark.parametrize(
    ("mention", "name", "description"),
    [
        ("奥地利", "奥地利", "位于西欧的国家"),
        ("Österreich", "Austria", "a country in Western Europe"),
        ("Vienna", "Vienna", "the capital of Austria"),
        ("Wien", "Vienna", "the capital of Austria"),
        ("维也纳", "维也纳", "奥地利的首都"),
        ("維也納", "维也纳", "奥地利的首都"),
        ("内罗毕市", "内罗毕", "肯尼亚的首都"),
        ("USA", "United States", "The United States is a country"),
        ("usa", "United States", "The United States is a country"),
        ("United States of America", "United States", "a country"),
        ("美国", "美国", "首都是华盛顿"),
        ("UK", "United Kingdom", "a country in Northern Europe"),
        ("Georgia", "Georgia", "a country in Western Asia"),
        ("朝鲜", "朝鲜", "首都是平壤"),
        ("the Netherlands", "Netherlands", "a country"),
        ("Peking", "Beijing", "the capital of China"),
        ("米兰", "米兰", "意大利的城市"),
        ("gold", "gold", "symbol Au"),
        ("金", "金", "原子序数为79"),
        ("铁", "铁", "原子序数为26"),
        ("aluminium", "aluminum", "symbol Al"),
        ("水银", "汞", "原子序数为80"),
        ("euro", "Euro", "a currency"),
        ("欧元", "欧元", "一种货币"),
        ("German language", "German", "a language"),
        ("Deutsch", "German", "a language"),
        ("汉语", "中文", "一种语言"),
        ("Africa", "Africa", "a continent"),
        ("Asia", "Asia", "a continent"),
        ("Holland", "Netherlands", "a country"),
        ("东南亚", "东南亚", "11个国家和地区"),
    ],
)
def test_a_name_means_what_most_people_mean_by_it(world: World, mention: str, name: str, description: str) -> None:
    entity = linked(world, mention)
    assert entity.name == name
    assert description in world.entity_info(entity, Deadline.after(9))


def test_namesakes_are_there_too_the_small_ones_later(world: World) -> None:
    found = world.link("Vienna", [], "Vienna, Virginia", Deadline.after(9))
    assert ["Austria" in found[0].description, "Virginia" in found[1].description] == [True, True]


def test_the_currency_of_the_country_whose_capital_is_nairobi(world: World) -> None:
    (country,) = ends(world, linked(world, "Nairobi"), "capital", "in")
    assert country.name == "Kenya"
    assert names(ends(world, country, "currency")) == {"Kenyan Shilling"}


def test_the_same_in_chinese(world: World) -> None:
    (country,) = ends(world, linked(world, "内罗毕", "首都是内罗毕的国家使用什么货币？"), "首都", "in")
    assert country.name == "肯尼亚"
    assert names(ends(world, country, "货币")) == {"肯尼亚先令"}


ASKED = {
    "en": "What is the capital of {}?",
    "zh": "{}的首都是什么？",
    "de": "Was ist die Hauptstadt von {}?",
    "fr": "Quelle est la capitale de {} ?",
    "es": "¿Cuál es la capital de {}?",
    "pt": "Qual é a capital de {}?",
    "ja": "{}の首都はどこですか？",
    "ru": "Какой город является столицей страны {}?",
}


@pytest.mark.parametrize(
    "names",
    [
        ("Kenya", "肯尼亚", "Kenia", "Kenya", "Kenia", "Quênia", "ケニア", "Кения"),
        ("Switzerland", "瑞士", "Schweiz", "Suisse", "Suiza", "Suíça", "スイス", "Швейцария"),
        ("Georgia", "格鲁吉亚", "Georgien", "Géorgie", "Georgia", "Geórgia", "ジョージア", "Грузия"),
        ("Mauritius", "毛里求斯", "Mauritius", "Maurice", "Mauricio", "Maurício", "モーリシャス", "Маврикий"),
        ("Hong Kong", "香港", "Hongkong", "Hong Kong", "Hong Kong", "Hong Kong", "香港", "Гонконг"),
        ("Moscow", "莫斯科", "Moskau", "Moscou", "Moscú", "Moscou", "モスクワ", "Москва"),
        ("New York City", "纽约", "New York", "New York", "Nueva York", "Nova York", "ニューヨーク", "Нью-Йорк"),
        ("German", "德语", "Deutsch", "allemand", "alemán", "alemão", "ドイツ語", "немецкий"),
        ("Swahili", "斯瓦希里语", "Suaheli", "swahili", "suajili", "suaíli", "スワヒリ語", "суахили"),
        ("Kenyan Shilling", "肯尼亚先令", "Kenia-Schilling", "shilling kényan", "chelín keniano", "Xelim queniano",
         "ケニア シリング", "кенийский шиллинг"),
        ("tin", "锡", "Zinn", "étain", "estaño", "estanho", "スズ", "олово"),
        ("oxygen", "氧", "Sauerstoff", "oxygène", "oxígeno", "oxigênio", "酸素", "кислород"),
    ],
)  # fmt: skip
def test_a_thing_is_found_by_its_name_in_each_language_and_shown_by_it(world: World, names: Sequence[str]) -> None:
    _, _, iri = linked(world, names[0]).id.partition(" ")
    for language, name in zip(ASKED, names, strict=True):
        entity = linked(world, name, ASKED[language].format(name))
        assert (entity.id, entity.name) == (f"{language} {iri}", name)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_called_so_in_the_language_of_a_question_goes_first(
    world: World, places: Places, language: str
) -> None:
    countries = [(place_node(row["geonameid"]), country_names(row)) for row in places.countries.values()]
    tongues = [(node("language", code), language_names(code)) for code in sorted(places.languages)]
    monies = [(node("currency", code), cldr_names("currencies", code)) for code in sorted(places.currencies)]
    for thing, names in [*countries[::10], *tongues[::20], *monies[::10]]:
        if language in names:
            entity = linked(world, names[language], ASKED[language].format(names[language]))
            assert (entity.id, entity.name) == (f"{language} {thing.value}", names[language])


@pytest.mark.parametrize(
    ("language", "capital"), [("en", "Nairobi"), ("de", "Nairobi"), ("pt", "Nairóbi"), ("ru", "Найроби")]
)
def test_what_is_found_from_a_thing_is_shown_in_the_same_language(world: World, language: str, capital: str) -> None:
    kenya = linked(world, "KE", ASKED[language].format("KE"))
    assert names(ends(world, kenya, "capital")) == {capital}


def test_what_has_no_name_in_the_language_is_shown_in_english(world: World) -> None:
    assert linked(world, "München", "Wie viele Menschen wohnen in München?").name == "Munich"


def test_the_neighbours_of_austria_with_more_than_ten_million_people(world: World) -> None:
    neighbours = ends(world, linked(world, "Austria"), "neighbouring country")
    assert names(neighbours) == {
        "Czechia", "Germany", "Hungary", "Italy", "Liechtenstein", "Slovakia", "Slovenia", "Switzerland",
    }  # fmt: skip
    peopled = {n.name: number(ends(world, n, "population")[0].name) for n in neighbours}
    assert {name for name, people in peopled.items() if people > 10_000_000} == {"Czechia", "Germany", "Italy"}


def test_the_countries_of_a_continent_are_all_there(world: World) -> None:
    countries = names(ends(world, linked(world, "Africa"), "continent", "in"))
    assert {"Kenya", "Nigeria", "Egypt", "Lesotho"} <= countries
    assert 54 <= len(countries) < LIMIT


def test_the_cities_of_a_large_country_begin_with_the_largest(world: World) -> None:
    cities = ends(world, linked(world, "China"), "located in country", "in")
    assert [city.name for city in cities[:2]] == ["Shanghai", "Beijing"]


def test_an_element_in_both_languages(world: World) -> None:
    gold = {triple.relation: triple.object for triple in triples(world, linked(world, "gold"))}
    assert gold == {
        "instance of": "chemical element",
        "chemical symbol": "Au",
        "atomic number": "79",
        "atomic mass": "196.96657 u",
        "density": "19.3 g/cm³",
        "group": "11",
        "period": "6",
    }
    hydrogen = {triple.relation: triple.object for triple in triples(world, linked(world, "氢"))}
    assert hydrogen["元素符号"] == "H"
    assert "液态" in hydrogen["密度"]  # the only density that the data has of a gas


def test_a_country_has_what_people_ask_for(world: World) -> None:
    japan: dict[str, set[str]] = {}
    for triple in triples(world, linked(world, "Japan"), "out"):
        japan.setdefault(triple.relation, set()).add(triple.object)
    assert japan["capital"] == japan["largest city"] == {"Tokyo"}
    assert japan["currency"] == {"Japanese Yen"}
    assert japan["official language"] == {"Japanese"}
    assert japan["continent"] == {"Asia"}
    assert japan["calling code"] == {"+81"}
    assert japan["internet domain"] == {".jp"}
    assert japan["ISO country code"] == {"JP"}
    assert number(*japan["area"]) == 377_835
    assert number(*japan["population"]) > 100_000_000


@pytest.mark.parametrize(
    ("country", "relation", "values"),
    [
        ("Ukraine", "official language", {"Ukrainian"}),
        ("Switzerland", "official language", {"German", "French", "Italian", "Romansh"}),
        ("Tunisia", "official language", {"Arabic"}),
        ("Nigeria", "official language", {"English"}),
        ("United States", "neighbouring country", {"Canada", "Mexico"}),
        ("Cuba", "neighbouring country", set()),
        ("Albania", "neighbouring country", {"North Macedonia", "Greece", "Montenegro", "Kosovo"}),
        ("Monaco", "area", {"2.08 km²"}),
        ("Vatican City", "area", {"0.44 km²"}),
        ("Timor-Leste", "continent", {"Asia"}),
        ("蒙古", "首都", {"乌兰巴托"}),
    ],
)
def test_what_the_sources_have_wrong_is_put_right(world: World, country: str, relation: str, values: set[str]) -> None:
    assert names(ends(world, linked(world, country), relation)) == values


def test_india_has_more_people_than_china(world: World) -> None:
    india, china = (number(ends(world, linked(world, name), "population")[0].name) for name in ("India", "China"))
    assert india > china


def test_euro_countries_are_those_of_today(world: World) -> None:
    members = names(ends(world, linked(world, "euro"), "currency", "in"))
    assert {"Germany", "Croatia", "Bulgaria"} <= members
    assert not {"Serbia and Montenegro", "Netherlands Antilles", "Sweden"} & members


@pytest.fixture(scope="module")
def places() -> Places:
    return Places()


def test_every_inhabited_country_has_a_capital_that_is_a_place(places: Places) -> None:
    # Each of these has a seat of government too small for the list of cities, or none.
    without = {"BQ", "BV", "HM", "IO", "TK", "UM"}
    assert {code for code in places.countries if code not in places.capitals} == without


def test_every_country_and_capital_has_a_chinese_name(world: World, places: Places) -> None:
    missing = []
    for code, country in places.countries.items():
        capital = places.capitals.get(code)
        for row in filter(None, (country, capital if country["population"] > 100_000 else None)):
            entity = Entity("world", f"zh https://www.geonames.org/{row['geonameid']}", "")
            info = world.entity_info(entity, Deadline.after(9))
            if not re.match(r"[\u3400-\u9fff]", info):
                missing.append((code, row["name"]))
    assert missing == []


def test_every_country_lies_in_one_subregion(places: Places) -> None:
    listed = " ".join(SUBREGIONS.values()).split()
    assert len(listed) == len(set(listed))
    assert set(listed) == set(places.countries)


def test_neighbours_are_countries_of_today_and_each_others(places: Places) -> None:
    countries = places.countries
    pairs = {(code, n) for code, row in countries.items() for n in row["neighbours"].split(",") if n}
    assert {(b, a) for a, b in pairs} == pairs
    assert {row["continentcode"] for row in countries.values()} <= set(CONTINENTS)


def test_each_element_has_one_name_of_its_own_in_each_language() -> None:
    for names_of_elements in NAMES.values():
        assert len(names_of_elements) == len(set(map(fold, names_of_elements))) == 118


def test_there_are_118_elements_each_in_its_place() -> None:
    assert len(set(CHINESE_ELEMENTS)) == len(CHINESE_ELEMENTS) == 118
    known = {1: (1, 1), 2: (18, 1), 3: (1, 2), 10: (18, 2), 13: (13, 3), 21: (3, 4), 26: (8, 4), 53: (17, 5)}
    known |= {57: (None, 6), 71: (3, 6), 79: (11, 6), 86: (18, 6), 92: (None, 7), 118: (18, 7)}
    assert {atomic: position(atomic) for atomic in known} == known


def test_a_city_is_called_what_the_mainland_calls_it(places: Places) -> None:
    wanted = {
        "New York City": "纽约", "Sydney": "悉尼", "Nairobi": "内罗毕", "Shenzhen": "深圳", "Yokohama": "横滨",
        "San Diego": "圣迭戈", "Johannesburg": "约翰内斯堡", "Milan": "米兰", "Ho Chi Minh City": "胡志明市",
    }  # fmt: skip
    largest = {name_key(city["name"]): city for city in reversed(places.cities)}
    chinese = CityNames(places.cities)
    assert {name: chinese.names(largest[name_key(name)])["zh"] for name in wanted} == wanted


def test_until_it_is_ready_it_is_unreachable_and_not_empty(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("in the way of the folder")
    broken = World(tmp_path / "cache")
    assert "being prepared" in broken.message
    with pytest.raises(KnowledgeBaseUnreachable, match="could not be generated"):
        broken.link("Vienna", [], "", Deadline.after(60))
    assert "could not be generated" in broken.message
    broken.close()


def test_what_failed_is_tried_again(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: Path) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(module, "_AGAIN_SECONDS", 0.0)
    monkeypatch.setattr(module, "_generate", full)
    again = World(tmp_path)
    with pytest.raises(KnowledgeBaseUnreachable, match="No space left"):
        again.link("Vienna", [], "", Deadline.after(30))
    assert again.message == "The built-in knowledge base cannot be prepared (No space left on device)."
    monkeypatch.setattr(module, "_generate", lambda folder: folder.symlink_to(world._folder))
    assert linked(again, "Vienna").name == "Vienna"
    assert again.message == ""
    again.close()


def test_a_damaged_one_is_generated_anew(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_generate", lambda folder: folder.symlink_to(world._folder))
    damaged = World(tmp_path)
    damaged._folder.mkdir()
    assert linked(damaged, "Vienna").name == "Vienna"
    damaged.close()


def test_an_airports_code_is_no_name_of_its_city_but_initials_are(world: World) -> None:
    assert world.link("dog", [], "", Deadline.after(60)) == []
    assert linked(world, "NYC").name == "New York City"
