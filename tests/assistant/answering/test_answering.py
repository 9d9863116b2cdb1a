from dataclasses import replace
from datetime import datetime

import pytest

from assistant.answering import answering
from assistant.answering.comparing import without_difference
from assistant.knowledge_bases.personal import PERSONAL, passage_evidence
from assistant.llm.client import LanguageModel
from assistant.llm.scripted import ScriptedTransport, Weights
from assistant.messages.languages import reply_language
from assistant.search.evidence import RESULT, subjects, with_objects, with_subjects
from assistant.types import Evidence, Message, Turn

LIMA = Evidence(1, "world", "Peru", "capital", "Lima")
PEOPLE = Evidence(2, "world", "Lima", "population", "7,737,002")


def turn(question="What is the capital of Peru?", **fields):
    language = reply_language(question)
    return Turn(question, "me", "s", datetime(2026, 1, 5), question=question, language=language, **fields)


def answered(question, reply, evidence):
    transport = ScriptedTransport({"answer": [reply], "entailment": [Weights({"yes": 0.99, "no": 0.01})] * 2})
    return list(answering.answer(LanguageModel(transport), turn(question), evidence, own_knowledge="never"))


def said(reply, evidence=(LIMA, PEOPLE), question="What is the capital of Peru?", own_knowledge="never", follows=0.99):
    transport = ScriptedTransport(
        {"answer": [reply, "From memory: Lima."], "entailment": [Weights({"yes": follows, "no": 1.0 - follows})] * 2}
    )
    pieces = list(answering.answer(LanguageModel(transport), turn(question), evidence, own_knowledge=own_knowledge))
    return "".join(piece.text for piece in pieces), pieces[-1].declined, transport


def test_an_answer_with_its_citation_is_passed_on():
    assert said("The capital of Peru is Lima [1].")[:2] == ("The capital of Peru is Lima [1].", False)


def test_a_further_sentence_that_no_evidence_bears_is_left_out():
    reply = "Lima is the capital of Peru [1]. Llamas graze in its parks [2]. Lima has 7,737,002 people [2]."
    assert said(reply)[0] == "Lima is the capital of Peru [1]. Lima has 7,737,002 people [2]."


def test_it_comes_sentence_by_sentence():
    lima = replace(LIMA, score=1.0)
    transport = ScriptedTransport(["The capital is Lima [1]. Lima has 7,737,002 people [2]."])
    asked = turn("Which city is the capital of Peru?")
    pieces = answering.answer(LanguageModel(transport), asked, [lima, PEOPLE], own_knowledge="never")
    assert [piece.text.strip() for piece in pieces] == ["The capital is Lima [1].", "Lima has 7,737,002 people [2]."]


@pytest.mark.parametrize("reply", ["UNKNOWN", "unknown", "UNKNOWN.", "The answer is UNKNOWN"])
def test_the_model_may_decline(reply):
    text, declined, _ = said(reply)
    assert declined
    assert "UNKNOWN" not in text.upper()


@pytest.mark.parametrize("evidence", [(), (LIMA,)])
@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who?", "I don't know: I could not look everywhere, Wikipedia, built-in knowledge and films did not answer."),
        ("谁？", "我不知道：没能查遍所有来源，维基百科、内置知识和films没有回应。"),
    ],
)
def test_what_could_not_be_reached_is_not_said_to_be_nothing(evidence, question, told):
    model = LanguageModel(ScriptedTransport({"answer": ["UNKNOWN"]}))
    away = ("wikipedia", "world", "films")
    pieces = list(answering.answer(model, turn(question), evidence, own_knowledge="never", unreachable=away))
    assert [(piece.text, piece.declined) for piece in pieces] == [(told, True)]


def test_somebody_unknown_is_an_answer():
    tomb = Evidence(1, "world", "Arc de Triomphe", "holds", "the Tomb of the Unknown Soldier")
    answer = "It holds the Tomb of the Unknown Soldier [1]."
    assert said(answer, evidence=(tomb,), question="What does the arch hold?")[:2] == (answer, False)


def test_citations_in_one_bracket_are_taken_apart():
    assert said("Lima has 7,737,002 people [1, 2].", question="How many?")[0] == "Lima has 7,737,002 people [2]."


def test_what_no_evidence_bears_is_declined():
    text, declined, _ = said("The capital of Peru is Cusco, founded by Pachacuti.")
    assert declined
    assert "Cusco" not in text


def test_what_a_program_computed_is_the_answer_where_the_model_sees_none():
    computed = Evidence(1, "world", "Peru, Chile > area > the larger one", "result", "Peru", score=1.0)
    assert said("UNKNOWN", evidence=(computed, PEOPLE))[:2] == ("Peru [1]", False)


@pytest.mark.parametrize(
    ("found", "question", "text"),
    [
        (Evidence(1, "films", "Heat", "has tags", "heist", score=0.985), "What words describe Heat?", "heist [1]"),
        (Evidence(1, "films", "Heat", "directed by", "Mann", score=1.0), "What was directed by Mann?", "Heat [1]"),
        (
            Evidence(1, "films", "茶花女(1995年电影)", "拍摄地点", "波兰", score=1.0),
            "茶花女是在哪里开始拍摄的？",
            "波兰 [1]",
        ),
    ],
)
def test_what_was_surely_meant_is_the_answer_where_the_model_sees_none(found, question, text):
    assert said("UNKNOWN", evidence=(found,), question=question)[:2] == (text, False)


@pytest.mark.parametrize(
    "found",
    [
        Evidence(1, "personal", "Paul", "brother", "Emil", score=0.9),
        Evidence(1, "personal", "Ann", "wife", "Eve", score=1.0),
        Evidence(1, "personal", "Pau", "wife", "Eve", score=1.0),
    ],
)
def test_what_is_only_near_it_is_declined(found):
    assert said("UNKNOWN", evidence=(found,), question="Who is the wife of Paul?", follows=0.3)[1]


@pytest.mark.parametrize(
    ("found", "question"),
    [
        (Evidence(1, "personal", "the user", "boss", "Maria Lopez", score=1.0), "Is my boss married?"),
        (Evidence(1, "personal", "the user", "allergic to", "penicillin", score=1.0), "Am I allergic to milk?"),
        (Evidence(1, "personal", "the user", "老板", "李伟", score=1.0), "我的老板结婚了吗？"),
    ],
)
def test_a_question_of_yes_or_no_that_stays_open_is_not_answered_with_a_thing(found, question):
    assert said("UNKNOWN", evidence=(found,), question=question)[1]


TOLD = "I'm allergic to peanuts and penicillin."
TOLD_ZH = "我对花生和青霉素过敏。"
PEANUTS, PENICILLIN = (
    Evidence(number, "personal", "the user", "allergic to", object, text=TOLD, score=1.0)
    for number, object in enumerate(("peanuts", "penicillin"), start=1)
)


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("You are allergic to peanuts [1].", "You are allergic to peanuts [1].\n\nAlso: penicillin [1]"),
        ("You are allergic to penicillin [2].", "You are allergic to penicillin [2].\n\nAlso: peanuts [1]"),
        ("Peanuts and penicillin [1].", "Peanuts and penicillin [1]."),
        ("UNKNOWN", "peanuts; penicillin [1]"),
    ],
)
def test_of_several_things_told_in_one_sentence_all_are_told(reply, answer):
    elsewhere = replace(PENICILLIN, id=3, subject="Anna", object="pollen")
    found = (PEANUTS, PENICILLIN, elsewhere)
    assert said(reply, evidence=found, question="What am I allergic to?")[0] == answer


def test_also_where_they_were_told_in_chinese():
    found = [replace(PEANUTS, relation="过敏", object="花生", text=TOLD_ZH)]
    found.append(replace(PENICILLIN, relation="过敏", object="青霉素", text=TOLD_ZH))
    assert (
        said("你对花生过敏 [1]。", evidence=found, question="我对什么过敏？")[0]
        == "你对花生过敏 [1]。\n\n还有：青霉素 [1]"
    )


def test_what_was_told_in_another_sentence_is_not_added():
    apart = replace(PENICILLIN, text="I was allergic to penicillin (until 2020-01-01, no longer so)")
    reply = "You are allergic to peanuts [1]."
    assert said(reply, evidence=(PEANUTS, apart), question="What am I allergic to?")[0] == reply


CITIES = ["Paris", "Lyon", "Nice", "Lille", "Nantes", "Toulouse", "Bordeaux", "Rennes", "Dijon"]


@pytest.mark.parametrize(
    ("question", "reply", "evidence", "answer"),
    [
        (
            "Which cities are in France?",
            "",
            [with_objects(Evidence(1, "world", "France > cities", RESULT, "", score=1.0), CITIES)],
            f"I found 9: {', '.join(CITIES[:-1])} and {CITIES[-1]} [1]",
        ),
        (
            "Is Berlin the capital of Germany?",
            "",
            [
                Evidence(1, "world", "Germany > capital", RESULT, "yes", score=1.0, is_so=True),
                Evidence(2, "world", "Germany", "capital", "Berlin", score=1.0),
            ],
            "Yes: Germany – capital: Berlin [2].",
        ),
        ("What am I allergic to?", "UNKNOWN", [PEANUTS], "peanuts [1]"),
    ],
)
def test_what_code_tells_from_its_evidence_is_grounded(question, reply, evidence, answer):
    pieces = answered(question, reply, evidence)
    assert "".join(piece.text for piece in pieces) == answer
    assert answering.grounded(pieces, question, evidence)


@pytest.mark.parametrize(
    ("reply", "grounded"),
    [
        ("You are allergic to peanuts [1].", True),
        ("You are allergic to peanuts [1]. That makes 12 allergies [1].", False),
    ],
)
def test_what_the_model_says_beside_it_has_to_be_held(reply, grounded):
    found = [PEANUTS, PENICILLIN]
    pieces = answered("What am I allergic to?", reply, found)
    assert pieces[-1].text == "\n\nAlso: penicillin [1]"
    assert answering.grounded(pieces, "What am I allergic to?", found) is grounded


def test_a_decline_is_not_grounded():
    met = [replace(PEANUTS, score=0.0)]
    pieces = answered("What is my shoe size?", "UNKNOWN", met)
    assert pieces[-1].declined
    assert not answering.grounded(pieces, "What is my shoe size?", met)


def test_what_does_not_follow_from_the_evidence_is_declined():
    notes = Evidence(1, "personal", "notes.md", "passage", "", text="She taught from 1994 until she retired.")
    reply, question = "She retired in 1994 [1].", "When did she retire?"
    assert said(reply, evidence=(notes,), question=question)[:2] == (reply, False)
    assert said(reply, evidence=(notes,), question=question, follows=0.6)[1]


@pytest.mark.parametrize(
    ("found", "question", "asked"),
    [
        (replace(LIMA, score=1.0), "Which city is the capital of Peru?", []),
        (replace(LIMA, score=0.97), "What is the main city of Peru?", ["entailment"]),
        (Evidence(1, "personal", "the user", "sister", "Lima", score=1.0), "What is my sister called?", []),
        (replace(LIMA, score=0.86), "What is the capital of Peru?", ["entailment"]),
        (replace(LIMA, text="Lima has been the capital since 1535."), "What is the capital?", ["entailment"]),
        (replace(LIMA, score=1.0), "Where does the president live?", ["entailment"]),
    ],
)
def test_what_a_search_came_to_and_the_model_says_is_not_asked_about_again(found, question, asked):
    _, _, transport = said("Lima [1].", evidence=(found,), question=question)
    assert [request.purpose for request in transport.requests] == ["answer", *asked]


def test_what_only_stands_beside_what_was_asked_for_has_to_follow():
    kind = Evidence(1, "files", "Aurelie", "type", "three-masted ship")
    _, declined, transport = said("three-masted ship [1]", evidence=(kind,), question="Who owns Aurelie?", follows=0.1)
    assert declined
    assert [request.purpose for request in transport.requests] == ["answer", "entailment"]


def test_a_step_of_a_path_that_led_elsewhere_has_to_follow():
    end = Evidence(1, "files", "Cavendra > head of government > founded in", RESULT, "1644", score=0.87)
    step = Evidence(2, "files", "Cavendra", "largest city", "Port Ilian", score=1.0)
    question = "Who is the head of government of Cavendra?"
    assert said("Port Ilian [2]", evidence=(end, step), question=question, follows=0.1)[1]


def test_a_count_of_something_else_is_no_answer():
    came_to = Evidence(1, "files", "Elspeth Corrow > children > count", RESULT, "1", score=0.87)
    comets = Evidence(2, "files", "Elspeth Corrow", "number of comets discovered", "3", score=0.87)
    question = "How many children did Elspeth Corrow have?"
    assert said("She had 1 child [1].", evidence=(came_to, comets), question=question, follows=0.1)[1]


@pytest.mark.parametrize(
    "question",
    ["Who was the first person at the height of the Skarnhorn?", "I'd like to know by whom the Skarnhorn was climbed."],
)
def test_figures_are_nobody(question):
    height = Evidence(1, "files", "Skarnhorn", "height", "3,418 m", score=1.0)
    assert said("3,418 m [1]", evidence=(height,), question=question)[1]


def test_a_year_is_no_place():
    year = Evidence(1, "files", "The Salt Bride", "year of first performance", "1871", score=0.95)
    question = "Where was The Salt Bride first performed?"
    assert said("It was first performed in 1871 [1].", evidence=(year,), question=question)[1]


def test_where_a_path_of_clear_relations_led_is_the_answer_where_the_model_sees_none():
    path = Evidence(1, "films", "Adrift > director > movies directed", RESULT, "Gone", score=0.93)
    assert said("UNKNOWN", evidence=(path,), question="What else did its director direct?")[0] == "Gone [1]"
    doubtful = replace(path, score=0.87)
    assert said("UNKNOWN", evidence=(doubtful,), question="What else did its director direct?")[1]


@pytest.mark.parametrize(
    ("found", "reply"), [("Al", "Calcium is a metal [1]."), ("1", "Earth has many moons [1]."), ("钙", "是铝 [1]。")]
)
def test_a_part_of_a_word_or_a_citation_is_not_what_was_found(found, reply):
    clear = Evidence(1, "world", "Peru", "metal", found, text="Calcium, many moons of Earth, 是铝", score=0.92)
    _, _, transport = said(reply, evidence=(clear,), question="Which metal has Peru?")
    assert [request.purpose for request in transport.requests] == ["answer", "entailment"]


def test_a_reply_may_come_to_the_point_in_its_second_sentence():
    notes = Evidence(1, "personal", "notes.md", "passage", "", text="Anna is a doctor. She lives in Oslo.")
    script = {
        "answer": ["Anna is a doctor [1]. She lives in Oslo [1]. She is a doctor [1]."],
        "entailment": [Weights({"no": 1.0}), Weights({"yes": 1.0})],
    }
    model = LanguageModel(ScriptedTransport(script))
    pieces = answering.answer(model, turn("Where does Anna live?"), [notes], own_knowledge="never")
    assert "".join(piece.text for piece in pieces).startswith("Anna is a doctor [1]. She lives in Oslo [1].")


def test_of_an_answer_that_two_texts_lead_to_the_model_need_be_less_sure():
    ada = Evidence(1, "personal", "a.md", "passage", "", text="In spring Ada Voss took over the Corvo bakery.")
    bakery = Evidence(2, "personal", "b.md", "passage", "", text="Corvo stands on the harbour of Faro.")
    asked = {"question": "In which town is the bakery of Ada Voss?", "follows": 0.5}
    assert not said("In Faro [2].", evidence=(ada, bakery), **asked)[1]
    assert said("In Faro [1].", evidence=(replace(bakery, id=1),), **asked)[1]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"- boat {n} is called B{n}" for n in range(60)) + "\n- boat 60 is called Skerry",
        "Although " + "it rained on and on and the ferry did not sail, " * 12 + "boat 60 was called Skerry at last.",
        "boat 60; Skerry; " + "; ".join(f"boat {n}" for n in range(60)),
    ],
)
def test_of_a_long_passage_the_part_is_checked_that_bears_the_answer(text):
    notes = Evidence(1, "personal", "notes.md", "passage", "", text=text)
    _, _, transport = said("Skerry [1].", evidence=(notes,), question="What is boat 60 called?")
    shown = transport.requests[-1].messages[-1].content
    assert "Skerry" in shown.partition("Question:")[0]
    assert len(shown) < 700


@pytest.mark.parametrize(("follows", "text"), [(0.95, "Lima [1]"), (0.5, "I don't know")])
def test_what_is_clearly_meant_is_the_answer_where_it_follows(follows, text):
    clear = replace(LIMA, relation="seat of government", score=0.92)
    assert said("UNKNOWN", evidence=(clear, PEOPLE), follows=follows)[0].startswith(text)


@pytest.mark.parametrize(
    ("relation", "text"),
    [("written by", "Jack Reacher [1]"), ("film story by", "I don't know"), ("produced by", "I don't know")],
)
def test_what_is_clearly_meant_and_asked_in_its_own_words_is_the_answer(relation, text):
    found = Evidence(1, "films", "Jack Reacher", relation, "Lee Child", score=0.92)
    question = "what film did Lee Child write"
    assert said("UNKNOWN", evidence=(found,), question=question, follows=0.2)[0].startswith(text)


def test_a_triple_is_checked_from_the_end_that_the_question_names():
    found = Evidence(1, "films", "Shadows", "starred actors", "Anthony Ray", score=0.87)
    _, _, transport = said("Shadows [1].", evidence=(found,), question="what movies did Anthony Ray star in")
    assert "Anthony Ray | starred actors of | Shadows" in transport.requests[-1].messages[-1].content
    part = replace(found, object="Ray")
    _, _, transport = said("Shadows [1].", evidence=(part,), question="which films are about Raymond")
    assert "Shadows | starred actors | Ray" in transport.requests[-1].messages[-1].content


def test_what_is_of_another_kind_is_no_answer():
    found = Evidence(1, "world", "Peru", "founded for", "its silver", score=0.92)
    assert said("UNKNOWN", evidence=(found,), question="When was Peru founded?")[1]


def test_a_long_passage_is_checked_by_its_sentences_around_what_is_said():
    text = " ".join(f"The ferry number {n} sails at dawn." for n in range(99)) + " Ada Berg built it. She was young."
    notes = Evidence(1, "personal", "notes.md", "passage", "", text=text)
    _, _, transport = said("Ada Berg [1].", evidence=(notes,), question="Who built it?")
    shown = transport.requests[-1].messages[-1].content
    assert "Ada Berg built it. She was young." in shown
    assert len(shown) < 700


def test_without_evidence_no_model_is_asked():
    _, declined, transport = said("Lima.", evidence=())
    assert declined
    assert transport.requests == []


def test_declining_is_said_in_the_language_of_the_question():
    assert "不知道" in said("UNKNOWN", question="秘鲁的首都是哪里？")[0]


def test_a_citation_of_the_wrong_evidence_is_put_right():
    assert said("The capital of Peru is Lima [2].", question="Which city?")[0] == "The capital of Peru is Lima [1]."


def test_a_citation_of_nothing_is_put_right():
    assert said("The capital of Peru is Lima [7].")[0] == "The capital of Peru is Lima [1]."


def test_a_missing_citation_is_added():
    assert said("The capital of Peru is Lima.")[0] == "The capital of Peru is Lima [1]."
    assert said("秘鲁的首都是Lima。", question="秘鲁的首都是哪里？")[0] == "秘鲁的首都是Lima [1]。"


def test_own_knowledge_is_marked_and_only_where_it_is_allowed():
    text, declined, _ = said("UNKNOWN", own_knowledge="marked")
    assert not declined
    assert text.startswith("I found nothing that says so")
    assert text.endswith("From memory: Lima.")


def test_evidence_beyond_the_prompt_is_left_out():
    many = [Evidence(n, "world", f"thing {n}", "is", "x" * 600) for n in range(1, 60)]
    _, _, transport = said("UNKNOWN", evidence=many)
    assert len(transport.requests[0].messages[-1].content) < 8000


def test_a_reply_that_says_the_same_over_and_over_ends():
    model = LanguageModel(ScriptedTransport(["我可以帮助你、" + "提供信息、" * 60]))
    text = "".join(piece.text for piece in answering.converse(model, turn("你能做什么？")))
    assert text.startswith("我可以帮助你、提供信息、")
    assert text.count("提供信息") < 10


def test_what_a_small_model_cannot_compute_is_computed():
    model = LanguageModel(ScriptedTransport(["That is <<245 * 17 / 100>>."]))
    assert "".join(piece.text for piece in answering.converse(model, turn("17% of 245?"))) == "That is 41.65."


@pytest.mark.parametrize("reply", ["Ha ha ha ha!", "no, no, no", "1, 2, 3, 4, 5, 6, 7, 8", "---\n\n---"])
def test_a_reply_that_repeats_a_little_is_whole(reply):
    assert (
        "".join(piece.text for piece in answering.converse(LanguageModel(ScriptedTransport([reply])), turn("sing")))
        == reply
    )


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Name three towns in Kenya", "I found 8: town 1, town 2, town 3 and 5 more [1]"),
        ("列举两座肯尼亚的城市", "找到8个：town 1、town 2和另外6个 [1]"),
    ],
)
def test_no_more_are_told_than_were_asked_for(question, told):
    found = with_objects(Evidence(1, "world", "Kenya > towns", RESULT, ""), [f"town {n}" for n in range(1, 9)])
    text, _, _ = said("", evidence=[found], question=question)
    assert text == told


def test_conversing_knows_the_date_and_the_recent_conversation():
    transport = ScriptedTransport(["Hi!"])
    history = tuple(Message("user" if n % 2 == 0 else "assistant", f"message {n}") for n in range(40))
    assert (
        "".join(piece.text for piece in answering.converse(LanguageModel(transport), turn("hello", history=history)))
        == "Hi!"
    )
    contents = [message.content for message in transport.requests[0].messages]
    assert "message 39" in contents
    assert "message 0" not in contents
    assert "Monday, 05 January 2026" in contents[-1]


def test_a_reply_that_passes_over_what_the_search_came_to_is_not_shown():
    came_to = Evidence(1, "world", "葡萄牙 > 邻国 > 首都", RESULT, "马德里", score=1.0)
    neighbour = Evidence(2, "world", "葡萄牙", "邻国", "西班牙")
    question = "与葡萄牙接壤的那个国家，首都是哪里？"
    assert said("西班牙 [2]。", evidence=(came_to, neighbour), question=question)[:2] == ("马德里 [1]", False)
    assert said("首都是马德里 [1]。", evidence=(came_to, neighbour), question=question)[0] == "首都是马德里 [1]。"


@pytest.mark.parametrize(
    ("object", "question", "reply", "text"),
    [
        ("05月(小)16日", "农历里1949年6月12日是什么？", "农历5月16日 [1]", "05月(小)16日 [1]"),
        ("琼海市 (博鳌区)", "农历里1949年6月12日在哪里？", "在琼海市 [1]。", "琼海市 (博鳌区) [1]"),
        ("17 July 1954", "What is 1949年6月12日's 农历?", "It is July 17, 1954 [1].", "It is July 17, 1954 [1]."),
        ("二等站。", "农历里1949年6月12日是什么？", "农历是二等站 [1]。", "农历是二等站 [1]。"),
        ("1,285,220", "What is 1949年6月12日's 农历?", "It is the 农历 [1].", "1,285,220 [1]"),
        ("5", "What is 1949年6月12日's 农历?", "It has five 农历 [1].", "5 [1]"),
        ("1,285,220 km²", "What is 1949年6月12日's 农历?", "About 1.3 million km² [1].", "1,285,220 km² [1]"),
    ],
)
def test_what_was_surely_found_is_said_in_its_own_words(object, question, reply, text):
    found = Evidence(1, "world", "1949年6月12日", "农历", object, score=1.0)
    assert said(reply, evidence=(found,), question=question)[0] == text


@pytest.mark.parametrize(
    ("question", "reply", "text"),
    [
        (
            "What does Laura act in?",
            "Laura acts in Drive [1].",
            "Laura acts in Drive [1].\n\nAlso: Derailed and Gone [1]",
        ),
        ("Who is listed beside Laura?", "Gone [1].", "Gone [1].\n\nAlso: Drive and Derailed [1]"),
        ("Who is the latest beside Laura?", "Gone [1].", "Gone [1]."),
        ("What does Laura also act in?", "In Drive [1].", "In Drive [1].\n\nAlso: Derailed and Gone [1]"),
        ("What does Laura act in?", "In Gone, Derailed and Drive [1].", "In Gone, Derailed and Drive [1]."),
        ("What did Laura act in first?", "Laura acts in Drive [1].", "Laura acts in Drive [1]."),
        ("What else than Drive did Laura act in?", "Laura acts in Gone [1].", "Laura acts in Gone [1]."),
        ("Which films of Laura came out by 2010?", "Laura acts in Drive [1].", "Laura acts in Drive [1]."),
        ("劳拉演过什么？ Laura?", "Derailed [1]", "Derailed [1]\n\n还有：Drive和Gone [1]"),
    ],
)
def test_what_a_reply_leaves_out_of_what_was_surely_found_is_added(question, reply, text):
    acted = with_subjects(Evidence(1, "films", "", "actors", "Laura", score=1.0), ("Drive", "Derailed", "Gone"))
    assert said(reply, evidence=(acted,), question=question)[0] == text
    path = with_objects(Evidence(1, "films", "Laura > films", RESULT, "", score=0.88), subjects(acted))
    assert said(reply, evidence=(path,), question=question)[0] == text
    assert said(reply, evidence=(path,), question=question, follows=0.1)[0] == reply
    clear = replace(path, score=0.9)
    assert said(reply, evidence=(clear,), question=question, follows=0.1)[0] == text
    near = replace(acted, score=0.88)
    assert "Gone" not in said("Drive [1].", evidence=(near,), question="What does Laura act in?")[0]


def test_of_a_value_in_several_parts_none_is_left_out():
    width = Evidence(1, "ships", "大黄蜂号", "全宽", "整体：109呎6.25吋 水线：83呎2.5吋", score=0.92)
    question, reply = "大黄蜂号的宽有多少？", "大黄蜂号的宽为109呎6.25吋 [1]。"
    assert said(reply, evidence=(width,), question=question)[0] == f"{reply}\n\n还有：水线：83呎2.5吋 [1]"
    whole = "整体宽109呎6.25吋，水线宽83呎2.5吋 [1]。"
    assert said(whole, evidence=(width,), question=question)[0] == whole


@pytest.mark.parametrize(
    ("question", "reply", "added"),
    [
        ("青莲寺的创建年代？", "西晋泰始二年 [1]。", "\n\n还有：公元550-559年 [1]"),
        ("位于泽州的青莲寺的创建年代？", "西晋泰始二年 [1]。", "\n\n还有：公元550-559年 [1]"),
        ("哪位记下了青莲寺的创建年代？", "西晋泰始二年 [1]。", ""),
        ("青莲寺的创建年代？", "西晋泰始二年，也有说550至559年 [1]。", ""),
    ],
)
def test_of_several_dates_those_are_added_of_which_no_number_is_said(question, reply, added):
    founded = with_objects(
        Evidence(1, "寺", "泽州 > 青莲寺 > 创建", RESULT, "", score=1.0), ("西晋泰始二年", "公元550-559年")
    )
    assert said(reply, evidence=(founded,), question=question)[0] == reply + added


def test_a_number_that_is_part_of_a_decimal_was_not_said():
    cost = with_objects(
        Evidence(1, "films", "凯特 > 代表作品 > 制片成本", RESULT, "", score=1.0), ("2.3亿美元", "2亿美元")
    )
    said_of = said("2.3亿美元 [1]", evidence=(cost,), question="凯特的代表作品的制片成本是多少？")
    assert said_of[0] == "2.3亿美元 [1]\n\n还有：2亿美元 [1]"


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("Peru and Lima are related [1] and [2].", "Peru – capital: Lima [1]; Peru – largest city: Lima [2]"),
        ("UNKNOWN", "Peru – capital: Lima [1]; Peru – largest city: Lima [2]"),
        ("Lima is the capital of Peru [1].", "Lima is the capital of Peru [1]."),
    ],
)
def test_how_two_things_are_related_is_told(reply, text):
    evidence = [replace(LIMA, score=1.0), Evidence(2, "world", "Peru", "largest city", "Lima", score=1.0), PEOPLE]
    assert said(reply, evidence=evidence, question="How are Peru and Lima related?")[0] == text


def test_a_question_of_yes_or_no_is_judged_by_what_the_evidence_says():
    question = "Is Lima the capital of Peru?"
    yes = said("The evidence says that Lima is the capital of Peru: yes", evidence=(LIMA,), question=question)
    assert yes[:2] == ("Yes: Lima is the capital of Peru [1].", False)
    capital = replace(LIMA, score=1.0)
    unread = said("Yes, Lima is the capital of Peru [1].", evidence=(capital,), question=question)
    assert unread[:2] == ("Peru – capital: Lima [1]", False)
    assert said("The evidence says nothing of Lima: unknown", evidence=(PEOPLE,), question=question)[1]
    acted = with_subjects(Evidence(1, "films", "", "actors", "Laura", score=1.0), ("Drive", "Gone"))
    one = said("The evidence says Laura acted in Drive: yes", evidence=(acted,), question="Did Laura act in Drive?")
    assert one[0] == "Yes: Laura acted in Drive [1]."  # and nothing of Gone
    led = Evidence(1, "world", "Peru > capital", RESULT, "Lima", score=1.0)
    assert said("The evidence says the capital is Lima: yes", evidence=(led,), question=question)[0] == (
        "Yes: the capital is Lima [1]."
    )
    told = Evidence(1, "world", "Peru > capital > is Lima", RESULT, "yes", score=1.0, is_so=True)
    assert said("Yes [1].", evidence=(told,), question=question)[0] == "Yes [1]."


BORN = [
    Evidence(2, PERSONAL, "Bo", "born", "1985", score=0.95),
    Evidence(3, PERSONAL, "Ada", "born", "1991", score=1.0),
    replace(passage_evidence("p1", "notes.md", "Bo was born in May.", score=1.0), id=4),
    Evidence(5, "films", "Bo", "actors", "Ada", score=1.0),
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
    first = Evidence(1, PERSONAL, "Bo, Ada > born > the earlier", RESULT, "", score=0.95, is_so=is_so)
    shown, declined, transport = said("Yes [1].", evidence=[first, *BORN], question=question)
    assert (shown, declined, transport.requests) == (text, False, [])


@pytest.mark.parametrize(
    ("first", "others"),
    [
        ({}, BORN[2:]),
        ({}, [*BORN, *(Evidence(n, PERSONAL, f"Eve {n}", "born", "1990", score=1.0) for n in (6, 7))]),
        ({}, [replace(BORN[0], object="a year " * 40)]),
        ({"score": 0.87}, BORN),
    ],
)
def test_a_yes_or_no_is_told_alone_where_little_or_much_or_something_doubtful_is_behind_it(first, others):
    result = replace(
        Evidence(1, PERSONAL, "Bo, Ada > born > the earlier", RESULT, "yes", score=0.95, is_so=True), **first
    )
    assert said("Yes [1].", evidence=[result, *others], question="Is Bo older than Ada?")[0] == "Yes [1]."


def test_what_is_told_of_two_things_besides_their_relation_is_an_answer():
    moved = Evidence(1, "personal", "Ana", "moved to", "Oslo", text="since 2019", score=1.0)
    question = "When did Ana move to Oslo?"
    assert said("In 2019 [1].", evidence=(moved,), question=question)[0] == "In 2019 [1]."
    assert said("UNKNOWN", evidence=(moved,), question=question)[0] == "Ana – moved to: Oslo (since 2019) [1]"
    assert said("UNKNOWN", evidence=(replace(moved, text=""),), question=question, follows=0.1)[1]


def test_a_reply_that_rests_on_other_evidence_is_shown():
    born = Evidence(1, "personal", "Thora", "born", "1931", score=1.0)
    place = Evidence(2, "personal", "Thora", "was born in", "Tromsø", score=0.97)
    answer = "Thora was born in Tromsø [2]."
    assert said(answer, evidence=(born, place), question="Where was Thora born?")[0] == answer
    work = Evidence(1, "personal", "Thora", "has worked at", "Veldmar Observatory", score=0.96)
    text = Evidence(2, "personal", "notes.md", "passage", "", text="The Veldmar Observatory stands above Ostrel.")
    assert (
        said("In Ostrel [2].", evidence=(work, text), question="In which town does Thora work?")[0] == "In Ostrel [2]."
    )


def test_by_how_much_one_is_more_does_not_tell_which():
    difference = Evidence(1, "world", "Peru, Chile > population > difference", RESULT, "-14000000")
    chile = Evidence(3, "world", "Chile", "population", "18,729,160")
    peru = Evidence(2, "world", "Peru", "population", "31,989,256")
    reply = "Peru: 31,989,256; Chile: 18,729,160; the more"
    question = "Which has more people, Peru or Chile?"
    text, declined, _ = said(reply, (difference, peru, chile), question)
    assert (text, declined) == ("Peru (31,989,256 [2]; Chile: 18,729,160 [3])", False)


@pytest.mark.parametrize(
    ("question", "path", "figure"),
    [
        ("Are there more than five cities in Peru?", "Peru > cities > count", "12"),
        ("Which has more people, Peru or Chile, and how many more?", "Peru, Chile > population > difference", "9"),
        ("秘鲁和智利哪个国家人口更多，多多少？", "秘鲁，智利 > 人口 > 相差", "9"),
    ],
)
def test_a_figure_that_is_asked_for_stays(question, path, figure):
    counted = Evidence(1, "world", path, RESULT, figure)
    assert without_difference(question, (counted, LIMA, PEOPLE))[0] == counted


def test_what_many_relations_led_to_is_no_list():
    values = [f"rule {number}" for number in range(7)]
    came_to = with_objects(Evidence(1, "gym", "Gym > contract", RESULT, ""), values)
    rules = [Evidence(n + 2, "gym", "Gym", f"says on {n}", value) for n, value in enumerate(values)]
    text, _, transport = said("By letter, as rule 3 says [5].", (came_to, *rules), "How do I leave the gym?")
    assert "rule 6" not in text
    assert transport.requests[0].purpose == "answer"
    films = [replace(rule, relation=("starred in", "directed")[n % 2]) for n, rule in enumerate(rules)]
    assert "rule 6" in said("", (came_to, *films), "What films is the gym in?")[0]
    about = [
        replace(rule, id=rule.id + 20, subject=rule.object, relation=relation, object="x")
        for rule in rules
        for relation in ("size", "age")
    ]
    assert "rule 6" in said("", (came_to, *films, *about), "What films is the gym in?")[0]


def test_what_has_a_source_is_cited_rather_than_the_result_of_the_search():
    came_to = Evidence(1, "world", "Peru > capital > population", RESULT, "7,737,002")
    lima = Evidence(2, "world", "Lima", "population", "7,737,002")
    answer = "The capital has 7,737,002 inhabitants [1]."
    assert said(answer, evidence=(came_to, lima))[0] == "The capital has 7,737,002 inhabitants [2]."
    counted = Evidence(1, "world", "Peru > neighbours > count", RESULT, "5")
    assert said("Peru has 5 neighbours [1].", evidence=(counted, lima))[0] == "Peru has 5 neighbours [1]."


def test_a_long_result_is_listed_with_no_model():
    names = [f"Film {number}" for number in range(7)]
    came_to = with_objects(Evidence(1, "films", "Ann Lee > films", RESULT, ""), names)
    text, declined, transport = said("", evidence=(came_to,))
    assert all(name in text for name in names)
    assert text.endswith("[1]")
    assert not declined
    assert transport.requests == []


REMARK = "only the first 60 of 85 were followed"


def test_a_result_on_whose_way_something_was_left_out_is_shown_with_the_remark():
    count = Evidence(1, "world", "Peru > rivers > count", RESULT, "60", text=REMARK, score=0.85)
    reply = "Peru has 60 rivers [1]."
    text, declined, transport = said(reply, evidence=(count,), question="How many rivers has Peru?", follows=0.05)
    assert (text, declined) == (reply, False)
    assert [request.purpose for request in transport.requests] == ["answer"]
    rivers = with_objects(count, [f"River {number}" for number in range(7)])
    assert said("", evidence=(rivers,))[0].endswith(f"River 6 ({REMARK}) [1]")
    chinese = said("", evidence=(replace(rivers, text="85个里只查了前60个"),), question="秘鲁有哪些河？")[0]
    assert chinese.endswith("River 6（85个里只查了前60个） [1]")
    without_model = answering.without_model(turn(), [count, PEOPLE])
    assert f"- Peru > rivers > count – result: 60 ({REMARK}) [1]\n- Lima – population: 7,737,002 [2]" in without_model


@pytest.mark.parametrize(("language", "named"), [("it", "Italian"), ("zh", "Chinese"), ("", "")])
def test_conversing_is_told_in_which_language(language, named):
    transport = ScriptedTransport(["Ciao!"])
    list(answering.converse(LanguageModel(transport), replace(turn("ciao"), language=language)))
    last = transport.requests[0].messages[-1].content
    assert ("Reply in" in last) is bool(named)
    assert named in last
