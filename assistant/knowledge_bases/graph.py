"""A knowledge base's triples as a graph in memory: entities and relations are numbers, edges lie in compact arrays.

An edge costs 20 bytes, since it is kept from both of its ends; Python objects would take some 300.
"""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int32]


class Texts(Sequence[str]):
    """Many short texts in one piece of memory."""

    def __init__(self, texts: Iterable[str]) -> None:
        blob, ends = bytearray(), array("q", [0])
        for text in texts:
            blob += text.encode("utf-8", "replace")
            ends.append(len(blob))
        self._blob = bytes(blob)
        self._ends = np.frombuffer(ends, np.int64)

    def __len__(self) -> int:
        return len(self._ends) - 1

    def __getitem__(self, index: int) -> str:  # type: ignore[override]
        if not 0 <= index < len(self):
            raise IndexError(index)
        return self._blob[self._ends[index] : self._ends[index + 1]].decode("utf-8")

    def __iter__(self) -> Iterator[str]:
        start = 0
        for end in self._ends[1:].tolist():
            yield self._blob[start:end].decode("utf-8")
            start = end

    @property
    def nbytes(self) -> int:
        """Its size in bytes."""
        return len(self._blob) + self._ends.nbytes


class Edge(NamedTuple):
    """One triple by its numbers; `fact` counts the triples of the graph in the order in which they were given."""

    subject: int
    relation: int
    object: int
    fact: int


class Neighbours(NamedTuple):
    """The other ends of edges, in parallel arrays.

    `origins` are the near ends; `relations` are those of the edges, and `~relation` where the edge is walked from its
    object to its subject.
    """

    origins: Numbers
    relations: Numbers
    entities: Numbers
    facts: Numbers

    def edge(self, index: int) -> Edge:
        """The edge at `index` as the triple that it is, whichever way it is walked."""
        near, relation, far = int(self.origins[index]), int(self.relations[index]), int(self.entities[index])
        fact = int(self.facts[index])
        return Edge(near, relation, far, fact) if relation >= 0 else Edge(far, ~relation, near, fact)

    def at(self, chosen: NDArray[np.intp] | NDArray[np.bool_]) -> "Neighbours":
        """Those at some indices, or where a mask is true."""
        return Neighbours(*(column[chosen] for column in self))


class Graph:
    """A graph of `len(names)` entities, whose edges never change, so that threads may share it.

    Self-loops are left out: they lead nowhere. `aliases` are further names of entities: the names, and the entity that
    each belongs to. `derived` is for what somebody makes of the graph and keeps no longer than the graph itself.
    """

    def __init__(
        self,
        names: Iterable[str],
        relations: Iterable[str],
        triples: tuple[Numbers, Numbers, Numbers],
        aliases: tuple[Iterable[str], Sequence[int]] = ((), ()),
    ) -> None:
        """`triples` are three arrays of one length: subjects, relations, objects."""
        self.names = Texts(names)
        self.relations = tuple(relations)
        self.aliases = Texts(aliases[0])
        self.alias_owners: Numbers = np.asarray(aliases[1], np.int32)
        subjects, predicates, objects = triples
        facts = np.flatnonzero(subjects != objects).astype(np.int32)
        self.edges = len(facts)
        near = np.concatenate([subjects[facts], objects[facts]])
        order = np.argsort(near, kind="stable")
        self._starts = np.zeros(len(self.names) + 1, np.int64)
        np.cumsum(np.bincount(near, minlength=len(self.names)), out=self._starts[1:])
        self._far: Numbers = np.concatenate([objects[facts], subjects[facts]])[order]
        self._relations: Numbers = np.concatenate([predicates[facts], ~predicates[facts]])[order]
        self._facts: Numbers = np.concatenate([facts, facts])[order]
        self.derived: dict[object, Any] = {}  # by who made it

    def __len__(self) -> int:
        return len(self.names)

    def neighbours(self, entity: int) -> Neighbours:
        """All edges of an entity, whichever end it is; views, no copies.

        Raises:
            IndexError: there is no such entity.
        """
        if not 0 <= entity < len(self):
            raise IndexError(entity)
        own = slice(self._starts[entity], self._starts[entity + 1])
        far = self._far[own]
        near: Numbers = np.broadcast_to(np.int32(entity), far.shape)
        return Neighbours(near, self._relations[own], far, self._facts[own])

    def neighbours_of(self, entities: Numbers, most: int) -> Neighbours:
        """At most `most` edges of each entity; of more than that, some that lie evenly among them."""
        degrees = self.degrees(entities)
        taken = np.minimum(degrees, most)
        firsts = np.cumsum(taken) - taken
        steps = np.arange(int(taken.sum())) - np.repeat(firsts, taken)
        spread = steps * np.repeat(degrees, taken) // np.maximum(1, np.repeat(taken, taken))
        slots = np.repeat(self._starts[entities], taken) + spread
        origins: Numbers = np.repeat(entities, taken).astype(np.int32)
        return Neighbours(origins, self._relations[slots], self._far[slots], self._facts[slots])

    def degrees(self, entities: Numbers) -> NDArray[np.int64]:
        """How many edges each entity has."""
        degrees: NDArray[np.int64] = self._starts[entities.astype(np.int64) + 1] - self._starts[entities]
        return degrees

    @property
    def nbytes(self) -> int:
        """The size of its arrays and names in bytes."""
        arrays = (self._starts, self._far, self._relations, self._facts, self.alias_owners)
        return sum(part.nbytes for part in arrays) + self.names.nbytes + self.aliases.nbytes


class GraphBuilder:
    """Gathers triples one by one; whoever builds names the entities at the end."""

    def __init__(self) -> None:
        self.entities: dict[str, int] = {}  # by their keys in the knowledge base
        self.relations: dict[str, int] = {}
        self._columns = array("i"), array("i"), array("i")

    def add(self, subject: str, relation: str, value: str) -> None:
        """Take in one triple of keys."""
        subjects, relations, objects = self._columns
        subjects.append(self.entities.setdefault(subject, len(self.entities)))
        relations.append(self.relations.setdefault(relation, len(self.relations)))
        objects.append(self.entities.setdefault(value, len(self.entities)))

    def build(self, names: Iterable[str], relations: Iterable[str], aliases: Iterable[tuple[str, str]] = ()) -> Graph:
        """The graph; `names` and `relations` in the order of `entities` and `relations`, `aliases` as (key, name)."""
        owned = [(self.entities[key], name) for key, name in aliases if key in self.entities]
        columns = [np.frombuffer(column, np.int32) if column else np.empty(0, np.int32) for column in self._columns]
        subjects, predicates, objects = columns
        return Graph(
            names, relations, (subjects, predicates, objects), ([n for _, n in owned], [owner for owner, _ in owned])
        )
