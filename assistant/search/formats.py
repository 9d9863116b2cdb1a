"""Formats: how evidence is put into words for the prompt (KnowGPT, section 3.2)."""

from collections.abc import Callable, Sequence

from assistant.types import Evidence

Format = Callable[[Sequence[Evidence]], str]


def triples(evidence: Sequence[Evidence]) -> str:
    """One numbered line each: `[1] Peru | capital | Lima`, or `[2] notes.md: the passage`."""
    return "\n".join(f"[{item.id}] {line(item)}" for item in evidence)


def line(item: Evidence) -> str:
    """One piece of evidence on one line, without its number."""
    text = " ".join(item.text.split())
    if item.object and item.object != item.text:
        fact = f"{item.subject} | {item.relation} | {item.object}"
        return f"{fact} ({text})" if text else fact
    return f"{item.subject}: {text}" if text else f"{item.subject} | {item.relation}"


FORMATS: dict[str, Format] = {"triples": triples}
