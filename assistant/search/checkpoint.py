"""The file that training leaves behind: a policy, and the basis of the space that it was trained in."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from assistant.errors import Failure
from assistant.search.policy import Policy
from assistant.search.space import DIMENSIONS, Basis
from assistant.search.walks import SCALARS
from memory.types import Vectors

SHIPPED = Path(__file__).with_name("policy.npz")
_WEIGHTS = ("of_state", "of_action", "bias", "out")
_MAPS = ("word_mean", "word_map", "context_mean", "context_map")


@dataclass(frozen=True)
class Checkpoint:
    """A trained policy with the basis that it was trained in; `about` says from which data, with which seed."""

    policy: Policy
    basis: Basis
    about: Mapping[str, Any]

    def save(self, path: Path) -> None:
        """Write it; the words' vectors in 8 bits."""
        scales = np.abs(self.basis.vectors).max(axis=1, keepdims=True) / 127
        np.savez_compressed(
            path,
            about=_bytes(json.dumps({**self.about, "embedder": self.basis.embedder}, ensure_ascii=False)),
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
    except (OSError, EOFError, KeyError, ValueError, BadZipFile) as error:
        raise Failure(f"The checkpoint {path.name} cannot be read ({error}); get it again or train it anew.") from error
    _check(path, len(words), vectors, maps, policy)
    return Checkpoint(policy, Basis(about["embedder"], tuple(words), vectors, *maps), about)


def _check(path: Path, words: int, vectors: Vectors, maps: Sequence[Vectors], policy: Policy) -> None:
    size, hidden = len(maps[0]), len(policy.bias)
    wanted = {
        "vectors": (vectors, (words, DIMENSIONS)),
        "word_map": (maps[1], (size, DIMENSIONS)),
        "context_map": (maps[3], (size, DIMENSIONS)),
        "of_state": (policy.of_state, (2 * DIMENSIONS, hidden)),
        "of_action": (policy.of_action, (2 * DIMENSIONS + SCALARS, hidden)),
        "out": (policy.out, (hidden,)),
    }
    for name, (array, shape) in wanted.items():
        if array.shape != shape:
            raise Failure(f"The checkpoint {path.name} has {name} of shape {array.shape}, not {shape}; train it anew.")


def _bytes(text: str) -> "np.ndarray[Any, np.dtype[np.uint8]]":
    return np.frombuffer(text.encode(), np.uint8)
