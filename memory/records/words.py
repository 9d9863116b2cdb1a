"""The keyword index of facts, passages and entities: SQLite's FTS5 over the terms of `memory.folding`, ranked by BM25.

Small embeddings miss names and numbers; keywords find them. One table serves all users: whose a term is, and of which
kind of record, is written in front of it, so that a search never sees anything of others, nor counts their terms. How
many records there are, and how long they are, FTS5 counts over all: an order may differ a little by what others have.
"""

from collections.abc import Iterable

from sqlalchemy import Connection, text

from memory.folding import terms
from memory.records.among import listed
from memory.records.keys import ENTITY, FACT, PASSAGE, key

_KINDS = (FACT, PASSAGE, ENTITY)
_MOST_TERMS = 32
_COMMON = 1000  # records; a term of more costs a millisecond for each thousand of them, and tells them hardly apart
_BEST = text("SELECT rowid FROM words WHERE words MATCH :match ORDER BY rank LIMIT :limit")
_HOLDING = text(
    "SELECT value, (SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH value LIMIT :limit))"
    " FROM json_each(:listed)"
)
_HELD = text("SELECT value FROM json_each(:listed) WHERE EXISTS (SELECT 1 FROM words WHERE words MATCH value)")


def put(connection: Connection, user_id: int, kind: str, texts: Iterable[tuple[int, str]]) -> None:
    """Index the text of records by their numbers, in place of what was indexed before."""
    rows = [{"row": _row(kind, number), "terms": " ".join(_owned(user_id, kind, content))} for number, content in texts]
    if rows:
        connection.execute(text("INSERT OR REPLACE INTO words(rowid, terms) VALUES (:row, :terms)"), rows)


def remove(connection: Connection, kind: str, numbers: Iterable[int]) -> None:
    """Take records out of the index."""
    rows = [{"row": _row(kind, number)} for number in numbers]
    if rows:
        connection.execute(text("DELETE FROM words WHERE rowid = :row"), rows)


def missing(connection: Connection, user_id: int, kind: str, table: str) -> list[int]:
    """The numbers of a user's records, of this kind and in this table, that the index does not hold."""
    query = (
        f"SELECT id FROM {table} AS own WHERE user_id = :user"
        " AND NOT EXISTS (SELECT 1 FROM words_docsize WHERE id = own.id * :kinds + :kind)"
    )
    values = {"user": user_id, "kinds": len(_KINDS), "kind": _KINDS.index(kind)}
    return list(connection.execute(text(query), values).scalars())


def search(
    connection: Connection, user_id: int, kind: str, question: str, limit: int, *, every: bool = False
) -> list[str]:
    """Ids of the records that share terms with `question` (`every`: that hold all of them), best first.

    Where some terms are rare, records without any of these are left out; the common terms still count in the ranking.
    """
    wanted = [f'"{term}"' for term in dict.fromkeys(_owned(user_id, kind, question))][:_MOST_TERMS]
    if not wanted:
        return []
    match = (" AND " if every else " OR ").join(wanted)
    rare = [] if every else _rare(connection, wanted)
    if 0 < len(rare) < len(wanted):
        match = f"({' OR '.join(rare)}) AND ({match})"
    rows = connection.execute(_BEST, {"match": match, "limit": limit})
    return [key(kind, row.rowid // len(_KINDS)) for row in rows]


def held(connection: Connection, user_id: int, wanted: Iterable[str]) -> set[str]:
    """Those of some terms, as `memory.folding.terms` gives them, that stand in any record of a user."""
    own = {" OR ".join(f'"{user_id}{kind}{term}"' for kind in _KINDS): term for term in wanted if '"' not in term}
    return {own[match] for match in connection.execute(_HELD, {"listed": listed(list(own))}).scalars()}


def _rare(connection: Connection, wanted: list[str]) -> list[str]:
    """The terms that some records have, and not too many."""
    rows = connection.execute(_HOLDING, {"listed": listed(wanted), "limit": _COMMON + 1})
    return [term for term, held in rows if 0 < held <= _COMMON]


def _row(kind: str, number: int) -> int:
    return number * len(_KINDS) + _KINDS.index(kind)


def _owned(user_id: int, kind: str, content: str) -> list[str]:
    return [f"{user_id}{kind}{term}" for term in terms(content)]
