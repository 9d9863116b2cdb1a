"""Many values in one query."""

import json
from collections.abc import Iterable
from typing import Any

from sqlalchemy import BindParameter, Column, ColumnElement, bindparam, column, text


def among(column_: Column[Any], values: Iterable[int | str]) -> ColumnElement[bool]:
    """Whether a column has one of these values, however many those are: SQLite's bound parameters are limited."""
    listed: BindParameter[str] = bindparam("listed", json.dumps(list(values)), unique=True)
    # As text: to put the same together out of functions takes longer than most queries do.
    return column_.in_(text("SELECT value FROM json_each(:listed)").bindparams(listed).columns(column("value")))
