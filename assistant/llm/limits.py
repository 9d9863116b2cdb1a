"""What a turn and a reply of a model may take, whatever the server does; nothing else sets such limits."""

from dataclasses import dataclass

from memory.errors import Notice

_MIB = 2**20

# A token has about 4 characters, and a run of spaces up to 128: a server that sends more than this on average for each
# token that it was asked for does not keep to its limit.
CHARACTERS_A_TOKEN = 20


@dataclass(frozen=True, slots=True)
class ReplyLimits:
    """What one call of a model may take, with all its retries.

    Only what the model says or thinks is a token: keep-alives and empty pieces are none, so they gain no time.

    Attributes:
        first_seconds: until the first token. Reading the prompt comes before it, without any sign of life.
        between_seconds: from one token to the next.
        seconds: in all.
        bytes: what may arrive in all.
        event_bytes: of one piece of a stream, and of a reply that comes in one piece.
        events: pieces in all, with those that say nothing.
    """

    first_seconds: float
    between_seconds: float
    seconds: float
    bytes: int = 16 * _MIB
    event_bytes: int = _MIB
    events: int = 100_000


# A model that thinks before it speaks may be silent for one or two minutes.
REMOTE = ReplyLimits(first_seconds=180.0, between_seconds=60.0, seconds=300.0)

# A prompt that fills the context of 8,192 tokens takes two minutes at 65 tokens a second, and nine at 15, as on a small
# machine; while one prompt is read, another reply gets a token with each batch of it, every few seconds there.
EMBEDDED = ReplyLimits(first_seconds=540.0, between_seconds=120.0, seconds=570.0)


@dataclass(frozen=True, slots=True)
class TurnLimits:
    """What a turn may take, with all its searches and calls of the model.

    The model's time ends before the turn's: what is left then is for what needs no model, such as showing what was
    found and keeping what was told. Ten minutes are for the embedded model on a small machine, where five calls with
    long prompts may take a minute or two each.
    """

    seconds: float = 600.0
    model_seconds: float = 580.0
    characters: int = 100_000

    @property
    def out_of_time(self) -> str:
        """One line for whoever waited."""
        return Notice(
            "The turn reached its limit of {time} and was ended; ask again, or ask for less.",
            time=in_words(self.seconds),
        )

    @property
    def too_long(self) -> str:
        """One line for whoever reads."""
        return Notice("The answer reached its limit of {count} characters and was ended there.", count=self.characters)


def in_words(seconds: float) -> str:
    """A limit as people say it: "10 minutes", "180 seconds"."""
    minutes, rest = divmod(seconds, 60)
    if minutes > 1 and not rest:
        return Notice("{count} minutes", count=round(minutes))
    return Notice("{count} seconds", count=round(seconds) if seconds == round(seconds) else seconds)
