"""What one run of a program records: its calls, the evidence, and which entities its results stand for."""

from collections.abc import Sequence, Set
from dataclasses import dataclass, field

from assistant.bounded import TooMuch, plain
from assistant.messages import Phrase, Value, say
from assistant.types import Call, Certainty, Entity, Evidence, Triple
from memory.folding import fold

NOTHING_FOUND = "nothing found"
_SHOWN_RESULTS = 12
_QUALIFIER_CHARACTERS = 120
_MOST_EVIDENCE = 50_000  # triples and texts of one run
_LOGGED_CHARACTERS = 5_000_000  # of one run's calls


@dataclass
class RunRecord:
    """The record of a run on the knowledge base `kb`; `gaps` say what was left out, for which a result may be wrong.

    They are said in `language`, an ISO 639-1 code.
    """

    kb: str
    language: str = ""
    calls: list[Call] = field(default_factory=list)
    evidence: list[Evidence] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)
    _untold: list[str] = field(default_factory=list)
    _logged: int = 0  # characters
    _known: dict[str, list[Entity]] = field(default_factory=dict)
    _texts: set[str] = field(default_factory=set)
    _lists: dict[str, set[str]] = field(default_factory=dict)
    _origins: dict[frozenset[str], Sequence[Entity]] = field(default_factory=dict)

    def known(self, name: str) -> Sequence[Entity]:
        """The entities that a result stands for; none where it is no result, or a value."""
        return self._known.get(fold(name), ())

    def is_result(self, name: str) -> bool:
        """Whether an entity or a value of that name was found before."""
        return fold(name) in self._known

    def is_text(self, result: str) -> bool:
        """Whether a result is what a knowledge base says of an entity in prose, and so the name of nothing."""
        return result in self._texts

    def lists(self, result: str) -> Set[str]:
        """The values of which a result is an item; none for most."""
        return self._lists.get(fold(result), frozenset())

    def origin(self, names: Sequence[str]) -> Sequence[Entity]:
        """Where the call began whose results these are, all of them; nothing where it was none, or there were two."""
        return self._origins.get(frozenset(map(fold, names)), ())

    def reached_from(self, origin: Sequence[Entity], results: Sequence[str]) -> None:
        """Keep where a call began that came to these results."""
        reached = frozenset(map(fold, results))
        self._origins[reached] = origin if self._origins.get(reached, origin) == origin else ()

    def gap(self, phrase: Phrase, **values: Value) -> None:
        """Keep what was left out; the message of the call under way says so."""
        told = say(self.language, phrase, **values)
        if told not in self.gaps:
            self.gaps.append(told)
            self._untold.append(told)

    def log(
        self, function: str, arguments: Sequence[object], results: Sequence[str], there: str = "", taken: str = ""
    ) -> None:
        """Keep a call with its message (Algorithm 1).

        `there` is told where nothing was found, `taken` is what the last argument was taken to be.
        """
        names = [tuple(names_in_argument(argument, "argument")) for argument in arguments]
        given = tuple(a if isinstance(a, str) else listed for a, listed in zip(arguments, names, strict=True))
        shown = " – ".join(", ".join(listed) for listed in names)
        found = "; ".join(results[:_SHOWN_RESULTS]) if results else f"{NOTHING_FOUND}{there}"
        more = f" (and {len(results) - _SHOWN_RESULTS} more)" if len(results) > _SHOWN_RESULTS else ""
        gaps = "".join(f" ({gap})" for gap in self._untold)
        self._untold.clear()
        self._logged += len(shown) + len(found) + sum(map(len, results))
        if self._logged > _LOGGED_CHARACTERS:
            raise TooMuch("The program has asked for too much in all: look at fewer things.")
        self.calls.append(Call(function, given, f"{shown}{taken}: {found}{more}{gaps}", tuple(results)))

    def take(self, triple: Triple, certainty: Certainty, *, outgoing: bool = True) -> str:
        """Keep a triple as evidence; the result is the name at its other end, seen from its subject if `outgoing`.

        Raises:
            TooMuch: so much was found before that no more is kept.
        """
        name, entity_id = (triple.object, triple.object_id) if outgoing else (triple.subject, triple.subject_id)
        group = self._known.setdefault(fold(name), [])
        if entity_id is not None and (entity := Entity(self.kb, entity_id, name)) not in group:
            group.append(entity)
        self._keep(
            Evidence(
                id=0,
                kb=self.kb,
                subject=triple.subject,
                relation=triple.relation,
                object=triple.object,
                text=triple.text or _qualified(triple),
                url=triple.url,
                certainty=certainty,
                source=triple.source,
            )
        )
        return name

    def itemized(self, value: str, items: Sequence[str]) -> Sequence[str]:
        """The items that a value lists, as results of their own."""
        for item in items:
            self._known.setdefault(fold(item), [])
            self._lists.setdefault(fold(item), set()).add(value)
        return items

    def take_text(self, entity: Entity, text: str) -> str:
        """Keep what a knowledge base says of an entity as evidence; the result is the text."""
        self._keep(Evidence(0, self.kb, entity.name, "description", "", text=text, url=entity.url, source=self.kb))
        return self.text(text)

    def take_passage(self, passage: Evidence) -> str:
        """Keep a passage, or what else a search of text found, as evidence; the result is what it says."""
        self._keep(passage)
        return self.text(passage.text or f"{passage.subject} – {passage.relation}: {passage.object}")

    def _keep(self, evidence: Evidence) -> None:
        if len(self.evidence) >= _MOST_EVIDENCE:
            raise TooMuch(f"The program has found more than {_MOST_EVIDENCE:,} things: look at fewer.")
        self.evidence.append(evidence)

    def text(self, result: str) -> str:
        """A result that is prose."""
        self._texts.add(result)
        return result

    def itself(self, entity: Entity) -> str:
        """An entity as a result of its own."""
        self._known.setdefault(fold(entity.name), [entity])
        return entity.name


def names_in_argument(value: object, argument: str) -> list[str]:
    """The names in whatever a program hands over: a string, a number, or lists or sets of them, which get an order.

    Raises:
        TypeError: there is something else in it.
        TooMuch: see `plain`.
    """
    return _names_in(plain(value, argument), argument)


def _names_in(value: object, argument: str) -> list[str]:
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return [str(value)] if str(value).strip() else []
    if isinstance(value, set | frozenset):
        value = sorted(value, key=str)
    if isinstance(value, list | tuple):
        return list(dict.fromkeys(name for item in value for name in _names_in(item, argument)))
    raise TypeError(f"{argument} has to be a list of names.")


def _qualified(triple: Triple) -> str:
    """A triple's qualifiers in words, as "start time: 1998, position: goalkeeper"."""
    return ", ".join(f"{name}: {value}" for name, value in triple.qualifiers)[:_QUALIFIER_CHARACTERS]
