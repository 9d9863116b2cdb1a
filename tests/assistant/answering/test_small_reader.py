"""What is shown of the replies of a small model: what cites evidence and follows from it, or what a search came to."""

import re
from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.answering.computing import NO_NUMBERS
from assistant.answering.declining import without_model
from assistant.answering.reader import Reader
from assistant.knowledge_bases.personal import PERSONAL, passage_evidence, said_evidence
from assistant.llm.client import LanguageModel
from assistant.llm.grammars import citing
from assistant.llm.scripted import ScriptedTransport, Weights
from assistant.messages.languages import reply_language
from assistant.policy import SMALL
from assistant.search.evidence import RESULT, with_objects
from assistant.types import Certainty, Evidence, Message, Turn

LIMA = Evidence(1, "world", "Peru", "capital", "Lima")
PEOPLE = Evidence(2, "world", "Lima", "population", "7,737,002")


def turn(question="What is the capital of Peru?", **fields):
    language = reply_language(question)
    return Turn(question, "me", "s", datetime(2026, 1, 5), question=question, language=language, **fields)


def said(reply, evidence=(LIMA, PEOPLE), question="What is the capital of Peru?", follows=(0.99,) * 3, **more):
    """The text that is shown, whether it declines, and the requests."""
    weights = [Weights({"yes": weight, "no": 1.0 - weight}) for weight in follows]
    transport = ScriptedTransport({"answer": [reply, "From memory: Lima."], "entailment": weights})
    reader = Reader(replace(SMALL, own_knowledge=more.pop("own_knowledge", "never")))
    pieces = list(reader.answer(LanguageModel(transport), turn(question), evidence, **more))
    return "".join(piece.text for piece in pieces), pieces[-1].declined, transport.requests


def purposes(requests):
    return [request.purpose for request in requests]


def test_what_follows_from_what_it_cites_is_shown_sentence_by_sentence():
    reply = "The capital of Peru is Lima [1]. It has 7,737,002 people [2]."
    assert said(reply)[:2] == (reply, False)
    weights = [Weights({"yes": 1.0}), Weights({"yes": 1.0})]
    model = LanguageModel(ScriptedTransport({"answer": [reply], "entailment": weights}))
    pieces = Reader(SMALL).answer(model, turn(), (LIMA, PEOPLE))
    assert [(piece.text, piece.supported) for piece in pieces] == [
        ("The capital of Peru is Lima [1]. ", True),
        ("It has 7,737,002 people [2].", True),
    ]


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("What is the capital?", "The capital is Lima [1]."),
        ("Was ist die Hauptstadt?", "Die Hauptstadt ist Lima [1]."),
        ("¿Cuál es la capital?", "La capital es Lima [1]."),
        ("首都はどこですか？", "首都はリマです [1]。"),
        ("Какой город столица?", "Столица Перу — Лима [1]."),
    ],
)
def test_in_any_language_the_model_is_asked_and_its_word_counts(question, reply):
    assert said(reply, question=question)[:2] == (reply, False)
    assert said(reply, question=question, follows=[0.2])[1]


def test_a_sentence_that_does_not_follow_is_left_out_and_an_answer_of_none_is_declined():
    reply = "Lima is the capital of Peru [1]. Llamas graze in its parks [2]."
    assert said(reply, follows=[0.99, 0.1, 0.1])[0].strip() == "Lima is the capital of Peru [1]."
    assert said(reply, follows=[0.1] * 3)[1]
    notes = Evidence(1, "personal", "notes.md", "passage", "", text="She taught from 1994 until she retired.")
    assert said("In 1994 [1].", evidence=(notes,), question="When did she retire?", follows=[0.5])[1]


def test_a_reply_may_come_to_the_point_in_its_second_sentence():
    notes = Evidence(1, "personal", "notes.md", "passage", "", text="Anna is a doctor. She lives in Oslo.")
    reply, question = "Anna is a doctor [1]. She lives in Oslo [1].", "Where does Anna live?"
    assert said(reply, evidence=(notes,), question=question, follows=[0.1, 0.9])[0] == "She lives in Oslo [1]."


def test_of_an_answer_that_two_texts_lead_to_the_model_need_be_less_sure():
    ada = Evidence(1, "personal", "a.md", "passage", "", text="In spring Ada Voss took over the Corvo bakery.")
    bakery = Evidence(2, "personal", "b.md", "passage", "", text="Corvo stands on the harbour of Faro.")
    asked = {"question": "In which town is the bakery of Ada Voss?", "follows": [0.5]}
    assert not said("The Corvo bakery [1] is in Faro [2].", evidence=(ada, bakery), **asked)[1]
    assert said("In Faro [1].", evidence=(replace(bakery, id=1),), **asked)[1]


@pytest.mark.parametrize("evidence", [(), (LIMA,)])
@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who?", "I don't know: I could not look everywhere, Wikipedia, built-in knowledge and films did not answer."),
        ("谁？", "我不知道：没能查遍所有来源，维基百科、内置知识和films没有回应。"),
    ],
)
def test_what_could_not_be_reached_is_not_said_to_be_nothing(evidence, question, told):
    away = ("wikipedia", "world", "films")
    assert said("UNKNOWN", evidence, question, unreachable=away)[:2] == (told, True)


def test_without_evidence_no_model_is_asked():
    _, declined, requests = said("Lima.", evidence=())
    assert declined
    assert requests == []


def test_own_knowledge_is_marked_and_only_where_it_is_allowed():
    text, declined, _ = said("UNKNOWN", own_knowledge="marked")
    assert not declined
    assert text.startswith("I found nothing that says so")
    assert text.endswith("From memory: Lima.")


def test_evidence_beyond_the_prompt_is_left_out():
    many = [Evidence(n, "world", f"thing {n}", "is", "x" * 600) for n in range(1, 60)]
    _, _, requests = said("UNKNOWN", evidence=many)
    assert len(requests[0].messages[-1].content) < 8000


def test_a_citation_of_other_evidence_is_put_right_and_one_of_nothing_goes():
    cusco = Evidence(2, "world", "Cusco", "population", "428,450")
    assert said("The capital of Peru is Lima [2].", (LIMA, cusco))[0] == "The capital of Peru is Lima [1]."
    assert said("The capital of Peru is Lima [1] [7].", (LIMA, cusco))[0] == "The capital of Peru is Lima [1]."


def test_an_answer_of_two_steps_is_held_against_both_texts_where_one_is_not_enough():
    bank = replace(passage_evidence("p1", "towns.md", "The bank of Elmsund lies on a river called Aune."), id=1)
    mill = replace(passage_evidence("p2", "people.md", "Nora Vale keeps the archive of Elmsund."), id=2)
    other = replace(passage_evidence("p3", "boats.md", "The ferry to Tarn leaves at nine."), id=3)
    question = "On which river is the town whose archive Nora Vale keeps?"
    text, declined, requests = said("The river Aune [1].", (bank, mill, other), question, follows=(0.1, 0.9))
    assert (text, declined) == ("The river Aune [1].", False)
    both = requests[-1].messages[-1].content
    assert "Aune" in both and "Nora Vale keeps" in both and "ferry" not in both
    assert said("The river Aune [1].", (bank, mill, other), question, follows=(0.1, 0.1))[1]


def test_what_is_judged_once_more_is_judged_by_something_else():
    """Also where as many pieces are cited as are shown, and where none is."""
    farm = [f"Field {number} has wheat." for number in range(5)] + ["The barn on the ridge holds barley and straw."]
    pieces = [
        replace(passage_evidence(f"p{number}", "farm.md", text), id=number) for number, text in enumerate(farm, start=1)
    ]
    question = "What does the barn hold?"
    text, declined, requests = said("barley and straw [1][2][3].", pieces, question, follows=(0.1, 0.9))
    assert (text, declined) == ("barley and straw [6].", False)
    first, second = (request.messages[-1].content for request in requests[-2:])
    assert "ridge" not in first and "ridge" in second
    _, declined, requests = said("barley and straw.", pieces, question, follows=(0.9,))
    assert "ridge" in requests[-1].messages[-1].content


def test_what_follows_from_another_piece_than_the_one_it_cites_cites_that_one():
    cheese = replace(passage_evidence("p1", "farm.md", "The farm sells cheese, butter and, in autumn, apples."), id=1)
    flats = replace(passage_evidence("p2", "farm.md", "A night in the flats is 84 euros."), id=2)
    question = "What does the farm sell in autumn?"
    replies = ("Apples [2].", "Apples [1].", [0.9]), ("apples and butter [2][7]", "apples and butter [1]", [0.1, 0.9])
    for reply, shown, follows in replies:
        text, declined, requests = said(reply, (cheese, flats), question, follows)
        assert (text, declined) == (shown, False)
        assert "butter" in requests[-1].messages[-1].content
    assert said("Apples [2].", (cheese, flats), question, follows=(0.1, 0.1))[1]
    assert said("Apples [2].", (cheese, flats), question, follows=(0.1, 0.9))[:2] == ("Apples [1].", False)
    _, declined, requests = said("Apples [1].", (cheese, flats), question, follows=(0.1, 0.9))
    assert declined
    assert purposes(requests) == ["answer", "entailment"]


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("Is Nora Lind a potter?", "Yes"),
        ("Ist Nora Lind Töpferin?", "Ja"),
        ("Is Nora Lind a potter?", "No"),
        ("¿Nora Lind es alfarera?", "Sí"),
    ],
)
def test_a_bare_yes_cites_what_says_of_what_it_is_true(question, reply):
    works = Evidence(1, "personal", "Nora Lind", "works at", "the quay")
    text = "Nora Lind is a potter (Töpferin, alfarera) at the quay."
    notes = Evidence(2, "personal", "notes.md", "passage", "", text=text)
    other = Evidence(3, "personal", "notes.md", "passage", "", text="There is no bus to it. Pregunta si hay otro.")
    assert said(f"{reply} [1].", (works, notes, other), question)[:2] == (f"{reply} [2].", False)


def test_the_grammar_of_a_reply_has_the_numbers_of_the_evidence_and_no_others():
    _, _, requests = said("Lima [1].")
    assert (requests[0].grammar, requests[0].seldom) == (citing([1, 2], "UNKNOWN"), "UNKNOWN")
    assert re.findall(r"\[(\d+)\]", requests[0].grammar) == ["1", "2"]


# What a search surely came to

BORN = [
    Evidence(2, PERSONAL, "Bo", "born", "1985", certainty=Certainty.SAME),
    Evidence(3, PERSONAL, "Ada", "born", "1991", certainty=Certainty.NAMED),
    replace(passage_evidence("p1", "notes.md", "Bo was born in May."), id=4),
    Evidence(5, "films", "Bo", "actors", "Ada", certainty=Certainty.NAMED),
]


@pytest.mark.parametrize(
    ("is_so", "question", "text"),
    [
        (True, "Is Bo older than Ada?", "Yes: Bo – born: 1985 [2]; Ada – born: 1991 [3]."),
        (False, "Was Bo born after Ada?", "No: Bo – born: 1985 [2]; Ada – born: 1991 [3]."),
        (True, "Bo比Ada大吗？", "是：Bo – born: 1985 [2]; Ada – born: 1991 [3]。"),
        (True, "Ist Bo älter als Ada?", "Ja: Bo – born: 1985 [2]; Ada – born: 1991 [3]."),
        (False, "¿Es Bo menor que Ada?", "No: Bo – born: 1985 [2]; Ada – born: 1991 [3]."),
    ],
)
def test_a_yes_or_no_that_a_program_came_to_is_told_with_the_few_triples_that_it_found(is_so, question, text):
    first = Evidence(1, PERSONAL, "Bo, Ada > born > the earlier", RESULT, "", certainty=Certainty.SAME, is_so=is_so)
    assert said("Yes [1].", evidence=[first, *BORN], question=question) == (text, False, [])


@pytest.mark.parametrize(
    ("certainty", "others"),
    [
        (Certainty.SAME, BORN[2:]),
        (Certainty.SAME, [*BORN, *(replace(BORN[1], id=number, subject=f"Eve {number}") for number in (6, 7))]),
        (Certainty.SAME, [replace(BORN[0], object="a year " * 40)]),
        (Certainty.DOUBTFUL, BORN),
    ],
)
def test_a_yes_or_no_is_the_models_to_word_where_little_or_much_or_something_doubtful_is_behind_it(certainty, others):
    path = "Bo, Ada > born > the earlier"
    result = Evidence(1, PERSONAL, path, RESULT, "yes", certainty=certainty, is_so=True)
    assert said("Yes [1].", evidence=[result, *others], question="Is Bo older than Ada?")[0] == "Yes [1]."


def test_what_the_model_says_of_what_a_search_surely_came_to_needs_no_judge():
    path = Evidence(1, "films", "Adrift > director > movies directed", RESULT, "Gone", certainty=Certainty.CLEAR)
    question = "What else did its director direct?"
    shown = said("The director also made Gone [1].", evidence=(path,), question=question, follows=[0.1])
    assert (shown[0], purposes(shown[2])) == ("The director also made Gone [1].", ["answer"])
    doubtful = replace(path, certainty=Certainty.DOUBTFUL)
    assert said("Gone [1].", evidence=(doubtful,), question=question, follows=[0.1])[1]


@pytest.mark.parametrize("reply", ["UNKNOWN", "Heat [1]."])
def test_where_the_model_passes_it_over_it_is_the_answer_as_it_stands(reply):
    path = Evidence(1, "films", "Adrift > director > movies directed", RESULT, "Gone", certainty=Certainty.CLEAR)
    question = "What else did its director direct?"
    assert said(reply, evidence=(path,), question=question, follows=[0.1])[:2] == ("Gone [1]", False)
    assert said(reply, evidence=(replace(path, certainty=Certainty.DOUBTFUL),), question=question, follows=[0.1])[1]


@pytest.mark.parametrize("found", ["Al", "1", "钙"])
def test_a_part_of_a_word_or_a_citation_is_not_what_was_found(found):
    clear = Evidence(1, "world", "Peru > metal", RESULT, found, certainty=Certainty.CLEAR)
    reply = "Calcium, many moons of Earth, 是铝 [1]."
    _, _, requests = said(reply, evidence=(clear,), question="Which metal has Peru?")
    assert purposes(requests) == ["answer", "entailment"]


def test_what_a_doubtful_step_led_to_is_judged_by_the_step_and_not_by_the_claim_that_it_is_the_answer():
    end = Evidence(1, "files", "Ada > wife", RESULT, "Emil", certainty=Certainty.DOUBTFUL)
    step = Evidence(2, "files", "Ada", "brother", "Emil", certainty=Certainty.DOUBTFUL)
    _, _, requests = said("Emil [1].", evidence=(end, step), question="Who is the wife of Ada?")
    judged = requests[-1].messages[-1].content
    assert "Ada | brother | Emil" in judged
    assert "result" not in judged


def test_a_long_result_is_listed_with_no_model():
    names = [f"Film {number}" for number in range(7)]
    came_to = with_objects(Evidence(1, "films", "Ann Lee > films", RESULT, ""), names)
    text, declined, requests = said("", evidence=(came_to,))
    assert all(name in text for name in names)
    assert text.endswith("[1]")
    assert not declined
    assert requests == []


def test_what_many_relations_led_to_is_no_list():
    values = [f"rule {number}" for number in range(7)]
    came_to = with_objects(Evidence(1, "gym", "Gym > contract", RESULT, ""), values)
    rules = [Evidence(n + 2, "gym", "Gym", f"says on {n}", value) for n, value in enumerate(values)]
    text, _, requests = said("By letter, as rule 3 says [5].", (came_to, *rules), "How do I leave the gym?")
    assert "rule 6" not in text
    assert requests[0].purpose == "answer"
    films = [replace(rule, relation=("starred in", "directed")[n % 2]) for n, rule in enumerate(rules)]
    assert "rule 6" in said("", (came_to, *films), "What films is the gym in?")[0]


def test_a_list_on_whose_way_something_was_left_out_says_so():
    remark = "only the first 60 of 85 were followed"
    count = Evidence(1, "world", "Peru > rivers > count", RESULT, "60", text=remark, certainty=Certainty.DOUBTFUL)
    rivers = with_objects(count, [f"River {number}" for number in range(7)])
    assert said("", evidence=(rivers,))[0].endswith(f"River 6 ({remark}) [1]")
    chinese = said("", evidence=(replace(rivers, text="85个里只查了前60个"),), question="秘鲁有哪些河？")[0]
    assert chinese.endswith("River 6（85个里只查了前60个） [1]")
    told = without_model(turn(), [count, PEOPLE])
    assert f"- Peru > rivers > count – result: 60 ({remark}) [1]\n- Lima – population: 7,737,002 [2]" in told


# What code computes

OLDER = (
    Evidence(1, "personal", "Miro", "born", "2 April 1960"),
    Evidence(2, "personal", "Jon", "date of birth", "3 May 1952"),
)


@pytest.mark.parametrize(
    ("reply", "shown"),
    [
        ("The older one is <<earlier(Jon: 1952-05-03; Miro: 1960-04-02)>> [1][2].", "The older one is Jon [1][2]."),
        ("Mas jovem é <<later(Miro: 1960-04-02; Jon: 1952)>> [1].", "Mas jovem é Miro [1]."),
        ("Er ist <<age(1960-04-02)>> Jahre alt [1].", "Er ist 65 Jahre alt [1]."),
        ("Between them are <<1960-1952>> years [1][2].", "Between them are 8 years [1][2]."),
    ],
)
def test_what_is_computed_from_what_was_told_needs_no_judge(reply, shown):
    text, _, requests = said(reply, evidence=OLDER, question="Who is older?")
    assert (text, purposes(requests)) == (shown, ["answer"])


@pytest.mark.parametrize(
    "reply",
    [
        *("He is <<age(1961-04-02)>> [1].", "It makes <<1960*11>> [1].", "Jon was <<45-12>> then [1]."),
        *("As of <<today>>, Jon works for Shell [1].", "That makes <<12*100>> [1]."),
    ],
)
def test_what_is_computed_from_what_nobody_told_is_judged(reply):
    assert said(reply, evidence=OLDER, question="Who is older?", follows=[0.1] * 2)[1]


def test_a_small_model_is_heard_where_unknown_is_what_the_evidence_says():
    lamp = Evidence(1, "files", "lamp 4", "status", "UNKNOWN")
    question = "What is the status of lamp 4?"
    assert said("The status is UNKNOWN [1].", (lamp,), question)[:2] == ("The status is UNKNOWN [1].", False)
    for reply in ("UNKNOWN", "**UNKNOWN**", "unknown."):
        assert said(reply, (lamp,), question)[1]


def test_what_is_said_over_and_over_is_said_once_and_what_does_not_follow_keeps_nothing_waiting():
    text, _, requests = said("Lima [1]. " * 30, follows=(0.9,) * 60)
    assert text.count("Lima") < 10
    assert len(requests) < 12
    reply = "Llamas graze there [1]. The capital is Lima [1]."
    assert said(reply, follows=(0.1, 0.9))[0] == "The capital is Lima [1]."


# What a small model is shown to judge by


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"- boat {n} is called B{n}" for n in range(60)) + "\n- boat 60 is called Skerry",
        "Although " + "it rained on and on and the ferry did not sail, " * 12 + "boat 60 was called Skerry at last.",
        "\n".join(f"boat {n}, called B{n}" for n in range(60)) + "\nboat 60, called Skerry",
        "。".join("渡轮每天出发" for _ in range(60)) + "，60号船叫Skerry，" + "它在港口停了一天又一天" * 60,
        " " * 600 + "boat 60: Skerry",
        "boat 60; Skerry; " + "; ".join(f"boat {n}" for n in range(60)),
        " ".join(f"The ferry number {n} sails at dawn." for n in range(99)) + " Boat 60 is Skerry. She was young.",
    ],
)
def test_of_a_long_passage_the_part_is_judged_by_that_has_the_answer(text):
    notes = Evidence(1, "personal", "notes.md", "passage", "", text=text)
    _, _, requests = said("Skerry [1].", evidence=(notes,), question="What is boat 60 called?")
    shown = requests[-1].messages[-1].content
    assert "Skerry" in shown.partition("Question:")[0]
    assert len(shown) < 700


def test_a_passage_is_judged_by_what_it_says_beyond_the_question():
    """Not by the sentence that has most of the question's words, nor by where the lines of its file end."""
    text = (
        "Mira Solvang paints the harbour. Mira Solvang has worked\nsince 1998 at the gallery of the harbour.\n\n"
        "The gallery stands in Tromvik, above the old\nice house. It was opened in 1951 by\nthe brewer Egil Ruud."
        + " Boats go by every day, some of them with fish."
        * 12
    )
    notes = Evidence(1, "personal", "notes.md", "passage", "", text=text)
    question = "Who opened the gallery where Mira Solvang works?"
    reply = "The gallery where Mira Solvang works was opened by the brewer Egil Ruud [1]."
    _, _, requests = said(reply, evidence=(notes,), question=question)
    shown = requests[-1].messages[-1].content.partition("Question:")[0]
    assert "Egil Ruud" in shown
    assert "The gallery stands in Tromvik" in shown


def test_a_triple_is_judged_from_the_end_that_the_question_names():
    found = Evidence(1, "films", "Shadows", "starred actors", "Anthony Ray", certainty=Certainty.DOUBTFUL)
    _, _, requests = said("Shadows [1].", evidence=(found,), question="what movies did Anthony Ray star in")
    assert "Anthony Ray | starred actors of | Shadows" in requests[-1].messages[-1].content
    part = replace(found, object="Ray")
    _, _, requests = said("Shadows [1].", evidence=(part,), question="which films are about Raymond")
    assert "Shadows | starred actors | Ray" in requests[-1].messages[-1].content


# Talk and summaries


def conversed(reply, asked=None):
    transport = ScriptedTransport([reply])
    pieces = list(Reader(SMALL).converse(LanguageModel(transport), asked or turn("hello")))
    return "".join(piece.text for piece in pieces), transport


def test_a_reply_that_says_the_same_over_and_over_ends():
    text, _ = conversed("我可以帮助你、" + "提供信息、" * 60)
    assert text.startswith("我可以帮助你、提供信息、")
    assert text.count("提供信息") < 10


@pytest.mark.parametrize("reply", ["Ha ha ha ha!", "no, no, no", "1, 2, 3, 4, 5, 6, 7, 8", "---\n\n---"])
def test_a_reply_that_repeats_a_little_is_whole(reply):
    assert conversed(reply)[0] == reply


@pytest.mark.parametrize("call", ["tags(Lima: coast; Peru)", "more(Lima: many; Cusco: few)", "capital(Peru)"])
def test_a_sentence_with_a_sum_that_cannot_be_read_is_left_out(call):
    reply = f"The capital has <<{call}>> [2]. The capital of Peru is Lima [1]."
    assert said(reply)[0].strip() == "The capital of Peru is Lima [1]."
    assert said(f"The capital has <<{call}>> [2].", [PEOPLE])[1]


@pytest.mark.parametrize("reply", ["Write `1 <<shift(2)>> 3` in Lima [1].", "Lima has <<3 (about)>> [1]."])
def test_code_and_a_remark_in_brackets_are_no_such_sums(reply):
    assert said(reply)[0]


def test_what_a_small_model_cannot_compute_is_computed():
    assert conversed("That is <<245 * 17 / 100>>.")[0] == "That is 41.65."


@pytest.mark.parametrize(
    ("text", "said", "known"),
    [
        ("What is 17% of 245?", "", ()),
        ("五百的一半是多少？", "", ()),
        ("Half of that?", "It is 60.", ()),
        ("How old am I?", "", ("1988",)),
    ],
)
def test_sums_need_a_number_that_was_told(text, said, known):
    history = (Message("assistant", said),) if said else ()
    transport = ScriptedTransport(["<<1 + 1>>"] * 2)
    for asked, knows in ((turn(text, history=history), known), (turn("How long does an egg take?"), ("likes: tea",))):
        list(Reader(SMALL).converse(LanguageModel(transport), asked, knows))
    free, without = (request.grammar for request in transport.requests)
    assert not free
    assert without == NO_NUMBERS


def test_conversing_knows_the_date_and_the_recent_conversation():
    history = tuple(Message("user" if n % 2 == 0 else "assistant", f"message {n}") for n in range(40))
    _, transport = conversed("Hi!", turn("hello", history=history))
    contents = [message.content for message in transport.requests[0].messages]
    assert "message 39" in contents
    assert "message 0" not in contents
    assert "Monday, 05 January 2026" in contents[-1]


@pytest.mark.parametrize(("language", "named"), [("it", "Italian"), ("zh", "Chinese"), ("", "")])
def test_conversing_is_told_in_which_language(language, named):
    _, transport = conversed("Ciao!", replace(turn("ciao"), language=language))
    last = transport.requests[0].messages[-1].content
    assert ("Reply in" in last) is bool(named)
    assert named in last


def summed_up(reply, *texts):
    passages = [replace(passage_evidence(f"p{n}", "a.md", text), id=n) for n, text in enumerate(texts, start=1)]
    transport = ScriptedTransport({"answer": [reply]})
    pieces = list(Reader(SMALL).summary(LanguageModel(transport), turn("Sum it up"), "a.md", passages))
    return "".join(piece.text for piece in pieces)


def test_a_summary_has_the_sentences_whose_names_and_numbers_stand_in_the_document():
    text = "The mill in Ulm grinds 40 sacks a day. It is closed in August."
    reply = "The mill of Ulm grinds 40 sacks daily [1]. It was built by Otto Roux [1]. It closes in August [1]."
    assert summed_up(reply, text) == "The mill of Ulm grinds 40 sacks daily [1]. It closes in August [1]."


def test_a_summary_has_no_address_that_stands_nowhere():
    text = "Write to the office of the mill. It is closed in August."
    assert summed_up("Write to foo@mill.example [1]. It closes in August [1].", text) == "It closes in August [1]."


def test_what_goes_on_behind_a_whole_sentence_is_judged_alone():
    for before, judged in (
        ("The capital is Lima [1]. ", "Answer: Founded by Pizarro."),
        ("The capital", "The capital"),
    ):
        transport = ScriptedTransport({"answer": ["Founded by Pizarro [2]."], "entailment": [Weights({"yes": 1.0})]})
        asked = turn(continues=before, evidence=(LIMA, PEOPLE))
        assert list(Reader(SMALL).continued(LanguageModel(transport), asked))
        assert judged in transport.requests[-1].messages[-1].content


def test_where_a_summary_says_nothing_of_the_document_its_first_sentences_stand_for_it():
    assert summed_up("It was built by Otto Roux [1].", "The mill grinds. It is old.", "It is in Ulm.") == (
        "The mill grinds. [1] It is in Ulm. [2]"
    )


@given(st.text(alphabet="ab .1[]2<>\n", max_size=60))
def test_whatever_a_model_replies_only_what_there_is_is_cited(reply):
    text, _, _ = said(f"x{reply}", follows=[0.99] * 40)
    assert {int(number) for number in re.findall(r"(?<!\\)\[(\d+)\]", text)} <= {1, 2}


def test_what_the_user_told_is_judged_by_what_else_they_told_of_the_same():
    evidence = [
        replace(said_evidence("My son is called Ravi, my daughter Leila.", "p1"), id=1),
        replace(said_evidence("Leila plays the cello.", "p2"), id=2),
        replace(said_evidence("I keep bees.", "p3"), id=3),
    ]
    shown, declined, requests = said(
        "She plays the cello, Leila [2].", evidence, "What does my daughter play?", follows=(0.5,)
    )
    assert (shown, declined) == ("She plays the cello, Leila [2].", False)
    judged = requests[-1].messages[-1].content
    assert "my daughter Leila" in judged
    assert "bees" not in judged
