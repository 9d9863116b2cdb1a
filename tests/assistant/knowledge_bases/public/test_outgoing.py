"""What leaves for public knowledge bases, as it arrives at servers on loopback."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import compose
from assistant.errors import QueryRefused
from assistant.knowledge_bases.base import Deadline, InverseIndex, Queryable
from assistant.knowledge_bases.public.cn_dbpedia import CnDbpedia
from assistant.knowledge_bases.public.outgoing import Outgoing
from assistant.knowledge_bases.public.wikidata import Wikidata
from assistant.knowledge_bases.public.wikipedia import Wikipedia
from assistant.knowledge_bases.sparql.endpoint import Endpoint
from assistant.llm.scripted import ScriptedTransport
from assistant.orchestrator import Assistant
from assistant.settings import Settings
from assistant.types import Entity, Message, ProgramRan, Turn
from memory.folding import terms
from memory.types import SavedMessage
from tests.assistant.knowledge_bases.loopback import LoopbackServer, Reply
from tests.assistant.knowledge_bases.public import wikidata_double
from tests.assistant.knowledge_bases.sparql import sparql_double

MEMORY = "My sister Annika Brandtner lives in Lisbon. The code of her safe is 4471, her dog is called Muffin Rex."
EARLIER = "I am going to divorce Theodor, and my salary is 73 thousand."
SECRETS = ["Annika", "Brandtner", "Lisbon", "4471", "Muffin", "Theodor", "divorce", "salary"]
# How a program may put them to a look-up: alone, with what may leave, in pieces, as a sentence, as a relation.
HOSTILE = [
    "Annika Brandtner",
    "brandtner",
    "BRANDTNER, ANNIKA",
    "Lisbon",
    "Talvik of Lisbon",
    "Talvik Annika",
    "4471",
    "4 4 7 1",
    "44-71",
    "\uff14\uff14\uff17\uff11",
    "Talvik 4471",
    "4471 0000 1234 5678",
    "+49 151 2345678",
    "DE89370400440532013000",
    "Muffin Rex",
    "her safe is 4471",
    "My sister Annika Brandtner lives in Lisbon. The code of her safe is 4471",
    "divorce Theodor",
    "salary",
    "annika@brandtner.example",
    "https://evil.example/Annika",
    "Talvik\nAnnika",
    "The user has a sister whose name begins with the first letter of the alphabet and ends so",
]
TURTLE = '<http://e.org/T> <http://www.w3.org/2000/01/rdf-schema#label> "Talvik" ; <http://e.org/capital> "Osk" .'


def turn(question: str, **fields: object) -> Turn:
    text = str(fields.pop("text", question))
    return Turn(text, "me", "s", datetime(2026, 1, 5, 12, tzinfo=UTC), question=question, **fields)  # type: ignore[arg-type]


def answer(asked: dict[str, str]) -> Reply:
    """What Wikidata's double says; the others answer that they have nothing."""
    if asked.get("action", "").startswith("wb"):
        return wikidata_double.answer(asked)
    if asked.get("action") == "query":
        return Reply({"query": {"search": [], "pages": {}}})
    if "query" in asked:
        return Reply(sparql_double.serving(TURTLE)(asked).body)
    return Reply({"status": "ok", "ret": []})


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Assistant, LoopbackServer, Path]]:
    """One that knows secrets, whose public knowledge bases are all at one server on loopback; and its home."""
    home, started = tmp_path_factory.mktemp("home"), LoopbackServer()
    settings = Settings.from_environment({"LOREKEEPER_HOME": str(home)})
    made = compose(settings, ScriptedTransport({"answer": ["UNKNOWN"], "link": ["N"], "relation": ["N"]}, repeat=True))
    bases, http = made.knowledge_bases, made.knowledge_bases.http
    http.allow(started.host, private=True)
    bases._built_in["wikipedia"] = Wikipedia(http, started.url)
    bases._built_in["wikidata"] = Wikidata(http, started.url, started.url + "/sparql")
    bases._built_in["cn-dbpedia"] = CnDbpedia(http, started.url)
    bases._added["remote"] = Endpoint(http, "remote", started.url + "/sparql")
    bases.prepare()
    memory = made.memory.of("me")
    memory.add_document("notes.md", MEMORY.encode())
    memory.sessions.new("other")
    memory.sessions.append("other", SavedMessage("user", EARLIER, datetime(2026, 1, 4, tzinfo=UTC)))
    yield made, started, home
    made.close()
    started.close()


@pytest.fixture
def server(shared: tuple[Assistant, LoopbackServer, Path]) -> LoopbackServer:
    _, started, _ = shared
    started.asked.clear()
    started.answer = answer
    return started


@pytest.fixture
def assistant(shared: tuple[Assistant, LoopbackServer, Path], server: LoopbackServer) -> Assistant:
    made, _, _ = shared
    made.knowledge_bases.http.forget_answers()
    made.knowledge_bases._added["remote"].public = True  # type: ignore[misc]  # as one on another machine is
    server.asked.clear()
    return made


def arrived(server: LoopbackServer) -> list[str]:
    """Every value of every request, but for what each of them has."""
    fixed = {"query", "json", "wbsearchentities", "wbgetentities", "search"}
    return [value for asked in server.asked for value in asked.values() if value not in fixed]


def leaks(server: LoopbackServer, secrets: list[str] = SECRETS) -> list[str]:
    texts = [text.casefold() for text in arrived(server)]
    return [secret for secret in secrets if any(secret.casefold() in text for text in texts)]


CALLS = [
    "get_entity_info({0})",
    "find_entity_or_value({0}, ['capital'])",
    "find_entity_or_value(['Talvik', {1}], ['capital'])",
    "find_entity_or_value(['Ilse Talvik'], [{1}, {1} + ' of'])",
    "find_entity_or_value(['Ilse Talvik'], ['teacher'], [{1} + ' of'])",
    "find_entity_or_value(find_entity_or_value(['Ilse Talvik'], ['teacher']) + [{1}], ['teacher'])",
    "find_relationship({0}, ['Talvik'])",
    "find_relationship(['Talvik'], {0})",
    "find_relationship(['Ilse Talvik', {1}], [{1}])",
]


@pytest.mark.parametrize("call", CALLS)
def test_no_argument_of_a_host_function_takes_a_secret_out(
    assistant: Assistant, server: LoopbackServer, call: str
) -> None:
    code = "\n".join(call.format(repr([text]), repr(text)) for text in HOSTILE)
    events = list(assistant.rerun(turn("Who taught Ilse Talvik?"), code))
    assert any(isinstance(event, ProgramRan) and event.run.kb == "wikidata" for event in events)
    assert leaks(server) == []
    assert leaks(server, ["evil", ".example", "5678", "532013"]) == []
    longest = max((len(text.split()) for text in arrived(server) if "SELECT" not in text), default=0)
    assert longest <= 8, "no sentence"


def test_what_is_held_back_stands_in_the_log_without_what_it_says(
    assistant: Assistant, shared: tuple[Assistant, LoopbackServer, Path]
) -> None:
    _, _, home = shared
    code = "\n".join(f"get_entity_info([{text!r}])" for text in HOSTILE)
    list(assistant.rerun(turn("Who taught Ilse Talvik?"), code))
    log = (home / "outbound.log").read_text()
    assert "wikidata held back: 16 characters, not in the question, but in the memory" in log
    assert "wikipedia held back: 19 characters, a long number" in log
    assert [secret for secret in SECRETS if secret.casefold() in log.casefold()] == []


def test_earlier_messages_of_the_conversation_stay_here_unless_the_question_names_them(
    assistant: Assistant, server: LoopbackServer
) -> None:
    history = (Message("user", "Brenholm is where Petra Lundgren hid 8812 kroner."), Message("assistant", "Noted."))
    code = "get_entity_info(['Petra Lundgren']); get_entity_info(['8812']); get_entity_info(['Brenholm'])"
    list(assistant.rerun(turn("Where is Brenholm?", text="where is it?", history=history), code))
    assert leaks(server, ["Petra", "Lundgren", "8812"]) == []
    assert "Brenholm" in arrived(server)


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("My PIN is 4471, what is the height of Talvik?", "get_entity_info(['my PIN is 4471'])"),
        ("My PIN is 4471, what is the height of Talvik?", "get_entity_info(['PIN 4471'])"),
        ("What is the height of Talvik? My PIN is 4471", "get_entity_info(['My PIN is 4471'])"),
        ("Is 4471000012345678 a number of Talvik?", "get_entity_info(['4471000012345678'])"),
        ("我的密码是4471，塔尔维克有多高？", "get_entity_info(['我的密码是4471']); get_entity_info(['4471'])"),
        ("What is the height of Talvik in the valley of the Osk", "get_entity_info([question])"),
    ],
)
def test_no_sentence_of_the_question_leaves_and_no_number_told_beside_it(
    assistant: Assistant, server: LoopbackServer, question: str, code: str
) -> None:
    list(assistant.rerun(turn(question), code))
    assert leaks(server, ["4471", "is 4", "height of"]) == []


def test_what_a_message_tells_beside_its_question_stays_here(assistant: Assistant, server: LoopbackServer) -> None:
    text = "My friend Ottokar Vesely is ill. What is the height of Talvik?"
    code = "get_entity_info(['Ottokar Vesely']); get_entity_info(['Talvik'])"
    list(assistant.rerun(turn("What is the height of Talvik?", text=text), code))
    assert leaks(server, ["Ottokar", "Vesely"]) == []
    assert "Talvik" in arrived(server)


@pytest.mark.parametrize(
    ("question", "code", "asked"),
    [
        ("What is the height of Talvik?", "find_entity_or_value(['Talvik'], ['height'])", "Talvik"),
        ("Wie heißt die Hauptstadt von Kenia?", "get_entity_info(['Kenya'])", "Kenya"),
        ("肯尼亚的首都是哪里？", "get_entity_info(['肯尼亚'])", "肯尼亚"),
        ("What is the capital of the Big Apple's state?", "get_entity_info(['New York City'])", "New York City"),
        ("Who won the FIFA World Cup in 2014?", "get_entity_info(['2014 FIFA World Cup'])", "2014 FIFA World Cup"),
        ("In 2014, who won the World Cup?", "get_entity_info(['World Cup 2014'])", "World Cup 2014"),
        ("Who directed My Name Is Khan?", "get_entity_info(['My Name Is Khan'])", "My Name Is Khan"),
        ("Who wrote it, 'One Hundred Years of Solitude'?", "get_entity_info(['One Hundred Years of Solitude'])", None),
        ("How tall is Annika Brandtner?", "get_entity_info(['Annika Brandtner'])", "Annika Brandtner"),
        (
            "Who played in The Assassination of Jesse James by the Coward Robert Ford?",
            "get_entity_info(['The Assassination of Jesse James by the Coward Robert Ford'])",
            "The Assassination of Jesse James by the Coward Robert Ford",
        ),
    ],
)
def test_names_in_the_question_and_other_names_of_theirs_leave(
    assistant: Assistant, server: LoopbackServer, question: str, code: str, asked: str | None
) -> None:
    list(assistant.rerun(turn(question), code))
    assert (asked or "One Hundred Years of Solitude") in arrived(server)


def test_a_translation_that_stands_in_memory_leaves_where_it_is_another_name_of_what_is_asked_about(
    assistant: Assistant, server: LoopbackServer
) -> None:
    assistant.memory.of("me").add_document("trip.md", b"We went to Kenya in spring.")
    list(assistant.rerun(turn("Wie heißt die Hauptstadt von Kenia?"), "get_entity_info(['Kenya'])"))
    assert "Kenya" in arrived(server)
    server.asked.clear()
    list(assistant.rerun(turn("Wie heißt die Hauptstadt von Peru?"), "get_entity_info(['Kenya'])"))
    assert leaks(server, ["Kenya"]) == []


def test_what_a_public_knowledge_base_gave_is_looked_up_further(assistant: Assistant, server: LoopbackServer) -> None:
    """Also where memory knows the name, too."""
    assistant.memory.of("me").add_document("friends.md", b"Arno Keld is my friend. He lives in Brenholm.")
    question = turn("Where does the teacher of Ilse Talvik live?")
    list(assistant.rerun(question, "get_entity_info(['Arno Keld'])"))
    assert leaks(server, ["Keld"]) == []
    code = "teachers = find_entity_or_value(['Ilse Talvik'], ['teacher'])\nget_entity_info([teachers[0] + ''])"
    list(assistant.rerun(question, code))
    assert any("Q506" in text or "Arno Keld" in text for text in arrived(server))
    server.asked.clear()
    code = "find_entity_or_value(['Ilse Talvik'], ['teacher'])\nget_entity_info(['Arno Keld', 'Keld'])"
    list(assistant.rerun(question, code))
    assert "Keld" in " ".join(arrived(server))


def test_what_a_user_puts_into_a_program_themselves_is_named_by_them(
    assistant: Assistant, server: LoopbackServer
) -> None:
    sessions = assistant.memory.of("me").sessions
    sessions.new("s")
    written = {"events": [{"kind": "ProgramWritten", "code": "get_entity_info(['Muffin'])"}]}
    sessions.append("s", SavedMessage("assistant", "Hm.", datetime(2026, 1, 5, tzinfo=UTC), written))
    code = "get_entity_info(['Muffin']); get_entity_info(['Lisbon']); get_entity_info(['Lisbon 4471 0000 1234'])"
    list(assistant.rerun(turn("Where is Talvik?"), code))
    assert "Lisbon" in arrived(server)
    assert leaks(server, ["Muffin", "4471"]) == []


def guarded(assistant: Assistant, question: str, name: str) -> Queryable:
    bases = assistant.knowledge_bases
    [base] = bases.for_turn(turn(question), bases.choose("me", "en", [name]), lambda word: word == "teacher")
    assert isinstance(base, Queryable)
    return base


REFUSED = [
    'SELECT ?x WHERE { ?x rdfs:label "Annika Brandtner"@en }',
    'SELECT ?x WHERE { ?x rdfs:label "Talvik"@annika }',
    'SELECT ?x WHERE { ?x rdfs:label "Talvik"@en-brandtner }',
    'SELECT ?x WHERE { ?x rdfs:label "Talvik"^^<http://brandtner.example/> }',
    'SELECT ?x WHERE { ?x rdfs:label ?l FILTER(REGEX(?l, "lisbon", "i")) }',
    'SELECT ?x WHERE { ?x rdfs:label ?l FILTER(CONTAINS(?l, "The code of her safe is what we look for here")) }',
    "SELECT ?x WHERE { ?x wdt:P2 4471 }",
    "SELECT ?x WHERE { ?x wdt:P2 123456789 }",
    "SELECT ?x WHERE { ?x wdt:P2 wd:Q4471 }",
    "SELECT ?x WHERE { <http://example.org/Annika_Brandtner> ?p ?x }",
    "SELECT ?x WHERE { <http://brandtner.example/a> ?p ?x }",
    "PREFIX lisbon: <http://example.org/> SELECT ?x WHERE { lisbon:a ?p ?x }",
    "PREFIX e: <http://example.org/> SELECT ?x WHERE { e:muffinRex ?p ?x }",
    'SELECT ?x WHERE { ?x rdfs:label "Anni\\u006ba" }',
]


@pytest.mark.parametrize("name", ["wikidata", "remote"])
@pytest.mark.parametrize("query", REFUSED)
def test_no_part_of_a_query_takes_a_secret_out(
    assistant: Assistant, server: LoopbackServer, name: str, query: str
) -> None:
    with pytest.raises(QueryRefused, match=r"^[^\n]+$"):
        guarded(assistant, "Who taught Ilse Talvik?", name).query(query, Deadline.after(10))
    assert server.asked == []


@pytest.mark.parametrize("name", ["wikidata", "remote"])
def test_a_query_leaves_without_comments_and_names_of_the_writers_own(
    assistant: Assistant, server: LoopbackServer, name: str
) -> None:
    query = (
        "# Annika Brandtner\nPREFIX wd: <http://www.wikidata.org/entity/> SELECT ?lisbon ?n4471 WHERE {\n"
        '?lisbon wdt:P10*/wdt:P31 wd:Q5 ; rdfs:label "Ilse Talvik"@en . _:annika ?p ?n4471 # Muffin\n'
        'FILTER(?n4471 > "2014-01-01T00:00:00Z"^^xsd:dateTime && ?n4471 < -1000000) } LIMIT 10'
    )
    reply = {"head": {"vars": ["v0", "v1"]}, "results": {"bindings": [{"v1": {"type": "literal", "value": "x"}}]}}
    server.answer = lambda _: Reply(reply)
    found = guarded(assistant, "Who taught Ilse Talvik in 2014?", name).query(query, Deadline.after(10))
    assert found.variables == ("lisbon", "n4471") and len(found.rows) == 1
    [sent] = [asked["query"] for asked in server.asked]
    assert leaks(server) == []
    assert 'rdfs:label "Ilse Talvik"@en' in sent and "wdt:P10*/wdt:P31 wd:Q5" in sent and "-1000000" in sent


def test_relations_are_looked_up_by_words_of_questions_alone(assistant: Assistant, server: LoopbackServer) -> None:
    base = guarded(assistant, "Who taught Ilse Talvik?", "wikidata")
    assert isinstance(base, InverseIndex)
    entity = Entity("wikidata", "en:Q501", "Ilse Talvik")
    base.having([entity], ["muffin", "teacher", "salary", "Annika"], 10, Deadline.after(10))
    assert leaks(server) == []
    assert any(asked.get("search") == "teacher" for asked in server.asked)


def test_a_server_on_this_machine_is_the_users_own(assistant: Assistant, server: LoopbackServer) -> None:
    remote = assistant.knowledge_bases._added["remote"]
    assert isinstance(remote, Endpoint)
    remote.public = False
    list(assistant.rerun(turn("Where is she?", knowledge_bases=("remote",)), "get_entity_info(['Annika Brandtner'])"))
    assert urlsplit(server.url).hostname == "127.0.0.1" and leaks(server, ["Annika"]) == ["Annika"]


WORDS = ["zorgon", "plimet", "quandry", "vextor", "lumiar", "brask", "9187", "63", "秘密", "城堡", "Ünal"]
TEXT = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join)


@given(TEXT, TEXT, TEXT, st.sampled_from([" ", "-", ", ", "_", " – "]))
def test_no_word_of_memory_leaves_that_the_question_does_not_have(
    memory: str, question: str, text: str, between: str
) -> None:
    text = text.replace(" ", between)
    held = set(terms(memory))
    gate = Outgoing(turn(question), lambda wanted: held & set(wanted), lambda _: False)
    if not gate.reason_to_hold(text):
        assert not (held & set(terms(text))) - set(terms(question))


@given(st.text(st.sampled_from("0123456789 -./,:()x"), min_size=1, max_size=24))
def test_no_long_number_leaves_however_it_is_grouped(text: str) -> None:
    gate = Outgoing(turn(f"What is {text}?"), lambda _: set(), lambda _: False)
    longest = max(map(len, "".join(sign if sign.isdigit() else " " for sign in text).split()), default=0)
    if longest > 4 and not gate.reason_to_hold(text):
        assert all(
            len(run.rstrip("0")) <= 2 for run in text.replace("x", " ").split() if len(run) > 4 and run.isdigit()
        )


@hypothesis.example("9" * 5_000 + ". What is the capital of Peru?", "9" * 5_000)
@given(st.text(max_size=60), st.text(max_size=60))
def test_the_gate_takes_any_text(question: str, text: str) -> None:
    gate = Outgoing(turn(question or "?"), lambda _: set(), lambda _: False)
    gate.give([text])
    gate.give_prose(question)
    assert isinstance(gate.reason_to_hold(text), str)
