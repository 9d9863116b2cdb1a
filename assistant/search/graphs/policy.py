"""The policy network π(s, a) of KnowGPT, section 3.1.3.

It has one hidden layer over state and action, small enough for numpy: PyTorch is loaded for training only.
"""

from dataclasses import dataclass

import numpy as np

from assistant.search.graphs.walks import Actions
from memory.types import Vectors


@dataclass(frozen=True)
class Policy:
    """Weights: `of_state` (256, h), `of_action` (256 + SCALARS, h), `bias` (h,), `out` (h,)."""

    of_state: Vectors
    of_action: Vectors
    bias: Vectors
    out: Vectors

    def log_probabilities(self, actions: Actions) -> Vectors:
        """log π of each action among those of its walk; shape (n,)."""
        hidden = (actions.states @ self.of_state)[actions.walks] + actions.features @ self.of_action + self.bias
        scores = np.maximum(hidden, 0) @ self.out
        walks = actions.walks
        highest = np.full(len(actions.states), -np.inf, np.float32)
        np.maximum.at(highest, walks, scores)
        sums = np.bincount(walks, np.exp(scores - highest[walks]), minlength=len(actions.states))
        log: Vectors = (scores - highest[walks] - np.log(sums[walks])).astype(np.float32)
        return log
