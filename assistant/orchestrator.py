"""The order of a turn and nothing else."""

import contextlib
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from assistant import shortcuts
from assistant.acquaintance import at_hand, concerned, in_view
from assistant.answering import multiple_choice
from assistant.answering.declining import is_own_knowledge, without_model
from assistant.answering.reader import Reader
from assistant.citations import cited
from assistant.errors import Failure, Interrupted, ModelUnavailable, UserMistake
from assistant.feedback import Feedback
from assistant.folders import Folders
from assistant.knowledge_bases.base import KnowledgeBase, NamedInQuestions
from assistant.knowledge_bases.registry import KnowledgeBases
from assistant.knowledge_bases.web.fetching import Fetching
from assistant.language import language_of
from assistant.llm.client import LanguageModel
from assistant.llm.limits import TurnLimits
from assistant.llm.models import Models
from assistant.llm.profile import Profiling
from assistant.memory_requests.carrying_out import carried_out, corrected
from assistant.memory_requests.lately import answered, may_be_meant, turned_aside
from assistant.memory_requests.noting import noted
from assistant.messages.languages import reply_language
from assistant.policy import Policy, policy_for
from assistant.search.choosing import Choosing
from assistant.search.examples import ExampleBank
from assistant.search.formats import Formats
from assistant.search.programs.sandbox import Sandbox
from assistant.search.queries.banks import QueryBanks
from assistant.searching import Searching
from assistant.settings import DEFAULT_USER, Settings
from assistant.turns.turns import Turns
from assistant.types import (
    Answered,
    Event,
    Evidence,
    Failed,
    Found,
    Planned,
    ProgramKept,
    ProgramRan,
    ProgramWritten,
    QueryRan,
    Route,
    Routed,
    Token,
    Turn,
)
from assistant.understanding import Understanding, language_of_turn, looked_up, standing_alone, understand
from memory.ingestion import Ingestion
from memory.store import Memory
from memory.user_memory import UserMemory

MESSAGE_CHARACTERS = 20_000
_SHOWN_WITHOUT_MODEL = 4


@dataclass
class _Progress:
    """What a turn has come to so far; `Answered` is made of it."""

    route: Route = "answer"
    question: str = ""
    evidence: tuple[Evidence, ...] = ()
    plans: tuple[Planned, ...] = ()
    program: str = ""
    program_found: bool = False
    query: str = ""
    query_kb: str = ""
    query_found: bool = False
    unreachable: tuple[str, ...] = ()
    said: list[Token] = field(default_factory=list)
    declined: bool = False
    grounded: bool = False
    stopped: bool = False
    cut: bool = False
    seconds: dict[str, float] = field(default_factory=dict)

    def note(self, event: Event) -> Event:
        """Take over what the end of the turn reports."""
        match event:
            case Routed():
                self.route, self.question = event.route, event.question
            case Planned():
                self.plans = (*self.plans, event)
            case ProgramWritten() | ProgramKept():
                self.program = event.code
            case ProgramRan():
                self.program_found = self.program_found or bool(event.run.value)
            case QueryRan() if not self.query_found:  # of several knowledge bases, the first that knows is cited first
                self.query, self.query_kb = event.query, event.kb
                self.query_found = event.is_answer and any(cell for row in event.rows for cell in row)
            case Failed() if event.knowledge_base:
                self.unreachable = tuple(dict.fromkeys((*self.unreachable, event.knowledge_base)))
            case Found():
                self.evidence = event.evidence
            case Token():
                self.said.append(event)
                self.cut = self.cut or event.cut
            case _:
                pass
        return event

    @property
    def text(self) -> str:
        """What the answer says so far."""
        return "".join(token.text for token in self.said)

    def rests_on_evidence(self) -> bool:
        """Whether all that was said so far was found to rest on evidence, and it cites some."""
        return all(token.supported or not token.text.strip() for token in self.said) and bool(cited(self.text))


class _Means(NamedTuple):
    """What a turn works with."""

    model: LanguageModel
    reader: Reader
    knowledge_bases: Sequence[KnowledgeBase]
    cancel: threading.Event
    progress: _Progress


class Assistant:
    """The whole product without its page: replies to turns, and holds what the page and the command line show."""

    def __init__(
        self,
        *,
        settings: Settings,
        memory: Memory,
        ingestion: Ingestion,
        model: LanguageModel,
        profiling: Profiling,
        models: Models | None,
        knowledge_bases: KnowledgeBases,
        searching: Searching,
        choosing: Choosing,
        examples: ExampleBank,
        query_banks: QueryBanks,
        sandbox: Sandbox,
    ) -> None:
        """`models` is None where there is no choice of one. `examples` are those of programs. `sandbox` is where
        strategies run what they write. What is given is closed with the assistant."""
        self.settings = settings
        self.memory = memory
        self.ingestion = ingestion
        self.model = model
        self.profiling = profiling
        self.models = models
        self.knowledge_bases = knowledge_bases
        self.searching = searching
        self.choosing = choosing
        self.fetching = Fetching(knowledge_bases.http, settings.fetch)
        self.folders = Folders(settings.watch, memory.of(DEFAULT_USER), ingestion)
        self.feedback = Feedback(memory, choosing)
        self.limits = TurnLimits()
        self.turns = Turns(self.reply, self._check, memory)
        self._formats = Formats()
        self._examples = examples
        self._query_banks = query_banks
        self._sandbox = sandbox
        self._prepared = False
        self._under_way: set[threading.Event] = set()  # what stops each turn

    def reply(self, turn: Turn, cancel: threading.Event | None = None) -> Iterator[Event]:
        """Everything that happens in a turn, as it happens; the last event is always `Answered`.

        However it goes, that comes within `limits`. Of a turn that `continues` an answer the tokens are what is new,
        and the answer is the whole text.

        Raises:
            UserMistake: the message is empty or too long, or names a knowledge base, a strategy or a format that is
                not there; raised before anything is done.
        """
        self._check(turn)
        cancel = cancel or threading.Event()
        if turn.continues:
            yield from self._carried_on(turn, cancel)
            return
        progress = _Progress(question=turn.text)
        yield from self._carried_through(progress, cancel, lambda model: self._events(turn, model, cancel, progress))

    def rerun(self, turn: Turn, code: str, cancel: threading.Event | None = None) -> Iterator[Event]:
        """A turn's search program as the user has edited it, run again, and what the question's answer then is.

        `turn.question` is the question of the turn that the program was written in. Nothing is routed and nothing
        remembered; the events are those of a search, from `Planned` to `Answered`.

        Raises:
            UserMistake: the program is empty or too long, or names are wrong as in `reply`; raised before anything is
                done.
        """
        self._check(turn)
        if not code.strip():
            raise UserMistake('The program is empty; write one, such as find_entity_or_value(["Kenya"], ["capital"]).')
        if len(code) > MESSAGE_CHARACTERS:
            raise UserMistake(
                "The program has {count} characters, {most} are the most.", count=len(code), most=MESSAGE_CHARACTERS
            )
        turn = _of_a_question(turn)
        cancel = cancel or threading.Event()
        progress = _Progress("search", turn.question, program=code)

        def events(model: LanguageModel) -> Iterator[Event]:
            knowledge_bases = self._for_turn(turn, self._asked(turn), code)
            searched = self.searching.rerun(turn, code, knowledge_bases, model, cancel)
            return self._search(turn, model, Reader(self._policy(model)), searched, progress)

        yield from self._carried_through(progress, cancel, events)

    def _carried_on(self, turn: Turn, cancel: threading.Event) -> Iterator[Event]:
        """The rest of an answer that was cut, and `Answered` with all of it."""
        turn = _of_a_question(turn)
        progress = _Progress("search" if turn.evidence else "answer", turn.question, evidence=turn.evidence)
        # What was before was looked at when it was said.
        progress.said.append(Token(turn.continues, supported=True))
        evidence = () if is_own_knowledge(turn.continues) else turn.evidence

        def events(model: LanguageModel) -> Iterator[Event]:
            yield Routed(progress.route, turn.question, 0.0)
            with _timed(progress.seconds, "answer"):
                reader = Reader(self._policy(model))
                known = () if evidence else in_view(self.memory.of(turn.user), turn.text)
                for piece in reader.continued(model, replace(turn, evidence=evidence), known):
                    yield piece.token
            progress.grounded = progress.rests_on_evidence()

        yield from self._carried_through(progress, cancel, events)

    def _carried_through(
        self, progress: _Progress, cancel: threading.Event, events: Callable[[LanguageModel], Iterator[Event]]
    ) -> Iterator[Event]:
        """The events, with `Answered` as the last one, whatever befalls them."""
        limits, is_over = self.limits, threading.Event()

        def end() -> None:
            is_over.set()
            cancel.set()

        timer = threading.Timer(limits.seconds, end)
        timer.daemon = True
        timer.start()
        with self.model.for_turn(cancel.is_set, limits.model_seconds) as model:
            self._under_way.add(cancel)
            try:
                room = limits.characters - len(progress.text)
                for event in events(model):
                    if isinstance(event, Token):
                        if len(event.text) > room:
                            cancel.set()  # what still runs ends before it is waited for
                            yield progress.note(Token(event.text[: max(0, room)], cut=True))
                            yield Failed("answer", limits.too_long)
                            break
                        room -= len(event.text)
                    yield progress.note(event)
            except Interrupted:
                progress.stopped = not is_over.is_set()
                if is_over.is_set():
                    progress.cut = bool(progress.text)
                    yield Failed("answer", limits.out_of_time)
            except Failure as failure:
                progress.cut = progress.cut or (bool(progress.text) and isinstance(failure, ModelUnavailable))
                yield Failed("answer", str(failure))
            finally:
                timer.cancel()
                cancel.set()  # also when the caller closes this generator: whatever still runs has to end
                self._under_way.discard(cancel)
        yield self._answered(progress, model)

    def check(self, turn: Turn) -> None:
        """Whether `reply` takes the turn; no model is asked.

        Raises:
            UserMistake: as `reply`.
        """
        self._check(turn)
        self.searching.check(turn, self._asked(turn), self.model)

    def _check(self, turn: Turn) -> None:
        if not turn.text.strip():
            raise UserMistake("The message is empty; write something.")
        if len(turn.text) > MESSAGE_CHARACTERS:
            raise UserMistake(
                "The message has {count} characters, {most} are the most; upload long texts as a document.",
                count=len(turn.text),
                most=MESSAGE_CHARACTERS,
            )
        if turn.choices:
            multiple_choice.check(turn.choices)

    def _asked(self, turn: Turn) -> Sequence[KnowledgeBase]:
        return self.knowledge_bases.choose(turn.user, language_of(turn.text), turn.knowledge_bases)

    def _for_turn(self, turn: Turn, bases: Sequence[KnowledgeBase], code: str = "") -> Sequence[KnowledgeBase]:
        """The knowledge bases as the turn's question may ask them; `code` is a program that the user has edited."""
        wording = self._examples.wording
        return self.knowledge_bases.for_turn(turn, bases, wording.__contains__, code)

    def _events(
        self, turn: Turn, model: LanguageModel, cancel: threading.Event, progress: _Progress
    ) -> Iterator[Event]:
        knowledge_bases = self._asked(turn)
        self.searching.check(turn, knowledge_bases, model)
        memory = self.memory.of(turn.user)
        try:
            with _timed(progress.seconds, "route"):
                understood = _understood(model, turn, self.policy, memory)
                reader = Reader(self._policy(model))
        except ModelUnavailable as unavailable:
            yield self._without(unavailable)
            # What can be found without the model is better than nothing. Whether it is a question at all,
            # nobody knows: it stays on this machine.
            understood, reader = Understanding("ask", turn.text), Reader(self.policy)
            if not turn.knowledge_bases:
                knowledge_bases = [kb for kb in knowledge_bases if not kb.public]
        turn = replace(turn, language=language_of_turn(turn, understood.language))
        asked = carried_out(turn, understood, memory, model, reader)
        if asked is not None:
            with _timed(progress.seconds, "memory"):
                yield from asked
            progress.grounded = progress.rests_on_evidence()
            return
        if understood.kind == "chat" and self.policy.sentence_by_sentence:
            with _timed(progress.seconds, "route"):
                understood = looked_up(model, turn, understood, has_documents=bool(memory.documents()))
        route, question = understood.route, _question(model, turn, understood)
        if turn.knowledge_bases and route == "answer":  # whoever names knowledge bases wants them searched
            route = "search"
        yield Routed(route, question, progress.seconds["route"])
        turn = replace(turn, question=question)
        if understood.kind == "remember+chat":
            try:
                yield from _conversation(reader, model, turn, memory, progress)
            except ModelUnavailable as unavailable:  # what was told is kept all the same
                yield Failed("answer", str(unavailable))
        if route == "answer":
            yield from _conversation(reader, model, turn, memory, progress)
            turned_aside(memory, turn.session, f"{turn.text} {progress.text}")
            return
        means = _Means(model, reader, knowledge_bases, cancel, progress)
        if route.startswith("search"):
            yield from self._looked_up(turn, understood, means)
        if route.endswith("remember"):
            told = False
            for event in self._noted(turn, understood, means):
                told = True
                yield event
            if not (told or route.startswith("search") or progress.text):  # then it asks
                understood = Understanding("own", language=understood.language)
                turn = replace(turn, question=_question(model, turn, understood))
                yield Routed(understood.route, turn.question, 0.0)
                yield from self._looked_up(turn, understood, means)

    def _looked_up(self, turn: Turn, understood: Understanding, means: _Means) -> Iterator[Event]:
        """The answer to what a turn asks: where it is about the user's own life from what is at hand, if that tells."""
        memory, model, progress = self.memory.of(turn.user), means.model, means.progress
        of_their_own = understood.kind in ("own", "recall") and _is_free(turn)

        def found(bases: Sequence[KnowledgeBase]) -> Iterator[Event]:
            asked = _in_full(model, turn, understood) if of_their_own else turn
            progress.question = asked.question
            if of_their_own:
                bases = concerned(asked.question, bases, self._examples.wording)
            searched = self.searching.search(asked, self._for_turn(asked, bases), model, means.cancel)
            yield from self._search(asked, model, means.reader, searched, progress)

        by_reading = of_their_own and not any(
            isinstance(base, NamedInQuestions) and base.is_named(turn.question) for base in means.knowledge_bases
        )
        at_once = self._at_once(turn, model, memory, progress) if by_reading else iter(())
        yield from self._or_without_model(turn, _either(at_once, found(means.knowledge_bases)), progress)
        answered(memory, turn.session, progress.text, progress.evidence)

    def _noted(self, turn: Turn, understood: Understanding, means: _Means) -> Iterator[Event]:
        """What a turn tells, written to memory and said below what is said already; nothing where it tells nothing."""
        memory, asks = self.memory.of(turn.user), understood.route == "search+remember"
        with _timed(means.progress.seconds, "remember"):
            corrects = corrected(understood, turn, memory)
            for event in noted(turn, memory, means.model, self.policy, corrects, asks=asks):
                if isinstance(event, Token) and means.progress.text:
                    yield Token("\n\n")
                yield event

    def _or_without_model(self, turn: Turn, found: Iterator[Event], progress: _Progress) -> Iterator[Event]:
        """What is `found`; where the model goes away before it says anything, the evidence is the answer."""
        try:
            yield from found
        except ModelUnavailable as unavailable:
            if progress.text:
                raise
            yield self._without(unavailable)
            yield Token(without_model(turn, progress.evidence[:_SHOWN_WITHOUT_MODEL]))

    def _at_once(self, turn: Turn, model: LanguageModel, memory: UserMemory, progress: _Progress) -> Iterator[Event]:
        """The answer to a question about the user's own life from what is at hand; nothing where that does not tell."""
        with _timed(progress.seconds, "search"):
            evidence = at_hand(memory, turn.question)
        reader = Reader(replace(self.policy, own_knowledge="never"))
        try:
            with _timed(progress.seconds, "answer"):
                for piece in reader.answer(model, turn, evidence) if evidence else ():
                    if piece.declined:
                        return
                    if not progress.said:
                        yield Found(tuple(evidence), progress.seconds["search"])
                    yield piece.token
        except ModelUnavailable:
            if progress.said:
                raise
        progress.grounded = progress.rests_on_evidence()

    def _search(
        self,
        turn: Turn,
        model: LanguageModel,
        reader: Reader,
        searched: Generator[Event, None, list[Evidence]],
        progress: _Progress,
    ) -> Iterator[Event]:
        """What `searched` yields, and the answer from the evidence that it returns."""
        with _timed(progress.seconds, "search"):
            evidence = yield from searched
        yield Found(tuple(evidence), progress.seconds["search"])
        format = self._formats.of(progress.plans[-1].format, model)
        with _timed(progress.seconds, "answer"):
            if turn.choices:
                weights = multiple_choice.weigh(model, turn.question, turn.choices, format(evidence))
                yield Token(turn.choices[weights.index(max(weights))])
                return
            for piece in reader.answer(model, turn, evidence, format=format, unreachable=progress.unreachable):
                progress.declined = piece.declined
                yield piece.token
        progress.grounded = progress.rests_on_evidence()

    @property
    def policy(self) -> Policy:
        """How turns work with the model, as far as it is known by now."""
        return policy_for(self.profiling.profile, self.settings)

    def _policy(self, model: LanguageModel) -> Policy:
        """The policy of a turn. What is not known of the model is found out: at once in a process that may end with
        this turn, and else while nobody waits."""
        if self._prepared:
            self.profiling.start()
        else:
            self.profiling.find_out(model)
        return self.policy

    def _without(self, unavailable: ModelUnavailable) -> Failed:
        """What a turn reports of a model that is not there: lasting, where its status says so as well."""
        return Failed("model", str(unavailable), lasting=self.model.transport.status().state != "ready")

    def _answered(self, progress: _Progress, model: LanguageModel) -> Answered:
        played = progress.plans[-1] if progress.plans else None
        return Answered(
            answer=progress.text,
            route=progress.route,
            question=progress.question,
            evidence=progress.evidence,
            strategy=played.strategy if played else "",
            format=played.format if played else "",
            plans=progress.plans,
            program=progress.program,
            query=progress.query,
            query_kb=progress.query_kb if progress.query_found else "",
            unreachable=progress.unreachable,
            fruitless=bool(progress.program) and not progress.program_found,
            declined=progress.declined,
            grounded=progress.grounded,
            stopped=progress.stopped,
            cut=progress.cut and not progress.stopped,
            usage=model.usage.total,
            usage_by_purpose=dict(model.usage.by_purpose),
            seconds=progress.seconds,
        )

    def prepare(self) -> None:
        """Start what goes on in the background: the model, the built-in knowledge base, examples, waiting documents."""
        self._prepared = True
        self.model.transport.start()
        self.profiling.start()
        self.ingestion.start()
        self.folders.start()
        self.knowledge_bases.prepare()
        self._examples.prepare("anonymized")
        self.prepare_query_banks()

    def prepare_query_banks(self) -> None:
        """Start to make ready, in the background, the questions and queries that knowledge bases bring.

        Not so before `prepare`, as in a process that runs one command: its end would only break off what was begun.
        """
        if self._prepared:
            self._query_banks.prepare(self.knowledge_bases.shared)

    def stop(self) -> None:
        """Stop all turns under way, as if Stop were pressed in each; returns at once."""
        for cancel in list(self._under_way):
            cancel.set()

    def close(self) -> None:
        """Stop the turns and the background work, and let go of all files; may be called twice."""
        self.stop()
        self.turns.close()
        self.model.close()
        self.profiling.close()
        self.folders.close()
        self.ingestion.close()
        self._sandbox.close()
        self._examples.close()
        self._query_banks.close()
        self.knowledge_bases.close()
        self.memory.close()


def _of_a_question(turn: Turn) -> Turn:
    """The turn of a question that was understood before."""
    question = turn.question or turn.text
    return replace(turn, question=question, language=reply_language(turn.continues or question))


def _is_free(turn: Turn) -> bool:
    """Whether it is left to the turn where and how to search."""
    return not (turn.knowledge_bases or turn.strategy or turn.format)


def _either(first: Iterator[Event], other: Iterator[Event]) -> Iterator[Event]:
    """The first events, or where there are none, the others."""
    for event in first:
        yield event
        yield from first
        return
    yield from other


def _question(model: LanguageModel, turn: Turn, understood: Understanding) -> str:
    """What a turn asks; of what was to be found in the memory and is not, it is not known yet."""
    if understood.route == "search" and turn.history and not understood.question:
        return standing_alone(model, turn)
    return understood.question or turn.text


def _in_full(model: LanguageModel, turn: Turn, understood: Understanding) -> Turn:
    """A turn of which nothing at hand answers the question, written out: it may lean on what was said all the same."""
    return turn if understood.leans or not turn.history else replace(turn, question=standing_alone(model, turn))


def _conversation(
    reader: Reader, model: LanguageModel, turn: Turn, memory: UserMemory, progress: _Progress
) -> Iterator[Event]:
    with _timed(progress.seconds, "answer"):
        for piece in reader.converse(model, turn, in_view(memory, turn.text)):
            yield piece.token


def _understood(model: LanguageModel, turn: Turn, policy: Policy, memory: UserMemory) -> Understanding:
    if turn.agrees:
        return Understanding("yes")
    if turn.choices:
        return Understanding("ask", turn.text)
    by_form = shortcuts.understood(turn.text) if policy.shortcuts else None
    if by_form and may_be_meant(memory, turn.session, by_form):
        return by_form
    return understand(model, turn, by_sentence=policy.sentence_by_sentence)


@contextlib.contextmanager
def _timed(seconds: dict[str, float], stage: str) -> Iterator[None]:
    """Adds the seconds that a block took to `seconds[stage]`, also when it ends early."""
    start = time.monotonic()
    try:
        yield
    finally:
        seconds[stage] = seconds.get(stage, 0.0) + time.monotonic() - start
