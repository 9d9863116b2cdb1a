"""The question and the answer of a turn, as they are saved: the same for whoever starts a turn."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime

from assistant.errors import Failure, NothingThere, UserMistake
from assistant.history import history
from assistant.memory_requests.taking_back import said_all_the_same, unsaid
from assistant.turns.kept_events import from_details, notes, to_details
from assistant.turns.log import EventLog
from assistant.types import Answered, Event, Failed, Found, Remembered, Routed, Token, Turn
from memory.types import SavedMessage
from memory.user_memory import UserMemory


class Exchange:
    """A turn's place in a saved conversation: the question is saved when this is made, the answer with `end`.

    `turn` has all that the reply is made of; `answer_at` is the number of the message that the answer becomes.
    """

    def __init__(self, user: UserMemory, turn: Turn, place: int | None = None) -> None:
        """Put the question at the end, or in place of message number `place` and all that followed.

        What the old words told is remembered no longer then, unless the turn breaks off. What later messages told
        stays: only the conversation goes on without them. A turn that continues an answer has a question already.

        Raises:
            NothingThere: there is no such conversation any more.
            UserMistake: the turn continues what is not the last answer.
        """
        self._user = user
        self._before: list[Event] = []
        self._taken: list[tuple[str, Remembered]] = []
        saved = user.sessions.load(turn.session)
        if turn.continues:
            self.turn = self._continued(turn, saved)
            return
        if place is not None:
            told = notes(saved[place + 1 : place + 2])
            # The same words are no secret: other conversations keep what they quote of them.
            other_words = turn.text != saved[place].content
            self._taken = unsaid(user, turn.session, told, in_conversations=other_words)
            user.sessions.cut(turn.session, place)
            saved = saved[:place]
        self.answer_at = len(saved) + 1
        self.turn = replace(turn, history=history(saved))
        user.sessions.append(turn.session, SavedMessage("user", turn.text, turn.at))

    def _continued(self, turn: Turn, saved: Sequence[SavedMessage]) -> Turn:
        """The turn with what it needs of the answer that it continues, which stays saved until there is more of it."""
        if len(saved) < 2 or (saved[-1].role, saved[-1].content) != ("assistant", turn.continues):
            raise UserMistake("This conversation has gone on; only its last answer can be continued.")
        *earlier, asked, said = saved
        self.answer_at = len(saved) - 1
        self._before = from_details(said.details)
        evidence = next((event.evidence for event in self._before if isinstance(event, Answered)), ())
        return replace(turn, text=asked.content, history=history(earlier), evidence=evidence)

    def whole(self, events: Iterator[Event]) -> Iterator[Event]:
        """The turn's events; of one that continues an answer, that answer's first, and the end of both together."""
        if not self.turn.continues:
            yield from events
            return
        yield from (event for event in self._before if not isinstance(event, Answered))
        yield Token(self.turn.continues)
        for event in events:
            if isinstance(event, Answered):
                yield self._joined(event)
            elif not isinstance(event, Routed):
                yield event

    def _joined(self, answered: Answered) -> Answered:
        """The end of an answer and of what continues it; where nothing came, it is as it was."""
        before = next((event for event in self._before if isinstance(event, Answered)), answered)
        if answered.answer in ("", self.turn.continues):
            return replace(before, answer=self.turn.continues)
        stages = {**before.seconds, **answered.seconds}
        return replace(
            before,
            answer=answered.answer,
            grounded=before.grounded and answered.grounded,
            stopped=answered.stopped,
            cut=answered.cut,
            usage=before.usage + answered.usage,
            seconds={at: before.seconds.get(at, 0.0) + answered.seconds.get(at, 0.0) for at in stages},
        )

    def end(self, log: EventLog) -> None:
        """Save the answer, and bring back what the old words told where the turn broke off; `log` gets its end.

        Raises:
            Failure: the answer cannot be saved.
        """
        if self._taken and _broke_off(log.read(0)):
            for event in self._said_all_the_same():
                log.append(event)
        events = log.read(0)
        last = next((event for event in events if isinstance(event, Answered)), None)
        if last is None:
            last = _broken_off(self.turn, events)
            last = self._joined(last) if self.turn.continues else last
            log.append(last)
        if self.turn.continues and last.answer == self.turn.continues:
            return  # nothing came; what is saved stays as it is
        answer = SavedMessage("assistant", last.answer, datetime.now(UTC), to_details(log.read(0)))
        place = self.answer_at if self.turn.continues else None
        with suppress(NothingThere):  # the conversation was deleted meanwhile
            self._user.keep_answer(self.turn.session, answer, since=self.turn.at, place=place)

    def _said_all_the_same(self) -> list[Event]:
        try:
            return list(said_all_the_same(self._user, self.turn.session, self._taken))
        except Failure as failure:
            return [Failed("remember", str(failure))]


def _broke_off(events: Sequence[Event]) -> bool:
    """Whether a turn ended without an answer, and told the memory nothing."""
    ended = [event for event in events if isinstance(event, Answered)]
    failed = any(isinstance(event, Failed) and event.stage in ("answer", "model") for event in events)
    told = any(isinstance(event, Remembered) for event in events)
    return not told and (failed or not ended or ended[0].stopped)


def _broken_off(turn: Turn, events: Sequence[Event]) -> Answered:
    """The end of a turn that has none of its own: what had been said by then."""
    said = "".join(event.text for event in events if isinstance(event, Token))
    found = [event.evidence for event in events if isinstance(event, Found)]
    failed = any(isinstance(event, Failed) for event in events)
    return Answered(said, "answer", turn.text, found[-1] if found else (), stopped=not failed)
