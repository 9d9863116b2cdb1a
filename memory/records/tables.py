"""The schema. Migrations create it; a test compares the two.

Two invariants hold after every transaction: a fact has at least one row in `fact_sources`, and an entity has at least
one fact. So whatever loses its last support goes.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Constraint,
    Dialect,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    false,
    text,
)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Moment(TypeDecorator[datetime]):
    """A point in time, kept as microseconds since 1970 so that it comes back exactly."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:  # noqa: ARG002
        """To microseconds; a time without a zone is local."""
        return None if value is None else (value.astimezone(UTC) - _EPOCH) // timedelta(microseconds=1)

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """From microseconds, in UTC."""
        return None if value is None else _EPOCH + timedelta(microseconds=value)


metadata = MetaData()


def _table(name: str, *columns: Column[Any] | Constraint | Index) -> Table:
    # An id is never given out twice: what refers to a forgotten record must not find another one.
    return Table(name, metadata, *columns, sqlite_autoincrement=True)


def _id() -> Column[Any]:
    return Column("id", Integer, primary_key=True)


def _owner() -> Column[Any]:
    return Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), nullable=False)


def _embedded() -> Column[Any]:
    return Column("embedded", Boolean, nullable=False, server_default=false())


def _not_embedded(table: str) -> Index:
    return Index(f"{table}_not_embedded", "user_id", sqlite_where=text("embedded = 0"))


users = _table("users", _id(), Column("name", Text, nullable=False, unique=True))

installation_state = Table(
    "installation_state", metadata, Column("name", Text, primary_key=True), Column("value", JSON, nullable=False)
)

user_state = Table(
    "user_state",
    metadata,
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("name", Text, primary_key=True),
    Column("value", JSON, nullable=False),
)

# Of the token that a browser keeps there is only the hash.
logins = _table(
    "logins",
    _id(),
    _owner(),
    Column("token_hash", LargeBinary, nullable=False, unique=True),
    Column("created", Moment, nullable=False),
    Column("last_seen", Moment, nullable=False),
    Column("expires", Moment, nullable=False),
    Index("logins_user", "user_id"),
)

sources = _table(
    "sources",
    _id(),
    _owner(),
    Column("kind", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("added", Moment, nullable=False),
    Column("state", Text, nullable=False),
    Column("error", Text, nullable=False, server_default=""),
    Index("sources_user", "user_id"),
    Index("sources_state", "state"),  # the queue is looked for at every step, and seldom holds much
    # The same file is one source; the same words may be said twice.
    Index("sources_document", "user_id", "digest", unique=True, sqlite_where=text("kind = 'document'")),
)

# The documents that came from a path or an address, numbered in their order: the last is what lies there now.
places = Table(
    "places",
    metadata,
    Column("source_id", ForeignKey("sources.id", ondelete="CASCADE"), primary_key=True),
    Column("place", Text, primary_key=True),
    _owner(),
    Column("version", Integer, nullable=False),
    Column("guessed", Boolean, nullable=False),
    Index("places_place", "user_id", "place"),
)

passages = _table(
    "passages",
    _id(),
    _owner(),
    Column("source_id", ForeignKey("sources.id", ondelete="CASCADE"), nullable=False),
    Column("text", Text, nullable=False),
    Column("heading", Text, nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("page", Integer, nullable=False, server_default="0"),  # that it begins on; 0 where there are none
    Column("state", Text, nullable=False),  # "unread", "read", "skipped"
    _embedded(),
    Column("topic", Text),  # the heading that it stands under, folded
    Index("passages_topic", "user_id", "topic"),
    UniqueConstraint("source_id", "start", "end"),
    _not_embedded("passages"),
)

entities = _table(
    "entities",
    _id(),
    _owner(),
    Column("name", Text, nullable=False),
    _embedded(),
    Column("merged_into", ForeignKey("entities.id")),
    Column("merged_at", Moment),
    Column("survivor_id", ForeignKey("entities.id")),  # where the merges lead to, so that reading walks no tree
    Index("entities_user", "user_id", "name"),
    Index("entities_merged", "user_id", sqlite_where=text("merged_into IS NOT NULL")),
    Index("entities_merged_into", "merged_into", sqlite_where=text("merged_into IS NOT NULL")),
    Index("entities_survivor", "survivor_id", sqlite_where=text("survivor_id IS NOT NULL")),
    _not_embedded("entities"),
)

# Entities that the user took apart, the smaller number first.
apart = Table(
    "apart",
    metadata,
    Column("one_id", ForeignKey("entities.id", ondelete="CASCADE"), primary_key=True),
    Column("other_id", ForeignKey("entities.id", ondelete="CASCADE"), primary_key=True),
    _owner(),
    Index("apart_other", "other_id"),
    Index("apart_user", "user_id"),
)

# One row for each source that uses a name, so that a forgotten source takes its names along.
names = Table(
    "names",
    metadata,
    Column("entity_id", ForeignKey("entities.id", ondelete="CASCADE"), primary_key=True),
    Column("name", Text, primary_key=True),
    Column("source_id", ForeignKey("sources.id", ondelete="CASCADE"), primary_key=True),
    _owner(),
    Column("folded", Text, nullable=False),
    Index("names_folded", "user_id", "folded"),
    Index("names_source", "source_id"),
)

facts = _table(
    "facts",
    _id(),
    _owner(),
    Column("kind", Text, nullable=False),
    Column("subject_id", ForeignKey("entities.id"), nullable=False),
    Column("relation", Text, nullable=False),
    Column("object", Text, nullable=False),
    Column("object_id", ForeignKey("entities.id")),
    Column("object_folded", Text),  # of triples, to link the object when it becomes an entity
    Column("digest", LargeBinary, nullable=False),  # of kind, folded relation and folded object
    Column("learned", Moment, nullable=False),
    Column("valid_from", Moment),
    Column("valid_to", Moment),
    Column("closed_by", ForeignKey("facts.id")),
    Column("closed_in", ForeignKey("sources.id")),  # what says that other one again, where only that closes this one
    # What closed it, and when, until the entities of the two were taken apart: for when they are merged again.
    Column("once_closed_by", ForeignKey("facts.id")),
    Column("once_closed_in", ForeignKey("sources.id")),
    Column("once_valid_to", Moment),
    _embedded(),
    # A fact that holds is there once; said again, it gains a source. A closed one may be said anew, and one of two
    # namesakes is another than that of the other. Where the object is no entity, SQLite takes two for distinct, so only
    # `add_fact` and `reopen` see to it there: forgetting may leave two facts whose objects were namesakes alike.
    Index("facts_current", "subject_id", "digest", "object_id", unique=True, sqlite_where=text("valid_to IS NULL")),
    Index("facts_subject", "subject_id", "relation"),
    Index("facts_object", "object_id", sqlite_where=text("object_id IS NOT NULL")),
    Index("facts_loose_object", "user_id", "object_folded", sqlite_where=text("object_id IS NULL")),
    Index("facts_user", "user_id", "learned"),
    Index("facts_closed_by", "closed_by", sqlite_where=text("closed_by IS NOT NULL")),
    Index("facts_once_closed_by", "once_closed_by", sqlite_where=text("once_closed_by IS NOT NULL")),
    Index("facts_closed_in", "closed_in", sqlite_where=text("closed_in IS NOT NULL")),
    Index("facts_once_closed_in", "once_closed_in", sqlite_where=text("once_closed_in IS NOT NULL")),
    _not_embedded("facts"),
)

fact_sources = _table(
    "fact_sources",
    _id(),
    Column("fact_id", ForeignKey("facts.id", ondelete="CASCADE"), nullable=False),
    Column("passage_id", ForeignKey("passages.id", ondelete="CASCADE"), nullable=False),
    Column("start", Integer, nullable=False),  # in the source's text
    Column("end", Integer, nullable=False),
    Column("since", Moment),  # when the fact began, as this place tells
    Column("ahead", Boolean, nullable=False, server_default="0"),  # and that it is still to come, or may never
    UniqueConstraint("fact_id", "passage_id", "start", "end"),
    Index("fact_sources_passage", "passage_id"),
)

conversations = Table(
    "conversations",
    metadata,
    Column("user_id", ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("id", Text, primary_key=True),
    Column("title", Text, nullable=False),
    Column("updated", Moment, nullable=False),
)

messages = _table(
    "messages",
    _id(),
    Column("user_id", Integer, nullable=False),
    Column("conversation_id", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("at", Moment, nullable=False),
    Column("details", JSON, nullable=False),
    ForeignKeyConstraint(
        ["user_id", "conversation_id"], ["conversations.user_id", "conversations.id"], ondelete="CASCADE"
    ),
    Index("messages_conversation", "user_id", "conversation_id"),
)
