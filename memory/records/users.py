"""Users: a name for people, a number for everything else."""

from typing import Any

from sqlalchemy import Connection, or_, select
from sqlalchemy.dialects.sqlite import insert

from memory.errors import UserMistake
from memory.records.tables import conversations, sources, user_state, users

_LONGEST = 64  # characters


def checked_name(name: str) -> str:
    """The name, without spaces around it.

    Raises:
        UserMistake: it is empty or too long, or has characters that cannot be seen.
    """
    name = name.strip()
    if not 1 <= len(name) <= _LONGEST or not name.isprintable():
        raise UserMistake(
            "“{name}” cannot be a user's name; use 1 to {most} letters, digits or signs.", name=name[:80], most=_LONGEST
        )
    return name


def user_number(connection: Connection, name: str) -> int:
    """The number of the user of this name, who is added where there is none."""
    connection.execute(insert(users).values(name=name).on_conflict_do_nothing())
    return int(connection.execute(select(users.c.id).where(users.c.name == name)).scalar_one())


def users_values(connection: Connection, name: str) -> dict[str, Any]:
    """The lasting values of this name, by user."""
    query = select(users.c.name, user_state.c.value).join(user_state, user_state.c.user_id == users.c.id)
    return {row.name: row.value for row in connection.execute(query.where(user_state.c.name == name))}


def all_users(connection: Connection) -> list[str]:
    """Those who have something here: a source, a conversation or a setting."""
    has = [users.c.id.in_(select(table.c.user_id)) for table in (sources, conversations, user_state)]
    return list(connection.execute(select(users.c.name).where(or_(*has)).order_by(users.c.name)).scalars())
