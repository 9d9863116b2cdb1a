"""Recall: several rankings of facts and passages, fused into one; no model is called.

Each way of looking has its own blind spot (small embeddings miss names and numbers, keywords miss other wordings, and
neither knows who somebody's neighbours are), so their ranks are added up: reciprocal rank fusion, which needs no common
scale of scores. The best passages lead on to those under the headings that they name: where an answer takes two steps,
the question has no word in common with the second.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import PurePath

from sqlalchemy import Connection

from memory.bridges import Further
from memory.folding import STOP_WORDS, ascii_digits, fold, phrases, possible_names
from memory.graph import Graph
from memory.records import words
from memory.records.entities import entities_by_id, entities_named
from memory.records.facts import facts_by_id, ids_about
from memory.records.keys import ENTITY, FACT, PASSAGE, key, number
from memory.records.library import before, documents, headings, passages_about, passages_by_id, passages_within
from memory.records.merging import everyone, groups
from memory.speakers import ASSISTANT, USER, above, speaker
from memory.types import Fact, KnownEntity, Recalled

NEAR = 100  # vectors looked at
_LISTED = 50  # hits of each other ranking
_ABOUT = 200  # facts of the named entities
_READ = 2000  # characters of the question
_DAMPING = 60  # of reciprocal rank fusion, as its authors have it
_CLOSED = 0.5  # the weight of a fact that no longer holds
_SIMILAR_ENTITIES = 3
_SPARE = 5
_LEADING = 4  # the passages whose text leads on to others
_LONGEST_TOPIC = 6  # words
_OF_A_TOPIC = 3  # passages
_SHORTEST_NAME, _CALLED = 3, 5  # characters of a document's; documents
_NUMBERS = 2  # of pages
_PAGE = re.compile(r"(?<=\s)\d{1,5}(?=\s)")
_LASTING, _BROUGHT = 3, 2  # hits: of the first look that stay first, of each further one
_OF_TALKS, _ANSWERS = 150, 30  # passages


def recall(
    connection: Connection, user_id: int, text: str, near: Sequence[str], graph: Graph, *, k: int
) -> list[Recalled]:
    """The `k` facts and passages that bear most on `text`; `near` are the ids of the nearest vectors, best first."""
    text = text[:_READ]
    named = entities_in(connection, user_id, text)
    alike = [number(ENTITY, id_) for id_ in near if id_.startswith(ENTITY)][:_SIMILAR_ENTITIES]
    one_with = groups(connection, [*named, *alike])
    survivor_of = {own_id: survivor for survivor, group in one_with.items() for own_id in group}
    similar = [survivor_of[own_id] for own_id in alike if own_id in survivor_of]
    by_meaning = [id_ for id_ in near if not id_.startswith(ENTITY)]
    facts_by_words = words.search(connection, user_id, FACT, text, _LISTED)
    passages_by_words = words.search(connection, user_id, PASSAGE, text, _LISTED)
    place = {id_: rank for rank, id_ in enumerate(dict.fromkeys([*by_meaning, *facts_by_words]))}

    def ordered(ids: Iterable[str]) -> list[str]:
        return sorted(ids, key=lambda id_: place.get(id_, len(place)))

    headed = _headed(connection, user_id, [text])
    within, on_pages = _called(connection, user_id, text)
    about_named = ids_about(connection, [own_id for entity in named for own_id in one_with.get(entity, ())], _ABOUT)
    about_similar = ids_about(connection, [own_id for entity in similar for own_id in one_with[entity]], _LISTED)
    around = [key(FACT, fact) for fact in graph.facts_around([*named, *similar], _LISTED)]
    rankings = [
        (1.0, by_meaning),
        (1.0, facts_by_words),
        (1.0, passages_by_words),
        (1.0, ordered(about_named)),
        (0.5, ordered(about_similar)),
        (0.5, around),
        (1.0, ordered(headed)),
        (0.5, ordered(within)),
        (2.0, on_pages),
    ]
    scores = _fused(rankings)
    best = _passages(scores)[:_LEADING]
    texts = [part.text for _, _, part in passages_by_id(connection, [number(PASSAGE, id_) for id_ in best]).values()]
    linked = [id_ for id_ in _headed(connection, user_id, texts) if id_ not in best]
    return _loaded(connection, _by_speaker(connection, _fused([*rankings, (1.0, linked)])), k)


def recall_named(connection: Connection, user_id: int, further: Further, *, k: int) -> list[Recalled]:
    """As `recall`, for a question about a name, which words and names answer as well as vectors: it takes a fifth."""
    text = f"{further.name} {further.asked}"[:_READ]
    facts, passages = (words.search(connection, user_id, kind, text, _LISTED) for kind in (FACT, PASSAGE))
    naming = words.search(connection, user_id, PASSAGE, further.name, _LISTED)
    place = {id_: rank for rank, id_ in enumerate(facts)}
    about = ids_about(connection, everyone(connection, entities_in(connection, user_id, text)), _ABOUT)
    about = sorted(about, key=lambda id_: place.get(id_, len(place)))
    headed = _headed(connection, user_id, [text])
    # Words count twice, as there is no meaning beside them.
    rankings = [(2.0, facts), (2.0, passages), (1.0, naming), (1.0, about), (1.0, headed)]
    return _loaded(connection, _by_speaker(connection, _fused(rankings)), k)


def joined(found: Sequence[Recalled], again: Iterable[Sequence[Recalled]]) -> list[Recalled]:
    """What was found and the best of each further look, best first: the first hits stay so, the others are fused by
    their ranks. No more of a further look counts, since it takes the place of what the first one found."""
    looks = [found, *(_beside(found[:1], look)[:_BROUGHT] for look in again)]
    scores = _fused((1.0, [hit.id for hit in look]) for look in looks)
    lasting = {hit.id: hit for hit in found[:_LASTING]}
    others = {hit.id: hit for look in looks for hit in look if hit.id not in lasting}
    return [*lasting.values(), *sorted(others.values(), key=lambda hit: -scores[hit.id])]


def _beside(known: Iterable[Recalled], hits: Iterable[Recalled]) -> list[Recalled]:
    """The first hit of each text that is not known: a fact and its passage may have the same."""
    first: dict[str, Recalled] = {}
    for hit in hits:
        first.setdefault(hit.text, hit)
    told = {hit.text for hit in known}
    return [hit for text, hit in first.items() if text not in told]


def still_there(connection: Connection, found: Sequence[Recalled]) -> list[Recalled]:
    """What was found, without what is gone since."""
    held = facts_by_id(connection, [number(FACT, hit.id) for hit in found if hit.fact])
    passages = passages_by_id(connection, [number(PASSAGE, hit.id) for hit in found if not hit.fact])
    there = {fact.id for fact in held.values()} | set(passages)
    return [hit for hit in found if hit.id in there]


def _by_speaker(connection: Connection, scores: dict[str, float]) -> dict[str, float]:
    """The scores, which the passages of talks with an assistant share out anew: what the user said, and said before the
    best answers, gains, as answers say it again at greater length. Nothing else loses its place to a talk."""
    best = _passages(scores)[:_OF_TALKS]
    under = {id_: heading for id_, heading in headings(connection, best).items() if speaker(heading)}
    if not under:
        return scores
    answers = [id_ for id_ in best if id_ in under and speaker(under[id_]) == ASSISTANT][:_ANSWERS]
    asked = before(connection, answers)
    under |= headings(connection, asked.values())
    questions = [asked[id_] for id_ in answers if id_ in asked and above(under[asked[id_]]) == above(under[id_])]
    theirs = {id_ for id_ in under if speaker(under[id_]) == USER}
    said = [(1.0, [id_ for id_ in best if id_ in theirs]), (0.5, [id_ for id_ in questions if id_ in theirs])]
    gained = _fused(said)
    order = sorted(under, key=lambda id_: -scores.get(id_, 0.0) - gained.get(id_, 0.0))
    places = sorted((scores.get(id_, 0.0) for id_ in under), reverse=True)
    return scores | dict(zip(order, places, strict=True))


def _passages(scores: dict[str, float]) -> list[str]:
    """The ids of the passages among what has scores, best first."""
    return [id_ for id_ in sorted(scores, key=lambda id_: -scores[id_]) if id_.startswith(PASSAGE)]


def _headed(connection: Connection, user_id: int, texts: Sequence[str]) -> list[str]:
    """The passages whose heading one of the texts names, those first that most of the texts name."""
    named = [possible_names(text, _LONGEST_TOPIC) for text in texts]
    found = passages_about(connection, user_id, set().union(*named), _OF_A_TOPIC)
    counts = Counter({topic: sum(topic in names for names in named) for topic in found})
    return [id_ for topic, _ in counts.most_common() for id_ in found[topic]]


def _called(connection: Connection, user_id: int, text: str) -> tuple[list[str], list[str]]:
    """The passages of the documents that a text calls by their names, and of these those on a page that it numbers."""
    said = f" {fold(text)} "
    names = {
        own_id: name
        for own_id, called in documents(connection, user_id).items()
        for name in (fold(PurePath(called).stem), fold(called))  # the longer one counts
        if len(name) >= _SHORTEST_NAME and f" {name} " in said and not STOP_WORDS.issuperset(name.split())
    }
    called = list(names.items())[-_CALLED:]
    within = [id_ for own_id, _ in called for id_ in passages_within(connection, own_id, (), _LISTED // len(called))]
    on_pages = []
    for own_id, name in called:
        numbers = _PAGE.findall(ascii_digits(said.replace(f" {name} ", " ")))
        if 0 < len(numbers) <= _NUMBERS:
            on_pages += passages_within(connection, own_id, [*map(int, numbers)], _LISTED)
    return within, on_pages


def entities_in(connection: Connection, user_id: int, text: str) -> list[int]:
    """The entities whose name or alias occurs in `text`, in its order; a longer name hides those within it."""
    runs = phrases(text)
    known = entities_named(connection, user_id, {run.key for run in runs})
    taken: set[int] = set()
    found: list[tuple[int, int]] = []
    for run in sorted((run for run in runs if run.key in known), key=lambda run: (run.first - run.last, run.first)):
        tokens = range(run.first, run.last)
        if taken.isdisjoint(tokens):
            taken.update(tokens)
            found += [(run.first, entity) for entity in known[run.key]]
    return list(dict.fromkeys(entity for _, entity in sorted(found)))


def entities_named_like(
    connection: Connection, user_id: int, mention: str, aliases: Sequence[str], limit: int
) -> list[KnownEntity]:
    """At most `limit` entities that match by exact name, folded name or alias, or have all words of the mention."""
    mention = mention[:_READ]
    keys = list(dict.fromkeys(fold(name) for name in (mention, *aliases) if name.strip()))
    named = entities_named(connection, user_id, keys)
    by_name = [entity for name in keys for entity in named.get(name, ())]
    by_words = [number(ENTITY, id_) for id_ in words.search(connection, user_id, ENTITY, mention, _LISTED, every=True)]
    found = entities_by_id(connection, [*by_name, *by_words]).values()
    return sorted(found, key=lambda entity: entity.name != mention)[:limit]  # stable: the exact name goes first


def _fused(rankings: Iterable[tuple[float, Sequence[str]]]) -> dict[str, float]:
    scores: dict[str, float] = defaultdict(float)
    for weight, ids in rankings:
        for rank, id_ in enumerate(dict.fromkeys(ids)):
            scores[id_] += weight / (_DAMPING + 1 + rank)
    return dict(scores)


def _loaded(connection: Connection, scores: dict[str, float], k: int) -> list[Recalled]:
    best = sorted(scores, key=lambda id_: -scores[id_])[: k + _SPARE]  # closed facts may sink below the first k
    facts = facts_by_id(connection, [number(FACT, id_) for id_ in best if id_.startswith(FACT)])
    passages = passages_by_id(connection, [number(PASSAGE, id_) for id_ in best if id_.startswith(PASSAGE)])
    found = [_recalled_fact(fact, scores[fact.id]) for fact in facts.values()]
    found += [
        Recalled(
            part.text,
            source_id,
            source,
            part.span,
            scores[id_],
            None,
            passage_id=id_,
            heading=part.heading,
            page=part.page,
        )
        for id_, (source_id, source, part) in passages.items()
    ]
    return sorted(found, key=lambda hit: -hit.score)[:k]


def _recalled_fact(fact: Fact, score: float) -> Recalled:
    held = score if fact.valid_to is None else score * _CLOSED
    return Recalled(fact.text, fact.source_id, fact.source, fact.span, held, fact=fact)
