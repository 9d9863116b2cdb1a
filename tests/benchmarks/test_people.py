"""The invented people."""

from tests.benchmarks.people import notes, person


def test_names_do_not_come_twice() -> None:
    assert len({person(number).name for number in range(100_000)}) == 100_000


def test_every_statement_is_supported_by_its_span() -> None:
    made = list(notes(12, people_a_note=5))
    assert [len(extraction.statements) for _, extraction in made] == [25, 25, 10]
    for text, extraction in made:
        for statement in extraction.statements:
            supporting = text[statement.span.start : statement.span.end]
            assert supporting == f"{statement.subject} {statement.relation} {statement.object}."
