"""What a user has, what stands in a relation and what is not read to its end: found without a look at all there is."""

from alembic import op

revision = "0006"
down_revision = "0005"

_SCHEMA = (
    """
    DROP INDEX facts_subject
    """,
    """
    CREATE INDEX facts_subject ON facts (subject_id, relation)
    """,
    """
    CREATE INDEX sources_user ON sources (user_id)
    """,
    """
    CREATE INDEX sources_state ON sources (state)
    """,
    """
    CREATE INDEX passages_user ON passages (user_id)
    """,
)


def upgrade() -> None:
    """Put the indexes in place."""
    for statement in _SCHEMA:
        op.execute(statement)
