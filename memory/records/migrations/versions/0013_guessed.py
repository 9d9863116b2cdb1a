"""A place that was guessed from an upload's wording is told from one where the file lies."""

from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add the column; so far only uploads had guessed places."""
    op.execute("ALTER TABLE places ADD COLUMN guessed BOOLEAN NOT NULL DEFAULT 0")
    op.execute("UPDATE places SET guessed = 1 WHERE place LIKE 'upload:%'")
