"""Saved conversations of one user."""

import re
import uuid
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, delete, func, or_, select, update
from sqlalchemy.dialects.sqlite import insert

from memory.errors import NothingThere, UserMistake
from memory.folding import terms
from memory.records.database import Database, State
from memory.records.tables import conversations, messages, user_state
from memory.records.within import within
from memory.sweeping import Sweeping
from memory.types import SavedMessage, SessionInfo

_TITLE = 60  # characters
LEARNED = "learned:"  # begins the names of what was learned from the user's conversations
THUMBS = "feedback:"  # with the id of a session, the name of what its user thinks of its answers
SPOKEN_OF = "chat.spoken_of"  # what conversations were about last, by the ids of their sessions
ASKED = "chat.asked"  # what the last answers of conversations ask about before it is forgotten, likewise
# A character that `fold` may make another one of than its small letter: anything but ASCII, ideographs and punctuation.
_MARKED = "*[^\x01-~\u2010-\u2027\u3000-\u303f\u3400-\u9fff\uff01-\uff0f\uff1a-\uff1f]*"
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


_Infos = list[SessionInfo]  # within the class, `list` is its method
_Messages = list[SavedMessage]
_Thumb = Mapping[str, object]
_Thumbs = list[_Thumb]


class Sessions:
    """The conversations of one user; what is not theirs is not there."""

    def __init__(self, database: Database, user_id: int, sweeping: Sweeping) -> None:
        self._database = database
        self._user_id = user_id
        self._state = State(database, user_id)
        self._sweeping = sweeping

    def new(self, session_id: str | None = None) -> SessionInfo:
        """Begin a conversation; with the id of one that is there, that one goes on.

        Raises:
            UserMistake: `session_id` has characters that an id cannot have.
        """
        session_id = uuid.uuid4().hex if session_id is None else session_id
        if not _ID.fullmatch(session_id):
            raise UserMistake(
                "“{session}” cannot name a session; use 1 to 64 letters, digits, dots and dashes.",
                session=session_id,
            )
        row = {"user_id": self._user_id, "id": session_id, "title": "", "updated": datetime.now(UTC)}
        with self._database.transaction() as connection:
            connection.execute(insert(conversations).values(row).on_conflict_do_nothing())
            return self._infos(connection, session_id)[0]

    def list(self, search: str = "") -> _Infos:
        """All conversations, the latest first; with `search`, those whose title or a message of which holds it."""
        with self._database.reading() as connection:
            return self._infos(connection, search=search)

    def info(self, session_id: str) -> SessionInfo:
        """What the list says of one conversation. Raises as `load`."""
        with self._database.reading() as connection:
            return self._check(connection, session_id)

    def load(self, session_id: str) -> _Messages:
        """The messages of a conversation in their order.

        Raises:
            NothingThere: there is no such conversation.
        """
        own = (messages.c.user_id == self._user_id) & (messages.c.conversation_id == session_id)
        with self._database.reading() as connection:
            self._check(connection, session_id)
            rows = connection.execute(select(messages).where(own).order_by(messages.c.id))
            return [SavedMessage(row.role, row.content, row.at, row.details) for row in rows]

    def saying(self, wanted: Collection[str], besides: str) -> set[str]:
        """Those of some terms, as `memory.folding.terms` gives them, that a message says of any conversation but one.

        Messages of plain letters and ideographs in which none of them stands as it is are passed over.
        """
        if not wanted:
            return set()
        own = (messages.c.user_id == self._user_id) & (messages.c.conversation_id != besides)
        said = or_(messages.c.content.op("GLOB")(_MARKED), *(within(term, messages.c.content) for term in wanted))
        with self._database.reading() as connection:
            found = connection.execute(select(messages.c.content).where(own, said)).scalars()
            return {term for content in found for term in terms(content)} & set(wanted)

    def append(self, session_id: str, message: SavedMessage) -> None:
        """Add a message; the first one of the user gives the conversation its title. Raises as `load`."""
        with self._database.transaction() as connection:
            self.append_within(connection, session_id, message)

    def append_within(self, connection: Connection, session_id: str, message: SavedMessage) -> None:
        """As `append`, together with whatever else the transaction writes."""
        row = {"role": message.role, "content": message.content, "at": message.at, "details": message.details}
        info = self._check(connection, session_id)
        connection.execute(insert(messages).values(user_id=self._user_id, conversation_id=session_id, **row))
        title = info.title or (_title(message.content) if message.role == "user" else "")
        connection.execute(self._this(session_id).values(title=title, updated=message.at))

    def thumbs(self, session_id: str) -> dict[int, _Thumb]:
        """What the user thinks of the messages, by their places."""
        return {int(place): thumb for place, thumb in self._state.get(THUMBS + session_id, {}).items()}

    def all_thumbs(self) -> _Thumbs:
        """What the user thinks of the messages of all conversations, in no order."""
        own = (user_state.c.user_id == self._user_id) & user_state.c.name.startswith(THUMBS)
        with self._database.reading() as connection:
            values = connection.execute(select(user_state.c.value).where(own)).scalars().all()
        return [thumb for thumbs in values for thumb in thumbs.values()]

    def rate(self, session_id: str, place: int, thumb: _Thumb | None) -> None:
        """Keep what the user thinks of a message, as JSON values; None takes it back. Raises as `load`."""
        with self._database.transaction() as connection:
            self._check(connection, session_id)
            others = {at: other for at, other in self.thumbs(session_id).items() if at != place}
            self._keep_thumbs(connection, session_id, others if thumb is None else {**others, place: thumb})

    def cut(self, session_id: str, keep: int) -> None:
        """Remove all but the first `keep` messages and their thumbs, as Undo and Retry do. Raises as `load`."""
        with self._database.transaction() as connection:
            self.cut_within(connection, session_id, keep)

    def cut_within(self, connection: Connection, session_id: str, keep: int) -> None:
        """As `cut`, together with whatever else the transaction writes."""
        own = (messages.c.user_id == self._user_id) & (messages.c.conversation_id == session_id)
        self._check(connection, session_id)
        kept = select(messages.c.id).where(own).order_by(messages.c.id).limit(keep)
        connection.execute(delete(messages).where(own, messages.c.id.not_in(kept)))
        thumbs = self.thumbs(session_id)
        self._keep_thumbs(connection, session_id, {at: thumb for at, thumb in thumbs.items() if at < keep})

    def rename(self, session_id: str, title: str) -> None:
        """Give a conversation another title. Raises as `load`."""
        with self._database.transaction() as connection:
            self._check(connection, session_id)
            connection.execute(self._this(session_id).values(title=_title(title)))

    def delete(self, session_id: str) -> None:
        """Remove a conversation and its thumbs, also from the disk's free pages. Raises as `load`."""
        self._database.reserve.give_up()
        with self._database.transaction() as connection:
            self._check(connection, session_id)
            own = (conversations.c.user_id == self._user_id) & (conversations.c.id == session_id)
            connection.execute(delete(conversations).where(own))
            for name in (SPOKEN_OF, ASKED):
                about: dict[str, Any] = self._state.get(name, {})
                if about.pop(session_id, None):
                    self._state.set_within(connection, name, about)
            self._keep_thumbs(connection, session_id, {})
            self._sweeping.mark_records(connection)
        self._sweeping.go_on(0)

    def _keep_thumbs(self, connection: Connection, session_id: str, thumbs: Mapping[int, _Thumb]) -> None:
        name = THUMBS + session_id
        if thumbs:
            self._state.set_within(connection, name, {str(place): dict(thumb) for place, thumb in thumbs.items()})
        else:
            own = (user_state.c.user_id == self._user_id) & (user_state.c.name == name)
            connection.execute(delete(user_state).where(own))

    def _this(self, session_id: str) -> Any:
        return update(conversations).where(conversations.c.user_id == self._user_id, conversations.c.id == session_id)

    def _check(self, connection: Connection, session_id: str) -> SessionInfo:
        found = self._infos(connection, session_id)
        if not found:
            raise NothingThere("There is no session “{session}”.", session=session_id)
        return found[0]

    def _infos(self, connection: Connection, session_id: str | None = None, search: str = "") -> _Infos:
        own = (messages.c.user_id == conversations.c.user_id) & (messages.c.conversation_id == conversations.c.id)
        count = select(func.count()).select_from(messages).where(own).correlate(conversations).scalar_subquery()
        query = select(conversations, count.label("messages")).where(conversations.c.user_id == self._user_id)
        if session_id is not None:
            query = query.where(conversations.c.id == session_id)
        if search:
            said = select(messages.c.id).where(own, within(search, messages.c.content))
            query = query.where(within(search, conversations.c.title) | said.exists())
        rows = connection.execute(query.order_by(conversations.c.updated.desc(), conversations.c.id))
        return [SessionInfo(row.id, row.title, row.updated, row.messages) for row in rows]


def remove_conversations(connection: Connection, user_id: int) -> int:
    """Remove all conversations of a user, and what is kept of them and was learned from them; how many there were."""
    names = [user_state.c.name.startswith(prefix) for prefix in (THUMBS, LEARNED)]
    names.append(user_state.c.name.in_((SPOKEN_OF, ASKED)))
    connection.execute(delete(user_state).where(user_state.c.user_id == user_id, or_(*names)))
    return connection.execute(delete(conversations).where(conversations.c.user_id == user_id)).rowcount


def _title(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _TITLE else line[: _TITLE - 1].rstrip() + "…"
