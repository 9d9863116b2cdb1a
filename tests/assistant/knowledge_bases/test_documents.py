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
from tests.memory.samples import WordEmbedder

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
OLD = "# Berth rules\n\n## 1 Fee\n\nA berth costs 300 euros.\n\n## 2 Dogs\n\nDogs are allowed.\n"
NEW = "# Berth rules\n\n## 1 Fee\n\nA berth costs 340 euros.\n\n## 2 Dogs\n\nDogs are allowed.\n"


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
        ("What is the marsh diary about?", True),
        ("What did Odile Marchetti write?", True),
        ("Which of them are on storms?", True),
        ("How high is the tide?", False),
        ("Is it 2026-01-09?", False),
    ],
)
def test_a_question_names_a_document_or_what_one_says_of_itself(user: UserMemory, question: str, named: bool) -> None:
    assert Documents(user).is_named(question) is named


def told(user: UserMemory, question: str, program: str) -> str:
    _, evidence = run(user, program, question)
    return composed(Turn(question, "ana", "s", datetime.now(UTC), question=question, language="en"), numbered(evidence))


def test_which_documents_say_something_of_themselves_is_told_without_the_model(user: UserMemory) -> None:
    said = told(user, "Which notes are by Odile Marchetti?", 'find_entity_or_value(["Odile Marchetti"], ["author of"])')
    assert "pier.md" in said and "marsh_diary.md" in said


def test_two_documents_are_told_side_by_side_in_what_they_say_differently(user: UserMemory) -> None:
    compared = '{name: get_entity_info([name]) for name in ["rules-old", "rules-new"]}'
    said = told(user, "Compare rules-old with rules-new.", compared)
    (fee,) = [line for line in said.splitlines() if "1 Fee" in line]
    assert fee.index("rules-old.md: A berth costs 300") < fee.index("rules-new.md: A berth costs 340")
    assert "Dogs" not in said


def test_what_was_forgotten_is_not_told(user: UserMemory) -> None:
    before = Documents(user)
    (pier,) = before.link("pier", [], "", Deadline.after(9))
    (source,) = [one for one in user.sources() if one.name == "pier.md"]
    user.forget(source=source.id)
    assert not Documents(user).link("pier", [], "", Deadline.after(9))
    assert all("granite" not in triple.object for triple in before.triples(pier, "out", 99, Deadline.after(9)))
