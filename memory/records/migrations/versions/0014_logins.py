"""Who is logged in, with a row for each login."""

from alembic import op

revision = "0014"
down_revision = "0013"

_SCHEMA = (
    """
    CREATE TABLE logins (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        user_id INTEGER NOT NULL,
        token_hash BLOB NOT NULL,
        created BIGINT NOT NULL,
        last_seen BIGINT NOT NULL,
        expires BIGINT NOT NULL,
        FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
        UNIQUE (token_hash)
    )
    """,
    """
    CREATE INDEX logins_user ON logins (user_id)
    """,
)


def upgrade() -> None:
    """Add the table; whoever was logged in logs in again."""
    for statement in _SCHEMA:
        op.execute(statement)
