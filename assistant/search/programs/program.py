"""Program search: the model writes a Python program over a few functions, and it runs on every knowledge base.

KnowledGPT, section 3.2: program-of-thought prompting writes the search as code; it runs on each knowledge base in
parallel; a program that breaks still gives what it had found. Past the paper: where nothing came of a program, the
model is told why, and which relations there are to go on by, and writes a better one; the examples nearest to the
question are shown to it; and knowledge bases that hold text are searched for the question as well.
"""

import contextlib
import math
import re
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Event as Signal

from assistant import prompting, waiting
from assistant.errors import Failure, Interrupted, KnowledgeBaseAway, KnowledgeBaseUnreachable, ModelUnavailable
from assistant.knowledge_bases.base import Deadline, KnowledgeBase, TextSearch
from assistant.knowledge_bases.files.names import FUZZY_CUT, likeness
from assistant.knowledge_bases.functions import KnowledgeFunctions
from assistant.knowledge_bases.linking import Linking
from assistant.knowledge_bases.naming import NameIndex, names_in
from assistant.knowledge_bases.personal import PASSAGE
from assistant.knowledge_bases.record import RunRecord
from assistant.knowledge_bases.relations import RelationRanker
from assistant.llm.client import LanguageModel
from assistant.messages import Phrase
from assistant.messages.shared import yes_or_no
from assistant.search.base import Emit, unreached
from assistant.search.evidence import LISTED, doubtful, numbered, result
from assistant.search.examples import Example, ExampleBank, Nearest, as_turns, code_of
from assistant.search.formats import line
from assistant.search.programs.doubts import complaint, doubt
from assistant.search.programs.nearest_path import asks_for_path, read_nearest, read_planned, relations_in
from assistant.search.programs.outcome import RUN_SECONDS, SEARCHING_SECONDS
from assistant.search.programs.path import counts, describing, is_about_others, is_program, path, path_grammar, steps
from assistant.search.programs.sandbox import Sandbox
from assistant.search.programs.spelling import Spelling
from assistant.search.programs.verbatim import read_verbatim, wording
from assistant.search.quantities import spelled_out
from assistant.stemming import roots
from assistant.types import (
    Certainty,
    Evidence,
    Failed,
    Message,
    ProgramKept,
    ProgramRan,
    ProgramRun,
    ProgramWritten,
    Turn,
    WrittenBy,
)
from memory.folding import fold
from memory.formats.tables import EMPTY

_GRACE_SECONDS = 10.0  # for what comes after a run, on a busy machine
_TOLD = 6  # passages and facts
_NEAREST = 3
_PASSAGES_BESIDE = 2  # what was clearly found
_MAX_TOKENS = 300
_DESCRIBED = 3  # things that the question names, where the model writes no program
_WRITTEN = 3  # programs that the model writes at most
_NAMING_SECONDS, _READING_SECONDS = 1.0, 3.0
_NEAR = 40  # examples that tell what is asked for, of which the first are shown
_EXAMPLES = 5
_COMPUTED = "computed"
_NO_FIGURE = Phrase("what has no number or date was left out")
_NAN = re.compile(r"\bnan\b")  # within words around a number that is none
_LONGEST_VALUE = 5_000  # characters; an answer has no more of it
_DIGITS = 10  # of a number that may have been found as it is; longer ones were divided


class ProgramSearch:
    """The `program` strategy for one turn."""

    name = "program"

    def __init__(
        self,
        model: LanguageModel,
        sandbox: Sandbox,
        ranker: RelationRanker,
        bank: ExampleBank,
        approved: Callable[[str], Sequence[Example]] = lambda _: (),
        *,
        shortcuts: bool = True,
    ) -> None:
        """`bank` has the question–program pairs of which the nearest are shown to the model, with those that
        `approved` says a user has approved. With `shortcuts`, a path that is plain is followed without a program of the
        model's, and else the model plans one before it writes any. Without, its programs may search text as well, and
        it writes a further one with all in view that the last one found."""
        self._model = model
        self._sandbox = sandbox
        self._ranker = ranker
        self._bank = bank
        self._approved = approved
        self._shortcuts = shortcuts

    def available(self, knowledge_bases: Sequence[KnowledgeBase]) -> bool:
        """Programs run on every knowledge base."""
        return bool(knowledge_bases)

    def find(self, turn: Turn, knowledge_bases: Sequence[KnowledgeBase], emit: Emit, cancel: Signal) -> list[Evidence]:
        """See `SearchStrategy.find`."""
        deadline = Deadline.after(SEARCHING_SECONDS, cancel)
        texts = [kb for kb in knowledge_bases if isinstance(kb, TextSearch)]
        passages: list[Future[list[Evidence]]] = [
            waiting.started(partial(kb.search_text, turn.question, _TOLD, deadline), f"search {kb.name}")
            for kb in texts
        ]
        found, program = list[Evidence](), ""
        unavailable: ModelUnavailable | None = None
        try:
            found, program = self._by_program(turn, knowledge_bases, emit, cancel)
        except ModelUnavailable as failure:
            unavailable = failure
            emit(Failed("program", str(failure)))
        one_step = bool(found) and found[0].certainty >= Certainty.CLEAR and _is_one_step(program)
        told: list[Evidence] = []
        for kb, future in zip(texts, passages, strict=True):
            try:
                passages_found = waiting.awaited(future, deadline)
                told += _worth_reading(turn.question, passages_found, found, one_step=one_step)
            except Interrupted:
                raise
            except TimeoutError:
                emit(unreached(kb.name, Failure(f"{kb.name} took too long to search for text.")))
            except Failure as failure:
                emit(unreached(kb.name, failure))
        misread = {item.kb for item in found if _is_misread(item, turn.question, told)}
        found = [item for item in found if item.kb not in misread]
        if unavailable and not told:  # nothing was found since nothing was asked
            raise unavailable
        if found and doubtful(found[0]):  # what text says is surer than what such a relation led to
            telling = {item.kb for item in told}
            return numbered([*told, *(item for item in found if not doubtful(item) or item.kb not in telling)])
        return numbered([*found, *told])

    def rerun(
        self, turn: Turn, code: str, knowledge_bases: Sequence[KnowledgeBase], emit: Emit, cancel: Signal
    ) -> list[Evidence]:
        """What a program comes to that the user has edited; raises as `SearchStrategy.find`."""
        asking = _Asking(turn, list(knowledge_bases), emit, cancel)
        return numbered([e for outcome in self._run_on_all(asking, code) for e in outcome.evidence])

    def _by_program(
        self,
        turn: Turn,
        knowledge_bases: Sequence[KnowledgeBase],
        emit: Emit,
        cancel: Signal,
    ) -> tuple[list[Evidence], str]:
        """Rounds of writing and running, until one comes to what can be an answer; with the program that did."""
        question = spelled_out(turn.question)
        names = names_in(question, knowledge_bases, self._bank.wording, Deadline.after(_NAMING_SECONDS))
        near = self._bank.nearest(question, _NEAR, names=names, further=self._approved(turn.user))
        asking = _Asking(turn, list(knowledge_bases), emit, cancel, question, names, near)
        found, best, round_ = list[Evidence](), "", 1
        for programs in self._rounds(asking):
            tried: list[tuple[str, list[_Outcome]]] = []
            for program in programs:
                asking.written.add(program.code)
                emit(ProgramWritten(program.code, round_, program.seconds, program.by))
                tried.append((program.code, self._run_on_all(asking, program.code)))
                if any(map(_is_clear, tried[-1][1])):
                    break
            if not tried:
                continue
            kept, outcomes = max(tried, key=lambda one: _certainty(one[1]))
            best, round_ = kept, round_ + 1
            if kept != tried[-1][0]:
                emit(ProgramKept(kept))
            if answering := [outcome for outcome in outcomes if not outcome.doubt]:
                answering.sort(key=lambda outcome: any(map(doubtful, outcome.evidence[:1])))  # clear finds first
                return [e for outcome in answering for e in outcome.evidence], best
            found += [e for outcome in outcomes for e in outcome.evidence]
            told = [outcome for outcome in outcomes if outcome.linked or outcome.run.error]
            if not told:  # nothing that the question is about is known anywhere
                break
            doubted = [(outcome.run, outcome.why) for outcome in told]
            asking.hints = complaint(question, doubted, whole=not self._shortcuts)
        return found, best

    def _rounds(self, asking: "_Asking") -> Iterator[Iterator["_Program"]]:
        """The programs of each round, of which a further one is wanted where none before it came to anything clear."""
        left = _WRITTEN
        if self._shortcuts and asking.names:
            yield self._read(asking)
            if asks_for_path(asking.near):
                yield self._planned(asking)
                left -= 1
        while left:
            before = len(asking.written)
            yield self._written(asking)
            left = left - 1 if len(asking.written) > before else 0

    def _read(self, asking: "_Asking") -> Iterator["_Program"]:
        """The program of a question that needs no model to write it."""
        start = time.monotonic()
        worded, known = wording(self._bank.examples), relations_in(self._bank.examples)
        readers = (partial(read_verbatim, wording=worded), partial(read_nearest, near=asking.near, known=known))
        for reader in readers:
            for linking in self._linkings(asking):
                with contextlib.suppress(KnowledgeBaseUnreachable, TimeoutError):
                    if code := reader(asking.names, linking):
                        yield _Program(code, "question", time.monotonic() - start)
                        return

    def _planned(self, asking: "_Asking") -> Iterator["_Program"]:
        """The program with which the model follows the path that it plans, then one with the likest path that there
        is."""
        start = time.monotonic()
        messages, grammar = self._prompt(asking.question, asking.near), path_grammar(asking.names)
        reply = self._model.complete(messages, purpose="program", max_tokens=_MAX_TOKENS, grammar=grammar)
        code = code_of(reply)
        if is_program(code) and code not in asking.written:
            yield _Program(code, "model", time.monotonic() - start)
        name, *planned = steps(code)
        known = relations_in(self._bank.examples)
        for linking in self._linkings(asking) if name in asking.names and planned else ():
            with contextlib.suppress(KnowledgeBaseUnreachable, TimeoutError):
                code = read_planned([name, *planned], linking, known)
                if code and code not in asking.written:
                    yield _Program(code, "question", time.monotonic() - start)

    def _written(self, asking: "_Asking") -> Iterator["_Program"]:
        """The program that the model writes, with the nearest examples in view and what was wrong with the last one."""
        start = time.monotonic()
        messages = self._prompt(asking.hints or asking.question, asking.near)
        code = code_of(self._model.complete(messages, purpose="program", max_tokens=_MAX_TOKENS, must_say=True))
        if asking.names and not is_program(code):  # it answered, at times
            code = describing(asking.names[:_DESCRIBED])
        if code not in asking.written:
            yield _Program(code, "model", time.monotonic() - start)

    def _prompt(self, question: str, near: Sequence[Nearest]) -> list[Message]:
        """The fixed head, the nearest examples with the nearest one last, then the question."""
        *head, last = prompting.load("program" if self._shortcuts else "program_free").render(question=question)
        return [*head, *as_turns(found.example for found in reversed(near[:_EXAMPLES])), last]

    def _linkings(self, asking: "_Asking") -> Iterator[Linking]:
        """Links names on each knowledge base that tells which it knows, anew, so that none takes another's time."""
        for kb in asking.knowledge_bases:
            if isinstance(kb, NameIndex):
                deadline = Deadline.after(_READING_SECONDS, asking.cancel)
                yield Linking(kb, asking.question, deadline, self._ranker.until(deadline))

    def _run_on_all(self, asking: "_Asking", code: str) -> list["_Outcome"]:
        """One program on every knowledge base that answers, in parallel.

        Raises:
            Interrupted: the turn was stopped.
        """
        deadline = Deadline.after(RUN_SECONDS + _GRACE_SECONDS, asking.cancel)
        runs = [
            waiting.started(partial(self._run, asking, kb, code), f"program {kb.name}") for kb in asking.knowledge_bases
        ]
        outcomes = [_ended(run, kb, code, deadline) for run, kb in zip(runs, asking.knowledge_bases, strict=True)]
        if asking.cancel.is_set():
            raise Interrupted("Stopped.")
        for outcome in outcomes:
            asking.emit(ProgramRan(outcome.run))
            if outcome.unreachable:
                asking.emit(unreached(outcome.run.kb, outcome.unreachable))
                asking.knowledge_bases = [kb for kb in asking.knowledge_bases if kb.name != outcome.run.kb]
        return [outcome for outcome in outcomes if not outcome.unreachable or outcome.evidence]

    def _run(self, asking: "_Asking", kb: KnowledgeBase, code: str) -> "_Outcome":
        question, language = asking.turn.question, asking.turn.language
        deadline = Deadline.after(SEARCHING_SECONDS, asking.cancel)
        functions = KnowledgeFunctions(
            kb, self._ranker, question, deadline, asking.emit, self._model, language=language, of_all=counts(code)
        )
        start, spelling = time.monotonic(), Spelling(code)
        offered = {name: spelling.within(function) for name, function in functions.by_name().items()}
        outcome = self._sandbox.run(code, offered, {"question": question}, asking.cancel)
        if outcome.unread:
            functions.record.gap(_NO_FIGURE)
        # A program that goes on in spite of it would take what could not be asked for what is not there.
        texts = [] if functions.unreachable else _texts(spelling.told(outcome.value), language)
        value = tuple(text for text in texts if not (outcome.unread and _NAN.search(text)))
        calls, seconds, away = tuple(functions.record.calls), time.monotonic() - start, bool(functions.unreachable)
        error = "" if isinstance(functions.unreachable, KnowledgeBaseAway) else outcome.error  # that is told elsewhere
        is_so = _verdict(outcome.value) if value else None
        run = ProgramRun(kb.name, code, calls, value, error, seconds, unreachable=away, is_so=is_so)
        why = doubt(run, unread=bool(outcome.unread))
        if not why and asking.names and is_about_others(code, asking.question):
            why = f"The question is about {', '.join(asking.names)}."
        return _Outcome(
            run,
            _with_result(run, functions.record),
            why,
            _relations_there(functions) if why and run.value else "",
            linked=functions.linked,
            unreachable=functions.unreachable,
        )


@dataclass(frozen=True, slots=True)
class _Program:
    """A program, who wrote it, and how long that took."""

    code: str
    by: WrittenBy
    seconds: float


@dataclass
class _Asking:
    """What the rounds of one turn share; a knowledge base that does not answer is left out from then on.

    `names` are known and stand in the question, `near` are the examples nearest to it. `hints` is the question with
    what was wrong with the last round, and `written` are the programs so far.
    """

    turn: Turn
    knowledge_bases: list[KnowledgeBase]
    emit: Emit
    cancel: Signal
    question: str = ""
    names: Sequence[str] = ()
    near: Sequence[Nearest] = ()
    hints: str = ""
    written: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class _Outcome:
    """What a program came to on one knowledge base; `linked` where that knows what the question is about.

    `there` says which relations there are that a program could go on by.
    """

    run: ProgramRun
    evidence: list[Evidence]
    doubt: str
    there: str
    linked: bool
    unreachable: KnowledgeBaseUnreachable | None

    @property
    def why(self) -> str:
        """Why it cannot be the answer, with what there is instead."""
        return self.doubt.rstrip(".") + self.there if self.there else self.doubt


def _ended(run: "Future[_Outcome]", kb: KnowledgeBase, code: str, deadline: Deadline) -> _Outcome:
    """What a run came to; one that does not end is left alone."""
    try:
        return waiting.awaited(run, deadline)
    except TimeoutError as error:
        late = ProgramRun(kb.name, code, error=f"TimeoutError: {error}")
        return _Outcome(late, [], late.error, "", linked=False, unreachable=None)


def _relations_there(functions: KnowledgeFunctions) -> str:
    try:
        return functions.relations_there()
    except (KnowledgeBaseUnreachable, TimeoutError):  # a better program may find it otherwise
        return ""


def _worth_reading(
    question: str, told: Sequence[Evidence], found: Sequence[Evidence], *, one_step: bool
) -> list[Evidence]:
    """What text tells that shares a word with the question, and where nothing was found, what is nearest to it as well:
    each further line costs the reader time, and a small model the thread.

    Where the question took one step, which was clearly found, few passages are enough.
    """
    asked = roots(question)
    near = [] if found else [e for place, e in enumerate(told) if place < _NEAREST or e.relation == PASSAGE]
    further = [e for e in told if e.relation == PASSAGE][_PASSAGES_BESIDE:] if one_step else []
    return [e for e in told if e not in further and (e in near or asked & roots(line(e)))]


def _is_misread(item: Evidence, question: str, told: Sequence[Evidence]) -> bool:
    """Whether it is about a name that is only spelled like one in the question, of which a text elsewhere tells: about
    the town of Brant, where notes tell of Brandt."""
    name, asked = fold(item.subject), fold(question).split()
    words = len(name.split())
    written = {" ".join(asked[place : place + words]) for place in range(len(asked) - words + 1)}
    near = {other for other in written if likeness(other, name) >= FUZZY_CUT}
    texts = [f" {fold(text.text)} " for text in told if text.kb != item.kb]
    return name not in near and any(f" {other} " in text for other in near for text in texts)


def _is_one_step(code: str) -> bool:
    """Whether a program follows one relation at most, from one thing."""
    return len(steps(code)) <= 2 and "," not in path(code)


def _is_clear(outcome: _Outcome) -> bool:
    """Whether each call found something, and all by relations that are clearly meant."""
    found = all(call.results for call in outcome.run.calls)
    return found and bool(outcome.evidence) and all(item.certainty >= Certainty.CLEAR for item in outcome.evidence)


def _certainty(outcomes: Sequence[_Outcome]) -> tuple[bool, ...]:
    """How far a reading can be trusted, as a key: it is clear, it can be an answer, it found something."""
    return (
        any(map(_is_clear, outcomes)),
        any(not outcome.doubt for outcome in outcomes),
        any(outcome.evidence for outcome in outcomes),
    )


def _texts(value: object, language: str) -> list[str]:
    """A program's value as readers want it: numbers with few digits, yes or no in their language."""
    if value is None:
        return []
    if isinstance(value, dict):
        return [f"{key}: {', '.join(texts)}" for key, item in value.items() if (texts := _texts(item, language))]
    if isinstance(value, list | tuple | set | frozenset):
        texts = list(dict.fromkeys(text for item in value for text in _texts(item, language)))
        return [text for text in texts if text != EMPTY] or texts  # a list of what cells hold has no empty one
    if isinstance(value, bool):
        return [yes_or_no(language, value)]
    if isinstance(value, float):
        if math.isnan(value):  # computed with what was not found
            return []
        return [f"{value:.0f}" if value.is_integer() else str(value) if len(str(value)) <= _DIGITS else f"{value:.6g}"]
    return [str(value)[:_LONGEST_VALUE]] if str(value).strip() else []


def _verdict(value: object) -> bool | None:
    """The yes or no that a program came to, alone or in a list; None where it came to something else."""
    while isinstance(value, list | tuple) and len(value) == 1:
        value = value[0]
    return value if isinstance(value, bool) else None


def _with_result(run: ProgramRun, record: RunRecord) -> list[Evidence]:
    """The evidence, what bears the program's result first.

    A program that computes (filters, compares, counts) touches many triples of which few matter, and what it comes to
    may stand in none of them: its result is then evidence of its own, and so is the end of a path of several hops, and
    what is too long for a sentence. It is no clear one where something was left out.
    """
    evidence = record.evidence
    if not run.value:  # steps that led nowhere were met with on the way, and are not what was asked for
        return [replace(item, certainty=Certainty.UNKNOWN) for item in evidence]
    if not evidence or (run.calls and run.calls[-1].function == "get_entity_info"):
        return list(evidence)  # a description is no result: what answers is in it
    told = {value for text in run.value for value in record.lists(text) or [text]}
    wanted = {fold(value) for value in (*told, *run.value)}
    bearing: list[Evidence] = []
    others: list[Evidence] = []
    for item in evidence:
        (bearing if {fold(item.subject), fold(item.object), fold(item.text)} & wanted else others).append(item)
    bearing.sort(key=lambda item: -item.certainty)
    computed = not run.calls or set(run.value) != set(run.calls[-1].results)
    if all(map(record.is_text, run.value)) or (not computed and len(run.calls) == 1 and len(told) < LISTED):
        return bearing + others
    weakest = min((e.certainty for e in evidence if e.object), default=Certainty.UNKNOWN)  # text alone bears no result
    found = result(run, path(run.code) or _COMPUTED, weakest, record.gaps)
    return [found, *bearing, *([] if computed and bearing else others)]
