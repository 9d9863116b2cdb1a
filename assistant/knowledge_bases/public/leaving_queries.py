"""A generated SPARQL query as it leaves for a public service: without what tells that service nothing.

Comments are left out, and variables and blank nodes get names of no meaning. What is left that a writer chooses freely
has to pass the gate: strings, with their language or datatype, numbers, and those IRIs that neither the knowledge
base's own bank of queries has nor the service itself gave.
"""

import re
from dataclasses import dataclass, field

from assistant.knowledge_bases.public.outgoing import Outgoing, is_long_number
from assistant.knowledge_bases.sparql.text import Token, tokens

_LANGUAGE = re.compile(r"@[a-zA-Z]{2,3}(?:-[a-zA-Z]{2,4})?")
_ID = re.compile(r"[A-Z]{1,2}\d{1,10}")  # of an item, as Q42
_BOUNDARY = re.compile(r"(?<=\d{4})-(?:01-01|12-31)(?=$|T)|T(?:00:00:00|23:59:59)(?:\.0+)?Z?$")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Leaving:
    """The query as it may be sent, and the names of its variables there with those that they have here.

    `held` is what keeps it from being sent, with the `reason`; empty where it may be.
    """

    query: str = ""
    variables: dict[str, str] = field(default_factory=dict)
    held: str = ""
    reason: str = ""


def leaving(sparql: str, outgoing: Outgoing, known: str) -> Leaving:
    """The query as it leaves; `known` is text in which the IRIs stand, as they are written, that may leave anyway.

    Raises:
        QueryRefused: it cannot be read.
    """
    written: list[str] = []
    names: dict[str, str] = {}
    end = 0
    for token in tokens(sparql):
        if reason := _reason(token, outgoing, known):
            return Leaving(held=token.text, reason=reason)
        written.append(" " if token.start > end else "")  # in place of comments, too
        written.append(_renamed(token, names))
        end = token.end
    return Leaving("".join(written), {new[1:]: old[1:] for old, new in names.items() if old[0] in "?$"})


def _renamed(token: Token, names: dict[str, str]) -> str:
    if token.kind == "variable":
        return names.setdefault(f"?{token.text[1:]}", f"?v{len(names)}")
    if token.kind == "blank":
        return names.setdefault(token.text, f"_:b{len(names)}")
    return token.text


def _reason(token: Token, outgoing: Outgoing, known: str) -> str:
    """Why a token may not leave; empty where it may."""
    if token.kind == "string":
        suffix = token.suffix
        if suffix.startswith("^^"):
            datatype = tokens(suffix[2:])[0]
            if reason := _reason_of_iri(datatype, outgoing, known):
                return reason
        elif suffix and not _LANGUAGE.fullmatch(suffix):
            return "which is no language"
        return outgoing.reason_to_hold(_BOUNDARY.sub("", token.value))
    if token.kind == "number":
        return "a long number" if is_long_number(token.text) else outgoing.reason_of_words(token.text)
    if token.kind in ("iri", "name"):
        return _reason_of_iri(token, outgoing, known)
    return ""


def _reason_of_iri(token: Token, outgoing: Outgoing, known: str) -> str:
    text = token.text
    if text in known or token.value in known:
        return ""
    cut = max(text.rfind(mark) for mark in "/#:") + 1
    space, local = text[:cut], text[cut:].rstrip(">")
    if space not in known and (reason := _reason_of_words(space, outgoing)):
        return reason
    if _ID.fullmatch(local):
        return outgoing.reason_of_words(local)
    return _reason_of_words(local, outgoing)


def _reason_of_words(text: str, outgoing: Outgoing) -> str:
    words = re.sub(r"[\W_]+", " ", _CAMEL.sub(" ", re.sub("%[0-9A-Fa-f]{2}", " ", text))).strip()
    return outgoing.reason_to_hold(words) if words else ""
