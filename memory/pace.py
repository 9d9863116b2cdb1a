"""What reading takes: by the passages read lately in this run, and before there are any, by experience."""

from collections import deque

_LATELY = 20  # passages
_USUAL_TOKENS = 450  # fresh ones a passage of 120 words: about three for each token of the text


class Pace:
    """Seconds and tokens a passage."""

    def __init__(self) -> None:
        self._read: deque[tuple[float, int]] = deque(maxlen=_LATELY)

    def note(self, seconds: float, tokens: int) -> None:
        """A passage was read."""
        self._read.append((seconds, tokens))

    def seconds(self, passages: int) -> float | None:
        """How long so many passages will take; None until one was read."""
        return passages * sum(seconds for seconds, _ in self._read) / len(self._read) if self._read else None

    def tokens(self, passages: int) -> int:
        """How many fresh tokens so many passages will cost the model."""
        each = sum(tokens for _, tokens in self._read) / len(self._read) if self._read else _USUAL_TOKENS
        return round(passages * each)
