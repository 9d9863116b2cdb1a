"""The records: everything that lasts, in one SQLite file, and the only SQL.

`tables` is the schema, `database` opens, migrates and wipes the file; `library` holds sources and passages, `entities`
and `facts` what was read out of them, `words` the keyword index, `pending` what the vector index still lacks,
`forgetting` what goes and what goes with it. Every function takes an open connection, so that a caller can do several
things in one transaction.
"""
