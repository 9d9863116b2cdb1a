"""A passage says on which page it begins. Of what was read before, nobody knows."""

from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Add the column."""
    op.execute("ALTER TABLE passages ADD COLUMN page INTEGER NOT NULL DEFAULT 0")
