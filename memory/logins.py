"""Who is logged in: a row for each login, until it is ended, was not used for long, or is old."""

import hashlib
import hmac
import secrets
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from sqlalchemy import delete, insert, or_, select, update

from memory.errors import Failure
from memory.records.database import Database, State
from memory.records.tables import logins, users
from memory.records.users import checked_name, user_number

UNUSED = timedelta(days=7)  # since the last request; an open page makes one every few seconds
LONGEST = timedelta(days=30)  # since the password was given
_SEEN_EVERY = timedelta(minutes=1)
_PASSWORD = "login.password"  # names what the password of the installation is known by
_SCRYPT = {"n": 2**14, "r": 8, "p": 1}


class Logins:
    """The logins of all users. Of a token only the hash is kept, so that what lies on the disk opens nothing."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, user: str) -> str:
        """Log a user in, who is added where there is none; the token that says so from now on.

        Raises:
            UserMistake: `user` cannot be a name.
            Failure: the disk is full.
        """
        token, now = secrets.token_urlsafe(32), datetime.now(UTC)
        with self._database.transaction() as connection:
            over = or_(logins.c.expires <= now, logins.c.last_seen <= now - UNUSED)
            connection.execute(delete(logins).where(over))
            row = {
                "user_id": user_number(connection, checked_name(user)),
                "token_hash": _hash(token),
                "created": now,
                "last_seen": now,
                "expires": now + LONGEST,
            }
            connection.execute(insert(logins).values(row))
        return token

    def user(self, token: str) -> str | None:
        """The user whom a token logs in; None where it does not, or no longer."""
        now = datetime.now(UTC)
        lasting = (logins.c.expires > now) & (logins.c.last_seen > now - UNUSED)
        query = select(users.c.name, logins.c.id, logins.c.last_seen).join(users, users.c.id == logins.c.user_id)
        with self._database.reading() as connection:
            row = connection.execute(query.where(logins.c.token_hash == _hash(token), lasting)).first()
        if row is None:
            return None
        if now - row.last_seen >= _SEEN_EVERY:
            self._saw(row.id, now)
        return str(row.name)

    def end(self, token: str) -> None:
        """Log out; nothing happens where nobody is logged in by the token. Raises Failure where the disk is full."""
        with self._database.transaction() as connection:
            connection.execute(delete(logins).where(logins.c.token_hash == _hash(token)))

    def only_by(self, password: str) -> None:
        """End all logins if `password` is another one than it was the last time.

        Raises:
            Failure: the disk is full.
        """
        state = State(self._database)
        known = state.get(_PASSWORD)
        if known is not None:
            same = _slow_hash(password, bytes.fromhex(known["salt"]))
            if hmac.compare_digest(same, bytes.fromhex(known["hash"])):
                return
        salt = secrets.token_bytes(16)
        kept = {"salt": salt.hex(), "hash": _slow_hash(password, salt).hex()}
        with self._database.transaction() as connection:
            connection.execute(delete(logins))
            state.set_within(connection, _PASSWORD, kept)

    def _saw(self, login_id: int, now: datetime) -> None:
        """Note that a login is in use; not while something else is written, since a request would wait for its end."""
        if self._database.writing.acquire(blocking=False):
            try:
                with suppress(Failure), self._database.transaction() as connection:
                    connection.execute(update(logins).where(logins.c.id == login_id).values(last_seen=now))
            finally:
                self._database.writing.release()


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode(errors="surrogateescape")).digest()


def _slow_hash(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, **_SCRYPT)
