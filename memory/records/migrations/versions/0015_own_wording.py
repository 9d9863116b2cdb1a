"""Facts say the same where they say it in the same words: no list of relations that mean the same stands behind it.

What was kept as one fact stays one.
"""

from alembic import op
from sqlalchemy import text

from memory.records.facts import digest_of

revision = "0015"
down_revision = "0014"

_FACTS = text("SELECT id, kind, relation, object, digest FROM facts WHERE kind = 'triple'")
_SET = text("UPDATE OR IGNORE facts SET digest = :digest WHERE id = :id")
_AT_ONCE = 10_000


def upgrade() -> None:
    """Write the digests that were made of another wording again."""
    connection = op.get_bind()
    facts = connection.execute(_FACTS).all()
    for place in range(0, len(facts), _AT_ONCE):
        digests = [(row, digest_of(row.kind, row.relation, row.object)) for row in facts[place : place + _AT_ONCE]]
        changed = [{"id": row.id, "digest": digest} for row, digest in digests if digest != row.digest]
        if changed:
            connection.execute(_SET, changed)
