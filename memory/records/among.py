"""Many values in one query."""

import json
from collections.abc import Iterable
from typing import Any

from sqlalchemy import BindParameter, Column, ColumnElement, bindparam, column, text

# As text: to put the same together out of functions takes longer than most queries do.
_LISTED = "SELECT value FROM json_each(:listed)"


def among(column_: Column[Any], values: Iterable[int | str]) -> ColumnElement[bool]:
    """Whether a column has one of these values, however many those are: SQLite's bound parameters are limited."""
    listed_: BindParameter[str] = bindparam("listed", listed(values), unique=True)
    return column_.in_(text(_LISTED).bindparams(listed_).columns(column("value")))


def among_listed(column_: Column[Any]) -> ColumnElement[bool]:
    """As `among`, for a query that is put together once and run with the values as `listed`."""
    return column_.in_(text(_LISTED).columns(column("value")))


def listed(values: Iterable[int | str]) -> str:
    """Values as `among_listed` wants them."""
    return json.dumps(list(values))
