"""A changed file takes the place of what it was before: once it is read, and not a moment earlier.

Which file it is, its place says: its path or its address. Of an upload only the name is known, and many files share
one; so an upload is taken for an earlier document of its name only where most of their wording is the same, and until
it is read, the user may say that it is another: two bills of one form have more than half of it in common.
"""

from collections.abc import Collection

from sqlalchemy import Connection

from memory.passages import sentences
from memory.records import library, places
from memory.records.forgetting import Gone, remove
from memory.records.keys import SOURCE, key
from memory.records.selection import Chosen
from memory.redaction import redact
from memory.resemblance import resemblance

SAME_FILE = 0.7


def earlier_state(connection: Connection, user_id: int, new: library.NewSource, beside: Collection[int]) -> int | None:
    """The number of the document that an upload is a later state of; None where it is the first.

    `beside` are the numbers of documents of the same upload, which are other files, whatever their names.
    """
    earlier = [
        (resemblance(text, new.text), source_id)
        for source_id, text in places.latest_called(connection, user_id, new.name)
        if source_id not in beside
    ]
    alike, source_id = max(earlier, default=(0.0, 0))
    return source_id if alike >= SAME_FILE else None


def replace(connection: Connection, user_id: int, source_id: int) -> Gone | None:
    """Remove what a document that is read to its end replaces; None where that is nothing.

    Conversations lose what went with it, but for what the document still says.
    """
    old = places.take_over(connection, user_id, source_id)
    if not old:
        return None
    gone = remove(connection, user_id, Chosen(sources=old))
    text = library.source_text(connection, user_id, key(SOURCE, source_id))
    told = {held[span.start : span.end] for held in gone.texts for span in sentences(held, 0, len(held))}
    told -= {
        text[span.start : span.end] for span in sentences(text, 0, len(text))
    }  # most stay: quicker than to look for
    texts, values = {said for said in told if said not in text}, {v for v in gone.values if v not in text}
    redact(connection, user_id, texts, values, sources=gone.said_in | {source_id})
    return gone
