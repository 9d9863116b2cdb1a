"""What is asked of the memory in the chat is done, and can be undone: whole turns, whatever words asked for it."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from assistant.errors import ModelUnavailable
from assistant.llm.client import Request
from assistant.llm.scripted import Weights
from assistant.messages.languages import reply_language
from assistant.orchestrator import Assistant
from assistant.types import Answered, Failed, ForgetAsked, Forgot, Found, Message, Remembered, Restored, Turn
from memory.sessions import ASKED
from tests.memory.samples import read

SISTER = "the user|sister|Anna\nAnna|lives in|Bergen"
OSLO = "Anna|moved to|Oslo"
TOLD = "My sister Anna lives in Bergen."
YES = Weights({"yes": 1.0})

Say = Callable[[str], Answered]


def ending(*objects: str) -> list[Callable[[Request], Weights]]:
    """What the model replies that takes the known facts with these objects for over."""

    def reply(request: Request) -> Weights:
        known = re.search(r"^Known: .*: (.*)$", request.messages[-1].content, re.MULTILINE)
        return Weights({"over": 1.0} if known and known[1] in objects else {"still": 1.0})

    return [reply] * 9


class Chat:
    """One conversation with one assistant; `events` are those of the last turn."""

    def __init__(self, assistant: Assistant) -> None:
        self.assistant = assistant
        self.memory = assistant.memory.of("me")

    def say(
        self, text: str, means: str = "", *, session: str = "s", confirmed: bool = True, agrees: str = ""
    ) -> Answered:
        """One turn; `means` is what the model understands, by default what is next in the script."""
        if means:
            self.assistant.model.transport._replies["understand"].insert(0, f"en {means}")
        turn = Turn(text, "me", session, datetime(2026, 1, 5, 12), confirmed=confirmed, agrees=agrees)
        self.events = list(self.assistant.reply(turn))
        assert isinstance(self.events[-1], Answered)
        return self.events[-1]

    def event(self, kind: type):  # type: ignore[no-untyped-def]
        return next(event for event in self.events if isinstance(event, kind))

    def facts(self) -> dict[str, bool]:
        """What is known of each fact's object, and whether it holds."""
        return {fact.object: fact.valid_to is None for fact in self.memory.facts()}


@pytest.fixture
def chat(composed) -> Callable[..., Chat]:
    def begin(**replies) -> Chat:
        chat = Chat(
            composed(
                {"understand": ["en remember"], "extract": [SISTER], "forget": [Weights({"no": 1.0})] * 9, **replies}
            )
        )
        chat.say(TOLD)
        return chat

    return begin


def test_of_a_message_that_only_asks_nothing_is_kept(composed) -> None:
    talk = Chat(composed({"understand": ["en remember+ask"], "extract": ["none"], "program": [""], "answer": []}))
    talk.say("When is her birthday, and how many days is that from now?")
    assert not any(isinstance(event, Remembered) for event in talk.events)
    assert talk.memory.is_empty()


def test_of_a_message_that_tells_and_asks_what_it_tells_is_kept(composed) -> None:
    lines = "the user|daughter's class|6B"
    talk = Chat(composed({"understand": ["en remember+ask"], "extract": [lines], "program": [""], "answer": []}))
    said = "My daughter is in 6B, what does she need for the farm visit?"
    talk.say(said)
    assert talk.event(Remembered).facts == ("the user – daughter's class: 6B",)
    assert {hit.text for hit in talk.memory.recall("daughter", 5)} == {said}


def test_a_correction_may_tell_the_right_name(composed) -> None:
    dog, renamed = "Clara|has a dachshund|Waldi", "Clara|has a dachshund|Wastl"
    told = {"understand": ["en remember", "en remember"], "extract": [dog, renamed], "over": ending("Waldi")}
    talk = Chat(composed(told))
    talk.say("My sister Clara has a dachshund called Waldi.")
    talk.say("no, the dog is called Wastl", "correct")
    assert talk.event(Remembered).facts == ("Clara – has a dachshund: Wastl",)
    assert talk.facts() == {"Waldi": False, "Wastl": True}


@pytest.mark.parametrize(
    ("told", "denial", "lines"),
    [
        ("I am allergic to peanuts.", "Actually, I'm not allergic to peanuts.", "the user|allergic to|peanuts"),
        ("I live in Rome.", "No, I don't live in Rome.", "the user|lives in|Rome"),
        ("我对花生过敏。", "不对，我对花生不过敏。", "the user|过敏|花生"),
        ("我住在上海。", "我不住在上海了。", "the user|住在|上海"),
        ("我在百度工作。", "我已经不在百度工作了。", "the user|工作单位|百度"),
    ],
)
def test_what_is_denied_is_said_to_be_history(composed, told, denial, lines):
    value = lines.rpartition("|")[2]
    script = {"understand": ["en remember"] * 2, "extract": [lines, "none"], "over": ending(value)}
    talk = Chat(composed(script))
    talk.say(told)
    answer = talk.say(denial).answer
    assert talk.facts() == {value: False}
    assert answer.count(value) == 1 and ("history" in answer or "过去" in answer)
    talk.say("undo")
    assert talk.facts() == {value: True}


@pytest.mark.parametrize(
    ("told", "correction", "left"),
    [
        (
            ("My kids are Tom and Lena.", ["the user|kids|Tom", "the user|kids|Lena"]),
            ("No, Lena is called Lina.", ["the user|kids|Lina"]),
            {"Tom": True, "Lena": False, "Lina": True},
        ),
        (
            ("我的孩子是小明和小雨。", ["the user|孩子|小明", "the user|孩子|小雨"]),
            ("不对，小雨叫小宇。", ["the user|孩子|小宇"]),
            {"小明": True, "小雨": False, "小宇": True},
        ),
        (
            ("My sister Lena lives in Bergen.", ["the user|sister|Lena", "Lena|lives in|Bergen"]),
            ("No, Lena is called Lina and lives in Oslo.", ["the user|sister|Lina", "Lina|lives in|Oslo"]),
            {"Lena": False, "Bergen": False, "Lina": True, "Oslo": True},
        ),
    ],
)
def test_of_several_the_one_of_another_name_is_put_right(composed, told, correction, left) -> None:
    replies = ["\n".join(lines) for _, lines in (told, correction)]
    wrong = ending(*(value for value, holds in left.items() if not holds))
    talk = Chat(composed({"understand": ["en remember", "en correct"], "extract": replies, "over": wrong}))
    talk.say(told[0])
    talk.say(correction[0])
    assert talk.facts() == left


@pytest.mark.parametrize(
    ("told", "lines", "words", "left"),
    [
        (
            "I live in Oslo, I'm allergic to nuts and I have a dog called Rex.",
            ["the user|lives in|Oslo", "the user|allergic to|nuts", "the user|dog|Rex"],
            ["I live in Oslo", "I'm allergic to nuts", "I have a dog"],
            [{"nuts", "Rex"}, {"Rex"}, set()],
        ),
        (
            "安娜住在奥斯陆。我对花生过敏。",
            ["安娜|住在|奥斯陆", "the user|过敏|花生"],
            ["安娜"],
            [{"花生"}],
        ),
    ],
)
def test_what_a_sentence_says_can_be_forgotten_in_its_words(composed, told, lines, words, left):
    talk = Chat(composed({"understand": ["en remember"], "extract": ["\n".join(lines)]}))
    talk.say(told)
    for request, facts in zip(words, left, strict=True):
        talk.say("Forget it.", f"forget: {request}")
        assert set(talk.facts()) == facts


@pytest.mark.parametrize("words", ["Forget that.", "forget the last thing I said", "把刚才说的忘掉吧"])
def test_forget_that_forgets_what_was_said_last(chat, home: Path, words):
    talk = chat()
    assert talk.event(Remembered).facts == ("the user – sister: Anna", "Anna – lives in: Bergen")
    answered = talk.say(words)
    assert "Anna – lives in: Bergen" in talk.event(Forgot).facts
    assert "2" in answered.answer
    assert "Bergen" not in answered.answer  # it is saved
    assert answered.usage.calls == 0
    assert talk.memory.is_empty()
    for path in (path for path in home.rglob("*") if path.is_file()):
        assert not any(
            text.encode(code) in path.read_bytes() for text in ("Bergen",) for code in ("utf-8", "utf-16-le")
        )
    answered = talk.say("undo")
    assert talk.event(Restored).facts == ("the user – sister: Anna", "Anna – lives in: Bergen")
    assert talk.facts() == {"Anna": True, "Bergen": True}
    assert talk.memory.recall("Where does Anna live?")


def test_the_last_thing_said_is_the_last_note_whatever_was_listed_since(chat):
    talk = chat(understand=["en remember"] * 2, extract=[SISTER, "the user|PIN|4711"])
    talk.say("My PIN is 4711.")
    assert "Bergen" in talk.say("What do you know about Anna?", "recall: Anna").answer
    talk.say("Vergiss, was ich zuletzt gesagt habe.", "forget: last")
    assert talk.facts() == {"Anna": True, "Bergen": True}


@pytest.mark.parametrize("before", ["forget: that", "undo", "forget: last", "forget: my PIN"])
def test_where_the_last_thing_said_is_gone_already_no_other_goes(chat, before):
    talk = chat(understand=["en remember"] * 2, extract=[SISTER, "the user|PIN|4711"])
    talk.say("My PIN is 4711.")
    for means in (before, "forget: last", "forget: last"):
        talk.say("No, please.", means)
        assert talk.facts() == {"Anna": True, "Bergen": True}


@pytest.mark.parametrize("between", ["What is the capital of Peru?", "Write a poem about roses"])
def test_after_something_else_the_last_thing_said_is_no_older_note(chat, between):
    talk = chat(understand=["en remember", "en chat"], answer=["Roses are red."])
    talk.say(between)
    assert "Nothing was forgotten" in talk.say("forget the last thing I said").answer
    assert talk.facts() == {"Anna": True, "Bergen": True}


def test_undo_takes_back_what_was_remembered_and_it_can_be_brought_back(chat):
    talk = chat()
    for _ in range(2):
        talk.say("undo")
        assert talk.memory.is_empty()
        assert talk.event(Forgot).facts == ("Anna – lives in: Bergen", "the user – sister: Anna")
        talk.say("bring it back")
        assert talk.facts() == {"Anna": True, "Bergen": True}
    talk.say("undo")
    assert "nothing to undo" in talk.say("undo", means="undo").answer


@pytest.mark.parametrize(
    "text",
    ["undo that", "Bring it back.", "forget that", "forget what i just said", "yes", "撤销", "恢复", "好的"],
)
def test_where_nothing_was_done_to_memory_a_bare_request_is_for_the_model_to_understand(composed, text):
    assistant = composed({"understand": ["en chat"], "answer": ["So be it."], "asks": [Weights({"no": 1.0})]})
    *_, answered = assistant.reply(Turn(text, "me", "s", datetime(2026, 1, 5)))
    assert answered.answer == "So be it."
    assert assistant.model.transport.requests[0].purpose == "understand"


def test_undo_goes_back_step_by_step(composed):
    lines = [f"the user|likes|{drink}" for drink in ("tea", "milk")]
    talk = Chat(composed({"understand": ["en remember"] * 2, "extract": lines}))
    talk.say("I like tea.")
    talk.say("I like milk.")
    talk.say("forget tea", "forget: tea")
    assert talk.facts() == {"milk": True}
    for left in ({"tea", "milk"}, {"tea"}):
        talk.say("undo")
        assert set(talk.facts()) == left


def test_undo_after_undo_takes_back_the_same_note_and_no_other(composed):
    lines = [f"{name}|likes|{drink}" for name, drink in (("Bob", "tea"), ("Ann", "milk"))]
    talk = Chat(composed({"understand": ["en remember"] * 2, "extract": lines}))
    talk.say("Bob likes tea.")
    talk.say("Ann likes milk.")
    for means, left in (("forget: Ann", {"tea"}), ("undo", {"tea", "milk"}), ("undo", {"tea"}), ("undo", set())):
        talk.say("Please.", means)
        assert set(talk.facts()) == left


def test_a_note_forgotten_elsewhere_is_not_undone_in_place_of_another(composed):
    talk = Chat(composed({"understand": ["en remember"] * 2, "extract": ["none"] * 2}))
    talk.say("Bob likes tea.")
    talk.say("Ann likes milk.")
    talk.memory.forget(source=talk.memory.sources()[-1].id)
    assert "forgotten already" in talk.say("undo").answer
    assert len(talk.memory.sources()) == 1
    talk.say("undo")
    assert talk.memory.is_empty()


def test_restore_brings_back_what_was_forgotten_and_leaves_the_notes_to_undo(composed):
    lines = [f"the user|likes|{drink}" for drink in ("tea", "milk")]
    talk = Chat(composed({"understand": ["en remember"] * 2, "extract": lines}))
    talk.say("I like tea.")
    talk.say("forget tea", "forget: tea")
    talk.say("I like milk.")
    talk.say("restore it", "restore")
    assert talk.facts() == {"tea": True, "milk": True}
    talk.say("undo")
    assert talk.facts() == {"tea": True}


def test_only_what_really_went_is_said_to_be_forgotten(composed):
    talk = Chat(composed({"understand": ["en remember"] * 2, "extract": ["the user|likes|tea"] * 2}))
    talk.say("I like tea.")
    talk.say("I really like tea.")
    assert "fact" not in talk.say("undo").answer.removesuffix("undoes that.")
    assert talk.event(Forgot).facts == ()
    assert talk.facts() == {"tea": True}


def test_a_question_in_between_leaves_undo_what_it_was(chat):
    talk = chat(understand=["en remember", "en ask"], program=["0"] * 4, answer=["UNKNOWN"])
    talk.say("forget Anna", "forget: Anna")
    assert talk.say("Which of its cities is the capital of Kenya?").declined
    talk.say("undo")
    assert talk.facts() == {"Anna": True, "Bergen": True}


def test_another_conversation_has_nothing_to_undo_or_forget(chat):
    talk = chat()
    for means in ("undo", "forget: that"):
        answered = talk.say("Please.", means, session="other")
        assert "nothing to undo or to forget" in answered.answer
        assert "answer" not in answered.usage_by_purpose  # a model might say that it forgot
    assert not talk.memory.is_empty()


def test_forget_that_after_small_talk_forgets_nothing_told_before_it(composed):
    lines = ["the user|locker number|47", "the user|locker number|48"]
    understand, answer = ["en remember", "en chat"], ["Why did the hen …?"]
    replies = {"understand": understand, "answer": answer, "extract": lines, "over": ending("47")}
    talk = Chat(composed(replies))
    talk.say("My locker number is 47.")
    talk.say("Tell me a joke.")
    assert "Nothing was forgotten" in talk.say("Forget that.").answer
    assert talk.facts() == {"47": True}
    talk.say("No, my locker number is 48.", "correct")
    assert talk.facts() == {"47": False, "48": True}
    talk.say("Forget that.")
    assert talk.facts() == {"47": True}


def test_something_of_ones_own_can_be_deleted(composed):
    talk = Chat(composed({"understand": ["en remember"], "extract": ["the user|phone number|555 0199"]}))
    talk.say("My phone number is 555 0199.")
    assert "1 fact" in talk.say("delete my phone number", "forget: my phone number").answer
    assert talk.memory.is_empty()


def test_a_correction_closes_the_older_fact_and_can_be_undone(chat):
    talk = chat(extract=[SISTER, OSLO], update=[ending("Bergen")])
    answered = talk.say("No, she moved to Oslo.", "correct")
    assert answered.route == "remember"
    assert talk.event(Remembered).closed == ("Anna – lives in: Bergen",)
    assert answered.answer.endswith("That is history now:\n- Anna – lives in: Bergen")
    assert talk.facts() == {"Anna": True, "Bergen": False, "Oslo": True}
    talk.say("undo")
    assert talk.facts() == {"Anna": True, "Bergen": True}


def test_what_an_answer_said_can_be_put_right_and_forgotten(chat):
    talk = chat(
        understand=["en remember", "en ask", "en ask"],
        program=['find_entity_or_value(["the user"], ["sister"], ["lives in"])'] * 2,
        answer=["Your sister lives in Bergen [1].", "Your sister lives in Oslo [1]."],
        entailment=[YES] * 2,
        extract=[SISTER, "Anna|lives in|Oslo"],
        update=[ending("Bergen")],
    )
    assert talk.say("Where does my sister live?").answer == "Your sister lives in Bergen [2]."
    talk.say("no, she moved to Oslo", "correct")
    assert talk.facts() == {"Anna": True, "Bergen": False, "Oslo": True}
    talk.say("Where does my sister live?")
    talk.say("forget that")
    assert talk.facts() == {"Anna": True, "Bergen": True}


@pytest.mark.parametrize("about", ["my sister", "sister", "Anna", "anna"])
def test_what_is_known_is_told_with_its_sources_and_in_no_words_of_a_model(chat, about):
    talk = chat()
    answered = talk.say("What do you know of her?", f"recall: {about}")
    assert answered.answer.splitlines() == [
        "- Anna – lives in: Bergen [1]",
        "- the user – sister: Anna [2]",
    ]
    assert (answered.usage.calls, answered.grounded, answered.route) == (1, True, "search")
    assert all(item.text == TOLD and item.url.startswith("memory:fact/") for item in talk.event(Found).evidence)
    talk.say("forget that")
    assert talk.memory.is_empty()


def test_history_is_told_with_its_time(chat):
    talk = chat(extract=[SISTER, OSLO], update=[ending("Bergen")], date=["1 now\n2 now", "1 since 2021"])
    told = talk.say("No, she moved to Oslo in 2021.", "correct").answer
    assert told.endswith("That is history now:\n- Anna – lives in: Bergen (until 1 January 2021)")
    lines = talk.say("What do you know about my sister?", "recall: my sister").answer.splitlines()
    assert any("Oslo (since 2021-01-01)" in line for line in lines)
    assert any("Bergen (until 2021-01-01, no longer so)" in line for line in lines)


def test_what_memory_does_not_know_is_looked_up(chat):
    talk = chat(understand=["en remember", "en ask"], program=["0"] * 4, answer=["UNKNOWN"])
    answered = talk.say("What do you know about Marie Curie?", "recall: Marie Curie")
    assert (answered.route, answered.declined) == ("search", True)


@pytest.mark.parametrize("about", ["my sister", "sister", "Anna"])
def test_a_thing_is_forgotten_by_its_name(chat, about):
    talk = chat(extract=[SISTER])
    talk.memory.add_document("notes.txt", b"The boiler is serviced in May.")
    talk.say("Forget all of that.", f"forget: {about}")
    assert talk.facts() == {}
    assert [source.kind for source in talk.memory.sources()] == ["document"]
    talk.say("undo")
    assert talk.facts() == {"Anna": True, "Bergen": True}


def test_one_fact_is_forgotten_by_what_it_says(chat):
    talk = chat()
    talk.say("forget that my sister lives in Bergen", "forget: my sister lives in Bergen")
    assert "Bergen" not in talk.facts()
    assert "nothing about" in talk.say("forget my knee", "forget: my knee").answer


NURSE = "My sister Anna lives in Oslo and works as a nurse."
NURSES = "the user|sister|Anna\nAnna|lives in|Oslo\nAnna|works as|nurse"


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("Anna works as a nurse", {"Anna", "Oslo"}),
        ("my sister lives in Oslo", {"Anna", "nurse"}),
        ("nurse", {"Anna", "Oslo"}),
    ],
)
def test_of_a_sentence_with_several_facts_the_one_that_is_said_is_forgotten(composed, words, left):
    talk = Chat(composed({"understand": ["en remember"], "extract": [NURSES]}))
    talk.say(NURSE)
    talk.say("Forget it.", f"forget: {words}")
    assert {said for said in talk.facts() if said != NURSE} == left
    talk.say("undo")
    assert talk.memory.source_text(talk.memory.sources()[0].id) == NURSE


def test_a_sentence_that_cannot_lose_what_is_forgotten_is_said_to_stay(composed):
    talk = Chat(composed({"understand": ["en remember"], "extract": ["the user|home|Oslo\nthe user|office|Oslo"]}))
    talk.say("I live and work in Oslo.")
    assert talk.say("forget my home", "forget: my home").answer.endswith("rests on it:\n- the user – office: Oslo")
    assert talk.memory.source_text(talk.memory.sources()[0].id) == "I live and work in Oslo."


def test_words_that_only_begin_alike_are_not_forgotten(composed):
    notes = ["I did an internship at Siemens.", "I have an interview on Friday.", "I like the international school."]
    talk = Chat(composed({"understand": ["en remember"] * 3, "extract": ["none"] * 3}))
    for note in notes:
        talk.say(note)
    talk.say("forget my internships", "forget: my internships")
    assert [talk.memory.source_text(source.id) for source in talk.memory.sources()] == notes[1:]


@pytest.mark.parametrize("relation", ["has sister", "older sister"])
def test_my_sister_is_found_in_whatever_words_she_was_told_of(chat, relation):
    talk = chat(extract=[f"the user|{relation}|Anna\nAnna|lives in|Bergen"])
    assert "Bergen" in talk.say("What do you know about my sister?", "recall: my sister").answer
    talk.say("forget my sister", "forget: my sister")
    assert talk.facts() == {}


def test_my_sister_is_found_in_chinese(composed):
    talk = Chat(composed({"understand": ["en remember"], "extract": ["我|有姐姐|安娜\n安娜|住在|卑尔根"]}))
    talk.say("我有一个姐姐叫安娜。安娜住在卑尔根。")
    assert "卑尔根" in talk.say("关于我姐姐你知道些什么？", "recall: 我姐姐").answer


@pytest.mark.parametrize("about", ["the rent", "Oslo", "会议"])
def test_what_only_a_document_says_is_said_to_stay(composed, about):
    talk = Chat(composed({}))
    text = "Oslo is large. The rent is 800 euros. 会议在周五。"
    talk.memory.add_document("cv.txt", text.encode())
    answer = talk.say("Forget it.", f"forget: {about}").answer
    assert any(said in answer for said in ("Nothing was forgotten", "没有忘记任何内容"))
    assert "cv.txt" in answer
    assert talk.memory.source_text("s1") == text


def test_a_known_name_is_forgotten_in_documents_and_another_word_is_said_to_stay_there(composed):
    lines = ["Quilla Farn|keeps|heron", "锅炉|在|地下室"]
    talk = Chat(composed({"understand": ["en remember"] * 2, "extract": lines}))
    talk.say("Quilla Farn keeps a heron.")
    talk.say("锅炉在地下室。")
    talk.memory.add_document("cv.txt", "Oslo is large. Quilla Farn sings. 锅炉每年检修一次。".encode())
    document = talk.memory.sources()[-1].id
    assert "cv.txt" not in talk.say("forget Quilla Farn", "forget: Quilla Farn").answer
    assert "（cv.txt）" in talk.say("忘记锅炉", "forget: 锅炉").answer
    assert talk.facts() == {}
    assert talk.memory.source_text(document).split() == ["Oslo", "is", "large.", "锅炉每年检修一次。"]
    talk.say("undo")
    talk.say("undo")
    assert "Quilla Farn sings." in talk.memory.source_text(document)


def test_a_name_comes_before_a_document_of_that_name_without_its_ending(chat):
    talk = chat()
    talk.memory.add_document("Anna.txt", b"The boiler is serviced in May.")
    talk.say("forget Anna", "forget: Anna")
    assert talk.facts() == {}
    assert [source.name for source in talk.memory.sources()] == ["Anna.txt"]
    assert "Anna.txt" in talk.say("forget Anna", "forget: Anna").answer  # now it can be nothing else
    assert talk.memory.is_empty()


def test_a_note_without_facts_is_forgotten_too(composed):
    talk = Chat(composed({"understand": ["en remember"], "extract": ["none"]}))
    talk.say("The spare key is below the blue pot.")
    assert talk.memory.recall("spare key")
    talk.say("forget what I said about the spare key", "forget: the spare key")
    assert talk.memory.is_empty()


def test_everything_goes_only_when_it_is_confirmed(chat):
    talk = chat()
    talk.memory.sessions.new("s")
    assert "are sure" in talk.say("forget everything", confirmed=False).answer
    assert not talk.memory.is_empty()
    talk.say("forget everything", confirmed=True)
    assert talk.memory.is_empty()
    assert [info.id for info in talk.memory.sessions.list()] == ["s"]  # the conversation goes on


@pytest.mark.parametrize("text", ["Oublie tout ce que tu sais sur Anna.", "把关于Anna的事都忘掉。"])
def test_everything_about_somebody_is_not_everything(chat, text):
    talk = chat(extract=[SISTER, "the user|lives in|Oslo"])
    talk.say("I live in Oslo.", "remember")
    talk.say(text, "forget: everything")
    assert set(talk.facts()) == {"Oslo"}


def test_everything_about_two_is_what_is_known_of_both(chat):
    talk = chat(extract=[SISTER, "Ben|lives in|Graz\nthe user|lives in|Oslo"])
    talk.say("Ben lives in Graz, I live in Oslo.", "remember")
    talk.say("Oublie tout sur Anna et Ben.", "forget: everything")
    assert set(talk.facts()) == {"Oslo"}


def test_of_a_message_that_an_answer_cites_only_what_the_answer_says_is_spoken_of(chat):
    replies = {"answer": ["You live in Oslo [2]."], "entailment": [YES]}
    talk = chat(extract=[SISTER, "the user|lives in|Oslo\nthe user|job|potter"], **replies)
    talk.say("I live in Oslo and work as a potter.", "remember")
    talk.say("Where do I live?", "own")
    talk.say("Please forget that.", "forget: that")
    assert set(talk.facts()) == {"Anna", "Bergen", "potter"}


@pytest.mark.parametrize("about", ["Anna", "my sister", "cv.txt", "document", "everything"])
def test_what_goes_beyond_the_last_thing_said_is_asked_about_first(chat, about):
    talk = chat()
    talk.memory.add_document("cv.txt", b"Quilla Farn keeps a heron.")
    before = talk.memory.sources()
    answered = talk.say("Vergiss das alles.", f"forget: {about}", confirmed=False)
    assert talk.event(ForgetAsked)
    assert not any(isinstance(event, Forgot) for event in talk.events)
    assert "Bergen" not in answered.answer  # it is saved
    assert talk.memory.sources() == before
    assert set(talk.facts()) == {"Anna", "Bergen"}


def test_what_no_word_of_the_memory_names_is_chosen_by_the_model(chat):
    yes, no = Weights({"yes": 0.9, "no": 0.1}), Weights({"yes": 0.1, "no": 0.9})
    talk = chat(forget=[yes, no] * 2)
    facts = [hit.fact for hit in talk.memory.recall("wo sie wohnt", 24) if hit.fact]
    talk.say("Merk dir nicht länger, wo sie wohnt.", "forget: wo sie wohnt", confirmed=False)
    assert len(talk.event(ForgetAsked).facts) == 1
    talk.say("Merk dir nicht länger, wo sie wohnt.", "forget: wo sie wohnt")
    assert {fact.id for fact in talk.memory.facts()} == {fact.id for fact in facts[1:]}


def test_a_name_that_the_words_of_what_is_to_go_leave_out_counts(composed):
    """A small model takes "tout" for what is to go, and overlooks the end of the message."""

    def about(request):
        what, _, fact = request.messages[-1].content.partition("Fact:")
        return Weights({"yes": 1.0} if "Anna" in fact or "Anna" not in what else {"no": 1.0})

    said = "Oublie tout ce que tu sais sur Anna."
    lines = ["the user|name|Amandine\nthe user|à|Nantes", "Anna|habite à|Brest"]
    talk = Chat(composed({"understand": ["fr remember"] * 2, "extract": lines, "forget": [about] * 9}))
    talk.say("Je suis Amandine, de Nantes.")
    talk.say("Anna habite à Brest.")
    talk.say(said, "forget: tout", confirmed=False)
    assert talk.event(ForgetAsked).facts == ("Anna – habite à: Brest",)
    talk.say(said, "forget: tout")
    assert set(talk.facts()) == {"Amandine", "Nantes"}


@pytest.mark.parametrize("reply", [Weights({"no": 0.6, "yes": 0.4}), "", "I would not know.", "no", '{"label": "no"}'])
def test_where_the_model_chooses_nothing_nothing_goes(chat, reply):
    talk = chat(forget=[reply] * 9)
    assert "nothing about" in talk.say("Forget my knee.", "forget: knee").answer
    assert set(talk.facts()) == {"Anna", "Bergen"}


def test_who_says_yes_to_that_has_it_forgotten(chat):
    talk = chat()
    talk.say("Bitte vergiss Anna.", "forget: Anna", confirmed=False)
    assert talk.event(ForgetAsked).facts == ("Anna – lives in: Bergen", "the user – sister: Anna")
    talk.say("ja, gern", "yes", confirmed=False)
    assert len(talk.event(Forgot).facts) == 2
    assert talk.facts() == {}


def test_the_button_forgets_what_it_stood_under_and_nothing_else(chat):
    talk = chat()
    talk.memory.add_document("cv.txt", b"Quilla Farn keeps a heron.")
    talk.say("forget the document", "forget: document", confirmed=False)
    asked = talk.event(ForgetAsked)
    talk.memory.add_document("new.txt", b"The hive is blue.")
    talk.say("forget the document", agrees="another", confirmed=False)
    assert len(talk.memory.sources()) == 3
    talk.say("forget the document", agrees=asked.id, confirmed=False)  # one press too many went before
    assert len(talk.memory.sources()) == 3
    talk.say("forget the document", "forget: document", confirmed=False)
    talk.say("forget the document", agrees=talk.event(ForgetAsked).id, confirmed=False)
    assert "new.txt" not in {source.name for source in talk.memory.sources()}


def test_the_button_replies_in_the_language_of_what_it_stood_under(chat):
    talk = chat()
    transport = talk.assistant.model.transport
    transport._replies["understand"].insert(0, "de forget: Anna")
    talk.say("Vergiss Anna.", confirmed=False)
    answer = talk.say("Vergiss Anna.", agrees=talk.event(ForgetAsked).id, confirmed=False).answer
    assert reply_language(answer) == "de"


@pytest.mark.parametrize("elsewhere", ["in the chat", "on the page"])
def test_the_words_that_asked_to_forget_go_with_what_was_forgotten_elsewhere(chat, elsewhere):
    talk = chat()
    talk.say("forget my sister Anna", "forget: sister Anna", session="asked", confirmed=False)
    assert "Anna" in str(talk.memory.state.get(ASKED))
    if elsewhere == "in the chat":
        talk.say("forget Anna", "forget: Anna", session="another")
    else:
        talk.memory.forget(entity="Anna")
    assert "Anna" not in str(talk.memory.state.get(ASKED))


def test_what_is_told_is_kept_where_there_is_no_reply_to_it(composed):
    understood = ["en chat", "en chat", "en remember"]
    talk = Chat(composed({"understand": understood, "answer": [ModelUnavailable("Busy.")], "extract": [SISTER]}))
    talk.say(f"Hello there! {TOLD}")
    assert talk.event(Failed).message == "Busy."
    assert talk.facts() == {"Anna": True, "Bergen": True}


def test_what_the_memory_has_nothing_of_is_searched_in_full(composed):
    talk = Chat(composed({"standalone": ["What do you know about Marie Curie?"], "program": [""], "answer": []}))
    said = Message("user", "Who found radium?"), Message("assistant", "Marie Curie did [1].")
    talk.assistant.model.transport._replies["understand"] = ["en recall: her"]
    turn = Turn("And what do you know about her?", "me", "s", datetime(2026, 1, 5), history=said)
    answered = list(talk.assistant.reply(turn))[-1]
    assert answered.question == "What do you know about Marie Curie?"


def test_a_question_about_the_users_own_life_needs_no_program(chat):
    talk = chat(answer=["Your sister lives in Bergen [1]."], entailment=[YES])
    answered = talk.say("Where does my sister live?", "own")
    assert answered.answer == "Your sister lives in Bergen [1]." and answered.grounded
    assert not answered.program and answered.route == "search"


@pytest.mark.parametrize("reply", ["UNKNOWN", ModelUnavailable("Busy.")])
def test_what_is_not_at_hand_is_searched(chat, reply):
    program = 'find_entity_or_value(["Anna"], ["lives in"])'
    talk = chat(answer=[reply, "In Bergen [1]."], program=[program], entailment=[YES])
    answered = talk.say("Where does my sister live?", "own")
    assert answered.program == program and answered.answer == "In Bergen [1]."
    assert len([event for event in talk.events if isinstance(event, Found)]) == 1


def test_a_question_that_is_whole_is_written_out_only_where_nothing_at_hand_answers_it(chat):
    program = 'find_entity_or_value(["Anna"], ["lives in"])'
    talk = chat(answer=["In Bergen [1].", "UNKNOWN", "In Bergen [1]."], program=[program], entailment=[YES] * 2)
    asked = talk.assistant.model.transport.requests
    said = Message("user", "My sister is called Anna."), Message("assistant", "I will remember that.")
    for text, calls in (("Where does my sister live?", 0), ("Where does she live?", 1)):
        talk.assistant.model.transport._replies["understand"] = ["en ask own"]
        list(talk.assistant.reply(Turn(text, "me", "s", datetime(2026, 1, 5), history=said)))
        assert [request.purpose for request in asked].count("standalone") == calls


def test_whoever_says_how_to_search_has_it_searched_so(chat):
    talk = chat(answer=["In Bergen [1]."], program=['find_entity_or_value(["Anna"], ["lives in"])'], entailment=[YES])
    talk.assistant.model.transport._replies["understand"] = ["en own"]
    turn = Turn("Where does my sister live?", "me", "s", datetime(2026, 1, 5), strategy="program")
    assert list(talk.assistant.reply(turn))[-1].program


def test_a_document_that_came_meanwhile_stays(chat):
    talk = chat()
    talk.memory.add_document("cv.txt", b"Quilla Farn keeps a heron.")
    assert "cv.txt" in talk.say("forget the document", "forget: document", confirmed=False).answer
    talk.memory.add_document("new.txt", b"The hive is blue.")
    talk.say("yes", confirmed=False)
    assert {source.name for source in talk.memory.sources()} >= {"new.txt"}
    assert "cv.txt" not in {source.name for source in talk.memory.sources()}


@pytest.mark.parametrize("between", ["chat", "forget: that", "undo"])
def test_a_yes_to_anything_else_forgets_nothing(chat, between):
    talk = chat(answer=["Good."] * 4)
    talk.say("Bitte vergiss Anna.", "forget: Anna", confirmed=False)
    if between == "undo":
        talk.memory.note("Rex barks.", read("Rex barks.", ("Rex", "does", "barking")))
    else:
        talk.say("Lass es.", between, confirmed=False)
    known = talk.facts()
    for _ in range(2):
        if between != "undo":
            talk.say("yes, I do", "yes", confirmed=False)
            assert not any(isinstance(event, Forgot) for event in talk.events)
    assert talk.facts() == known
    assert {"Anna", "Bergen"} <= set(talk.facts())


def test_a_second_yes_forgets_nothing_more(chat):
    talk = chat(answer=["Good."])
    talk.memory.note("Rex barks.", read("Rex barks.", ("Rex", "does", "barking")))
    talk.say("Bitte vergiss Anna.", "forget: Anna", confirmed=False)
    talk.say("ja", "yes", confirmed=False)
    assert set(talk.facts()) == {"barking"}
    assert talk.say("ja", "yes", confirmed=False).answer == "Good."
    assert set(talk.facts()) == {"barking"}


def test_the_receipt_has_all_that_goes(chat):
    talk = chat()
    text = "My locker code is 5519. Marta moved to Rome."
    talk.memory.note(text, read(text, ("Marta", "moved to", "Rome")))
    talk.say("forget my locker code", "forget: locker code", confirmed=False)
    shown = set(talk.event(ForgetAsked).facts)
    talk.say("yes", confirmed=False)
    assert set(talk.event(Forgot).facts) <= shown


def test_of_all_that_was_listed_nothing_goes_unasked(chat):
    talk = chat()
    talk.memory.note("Rex barks.", read("Rex barks.", ("Rex", "does", "barking")))
    talk.say("What do you know about Anna?", "recall: Anna", confirmed=False)
    talk.say("forget that", confirmed=False)
    assert len(talk.event(ForgetAsked).facts) == 2
    assert {"Anna", "Bergen"} <= set(talk.facts())


@pytest.mark.parametrize("about", ["cv.txt", "cv", "the document cv", "document"])
def test_a_document_is_forgotten_by_its_name_or_as_the_latest(composed, about):
    talk = Chat(composed({}))
    talk.memory.add_document("old.txt", b"Oslo is large.")
    talk.memory.add_document("cv.txt", b"Quilla Farn keeps a heron.")
    assert "cv.txt" in talk.say("Forget it.", f"forget: {about}").answer
    assert [source.name for source in talk.memory.sources()] == ["old.txt"]
    talk.say("undo")
    assert [source.name for source in talk.memory.sources()] == ["old.txt", "cv.txt"]


def test_a_half_read_document_that_comes_back_is_read_on(composed):
    talk = Chat(composed({"extract": ["Quilla Farn | keeps | heron"]}))
    talk.memory.add_document("cv.txt", b"Quilla Farn keeps a heron.")
    talk.say("forget cv.txt", "forget: cv.txt")
    talk.assistant.ingestion.start()
    talk.say("undo")
    (source,) = talk.memory.sources()
    assert talk.assistant.ingestion.wait("me", source.id, 30).state == "ready"
    assert "heron" in [fact.object for fact in talk.memory.facts()]


def test_what_was_told_in_a_period_is_forgotten(chat):
    talk = chat()
    talk.memory.add_document("old.txt", b"Oslo is large.")

    def say(text: str, means: str, days: int) -> str:
        at = datetime.now().astimezone() + timedelta(days=days)
        talk.assistant.model.transport._replies["understand"].insert(0, means)
        return list(talk.assistant.reply(Turn(text, "me", "s", at, confirmed=True)))[-1].answer

    assert "told me nothing" in say("forget what I told you yesterday", "en forget: yesterday", days=0)
    assert "2 facts" in say("forget what I told you yesterday", "en forget: yesterday", days=1)
    assert [source.kind for source in talk.memory.sources()] == ["document"]
    say("please undo all of that", "en undo", days=1)
    assert "2条" in say("忘掉我今天说的话", "zh forget: today", days=0)
    say("please undo all of that", "en undo", days=0)
    year = datetime.now().astimezone().year
    assert "told me nothing" in say("forget all of that year", f"en forget: {year - 1}", days=0)
    assert "2 facts" in say("forget all of that year", f"en forget: {year}", days=0)


def test_forget_that_after_an_answer_from_a_document_says_which_says_it(composed):
    talk = Chat(
        composed(
            {
                "understand": ["en ask"],
                "program": ["0"] * 4,
                "answer": ["The rent is 800 euros [1]."],
                "entailment": [YES] * 2,
            }
        )
    )
    talk.memory.add_document("lease.md", b"The rent is 800 euros. Pets need consent.")
    assert "800" in talk.say("What is the rent?").answer
    answered = talk.say("forget that")
    assert "Nothing was forgotten" in answered.answer
    assert "“Forget lease.md”" in answered.answer
    talk.say("forget lease.md", "forget: lease.md")
    assert talk.memory.is_empty()


def test_what_is_not_so_is_put_right(chat):
    talk = chat(extract=[SISTER, "Anna|lives in|Oslo"], update=[ending("Bergen")])
    talk.say("It's Oslo, not Bergen", "correct")
    assert talk.facts() == {"Anna": True, "Bergen": False, "Oslo": True}


def test_all_documents_are_summed_up_together(composed):
    talk = Chat(composed({"answer": ["Apples [1], boats [2]."] * 4}))
    talk.memory.add_document("a.txt", b"Alpha is about apples.")
    talk.memory.add_document("b.txt", b"Beta is about boats.")
    for words in ("sum up all my documents", "总结我上传的所有文件"):
        assert [item.source for item in talk.say(words, "summarise: all").evidence] == ["a.txt", "b.txt"]


def test_the_documents_of_a_period_are_summed_up(composed):
    talk = Chat(composed({"answer": ["Apples [1], boats [2]."] * 2}))

    def say(period: str, days: int = 0) -> Answered:
        at = datetime.now().astimezone() + timedelta(days=days)
        talk.assistant.model.transport._replies["understand"].insert(0, f"en summarise: {period}")
        return list(talk.assistant.reply(Turn("Sum up what came then.", "me", "s", at)))[-1]

    assert "not uploaded" in say("so far").answer
    talk.memory.add_document("a.txt", b"Alpha is about apples.")
    talk.memory.add_document("b.txt", b"Beta is about boats.")
    for period in ("so far", "today"):
        assert [item.source for item in say(period).evidence] == ["a.txt", "b.txt"]
    assert "uploaded nothing then" in say("today", days=1).answer


def test_undoing_the_last_forgetting_leaves_what_was_told_since(composed):
    lines = [f"the user|likes|{drink}" for drink in ("tea", "milk")]
    talk = Chat(composed({"understand": ["en remember"] * 2, "extract": lines}))
    talk.say("I like tea.")
    talk.say("forget tea", "forget: tea")
    talk.say("I like milk.")
    talk.say("undo the last forget", "restore")
    assert set(talk.facts()) == {"tea", "milk"}


def test_a_document_is_summed_up_from_its_passages(composed):
    talk = Chat(composed({"answer": ["Pets need the landlord's consent [1]. The rent is 800 euros [2]."]}))
    assert "not uploaded" in talk.say("summarise what I uploaded", "summarise: latest").answer
    talk.memory.add_document("old.txt", b"Nothing of note.")
    text = "# Pets\n\nPets need the consent of the landlord.\n\n# Rent\n\nThe rent is 800 euros a month."
    talk.memory.add_document("lease.md", text.encode())
    answered = talk.say("summarise what I uploaded", "summarise: latest")
    assert answered.answer == "Pets need the landlord's consent [1]. The rent is 800 euros [2]."
    assert answered.grounded
    assert {item.source for item in answered.evidence} == {"lease.md"}


def test_of_a_long_document_each_part_is_read_and_the_summary_says_that_it_is_in_parts(composed):
    talk = Chat(composed({"answer": ["The pier is of stone [1]."]}))
    parts = [f"# Part {n}\n\n" + f"The pier of part {n} is of stone and it stands. " * 40 for n in range(6)]
    talk.memory.add_document("pier.md", "\n\n".join(parts).encode())
    answered = talk.say("summarise what I uploaded", "summarise: latest")
    assert {item.heading for item in answered.evidence} == {f"Part {n}" for n in range(6)}
    said, _, remark = answered.answer.partition("\n\n")
    assert said == "The pier is of stone [1]." and "pier.md" in remark


def test_a_named_document_is_summed_up_and_nothing_else_is(composed):
    talk = Chat(composed({"program": ["", ""], "answer": ["UNKNOWN", "UNKNOWN"]}))
    talk.memory.add_document("lease.md", b"Pets need the consent of the landlord. The rent is 800 euros.")
    talk.memory.add_document("other.md", b"Nothing of note.")
    assert (
        talk.say("Summarise lease", "summarise: lease").answer == "Pets need the consent of the landlord. [1]"
    )  # the model failed
    assert talk.say("Summarise the novel Emma", "summarise: the novel Emma").route == "search"


def test_users_are_apart(chat):
    talk = chat(understand=["en remember", "en ask"], program=["1"], answer=["UNKNOWN"])
    talk.assistant.model.transport._replies["understand"].insert(0, "en recall: Anna")
    events = list(talk.assistant.reply(Turn("What do you know about Anna?", "other", "s", datetime(2026, 1, 5))))
    assert events[-1].declined
    talk.assistant.model.transport._replies["understand"].insert(0, "en undo")
    assert "nothing to undo" in list(talk.assistant.reply(Turn("undo", "other", "s", datetime(2026, 1, 5))))[-1].answer
