"""The command `ask`: one turn."""

import contextlib
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import datetime

from assistant.commands.console import Console
from assistant.commands.remembered import sweep
from assistant.errors import Failure, ModelUnavailable, NothingThere, UserMistake
from assistant.history import history
from assistant.messages import tell, translated
from assistant.orchestrator import Assistant
from assistant.search.formats import told
from assistant.types import Answered, Event, Evidence, Failed, ForgetAsked, Forgot, Token, Turn
from memory.errors import Notice
from memory.types import SavedMessage

_POLL_SECONDS = 0.5
_ANSWERING = ("model", "answer")  # the stages without which there is no answer; the others are made up for


def ask(
    assistant: Assistant,
    console: Console,
    *,
    question: str,
    user: str,
    session: str | None,
    kb: list[str],
    strategy: str,
    format: str,
    json: bool,
    yes: bool = False,
) -> None:
    """One turn: stream the answer and list its sources, or print all of it as one object.

    With `yes`, what the message asks to forget is forgotten without another word.

    In a session the question is saved before anything else, and at the end of the turn, however that comes, the answer
    so far.

    Raises:
        UserMistake: the turn cannot be played as it is asked for.
        Failure: the model did not answer; what was found without it is printed all the same.
    """
    sessions = assistant.memory.of(user).sessions
    saved: list[SavedMessage] = []
    if session:
        with contextlib.suppress(NothingThere):  # a new one
            saved = sessions.load(session)
    turn = Turn(
        text=question,
        user=user,
        session=session or uuid.uuid4().hex,
        at=datetime.now().astimezone(),
        history=history(saved),
        knowledge_bases=tuple(kb),
        strategy=strategy,
        format=format,
        confirmed=yes,
    )
    assistant.check(turn)
    if session:  # also before what the turn forgets, which is then taken out of the words that asked for it
        sessions.new(session)
        sessions.append(session, SavedMessage("user", question, turn.at))
    said: list[str] = []
    try:
        await_model(assistant, console)
        events = assistant.reply(turn, console.cancel)
        answered, failed, forgot = _played(events, console, said, streamed=not json)
    finally:  # a turn that broke off before has an empty answer
        if session:
            answer = SavedMessage("assistant", "".join(said), datetime.now().astimezone())
            assistant.memory.of(user).keep_answer(session, answer, since=turn.at)
    if json:
        console.show(_contract(answered))
    elif answered.answer:
        console.say("")
        for evidence in answered.evidence:
            console.say(_reference(evidence))
    _told_what_failed(answered, failed, console)
    if forgot:
        sweep(assistant.memory.of(user), console)
    if answered.stopped or not answered.answer:
        stopped = Notice("The answer ends here, since the turn was stopped.")
        raise Failure(stopped if answered.stopped else Notice("No answer came; try again."))


def _told_what_failed(answered: Answered, failed: Sequence[Failed], console: Console) -> None:
    """Say what failed and was made up for. Raises Failure for what was not."""
    fatal = [failure.message for failure in failed if failure.stage in _ANSWERING]
    for note in dict.fromkeys(
        f"{failure.knowledge_base or failure.stage}: {translated(failure.message)}"
        for failure in failed
        if failure.message not in fatal
    ):
        console.note(note)
    if fatal:
        raise Failure(fatal[0])
    if answered.cut:
        console.note(tell("The answer stops before its end: the model's server cut it off."))


def await_model(assistant: Assistant, console: Console) -> None:
    """Start the model if need be and wait until it is there; how far its download is goes to standard error.

    Raises:
        ModelUnavailable: it cannot be had.
        UserMistake: it cannot be had as it is named.
    """
    transport = assistant.model.transport
    transport.start()
    said = ""
    while (status := transport.status()).state in ("fetching", "starting") and not console.cancel.wait(_POLL_SECONDS):
        if status.fraction is not None and (line := _fetching(status.fraction)) != said:
            console.note(line)
            said = line
    if status.state == "down":
        raise UserMistake(status.message) if status.mistake else ModelUnavailable(status.message)


def _fetching(fraction: float) -> str:
    return tell("Fetching the language model: {percent}%", percent=round(100 * fraction))


def _played(
    events: Iterator[Event], console: Console, said: list[str], *, streamed: bool
) -> tuple[Answered, list[Failed], bool]:
    """The end of the turn, the stages that failed, and whether anything was forgotten; `said` is added to meanwhile."""
    failed: list[Failed] = []
    forgot = False
    for event in events:
        match event:
            case Token():
                said.append(event.text)
                if streamed:
                    console.out(event.text)
            case ForgetAsked():
                for fact in event.facts if streamed else ():
                    console.say(f"- {fact}")
                console.note(tell("Nothing is forgotten yet; the same command with --yes does it."))
            case Forgot():
                forgot = True
                for fact in event.facts if streamed else ():
                    console.say(f"- {fact}")
            case Failed():
                failed.append(event)
            case Answered():
                said[:] = [event.answer]
                return event, failed, forgot
            case _:
                pass
    raise AssertionError("a turn ends with Answered")


def _contract(answered: Answered) -> dict[str, object]:
    """The object that `ask --json` prints; scripts rely on its names."""
    return {
        "answer": answered.answer,
        "route": answered.route,
        "question": answered.question,
        "strategy": answered.strategy,
        "format": answered.format,
        "evidence": answered.evidence,
        "program": answered.program,
        "query": answered.query,
        "unreachable": answered.unreachable,
        "declined": answered.declined,
        "grounded": answered.grounded,
        "cut": answered.cut,
        "usage": {**asdict(answered.usage), "by_purpose": answered.usage_by_purpose},
        "seconds": answered.seconds,
    }


def _reference(evidence: Evidence) -> str:
    place = evidence.url if evidence.url.startswith("http") else evidence.source
    return f"[{evidence.id}] {told(evidence)} ({evidence.kb}{place and f': {place}'})"
