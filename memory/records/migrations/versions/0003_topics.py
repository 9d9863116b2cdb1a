"""A passage says what it is about, as far as its heading tells, so that passages that name it lead to it."""

from alembic import op
from sqlalchemy import text

from memory.folding import topic

revision = "0003"
down_revision = "0002"

_SCHEMA = (
    """
    ALTER TABLE passages ADD COLUMN topic TEXT
    """,
    """
    CREATE INDEX passages_topic ON passages (user_id, topic) WHERE topic IS NOT NULL
    """,
)


def upgrade() -> None:
    """Add the column and its index, and fill it."""
    for statement in _SCHEMA:
        op.execute(statement)
    connection = op.get_bind()
    headed = connection.execute(text("SELECT id, heading FROM passages WHERE heading <> ''")).all()
    rows = [{"id": row.id, "topic": topic(row.heading)} for row in headed]
    if rows:
        connection.execute(text("UPDATE passages SET topic = :topic WHERE id = :id"), rows)
