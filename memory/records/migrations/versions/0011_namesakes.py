"""Two of one name may be taken apart: the same can be said of each, and what closed a fact of the other is kept."""

from alembic import op

revision = "0011"
down_revision = "0010"

_SCHEMA = (
    """
    ALTER TABLE facts ADD COLUMN once_closed_by INTEGER REFERENCES facts (id)
    """,
    """
    ALTER TABLE facts ADD COLUMN once_valid_to BIGINT
    """,
    """
    CREATE INDEX facts_once_closed_by ON facts (once_closed_by) WHERE once_closed_by IS NOT NULL
    """,
    """
    DROP INDEX facts_current
    """,
    """
    CREATE UNIQUE INDEX facts_current ON facts (subject_id, digest, object_id) WHERE valid_to IS NULL
    """,
)


def upgrade() -> None:
    """Add the columns, and let the index tell facts of two objects apart; it no longer guards those without any."""
    for statement in _SCHEMA:
        op.execute(statement)
