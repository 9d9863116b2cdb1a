"""From a question to evidence: the pair is chosen, its strategy searches, and where it finds nothing a program does."""

import queue
from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence, Set
from dataclasses import replace
from threading import Event as Signal

from assistant import waiting
from assistant.errors import Failure, Interrupted, UserMistake
from assistant.knowledge_bases.base import KnowledgeBase
from assistant.llm.client import LanguageModel
from assistant.search.bandit import Arm
from assistant.search.base import Emit, SearchStrategy
from assistant.search.choosing import FIRST, Choosing
from assistant.search.formats import FORMATS
from assistant.search.programs.program import ProgramSearch
from assistant.types import Event, Evidence, Failed, Planned, Turn

_LOOK_SECONDS = 0.1  # between two looks at whether the turn was stopped
_LOOKS_AFTER_STOP = 10

MakeStrategy = Callable[[LanguageModel], SearchStrategy]


class Searching:
    """All strategies behind one call. Safe to use from several threads."""

    def __init__(self, strategies: Mapping[str, MakeStrategy], choosing: Choosing) -> None:
        """`strategies` makes each strategy anew for a turn, with that turn's view of the model; "program" is one."""
        self._strategies = strategies
        self._choosing = choosing
        # Users, their conversations, and pins of which it was said there that they cannot be played.
        self._told: deque[tuple[str, str, Arm]] = deque(maxlen=1_000)

    @property
    def arms(self) -> list[Arm]:
        """Every strategy with every format."""
        return [Arm(strategy, format) for strategy in self._strategies for format in FORMATS]

    def check(self, turn: Turn, knowledge_bases: Sequence[KnowledgeBase], model: LanguageModel) -> None:
        """Whether the turn can be played with the strategy and the format that it names.

        Raises:
            UserMistake: it cannot.
        """
        for chosen, there, what in ((turn.strategy, self._strategies, "strategy"), (turn.format, FORMATS, "format")):
            if chosen and chosen not in there:
                raise UserMistake(f"There is no {what} {chosen!r}; there are: {', '.join(sorted(there))}.")
        if turn.strategy and not self._strategies[turn.strategy](model).available(knowledge_bases):
            told = _cannot_be_searched(knowledge_bases, turn.strategy)
            raise UserMistake(f"{told[0].upper()}{told[1:]}")

    def search(
        self, turn: Turn, knowledge_bases: Sequence[KnowledgeBase], model: LanguageModel, cancel: Signal
    ) -> Generator[Event, None, list[Evidence]]:
        """Yields what happens, beginning with `Planned`; returns the evidence.

        Where the strategy fails or finds nothing, program search is played in its place, with the same format; not for
        multiple-choice questions, which can be answered without evidence.

        Raises:
            Interrupted: `cancel` was set.
            Failure: program search cannot go on.
        """
        strategies = {name: make(model) for name, make in self._strategies.items()}
        able = {name for name, strategy in strategies.items() if strategy.available(knowledge_bases)}
        choice = self._choosing.choose(turn, [arm for arm in self.arms if arm.strategy in able])
        names = tuple(kb.name for kb in knowledge_bases)
        yield Planned(*choice.arm, names, choice.by, choice.estimate.expected, choice.estimate.bonus)
        if not turn.strategy:
            yield from self._passed_over(turn, knowledge_bases, able)
        strategy = strategies[choice.arm.strategy]
        try:
            found = yield from _in_thread(lambda emit: strategy.find(turn, knowledge_bases, emit, cancel), cancel)
        except Interrupted:
            raise
        except Failure as failure:
            if strategy.name == FIRST.strategy:
                raise
            yield Failed(strategy.name, str(failure))
            found = []
        if found or turn.choices or strategy.name == FIRST.strategy:
            return found
        yield Planned(FIRST.strategy, choice.arm.format, names, "fallback")
        program = strategies[FIRST.strategy]
        return (yield from _in_thread(lambda emit: program.find(turn, knowledge_bases, emit, cancel), cancel))

    def _passed_over(
        self, turn: Turn, knowledge_bases: Sequence[KnowledgeBase], able: Set[str]
    ) -> Generator[Event, None, None]:
        """Says of a pin that cannot be played that it cannot, once in a conversation."""
        pinned = self._choosing.pinned(turn.user)
        if pinned is None or pinned.strategy in able or (turn.user, turn.session, pinned) in self._told:
            return
        self._told.append((turn.user, turn.session, pinned))
        told = _cannot_be_searched(knowledge_bases, pinned.strategy)
        yield Failed(pinned.strategy, f"{pinned} is pinned, but {told}")

    def rerun(
        self, turn: Turn, code: str, knowledge_bases: Sequence[KnowledgeBase], model: LanguageModel, cancel: Signal
    ) -> Generator[Event, None, list[Evidence]]:
        """As `search`, with a program that the user wrote; raises what `check` and `search` raise."""
        turn = replace(turn, strategy=FIRST.strategy, format=turn.format or FIRST.format)
        self.check(turn, knowledge_bases, model)
        yield Planned(turn.strategy, turn.format, tuple(kb.name for kb in knowledge_bases), "user")
        program = self._strategies[FIRST.strategy](model)
        assert isinstance(program, ProgramSearch)
        return (yield from _in_thread(lambda emit: program.rerun(turn, code, knowledge_bases, emit, cancel), cancel))


def _cannot_be_searched(knowledge_bases: Sequence[KnowledgeBase], strategy: str) -> str:
    asked = ", ".join(kb.name for kb in knowledge_bases)
    return f"none of the knowledge bases asked ({asked}) can be searched by {strategy}."


def _in_thread(work: Callable[[Emit], list[Evidence]], cancel: Signal) -> Generator[Event, None, list[Evidence]]:
    """Run `work(emit)` in a thread; yields what it emits as it is emitted, and returns or raises what it does.

    Raises:
        Interrupted: `cancel` was set, and the work did not end by itself soon after; it is left alone then.
    """
    emitted: queue.SimpleQueue[Event | None] = queue.SimpleQueue()
    future = waiting.started(lambda: work(emitted.put), "search")
    future.add_done_callback(lambda _: emitted.put(None))
    looks_left = _LOOKS_AFTER_STOP
    while looks_left:
        try:
            event = emitted.get(timeout=_LOOK_SECONDS)
        except queue.Empty:
            looks_left -= cancel.is_set()
            continue
        if event is None:
            return future.result()
        yield event
    raise Interrupted("Stopped.")
