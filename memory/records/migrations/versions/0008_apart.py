"""Which entities the user took apart stays known."""

from alembic import op

revision = "0008"
down_revision = "0007"

_SCHEMA = (
    """
    CREATE TABLE apart (
        one_id INTEGER NOT NULL,
        other_id INTEGER NOT NULL,
        user_id INTEGER NOT NULL,
        PRIMARY KEY (one_id, other_id),
        FOREIGN KEY(one_id) REFERENCES entities (id) ON DELETE CASCADE,
        FOREIGN KEY(other_id) REFERENCES entities (id) ON DELETE CASCADE,
        FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
    )
    """,
    """
    CREATE INDEX apart_other ON apart (other_id)
    """,
    """
    CREATE INDEX apart_user ON apart (user_id)
    """,
)


def upgrade() -> None:
    """Add the table and its indexes."""
    for statement in _SCHEMA:
        op.execute(statement)
