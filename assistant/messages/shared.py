"""What is said in several places: yes and no, numbers of things, and what knowledge bases are called."""

from assistant.messages import Phrase, say

FACTS = Phrase("{n} fact", "{n} facts")
PASSAGES = Phrase("{n} passage", "{n} passages")
SOURCES = Phrase("{n} source", "{n} sources")
NOT_INDEXED = Phrase(
    "Not indexed by meaning yet, and so found by their words alone: {n} record.",
    "Not indexed by meaning yet, and so found by their words alone: {n} records.",
)
_YES, _NO = Phrase("yes"), Phrase("no")
_VERDICT = Phrase("{verdict}: {reason}.")
# What the user knows our own knowledge bases by.
_KNOWLEDGE_BASES = {
    "personal": Phrase("your memory"),
    "tables": Phrase("your tables"),
    "documents": Phrase("your documents"),
    "world": Phrase("built-in knowledge"),
    "wikipedia": Phrase("Wikipedia"),
    "wikidata": Phrase("Wikidata"),
    "cn-dbpedia": Phrase("CN-DBpedia"),
}


def yes_or_no(language: str, is_so: bool) -> str:
    """The bare word."""
    return say(language, _YES if is_so else _NO)


def verdict(language: str, is_so: bool, reason: str) -> str:
    """Yes or no, and why, as a sentence."""
    return say(language, _VERDICT, verdict=yes_or_no(language, is_so).capitalize(), reason=reason)


def knowledge_base(language: str, name: str) -> str:
    """What a knowledge base is called; one that the user has added as they named it."""
    ours = _KNOWLEDGE_BASES.get(name)
    return say(language, ours) if ours else name
