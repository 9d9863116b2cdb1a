"""A user's documents as a knowledge base."""

from contextlib import closing
from datetime import UTC, datetime
from typing import Any

import pytest

from assistant.answering.composing import composed
from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.documents import Documents
from assistant.knowledge_bases.functions import KnowledgeFunctions
from assistant.knowledge_bases.relations import RelationRanker
from assistant.search.evidence import numbered
from assistant.search.programs.sandbox import Sandbox
from assistant.types import Turn
from memory.store import Memory
from memory.user_memory import UserMemory
from tests.assistant.knowledge_bases.contract import Case, KnowledgeBaseContract, TriplesContract
from tests.memory.formats.written import pages_of_pdf
from tests.memory.samples import WordEmbedder, read, spoken, talk_of

PIER = """---
title: The pier, a history
author: Odile Marchetti
date: 2026-01-09
tags: [harbour, storms]
---

# The pier, a history

## 1 Stone

It was built of granite.

## 2 Storms

The storm of 1953 took the lamp.
"""
MARSH = "---\nauthor: Odile Marchetti\ntags: [birds, storms]\n---\n\n# Marsh diary\n\n## May\n\nThe terns are back.\n"
OLD = "# Berth rules\n\n## 1 Fee\n\nPay in May. A berth costs 300 euros.\n\n## 2 Dogs\n\nDogs are allowed.\n"
NEW = OLD.replace("300", "340") + "\n## 3 Sauna\n\nIt is shut.\n"


@pytest.fixture
def user(memory: Memory) -> UserMemory:
    user = memory.of("ana")
    for name, text in {"pier.md": PIER, "marsh_diary.md": MARSH, "rules-old.md": OLD, "rules-new.md": NEW}.items():
        user.add_document(name, text.encode())
    user.add_document("log.pdf", pages_of_pdf(["The mast broke.", "The mast was mended.", "We sailed home."]))
    return user


class TestContract(KnowledgeBaseContract, TriplesContract):
    @pytest.fixture
    def case(self, user: UserMemory) -> Case:
        return Case(Documents(user), known="marsh diary", question="Who wrote the marsh diary?")


def run(user: UserMemory, program: str, question: str = "") -> Any:
    ranker = RelationRanker(WordEmbedder())
    documents = Documents(user).asked(question)
    functions = KnowledgeFunctions(documents, ranker, question, Deadline.after(60), lambda event: None)
    with closing(Sandbox()) as sandbox:
        outcome = sandbox.run(program, functions.by_name(), {})
    assert not outcome.error
    return outcome.value, functions.record.evidence


@pytest.mark.parametrize(
    ("program", "comes_to"),
    [
        ('len(find_entity_or_value(["documents"], ["rows"]))', 5),
        ('find_entity_or_value(["pier"], ["author"])', ["Odile Marchetti"]),
        ('find_entity_or_value(["The pier, a history"], ["date"])', ["2026-01-09"]),
        ('find_entity_or_value(["Odile Marchetti"], ["author of"])', ["pier.md", "marsh_diary.md"]),
        ('find_entity_or_value(["birds"], ["tags of"])', ["marsh_diary.md"]),
        ('find_entity_or_value(["log.pdf"], ["pages"])', ["3"]),
        ('find_entity_or_value(["pier"], ["chapter 2"])', ["The storm of 1953 took the lamp."]),
        ('find_entity_or_value(["marsh diary"], ["May"])', ["The terns are back."]),
        ('find_entity_or_value(["log"], ["page 2"])', ["The mast was mended."]),
    ],
)
def test_programs_ask_what_documents_say_of_themselves_and_in_their_parts(
    user: UserMemory, program: str, comes_to: object
) -> None:
    value, evidence = run(user, program, "What does page 2 say?")
    assert value == comes_to
    assert all(item.source for item in evidence)


def test_of_a_long_document_only_the_parts_are_told_that_may_be_meant(user: UserMemory) -> None:
    sections = "".join(f"## {number} Place {number}\n\nBuoy {number} lies there.\n\n" for number in range(1, 60))
    user.add_document("chart.md", f"# Chart\n\n{sections}".encode())
    for question, told in [("What does section 41 say?", {"41 Place 41"}), ("Who drew it?", set())]:
        documents = Documents(user).asked(question)
        (chart,) = documents.link("chart", [], question, Deadline.after(9))
        triples = documents.triples(chart, "out", 400, Deadline.after(9))
        assert {triple.relation for triple in triples if "Buoy" in triple.object} == told


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("What is the marsh diary about?", False),
        ("What does page 3 of log.pdf say?", True),
        ("What does page 7 of log.pdf say?", False),
        ("Does rules-old differ from rules-new?", True),
        ("What did Odile Marchetti write?", True),
        ("Which of them are on storms?", False),
        ("How high is the tide?", False),
        ("Is it 2026-01-09?", False),
    ],
)
def test_a_question_names_parts_of_documents_or_what_one_says_of_itself(
    user: UserMemory, question: str, named: bool
) -> None:
    assert Documents(user).is_named(question) is named


def told(user: UserMemory, question: str, program: str) -> str:
    _, evidence = run(user, program, question)
    return composed(Turn(question, "ana", "s", datetime.now(UTC), question=question, language="en"), numbered(evidence))


def test_which_documents_say_something_of_themselves_is_told_without_the_model(user: UserMemory) -> None:
    said = told(user, "Which notes are by Odile Marchetti?", 'find_entity_or_value(["Odile Marchetti"], ["author of"])')
    assert "pier.md" in said and "marsh_diary.md" in said


def test_two_documents_are_told_side_by_side_in_what_they_say_differently(user: UserMemory) -> None:
    said = told(user, "Compare rules-old with rules-new.", 'find_relationship(["rules-old"], ["rules-new"])')
    fee, sauna = said.splitlines()
    assert "1 Fee" in fee and "Pay in May" not in fee
    assert fee.index("rules-old.md: A berth costs 300") < fee.index("rules-new.md: A berth costs 340")
    assert "rules-old.md: –" in sauna and "rules-new.md: It is shut." in sauna
    assert "Dogs" not in said


def test_long_texts_without_spaces_are_told_as_far_as_there_is_room(user: UserMemory) -> None:
    for name, sign in (("旧", "海"), ("新", "山")):
        user.add_document(f"{name}.md", f"# 章程\n\n## 1 费用\n\n{sign * 5_000}。\n".encode())
    said = told(user, "比较旧和新。", 'find_relationship(["旧.md"], ["新.md"])')
    assert "海" * 100 in said and "山" * 100 in said and len(said) < 1_000
    (value,) = run(user, 'find_entity_or_value(["旧.md"], ["chapter 1"])', "旧.md")[0]
    assert value.count("海") > 1_000


def test_of_very_different_documents_it_is_said_in_how_many_parts(user: UserMemory) -> None:
    for name in ("one", "two"):
        sections = "".join(f"## Place {number}\n\nBuoy {name} {number}.\n\n" for number in range(40))
        user.add_document(f"{name}.md", f"# Chart\n\n{sections}".encode())
    lines = told(user, "Compare one with two.", 'find_relationship(["one"], ["two"])').splitlines()
    assert len(lines) > 10 and ": 40 [" in lines[-1]


def test_two_documents_that_say_the_same_differ_in_no_part(user: UserMemory) -> None:
    user.add_document("rules-copy.md", f"{OLD}\n".encode())
    assert ": 0 [1]" in told(user, "Do they differ?", 'find_relationship(["rules-old"], ["rules-copy"])')


def test_a_document_is_not_called_by_whom_it_is_about(user: UserMemory) -> None:
    user.add_document("who.md", b"# Ada Lund\n\nAda Lund sails.\n")
    assert not Documents(user).link("Ada Lund", [], "Is Ada Lund a sailor?", Deadline.after(9))


def test_parts_are_compared_below_titles_that_differ(user: UserMemory) -> None:
    for year, fee in ((2024, 300), (2026, 340)):
        text = f"---\nauthor: A B\nyear: {year}\n---\n\n# Of {year}\n\n## Fee\n\nIt is {fee}.\n\n## Dogs\n\nYes.\n"
        user.add_document(f"{year}.md", text.encode())
    said = told(user, "Compare 2024 with 2026.", 'find_relationship(["2024.md"], ["2026.md"])')
    assert "Fee – 2024.md: It is 300." in said and "Dogs" not in said


def test_sentences_that_differ_late_are_told_from_there(user: UserMemory) -> None:
    same = "The keeper shall at all hours, in fog and in storm, " * 12
    for name, hours in (("a", "nine"), ("b", "ten")):
        user.add_document(f"{name}.md", f"# Duty\n\n{same} keep watch for {hours} hours.\n".encode())
    said = told(user, "Compare a with b.", 'find_relationship(["a.md"], ["b.md"])')
    assert "nine hours" in said and "ten hours" in said and len(said) < 500


def test_what_documents_are_described_by_is_no_comparison(user: UserMemory) -> None:
    described = '[get_entity_info([name]) for name in ["pier", "marsh diary"]]'
    assert not told(user, "Tell me of both.", described)


def test_what_was_forgotten_is_not_told_in_a_turn_that_goes_on(user: UserMemory) -> None:
    before = Documents(user)
    (pier,) = before.link("pier", [], "", Deadline.after(9))
    (source,) = [one for one in user.sources() if one.name == "pier.md"]
    user.forget(source=source.id)
    assert not before.triples(pier, "out", 99, Deadline.after(9))
    assert not before.entity_info(pier, Deadline.after(9))
    assert "pier.md" not in {one.subject for one in before.bearing("Odile Marchetti", "", 9, Deadline.after(9))}
    assert not before.link("pier", [], "", Deadline.after(9))
    (marsh,) = before.link("marsh diary", [], "", Deadline.after(9))
    assert not before.between(pier, marsh, 36, Deadline.after(9))
    user.forget(entity=_known(user, "Odile Marchetti", "marsh_diary.md"))
    assert not before.bearing("Odile Marchetti", "", 9, Deadline.after(9))
    assert not before.triples(marsh, "out", 99, Deadline.after(9))
    assert not Documents(user).link("pier", [], "", Deadline.after(9))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("shop.txt", "Shopping: milk, bread, eggs"),
        ("letter.md", "Dear all: the meeting, as you know, is moved."),
        ("boats.csv", "Boat,Berths,State\nSkua,4,ready\nTern,6,sold\n"),
    ],
)
def test_what_only_looks_as_if_it_were_about_the_document_is_not(memory: Memory, name: str, text: str) -> None:
    user = memory.of("ana")
    user.add_document(name, text.encode())
    documents = Documents(user)
    (one,) = documents.link(name, [], "", Deadline.after(9))
    said = {triple.relation for triple in documents.triples(one, "out", 99, Deadline.after(9))}
    assert said <= {"added", "pages"}
    assert not documents.is_named("Where can I buy bread?")


def test_a_mail_says_from_whom_it_is_to_whom_and_when(user: UserMemory) -> None:
    sender, date = "Odile Marchetti <odile@harbour.example>", "Tue, 3 Feb 2026 10:00:00 +0100"
    heads = f"From: {sender}\nTo: ana@harbour.example\nDate: {date}\n"
    user.add_document("lamp.eml", f"{heads}Subject: The new lamp\n\nIt has come.\n".encode())
    for asked, came_to in {
        'find_entity_or_value(["Odile Marchetti"], ["From of"])': ["lamp.eml"],
        'find_entity_or_value(["odile@harbour.example"], ["From of"])': ["lamp.eml"],
        'find_entity_or_value(["The new lamp"], ["To"])': ["ana@harbour.example"],
    }.items():
        assert run(user, asked)[0] == came_to
    assert "2026" in run(user, 'find_entity_or_value(["lamp"], ["Date"])')[0][0]


def test_a_word_of_another_language_names_nothing(user: UserMemory) -> None:
    user.add_document("carta.md", b"---\nlang: en\nauthor: Marchetti, Odile\n---\n\nHola.\n")
    assert not Documents(user).is_named("¿Cuándo vivo en Madrid?")
    assert run(user, 'find_entity_or_value(["carta"], ["author"])')[0] == ["Marchetti, Odile"]


@pytest.mark.parametrize(("question", "told"), [("What does section 3.1 say?", "3.1"), ("Was steht in ３.1?", "3.1")])
def test_a_part_is_meant_by_its_whole_number(user: UserMemory, question: str, told: str) -> None:
    sections = "".join(f"## {n}.{m} Buoys\n\nRed {n} {m}.\n\n" for n in range(1, 9) for m in range(1, 9))
    user.add_document("chart.md", f"# Chart\n\n{sections}".encode())
    value, _ = run(user, f'find_entity_or_value(["chart"], ["section {told}"])', question)
    assert value == ["Red 3 1."]


def test_chapters_that_have_a_number_alone_are_parts_too(user: UserMemory) -> None:
    chapters = "".join(f"## Chapter {number}\n\nTide {number} rose.\n\n" for number in range(1, 50))
    user.add_document("novel.md", f"# Novel\n\n{chapters}".encode())
    value, _ = run(user, 'find_entity_or_value(["novel"], ["chapter 41"])', "What happens in chapter 41?")
    assert value == ["Tide 41 rose."]


@pytest.mark.parametrize(
    ("heading", "asked"),
    [
        ("第４１章 潮汐", "第41章讲什么？"),
        ("§ 41 Lärm", "Was steht in § 41?"),
        ("الفصل ٤١", "ماذا يقول الفصل 41؟"),
        ("Art. 41 Fees", "Article 41?"),
    ],
)
def test_a_part_has_its_number_in_any_script(user: UserMemory, heading: str, asked: str) -> None:
    others = "".join(f"## Place {number}\n\nBuoy {number}.\n\n" for number in range(100, 140))
    user.add_document("code.md", f"# Code\n\n{others}## {heading}\n\nTide.\n".encode())
    assert run(user, 'find_entity_or_value(["code"], ["chapter 41"])', asked)[0] == ["Tide."]
    assert Documents(user).is_named(f"code.md: {asked}")


def test_no_message_of_a_talk_is_a_chapter(user: UserMemory) -> None:
    talk = [spoken("human" if n % 2 else "assistant", f"The goat number {n} is well.") for n in range(60)]
    user.add_document("goats.json", talk_of(talk, "Goats"))
    assert not Documents(user).is_named("goats.json: at 18?")


def test_a_short_word_of_chinese_is_no_value_of_several(user: UserMemory) -> None:
    user.add_document("日记.md", "---\nauthor: 林悦\ntags: [天气, 工作]\n---\n\n今天下雨。\n".encode())
    assert not Documents(user).is_named("明天天气怎么样？")


def _known(user: UserMemory, name: str, document: str) -> str:
    """The id of an entity that is read out of a document."""
    (source,) = [one for one in user.sources() if one.name == document]
    ((passage_id, passage), *_) = user.passages(source.id)
    user.store(source.id, passage_id, read(passage.text, (name, "writes", "a diary")))
    return user.find_entities(name)[0].id
