"""A fact that was closed by a newer one says by which, so that it holds again where that one is forgotten."""

from alembic import op

revision = "0002"
down_revision = "0001"

_SCHEMA = (
    """
    ALTER TABLE facts ADD COLUMN closed_by INTEGER REFERENCES facts (id)
    """,
    """
    CREATE INDEX facts_closed_by ON facts (closed_by) WHERE closed_by IS NOT NULL
    """,
)


def upgrade() -> None:
    """Add the column and its index."""
    for statement in _SCHEMA:
        op.execute(statement)
