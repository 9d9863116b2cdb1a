"""How SQLite goes about what is asked at every turn: by indexes, however much there is."""

import re
from typing import Any

from sqlalchemy import event

from memory.store import Memory
from tests.memory.samples import denied, holding, read

_LARGE = re.compile(r"SCAN (sources|passages|entities|names|facts|fact_sources)(?! USING INDEX \w+_not_embedded)\b")


def test_nothing_is_looked_for_among_all_there_is(memory: Memory) -> None:
    user = memory.of("eve")
    document = user.add_document("a.md", b"# Oslo\n\nOslo lies in Norway.\n")
    plans: list[str] = []

    def explain(connection: Any, _cursor: object, statement: str, parameters: Any, *_: object) -> None:
        if statement.startswith(("SELECT", "UPDATE", "DELETE")):
            raw = connection.connection.cursor()
            plans.extend(row[3] for row in raw.execute(f"EXPLAIN QUERY PLAN {statement}", parameters))

    event.listen(memory._database._engine, "before_cursor_execute", explain)
    text = "Mia lives in Oslo."
    user.note(text, read(text, ("Mia", "lives in", "Oslo")))
    text = "Mia moved to Rome."
    user.note(text, read(text, ("Mia", "lives in", "Rome"), ends=holding(user, "Mia", "lives in")))
    text = "Mia does not live in Rome."
    user.note(text, denied(text, "Mia", "lives in", "Rome"))
    user.recall("Where does Mia live?")
    memory.unfinished()
    memory.not_embedded()
    user.passages(document.id, unread=True, limit=1)
    user.counts()
    user.not_embedded()
    user.is_empty()
    assert not [plan for plan in plans if _LARGE.match(plan)]
    assert any("passages_topic (user_id=? AND topic=?)" in plan for plan in plans)
    assert any("facts_current (subject_id=? AND digest=?)" in plan for plan in plans)
