"""The tables in documents as a knowledge base."""

import math
import threading
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from assistant.answering.composing import composed
from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.functions import KnowledgeFunctions
from assistant.knowledge_bases.relations import RelationRanker
from assistant.knowledge_bases.tables import Tables
from assistant.search.programs.sandbox import Sandbox
from assistant.types import Certainty, Turn
from memory.store import Memory
from memory.user_memory import UserMemory
from tests.assistant.knowledge_bases.contract import Case, KnowledgeBaseContract, TriplesContract
from tests.memory.samples import WordEmbedder

BOATS = "Boat,Harbour,Berths,State\nSkua,Vik,4,ready\nTern,Vik,6,in repair\nAuk,Lund,,ready\nPetrel,Moss,3,ready\n"
HARBOURS = "Harbour,Warden\nVik,Inga Moe\nLund,Per Ask\nMoss,Siv Dahl\n"
FEES = "Day;Fee\n3;40,50\n3;12\n5;30\n"


@pytest.fixture
def user(memory: Memory) -> UserMemory:
    user = memory.of("ana")
    user.add_document("boats.csv", BOATS.encode())
    user.add_document("harbours.csv", HARBOURS.encode())
    user.add_document("fees.csv", FEES.encode())
    user.add_document("note.txt", b"The boats are painted in May.")
    return user


class TestContract(KnowledgeBaseContract, TriplesContract):
    @pytest.fixture
    def case(self, user: UserMemory) -> Case:
        return Case(Tables(user), known="boats", question="How many boats are there?", described=False)


class TestContractOfRows(KnowledgeBaseContract, TriplesContract):
    @pytest.fixture
    def case(self, user: UserMemory) -> Case:
        return Case(Tables(user), known="Vik", question="Who is warden in Vik?")


def run(user: UserMemory, program: str) -> Any:
    ranker = RelationRanker(WordEmbedder())
    functions = KnowledgeFunctions(Tables(user), ranker, "", Deadline.after(60), lambda event: None)
    with closing(Sandbox()) as sandbox:
        outcome = sandbox.run(program, functions.by_name(), {})
    assert not outcome.error
    return outcome.value, functions.record.evidence


ROWS = 'rows = find_entity_or_value(["boats.csv", "boats"], ["rows"])\n'


@pytest.mark.parametrize(
    ("program", "comes_to"),
    [
        (ROWS + 'len([r for r in rows if "ready" in find_entity_or_value([r], ["state"])])', 3),
        (ROWS + 'sum(number(find_entity_or_value([r], ["berths"])) for r in rows if r != "Auk")', 13),
        (ROWS + 'max(rows, key=lambda r: number(find_entity_or_value([r], ["berths"])))', "Tern"),
        ('find_entity_or_value(["Tern"], ["harbour"], ["warden"])', ["Inga Moe"]),
        ('find_entity_or_value(["in repair"], ["state"])', ["Tern"]),
        ('find_entity_or_value(["Vik"], ["harbour"])', ["Skua", "Tern"]),
        ('find_entity_or_value(["fees"], ["rows"])', ["fees 1", "fees 2", "fees 3"]),
    ],
)
def test_programs_filter_count_add_up_and_join(user: UserMemory, program: str, comes_to: object) -> None:
    value, evidence = run(user, program)
    assert value == comes_to
    assert all(item.source and item.text for item in evidence)


def test_the_evidence_is_the_row_in_its_document(user: UserMemory) -> None:
    _, evidence = run(user, 'find_entity_or_value(["Auk"], ["harbour"])')
    (found,) = evidence
    assert (found.text, found.source) == ("Boat: Auk; Harbour: Lund; Berths: –; State: ready", "boats.csv")
    assert user.source_of_passage(found.url.removeprefix("memory:passage/")).name == "boats.csv"


def test_an_empty_cell_says_so_and_is_no_number(user: UserMemory) -> None:
    assert run(user, 'find_entity_or_value(["–"], ["berths"])')[0] == []
    value, evidence = run(user, 'find_entity_or_value(["Auk"], ["berths"])')
    assert value == ["–"]
    assert [(item.subject, item.relation, item.object) for item in evidence] == [("Auk", "Berths", "–")]
    turn = Turn("How many berths has Auk?", "ana", "1", datetime.now(UTC), language="en")
    assert composed(turn, evidence) == "Auk – Berths: nothing is entered there [0]"
    rows = 'find_entity_or_value(["boats"], ["rows"])'
    program = f'sum([number(find_entity_or_value([row], ["berths"])) for row in {rows}])'
    assert run(user, program)[0] == 13
    average = program.replace("sum(", "average(")
    assert run(user, average)[0] == pytest.approx(13 / 3)
    assert math.isnan(run(user, "sum([number('4'), number('few')])")[0])
    both = [*evidence, *run(user, 'find_entity_or_value(["Skua"], ["berths"])')[1]]
    unsure = [replace(item, certainty=Certainty.DOUBTFUL) for item in evidence]
    assert composed(turn, both) == composed(turn, unsure) == ""
    assert run(user, f'len([row for row in {rows} if "–" in find_entity_or_value([row], ["berths"])])')[0] == 1


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("How many berths has the Auk?", True),
        ("How many lines has boats.csv?", True),
        ("Where does the Auk lie?", True),
        ("What did Inga Moe write?", True),
        ("What did Inga write?", False),
        ("How many berths are there?", False),
        ("Wer ist Warden in Vik?", True),
        ("二零二五年第一季度华东地区的销售明细表一共有几行？", True),
    ],
)
def test_a_question_names_a_table_or_a_row_of_one(user: UserMemory, question: str, named: bool) -> None:
    user.add_document("二零二五年第一季度华东地区的销售明细表.csv", "品名,数量,价格\n茶,3,4\n米,5,6\n".encode())
    assert Tables(user).is_named(question) is named


def _row(user: UserMemory, name: str) -> Any:
    return Tables(user).link(name, [], "", Deadline.after(9))[0]


def test_the_names_and_values_of_tables_are_known_in_a_question(user: UserMemory) -> None:
    known = Tables(user).known(["Skua", "ready", "boats", "boats.csv", "40,50", "elsewhere"], Deadline.after(9))
    assert known == {"Skua": {"Skua"}, "ready": {"ready"}, "boats": {"boats"}, "boats.csv": {"boats.csv"}}


def test_what_is_forgotten_is_no_table_any_more(user: UserMemory) -> None:
    assert run(user, 'find_entity_or_value(["Tern"], ["state"])')[0] == ["in repair"]
    boats = next(source for source in user.sources() if source.name == "boats.csv")
    user.forget(source=boats.id)
    assert run(user, 'find_entity_or_value(["Tern"], ["state"])')[0] == []
    assert {table.document for table in user.tables()} == {"harbours.csv", "fees.csv"}


def test_a_table_is_called_as_the_line_before_it_and_by_its_heading(memory: Memory) -> None:
    user = memory.of("ana")
    page = b"# Garden\n\n## Beds\n\n| Bed | Plant |\n| --- | --- |\n| North | Kale |\n| South | Chard |\n"
    user.add_document("plan.md", page)
    (table,) = user.tables()
    assert table.titles == ("Beds", "Garden")
    assert [row.cells for row in table.rows] == [("North", "Kale"), ("South", "Chard")]
    assert Tables(user).link("beds", [], "", Deadline.after(9))[0].name == "plan.md"


def test_a_document_that_was_forgotten_and_comes_back_is_read_again(user: UserMemory) -> None:
    boats = next(source for source in user.sources() if source.name == "boats.csv")
    assert run(user, 'find_entity_or_value(["Tern"], ["state"])')[0] == ["in repair"]
    gone = user.forget(source=boats.id, undoable=True)
    user.undo(gone.undo_id)
    value, evidence = run(user, 'find_entity_or_value(["Tern"], ["state"])')
    assert value == ["in repair"]
    assert user.source_of_passage(evidence[0].url.removeprefix("memory:passage/")).name == "boats.csv"


def test_nothing_stays_of_tables_that_are_all_forgotten(user: UserMemory) -> None:
    assert Tables(user).known(["Skua"], Deadline.after(9))
    user.forget(everything=True)
    assert Tables(user).is_empty
    assert not Tables(user).known(["Skua"], Deadline.after(9))


def test_tables_are_read_while_documents_come_and_go(user: UserMemory) -> None:
    ended, failures = threading.Event(), []

    def look() -> None:
        while not ended.is_set():
            try:
                user.tables()
            except Exception as failure:  # whatever it is
                failures.append(failure)

    watchers = [threading.Thread(target=look) for _ in range(2)]
    for watcher in watchers:
        watcher.start()
    for n in range(15):
        added = user.add_document(f"more{n}.csv", f"A,B,C\nx{n},1,2\ny{n},3,4\n".encode())
        user.forget(source=added.id)
    ended.set()
    for watcher in watchers:
        watcher.join()
    assert not failures


def test_a_document_has_the_rows_of_all_its_tables(memory: Memory) -> None:
    user = memory.of("ana")
    sheets = "".join(
        f"# {month}\n\n| Bill | Amount |\n|---|---|\n| {month} rent | 300 |\n| {month} water | {amount} |\n\n"
        for month, amount in (("May", 20), ("June", 30))
    )
    user.add_document("bills.md", sheets.encode())
    total = 'sum([number(find_entity_or_value([row], ["amount"])) for row in rows])'
    assert run(user, f'rows = find_entity_or_value(["bills.md"], ["rows"])\n{total}')[0] == 650
    assert run(user, f'rows = find_entity_or_value(["June"], ["rows"])\n{total}')[0] == 330
