"""Facts whose relations are wordings of one ("lives in", "resides in") say the same.

What was kept in two wordings stays two facts.
"""

from alembic import op
from sqlalchemy import bindparam, text

from memory.contradiction import canonical
from memory.folding import fold
from memory.records.facts import digest_of

revision = "0009"
down_revision = "0008"

_RELATIONS = text("SELECT DISTINCT relation FROM facts WHERE kind = 'triple'")
_FACTS = text("SELECT id, kind, relation, object FROM facts WHERE kind = 'triple' AND relation IN :reworded")
_SET = text("UPDATE OR IGNORE facts SET digest = :digest WHERE id = :id")


def upgrade() -> None:
    """Write the digests of such facts again."""
    connection = op.get_bind()
    reworded = [name for name in connection.execute(_RELATIONS).scalars() if canonical(name) != fold(name)]
    facts = connection.execute(_FACTS.bindparams(bindparam("reworded", expanding=True)), {"reworded": reworded}).all()
    rows = [{"id": fact.id, "digest": digest_of(fact.kind, fact.relation, fact.object)} for fact in facts]
    if rows:
        connection.execute(_SET, rows)
