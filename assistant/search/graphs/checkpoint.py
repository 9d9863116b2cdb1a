"""The file that training leaves behind: a policy, and the basis of the space that it was trained in."""

import json
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from assistant.errors import Failure
from assistant.search.graphs.policy import Policy
from assistant.search.graphs.space import DIMENSIONS, Basis
from assistant.search.graphs.walks import SCALARS, Rewards
from memory.types import Vectors

SHIPPED = Path(__file__).with_name("policy.npz")
OWN = SHIPPED.name  # in the home: the policy that was trained there
COMMAND = "python -m assistant.search.graphs.training --graph triples.txt.gz --questions train.jsonl"
_WEIGHTS = ("of_state", "of_action", "bias", "out")
_MAPS = ("word_mean", "word_map", "context_mean", "context_map")


@dataclass(frozen=True)
class Checkpoint:
    """A trained policy with the basis and the rewards that it was trained in.

    `about` says from which data, with which seed.
    """

    policy: Policy
    basis: Basis
    rewards: Rewards
    about: Mapping[str, Any]

    def save(self, path: Path) -> None:
        """Write it; the words' vectors in 8 bits."""
        about = {**self.about, "embedder": self.basis.embedder, "rewards": astuple(self.rewards)}
        scales = np.abs(self.basis.vectors).max(axis=1, keepdims=True) / 127
        np.savez_compressed(
            path,
            about=_bytes(json.dumps(about, ensure_ascii=False)),
            words=_bytes("\n".join(self.basis.words)),
            vectors=np.round(self.basis.vectors / scales).astype(np.int8),
            scales=scales.astype(np.float16),
            word_mean=self.basis.word_mean,
            word_map=self.basis.word_map.astype(np.float16),
            context_mean=self.basis.context_mean,
            context_map=self.basis.context_map.astype(np.float16),
            **{name: getattr(self.policy, name) for name in _WEIGHTS},
        )


def load(path: Path) -> Checkpoint:
    """Read a checkpoint.

    Raises:
        Failure: it is missing, damaged, or of another shape.
    """
    try:
        with np.load(BytesIO(path.read_bytes())) as file:
            about = json.loads(bytes(file["about"]))
            words = bytes(file["words"]).decode().split("\n")
            vectors = file["vectors"].astype(np.float32) * file["scales"].astype(np.float32)
            maps = [file[name].astype(np.float32) for name in _MAPS]
            policy = Policy(*(file[name].astype(np.float32) for name in _WEIGHTS))
        basis = Basis(about["embedder"], tuple(words), vectors, *maps)
        checkpoint = Checkpoint(policy, basis, Rewards(*map(float, about["rewards"])), about)
    except Exception as error:  # zip, its compression, numpy and JSON each raise their own on what is damaged
        raise Failure(f"The checkpoint {path.name} cannot be read ({error}); get it again or train it anew.") from error
    _check(path, checkpoint)
    return checkpoint


def _check(path: Path, checkpoint: Checkpoint) -> None:
    policy, basis = checkpoint.policy, checkpoint.basis
    size, hidden = basis.word_mean.size, policy.bias.size
    wanted: dict[str, tuple[Vectors, tuple[int, ...]]] = {
        "vectors": (basis.vectors, (len(basis.words), DIMENSIONS)),
        "word_mean": (basis.word_mean, (size,)),
        "word_map": (basis.word_map, (size, DIMENSIONS)),
        "context_mean": (basis.context_mean, (size,)),
        "context_map": (basis.context_map, (size, DIMENSIONS)),
        "bias": (policy.bias, (hidden,)),
        "of_state": (policy.of_state, (2 * DIMENSIONS, hidden)),
        "of_action": (policy.of_action, (2 * DIMENSIONS + SCALARS, hidden)),
        "out": (policy.out, (hidden,)),
    }
    for name, (array, shape) in wanted.items():
        if array.shape != shape:
            raise Failure(f"The checkpoint {path.name} has {name} of shape {array.shape}, not {shape}; train it anew.")


def _bytes(text: str) -> "np.ndarray[Any, np.dtype[np.uint8]]":
    return np.frombuffer(text.encode(), np.uint8)
