"""What the model at hand can do, found out by a few questions whose answers are known, and kept.

A model counts as capable when it answers all of them. They ask for what a capable model's part of a turn rests on: to
conclude in several steps, to keep to what a task says, and to tell what a text supports; in three languages.
"""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

import pydantic

from assistant import prompting
from assistant.errors import Failure, Interrupted, ModelReplyUnreadable, ModelTooSlow, ModelUnavailable
from assistant.llm.client import LanguageModel
from assistant.messages import Phrase, tell
from assistant.types import Message, Profile, Size
from memory.records.database import State

_logger = logging.getLogger(__name__)

_VERSION = 1  # of the probes: what others found out is found out anew
_SECONDS, _BACKGROUND_SECONDS = 45.0, 180.0  # for all probes, while somebody waits or nobody does
_DAYS_KEPT = 30  # a server may by then have another model under the same name
_TOKENS = 2_000  # of which some models think most
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
    """The profile of one model, found out once and kept for a month in the records of the installation.

    Safe to use from several threads.
    """

    def __init__(self, model: LanguageModel, state: State, place: str, told: Size | None = None) -> None:
        """`place` says where which model is: its server's address and its name; without one it is the built-in one.
        What the operator has `told` is believed."""
        self._model = model
        self._state = state
        self._told = told
        self._lock = threading.Lock()
        self._stopped, self._over = threading.Event(), False
        self._running: threading.Thread | None = None
        self._begin(place)

    def _begin(self, place: str) -> None:
        self._name = f"profile {place}"
        self._too_slow = False
        self._tried = False  # in the background, to the end
        self._passed = set[Probe]()  # before a turn went first
        self._lacks_context = bool(place and self._told)
        known = self._kept() if place else BUILT_IN
        self._profile = replace(known, size=self._told, known_by="setting") if self._told else known

    @property
    def profile(self) -> Profile:
        """What is known by now."""
        return self._profile

    def move(self, place: str) -> None:
        """Another model answers from now on: what is known of it counts, and what is not is found out."""
        self.pause()
        with self._lock:
            if self._over:
                return
            self._stopped.clear()
            self._begin(place)
        self.start()

    def start(self) -> None:
        """Find out in the background what is not known yet; returns at once."""
        with self._lock:
            is_over = self._is_known or (self._too_slow and self._tried)
            if not is_over and not (self._running and self._running.is_alive()):
                self._running = threading.Thread(target=self._run, name="profile", daemon=True)
                self._running.start()

    def find_out(self, model: LanguageModel) -> Profile:
        """The profile, found out with `model` where it is not known yet; one that fails stays unknown, and is small.

        A model that was too slow for that once is asked again only where nobody waits, and once in each process.

        Raises:
            Interrupted: as `LanguageModel.parse`.
        """
        may_probe = not self._too_slow and model.seconds_left >= _SECONDS
        if not self._is_known and (may_probe or self._lacks_context):
            self._find_out(model, _SECONDS)
        return self._profile

    def pause(self) -> None:
        """End what `start` started, until another model answers."""
        self._stopped.set()
        if self._running:
            self._running.join()

    def close(self) -> None:
        """End what `start` started, for good; may be called twice."""
        with self._lock:
            self._over = True
        self.pause()

    def _run(self) -> None:
        model = self._model.in_background(self._stopped.is_set)
        while not self._stopped.is_set():
            try:
                self._find_out(model, _BACKGROUND_SECONDS)
                self._tried = True
                return
            except Interrupted:  # by a turn, which goes first
                self._stopped.wait(_AGAIN_SECONDS)

    @property
    def _is_known(self) -> bool:
        return self._profile.known_by != "nothing" and not self._lacks_context

    def _find_out(self, model: LanguageModel, seconds: float) -> None:
        if self._lacks_context:  # all else the operator has said
            context = self._model.transport.facts(model.stopped).context_tokens
            self._profile = replace(self._profile, context_tokens=context or self._profile.context_tokens)
            self._lacks_context = False
            return
        name = self._name
        try:
            found = probed(model.within(seconds), self._passed)
        except Interrupted:
            raise
        except ModelTooSlow:
            self._keep(name, None)
        except Failure as failure:
            _logger.info("What the model can do is not known yet: %s", failure)
        else:
            self._keep(name, found)

    def _keep(self, name: str, found: Profile | None) -> None:
        """Of the model of that name, which may be another one than now answers; None where it was too slow."""
        kept = asdict(found) if found else {"too_slow": True}
        self._state.set(name, {"version": _VERSION, "at": time.time(), **kept})
        if name == self._name:
            self._profile, self._too_slow = found or self._profile, found is None

    def _kept(self) -> Profile:
        kept: dict[str, Any] = self._state.get(self._name) or {}
        version, at = kept.pop("version", 0), kept.pop("at", 0.0)
        if version != _VERSION or time.time() - at > _DAYS_KEPT * 86_400:
            return Profile()
        self._too_slow = kept.get("too_slow", False)
        return Profile() if self._too_slow else Profile(**{**kept, "refuses": tuple(kept["refuses"])})


def probed(model: LanguageModel, passed: set[Probe] | None = None) -> Profile:
    """What the probes find out about a model; those that it has `passed` are added there and left out another time.

    Raises:
        Interrupted, ModelUnavailable: as `LanguageModel.parse`; also where its time is over.
    """
    structured, is_capable = True, True
    passed = set() if passed is None else passed
    for probe in PROBES:
        try:
            is_capable = probe in passed or _passes(model, probe)
        except ModelReplyUnreadable:
            structured = is_capable = False
        if not is_capable:
            break
        passed.add(probe)
    greeting, grammar = [Message("user", "Say hello.")], f'root ::= "{_WORD}"'
    draws = _can(lambda: model.complete(greeting, purpose="profile", max_tokens=8, grammar=grammar).strip() == _WORD)
    weighs = _can(lambda: bool(model.first_tokens(greeting, purpose="profile")))
    facts = model.transport.facts(model.stopped)
    return Profile(
        "capable" if is_capable else "small",
        "probes",
        structured and "response_format" not in facts.refuses,
        weighs,
        draws,
        facts.context_tokens,
        tuple(sorted(facts.refuses)),
    )


def _passes(model: LanguageModel, probe: Probe) -> bool:
    messages = prompting.load("profile").render(task=probe.task)
    reply = model.parse(messages, _Reply, purpose="profile", max_tokens=_TOKENS)
    return tuple(str(one).strip() for one in reply.answer) == probe.answer


def _can(does: Callable[[], bool]) -> bool:
    """Whether it does; not where it fails: servers refuse in many ways what they do not know."""
    try:
        return does()
    except ModelTooSlow:
        raise
    except ModelUnavailable:
        return False


_TOLD_SIZES = {"small": Phrase("small"), "capable": Phrase("capable")}
_KNOWN_BY = {
    "nothing": Phrase("{size}, as long as nothing is known of it"),
    "probes": Phrase("{size}, by its answers"),
    "build": Phrase("{size}, the built-in one"),
    "setting": Phrase("{size}, as LOREKEEPER_PROFILE says"),
}


def told(profile: Profile) -> str:
    """A profile in one line, as `status` and the page say it."""
    abilities = [
        name
        for name, has in (
            (tell("structured replies"), profile.structured),
            (tell("token weights"), profile.weights),
            (tell("grammar"), profile.grammar),
        )
        if has
    ]
    known = tell(_KNOWN_BY[profile.known_by], size=tell(_TOLD_SIZES[profile.size]))
    context = [tell("context of {count} tokens", count=profile.context_tokens)] if profile.context_tokens else []
    without = [tell("without {names}", names=", ".join(profile.refuses))] if profile.refuses else []
    return "; ".join([known, *abilities, *context, *without])
