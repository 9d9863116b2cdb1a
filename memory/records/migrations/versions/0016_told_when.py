"""Each place that a fact rests on keeps when the fact began by it, and whether that was still to come.

Until now that was read from its words again. Of what a home made before has, the only place of a fact tells what is
known of it, and of several those that name the year.
"""

from alembic import op

revision = "0016"
down_revision = "0015"

_SCHEMA = (
    """
    ALTER TABLE fact_sources ADD COLUMN since BIGINT
    """,
    """
    ALTER TABLE fact_sources ADD COLUMN ahead BOOLEAN NOT NULL DEFAULT 0
    """,
    """
    UPDATE fact_sources SET since = (
        SELECT valid_from FROM facts, passages
        WHERE facts.id = fact_sources.fact_id AND passages.id = fact_sources.passage_id AND (
            (SELECT count(*) FROM fact_sources AS place WHERE place.fact_id = facts.id) = 1
            OR instr(
                substr(passages.text, fact_sources.start - passages.start + 1, fact_sources.end - fact_sources.start),
                strftime('%Y', valid_from / 1000000, 'unixepoch')
            ) > 0
        )
    )
    """,
    """
    UPDATE fact_sources SET ahead = 1 WHERE since > (
        SELECT added FROM passages JOIN sources ON sources.id = passages.source_id WHERE passages.id = passage_id
    )
    """,
)


def upgrade() -> None:
    """Add the columns."""
    for statement in _SCHEMA:
        op.execute(statement)
