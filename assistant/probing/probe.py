"""Whether a text gives an answer, read from the embedded model's hidden state.

Asked for a yes or no, a small model says yes to whatever stands near what was asked for. Its last hidden state, at the
point where it would reply, tells the two better apart (Kadavath et al. 2022; Azaria and Mitchell 2023): a linear probe
(Alain and Bengio 2016) reads it, here logistic regression, trained on `examples.jsonl`.
"""

import functools
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assistant import prompting
from assistant.llm.client import LanguageModel
from assistant.types import Message
from memory.types import Vectors

SHIPPED = Path(__file__).with_name("probe.npz")


@dataclass(frozen=True)
class Probe:
    """A direction in the space of the model's states: `weights`, of shape (size,), and where it begins."""

    weights: Vectors
    bias: float

    def probability(self, state: Vectors) -> float:
        """How sure it is of a state of shape (size,), from 0 to 1."""
        return 1 / (1 + math.exp(-float(np.clip(self.weights @ state + self.bias, -500, 500))))

    def save(self, path: Path) -> None:
        """Write it."""
        np.savez_compressed(path, weights=self.weights.astype(np.float32), bias=np.float64(self.bias))


def asked(text: str, question: str, answer: str) -> list[Message]:
    """What the model reads."""
    return prompting.load("probe").render(text=text, question=question, answer=answer)


def probability(model: LanguageModel, text: str, question: str, answer: str) -> float | None:
    """How sure the probe is, from 0 to 1; None for a model that does not tell its states.

    Raises:
        Interrupted, ModelUnavailable: as `LanguageModel.state`.
    """
    state = model.state(asked(text, question, answer), purpose="probing")
    return _shipped().probability(np.array(state, np.float32)) if state else None


@functools.cache
def _shipped() -> Probe:
    with np.load(SHIPPED) as file:
        return Probe(file["weights"], float(file["bias"]))
