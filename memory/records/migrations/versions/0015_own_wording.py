"""Facts say the same where they say it in the same words: no list of relations that mean the same stands behind it.

What was kept as one fact stays one.
"""

from alembic import op
from sqlalchemy import text

from memory.records.facts import digest_of

revision = "0015"
down_revision = "0014"

_FACTS = text("SELECT id, kind, relation, object, digest FROM facts WHERE id > :last ORDER BY id LIMIT 10000")
_SET = text("UPDATE OR IGNORE facts SET digest = :digest WHERE id = :id")


def upgrade() -> None:
    """Write the digests that were made of another wording again."""
    connection, last = op.get_bind(), 0
    while rows := connection.execute(_FACTS, {"last": last}).all():
        last = rows[-1].id
        digests = [(row, digest_of(row.kind, row.relation, row.object)) for row in rows]
        changed = [{"id": row.id, "digest": digest} for row, digest in digests if digest != row.digest]
        if changed:
            connection.execute(_SET, changed)
