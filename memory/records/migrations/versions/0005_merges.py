"""An entity may stand for others that were found to be the same."""

from alembic import op

revision = "0005"
down_revision = "0004"

_SCHEMA = (
    """
    ALTER TABLE entities ADD COLUMN merged_into INTEGER REFERENCES entities (id)
    """,
    """
    ALTER TABLE entities ADD COLUMN merged_at BIGINT
    """,
    """
    ALTER TABLE entities ADD COLUMN survivor_id INTEGER REFERENCES entities (id)
    """,
    """
    CREATE INDEX entities_merged_into ON entities (merged_into) WHERE merged_into IS NOT NULL
    """,
    """
    CREATE INDEX entities_survivor ON entities (survivor_id) WHERE survivor_id IS NOT NULL
    """,
    """
    CREATE INDEX entities_merged ON entities (user_id) WHERE merged_into IS NOT NULL
    """,
)


def upgrade() -> None:
    """Add the columns and their indexes."""
    for statement in _SCHEMA:
        op.execute(statement)
