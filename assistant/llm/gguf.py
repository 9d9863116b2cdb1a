"""The control tokens of a GGUF model file, read from its metadata.

The format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
"""

import mmap
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}  # bytes of a number, by its type
_STRING, _ARRAY = 8, 9
_TOKENS, _TYPES = "tokenizer.ggml.tokens", "tokenizer.ggml.token_type"
_UNKNOWN, _CONTROL, _USER_DEFINED = 2, 3, 4  # what the server takes out of any text; of ordinary tokens it does not


def special_tokens(file: Path) -> list[str]:
    """The tokens that a server of the model recognises in the text of a whole prompt, whoever wrote them there.

    Those that a model's makers defined beside the control tokens are among them if they are written as a mark,
    `<tool_call>` or `[IMG]`; others are runs of spaces and the like.

    Raises:
        ValueError: the file is no GGUF file, or its metadata ends in the middle.
        OSError: it cannot be read.
    """
    with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as data:
        try:
            found = dict(_tokenizer(_Reader(data)))
        except (struct.error, IndexError, KeyError) as error:
            raise ValueError(f"the metadata of {file} cannot be read") from error
    tokens, types = found.get(_TOKENS, []), found.get(_TYPES, [])
    return [str(token) for token, kind in zip(tokens, types, strict=False) if _is_special(str(token), kind)]


def _is_special(token: str, kind: object) -> bool:
    if kind == _USER_DEFINED:
        return token[:1] in "<[" and token[-1:] in ">]"
    return kind in (_UNKNOWN, _CONTROL)


class _Reader:
    """Reads values one after another; a value that goes beyond the end raises struct.error or IndexError."""

    def __init__(self, data: mmap.mmap) -> None:
        self._data = data
        self.at = 0

    def number(self, form: str) -> int:
        (value,) = struct.unpack_from(f"<{form}", self._data, self.at)
        self.at += struct.calcsize(f"<{form}")
        return int(value)

    def skip(self, length: int) -> int:
        """Go on by `length` bytes; where they began."""
        begin, self.at = self.at, self.at + length
        if self.at > len(self._data):
            raise IndexError
        return begin

    def text(self) -> str:
        length = self.number("Q")
        begin = self.skip(length)
        return self._data[begin : self.at].decode(errors="replace")

    def skip_value(self, kind: int) -> None:
        if kind == _STRING:
            self.skip(self.number("Q"))
        elif kind == _ARRAY:
            of, count = self.number("I"), self.number("Q")
            if of in _SIZES:
                self.skip(count * _SIZES[of])
            else:
                for _ in range(count):
                    self.skip_value(of)
        else:
            self.skip(_SIZES[kind])

    def array(self, read: Callable[[], str | int]) -> list[str | int]:
        self.number("I")
        return [read() for _ in range(self.number("Q"))]


def _tokenizer(reader: _Reader) -> Iterator[tuple[str, list[str | int]]]:
    """The two lists that say which tokens there are and of which kinds; nothing behind them is read."""
    if reader.number("I") != int.from_bytes(b"GGUF", "little") or reader.number("I") < 2:  # version 1 is long gone
        raise IndexError
    reader.number("Q")  # how many tensors
    left = {_TOKENS, _TYPES}
    for _ in range(reader.number("Q")):
        key, kind = reader.text(), reader.number("I")
        if key in left and kind == _ARRAY:
            yield key, reader.array(reader.text if key == _TOKENS else lambda: reader.number("i"))
            left.discard(key)
            if not left:
                return
        else:
            reader.skip_value(kind)
