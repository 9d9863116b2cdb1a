"""Alembic's environment: the connection is handed over by `memory.records.database.migrate`."""

from alembic import context

from memory.records.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
