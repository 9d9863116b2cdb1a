"""Many values in one query."""

import json
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Column, ColumnElement, func, select


def among(column: Column[Any], values: Iterable[int | str]) -> ColumnElement[bool]:
    """Whether `column` is one of `values`, however many those are: SQLite's bound parameters are limited."""
    listed = func.json_each(json.dumps(list(values))).table_valued("value")
    return column.in_(select(listed.c.value))
