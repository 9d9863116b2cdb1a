"""The first schema."""

from alembic import op

revision = "0001"
down_revision = None

_SCHEMA = (
    """
    CREATE TABLE installation_state (
        name TEXT NOT NULL,
        value JSON NOT NULL,
        PRIMARY KEY (name)
    )
    """,
    """
    CREATE TABLE users (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        UNIQUE (name)
    )
    """,
    """
    CREATE TABLE conversations (
        user_id INTEGER NOT NULL,
        id TEXT NOT NULL,
        title TEXT NOT NULL,
        updated BIGINT NOT NULL,
        PRIMARY KEY (user_id, id),
        FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
    )
    """,
    """
    CREATE TABLE entities (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        user_id INTEGER NOT NULL,
        name TEXT NOT NULL,
        embedded BOOLEAN DEFAULT 0 NOT NULL,
        FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
    )
    """,
    """
    CREATE INDEX entities_not_embedded ON entities (user_id) WHERE embedded = 0
    """,
    """
    CREATE INDEX entities_user ON entities (user_id, name)
    """,
    """
    CREATE TABLE sources (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        user_id INTEGER NOT NULL,
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        digest TEXT NOT NULL,
        text TEXT NOT NULL,
        added BIGINT NOT NULL,
        state TEXT NOT NULL,
        error TEXT DEFAULT '' NOT NULL,
        FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
    )
    """,
    """
    CREATE UNIQUE INDEX sources_document ON sources (user_id, digest) WHERE kind = 'document'
    """,
    """
    CREATE TABLE user_state (
        user_id INTEGER NOT NULL,
        name TEXT NOT NULL,
        value JSON NOT NULL,
        PRIMARY KEY (user_id, name),
        FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
    )
    """,
    """
    CREATE TABLE facts (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        user_id INTEGER NOT NULL,
        kind TEXT NOT NULL,
        subject_id INTEGER NOT NULL,
        relation TEXT NOT NULL,
        object TEXT NOT NULL,
        object_id INTEGER,
        object_folded TEXT,
        digest BLOB NOT NULL,
        learned BIGINT NOT NULL,
        valid_from BIGINT,
        valid_to BIGINT,
        embedded BOOLEAN DEFAULT 0 NOT NULL,
        FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
        FOREIGN KEY(subject_id) REFERENCES entities (id),
        FOREIGN KEY(object_id) REFERENCES entities (id)
    )
    """,
    """
    CREATE UNIQUE INDEX facts_current ON facts (subject_id, digest) WHERE valid_to IS NULL
    """,
    """
    CREATE INDEX facts_loose_object ON facts (user_id, object_folded) WHERE object_id IS NULL
    """,
    """
    CREATE INDEX facts_not_embedded ON facts (user_id) WHERE embedded = 0
    """,
    """
    CREATE INDEX facts_object ON facts (object_id) WHERE object_id IS NOT NULL
    """,
    """
    CREATE INDEX facts_subject ON facts (subject_id)
    """,
    """
    CREATE INDEX facts_user ON facts (user_id, learned)
    """,
    """
    CREATE TABLE messages (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        user_id INTEGER NOT NULL,
        conversation_id TEXT NOT NULL,
        role TEXT NOT NULL,
        content TEXT NOT NULL,
        at BIGINT NOT NULL,
        details JSON NOT NULL,
        FOREIGN KEY(user_id, conversation_id) REFERENCES conversations (user_id, id) ON DELETE CASCADE
    )
    """,
    """
    CREATE INDEX messages_conversation ON messages (user_id, conversation_id)
    """,
    """
    CREATE TABLE names (
        entity_id INTEGER NOT NULL,
        name TEXT NOT NULL,
        source_id INTEGER NOT NULL,
        user_id INTEGER NOT NULL,
        folded TEXT NOT NULL,
        PRIMARY KEY (entity_id, name, source_id),
        FOREIGN KEY(entity_id) REFERENCES entities (id) ON DELETE CASCADE,
        FOREIGN KEY(source_id) REFERENCES sources (id) ON DELETE CASCADE,
        FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
    )
    """,
    """
    CREATE INDEX names_folded ON names (user_id, folded)
    """,
    """
    CREATE INDEX names_source ON names (source_id)
    """,
    """
    CREATE TABLE passages (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        user_id INTEGER NOT NULL,
        source_id INTEGER NOT NULL,
        text TEXT NOT NULL,
        heading TEXT NOT NULL,
        start INTEGER NOT NULL,
        "end" INTEGER NOT NULL,
        state TEXT NOT NULL,
        embedded BOOLEAN DEFAULT 0 NOT NULL,
        UNIQUE (source_id, start, "end"),
        FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE,
        FOREIGN KEY(source_id) REFERENCES sources (id) ON DELETE CASCADE
    )
    """,
    """
    CREATE INDEX passages_not_embedded ON passages (user_id) WHERE embedded = 0
    """,
    """
    CREATE TABLE fact_sources (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        fact_id INTEGER NOT NULL,
        passage_id INTEGER NOT NULL,
        start INTEGER NOT NULL,
        "end" INTEGER NOT NULL,
        UNIQUE (fact_id, passage_id, start, "end"),
        FOREIGN KEY(fact_id) REFERENCES facts (id) ON DELETE CASCADE,
        FOREIGN KEY(passage_id) REFERENCES passages (id) ON DELETE CASCADE
    )
    """,
    """
    CREATE INDEX fact_sources_passage ON fact_sources (passage_id)
    """,
    """
    CREATE VIRTUAL TABLE words USING fts5(terms, tokenize = 'porter unicode61 remove_diacritics 0')
    """,
)


def upgrade() -> None:
    """Create every table."""
    for statement in _SCHEMA:
        op.execute(statement)
