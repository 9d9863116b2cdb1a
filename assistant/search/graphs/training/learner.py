"""Learning the policy by policy gradient: REINFORCE with a leave-one-out baseline (KnowGPT, section 3.1.3)."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from assistant.search.graphs.distances import STEPS
from assistant.search.graphs.grounding import Grounded
from assistant.search.graphs.policy import Policy
from assistant.search.graphs.space import DIMENSIONS
from assistant.search.graphs.terrain import Terrain
from assistant.search.graphs.walks import SCALARS, Actions, Goal, Rewards, Walk, actions, goal, start
from memory.types import Vectors

HIDDEN = 64
_PAIRS = 32  # of source and target, an update
_ROLLOUTS = 4  # of each pair; the mean of the other three is the baseline of one
_LEARNING_RATE = 2e-3
_ENTROPY = 0.01
_STARTS = 4  # of one question


@dataclass(frozen=True)
class Episode:
    """A source, and a target in its reach."""

    goal: Goal
    source: int


@dataclass(frozen=True)
class Figures:
    """What walks come to: the share that reached the target, and of those their length; the relatedness of all."""

    reached: float
    length: float
    relatedness: float


def episodes(terrain: Terrain, grounded: Sequence[Grounded]) -> list[Episode]:
    """The pairs of the questions' sources and first targets that can be walked."""
    found = []
    for question in grounded:
        for target in question.targets[:1]:
            to = goal(terrain, target.entities, question.context)
            sources = [entity for concept in question.sources for entity in concept.entities[:1]]
            near = [source for source in sources if 0 < to.distances.from_source(source) <= STEPS]
            found += [Episode(to, source) for source in near[:_STARTS]]
    return found


def train(
    terrain: Terrain, given: Sequence[Episode], *, rewards: Rewards, updates: int, seed: int, log: Callable[[str], None]
) -> Policy:
    """A policy trained on the episodes; the same seed gives the same policy."""
    torch.set_num_threads(1)  # beside another busy process, two are many times slower
    torch.manual_seed(seed)
    drawn, noise = random.Random(seed), np.random.default_rng(seed)
    network = _network()
    optimizer = torch.optim.Adam(network, lr=_LEARNING_RATE)
    gains: list[float] = []
    for update in range(1, updates + 1):
        pairs = [episode for episode in drawn.choices(given, k=_PAIRS) for _ in range(_ROLLOUTS)]
        walks, steps = _rolled_out(terrain, pairs, _policy(network), noise)
        advantages = _advantages(walks, rewards)
        loss = sum((_loss(network, step, advantages[:, number]) for number, step in enumerate(steps)), torch.zeros(()))
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        gains.append(float(np.mean([rewards.of(walk) for walk in walks])))
        if update % 50 == 0:
            log(f"update {update}: mean reward {np.mean(gains[-50:]):.3f}")
    return _policy(network)


def evaluate(terrain: Terrain, given: Sequence[Episode], policy: Policy) -> Figures:
    """The most probable walk of each episode, with no look at whether the target can still be reached."""
    walks, _ = _rolled_out(terrain, given, policy, None)
    return figures(walks)


def figures(walks: Sequence[Walk]) -> Figures:
    """What some walks come to."""
    reached = [walk for walk in walks if walk.reached]
    return Figures(
        len(reached) / max(1, len(walks)),
        float(np.mean([len(walk.edges) for walk in reached])) if reached else 0.0,
        float(np.mean([walk.cosines[-1] for walk in walks if walk.cosines])) if walks else 0.0,
    )


@dataclass(frozen=True)
class _Step:
    """One step of all walks that were still under way: their places, what they could do and what they did."""

    places: list[int]
    actions: Actions
    taken: "np.ndarray[tuple[int], np.dtype[np.intp]]"


def _rolled_out(
    terrain: Terrain, pairs: Sequence[Episode], policy: Policy, noise: np.random.Generator | None
) -> tuple[list[Walk], list[_Step]]:
    """Walks that draw their actions, or without `noise` take the most probable ones."""
    walks = [start(terrain, pair.goal, pair.source) for pair in pairs]
    steps = []
    for _ in range(STEPS):
        places = [place for place, walk in enumerate(walks) if not walk.reached]
        if not places:
            break
        possible = actions(terrain, [walks[place] for place in places], guided=False)
        scores = policy.log_probabilities(possible)
        if noise is not None:
            scores = scores + noise.gumbel(size=scores.shape).astype(np.float32)
        order = np.lexsort((-scores, possible.walks))
        able, first = np.unique(possible.walks[order], return_index=True)
        taken = order[first]
        for number, action in zip(able.tolist(), taken.tolist(), strict=True):
            walks[places[number]] = possible.take(walks[places[number]], action)
        steps.append(_Step([places[number] for number in able.tolist()], possible, taken))
    return walks, steps


def _advantages(walks: Sequence[Walk], rewards: Rewards) -> Vectors:
    """The reward to come at each step less its mean over the other rollouts of the pair; shape (walks, STEPS)."""
    to_come = np.zeros((len(walks), STEPS), np.float32)
    for place, walk in enumerate(walks):
        total, steps = rewards.of(walk), max(1, len(walk.edges))
        earned = np.concatenate([[0.0], np.cumsum(walk.cosines)[:-1]]) if walk.cosines else np.zeros(1)
        to_come[place] = total
        to_come[place, : len(earned)] -= rewards.relatedness * earned / steps
    rolled = to_come.reshape(-1, _ROLLOUTS, STEPS)
    others = (rolled.sum(axis=1, keepdims=True) - rolled) / (_ROLLOUTS - 1)
    advantages: Vectors = (rolled - others).reshape(to_come.shape)
    return advantages


def _network() -> list[torch.Tensor]:
    shapes = [(2 * DIMENSIONS, HIDDEN), (2 * DIMENSIONS + SCALARS, HIDDEN), (HIDDEN,), (HIDDEN,)]
    scales = [DIMENSIONS**-0.5 / 2, DIMENSIONS**-0.5 / 2, 0.0, HIDDEN**-0.5]
    return [(torch.randn(shape) * scale).requires_grad_() for shape, scale in zip(shapes, scales, strict=True)]


def _policy(network: Sequence[torch.Tensor]) -> Policy:
    return Policy(*(weights.detach().numpy() for weights in network))


def _loss(network: Sequence[torch.Tensor], step: _Step, advantages: Vectors) -> torch.Tensor:
    """The policy gradient's surrogate of one step, with a bonus for entropy."""
    of_state, of_action, bias, out = network
    possible = step.actions
    walks = torch.from_numpy(possible.walks.astype(np.int64))
    hidden = (torch.from_numpy(possible.states) @ of_state)[walks]
    hidden = torch.relu(hidden + torch.from_numpy(possible.features) @ of_action + bias)
    scores = hidden @ out
    sums = torch.zeros(len(possible.states)).index_add(0, walks, torch.exp(scores))
    log = scores - torch.log(sums)[walks]
    gained = torch.from_numpy(advantages[step.places])
    entropy = -(torch.exp(log) * log).sum() / len(step.places)
    return -(log[torch.from_numpy(step.taken)] * gained).sum() / len(advantages) - _ENTROPY * entropy
