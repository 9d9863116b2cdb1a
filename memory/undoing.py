"""What was forgotten lately, so that it can be brought back.

It is kept in this process alone: what is forgotten leaves no byte on the disk, from that moment on. So it can be undone
for ten minutes, or until the process ends; in one that ends with what it was started for, not at all.
"""

import threading
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from memory.errors import NothingThere
from memory.records.taking_out import Left, Taken
from memory.records.telling import Told
from memory.redaction import Redaction

_SECONDS = 600.0
_LONGEST_TURN = timedelta(hours=1)
_MOST = 10


@dataclass(frozen=True, slots=True)
class Later:
    """What was forgotten after something else, and when.

    The facts that were chosen, by number; what those say that rested on a source which stayed; what conversations lost.
    """

    at: datetime
    facts: set[int]
    told: list[Told]
    redaction: Redaction


@dataclass(frozen=True, slots=True)
class Remains:
    """What went from the records and from the conversations, and when.

    `facts` are the numbers of the facts that went, `left` is what stayed of the records. `since` is what was forgotten
    after it.
    """

    at: datetime
    records: Taken
    facts: set[int]
    left: Left
    redaction: Redaction
    since: list[Later] = field(default_factory=list)

    @property
    def forgotten_since(self) -> set[int]:
        """The numbers of the facts that were forgotten after it, and have not come back."""
        return {fact_id for later in self.since for fact_id in later.facts}

    def sentences_of(self, later: Later) -> set[str]:
        """The sentences that told what was forgotten after it, as they come back: they had lost words then."""
        texts = dict(zip(self.records.source_ids, (source.text for source in self.records.data.sources), strict=True))
        places = (one.at for one in later.told)
        return {texts[at.source_id][at.start : at.end] for at in places if at.source_id in texts}

    def renumbered(self, numbers: Mapping[int, int]) -> "Remains":
        """The same, where facts that had stayed have other numbers now; what went has none that could be meant."""
        stayed = {before: now for before, now in numbers.items() if before not in self.facts}
        fact_ids = tuple(stayed.get(fact_id, fact_id) for fact_id in self.records.fact_ids)
        return replace(self, records=replace(self.records, fact_ids=fact_ids))


class ForgottenLately:
    """The last things that one user forgot, the latest last; safe to use from several threads.

    What forgets or brings back holds `order` until it has said so here, so that each knows of what came before it.
    """

    def __init__(self) -> None:
        self.order = threading.RLock()
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[float, Remains]] = {}
        self._told: list[Later] = []

    def keep(self, remains: Remains) -> str:
        """Keep what went; the id to take it back with."""
        undo_id = uuid.uuid4().hex
        with self._lock:
            self._drop_old()
            self._kept[undo_id] = (time.monotonic(), remains)
            for oldest in list(self._kept)[:-_MOST]:
                del self._kept[oldest]
        return undo_id

    def tell(self, later: Later) -> None:
        """Let what is kept not bring back what is forgotten now, and no turn that goes on say it again."""
        with self._lock:
            self._drop_old()
            self._told.append(later)
            for _, remains in self._kept.values():
                remains.since.append(later)

    def redactions(self, since: datetime) -> list[Redaction]:
        """What conversations lost since then, and have not been given back."""
        with self._lock:
            self._drop_old()
            return [later.redaction for later in self._told if later.at >= since]

    def renumber(self, numbers: Mapping[int, int]) -> None:
        """Let what is kept know the facts that came back by the numbers that they have now."""
        with self._lock:
            self._kept = {id_: (at, remains.renumbered(numbers)) for id_, (at, remains) in self._kept.items()}

    def remains(self, undo_id: str) -> Remains:
        """What went.

        Raises:
            NothingThere: it was given back, or is gone for good.
        """
        with self._lock:
            self._drop_old()
            if undo_id not in self._kept:
                raise NothingThere("That is forgotten for good: it can be undone for ten minutes, and only once.")
            return self._kept[undo_id][1]

    def given_back(self, undo_id: str) -> None:
        """Keep no longer what is remembered again."""
        with self._lock:
            _, taken = self._kept.pop(undo_id)
            self._told = [later for later in self._told if later.redaction is not taken.redaction]
            for _, remains in self._kept.values():
                remains.since[:] = [later for later in remains.since if later.redaction is not taken.redaction]

    def clear(self) -> None:
        """Let everything be gone for good."""
        with self._lock:
            self._kept.clear()
            self._told.clear()

    def _drop_old(self) -> None:
        now, at = time.monotonic(), datetime.now(UTC)
        self._kept = {id_: kept for id_, kept in self._kept.items() if now - kept[0] < _SECONDS}
        self._told = [told for told in self._told if at - told.at < _LONGEST_TURN]
