"""What the model at hand can do, found out by a few questions whose answers are known, and kept.

A model counts as capable when it answers all of them. They ask for what a capable model's part of a turn rests on: to
conclude in several steps, to keep to what a task says, and to tell what a text supports; in three languages.
"""

import logging
import threading
from dataclasses import asdict, dataclass, replace
from typing import Any

import pydantic

from assistant import prompting
from assistant.errors import Failure, Interrupted, ModelReplyUnreadable, ModelTooSlow
from assistant.llm.client import LanguageModel
from assistant.types import Message, Profile, Size
from memory.records.database import State

_logger = logging.getLogger(__name__)

_VERSION = 1  # of the probes: what others found out is found out anew
_SECONDS, _BACKGROUND_SECONDS = 45.0, 180.0  # for all probes, while somebody waits or nobody does
_TOKENS = 500
_AGAIN_SECONDS = 1.0  # between two tries in the background, which a turn may end at any moment
_WORD = "kumquat"  # what no model says by itself when it is greeted

# The model that comes with the program, as these probes find it: a live test compares.
BUILT_IN = Profile("small", "build", structured=True, weights=True, grammar=True, context_tokens=8192)


@dataclass(frozen=True, slots=True)
class Probe:
    """A task, and what its answer lists; the order counts."""

    task: str
    answer: tuple[str, ...]


PROBES = (
    Probe(
        "Mira's shop opens at 9:30, and on Saturdays one hour later. The bakery next door always opens 45 minutes "
        "before Mira's shop. From Holm a bus to the bakery leaves at a quarter past and at a quarter to each hour; the "
        "ride takes 20 minutes. Jonas wants to be at the bakery when it opens on Saturday, or a little earlier. Which "
        "is the last bus from Holm that he can take? Give its time of departure, as HH:MM.",
        ("09:15",),
    ),
    Probe(
        "Anke ist älter als Bernd. Clara ist jünger als Bernd, aber älter als Emil. Dirk ist älter als Anke. Emil hat "
        "heute Geburtstag. Nenne alle, die älter sind als Clara, vom Jüngsten zum Ältesten, jeden Namen ganz in "
        "Großbuchstaben. Lass dabei alle Namen weg, die auf einen Vokal enden.",
        ("BERND", "DIRK"),
    ),
    Probe(
        "[1] 租约：月租金为920欧元，押金为两个月租金，猫须经房东书面同意。\n"
        "[2] Protocol of May 4: Ruth proposed the new roof, Paul seconded; it was put off until Ida's return in June.\n"
        "下列哪些说法没有得到以上文字的支持？请只给出编号，从小到大。\n"
        "1. Die Kaution beträgt 1.840 Euro.\n"
        "2. Paul proposed the new roof.\n"
        "3. 养猫需要房东口头同意。\n"
        "4. The yearly rent is 11,040 euros.\n"
        "5. Le toit attend le retour d'Ida.",
        ("2", "3"),
    ),
)


class _Reply(pydantic.BaseModel):
    steps: str
    answer: list[str | int]


class Profiling:
    """The profile of one model, found out once and kept in the records of the installation.

    Safe to use from several threads.
    """

    def __init__(self, model: LanguageModel, state: State, place: str, told: Size | None = None) -> None:
        """`place` says where which model is: its server's address and its name; without one it is the built-in one.
        What the operator has `told` is believed."""
        self._model = model
        self._state = state
        self._name = f"profile {place}"
        self._too_slow = False
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._running: threading.Thread | None = None
        known = self._kept() if place else BUILT_IN
        self._profile = replace(known, size=told, known_by="setting") if told else known

    @property
    def profile(self) -> Profile:
        """What is known by now."""
        return self._profile

    def start(self) -> None:
        """Find out in the background what is not known yet; returns at once."""
        with self._lock:
            if self._profile.known_by == "nothing" and not (self._running and self._running.is_alive()):
                self._running = threading.Thread(target=self._run, name="profile", daemon=True)
                self._running.start()

    def find_out(self, model: LanguageModel) -> Profile:
        """The profile, found out with `model` where it is not known yet; one that fails stays unknown, and is small.

        A model that was too slow for that once is asked again only where nobody waits.

        Raises:
            Interrupted: as `LanguageModel.parse`.
        """
        if self._profile.known_by == "nothing" and not self._too_slow:
            self._find_out(model, _SECONDS)
        return self._profile

    def close(self) -> None:
        """End what `start` started; may be called twice."""
        self._closed.set()
        if self._running:
            self._running.join()

    def _run(self) -> None:
        model = self._model.in_background(self._closed.is_set)
        while not self._closed.is_set():
            try:
                self._find_out(model, _BACKGROUND_SECONDS)
                return
            except Interrupted:  # by a turn, which goes first
                self._closed.wait(_AGAIN_SECONDS)

    def _find_out(self, model: LanguageModel, seconds: float) -> None:
        try:
            found = probed(model.within(seconds))
            self._state.set(self._name, {"version": _VERSION, **asdict(found)})
        except Interrupted:
            raise
        except ModelTooSlow:
            self._too_slow = True
            self._state.set(self._name, {"version": _VERSION, "too_slow": True})
            return
        except Failure as failure:
            _logger.info("What the model can do is not known yet: %s", failure)
            return
        self._profile = found

    def _kept(self) -> Profile:
        kept: dict[str, Any] = self._state.get(self._name) or {}
        self._too_slow = kept.get("too_slow", False)
        if kept.pop("version", 0) != _VERSION or self._too_slow:
            return Profile()
        return Profile(**{**kept, "refuses": tuple(kept["refuses"])})


def probed(model: LanguageModel) -> Profile:
    """What the probes find out about a model.

    Raises:
        Interrupted, ModelUnavailable: as `LanguageModel.parse`; also where its time is over.
    """
    structured, is_capable = True, True
    for probe in PROBES:
        try:
            is_capable = _passes(model, probe)
        except ModelReplyUnreadable:
            structured = is_capable = False
        if not is_capable:
            break
    greeting = [Message("user", "Say hello.")]
    drawn = model.complete(greeting, purpose="profile", max_tokens=8, grammar=f'root ::= "{_WORD}"')
    weights = model.first_tokens(greeting, purpose="profile")
    facts = model.transport.facts(model.stopped)
    return Profile(
        "capable" if is_capable else "small",
        "probes",
        structured and "response_format" not in facts.refuses,
        bool(weights),
        drawn.strip() == _WORD,
        facts.context_tokens,
        tuple(sorted(facts.refuses)),
    )


def _passes(model: LanguageModel, probe: Probe) -> bool:
    messages = prompting.load("profile").render(task=probe.task)
    reply = model.parse(messages, _Reply, purpose="profile", max_tokens=_TOKENS)
    return tuple(str(one).strip() for one in reply.answer) == probe.answer


def told(profile: Profile) -> str:
    """A profile in one line, as `status` and the page say it."""
    abilities = [
        name
        for name, has in (
            ("structured replies", profile.structured),
            ("token weights", profile.weights),
            ("grammar", profile.grammar),
        )
        if has
    ]
    known = {
        "nothing": "not known yet, treated as small",
        "probes": f"{profile.size}, by its answers",
        "build": f"{profile.size}, the built-in one",
        "setting": f"{profile.size}, as LOREKEEPER_PROFILE says",
    }[profile.known_by]
    context = [f"context of {profile.context_tokens:,} tokens"] if profile.context_tokens else []
    without = [f"without {', '.join(profile.refuses)}"] if profile.refuses else []
    return "; ".join([known, *abilities, *context, *without])
