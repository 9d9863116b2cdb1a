"""What can be asked of the memory, as the understanding of a message names it."""

from dataclasses import dataclass

from assistant import periods
from assistant.understanding import Understanding


@dataclass(frozen=True, slots=True)
class Undo:
    """To take back what was last remembered or forgotten."""


@dataclass(frozen=True, slots=True)
class BringBack:
    """To remember again what was last taken back or forgotten."""


@dataclass(frozen=True, slots=True)
class ForgetThat:
    """To forget what was spoken of last."""


@dataclass(frozen=True, slots=True)
class ForgetLast:
    """To forget what the user told last."""


@dataclass(frozen=True, slots=True)
class Forget:
    """To forget `what`, in the user's words."""

    what: str


@dataclass(frozen=True, slots=True)
class ForgetDocument:
    """To forget the document that was uploaded last."""


@dataclass(frozen=True, slots=True)
class ForgetTold:
    """To forget what the user told in a period, see `periods`."""

    period: str


@dataclass(frozen=True, slots=True)
class ForgetEverything:
    """To forget all there is."""


@dataclass(frozen=True, slots=True)
class Agree:
    """To forget what it was asked about just before."""


@dataclass(frozen=True, slots=True)
class Tell:
    """To tell what is remembered about `what`."""

    what: str


@dataclass(frozen=True, slots=True)
class Summarise:
    """To sum up the document called `what`; "" is the latest."""

    what: str = ""


@dataclass(frozen=True, slots=True)
class SummariseAll:
    """To sum up all documents, or those that came in a period, see `periods`."""

    period: str = ""


MemoryRequest = (
    Undo
    | BringBack
    | ForgetThat
    | ForgetLast
    | Forget
    | ForgetDocument
    | ForgetTold
    | ForgetEverything
    | Agree
    | Tell
    | Summarise
    | SummariseAll
)

_FORGET: dict[str, MemoryRequest] = {
    "": ForgetThat(),
    **dict.fromkeys(("that", "this", "it"), ForgetThat()),
    "last": ForgetLast(),
    "document": ForgetDocument(),
    "everything": ForgetEverything(),
}
_SUMMARISE: dict[str, MemoryRequest] = {"": Summarise(), "latest": Summarise(), "all": SummariseAll()}


def requested(understood: Understanding) -> MemoryRequest | None:
    """What a message asks of the memory; None for anything else."""
    about = understood.about
    match understood.kind:
        case "undo":
            return Undo()
        case "restore":
            return BringBack()
        case "yes":
            return Agree()
        case "recall":
            return Tell(about)
        case "forget":
            return _FORGET.get(about) or (ForgetTold(about) if periods.is_period(about) else Forget(about))
        case "summarise":
            return _SUMMARISE.get(about) or (SummariseAll(about) if periods.is_period(about) else Summarise(about))
        case _:
            return None
