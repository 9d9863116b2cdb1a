"""Which mentions are one entity: by exact name, folded name and alias; conservative, and without a model.

Two things of one name are taken for one, unless two documents describe them in entirely different words.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from memory.folding import STOP_WORDS, fold, terms
from memory.types import THE_USER, Extraction, FactKind

# What users call themselves in their own memory, folded.
USER_NAMES = frozenset(fold(name) for name in (THE_USER.name, *THE_USER.aliases))

_LEAST_DESCRIPTION = 3  # terms; shorter ones say too little to tell namesakes apart
_PRONOUNS = "he she it they him her them his hers its their theirs this that these those one ones we us our you your"
_PRONOUNS += " 他 她 它 他们 她们 它们 此 该 其 彼 彼女 彼ら 彼女ら それ これ"
_NO_NAMES = frozenset(map(fold, _PRONOUNS.split()))


@dataclass(slots=True)
class Named:
    """Something that a passage names: its name there, its other names, what the passage says that it is."""

    name: str
    aliases: list[str] = field(default_factory=list)
    description: str = ""

    @property
    def keys(self) -> set[str]:
        """All its names, folded."""
        return {fold(name) for name in (self.name, *self.aliases)}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A known entity that shares a name with something named.

    `survivor` is the one that stands for it since it was merged, or itself. `here` says that the source at hand already
    speaks of it; `facts` counts what is known.
    """

    id: int
    survivor: int
    name: str
    names: tuple[str, ...]
    descriptions: tuple[str, ...]
    facts: int
    here: bool

    @property
    def keys(self) -> set[str]:
        """All its names, folded."""
        return {fold(name) for name in self.names}


def named_in(extraction: Extraction) -> dict[str, Named]:
    """What an extraction names, by each of its folded names: the mentions, and the statements' subjects."""
    found: dict[str, Named] = {}
    for mention in extraction.mentions:
        _add(found, mention.name, mention.aliases)
    for statement in extraction.statements:
        _add(found, statement.subject)
        if statement.kind is FactKind.DESCRIPTION:
            named = found.get(fold(statement.subject))
            if named is not None and not named.description:
                named.description = statement.object
    return found


def _add(found: dict[str, Named], name: str, aliases: Sequence[str] = ()) -> None:
    name = name.strip()
    if not name:
        return
    named = found.setdefault(fold(name), Named(name))
    for alias in (alias.strip() for alias in aliases):
        key = fold(alias)
        no_name = key in _NO_NAMES or (key in STOP_WORDS and name != THE_USER.name)  # "I" and "my" are the user's
        if not alias or no_name or found.setdefault(key, named) is not named:
            continue
        if alias != named.name and alias not in named.aliases:
            named.aliases.append(alias)


def is_pronoun(name: str) -> bool:
    """Whether a name is a word that stands for one."""
    return fold(name) in _NO_NAMES


def choose(named: Named, candidates: Iterable[Candidate], *, chat: bool) -> Candidate | None:
    """The known entity that `named` is, or None where it is a new one.

    An entity whose own name it is comes before one that has it as an alias; an alias that several share decides
    nothing. In the chat (`chat`) the user speaks of a world where a name means one thing.
    """
    possible = [
        candidate
        for candidate in candidates
        if chat
        or candidate.here
        or not told_apart(named.description, candidate.descriptions, (named.name, *named.aliases, *candidate.names))
    ]
    own = [candidate for candidate in possible if fold(candidate.name) in named.keys]
    if own:
        return max(own, key=lambda c: (fold(c.name) == fold(named.name), c.here, c.facts, -c.id))
    shared = [candidate for candidate in possible if candidate.keys & named.keys]
    return shared[0] if len({candidate.survivor for candidate in shared}) == 1 else None


def told_apart(description: str, known: Sequence[str], names: Iterable[str]) -> bool:
    """Whether the descriptions have no word in common but those of `names`, though each says enough."""
    of_names = {term for name in names for term in terms(name)}
    words, *others = ({*filter(_says_something, terms(text))} - of_names for text in (description, *known))
    if len(words) < _LEAST_DESCRIPTION or not others:
        return False
    return all(len(other) >= _LEAST_DESCRIPTION and not words & other for other in others)


def _says_something(term: str) -> bool:
    """Whether a term is more than the seam between two Chinese words, as the end of a name with 是 is."""
    return term.isascii() or STOP_WORDS.isdisjoint(term)
