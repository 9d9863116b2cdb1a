"""Which entity a name means: `entity_linking` of KnowledGPT (sections 3.2.2 and 4.3).

The knowledge base proposes candidates; what is known of them tells namesakes apart. The model is asked only where
neither an only exact match nor the words of the question decide, with one token to reply.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from string import ascii_uppercase
from typing import NamedTuple

from rapidfuzz import fuzz

from assistant import prompting
from assistant.errors import ModelReplyUnreadable, ModelUnavailable
from assistant.knowledge_bases.base import Deadline, KnowledgeBase, ValueIndex
from assistant.knowledge_bases.relations import Asked, RelationRanker, certainty
from assistant.llm.client import LanguageModel
from assistant.types import Certainty, Entity
from memory.folding import fold, terms

_BY_MEANING = 5  # that are linked where all are that have the name
_NAMESAKES = 6  # that are told apart; the model reads some 25 tokens for each
_TRIPLES_READ = 100  # of a namesake
_INFORMATION_CHARACTERS = 120  # some three triples; section 4.3 has ten, but a small model reads them for each namesake
# Between the items of a list in one value, but not within brackets; Latin commas stand in names too.
_SEPARATOR = re.compile(r"(?:\|{3}|[、，；;]|(?<=[\u3400-\u9fff])[,/](?=[\u3400-\u9fff]))(?![^(（]*[)）])")
_LONGEST_LIST = 2000  # characters of a value; each separator in it looks for the end of a bracket
_SHORTEST_ITEM, _LONGEST_ITEM = 2, 12  # characters; 上、下册 and 三、四千人 are one thing
# Prose, what ends in "and so on", and further names of somebody. In a title between 《 and 》 there may be anything.
_NO_ITEM = re.compile(r"[。！？!?：:，,；;/]|的|等(?:等|\d|$)|^(?:以及|及|和|字|号)")
_PLACE_WITHIN_PLACE = re.compile("[省市区县州]$")
_TITLE = re.compile(r"《[^《》]*》")
_NONE = "N"
_NEARLY = 85.0  # of 100: a slip of the keyboard
_LEAST_OF_NEAR = 6  # characters: with one other letter, a shorter name is another one
_SURE = 0.8  # how sure the model must be that no namesake is meant where all bear the very name


class _Told(NamedTuple):
    """What is known of a candidate, how surely it has the asked relation, and the ids of its objects."""

    text: str
    has: Certainty = Certainty.UNKNOWN
    objects: frozenset[str | None] = frozenset()


@dataclass
class Linking:
    """Links the names in one run of one program on one knowledge base; the model is asked once at most.

    Without a `model`, the knowledge base's own order decides among namesakes, and what only has a similar name is left.
    """

    kb: KnowledgeBase
    question: str
    deadline: Deadline
    ranker: RelationRanker
    model: LanguageModel | None = None
    _left: int = field(default=1, init=False)

    def entities(self, names: Sequence[str], relations: Sequence[str]) -> list[Entity]:
        """The entities that `names` (aliases of one thing) stand for, of which `relations` are asked; best first.

        A value that nothing is called by, as an atomic number is, stands for itself and has no id.

        Raises:
            KnowledgeBaseUnreachable: as `KnowledgeBase.link`.
            TimeoutError, Interrupted: as `Deadline.check`.
        """
        candidates = self._candidates(*names)
        if self.kb.link_policy == "all":
            named = [entity for entity in candidates if _has_name_of(entity, names)]
            return list(dict.fromkeys([*candidates[:_BY_MEANING], *named]))
        called = [entity for entity in candidates if _is_called(entity, names)]
        for name in names if not any(_is_spelled_so(entity, names) for entity in called) else ():
            if self._is_value(name):  # "+41" is a calling code, and no district 41
                return [Entity(self.kb.name, "", name)]
        called = called or [entity for entity in candidates if _is_nearly_called(entity, names)]
        if len(called) == 1 or not candidates:
            return called
        return self._chosen((called or candidates)[:_NAMESAKES], names, relations, exact=bool(called))

    def bearers(self, name: str, known: Sequence[Entity] = ()) -> list[Entity]:
        """The first entity of the very name, where none is `known`, and what it lists; nobody is asked.

        A value may list several things (section 4.3), as 杨可桢，程光蕴，李仲生 does; it then stands for each of them.

        Raises:
            KnowledgeBaseUnreachable: as `KnowledgeBase.link`.
        """
        listed = [entity for part in _listed(name) for entity in self._of_the_name(part)]
        return list(dict.fromkeys([*(known or self._of_the_name(name)), *listed]))

    def alone_of_its_name(self, entity: Entity, besides: Entity) -> bool:
        """Whether nothing else is called like `entity`, but for `besides`.

        Raises:
            KnowledgeBaseUnreachable: as `KnowledgeBase.link`.
        """
        candidates = self._candidates(entity.name)
        called = {candidate.id for candidate in candidates if _is_called(candidate, [entity.name])}
        return called <= {entity.id, besides.id}

    def _candidates(self, name: str, *aliases: str) -> list[Entity]:
        self.deadline.check()
        return self.kb.link(name, aliases, self.question, self.deadline)

    def _is_value(self, name: str) -> bool:
        self.deadline.check()
        return isinstance(self.kb, ValueIndex) and bool(self.kb.bearing(name, self.question, 1, self.deadline))

    def _of_the_name(self, name: str) -> list[Entity]:
        candidates = self._candidates(name)
        called = [entity for entity in candidates if _is_called(entity, [name])]
        return called if self.kb.link_policy == "all" else called[:1]

    def _chosen(
        self, candidates: Sequence[Entity], names: Sequence[str], relations: Sequence[str], *, exact: bool
    ) -> list[Entity]:
        context = set(terms(self.question)) - {term for text in (*names, *relations) for term in terms(text)}
        described = any(entity.description for entity in candidates)
        told = {entity: self._told(entity, relations, described=described) for entity in candidates}
        if exact:
            surest = max(told[entity].has for entity in candidates)
            if surest >= Certainty.CLEAR:
                candidates = [entity for entity in candidates if told[entity].has == surest]
            if not context or len(candidates) == 1:
                return [candidates[0]]
            said = [f"{entity.name} {told[entity].text}" for entity in candidates]
            if (best := _supported(context, said)) is not None:
                return [candidates[best]]
            plain = [entity for entity in candidates if fold(entity.name) in map(fold, names)]
            if len(plain) == 1:  # the others have it with brackets, or as a second name
                return plain
            first, *others = candidates
            if all({first.id} <= told[other].objects and {other.id} <= told[first].objects for other in others):
                return [first]  # San Marino and its capital San Marino, each said of the other: the better known one
        texts = [told[entity].text[:_INFORMATION_CHARACTERS] for entity in candidates]
        return self._asked(candidates, texts, names, exact=exact)

    def _told(self, entity: Entity, relations: Sequence[str], *, described: bool) -> "_Told":
        """What is known of a candidate: its description, then its triples, those nearest to the asked relation first.

        A public knowledge base is not asked for triples where candidates are `described`, as nearly all are.
        """
        if self.kb.public and described:
            return _Told(entity.description)
        found = self.kb.triples(entity, "both", _TRIPLES_READ, self.deadline)
        seen = [Asked.from_entity(entity, triple) for triple in found]
        likeness = {asked: score for score, asked in self.ranker.rank(list(dict.fromkeys(seen)), relations)}
        pairs = sorted(zip(seen, found, strict=True), key=lambda pair: -likeness.get(pair[0], 0.0))
        said = [f"{asked.shown} {t.object if asked.outgoing else t.subject}" for asked, t in pairs]
        return _Told(
            "; ".join(filter(None, [entity.description, *said])),
            certainty(max(likeness.values(), default=0.0)),
            frozenset(t.object_id for asked, t in pairs if asked.outgoing),
        )

    def _asked(
        self, candidates: Sequence[Entity], told: Sequence[str], names: Sequence[str], *, exact: bool
    ) -> list[Entity]:
        """The model's choice, which may be none of them; where it cannot be asked, the first that bears the name."""
        unasked = [candidates[0]] if exact else []
        if self.model is None or not self._left:
            return unasked
        self._left -= 1
        letters = [*ascii_uppercase[: len(candidates)], _NONE]
        lines = [
            f"{letter}. {_shown(entity, names)}: {text}"
            for letter, entity, text in zip(letters, candidates, told, strict=False)
        ]
        messages = prompting.load("link").render(question=self.question, name=names[0], candidates="\n".join(lines))
        try:
            *weights, none = self.model.weigh(messages, letters, purpose="link")
        except (ModelUnavailable, ModelReplyUnreadable):
            return unasked
        if none > (_SURE if exact else max(weights)):
            return []
        return [candidates[weights.index(max(weights))]]


def _shown(entity: Entity, names: Sequence[str]) -> str:
    """Its name, and the alias by which it was found where that is another name: "IBM (Big Blue)"."""
    folded = set(map(fold, names))
    alias = next((alias for alias in entity.aliases if fold(alias) in folded), "")
    return f"{entity.name} ({alias})" if alias and fold(alias) not in fold(entity.name) else entity.name


def _is_nearly_called(entity: Entity, names: Sequence[str]) -> bool:
    own = {fold(name) for name in (entity.name, *entity.aliases)}
    called = [fold(name) for name in names if len(fold(name)) >= _LEAST_OF_NEAR]
    return any(fuzz.ratio(name, other) >= _NEARLY for name in called for other in own)


def _is_called(entity: Entity, names: Sequence[str]) -> bool:
    own = {fold(name) for name in (entity.name, *entity.aliases)}
    return any(fold(name) in own for name in names)


def _has_name_of(entity: Entity, names: Sequence[str]) -> bool:
    """Whether a name of its own is one of `names`, or has one as a part: "Anna" is Anna Berg too."""
    own = [f" {fold(name)} " for name in (entity.name, *entity.aliases)]
    return any(f" {fold(name)} " in other for name in names for other in own)


def _is_spelled_so(entity: Entity, names: Sequence[str]) -> bool:
    """Whether it is called so with the same signs; case and accents aside."""
    own = {_plain(name) for name in (entity.name, *entity.aliases)}
    return any(_plain(name) in own for name in names)


def _plain(name: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", name.casefold()) if not unicodedata.combining(c))


def _listed(value: str) -> list[str]:
    """The parts of a list in one value, and nothing where it is none; what stands in brackets is no part of its own."""
    parts = [part.strip() for part in _SEPARATOR.split(value)] if len(value) <= _LONGEST_LIST else []
    return parts if len(parts) > 1 and all(parts) else []


def enumerated(value: str) -> list[str]:
    """The items of a value that is plainly a list and nothing else; none for a sentence, a title, or an open list.

    A list with commas has three items at least, and no place in another: 你好，李焕英 is a film.
    """
    items = _listed(value)
    if not items:
        return []
    signs = {match[0] for match in _SEPARATOR.finditer(value)}
    if signs not in ({"、"}, {"；"}, {"|||"}, {"，"}):
        return []
    if signs == {"，"} and (len(items) < 3 or any(map(_PLACE_WITHIN_PLACE.search, items))):
        return []
    is_numbered = items[0].isdigit() and not all(item.isdigit() for item in items)  # 1、… 2、…
    return items if not is_numbered and all(map(_is_item, items)) else []


def _is_item(text: str) -> bool:
    bare = _TITLE.sub("", text)
    return _SHORTEST_ITEM <= len(text) <= _LONGEST_ITEM and not _NO_ITEM.search(bare) and not set(bare) & set("《》“”")


def _supported(context: set[str], told: Sequence[str]) -> int | None:
    """The one candidate of which most is said in the question's own words; what is said of all tells nothing."""
    shared = [context & set(terms(text)) for text in told]
    common = Counter(term for words in shared for term in words)
    support = [sum(1 / common[term] for term in words if common[term] < len(told)) for words in shared]
    best = max(support)
    return support.index(best) if best and support.count(best) == 1 else None
