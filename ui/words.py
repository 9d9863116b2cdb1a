"""Numbers in words."""


def counted(number: int, noun: str) -> str:
    """As in "1 fact", "2,000 facts", "3 entries"."""
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{number:,} {noun if number == 1 else plural}"


def time_left(seconds: float) -> str:
    """An estimate, as in "about 3 min left"."""
    if seconds < 10:
        return "a few seconds left"
    if seconds < 90:
        return f"about {round(seconds / 10) * 10} s left"
    if seconds < 90 * 60:
        return f"about {round(seconds / 60)} min left"
    return f"about {round(seconds / 3600)} h left"
