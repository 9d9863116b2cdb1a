"""What a conversation was about last is kept under another name; what stood under the former one goes."""

from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Delete the former state of all users."""
    op.execute("DELETE FROM user_state WHERE name = 'chat.lately'")
