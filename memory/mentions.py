"""Where a text says certain words, to take them out of it."""

import re
from collections.abc import Iterable

_IDEOGRAPH = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")


def saying(phrases: Iterable[str]) -> re.Pattern[str] | None:
    """Finds any of these phrases as whole words, however they are spaced; None where there is none.

    A phrase of several words is found in any case, a single one as it is written or in capitals: "May" is not "may". A
    single character is no phrase: it says nothing by itself.
    """
    told = sorted({phrase.strip() for phrase in phrases if len(phrase.strip()) > 1}, key=len, reverse=True)
    return re.compile("|".join(map(_whole, told))) if told else None


def _whole(phrase: str) -> str:
    spaced = r"\s+".join(re.escape(word).replace("'", "['’]") for word in phrase.split())
    in_any_case = f"(?i:{spaced})" if " " in phrase else f"(?:{spaced}|{re.escape(phrase.upper())})"
    return f"{_edge(phrase[0], '(?<!')}{in_any_case}{_edge(phrase[-1], '(?!')}"


def is_proper(name: str) -> bool:
    """Whether a name tells its bearer apart: "Anna" and 安娜 do, "the boiler" does not."""
    return name != name.lower() or not name.isascii()


def _edge(character: str, looking: str) -> str:
    """Chinese has no spaces: a name in it may stand anywhere."""
    return rf"{looking}\w)" if character.isalnum() and not _IDEOGRAPH.match(character) else ""
