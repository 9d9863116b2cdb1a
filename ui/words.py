"""Numbers, lists and names in words."""

from collections.abc import Sequence

from assistant.messages.shared import knowledge_base

SHOWN = 12  # of a long list


def kb_name(name: str) -> str:
    """What the page calls a knowledge base; those that the user has added keep the name that they were given."""
    return knowledge_base("en", name)


def kb_heading(name: str) -> str:
    """The same where a line begins with it."""
    ours = kb_name(name)
    return name if ours == name else ours[:1].upper() + ours[1:]


def listed(names: Sequence[str]) -> str:
    """As in "one, two and three"."""
    return ", ".join(names[:-1]) + f" and {names[-1]}" if len(names) > 1 else "".join(names)


def some_of(values: Sequence[str]) -> str:
    """The first dozen of them, and how many more there are."""
    more = f" and {len(values) - SHOWN:,} more" if len(values) > SHOWN else ""
    return ", ".join(values[:SHOWN]) + more


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
