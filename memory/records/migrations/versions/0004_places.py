"""Where documents lie is kept, so that a changed file replaces what it was."""

from alembic import op

revision = "0004"
down_revision = "0003"

_SCHEMA = (
    """
    CREATE TABLE places (
        source_id INTEGER NOT NULL,
        place TEXT NOT NULL,
        user_id INTEGER NOT NULL,
        version INTEGER NOT NULL,
        PRIMARY KEY (source_id, place),
        FOREIGN KEY(source_id) REFERENCES sources (id) ON DELETE CASCADE,
        FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
    )
    """,
    """
    CREATE INDEX places_place ON places (user_id, place)
    """,
    """
    INSERT INTO places (source_id, place, user_id, version)
    SELECT id, 'upload:' || digest, user_id, 1 FROM sources WHERE kind = 'document'
    """,
)


def upgrade() -> None:
    """Add the table; of the documents that are there, no place is known."""
    for statement in _SCHEMA:
        op.execute(statement)
