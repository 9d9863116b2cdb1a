"""Facts that cannot hold at once, and what becomes of the older one."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import text as sql

from memory.contradiction import as_state, denies, differ, single
from memory.store import Memory
from memory.types import Extraction, Stored
from memory.user_memory import UserMemory
from tests.memory.samples import back_to, read


@pytest.mark.parametrize(
    ("relation", "wordings"),
    [
        ("lives in", ["moved to", "now lives in", "Lived in", "现在住在", "搬到"]),
        ("works at", ["works for", "former employer", "工作单位", "就职于"]),
        ("married to", ["husband", "ex-wife", "丈夫"]),
        ("phone number", ["new phone number", "my phone number"]),
    ],
)
def test_wordings_of_one_relation(relation: str, wordings: list[str]) -> None:
    assert {single(wording) for wording in wordings} == {single(relation)} != {None}


@pytest.mark.parametrize(
    "relation",
    [
        *("likes", "has child", "sister", "女儿", "allergic to", "plays", "friend", "爱好"),
        *("called", "joined", "works in", "attends", "born in", "hometown", "car", "加入", "出生于", "性格", "上"),
        *("favourite films", "free time"),
    ],
)
def test_most_relations_have_many_values(relation: str) -> None:
    assert single(relation) is None


def test_what_has_happened_tells_what_is(memory: Memory) -> None:
    user = memory.of("eve")
    tell(user, "I moved to Berlin.", "the user", "moved to", "Berlin")
    tell(user, "我搬到了柏林。", "the user", "搬到", "柏林")
    assert [fact.relation for fact in user.facts()] == ["居住地", "lives in"]
    source = user.add_document("a.txt", b"Einstein moved to Berlin.")
    ((passage_id, passage),) = user.passages(source.id)
    stored = user.store(source.id, passage_id, read(passage.text, ("Einstein", "moved to", "Berlin")))
    assert stored.added[0].relation == "moved to"  # and lived in other places since, for all we know


@pytest.mark.parametrize(
    ("relation", "value", "state"),
    [
        ("moved to", "Berlin", "lives in"),
        ("moved to", "the Hague", "lives in"),
        ("moved to", "the marketing department", "moved to"),
        ("moved to", "Mexico city", "lives in"),
        ("moved to", "the Berlin office", "moved to"),
        ("moved to", "Marketing Department", "moved to"),
        ("moved to", "Anna's cellar", "moved to"),
        ("moved to", "A small flat by the sea", "moved to"),
        ("started at", "3M", "works at"),
        ("started at", "Siemens", "works at"),
        ("joined", "a choir", "joined"),
        ("got married to", "my best friend", "married to"),
        ("搬到", "柏林", "居住地"),
        ("搬到", "市场部", "搬到"),
    ],
)
def test_a_relation_is_renamed_only_where_the_object_shows_it(relation: str, value: str, state: str) -> None:
    assert as_state(relation, value, f"I {relation} {value}.", is_user=True, known=()) == state


@pytest.mark.parametrize(
    "text", ["I moved to Marketing.", "i moved to linux", "I moved to GitHub.", "I moved to June."]
)
def test_nobody_lives_in_a_department_a_program_or_a_month(memory: Memory, text: str) -> None:
    user = memory.of("eve")
    tell(user, "I live in Berlin.", "the user", "lives in", "Berlin")
    stored = tell(user, text, "the user", "moved to", text.rpartition(" ")[2].strip("."))
    assert (stored.added[0].relation, stored.closed) == ("moved to", ())


def test_only_people_live_where_they_moved(memory: Memory) -> None:
    user = memory.of("eve")
    relations = {}
    for subject, before in (
        ("The archive", ("is", "big")),
        ("Ann", ("works as", "nurse")),
        ("Bo", ("lives in", "Rome")),
    ):
        tell(user, f"{subject} {' '.join(before)}.", subject, *before)
        text = f"{subject} moved to Oslo."
        relations[subject] = tell(user, text, subject, "moved to", "Oslo").added[0].relation
    assert relations == {"The archive": "moved to", "Ann": "lives in", "Bo": "lives in"}


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("The meeting is on Thursday.|is on|Thursday", "The meeting was moved to Friday.|moved to|Friday"),
        ("The meeting moved to May.|moved to|May", "The meeting moved to June.|was moved to|June"),
        ("会议在周四。|在|周四", "会议改到周五。|改到|周五"),
    ],
)
def test_what_is_moved_to_another_day_is_no_longer_on_the_older_one(memory: Memory, first: str, then: str) -> None:
    user = memory.of("eve")
    for said in (first, then):
        text, relation, day = said.split("|")
        tell(user, text, "meeting", relation, day)
    assert held(user) == {first.split("|")[2]: False, then.split("|")[2]: True}
    assert {fact.relation for fact in user.facts()} == {first.split("|")[1], then.split("|")[1]}


def test_of_two_days_nobody_knows_which_was_moved(memory: Memory) -> None:
    user = memory.of("eve")
    for text, relation, day in (
        ("The choir is on Monday.", "is on", "Monday"),
        ("The choir is on Thursday.", "is on", "Thursday"),
        ("The choir moved to Friday.", "moved to", "Friday"),
    ):
        tell(user, text, "choir", relation, day)
    assert set(held(user).values()) == {True}


def test_a_value_that_says_more_is_no_other() -> None:
    assert differ("Oslo", "Bergen")
    assert not differ("Oslo", "Oslo, Norway")
    assert not differ("oslo", "Oslo")


@pytest.mark.parametrize(
    ("sentence", "value", "not_so"),
    [
        ("My exam is on Friday, not Thursday.", "Thursday", True),
        ("The exam is not on Thursday", "Thursday", True),
        ("考试是周五，不是周四", "周四", True),
        ("My exam is on Thursday, not Friday.", "Thursday", False),
    ],
)
def test_a_denial_is_of_what_follows_it(sentence: str, value: str, not_so: bool) -> None:
    assert denies(sentence, value) is not_so


def tell(user: UserMemory, text: str, *triple: str, corrects: tuple[str, ...] = ()) -> Stored:
    subject, relation, object_ = triple
    return user.note(text, read(text, (subject, relation, object_)), corrects=corrects)[1]


def held(user: UserMemory) -> dict[str, bool]:
    """What is known of each fact's object, and whether it holds."""
    return {fact.object: fact.valid_to is None for fact in user.facts()}


def test_a_contradiction_closes_the_older_fact_and_keeps_it(memory: Memory) -> None:
    user = memory.of("eve")
    tell(user, "I live in Paris.", "the user", "lives in", "Paris")
    before = datetime.now(UTC)
    stored = tell(user, "I moved to Berlin.", "the user", "moved to", "Berlin")
    assert [fact.object for fact in stored.closed] == ["Paris"]
    berlin, paris = user.facts_of(user.find_entities("the user")[0].id)
    assert (berlin.object, berlin.valid_to) == ("Berlin", None)
    assert paris.object == "Paris" and paris.valid_to is not None and before <= paris.valid_to
    hits = [hit.fact.object for hit in user.recall("Where did the user live before?") if hit.fact]
    assert {"Paris", "Berlin"} <= set(hits)
    assert memory.status().agrees


def test_what_is_told_of_the_times_is_kept(memory: Memory) -> None:
    user = memory.of("eve")
    tell(user, "I live in Paris.", "the user", "lives in", "Paris")
    tell(user, "I moved to Berlin in 2021.", "the user", "lives in", "Berlin")
    tell(user, "I lived in Rome from 2001 to 2005.", "the user", "lives in", "Rome")
    times = {fact.object: (fact.valid_from, fact.valid_to) for fact in user.facts()}
    moved = datetime(2021, 1, 1, tzinfo=UTC)
    assert times == {
        "Paris": (None, moved),
        "Berlin": (moved, None),
        "Rome": (datetime(2001, 1, 1, tzinfo=UTC), datetime(2005, 12, 31, tzinfo=UTC)),
    }


def test_what_began_earlier_is_history_when_it_is_told_later(memory: Memory) -> None:
    user = memory.of("eve")
    tell(user, "I moved to Berlin in 2021.", "the user", "lives in", "Berlin")
    stored = tell(user, "I moved to Paris in 2010.", "the user", "lives in", "Paris")
    assert stored.closed == ()
    assert held(user) == {"Berlin": True, "Paris": False}


def test_one_wording_after_another_and_a_time_told_later_are_one_fact(memory: Memory) -> None:
    user = memory.of("eve")
    tell(user, "Ann lives in Oslo.", "Ann", "lives in", "Oslo")
    tell(user, "Ann resides in Oslo.", "Ann", "resides in", "Oslo")
    tell(user, "Ann has been based in Oslo since 2015.", "Ann", "based in", "Oslo")
    tell(user, "Ann has lived in Oslo since 2019.", "Ann", "lives in", "Oslo")
    (fact,) = user.facts()
    assert (fact.relation, fact.valid_from, fact.valid_to) == ("lives in", datetime(2015, 1, 1, tzinfo=UTC), None)
    assert len(user.sources()) == 4


def test_a_date_goes_with_the_note_that_told_it(memory: Memory) -> None:
    user = memory.of("eve")
    tell(user, "I live in Oslo.", "the user", "lives in", "Oslo")
    notes = []
    for text in ("I have lived in Oslo since 2019.", "I have lived in Oslo since 2015."):
        notes.append(user.note(text, read(text, ("the user", "lives in", "Oslo")))[0].id)
    gone = user.forget(source=notes[0], undoable=True)
    assert [fact.valid_from for fact in user.facts()] == [datetime(2015, 1, 1, tzinfo=UTC)]
    user.forget(source=notes[1])
    assert [(fact.object, fact.valid_from) for fact in user.facts()] == [("Oslo", None)]
    user.undo(gone.undo_id)
    assert [fact.valid_from for fact in user.facts()] == [datetime(2019, 1, 1, tzinfo=UTC)]


def test_a_memory_from_before_knows_its_wordings_as_one(open_memory: Callable[..., Memory]) -> None:
    memory = open_memory()
    tell(memory.of("eve"), "Ann resides in Oslo.", "Ann", "resides in", "Oslo")
    with memory._database.transaction() as connection:
        connection.execute(sql("UPDATE facts SET digest = x'00'"))
        back_to(connection, "0008")
    user = open_memory().of("eve")
    assert tell(user, "Ann lives in Oslo.", "Ann", "lives in", "Oslo").added == ()


def test_other_relations_and_other_subjects_close_nothing(memory: Memory) -> None:
    user = memory.of("eve")
    tell(user, "Ann lives in Oslo.", "Ann", "lives in", "Oslo")
    tell(user, "Ann likes tea.", "Ann", "likes", "tea")
    tell(user, "Ann likes coffee.", "Ann", "likes", "coffee")
    tell(user, "Bo lives in Bergen.", "Bo", "lives in", "Bergen")
    tell(user, "Ann lives in Oslo, Norway.", "Ann", "lives in", "Oslo, Norway")
    assert all(held(user).values())


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (("I work at Siemens.", "works at", "Siemens"), ("I joined a choir.", "joined", "a choir")),
        (("I work at Siemens.", "works at", "Siemens"), ("I work at a bar.", "works at", "a bar")),
        (("I work at Siemens.", "works at", "Siemens"), ("I work in marketing.", "works in", "marketing")),
        (("I live in Berlin.", "lives in", "Berlin"), ("I moved to the sales team.", "moved to", "the sales team")),
        (("I live in Berlin.", "lives in", "Berlin"), ("I live in a small flat.", "lives in", "a small flat")),
        (("I called my mother.", "called", "mother"), ("I called Tom.", "called", "Tom")),
        (("I study at MIT.", "studies at", "MIT"), ("I attend yoga.", "attends", "yoga")),
        (("My hometown is Bergen.", "hometown", "Bergen"), ("I was born in Oslo.", "born in", "Oslo")),
        (("My number is 1.", "phone number", "1"), ("I also have a second one, 2.", "phone number", "2")),
        (("我住在柏林。", "住在", "柏林"), ("我搬到市场部了。", "搬到", "市场部")),
        (("My boss is Karl.", "boss", "Karl"), ("My boss is very strict.", "boss", "very strict")),
        (("My boss is Karl.", "boss", "Karl"), ("My boss is on holiday.", "boss", "on holiday")),
        (("my boss is Karl", "boss", "Karl"), ("my boss is strict", "boss", "strict")),
        (("My landlord is Ed.", "landlord", "Ed"), ("My landlord is very nice.", "landlord", "very nice")),
        (("My girlfriend is Lena.", "girlfriend", "Lena"), ("My girlfriend is a doctor.", "girlfriend", "a doctor")),
        (("My wife is Sue.", "wife", "Sue"), ("My wife is a doctor.", "wife", "a doctor")),
        (("我女朋友是小丽。", "女朋友", "小丽"), ("我女朋友是医生。", "女朋友", "医生")),
        (("我老板是王芳。", "老板", "王芳"), ("我老板很严格。", "老板", "很严格")),
        (
            ("My birthday is on 2 June.", "birthday", "2 June"),
            ("For my birthday I want a bike.", "birthday", "a bike"),
        ),
        (("My birthday is on 2 June.", "birthday", "2 June"), ("My birthday is tomorrow.", "birthday", "tomorrow")),
        (("My job is teaching.", "job", "teaching"), ("My job is stressful.", "job", "stressful")),
        (("My job is teaching.", "job", "teaching"), ("My job is in Berlin.", "job", "in Berlin")),
        (("我的工作是教书。", "工作", "教书"), ("我的工作很累。", "工作", "很累")),
        (("I live in Norway.", "lives in", "Norway"), ("I live in Bergen.", "lives in", "Bergen")),
        (("I live in Bergen.", "lives in", "Bergen"), ("I live in Norway.", "lives in", "Norway")),
        (("I live in Oslo.", "lives in", "Oslo"), ("I moved to Norway in 2010.", "lives in", "Norway")),
        (("I live in Norway.", "lives in", "Norway"), ("I live in Europe.", "lives in", "Europe")),
        (("I live in England.", "lives in", "England"), ("I live in the UK.", "lives in", "the UK")),
        (("It is in Paris.", "located in", "Paris"), ("It is in France.", "located in", "France")),
        (("我住在中国。", "住在", "中国"), ("我住在北京。", "住在", "北京")),
        (("I live in Berlin.", "lives in", "Berlin"), ("I moved to Hamburg in 1999 to study.", "moved to", "Hamburg")),
        (
            ("I work at Bosch.", "works at", "Bosch"),
            ("My previous employer was Siemens.", "previous employer", "Siemens"),
        ),
        (("I work at Bosch.", "works at", "Bosch"), ("My previous employer was Siemens.", "works at", "Siemens")),
        (("My boss is Karl.", "boss", "Karl"), ("My former boss Ida lives in Leeds.", "former boss", "Ida")),
        (("My landlord is Ed.", "landlord", "Ed"), ("My old landlord was Bob.", "landlord", "Bob")),
        (("My address is 3 Elm St.", "address", "3 Elm St"), ("My old address was 1 Oak St.", "address", "1 Oak St")),
        (
            ("My phone number is 1.", "phone number", "1"),
            ("My previous phone number was 2.", "previous phone number", "2"),
        ),
        (("我在腾讯工作。", "工作单位", "腾讯"), ("我的前公司是百度。", "公司", "百度")),
        (("我在腾讯工作。", "工作单位", "腾讯"), ("我前公司是百度。", "前公司", "百度")),
        (("我在腾讯工作。", "工作单位", "腾讯"), ("我毕业后在百度工作了三年。", "工作单位", "百度")),
    ],
)
def test_what_may_hold_beside_it_closes_nothing(
    memory: Memory, first: tuple[str, str, str], then: tuple[str, str, str]
) -> None:
    user = memory.of("eve")
    for text, relation, object_ in (first, then):
        tell(user, text, "the user", relation, object_)
    assert held(user) == {first[2]: True, then[2]: True}


@pytest.mark.parametrize(
    "text",
    [
        "I am moving to Rome in March 2099.",
        "I'm going to move to Rome.",
        "I plan to live in Rome.",
        "I will move to Rome next year.",
        "I may move to Rome in 2099.",
        "I am thinking about moving to Rome.",
        "I am not moving to Rome.",
        "我2012年住在Rome。",
        "我打算搬到Rome。",
        "I lived in Rome in 2012.",
    ],
)
@pytest.mark.parametrize("relation", ["lives in", "moves to"])
def test_what_is_to_come_and_what_was_once_closes_nothing(memory: Memory, text: str, relation: str) -> None:
    user = memory.of("eve")
    tell(user, "I live in Oslo.", "the user", "lives in", "Oslo")
    tell(user, text, "the user", relation, "Rome")
    assert held(user) == {"Oslo": True, "Rome": "2012" not in text}
    assert [fact.valid_from for fact in user.facts() if fact.object == "Oslo"] == [None]


def test_what_is_to_come_is_closed_by_nothing_that_holds_now(memory: Memory) -> None:
    user = memory.of("eve")
    tell(user, "I am moving to Rome in March 2099.", "the user", "lives in", "Rome")
    tell(user, "I moved to Bonn in 2020.", "the user", "lives in", "Bonn")
    assert held(user) == {"Rome": True, "Bonn": True}
    assert [fact.valid_from for fact in user.facts() if fact.object == "Rome"] == [datetime(2099, 3, 1, tzinfo=UTC)]


SIEMENS, SUE = "I work at Siemens.|works at|Siemens", "My wife is Sue.|wife|Sue"
NURSE = "I work as a nurse.|works as|nurse"


@pytest.mark.parametrize(
    ("first", "then", "closes"),
    [
        (SIEMENS, "I quit Siemens.|quit|Siemens", True),
        (SIEMENS, "I left Siemens in 2020.|left|Siemens", True),
        (SIEMENS, "I quit my job.|quit|my job", True),
        (SIEMENS, "I quit my job last month.|quit|my job", True),
        (SIEMENS, "I wanted to tell you that I quit my job.|quit|my job", True),
        (NURSE, "I quit my job.|quit|my job", True),
        (NURSE, "I quit Siemens.|quit|Siemens", False),
        (SIEMENS, "I quit my job in 2010.|quit|my job", False),  # perhaps the one before
        (SIEMENS, "I no longer work for Siemens.|no longer works for|Siemens", True),
        (SIEMENS, "I got a job at Bosch.|got a job at|Bosch", True),
        (SIEMENS, "I started a new job at Bosch.|started new job at|Bosch", True),
        (SIEMENS, "我离开了Siemens。|离开|Siemens", True),
        (SIEMENS, "我入职了Bosch。|入职|Bosch", True),
        (SUE, "I divorced Sue.|divorced|Sue", True),
        (SUE, "I am divorced.|marital status|divorced", True),
        (SUE, "I married Kim.|married|Kim", True),
        (SIEMENS, "I quit smoking.|quit|smoking", False),
        (SIEMENS, "I might quit my job.|quit|my job", False),
        (SIEMENS, "I almost quit my job.|quit|my job", False),
        (SIEMENS, "If I quit my job, I will travel.|quit|my job", False),
        (SIEMENS, "I did not get a job at Bosch.|got a job at|Bosch", False),
        (SIEMENS, "I never left Siemens.|left|Siemens", False),
        (SIEMENS, "I start at Bosch on 1 March 2099.|started at|Bosch", False),
        (SIEMENS, "我没有离开Siemens。|离开|Siemens", False),
        (SIEMENS, "I left Siemens early today.|left|Siemens", False),
        (SIEMENS, "I will quit Siemens.|quit|Siemens", False),
        (SIEMENS, "I joined Greenpeace.|joined|Greenpeace", False),
        (SIEMENS, "I left Oslo.|left|Oslo", False),
        (SUE, "I married in May.|married|May", False),
        (SUE, "I divorced Ann in 1999.|divorced|Ann", False),
    ],
)
def test_what_one_says_has_ended_is_closed(memory: Memory, first: str, then: str, closes: bool) -> None:
    user = memory.of("eve")
    for said in (first, then):
        text, relation, object_ = said.split("|")
        stored = tell(user, text, "the user", relation, object_)
    assert [fact.object for fact in stored.closed] == [first.rpartition("|")[2]] * closes
    assert stored.added[0].valid_to is None


def test_of_two_jobs_nobody_knows_which_was_quit(memory: Memory) -> None:
    user = memory.of("eve")
    tell(user, "I work at Siemens.", "the user", "works at", "Siemens")
    tell(user, "I also work at Bosch.", "the user", "works at", "Bosch")
    assert tell(user, "I quit my job.", "the user", "quit", "my job").closed == ()
    assert [fact.object for fact in tell(user, "I quit Bosch.", "the user", "quit", "Bosch").closed] == ["Bosch"]


def test_who_quit_their_job_no_longer_does_it_nor_works_there(memory: Memory) -> None:
    user = memory.of("eve")
    for told in (SIEMENS, NURSE, "I study at MIT.|studies at|MIT"):
        text, relation, object_ = told.split("|")
        tell(user, text, "the user", relation, object_)
    tell(user, "I quit my job yesterday.", "the user", "quit", "my job")
    assert held(user) == {"Siemens": False, "nurse": False, "MIT": True, "my job": True}


def test_what_was_planned_and_is_told_in_the_same_words_as_done_ends_what_it_takes_the_place_of(
    memory: Memory,
) -> None:
    user = memory.of("eve")
    tell(user, "I live in Oslo.", "the user", "lives in", "Oslo")
    tell(user, "I will live in Rome from March 2099 on.", "the user", "lives in", "Rome")
    tell(user, "I hope to live in Rome soon.", "the user", "lives in", "Rome")
    assert held(user) == {"Oslo": True, "Rome": True}
    text = "I moved to Rome."
    note, stored = user.note(text, read(text, ("the user", "lives in", "Rome")))
    assert [fact.object for fact in stored.closed] == ["Oslo"]
    assert {fact.object: fact.valid_from for fact in user.facts()} == {"Oslo": None, "Rome": None}
    tell(user, "I also live in Bonn.", "the user", "lives in", "Bonn")
    text = "I live in Rome."
    again, stored = user.note(text, read(text, ("the user", "lives in", "Rome")))
    assert stored.closed == ()  # as it is known already
    user.forget(source=note.id)
    assert held(user) == {"Oslo": True, "Rome": True, "Bonn": True}
    assert {fact.valid_from for fact in user.facts()} == {None}
    gone = user.forget(source=again.id, undoable=True)  # it is a plan again
    days = {fact.object: fact.valid_from for fact in user.facts()}
    assert days == {"Oslo": None, "Rome": datetime(2099, 3, 1, tzinfo=UTC), "Bonn": None}
    user.undo(gone.undo_id)
    assert {fact.valid_from for fact in user.facts()} == {None}


@pytest.mark.parametrize(
    "text",
    [
        "When I live in Rome, I will buy a boat.",
        "Once I live in Rome, I can swim.",
        "I could live in Rome.",
        "I almost live in Rome.",
        "I am not going to live in Rome.",
        "Can I live in Rome with two dogs?",
    ],
)
def test_a_plan_has_not_come_true_where_that_is_not_told_plainly(memory: Memory, text: str) -> None:
    user = memory.of("eve")
    tell(user, "I live in Oslo.", "the user", "lives in", "Oslo")
    tell(user, "I will live in Rome from March 2099 on.", "the user", "lives in", "Rome")
    assert tell(user, text, "the user", "lives in", "Rome").closed == ()
    assert {fact.object: fact.valid_from for fact in user.facts()}["Rome"] == datetime(2099, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "I used to live in Rome, my sister still lives there.",
        "I lived in Rome with my ex, who is still there.",
        "Maybe I should mention that I live in Rome.",
        "I dream of telling everybody that I live in Rome.",
    ],
)
def test_what_is_so_of_another_or_in_thought_ends_nothing(memory: Memory, text: str) -> None:
    user = memory.of("eve")
    tell(user, "I live in Oslo.", "the user", "lives in", "Oslo")
    assert tell(user, text, "the user", "lives in", "Rome").closed == ()
    assert held(user)["Oslo"]


def test_more_than_ever_before_is_no_past(memory: Memory) -> None:
    user = memory.of("eve")
    tell(user, "I love climbing more than ever before.", "the user", "loves", "climbing")
    assert held(user) == {"climbing": True}


def test_who_left_their_job_still_studies(memory: Memory) -> None:
    user = memory.of("eve")
    tell(user, "I study at MIT.", "the user", "studies at", "MIT")
    tell(user, "I left my job.", "the user", "left", "my job")
    assert held(user)["MIT"]


def test_a_divorce_ends_a_marriage_in_chinese(memory: Memory) -> None:
    user = memory.of("eve")
    tell(user, "我的配偶是王芳。", "the user", "配偶", "王芳")
    tell(user, "我离婚了。", "the user", "婚姻状况", "离婚")
    assert not held(user)["王芳"]


def test_who_came_back_has_not_left(memory: Memory) -> None:
    user = memory.of("eve")
    tell(user, "I have worked at Siemens since 2015.", "the user", "works at", "Siemens")
    assert tell(user, "I quit Siemens in 2010.", "the user", "quit", "Siemens").closed == ()
    assert held(user) == {"Siemens": True}


def test_who_writes_in_small_letters_moves_too(memory: Memory) -> None:
    user = memory.of("eve")
    tell(user, "i live in new york", "the user", "lives in", "new york")
    tell(user, "i moved to a bigger flat", "the user", "moved to", "a bigger flat")
    assert held(user) == {"new york": True, "a bigger flat": True}
    tell(user, "i moved to oslo", "the user", "moved to", "oslo")
    assert held(user) == {"new york": False, "a bigger flat": True, "oslo": True}


def test_half_a_character_in_a_note_costs_that_character_only(memory: Memory) -> None:
    user = memory.of("eve")
    (fact,) = tell(user, "Ann\ud800 lives in Oslo\ud800.", "Ann\ud800", "lives in", "Oslo\ud800").added
    assert (fact.subject, fact.object, fact.text) == ("Ann?", "Oslo?", "Ann? lives in Oslo?.")


def test_one_message_may_name_two_places(memory: Memory) -> None:
    user = memory.of("eve")
    text = "I live in Paris and in Rome."
    user.note(text, read(text, ("the user", "lives in", "Paris"), ("the user", "lives in", "Rome")))
    assert held(user) == {"Paris": True, "Rome": True}
    tell(user, "I live in Oslo.", "the user", "lives in", "Oslo")
    assert held(user) == {"Paris": False, "Rome": False, "Oslo": True}


def test_what_is_denied_holds_no_more(memory: Memory) -> None:
    user = memory.of("eve")
    tell(user, "The exam is on Thursday.", "exam", "is on", "Thursday")
    tell(user, "The exam is on Friday, not Thursday.", "exam", "is on", "Friday")
    assert held(user) == {"Thursday": False, "Friday": True}


def test_what_ended_is_history_and_ends_nothing_else(memory: Memory) -> None:
    user = memory.of("eve")
    tell(user, "I live in Oslo.", "the user", "lives in", "Oslo")
    tell(user, "I used to live in Rome.", "the user", "lives in", "Rome")
    assert held(user) == {"Oslo": True, "Rome": False}
    tell(user, "I no longer live in Oslo.", "the user", "lives in", "Oslo")
    assert set(held(user).values()) == {False}


def test_a_correction_closes_what_was_spoken_of_where_it_has_another_value(memory: Memory) -> None:
    user = memory.of("eve")
    stored = tell(user, "Ann likes tea.", "Ann", "likes", "tea")
    spoken_of = (stored.added[0].id,)
    tell(user, "Actually, Ann also likes milk.", "Ann", "likes", "milk", corrects=spoken_of)
    assert held(user) == {"tea": True, "milk": True}
    tell(user, "No, Ann likes coffee.", "Ann", "likes", "coffee", corrects=spoken_of)
    assert held(user) == {"tea": False, "milk": True, "coffee": True}


def of_two_towns(user: UserMemory, tell_first: str = "Bonn") -> dict[str, str]:
    """Ann is told to live in two towns by documents, which close nothing; the ids of these facts."""
    ids = {}
    for town in sorted(("Bonn", "Oslo"), key=lambda town: town != tell_first):
        source = user.add_document(f"{town}.txt", f"Ann lives in {town}.".encode())
        ((passage_id, passage),) = user.passages(source.id)
        stored = user.store(source.id, passage_id, read(passage.text, ("Ann", "lives in", town)))
        ids[town] = stored.added[0].id
    assert held(user) == {"Bonn": True, "Oslo": True}
    return ids


@pytest.mark.parametrize("first", ["Bonn", "Oslo"])
@pytest.mark.parametrize(("text", "mistaken"), [("No, Ann moved to Oslo.", False), ("No, Ann lives in Oslo.", True)])
def test_a_correction_closes_also_where_it_says_what_is_known(
    memory: Memory, first: str, text: str, mistaken: bool
) -> None:
    user = memory.of("eve")
    ids = of_two_towns(user, first)
    stored = tell(user, text, "Ann", "lives in", "Oslo", corrects=tuple(ids.values()))
    assert ([fact.id for fact in stored.confirmed], [fact.id for fact in stored.closed]) == (
        [ids["Oslo"]],
        [ids["Bonn"]],
    )
    assert held(user) == {"Bonn": False, "Oslo": True}
    assert {fact.object: fact.mistaken for fact in user.facts()} == {"Bonn": mistaken, "Oslo": False}


def test_a_correction_closes_what_was_told_of_one_that_was_merged(memory: Memory) -> None:
    user = memory.of("eve")
    bonn = tell(user, "Bo lives in Bonn.", "Bo", "lives in", "Bonn").added[0]
    tell(user, "Cy lives in Oslo.", "Cy", "lives in", "Oslo")
    bo, cy = (user.find_entities(name)[0].id for name in ("Bo", "Cy"))
    merge_id = user.merge(bo, cy)
    tell(user, "Cy moved to Oslo.", "Cy", "lives in", "Oslo", corrects=(bonn.id,))
    assert held(user) == {"Bonn": False, "Oslo": True}
    user.unmerge(merge_id)
    assert held(user) == {"Bonn": True, "Oslo": True}


def test_what_a_correction_closed_by_what_was_known_is_open_again_without_it(memory: Memory, tmp_path: Path) -> None:
    user = memory.of("eve")
    ids = tuple(of_two_towns(user).values())
    text = "No, Ann lives in Oslo."
    note = user.note(text, read(text, ("Ann", "lives in", "Oslo")), corrects=ids)[0]
    gone = user.forget(source=note.id, undoable=True)
    assert held(user) == {"Bonn": True, "Oslo": True}
    user.undo(gone.undo_id)
    assert held(user) == {"Bonn": False, "Oslo": True}
    user.export(tmp_path / "a.jsonld")
    other = memory.of("bob")
    other.import_(tmp_path / "a.jsonld")
    other.export(tmp_path / "b.jsonld")
    assert (tmp_path / "a.jsonld").read_bytes() == (tmp_path / "b.jsonld").read_bytes()
    (copied,) = (source.id for source in other.sources() if source.kind == "chat")
    other.forget(source=copied)
    assert held(other) == {"Bonn": True, "Oslo": True}


def test_what_it_closed_stays_closed_by_what_came_after(memory: Memory) -> None:
    user = memory.of("eve")
    ids = tuple(of_two_towns(user).values())
    text = "No, Ann moved to Oslo."
    note = user.note(text, read(text, ("Ann", "lives in", "Oslo")), corrects=ids)[0]
    rome = tell(user, "Ann lives in Rome.", "Ann", "lives in", "Rome").added[0]
    user.forget(source=note.id)
    assert held(user) == {"Bonn": False, "Oslo": False, "Rome": True}
    user.forget(facts=[rome.id])
    assert held(user) == {"Bonn": True, "Oslo": True}


def test_said_again_what_is_known_closes_nothing_that_was_told_beside_it(memory: Memory) -> None:
    user = memory.of("eve")
    oslo = tell(user, "I live in Oslo.", "the user", "lives in", "Oslo").added[0]
    tell(user, "I also live in Bonn.", "the user", "lives in", "Bonn")
    job = tell(user, "My job is sales.", "the user", "job", "sales").added[0]
    for text, corrects in (
        ("I live in Oslo.", ()),
        ("When I moved to Oslo, I was new there.", ()),
        ("No, I also live in Oslo.", (oslo.id,)),
        ("No, my job is law, and I live in Oslo.", (job.id,)),
    ):
        assert tell(user, text, "the user", "lives in", "Oslo", corrects=corrects).closed == ()
    source = user.add_document("old.txt", b"The user moved to Oslo, not to Bonn.")
    ((passage_id, passage),) = user.passages(source.id)
    assert user.store(source.id, passage_id, read(passage.text, ("the user", "lives in", "Oslo"))).closed == ()
    assert set(held(user).values()) == {True}
    tell(user, "I live in Oslo, not in Bonn.", "the user", "lives in", "Oslo")
    assert held(user) == {"Oslo": True, "Bonn": False, "sales": True}


def test_said_again_with_an_earlier_day_it_closes_nothing_that_began_later(memory: Memory) -> None:
    user = memory.of("eve")
    oslo = tell(user, "I live in Oslo.", "the user", "lives in", "Oslo").added[0]
    bonn = tell(user, "I also have lived in Bonn since 2019.", "the user", "lives in", "Bonn").added[0]
    stored = tell(user, "No, I moved to Oslo in 2010.", "the user", "lives in", "Oslo", corrects=(oslo.id, bonn.id))
    assert stored.closed == ()
    assert held(user) == {"Oslo": True, "Bonn": True}


def test_what_is_brought_back_holds_where_what_closed_it_was_forgotten_meanwhile(memory: Memory) -> None:
    user = memory.of("eve")
    notes = {}
    for town in ("Paris", "Berlin", "Oslo"):
        text = f"I live in {town}."
        notes[town] = user.note(text, read(text, ("the user", "lives in", town)))[0].id
    gone = user.forget(source=notes["Paris"], undoable=True)
    user.forget(source=notes["Berlin"])
    (paris,) = user.undo(gone.undo_id)
    assert held(user) == {"Paris": False, "Oslo": True}
    gone = user.forget(facts=[paris.id], undoable=True)
    user.forget(source=notes["Oslo"])
    user.undo(gone.undo_id)
    assert held(user) == {"Paris": True}


@pytest.mark.parametrize(
    ("spoken_of", "then"),
    [
        (("I live in Oslo.", "lives in", "Oslo"), ("I work at Acme, not at Bosch.", "works at", "Acme")),
        (("I work at Acme.", "works at", "Acme"), ("Actually, my phone number is 555.", "phone number", "555")),
    ],
)
def test_a_correction_of_something_else_leaves_what_was_spoken_of(
    memory: Memory, spoken_of: tuple[str, str, str], then: tuple[str, str, str]
) -> None:
    user = memory.of("eve")
    text, relation, object_ = spoken_of
    stored = tell(user, text, "the user", relation, object_)
    told, relation, object_ = then
    tell(user, told, "the user", relation, object_, corrects=(stored.added[0].id,))
    assert set(held(user).values()) == {True}


def test_a_mistake_that_is_put_right_was_never_so(memory: Memory, tmp_path: Path) -> None:
    user = memory.of("eve")
    oslo = tell(user, "Ann lives in Oslo.", "Ann", "lives in", "Oslo").added[0]
    rome = tell(user, "No, that's wrong, she lives in Rome.", "Ann", "lives in", "Rome", corrects=(oslo.id,)).added[0]
    bonn = tell(user, "No, she moved to Bonn.", "Ann", "moved to", "Bonn", corrects=(rome.id,)).added[0]
    assert {fact.object: fact.mistaken for fact in user.facts()} == {"Oslo": True, "Rome": False, "Bonn": False}
    user.export(tmp_path / "a.jsonld")
    memory.of("bob").import_(tmp_path / "a.jsonld")
    memory.of("bob").export(tmp_path / "b.jsonld")
    assert (tmp_path / "a.jsonld").read_bytes() == (tmp_path / "b.jsonld").read_bytes()
    user.forget(facts=[rome.id, bonn.id])
    assert held(user) == {"Oslo": True}


def test_a_correction_of_one_of_several_closes_none(memory: Memory) -> None:
    user = memory.of("eve")
    text = "Ann likes tea and milk."
    _, stored = user.note(text, read(text, ("Ann", "likes", "tea"), ("Ann", "likes", "milk")))
    spoken_of = tuple(fact.id for fact in stored.added)
    tell(user, "No, Ann likes coffee.", "Ann", "likes", "coffee", corrects=spoken_of)
    assert held(user) == {"tea": True, "milk": True, "coffee": True}
    tell(user, "No, Ann likes juice, not milk.", "Ann", "likes", "juice", corrects=spoken_of)
    assert held(user) == {"tea": True, "milk": False, "coffee": True, "juice": True}


def test_a_document_closes_only_what_it_says_has_changed(memory: Memory) -> None:
    user = memory.of("eve")
    tell(user, "Ann lives in Oslo.", "Ann", "lives in", "Oslo")
    for name, text, holds in (
        ("a.txt", "Ann lives in Rome.", {"Oslo": True, "Rome": True}),
        ("b.txt", "Ann moved to Turin.", {"Oslo": True, "Rome": True, "Turin": True}),
        ("c.txt", "Ann now lives in Bonn.", {"Oslo": False, "Rome": False, "Turin": False, "Bonn": True}),
    ):
        source = user.add_document(name, text.encode())
        ((passage_id, passage),) = user.passages(source.id)
        user.store(source.id, passage_id, read(passage.text, ("Ann", "lives in", text.rpartition(" ")[2].strip("."))))
        assert held(user) == holds


def test_the_older_fact_holds_again_when_the_newer_one_is_forgotten(memory: Memory) -> None:
    user = memory.of("eve")
    sources = [
        user.note(f"I live in {town}.", read(f"I live in {town}.", ("the user", "lives in", town)))[0].id
        for town in ("Paris", "Berlin", "Oslo")
    ]
    user.forget(source=sources[1])
    assert held(user) == {"Paris": False, "Oslo": True}
    user.forget(source=sources[2])
    assert held(user) == {"Paris": True}


def test_said_again_it_is_a_fact_of_its_own_and_the_old_one_stays_history(memory: Memory) -> None:
    user = memory.of("eve")
    sources = [
        user.note(f"I live in {town}.", read(f"I live in {town}.", ("the user", "lives in", town)))[0].id
        for town in ("Paris", "Berlin", "Paris")
    ]
    assert [(fact.object, fact.valid_to is None) for fact in user.facts()] == [
        ("Paris", True),
        ("Berlin", False),
        ("Paris", False),
    ]
    user.forget(source=sources[1])
    assert [fact.valid_to is None for fact in user.facts()] == [True, False]
    user.forget(source=sources[2])
    assert held(user) == {"Paris": True}


def test_history_moves_along(open_memory: Callable[..., Memory], tmp_path: Path) -> None:
    memory = open_memory()
    eve, bob = memory.of("eve"), memory.of("bob")
    for town in ("Paris", "Berlin"):
        tell(eve, f"I live in {town}.", "the user", "lives in", town)
    eve.export(tmp_path / "a.jsonld")
    bob.import_(tmp_path / "a.jsonld")
    bob.export(tmp_path / "b.jsonld")
    assert (tmp_path / "a.jsonld").read_bytes() == (tmp_path / "b.jsonld").read_bytes()
    bob.forget(facts=[fact.id for fact in bob.facts() if fact.object == "Berlin"])
    assert held(bob) == {"Paris": True}
    bob.import_(tmp_path / "a.jsonld")
    assert held(bob) == {"Paris": False, "Berlin": True}
    assert bob.import_(tmp_path / "a.jsonld") == 0


def test_what_is_brought_back_is_closed_by_what_was_told_meanwhile(memory: Memory) -> None:
    user = memory.of("eve")
    oslo = tell(user, "Ann lives in Oslo.", "Ann", "lives in", "Oslo").added[0]
    gone = user.forget(facts=[oslo.id], undoable=True)
    rome = tell(user, "Ann lives in Rome.", "Ann", "lives in", "Rome").added[0]
    (again,) = user.undo(gone.undo_id)
    assert again.valid_to == rome.learned
    assert held(user) == {"Oslo": False, "Rome": True}
    user.forget(facts=[rome.id])
    assert held(user) == {"Oslo": True}


def test_what_is_brought_back_has_ended_where_that_was_told_meanwhile(memory: Memory) -> None:
    user = memory.of("eve")
    oslo = tell(user, "I live in Oslo.", "the user", "lives in", "Oslo").added[0]
    gone = user.forget(facts=[oslo.id], undoable=True)
    ended = tell(user, "I no longer live in Oslo.", "the user", "lives in", "Oslo").added[0]
    (again,) = user.undo(gone.undo_id)
    assert again.valid_to == ended.valid_to is not None
    assert set(held(user).values()) == {False}


@pytest.mark.parametrize("towns", [("Oslo", "Rome"), ("Rome", "Oslo")])
def test_of_what_is_imported_and_what_was_there_the_later_holds(
    memory: Memory, tmp_path: Path, towns: tuple[str, str]
) -> None:
    bob, eve = memory.of("bob"), memory.of("eve")
    for town in towns:
        user = bob if town == "Oslo" else eve
        tell(user, "Ann likes tea.", "Ann", "likes", "tea")
        tell(user, f"Ann lives in {town}.", "Ann", "lives in", town)
    bob.export(tmp_path / "bob.jsonld")
    assert eve.import_(tmp_path / "bob.jsonld") == 1
    assert held(eve) == {"tea": True, towns[0]: False, towns[1]: True}


@pytest.mark.parametrize(
    ("relation", "value"),
    [
        ("left keys at", "Siemens"),
        ("quit smoking at", "Siemens"),
        ("left", "Siemens stock"),
        ("left", "the Siemens bus"),
    ],
)
def test_what_only_begins_like_an_end_ends_nothing(memory, relation: str, value: str) -> None:
    user = memory.of("eve")
    user.note("I work at Siemens.", read("I work at Siemens.", ("the user", "works at", "Siemens")))
    told = f"I {relation} {value}."
    user.note(told, read(told, ("the user", relation, value)))
    assert [fact.valid_to for fact in user.facts() if fact.relation == "works at"] == [None]
    told = "I left Siemens."
    user.note(told, read(told, ("the user", "left", "Siemens")))
    assert [fact.valid_to is None for fact in user.facts() if fact.relation == "works at"] == [False]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("My boss is Karl.|boss|Karl", "My boss is Ida.|boss|Ida"),
        ("My wife is Sue.|wife|Sue", "My wife is Kim.|wife|Kim"),
        ("我女朋友是小丽。|女朋友|小丽", "我女朋友是小红。|女朋友|小红"),
        ("My job is teaching.|job|teaching", "My job is law.|job|law"),
        ("My birthday is 2 June.|birthday|2 June", "My birthday is 3 June.|birthday|3 June"),
        ("I live in Berlin.|lives in|Berlin", "I moved to France.|moved to|France"),
        ("I live in Norway.|lives in|Norway", "I live in Spain.|lives in|Spain"),
        ("我住在北京。|住在|北京", "我搬到新加坡了。|搬到|新加坡"),
        ("我住在北京。|住在|北京", "我住在新加坡。|住在|新加坡"),
        ("I live in Berlin.|lives in|Berlin", "I have lived in Hamburg since 1999.|lives in|Hamburg"),
        ("I work at Bosch.|works at|Bosch", "I now work at Acme, my previous employer was Siemens.|works at|Acme"),
    ],
)
def test_what_takes_the_place_of_another_still_ends_it(memory: Memory, first: str, then: str) -> None:
    user = memory.of("eve")
    for said in (first, then):
        text, relation, value = said.split("|")
        tell(user, text, "the user", relation, value)
    assert held(user) == {first.split("|")[2]: False, then.split("|")[2]: True}


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I work at Bosch.|works at|Bosch", "I worked at Siemens for five years before I moved.|worked at|Siemens"),
        ("I am a baker.|job|baker", "I was a nurse for ten years.|job|nurse"),
        ("I live in Berlin.|lives in|Berlin", "I was living in Paris when I met Tom.|lives in|Paris"),
        ("我在腾讯工作。|工作单位|腾讯", "我在百度工作过三年。|工作单位|百度"),
        ("我住在北京。|住在|北京", "我小时候住在成都。|住在|成都"),
    ],
)
def test_what_was_once_is_history_and_ends_nothing(memory: Memory, first: str, then: str) -> None:
    user = memory.of("eve")
    for said in (first, then):
        text, relation, value = said.split("|")
        tell(user, text, "the user", relation, value)
    assert held(user) == {first.split("|")[2]: True, then.split("|")[2]: False}


def test_who_is_an_ex_is_no_more_what_they_were(memory: Memory) -> None:
    user = memory.of("eve")
    tell(user, "My wife is Sue.", "the user", "wife", "Sue")
    tell(user, "My ex-wife Sue lives in Leeds.", "the user", "ex-wife", "Sue")
    assert {fact.relation: fact.valid_to is None for fact in user.facts()} == {"wife": False, "ex-wife": True}
    tell(user, "My wife is Kim.", "the user", "wife", "Kim")
    assert {fact.relation for fact in user.facts() if fact.valid_to is None} == {"wife", "ex-wife"}


@pytest.mark.parametrize(
    ("first", "text", "relation", "value"),
    [
        ("Bergen", "In 1995 Anna moved to Paris to study medicine.", "moved to", "Paris"),
        ("Bergen", "Anna lived in Rome for three years before she moved to Oslo.", "moved to", "Oslo"),
        ("Bergen", "In 1995 Anna moved to her new home in Paris.", "lives in", "Paris"),
        ("Leeds", "Anna lives in New York.", "lives in", "New York"),
        ("Leeds", "Anna, who loves New York, lives in Bath.", "lives in", "Bath"),
        ("北京", "Anna住在新加坡。", "住在", "新加坡"),
        ("北京", "Anna毕业后搬到上海，换了专业。", "住在", "上海"),
        ("北京", "新闻：Anna住在上海。", "住在", "上海"),
    ],
)
def test_an_old_story_in_a_document_ends_nothing(
    memory: Memory, first: str, text: str, relation: str, value: str
) -> None:
    user = memory.of("eve")
    tell(user, f"My friend Anna lives in {first}.", "Anna", "lives in", first)
    assert store(user, text, "Anna", relation, value).closed == ()
    assert held(user)[first]


def test_nor_does_one_of_a_job(memory: Memory) -> None:
    user = memory.of("eve")
    tell(user, "Anna works at Bosch.", "Anna", "works at", "Bosch")
    text = "Anna worked at Siemens in Munich and became head of sales."
    assert store(user, text, "Anna", "works at", "Siemens").closed == ()


@pytest.mark.parametrize(
    "text",
    ["Anna now lives in Oslo.", "Anna has moved to Oslo.", "Anna's new home is Oslo.", "Anna现在住在Oslo。"],
)
def test_a_document_that_speaks_of_the_present_ends_what_was_before(memory: Memory, text: str) -> None:
    user = memory.of("eve")
    tell(user, "My friend Anna lives in Bergen.", "Anna", "lives in", "Bergen")
    store(user, text, "Anna", "lives in", "Oslo")
    assert held(user) == {"Bergen": False, "Oslo": True}


def store(user: UserMemory, text: str, *triple: str) -> Stored:
    source = user.add_document("a.txt", text.encode())
    ((passage_id, passage),) = user.passages(source.id)
    subject, relation, object_ = triple
    return user.store(source.id, passage_id, read(passage.text, (subject, relation, object_)))


def test_a_name_that_has_new_in_it_tells_no_change(memory: Memory) -> None:
    user = memory.of("eve")
    leeds = tell(user, "Tom lives in Leeds.", "Tom", "lives in", "Leeds").added[0]
    tell(user, "No, Tom lives in New York.", "Tom", "lives in", "New York", corrects=(leeds.id,))
    assert {fact.object: fact.mistaken for fact in user.facts()} == {"Leeds": True, "New York": False}


@pytest.mark.parametrize(
    ("first", "then", "closes"),
    [
        ("the user|brother|Tom", "Actually my brother Ben lives in York.|the user|brother|Ben", False),
        ("the user|likes|tea", "Actually, I like coffee more than tea.|the user|likes|coffee", False),
        ("the user|喜欢|茶", "其实我更喜欢咖啡。|the user|喜欢|咖啡", False),
        ("the user|brother|Tom", "No, my brother is Ben.|the user|brother|Ben", True),
        ("the user|cat|Mia", "Actually, it is called Max.|the user|cat|Max", True),
        ("the user|likes|tea", "Sorry, I meant coffee.|the user|likes|coffee", True),
        ("the user|likes|tea", "Actually, I like coffee, not tea.|the user|likes|coffee", True),
        ("the user|喜欢|茶", "不对，我喜欢咖啡。|the user|喜欢|咖啡", True),
    ],
)
def test_of_several_values_one_more_puts_right_only_what_it_rejects(
    memory: Memory, first: str, then: str, closes: bool
) -> None:
    user = memory.of("eve")
    spoken_of = tell(user, first.replace("|", " "), *first.split("|")).added[0]
    text, *triple = then.split("|")
    assert len(tell(user, text, *triple, corrects=(spoken_of.id,)).closed) == closes


@pytest.mark.parametrize(
    ("known", "denial", "text"),
    [
        ("allergic to", "allergic to", "Actually, I'm not allergic to X."),
        ("lives in", "lives in", "No, I don't live in X."),
        ("lives in", "lives in", "I don't live in X now."),
        ("likes", "like", "I don't like X."),
        ("住在", "居住地", "我不住在X了。"),
    ],
)
@pytest.mark.parametrize("put_right", [True, False])
def test_what_the_user_denies_holds_no_more(
    memory: Memory, known: str, denial: str, text: str, put_right: bool
) -> None:
    user = memory.of("eve")
    told = f"I {known} X."
    fact = tell(user, told, "the user", known, "X").added[0]
    corrects = (fact.id,) if put_right else ()
    stored = user.note(text, denied(text, "the user", denial, "X"), corrects=corrects)[1]
    assert [one.id for one in stored.closed] == [fact.id]
    assert {one.valid_to is None for one in user.facts()} == {False}
    assert {one.mistaken for one in user.facts()} == {put_right and not text.endswith(("了。", "now."))}
    assert tell(user, told, "the user", known, "X").added  # and may be so again
    assert [one.valid_to for one in user.facts()].count(None) == 1


def test_a_denial_that_is_forgotten_denies_nothing(memory: Memory) -> None:
    user = memory.of("eve")
    tell(user, "I live in Rome.", "the user", "lives in", "Rome")
    note = user.note("I don't live in Rome.", denied("I don't live in Rome.", "the user", "lives in", "Rome"))[0]
    assert held(user) == {"Rome": False}
    user.forget(source=note.id)
    assert held(user) == {"Rome": True}


@pytest.mark.parametrize("corrects", [False, True])
def test_a_denial_comes_back_by_an_import_and_can_be_forgotten_there(memory: Memory, tmp_path, corrects) -> None:
    eve, bob = memory.of("eve"), memory.of("bob")
    for said in ("likes", "like"):
        tell(eve, f"I {said} tea.", "the user", said, "tea")
    ids = [fact.id for fact in eve.facts()] if corrects else []
    eve.note("I don't like tea.", denied("I don't like tea.", "the user", "likes", "tea"), corrects=ids)
    eve.export(tmp_path / "eve.jsonld")
    bob.import_(tmp_path / "eve.jsonld")
    assert bob.import_(tmp_path / "eve.jsonld") == 0
    bob.export(tmp_path / "bob.jsonld")
    assert (tmp_path / "eve.jsonld").read_bytes() == (tmp_path / "bob.jsonld").read_bytes()
    bob.forget(source=bob.sources()[-1].id)
    eve.forget(source=eve.sources()[-1].id)
    assert held(bob) == held(eve)
    for user in (eve, bob):
        user.forget(facts=[fact.id for fact in user.facts()])
        assert user.facts() == []


@pytest.mark.parametrize(
    ("known", "relation", "text"),
    [
        ("allergic to", "not allergic to", "I'm not allergic to X."),
        ("likes", "doesn't like", "I don't like X."),
        ("住在", "不住在", "我不住在X了。"),
    ],
)
def test_a_relation_may_deny_what_is_known(memory: Memory, known: str, relation: str, text: str) -> None:
    user = memory.of("eve")
    tell(user, f"I {known} X.", "the user", known, "X")
    tell(user, text, "the user", relation, "X")
    assert {(fact.relation, fact.valid_to is None) for fact in user.facts()} == {(known, False)}


def test_a_relation_that_denies_what_nobody_told_is_one_like_others(memory: Memory) -> None:
    user = memory.of("eve")
    tell(user, "I don't like tea.", "the user", "doesn't like", "tea")
    assert {(fact.relation, fact.valid_to) for fact in user.facts()} == {("doesn't like", None)}


def test_what_is_denied_and_was_never_told_is_dropped(memory: Memory) -> None:
    user = memory.of("eve")
    tell(user, "I live in Oslo.", "the user", "lives in", "Oslo")
    for subject in ("the user", "Ann"):
        text = f"{subject} does not live in Rome."
        stored = user.note(text, denied(text, subject, "lives in", "Rome"))[1]
        assert (stored.added, stored.closed, stored.dropped) == ((), (), 1)
    assert held(user) == {"Oslo": True}
    assert user.find_entities("Ann") == []


def denied(text: str, *triple: str) -> Extraction:
    subject, relation, object_ = triple
    said = read(text, (subject, relation, object_))
    return replace(said, statements=tuple(replace(one, denied=True) for one in said.statements))


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (("I live in Norway.", "lives in", "Norway"), ("I moved to Berlin.", "moved to", "Berlin")),
        (("I live in Norway.", "lives in", "Norway"), ("I moved to England.", "moved to", "England")),
        (("我住在挪威。", "住在", "挪威"), ("我搬到柏林了。", "搬到", "柏林")),
    ],
)
def test_a_town_of_another_country_closes_that_one(
    memory: Memory, first: tuple[str, str, str], then: tuple[str, str, str]
) -> None:
    user = memory.of("eve")
    for text, relation, object_ in (first, then):
        tell(user, text, "the user", relation, object_)
    assert held(user) == {first[2]: False, then[2]: True}
