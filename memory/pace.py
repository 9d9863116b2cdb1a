"""What reading takes: by the passages read lately in this run, and before there are any, by experience."""

import time
from collections import deque
from collections.abc import Callable

_LATELY = 20  # passages
_FADING = 0.7  # what the pace of a passage counts beside that of the next one: a new pace is believed after a few
_USUAL_TOKENS = 450  # fresh ones a passage of 120 words: about three for each token of the text
_STANDSTILL = 5.0  # times as long as a passage takes …
_AT_LEAST = 30.0  # … and so many seconds: reading stands still, and nobody knows how long


class Pace:
    """Seconds and tokens a passage."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` tells seconds."""
        self._read: deque[tuple[float, int]] = deque(maxlen=_LATELY)
        self._clock = clock
        self._last = 0.0

    def note(self, seconds: float, tokens: int) -> None:
        """A passage was read just now."""
        self._read.append((seconds, tokens))
        self._last = self._clock()

    def seconds(self, passages: int) -> float | None:
        """How long so many passages will take; None until one was read, and where none was for a long while."""
        if not self._read:
            return None
        each = self._each()
        since = self._clock() - self._last
        if since > max(_AT_LEAST, _STANDSTILL * each):
            return None
        return max(0, passages - 1) * each + max(each, since) * min(passages, 1)

    def tokens(self, passages: int) -> int:
        """How many fresh tokens so many passages will cost the model."""
        each = sum(tokens for _, tokens in self._read) / len(self._read) if self._read else _USUAL_TOKENS
        return round(passages * each)

    def _each(self) -> float:
        weights = [_FADING**age for age in range(len(self._read))]
        return sum(w * seconds for w, (seconds, _) in zip(weights, reversed(self._read), strict=True)) / sum(weights)
