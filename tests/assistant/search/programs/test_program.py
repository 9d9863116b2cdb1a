import threading
from dataclasses import replace
from datetime import datetime

import pytest

from assistant.errors import Interrupted, KnowledgeBaseUnreachable, ModelUnavailable
from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.personal import PASSAGE
from assistant.knowledge_bases.relations import RelationRanker
from assistant.llm.client import LanguageModel
from assistant.llm.scripted import ScriptedTransport, Weights
from assistant.messages.languages import reply_language
from assistant.search.evidence import RESULT, doubtful
from assistant.search.examples import Example, ExampleBank
from assistant.search.programs.program import ProgramSearch
from assistant.search.programs.sandbox import Sandbox
from assistant.search.vector_cache import VectorCache
from assistant.types import Certainty, Entity, Evidence, Failed, ProgramRan, ProgramWritten, Triple, Turn
from memory.folding import terms
from tests.assistant.search.letters import Letters


class Small:
    """A knowledge base of a few triples; names are ids."""

    languages = frozenset()
    public = False
    link_policy, relation_policy = "one", "best"

    def __init__(self, name, triples, descriptions=None, unreachable=False):
        self.name, self._triples, self._descriptions = name, triples, descriptions or {}
        self._unreachable = unreachable

    def link(self, mention, aliases, question, deadline):
        if self._unreachable:
            raise KnowledgeBaseUnreachable(self.name, f"{self.name} does not answer.")
        known = {end for s, _, o in self._triples for end in (s, o)} | set(self._descriptions)
        return [Entity(self.name, name, name) for name in (mention, *aliases) if name in known]

    def entity_info(self, entity, deadline):
        return self._descriptions.get(entity.name, "")

    def triples(self, entity, direction, limit, deadline):
        return [
            Triple(s, r, o, kb=self.name, subject_id=s, object_id=o)
            for s, r, o in self._triples
            if entity.name in (s, o)
        ][:limit]


class Library(Small):
    """One that holds text as well."""

    def search_text(self, question, limit, deadline):
        return [Evidence(0, self.name, "notes.md", "passage", "", text="Anna lives in Oslo.", source="notes.md")][
            :limit
        ]


WORLD = [
    ("Peru", "capital", "Lima"),
    ("Lima", "population", "7,737,002"),
    ("Peru", "neighbour", "Chile"),
    ("Peru", "neighbour", "Bolivia"),
    ("Chile", "area", "756,950 km²"),
    ("Bolivia", "area", "1,098,580 km²"),
    ("Heat", "director", "Mann"),
    ("Ali", "director", "Mann"),
]


EXAMPLE = Example("Who directed Jaws?", "# Jaws > director\nfind_entity_or_value(['Jaws'], ['director'])")


CHINESE = [
    Example(f"甲的译者{asked}", "# 甲 > 译者\nfind_entity_or_value(['甲'], ['译者'])", names=("甲",))
    for asked in ("是什么时候的？", "是谁？")
]


NONE = [Weights({"N": 1.0})] * 9  # of the relations offered


@pytest.fixture(scope="module")
def sandbox():
    sandbox = Sandbox()
    yield sandbox
    sandbox.close()


@pytest.fixture
def find(sandbox, tmp_path):
    def run(replies, *knowledge_bases, cancel=None, relation=NONE, question="Q", examples=(EXAMPLE,), **options):
        events = []
        transport = ScriptedTransport({"program": replies, "relation": relation})
        embedder = Letters()
        bank = ExampleBank(examples, embedder, VectorCache(tmp_path, embedder))
        search = ProgramSearch(LanguageModel(transport), sandbox, RelationRanker(embedder), bank, **options)
        turn = Turn("Q", "me", "s", datetime(2026, 1, 5), question=question, language=reply_language(question))
        evidence = search.find(turn, knowledge_bases, events.append, cancel or threading.Event())
        return evidence, events, transport

    return run


def facts(evidence):
    return [(e.subject, e.relation, e.object) for e in evidence]


def test_several_relations_are_followed_in_one_call(find):
    evidence, events, _ = find(["find_entity_or_value(['Peru'], ['capital'], ['population'])"], Small("world", WORLD))
    assert facts(evidence)[0] == ("computed", RESULT, "7,737,002")
    assert facts(evidence)[1:] == [("Lima", "population", "7,737,002"), ("Peru", "capital", "Lima")]
    assert [e.id for e in evidence] == [1, 2, 3]
    calls = next(e for e in events if isinstance(e, ProgramRan)).run.calls
    assert [call.arguments for call in calls] == [(("Peru",), ("capital",)), (("Lima",), ("population",))]


def test_a_hop_too_many_is_left_out(find):
    tags = Small("films", [("Heat", "tags", "heists"), ("Ronin", "tags", "heists"), ("Heat", "director", "Mann")])
    program = "find_entity_or_value(['heists'], ['weather'], ['tags of'], ['director'])"
    evidence, _, _ = find([program], tags)
    assert ("Heat", "director", "Mann") in facts(evidence)
    assert find(["find_entity_or_value(['heists'], ['weather'], ['director'])"] * 2, tags)[0] == []
    described = Small("films", [("heists", "tags", "Heat")], {"heists": "Heists are thefts."})
    evidence, _, _ = find(["find_entity_or_value(['heists'], ['weather'], ['tags'])"], described)
    assert ("heists", "tags", "Heat") in facts(evidence)


def test_what_was_found_with_a_hop_left_out_is_doubtful(find):
    people = Small("people", [("Wilhelmina", "occupation", "poet"), ("Ida", "teacher", "Ann"), ("Ann", "age", "40")])
    evidence, events, _ = find(["find_entity_or_value(['Wilhelmina'], ['zebra'], ['occupation'])"], people)
    assert (evidence[0].object, evidence[0].text) == ("poet", "zebra was left out")
    assert doubtful(evidence[0])
    calls = next(e for e in events if isinstance(e, ProgramRan)).run.calls
    assert calls[-1].message.endswith("(zebra was left out)")
    asked = "find_entity_or_value(['Wilhelmina'], ['zebra'], ['occupation'])"
    evidence, _, _ = find([asked], people, question="Wilhelmina的职业是什么？")
    assert evidence[0].text == "没有用上“zebra”"
    followed = find(["find_entity_or_value(['Ida'], ['teacher'], ['age'])"], people)[0][0]
    assert (followed.object, followed.certainty) == ("40", Certainty.NAMED)


def test_hops_in_the_wrong_order_are_turned_round(find):
    films = Small("films", [("Heat", "leading part", "Pacino"), ("Pacino", "religion", "none")])
    evidence, _, _ = find(["find_entity_or_value(['Heat'], ['religion'], ['leading part'])"], films)
    assert ("Pacino", "religion", "none") in facts(evidence)
    assert evidence[0].object == "none"
    siblings = Small("kin", [("Ann", "sister", "Bea")])  # each hop leads only back to where it began
    assert find(["find_entity_or_value(['Ann'], ['sister'], ['sister of'], ['sister'])"] * 3, siblings)[0]


def test_a_hop_that_is_left_out_and_that_the_question_names_is_put_in(find):
    films = [("Heat", "starred actor", "Pacino"), ("Serpico", "starred actor", "Pacino")]
    films += [("Serpico", "director", "Lumet"), ("Serpico", "language", "Danish")]
    program = "find_entity_or_value(['Heat'], ['actor'], ['director'])"
    question = "Who directed films that starred the actors of Heat?"
    assert find([program], Small("films", films), question=question)[0][0].object == "Lumet"
    spoken = "find_entity_or_value(['Heat'], ['actor'], ['language'])"
    question = "What language does the actor of Heat speak?"
    assert all(e.object != "Danish" for e in find([spoken] * 2, Small("films", films), question=question)[0])
    spouse = [("Heat", "actor", "Pacino"), ("Pacino", "spouse", "Ann"), ("Ann", "director", "Lumet")]
    assert all(
        e.object != "Lumet" for e in find([program] * 2, Small("films", spouse), question="Who directed Heat?")[0]
    )


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("What is the capital of Peru and what is its population?", "7,737,002"),
        ("In which land is Lima, and which neighbour has that land?", "Chile; Bolivia"),
    ],
)
def test_what_is_asked_of_what_was_found_is_followed(find, question, found):
    paths = {
        "7,737,002": "find_entity_or_value(['Peru'], ['capital'], ['population'])",
        "Chile; Bolivia": "find_entity_or_value(['Lima'], ['capital of'], ['neighbour'])",
    }
    evidence, _, _ = find([paths[found]], Small("world", WORLD), question=question)
    assert evidence[0].object == found


def test_an_answer_in_place_of_a_program_has_what_the_question_names_described(find):
    class Named(Small):
        def known(self, phrases, deadline):
            return {phrase: {phrase} for phrase in phrases if phrase == "Lima"}

    evidence, _, _ = find(["Lima is a city of millions."] * 2, Named("world", WORLD), question="Write a line on Lima.")
    assert set(facts(evidence)) == {("Lima", "population", "7,737,002"), ("Peru", "capital", "Lima")}


def test_a_program_that_the_question_spells_out_is_not_said_to_be_the_model_s(find):
    class Named(Small):
        def known(self, phrases, deadline):
            return {phrase: {phrase} for phrase in phrases if phrase == "文学少女"}

    triples = [("文学少女", "作者", "野村美月")]
    _, events, transport = find([], Named("books", triples), question="文学少女的作者是谁？", examples=CHINESE)
    assert [e.by for e in events if isinstance(e, ProgramWritten)] == ["question"]
    assert transport.requests == []
    _, events, _ = find(["find_entity_or_value(['文学少女'], ['作者'])"], Named("books", triples), question="作者？")
    assert [e.by for e in events if isinstance(e, ProgramWritten)] == ["model"]


def test_a_result_is_an_entity_for_the_next_call(find):
    program = "c = find_entity_or_value(['Peru'], ['capital'])\nfind_entity_or_value(c, ['population'])"
    evidence, _, _ = find([program], Small("world", WORLD))
    assert ("Lima", "population", "7,737,002") in facts(evidence)


@pytest.mark.parametrize("ids", [True, False])
def test_a_result_that_lists_several_things_stands_for_each_in_the_next_call_too(find, ids):
    class Book(Small):
        def triples(self, entity, direction, limit, deadline):
            found = super().triples(entity, direction, limit, deadline)
            return [t if ids or "、" not in t.object else replace(t, object_id=None) for t in found]

    book = [("教科书", "主编", "杨可桢、程光蕴"), ("杨可桢", "国籍", "中国"), ("程光蕴", "国籍", "法国")]
    program = "x = find_entity_or_value(['教科书'], ['主编'])\nfind_entity_or_value(x, ['国籍'])"
    assert find([program], Book("books", book), question="教科书？")[0][0].object == "中国; 法国"


def test_text_takes_the_place_of_what_a_doubtful_relation_led_to(find):
    notes, others = Library("notes", [("Anna", "married to", "Ole")]), Small("others", [("Anna", "married to", "Emil")])
    notes.relation_policy = others.relation_policy = "threshold"  # so that likeness alone decides
    for relation, shown in (
        ("married to", [("notes", "married to"), ("others", "married to"), ("notes", "passage")]),
        ("remained to", [("notes", "passage"), ("others", "married to")]),
    ):
        program = f"find_entity_or_value(['Anna'], ['{relation}'])"
        evidence, _, _ = find([program], notes, others, question="Anna?")
        assert [(item.kb, item.relation) for item in evidence] == shown


def test_a_list_in_one_value_is_counted_but_told_as_it_stands(find):
    crops = "小麦、玉米、谷子、棉花、花生、地瓜、大豆"
    village = Small("villages", [("曲辛庄", "农作物", crops)])
    count = "len(find_entity_or_value(['曲辛庄'], ['农作物']))"
    assert find([count], village, question="曲辛庄？")[0][0].object == "7"
    evidence, _, _ = find(["find_entity_or_value(['曲辛庄'], ['农作物'])"], village, question="曲辛庄？")
    assert facts(evidence) == [("曲辛庄", "农作物", crops)]


def test_a_list_is_one_piece_of_evidence(find):
    evidence, _, _ = find(["find_entity_or_value(['Peru'], ['neighbour'])"], Small("world", WORLD))
    assert facts(evidence) == [("Peru", "neighbour", "Chile; Bolivia")]


def test_relations_are_followed_from_the_object_too(find):
    evidence, _, _ = find(["find_entity_or_value(['Mann'], ['director of'])"], Small("films", WORLD))
    assert facts(evidence) == [("Heat; Ali", "director", "Mann")]


def test_whose_father_somebody_is_is_not_who_that_ones_father_is(find):
    family = [("Tom", "father", "Bob"), ("Tom", "friend", "Ann")]
    assert find(["find_entity_or_value(['Bob'], ['father'])"] * 3, Small("family", family))[0] == []
    assert facts(find(["find_entity_or_value(['Bob'], ['father of'])"], Small("family", family))[0]) == [family[0]]
    assert facts(find(["find_entity_or_value(['Ann'], ['friend'])"], Small("family", family))[0]) == [family[1]]


def test_the_way_never_leads_straight_back(find):
    program = "find_entity_or_value(['Heat'], ['director'], ['director of'])"
    _, events, _ = find([program], Small("films", WORLD))
    assert [e.run.value for e in events if isinstance(e, ProgramRan)] == [("Ali",)]


def test_but_where_that_is_all_there_is_it_does(find):
    program = "find_entity_or_value(find_entity_or_value(['France'], ['capital']), ['country'])"
    lies = [("France", "capital", "Paris"), ("Paris", "country", "France")]
    question = "In which country is the capital of the French?"
    _, events, _ = find([program], Small("world", lies), question=question)
    assert next(e.run.value for e in events if isinstance(e, ProgramRan)) == ("France",)


def test_no_text_is_made_around_a_number_that_is_none(find):
    program = "f\"{number(find_entity_or_value(['Peru'], ['zebra'])):.0f} people\""
    evidence, events, _ = find([program] * 2, Small("world", WORLD))
    assert not any("nan" in value for e in events if isinstance(e, ProgramRan) for value in e.run.value)
    assert evidence == []


@pytest.mark.parametrize(
    ("program", "value"),
    [
        ("len(find_entity_or_value(['Heat'], ['director'], ['director of']))", "2"),
        ("sorted(find_entity_or_value(['Heat'], ['director'], ['director of']), reverse=True)[0]", "Heat"),
        ("x = find_entity_or_value(['Heat'], ['director'], ['director of'])\nlen([f for f in x if f != 'Heat'])", "1"),
        (
            "x = find_entity_or_value(['Heat'], ['director'], ['director of'])\nn = len(x)\nprint(f'{n} films')",
            "2 films",
        ),
        ("x = find_entity_or_value(['Heat'], ['director'], ['director of'])\n[f for f in x if len(f) == 3]", "Ali"),
        ("find_entity_or_value(['Heat'], ['director'], ['director of'])", "Ali"),
    ],
)
def test_a_count_of_all_there_are_counts_where_it_began(find, program, value):
    evidence, _, _ = find([program], Small("films", WORLD))
    assert evidence[0].object == value


@pytest.mark.parametrize(
    ("program", "found"),
    [
        ("find_entity_or_value(find_entity_or_value(['Heat'], ['director']), ['director of'])", "Ali"),
        ("x = find_entity_or_value(['Heat'], ['director'])\nfind_entity_or_value(x, ['director of'])", "Ali"),
        (
            "x = find_entity_or_value(['Heat'], ['director'])\nx = find_entity_or_value(x, ['director of'])\n"
            "find_entity_or_value(x, ['director'])",
            "Mann",
        ),
        (
            "x = find_entity_or_value(['Heat'], ['actor'])\n"
            "[name for name in x if len(find_entity_or_value([name], ['actor of'])) == 2]",
            "Pacino",
        ),
    ],
)
def test_nor_does_it_where_a_call_goes_on_from_all_that_another_found(find, program, found):
    cast = [("Heat", "actor", "Pacino"), ("Heat", "actor", "Kilmer"), ("Serpico", "actor", "Pacino")]
    _, events, _ = find([program] * 2, Small("films", [*WORLD, *cast]))
    assert next(e.run.value for e in events if isinstance(e, ProgramRan)) == (found,)


def test_what_the_question_names_is_a_start_of_its_own(find):
    program = "a = find_entity_or_value(['Lima'], ['capital of'])\nfind_entity_or_value(['Peru'], ['capital'])"
    _, events, _ = find([program], Small("world", WORLD), question="Is Lima the capital of Peru?")
    assert next(e.run.value for e in events if isinstance(e, ProgramRan)) == ("Lima",)


def test_nor_where_the_start_is_called_otherwise(find):
    class Titles(Small):
        def link(self, mention, aliases, question, deadline):
            found = Entity(self.name, "Algebra (2010)", "Algebra")
            return [found] if mention == "Algebra" else super().link(mention, aliases, question, deadline)

        def triples(self, entity, direction, limit, deadline):
            return super().triples(replace(entity, name=entity.id), direction, limit, deadline)

    books = Titles("books", [("Algebra (2010)", "pages", "142 pages")])
    evidence, _, _ = find(["find_entity_or_value(['Algebra'], ['pages'], ['pages of'])"] * 2, books)
    assert facts(evidence) == [("Algebra (2010)", "pages", "142 pages")]


def test_what_a_program_computed_is_evidence_that_comes_first(find):
    program = (
        "n = find_entity_or_value(['Peru'], ['neighbour'])\n"
        "[x for x in n if number(find_entity_or_value([x], ['area'])) < 1000000]"
    )
    evidence, _, _ = find([program], Small("world", WORLD))
    assert evidence[0].object == "Chile"
    assert evidence[0].relation == "result"
    assert ("Chile", "area", "756,950 km²") in facts(evidence)
    assert not any(e.subject == "Bolivia" for e in evidence)


def test_what_has_no_number_decides_nothing(find):
    towns = [("Land", "town", name) for name in ("Old", "New", "Lost")]
    towns += [("Old", "population", "1.3 million"), ("New", "population", "950,000"), ("Lost", "population", "few")]
    world = Small("world", towns)
    least = "min({}, key=lambda name: number(find_entity_or_value([name], ['population'])))"
    found = find([least.format("find_entity_or_value(['Land'], ['town'])")], world)[0]
    assert (found[0].object, found[0].text) == ("New", "what has no number or date was left out")
    assert doubtful(found[0])
    number = "number(find_entity_or_value(['{}'], ['population']))".format
    old, lost = number("Old"), number("Lost")
    for program in (least.format("['Old', 'Lost']"), f"{old} < {lost}", f"sum([{old}, {lost}])"):
        evidence, _, transport = find([program] * 2, world)
        assert len(transport.requests) == 2
        assert not [item for item in evidence if item.relation == RESULT and item.certainty >= Certainty.CLEAR]


@pytest.mark.parametrize(
    ("code", "shown"),
    [("1 / 3", "0.333333"), ("-7 / 3", "-2.33333"), ("8e9 / 2", "4000000000"), ("1.00794", "1.00794")],
)
def test_a_computed_number_has_as_many_digits_as_anyone_reads(find, code, shown):
    evidence, _, _ = find(
        [f"# Peru > capital > figure\nfind_entity_or_value(['Peru'], ['capital'])\n{code}"], Small("world", WORLD)
    )
    assert evidence[0].object == shown


@pytest.mark.parametrize(("question", "said"), [("Is it Lima?", "yes"), ("首都是利马吗？", "是")])
def test_yes_is_said_in_the_language_of_the_question(find, question, said):
    code = "'Lima' in find_entity_or_value(['Peru'], ['capital'])"
    evidence, _, _ = find([code], Small("world", WORLD), question=question)
    assert evidence[0].object == said


def test_what_each_of_several_has_is_told_beside_it(find):
    code = "{n: find_entity_or_value([n], ['area']) for n in find_entity_or_value(['Peru'], ['neighbour'])}"
    evidence, _, _ = find([code], Small("world", WORLD[:5]))
    assert evidence[0].object == "Chile: 756,950 km²"


def test_a_count_is_evidence(find):
    evidence, _, _ = find(["len(find_entity_or_value(['Peru'], ['neighbour']))"], Small("world", WORLD))
    assert evidence[0].object == "2"
    assert facts(evidence)[1] == ("Peru", "neighbour", "Chile; Bolivia")


def test_the_description_stands_in_where_no_triple_fits(find):
    about = {"Peru": "Peru lies in the Andes. Its zebra is the llama. It is old."}
    evidence, _, _ = find(["find_entity_or_value(['Peru'], ['zebra'])"], Small("world", [], about))
    assert [e.text for e in evidence] == ["Its zebra is the llama."]


def test_what_texts_say_is_no_result_of_a_path(find):
    told = Small("wikipedia", [], {"Peru": "Peru is a country. Its population is 33 million. Its currency is the sol."})
    question = "What are the population and the currency of Peru?"
    evidence, _, _ = find(["find_entity_or_value(['Peru'], ['population'], ['currency'])"], told, question=question)
    assert facts(evidence) == [("Peru", "description", "")] * 2


def test_the_sentence_that_matches_is_looked_for_in_the_whole_description(find):
    article = "Ada is a singer. " * 100 + "\nCareer\nAn album sold well. Her third album, Dawn, came out in 1999."
    evidence, _, _ = find(
        ["find_entity_or_value(['Ada'], ['third albums', 'album'])"], Small("w", [], {"Ada": article})
    )
    assert evidence[0].text.startswith("Her third album, Dawn, came out in 1999.")
    evidence, _, _ = find(["find_relationship(['Ada'], ['Dawn'])"], Small("w", [], {"Ada": article, "Dawn": ""}))
    assert [e.text for e in evidence] == ["Her third album, Dawn, came out in 1999."]
    evidence, _, _ = find(["find_entity_or_value(['Ada'], ['zebra'])"], Small("w", [], {"Ada": article}))
    assert evidence[0].text.startswith("Ada is a singer. ") and len(evidence[0].text) < 1000


@pytest.mark.parametrize(
    ("word", "sentence"), [("age", "Her age is 40."), ("managing", "She manages a lot."), ("语言", "她的语言是法语。")]
)
def test_a_word_of_a_description_is_a_whole_one_in_any_form(find, word, sentence):
    about = {"Ada": "Ada speaks a language. She manages a lot. Her age is 40. 她的语言是法语。她语音好。"}
    evidence, _, _ = find([f"find_entity_or_value(['Ada'], ['{word}'])"], Small("world", [], about))
    assert [e.text for e in evidence] == [sentence]


def test_the_relation_between_two_entities_is_found_from_either_end(find):
    world = Small("world", WORLD)
    for program in ("find_relationship(['Peru'], ['Lima'])", "find_relationship(['Lima'], ['Peru'])"):
        evidence, _, _ = find([program], world)
        assert facts(evidence) == [("Peru", "capital", "Lima")]


def test_a_program_that_breaks_still_gives_what_it_had_found(find):
    program = "find_entity_or_value(['Peru'], ['capital'])\nboom()"
    evidence, events, transport = find([program, program], Small("world", WORLD))
    assert facts(evidence) == [("Peru", "capital", "Lima")]
    assert "boom" in next(e for e in events if isinstance(e, ProgramRan)).run.error
    assert len(transport.requests) == 2


def test_a_program_that_breaks_is_repaired_with_its_traceback(find):
    evidence, events, transport = find(
        ["find_entity_or_value(['Peru', ['capital'])", "find_entity_or_value(['Peru'], ['capital'])"],
        Small("world", WORLD),
    )
    assert facts(evidence) == [("Peru", "capital", "Lima")]
    assert [e.round for e in events if isinstance(e, ProgramWritten)] == [1, 2]
    assert "SyntaxError" in transport.requests[1].messages[-1].content


def test_what_goes_by_another_name_is_followed(find):
    triples = [("石猴", "别名", "孙悟空"), ("孙悟空", "师傅", "唐僧")]
    evidence, _, _ = find(["find_entity_or_value(['石猴'], ['师傅'])"], Small("books", triples))
    assert ("孙悟空", "师傅", "唐僧") in facts(evidence)
    assert ("石猴", "别名", "孙悟空") in facts(evidence)


def test_another_thing_of_that_other_name_is_not_followed(find):
    program = ["find_entity_or_value(['大圣'], ['导演'])"] * 2
    called = [("大圣", "别名", "孙悟空"), ("孙悟空", "导演", "田晓鹏")]
    namesake = [Entity("books", "孙悟空 (film)", "孙悟空")]

    class Ambiguous(Small):
        def link(self, mention, aliases, question, deadline):
            found = super().link(mention, aliases, question, deadline)
            return [*found, *namesake] if mention == "孙悟空" else found

    assert find(program, Ambiguous("books", called))[0] == []
    shared = [("大圣", "国家", "中国"), ("孙悟空", "国家", "中国")]
    assert ("孙悟空", "导演", "田晓鹏") in facts(find(program, Ambiguous("books", [*called, *shared]))[0])


def test_of_many_results_no_more_names_are_linked_than_are_followed(find):
    linked = []

    class Values(Small):
        def link(self, mention, aliases, question, deadline):
            linked.append(mention)
            return super().link(mention, aliases, question, deadline)

        def triples(self, entity, direction, limit, deadline):
            return [replace(triple, object_id=None) for triple in super().triples(entity, direction, limit, deadline)]

    many = [("Peru", "river", f"River {number}") for number in range(300)]
    find(["find_entity_or_value(['Peru'], ['river'], ['length'])"] * 2, Values("world", many))
    assert 1 < len(linked) < 100


RIVERS = [("Peru", "river", f"River {number}") for number in range(450)] + [("Peru", "capital", "Lima")]


class Indexed(Small):
    def related(self, entity, names, limit, deadline, *, outgoing):
        relations = [t for t in self._triples if t[1] in names and t[0 if outgoing else 2] == entity.name]
        return Small(self.name, relations).triples(entity, "both", limit, deadline)


def test_a_relation_that_is_followed_is_read_to_its_end_where_that_can_be(find):
    count = ["len(find_entity_or_value(['Peru'], ['river']))"]
    whole = find(count, Indexed("world", RIVERS))[0][0]
    assert (whole.object, whole.text, whole.certainty) == ("450", "", Certainty.NAMED)
    evidence, events, _ = find(count, Small("world", RIVERS))
    told = "only the first 400 triples of Peru were read"
    assert (evidence[0].object, evidence[0].text) == ("400", told)
    assert doubtful(evidence[0])
    assert told in next(e for e in events if isinstance(e, ProgramRan)).run.calls[0].message
    few = [("Peru", "capital", "Lima"), *RIVERS[:-1]]
    assert facts(find(["find_entity_or_value(['Peru'], ['capital'])"], Small("world", few))[0]) == [few[0]]


def test_what_leads_from_a_hub_to_itself_is_seen_from_one_end_only(find):
    paths = [(f"Path {number}", "meets", "Peru") for number in range(450)] + [("Peru", "meets", "Peru")]
    assert find(["len(find_entity_or_value(['Peru'], ['meets']))"], Indexed("world", paths))[0][0].object == "450"


def test_of_what_has_the_same_name_all_is_followed_or_it_is_told(find):
    class Namesakes(Small):
        public = True

        def triples(self, entity, direction, limit, deadline):
            found = super().triples(entity, direction, limit, deadline)
            return [replace(triple, object_id=f"{triple.object} {way}") for triple in found for way in ("in", "out")]

    rivers = Namesakes("world", [("Peru", "river", f"River {number}") for number in range(40)])
    _, events, _ = find(["find_entity_or_value(['Peru'], ['river'], ['length'])"] * 2, rivers)
    messages = [call.message for event in events if isinstance(event, ProgramRan) for call in event.run.calls]
    assert messages[1].endswith("(only the first 30 of 40 were followed)")


def test_of_a_public_knowledge_base_only_some_results_are_followed_which_is_told(find):
    far = Small("far", [("Peru", "river", f"River {n}") for n in range(70)] + [("River 69", "length", "9 km")])
    program = ["find_entity_or_value(['Peru'], ['river'], ['length'])"] * 2
    assert find(program, far)[0][0].object == "9 km"
    far.public = True
    _, events, _ = find(program, far)
    messages = [call.message for event in events if isinstance(event, ProgramRan) for call in event.run.calls]
    assert messages[1].endswith("(only the first 60 of 70 were followed)")


def test_the_opposite_of_what_is_asked_is_no_answer(find):
    family = [("Ann", "child", "Tom"), ("Ann", "date of birth", "1 May 1950"), ("Ann", "influenced by", "Kant")]
    for relation in ("parents", "date of death", "influenced"):
        assert find([f"find_entity_or_value(['Ann'], ['{relation}'])"] * 2, Small("family", family))[0] == []
    assert facts(find(["find_entity_or_value(['Tom'], ['parent', 'child of'])"], Small("family", family))[0]) == [
        family[0]
    ]


def test_what_the_model_takes_a_relation_to_be_is_followed_and_said(find):
    program = "[find_entity_or_value([name], ['money']) for name in ('Peru', 'Chile')]"
    money = [("Peru", "currency", "sol"), ("Peru", "area", "1,285,216 km²"), ("Chile", "currency", "peso")]
    evidence, events, transport = find([program], Small("world", money), relation=[Weights({"A": 0.8, "B": 0.2})])
    assert [request.purpose for request in transport.requests] == ["program", "relation"]
    assert {e.object for e in evidence} >= {"sol", "peso"}
    messages = [call.message for event in events if isinstance(event, ProgramRan) for call in event.run.calls]
    assert messages == ["Peru – money (as currency): sol", "Chile – money (as currency): peso"]


def test_it_is_not_asked_of_a_step_among_several_which_the_question_is_not_about(find):
    money = [("Peru", "currency", "sol"), ("sol", "issued by", "Central Bank of Peru")]
    for program in (
        "find_entity_or_value(['Peru'], ['curtsey'], ['issuer'])",
        "find_entity_or_value(find_entity_or_value(['Peru'], ['currency']), ['issuance'])",
    ):
        _, _, transport = find([program] * 2, Small("world", money))
        assert {request.purpose for request in transport.requests} == {"program"}


def test_what_the_last_of_several_steps_is_may_be_asked_where_it_leads_nowhere(find):
    kin = Small("kin", [("Zheng", "wife", "Li"), ("Li", "zodiac", "rabbit"), ("Li", "job", "singer")])
    program = "# Zheng > wife > year of\nfind_entity_or_value(['Zheng'], ['wife'], ['year of'])"
    sure = [Weights({"A": 0.9, "N": 0.05}), Weights({"B": 0.9, "N": 0.05})]
    ends = [find([program], kin, relation=[weights])[0][0].object for weights in sure]
    assert sorted(ends) == ["rabbit", "singer"]
    assert ("Zheng", "wife", "Li") in facts(find([program] * 2, kin)[0])


def test_of_both_ends_the_one_that_was_named_is_followed(find):
    thinkers = [("Hume", "inspired by", "Locke"), ("Kant", "inspired by", "Hume"), ("Hume", "directed by", "Locke")]
    assert facts(find(["find_entity_or_value(['Hume'], ['inspired'])"], Small("minds", thinkers))[0]) == [thinkers[1]]
    films = [("Ran", "taught by", "Kurosawa"), ("Mifune", "taught by", "Ran")]
    assert facts(find(["find_entity_or_value(['Ran'], ['taught'])"], Small("films", films))[0]) == [films[1]]


def test_what_is_known_of_an_entity_is_evidence_and_no_result(find):
    evidence, _, _ = find(["get_entity_info(['Peru'])"], Small("world", WORLD, {"Peru": "Peru is a country."}))
    assert facts(evidence)[0] == ("Peru", "description", "")
    assert RESULT not in [e.relation for e in evidence]
    assert ("Peru", "capital", "Lima") in facts(evidence)


def test_there_are_three_rounds_at_most(find):
    evidence, _, transport = find(["boom()", "bang()", "crash()"], Small("world", WORLD))
    assert evidence == []
    assert len(transport.requests) == 3


def test_a_program_that_is_written_again_ends_the_rounds(find):
    _, events, transport = find(["boom()", "boom()"], Small("world", WORLD))
    assert len(transport.requests) == 2
    assert [e.round for e in events if isinstance(e, ProgramWritten)] == [1]


def test_a_further_round_sees_the_relations_that_there_are(find):
    evidence, _, transport = find(
        ["find_entity_or_value(['Peru'], ['zzz'])", "find_entity_or_value(['Peru'], ['capital'])"],
        Small("world", WORLD),
    )
    second = [request for request in transport.requests if request.purpose == "program"][1]
    assert "Peru has: capital, neighbour" in second.messages[-1].content
    assert facts(evidence) == [("Peru", "capital", "Lima")]


def test_the_nearest_examples_are_shown_right_before_the_question(find):
    _, _, transport = find(["find_entity_or_value(['Heat'], ['director'])"], Small("films", WORLD))
    shown = [message.content for message in transport.requests[0].messages[-3:]]
    assert shown == [EXAMPLE.question, EXAMPLE.code, "Q"]


def test_a_program_can_be_run_again_as_the_user_wrote_it(find, sandbox, tmp_path):
    embedder = Letters()
    bank = ExampleBank([], embedder, VectorCache(tmp_path, embedder))
    search = ProgramSearch(LanguageModel(ScriptedTransport([])), sandbox, RelationRanker(embedder), bank)
    turn = Turn("Q", "me", "s", datetime(2026, 1, 5), question="Q")
    events = []
    code = "find_entity_or_value(['Peru'], ['capital'])"
    evidence = search.rerun(turn, code, [Small("world", WORLD)], events.append, threading.Event())
    assert facts(evidence) == [("Peru", "capital", "Lima")]
    assert [e.run.code for e in events if isinstance(e, ProgramRan)] == [code]


def test_a_question_about_nobody_known_has_one_round(find):
    _, _, transport = find(["find_entity_or_value(['Nobody'], ['capital'])"], Small("world", WORLD))
    assert len(transport.requests) == 1


def test_one_program_runs_on_every_knowledge_base(find):
    evidence, events, transport = find(
        ["find_entity_or_value(['Peru'], ['capital'])"],
        Small("world", WORLD),
        Small("atlas", [("Peru", "capital", "Lima"), ("Peru", "capital", "Cusco")]),
    )
    assert {e.run.kb for e in events if isinstance(e, ProgramRan)} == {"world", "atlas"}
    assert len(transport.requests) == 1
    assert facts(evidence) == [("Peru", "capital", "Lima"), ("Peru", "capital", "Cusco")]


def test_what_one_clearly_has_comes_before_what_another_has_by_a_relation_that_is_somewhat_like_it(find):
    people = Small("people", [("Jordan", "captain", "Paris")])
    people.relation_policy = "threshold"  # so that likeness alone decides
    evidence, _, _ = find(
        ["find_entity_or_value(['Jordan'], ['capital'])"],
        people,
        Small("world", [("Jordan", "capital", "Amman")]),
        question="What is the capital of Jordan?",
    )
    assert [item.object for item in evidence] == ["Amman", "Paris"]
    assert doubtful(evidence[1])


def test_one_that_cannot_be_reached_is_said_once_and_skipped(find):
    program = "a = find_entity_or_value(['Peru'], ['capital'])\nb = find_entity_or_value(['Heat'], ['director'])"
    evidence, events, _ = find([program], Small("far", WORLD, unreachable=True), Small("world", WORLD))
    assert [(e.knowledge_base, e.message) for e in events if isinstance(e, Failed)] == [("far", "far does not answer.")]
    assert ("Heat", "director", "Mann") in facts(evidence)


def test_what_a_program_says_in_spite_of_one_that_cannot_be_reached_is_no_result(find):
    class Half(Small):
        def link(self, mention, aliases, question, deadline):
            self._unreachable = mention == "Heat"
            return super().link(mention, aliases, question, deadline)

    program = (
        "n = len(find_entity_or_value(['Peru'], ['neighbour']))\n"
        "try:\n    n += len(find_entity_or_value(['Heat'], ['director']))\nexcept Exception:\n    pass\nn"
    )
    evidence, events, _ = find([program] * 2, Half("far", WORLD))
    assert [(e.run.value, e.run.unreachable) for e in events if isinstance(e, ProgramRan)] == [((), True)]
    assert facts(evidence) == [("Peru", "neighbour", "Chile; Bolivia")]


def test_texts_are_searched_as_well(find):
    evidence, _, _ = find(["find_entity_or_value(['nobody'], ['home'])"], Library("personal", []))
    assert [e.text for e in evidence] == ["Anna lives in Oslo."]


@pytest.mark.parametrize(
    ("known", "text", "shown"),
    [
        ("Brant", "The home of Brandt is a tent.", ["passage"]),
        ("Brandt", "The home of Brandt is a tent.", ["home", "passage"]),
        ("Brant", "The home of others is a tent.", ["home", "passage"]),
    ],
)
def test_what_is_only_spelled_like_a_name_that_texts_tell_of_is_left_out(find, known, text, shown):
    class Near(Small):
        def link(self, mention, aliases, question, deadline):
            return [Entity(self.name, known, known)]

    class Notes(Small):
        def search_text(self, question, limit, deadline):
            return [Evidence(0, self.name, "notes.md", "passage", "", text=text)]

    program = "find_entity_or_value(['Brandt'], ['home'])"
    towns = Near("world", [(known, "home", "Bergen")])
    evidence, _, _ = find([program], towns, Notes("notes", []), question="Where is Brandt's home?")
    assert [item.relation for item in evidence] == shown


def test_where_nothing_was_found_facts_of_other_words_than_the_question_s_are_not_told_but_for_the_nearest(find):
    class Notes(Small):
        def search_text(self, question, limit, deadline):
            told = [("the user", "plays", object) for object in ("cello", "chess", "darts", "golf", "rugby")]
            return [Evidence(0, self.name, *fact, text=f"I play {fact[2]}.") for fact in told] + [
                Evidence(0, self.name, "Ole", "skis in", "Bergen", text="Ole skis in Bergen."),
                Evidence(0, self.name, "notes.md", "passage", "", text="Winters are long."),
            ]

    evidence, _, _ = find(["find_entity_or_value(['nobody'], ['home'])"], Notes("personal", []), question="Who skis?")
    assert [item.object for item in evidence] == ["cello", "chess", "darts", "Bergen", ""]


@pytest.mark.parametrize(("question", "shown"), [("Who is living there?", True), ("Who sings?", False)])
def test_beside_what_was_found_only_text_of_the_question_s_words_is_told_in_any_of_their_forms(find, question, shown):
    notes = Library("personal", [("Ole", "home", "Bergen")])
    evidence, _, _ = find(["find_entity_or_value(['Ole'], ['home'])"], notes, question=question)
    assert [item.relation for item in evidence] == ["home", *(["passage"] if shown else [])]


def test_texts_are_searched_when_no_program_can_be_written(find):
    evidence, events, _ = find([ModelUnavailable("The model is away.")], Library("personal", []))
    assert [e.text for e in evidence] == ["Anna lives in Oslo."]
    assert [e.message for e in events if isinstance(e, Failed)] == ["The model is away."]


@pytest.mark.parametrize("argument", ["{'a': 1}", "None", "[None]", "True"])
def test_an_odd_argument_is_a_mistake_that_the_program_is_told_of(find, argument):
    _, events, _ = find([f"find_entity_or_value({argument}, ['capital'])", "1"], Small("world", WORLD))
    assert "has to be a list of names" in next(e for e in events if isinstance(e, ProgramRan)).run.error


def test_what_is_in_two_results_is_asked_for_as_a_set(find):
    both = "set(find_entity_or_value(['Heat'], ['director'])) & set(find_entity_or_value(['Ali'], ['director']))"
    evidence, events, _ = find([f"find_entity_or_value({both}, ['director of'])"], Small("films", WORLD))
    assert evidence[0].object == "Heat; Ali"
    calls = next(e for e in events if isinstance(e, ProgramRan)).run.calls
    assert calls[-1].arguments[0] == ("Mann",)


def test_nothing_is_related_to_nothing(find):
    program = "find_relationship(['Peru'], find_entity_or_value(['Peru'], ['zebra']))"
    _, events, _ = find([program, "find_relationship([], ['Peru'])"], Small("w", WORLD))
    runs = [e.run for e in events if isinstance(e, ProgramRan)]
    assert [(run.value, run.error) for run in runs] == [((), "")] * 2


def test_stop_ends_it(find):
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Interrupted):
        find(["find_entity_or_value(['Peru'], ['capital'])"], Small("world", WORLD), cancel=cancel)


def test_a_late_program_ends_at_its_deadline(sandbox):
    from assistant.knowledge_bases.functions import KnowledgeFunctions

    functions = KnowledgeFunctions(
        Small("world", WORLD), RelationRanker(Letters()), "Q", Deadline.after(0), lambda event: None
    )
    outcome = sandbox.run("find_entity_or_value(['Peru'], ['capital'])", functions.by_name(), {})
    assert "too long" in outcome.error


class Letter(Small):
    """A knowledge base of sentences, of which those are found that have a word of the question in them."""

    def search_text(self, question, limit, deadline):
        found = [text for text in self._descriptions.values() if set(terms(text)) & set(terms(question))]
        return [Evidence(0, self.name, "letter.txt", PASSAGE, "", text=text) for text in found][:limit]


SAID = ("The roof was mended by Orlaith.", "Orlaith has her workshop in Clifden.")
TWO_STEPS = """
who = search_text("mended roof")
search_text(who + ["workshop"])
"""


def test_a_program_may_take_steps_over_text(find):
    letter = Letter("letter", [], {"1": SAID[0], "2": SAID[1]})
    evidence, events, _ = find([TWO_STEPS], letter, shortcuts=False, question="Where is the workshop of the roofer?")
    run = next(event for event in events if isinstance(event, ProgramRan)).run
    assert [call.results for call in run.calls] == [SAID[:1], SAID]
    assert {item.text for item in evidence} == set(SAID)
    assert all(item.relation == PASSAGE for item in evidence)
    assert find([TWO_STEPS] * 3, Small("world", WORLD), shortcuts=False)[0] == []  # it holds no text


def test_a_capable_model_sees_all_that_its_last_program_found(find):
    first = "find_entity_or_value(['Peru'], ['capital'])\nfind_entity_or_value(['Peru'], ['zebra'])"
    _, _, transport = find([first, "find_entity_or_value(['Peru'], ['neighbour'])"], Small("w", WORLD), shortcuts=False)
    *_, hints = (asked.messages[-1].content for asked in transport.requests if asked.purpose == "program")
    assert "Lima" in hints and "nothing found" in hints
