"""What is said again may put an end to something, too: which source did is kept, and that goes with it."""

from alembic import op

revision = "0012"
down_revision = "0011"

_SCHEMA = (
    """
    ALTER TABLE facts ADD COLUMN closed_in INTEGER REFERENCES sources (id)
    """,
    """
    ALTER TABLE facts ADD COLUMN once_closed_in INTEGER REFERENCES sources (id)
    """,
    """
    CREATE INDEX facts_closed_in ON facts (closed_in) WHERE closed_in IS NOT NULL
    """,
    """
    CREATE INDEX facts_once_closed_in ON facts (once_closed_in) WHERE once_closed_in IS NOT NULL
    """,
)


def upgrade() -> None:
    """Add the columns."""
    for statement in _SCHEMA:
        op.execute(statement)
