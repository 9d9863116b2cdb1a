"""The keyword index of facts, passages and entities: SQLite's FTS5 over the terms of `memory.folding`, ranked by BM25.

Small embeddings miss names and numbers; keywords find them. One table serves all users: the term in its column `owner`
says whose a row is and of which kind, and every search asks for it.
"""

from collections.abc import Iterable

from sqlalchemy import Connection, text

from memory.folding import terms
from memory.records.keys import ENTITY, FACT, PASSAGE, key

_KINDS = (FACT, PASSAGE, ENTITY)
_MOST_TERMS = 32


def put(connection: Connection, user_id: int, kind: str, texts: Iterable[tuple[int, str]]) -> None:
    """Index the text of records by their numbers, in place of what was indexed before."""
    rows = [
        {"row": _row(kind, number), "owner": _owner(user_id, kind), "terms": " ".join(terms(content))}
        for number, content in texts
    ]
    if rows:
        connection.execute(
            text("INSERT OR REPLACE INTO words(rowid, owner, terms) VALUES (:row, :owner, :terms)"), rows
        )


def remove(connection: Connection, kind: str, numbers: Iterable[int]) -> None:
    """Take records out of the index."""
    rows = [{"row": _row(kind, number)} for number in numbers]
    if rows:
        connection.execute(text("DELETE FROM words WHERE rowid = :row"), rows)


def search(
    connection: Connection, user_id: int, kind: str, question: str, limit: int, *, every: bool = False
) -> list[str]:
    """Ids of the records that share terms with `question` (`every`: that hold all of them), best first."""
    wanted = list(dict.fromkeys(terms(question)))[:_MOST_TERMS]
    if not wanted:
        return []
    joined = (" AND " if every else " OR ").join(f'"{term}"' for term in wanted)
    rows = connection.execute(
        text("SELECT rowid FROM words WHERE words MATCH :match ORDER BY rank LIMIT :limit"),
        {"match": f"owner:{_owner(user_id, kind)} AND terms:({joined})", "limit": limit},
    )
    return [key(kind, row.rowid // len(_KINDS)) for row in rows]


def _row(kind: str, number: int) -> int:
    return number * len(_KINDS) + _KINDS.index(kind)


def _owner(user_id: int, kind: str) -> str:
    return f"u{user_id}{kind}"
