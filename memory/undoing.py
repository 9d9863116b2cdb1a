"""What was forgotten lately, so that it can be brought back.

It is kept in this process alone: what is forgotten leaves no byte on the disk, from that moment on. So it can be undone
for ten minutes, or until the process ends; in one that ends with what it was started for, not at all.
"""

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from sqlalchemy import Connection

from memory.errors import NothingThere
from memory.records.forgetting import Gone, once_more, remove
from memory.records.putting_back import PutBack, put_back
from memory.records.recording import Changes, recording
from memory.records.selection import Chosen
from memory.records.splitting import Split, take_apart_again
from memory.redaction import Redaction
from memory.sessions import remove_stray_thumbs

_SECONDS = 600.0
_LONGEST_TURN = 3600.0  # seconds
_MOST = 10


@dataclass(frozen=True, slots=True)
class Forgetting:
    """What was forgotten, and when: what was chosen, what went with it, what conversations lost, and all rows of it.

    Without an `undo_id` it is not brought back; its rows are needed where something is that was forgotten before it.
    """

    chosen: Chosen
    gone: Gone
    redaction: Redaction
    changes: Changes
    undo_id: str
    at: datetime
    since: float = field(default_factory=time.monotonic)

    def once_more(self, connection: Connection, user_id: int) -> "Forgetting":
        """Forget it again where it is back, because something came back that was forgotten before it."""
        with recording(connection) as changes:
            gone = remove(connection, user_id, once_more(connection, self.chosen, self.gone))
            redaction = self.redaction.of(gone)
            redaction.apply(connection, user_id)
        return replace(self, gone=gone, redaction=redaction, changes=changes)

    def blank(self, connection: Connection, user_id: int) -> Changes:
        """Blank it in what was said since; what that changed, for `changes` once it is certain."""
        with recording(connection) as changes:
            self.redaction.apply(connection, user_id)
        return changes


Step = Forgetting | Split  # what is made again after something that came before it was undone


class ForgottenLately:
    """The last things that one user forgot and took apart, the latest last; safe to use from several threads.

    What forgets or brings back holds `order` until it has said so here, so that each knows of what came before it.
    """

    def __init__(self) -> None:
        self.order = threading.RLock()
        self._lock = threading.Lock()
        self._steps: list[Step] = []

    @property
    def can_be_undone(self) -> bool:
        """Whether there is anything to bring back, so that what is forgotten now may have to be forgotten once more."""
        with self._lock:
            return self._first() < len(self._steps)

    def keep(self, step: Step) -> None:
        """Keep what was forgotten or taken apart."""
        with self._lock:
            self._steps.append(step)
            self._drop_old()

    def since(self, at: datetime) -> list[Forgetting]:
        """What was forgotten since then, and not brought back: no turn that goes on may say it again."""
        with self._lock:
            self._drop_old()
            return [step for step in self._steps if isinstance(step, Forgetting) and step.at >= at]

    def to_undo(self, undo_id: str) -> tuple[Forgetting, list[Step]]:
        """What was forgotten with this id, and all that came later.

        Raises:
            NothingThere: it was brought back, or is gone for good.
        """
        with self._lock:
            self._drop_old()
            for at, step in enumerate(self._steps[self._first() :], self._first()):
                if isinstance(step, Forgetting) and undo_id and step.undo_id == undo_id:
                    return step, self._steps[at + 1 :]
        raise NothingThere("That is forgotten for good: it can be undone for ten minutes, and only once.")

    def undone(self, forgetting: Forgetting, again: Sequence[Step]) -> None:
        """Keep it no longer, and what was made again after it in place of what came later."""
        with self._lock:
            self._steps[self._steps.index(forgetting) :] = again

    def clear(self) -> None:
        """Let everything be gone for good."""
        with self._lock:
            self._steps.clear()

    def _first(self) -> int:
        """The place of the first that can be brought back; after the last one, where none can."""
        now = time.monotonic()
        live = [at for at, step in enumerate(self._steps) if _lives(step, now)][-_MOST:]
        return live[0] if live else len(self._steps)

    def _drop_old(self) -> None:
        now, first = time.monotonic(), self._first()
        said = (step for step in self._steps[:first] if isinstance(step, Forgetting))
        told = [_without_rows(step) for step in said if now - step.since < _LONGEST_TURN]
        self._steps[:first] = told


def bring_back(
    connection: Connection, user_id: int, forgetting: Forgetting, later: Sequence[Step]
) -> tuple[PutBack, list[Step]]:
    """Undo what was forgotten, as if it had never been; what came `later` is so all the same, as is returned."""
    changes = [step.changes for step in later if isinstance(step, Forgetting)]
    back = put_back(connection, user_id, forgetting.changes, changes)
    remove_stray_thumbs(connection, user_id)
    again: list[Step] = []
    for step in later:
        if isinstance(step, Split):
            take_apart_again(connection, user_id, step)
            again.append(step)
        else:
            forgotten = step.once_more(connection, user_id)
            back.gone.extend(forgotten.gone.ids)
            again.append(forgotten)
    return back, again


def _lives(step: Step, now: float) -> bool:
    return isinstance(step, Forgetting) and bool(step.undo_id) and now - step.since < _SECONDS


def _without_rows(forgetting: Forgetting) -> Forgetting:
    return replace(forgetting, changes=Changes(), undo_id="")
