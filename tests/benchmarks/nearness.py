"""How near the options of a multiple-choice question lie to it in a graph, whatever a search picks of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.search.graphs.distances import FAR, STEPS
from assistant.search.graphs.grounding import ground
from assistant.search.graphs.terrain import Terrain
from assistant.search.graphs.walks import goal
from assistant.types import Turn

CONNECTED_STEPS = 2


@dataclass(frozen=True)
class Nearness:
    """The steps from the question to each option: 0 where it names the option, None where the option has no entity."""

    steps: tuple[int | None, ...]

    @property
    def grounded(self) -> float:
        """The share of options that have an entity."""
        return self._share([step is not None for step in self.steps])

    @property
    def reached(self) -> float:
        """The share of options that the question names or that a path reaches, of all of them."""
        return self._share([step is not None and step <= STEPS for step in self.steps])

    @property
    def connected(self) -> float:
        """The share of options that a path of at most two steps joins to the question, of all of them."""
        return self._share([step is not None and 1 <= step <= CONNECTED_STEPS for step in self.steps])

    def _share(self, held: Sequence[bool]) -> float:
        return sum(held) / max(1, len(held))


def nearness(terrain: Terrain, turn: Turn) -> Nearness:
    """That of the turn's question and its choices."""
    return Nearness(tuple(_steps(terrain, turn, choice) for choice in turn.choices))


def _steps(terrain: Terrain, turn: Turn, choice: str) -> int | None:
    grounded = ground(terrain, turn, lambda: [choice])
    sources = [entity for source in grounded.sources for entity in source.entities]
    for target in grounded.targets:
        to = goal(terrain, target.entities, grounded.context)
        return min((to.distances.from_source(source) for source in sources), default=FAR)
    return None
