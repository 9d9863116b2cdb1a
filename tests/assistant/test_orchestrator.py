import threading
from datetime import datetime

import pytest

from assistant.errors import ModelUnavailable, UserMistake
from assistant.llm.scripted import Weights
from assistant.orchestrator import MESSAGE_CHARACTERS
from assistant.types import (
    Answered,
    Failed,
    Found,
    Message,
    Planned,
    ProgramRan,
    ProgramWritten,
    Remembered,
    Routed,
    Token,
    Turn,
)

SISTER = "the user|sister|Anna"
FIND_SISTER = 'find_entity_or_value(["the user", "me", "I"], ["sister"])'


def turn(text, **fields):
    return Turn(text, fields.pop("user", "me"), "s", datetime(2026, 1, 5, 12), **fields)


def last(events):
    assert isinstance(events[-1], Answered)
    assert sum(isinstance(event, Answered) for event in events) == 1
    return events[-1]


def test_a_direct_answer(composed):
    events = list(composed(["en chat", Weights({"no": 1.0}), "Hello there!"]).reply(turn("hi")))
    answered = last(events)
    assert isinstance(events[0], Routed)
    assert (answered.route, answered.answer, answered.evidence) == ("answer", "Hello there!", ())
    assert answered.usage.calls == 3
    assert set(answered.usage_by_purpose) == {"understand", "facts", "answer"}


def test_what_is_told_can_be_asked_for(composed):
    assistant = composed(
        {
            "understand": ["en remember", "en ask"],
            "extract": [SISTER],
            "program": [FIND_SISTER],
            "answer": ["Your sister is Anna [1]."],
        }
    )
    told = list(assistant.reply(turn("My sister is Anna.")))
    assert any(isinstance(event, Remembered) and event.facts == ("the user – sister: Anna",) for event in told)
    assert "Anna" in last(told).answer

    events = list(assistant.reply(turn("who is my sister", history=(Message("user", "My sister is Anna."),))))
    answered = last(events)
    assert answered.answer == "Your sister is Anna [1]."
    assert answered.grounded
    assert not answered.declined
    assert answered.evidence[0].object == "Anna"
    assert answered.program == FIND_SISTER
    assert (answered.strategy, answered.format) == ("program", "triples")
    kinds = [type(event) for event in events]
    assert kinds.index(ProgramWritten) < kinds.index(ProgramRan) < kinds.index(Found)
    assert {"route", "search", "answer"} <= set(answered.seconds)


def test_a_program_that_came_to_nothing_is_told_from_one_that_found_the_evidence(composed):
    nothing = "find_entity_or_value(['nobody'], ['nothing'])"
    assistant = composed(
        {
            "understand": ["en remember", "en ask", "en ask"],
            "extract": [SISTER],
            "program": [nothing, FIND_SISTER],
            "answer": ["Your sister is Anna [1]."] * 2,
        }
    )
    list(assistant.reply(turn("My sister is Anna.")))
    beside, by_program = (
        last(list(assistant.reply(turn("Who is my sister?", knowledge_bases=("personal",))))) for _ in range(2)
    )
    assert beside.evidence
    assert (beside.fruitless, by_program.fruitless) == (True, False)


@pytest.mark.parametrize(
    ("told", "fact", "question", "relation"),
    [
        ("My sister Anna lives in Graz.", "the user|sister|Anna", "What is my sister's shoe size?", "shoe size"),
        ("My boss is Maria Lopez.", "the user|boss|Maria Lopez", "What is my boss's phone number?", "phone number"),
        ("我姐姐叫安娜。", "我|姐姐|安娜", "我姐姐的鞋码是多少？", "鞋码"),
    ],
)
def test_the_first_step_of_a_path_that_led_nowhere_is_no_answer(composed, told, fact, question, relation):
    own, step, _ = fact.split("|")
    assistant = composed(
        {
            "understand": ["en remember"],
            "extract": [fact],
            "program": [f"find_entity_or_value(find_entity_or_value([{own!r}], [{step!r}]), [{relation!r}])"] * 2,
            "relation": [Weights({"N": 1.0})] * 9,
            "answer": ["UNKNOWN"],
        }
    )
    list(assistant.reply(turn(told)))
    answered = last(list(assistant.reply(turn(question))))
    assert answered.evidence
    assert answered.declined


def test_another_user_is_not_told(composed):
    assistant = composed(
        {"understand": ["en remember", "en ask"], "extract": [SISTER], "program": [FIND_SISTER], "answer": []}
    )
    list(assistant.reply(turn("My sister is Anna.")))
    answered = last(list(assistant.reply(turn("Who is my sister?", user="other"))))
    assert answered.declined
    assert answered.evidence == ()


def test_both_at_once(composed):
    assistant = composed(
        {
            "understand": ["en remember+ask"],
            "standalone": ["What is the name of my sister's dog?"],
            "program": ["find_entity_or_value(['nobody'], ['nothing'])"],
            "answer": ["UNKNOWN"],
            "extract": [SISTER],
        }
    )
    answered = last(list(assistant.reply(turn("My sister is Anna, what is her dog's name?"))))
    assert answered.route == "search+remember"
    assert answered.declined
    assert answered.answer.endswith("- the user – sister: Anna")


@pytest.mark.parametrize("unreadable", ["I have noted it.", '{"lines": 3}', "a | b"])
def test_what_cannot_be_extracted_is_kept_as_text(composed, unreadable):
    assistant = composed({"understand": ["en remember"], "extract": [unreadable]})
    events = list(assistant.reply(turn("My locker is number 48-B.")))
    assert any(isinstance(event, Failed) and event.stage == "remember" for event in events)
    recalled = assistant.memory.of("me").recall("locker number")
    assert recalled[0].text == "My locker is number 48-B."


@pytest.mark.parametrize("text", ["Where is my locker?", "I wonder about my locker."])
def test_without_the_model_memory_is_shown_as_it_stands(composed, text):
    away = ModelUnavailable("The language model is still being fetched (43 %).")
    assistant = composed({purpose: [away] * 9 for purpose in ("understand", "program", "answer", "entailment")})
    empty = last(list(assistant.reply(turn(text))))
    assert "language model" in empty.answer
    assistant.memory.of("me").add_document("notes.md", b"My locker is number 48-B.")
    events = list(assistant.reply(turn(text)))
    assert any(isinstance(event, Failed) and "43 %" in event.message for event in events)
    assert "48-B" in last(events).answer
    assert last(events).evidence[0].source == "notes.md"


def test_without_the_model_a_plain_question_is_answered_from_what_is_known(composed):
    away = ModelUnavailable("The language model is still being fetched (43 %).")
    assistant = composed({purpose: [away] * 9 for purpose in ("understand", "program", "answer")})
    answered = last(list(assistant.reply(turn("What is the capital of Kenya?"))))
    assert answered.answer.endswith("- Kenya – capital: Nairobi [1]")
    assert not answered.usage_by_purpose


def test_stop_ends_a_turn_with_what_was_said(composed):
    cancel = threading.Event()

    def stopping(request):
        cancel.set()
        return "never shown"

    answered = last(list(composed(["en chat", Weights({"no": 1.0}), stopping]).reply(turn("hi"), cancel)))
    assert answered.stopped
    assert answered.answer == ""


def test_closing_the_iterator_ends_the_turn(composed):
    cancel = threading.Event()
    events = composed(["en chat", Weights({"no": 1.0}), "a b c d"]).reply(turn("hi"), cancel)
    next(events)
    events.close()
    assert cancel.is_set()


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"text": "  \n "}, "empty"),
        ({"text": "x" * (MESSAGE_CHARACTERS + 1)}, "upload long texts as a document"),
        ({"text": "hi", "strategy": "magic"}, "program"),
        ({"text": "hi", "format": "poem"}, "triples"),
        ({"text": "hi", "knowledge_bases": ("atlantis",)}, "atlantis"),
    ],
)
def test_bad_input_is_refused_before_any_call(composed, fields, says):
    assistant = composed([])
    with pytest.raises(UserMistake, match=says):
        list(assistant.reply(turn(**fields)))
    assert assistant.model.transport.requests == []


def test_naming_knowledge_bases_means_searching_them(composed):
    assistant = composed({"understand": ["en chat"], "program": [FIND_SISTER]})
    answered = last(list(assistant.reply(turn("hello", knowledge_bases=("personal",)))))
    assert answered.route == "search"
    assert answered.declined


def test_own_knowledge_is_used_only_where_the_setting_allows_it(composed):
    script = {"understand": ["en ask"], "program": [FIND_SISTER], "answer": ["It is Lima."]}
    assistant = composed(script, LOREKEEPER_OWN_KNOWLEDGE="on")
    answered = last(list(assistant.reply(turn("Capital of Peru?", knowledge_bases=("personal",)))))
    assert "unchecked" in answered.answer
    assert not answered.declined
    assert not answered.grounded


def test_a_program_that_the_user_has_edited_is_run_again_and_answers(composed):
    assistant = composed({"understand": ["en remember"], "extract": [SISTER], "answer": ["Your sister is Anna [1]."]})
    list(assistant.reply(turn("My sister is Anna.")))
    told = assistant.memory.of("me").facts("")
    events = list(assistant.rerun(turn("And who is she?", question="Who is my sister?"), FIND_SISTER))
    kinds = [type(event) for event in events]
    assert kinds[0] is Planned
    assert kinds[-3:] == [Found, Token, Answered]
    assert ProgramRan in kinds[1:-3]
    assert not {Routed, ProgramWritten} & set(kinds)
    answered = last(events)
    assert (answered.answer, answered.question) == ("Your sister is Anna [1].", "Who is my sister?")
    assert (answered.program, answered.strategy, answered.route) == (FIND_SISTER, "program", "search")
    assert answered.grounded
    assert "Who is my sister?" in assistant.model.transport.requests[-1].messages[-1].content
    assert assistant.memory.of("me").facts("") == told


def test_an_edited_program_that_breaks_says_where_and_declines(composed):
    events = list(composed([]).rerun(turn("Who is my sister?"), "find_entity_or_value(["))
    assert all("SyntaxError" in event.run.error for event in events if isinstance(event, ProgramRan))
    assert last(events).declined


@pytest.mark.parametrize(
    ("code", "says"), [(" \n", "program is empty"), ("#" * (MESSAGE_CHARACTERS + 1), "are the most")]
)
def test_no_program_is_refused(composed, code, says):
    with pytest.raises(UserMistake, match=says):
        next(composed([]).rerun(turn("Who is my sister?"), code))


def test_stop_ends_an_edited_program(composed):
    cancel = threading.Event()
    cancel.set()
    answered = last(list(composed([]).rerun(turn("Who is my sister?"), FIND_SISTER, cancel)))
    assert answered.stopped


def test_a_question_that_is_taken_for_something_told_is_answered_and_ends_nothing(composed):
    assistant = composed(
        {
            "understand": ["en remember", "en remember"],
            "extract": ["the user|plumber|Odd Vik", "none"],
            "answer": ["Your plumber is Odd Vik [1]."],
            "asks": [Weights({"no": 1.0})],
        }
    )
    list(assistant.reply(turn("My plumber is Odd Vik.")))
    events = list(assistant.reply(turn("Which plumber do I call?")))
    assert last(events).answer == "Your plumber is Odd Vik [1]."
    assert last(events).route == "search"
    assert not any(isinstance(event, Remembered) for event in events)
    assert [fact.valid_to for fact in assistant.memory.of("me").facts()] == [None]


@pytest.mark.parametrize(("named_before", "shown"), [(0.9, True), (0.1, False)])
def test_what_was_said_before_is_read_where_only_that_names_somebody(composed, named_before, shown):
    weights = Weights({"yes": named_before, "no": 1 - named_before})
    assistant = composed({"understand": ["en remember"], "extract": ["Anna|job|nurse"], "earlier": [weights]})
    before = (Message("user", "My sister is Anna."), Message("assistant", "I will remember."))
    list(assistant.reply(turn("She works as a nurse.", history=before)))
    (asked,) = [request for request in assistant.model.transport.requests if request.purpose == "extract"]
    assert ("My sister is Anna." in asked.messages[-1].content) is shown


@pytest.mark.parametrize("reply", ["It costs 17.40 euros [1].", "UNKNOWN"])
def test_a_question_that_is_taken_for_a_chat_is_answered_from_documents_or_declined(composed, reply):
    script = {"understand": ["en chat"], "answer": [reply] * 2, "program": ["[]"] * 9}
    assistant = composed({**script, "facts": [Weights({"yes": 0.8, "no": 0.2})]})
    assistant.memory.of("me").add_document("stock.txt", b"How much is the brass valve? The brass valve is 17.40 euros.")
    answered = last(list(assistant.reply(turn("How much is the brass valve?"))))
    assert answered.route == "search"
    assert answered.answer.startswith("I don't know") if reply == "UNKNOWN" else answered.answer == reply


def test_a_chat_is_looked_at_once_more(composed):
    assistant = composed({"understand": ["en chat"], "answer": ["Try a nap."]})
    answered = last(list(assistant.reply(turn("Any ideas for a rainy Sunday?"))))
    assert (answered.answer, answered.usage.calls) == ("Try a nap.", 3)


def test_a_question_of_fact_that_is_taken_for_a_chat_is_looked_up_where_there_are_no_documents(composed):
    script = {"understand": ["en chat"], "facts": [Weights({"yes": 1.0})], "answer": ["Lima is its capital [1]."]}
    assistant = composed({**script, "program": ['find_entity_or_value(["Peru"], ["capital"])']})
    answered = last(list(assistant.reply(turn("Peru's capital is called what?"))))
    assert (answered.route, answered.declined) == ("search", False)
    assert answered.evidence


def test_a_question_of_fact_that_is_taken_for_a_chat_is_asked_in_full(composed):
    script = {"understand": ["en chat"], "facts": [Weights({"yes": 1.0})], "answer": ["Lima is its capital [1]."]}
    script["standalone"] = ["What is the capital of Peru?"]
    assistant = composed({**script, "program": ['find_entity_or_value(["Peru"], ["capital"])']})
    history = (Message("user", "How large is Peru?"), Message("assistant", "1,285,220 km² [1]."))
    answered = last(list(assistant.reply(turn("and its capital is called what?", history=history))))
    assert (answered.question, answered.declined) == ("What is the capital of Peru?", False)


@pytest.mark.parametrize("kind", ["chat", "ask own"])
def test_what_is_asked_of_a_table_is_counted_by_a_program(composed, kind):
    rows = 'rows = find_entity_or_value(["boats.csv"], ["rows"])'
    count = f'{rows}\nlen([r for r in rows if "ready" in find_entity_or_value([r], ["state"])])'
    facts = [Weights({"yes": 1.0})]
    script = {"understand": [f"en {kind}"], "program": [count], "answer": ["2 boats are ready [1]."]}
    assistant = composed({**script, "facts": facts})
    assistant.memory.of("me").add_document("boats.csv", b"Boat,Berths,State\nSkua,4,ready\nTern,6,sold\nAuk,2,ready\n")
    answered = last(list(assistant.reply(turn("How many boats in boats.csv are ready?"))))
    assert answered.answer == "2 boats are ready [1]."
    assert (answered.route, answered.evidence[0].kb, answered.evidence[0].object) == ("search", "tables", "2")
