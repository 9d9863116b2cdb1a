"""Which model of the catalogue answers: chosen by those who use an installation, and kept in its records."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.errors import UserMistake
from assistant.llm.catalogue import BUILT_IN, GB, Offer, memory_here, offered
from assistant.llm.profile import Profiling
from assistant.messages import Phrase, spoken, tell
from assistant.messages.catalogues import locale
from memory.records.database import State

if TYPE_CHECKING:
    from assistant.llm.local import EmbeddedTransport

_CHOSEN = "model"
_MANY_LANGUAGES = Phrase("more than 100 languages")


def chosen(state: State) -> str:
    """The name of the model that was chosen; empty where none was, or one that is no longer offered."""
    name = str(state.get(_CHOSEN, ""))
    return name if offered(name) else ""


def place(name: str) -> str:
    """Where the model of a name or a file is, by which what is known of it is kept; empty for the built-in one."""
    return "" if offered(name) is BUILT_IN else name


class Models:
    """The choice of the embedded model."""

    def __init__(self, transport: "EmbeddedTransport", profiling: Profiling, state: State) -> None:
        self._transport = transport
        self._profiling = profiling
        self._state = state

    @property
    def chosen(self) -> Offer | None:
        """The model that answers, or will once it is there; None for a file of the operator's own."""
        return self._transport.offer

    def fitting(self) -> Sequence[Offer]:
        """The models that this machine has the memory for, and the first one."""
        memory, (first, *others) = memory_here(), self._transport.offers
        return [first, *(offer for offer in others if offer.fits(memory))]

    def choose(self, name: str) -> None:
        """Let the model of that name answer from now on; returns at once, it is fetched and started in the background.

        Raises:
            UserMistake: there is none of that name, or it needs more memory than there is.
        """
        offer = offered(name, self._transport.offers) if name else None
        if offer is None:
            raise UserMistake("There is no model {name} to choose.", name=name)
        if offer not in self.fitting():
            offer.check(memory_here())
        self._state.set(_CHOSEN, offer.name)
        self._profiling.pause()  # what it asks is no question to the next model
        self._transport.use(offer)
        self._profiling.move(place(offer.name))


def told(offer: Offer) -> str:
    """What a model asks for and knows, in one line, as `status` and the page say it."""
    names = [str(locale(spoken()).languages.get(code, code)) for code in offer.languages]
    return tell(
        "{name}: {size} GB to fetch, for machines with {memory} GB of memory; {license}; {languages}",
        name=offer.name,
        size=round(offer.weights.size / GB, 1),
        memory=offer.memory,
        license=offer.license,
        languages=", ".join(names) or tell(_MANY_LANGUAGES),
    )
