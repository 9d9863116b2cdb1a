"""One index of passages serves for whose they are and for what they are about.

With an index of owners beside it, SQLite looked at all of a user's passages to find those about something.
"""

from alembic import op

revision = "0007"
down_revision = "0006"

_SCHEMA = (
    """
    DROP INDEX passages_user
    """,
    """
    DROP INDEX passages_topic
    """,
    """
    CREATE INDEX passages_topic ON passages (user_id, topic)
    """,
)


def upgrade() -> None:
    """Put the index in place."""
    for statement in _SCHEMA:
        op.execute(statement)
