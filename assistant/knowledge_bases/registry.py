"""Which knowledge bases there are, who may ask which, and how each is doing."""

import contextlib
import logging
import re
import shutil
import threading
from collections.abc import Callable, Collection, Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assistant.errors import Failure, NothingThere, UserMistake
from assistant.knowledge_bases.base import Closeable, Deadline, KnowledgeBase, QuestionBound
from assistant.knowledge_bases.documents import DOCUMENTS, Documents
from assistant.knowledge_bases.files.building import BANK, build
from assistant.knowledge_bases.files.encyclopaedia import SUFFIX, Encyclopaedia
from assistant.knowledge_bases.files.formats import guess_format, read_triples
from assistant.knowledge_bases.files.triples import Triples
from assistant.knowledge_bases.personal import PERSONAL, Personal
from assistant.knowledge_bases.public.cn_dbpedia import CnDbpedia
from assistant.knowledge_bases.public.guarded import guarded
from assistant.knowledge_bases.public.outgoing import Outgoing
from assistant.knowledge_bases.public.wikidata import Wikidata
from assistant.knowledge_bases.public.wikipedia import Wikipedia
from assistant.knowledge_bases.sparql.bank import QueryBank
from assistant.knowledge_bases.sparql.endpoint import Endpoint
from assistant.knowledge_bases.tables import TABLES, Tables
from assistant.knowledge_bases.web.http import Http
from assistant.knowledge_bases.web.outbound import OutboundLog
from assistant.knowledge_bases.world.world import World
from assistant.settings import Settings
from assistant.types import Turn
from memory.errors import Notice
from memory.folding import terms
from memory.sessions import Sessions
from memory.store import Memory

_log = logging.getLogger(__name__)

State = Literal["up", "down", "off"]

_REGISTRY = "knowledge_bases"  # in the installation's state: name to languages
_ENDPOINTS = "sparql_endpoints"  # in the installation's state: name to address, of those that are no files
_ARCHIVES = "zim_files"  # in the installation's state: name to path, of those that stay where they are
_PUBLIC = "public_knowledge_bases"  # in a user's state: on or off
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_LANGUAGE = re.compile(r"[a-z]{2}")
_FIRST_ANSWER_SECONDS = 10.0
OWN = (PERSONAL, TABLES, DOCUMENTS)  # of each user
_NAMES_SECONDS = 1.0  # to see what the built-in knowledge base calls a thing


@dataclass(frozen=True, slots=True)
class KnowledgeBaseInfo:
    """One line of `kb list`; `triples` is None where they are not counted, `message` says why it is not up.

    It is `offline` where it cannot be reached at all.
    """

    name: str
    kind: str
    languages: tuple[str, ...]
    public: bool
    enabled: bool
    triples: int | None
    state: State
    message: str = ""
    offline: bool = False


class KnowledgeBases:
    """All knowledge bases of an installation. Safe to use from several threads.

    `http` is the one way out of the machine, which it owns.
    """

    def __init__(self, settings: Settings, memory: Memory) -> None:
        self._settings = settings
        self._memory = memory
        self._folder = settings.home / "knowledge_bases"
        self._lock = threading.RLock()
        self._log = OutboundLog(settings.home)
        self.http = Http(settings.contact, settings.home)
        memory.when_forgotten(self._forget)
        self._world = World(settings.cache)
        self._built_in: dict[str, KnowledgeBase] = {
            base.name: base for base in (self._world, Wikipedia(self.http), Wikidata(self.http), CnDbpedia(self.http))
        }
        self._added: dict[str, Triples | Endpoint | Encyclopaedia] = {}
        self._broken: dict[str, str] = {}
        self._reserved: set[str] = set()
        for name, languages in self._registered().items():
            self._open(name, languages)

    def prepare(self) -> None:
        """Start what takes a while, in the background; returns at once."""
        self._world.ensure()

    @property
    def _public(self) -> list[str]:
        """The built-in ones that are asked over the network, by name."""
        return [name for name, base in self._built_in.items() if base.public]

    @property
    def shared(self) -> list[KnowledgeBase]:
        """Those of all users, in the order in which they are asked."""
        with self._lock:
            return list({**self._built_in, **self._added}.values())

    def choose(self, user: str, language: str, names: Sequence[str] = ()) -> list[KnowledgeBase]:
        """Those that speak the language and are switched on for the user, their own memory first; or those in `names`.

        Raises:
            UserMistake: one of `names` is unknown or switched off.
        """
        memory = self._memory.of(user)
        personal, tables, documents = Personal(memory), Tables(memory), Documents(memory)
        shared = {base.name: base for base in self.shared}
        if not names:
            left_out = self._left_out(language)
            speaking = [base for base in shared.values() if not base.languages or language in base.languages]
            speaking = [base for base in speaking if base.name not in left_out]
            own: list[KnowledgeBase] = [personal, *(base for base in (tables, documents) if not base.is_empty)]
            return [*own, *(base for base in speaking if not base.public or self.public_on(user))]
        for name in names:
            self._check_asked(name, shared, user)
        own = [base for base in (personal, tables, documents) if base.name in names]
        return own + [shared[name] for name in dict.fromkeys(names) if name in shared]

    def for_turn(
        self, turn: Turn, bases: Sequence[KnowledgeBase], is_wording: Callable[[str], bool], code: str = ""
    ) -> list[KnowledgeBase]:
        """The same knowledge bases, the public ones behind the gate that says what of the turn may leave this machine.

        `is_wording` says whether questions are worded with a word. `code` is a program that the user has edited: what
        no program in the conversation says, they put there themselves.
        """
        memory, question = self._memory.of(turn.user), turn.question or turn.text

        def holds(wanted: Collection[str]) -> Set[str]:
            return memory.holding(wanted) or memory.sessions.saying(wanted, besides=turn.session)

        def is_other_name(name: str) -> bool:
            return self._world.is_another_name(name, question, Deadline.after(_NAMES_SECONDS))

        outgoing = Outgoing(turn, holds, is_other_name, is_wording, _put_in(code, memory.sessions, turn.session))
        asked = (base.asked(question) if isinstance(base, QuestionBound) else base for base in bases)
        return [guarded(base, outgoing) for base in asked]

    def add(
        self,
        name: str,
        source: Path,
        *,
        format: str | None = None,
        languages: Sequence[str] = (),
        bank: QueryBank | None = None,
    ) -> KnowledgeBaseInfo:
        """Load a file of triples, or read an encyclopaedia in a ZIM file where it lies; `languages` are those of the
        questions that it is asked, none for all.

        `bank` has questions with queries for triples, which the `sparql` strategy needs.

        Raises:
            UserMistake: the name, the languages, the format or a line of the file cannot be used; nothing is added.
            Failure: the disk cannot be written; nothing is added.
        """
        if source.suffix.lower() == SUFFIX:
            return self._add_archive(name, source.resolve(), languages, bank)
        with self._adding(name, languages) as spoken:
            folder = self._folder / name
            shutil.rmtree(folder, ignore_errors=True)  # half added when the process ended
            build(folder, read_triples(source, format or guess_format(source)), source.name)
            self._keep_bank(name, bank)
            with self._lock:
                self._register(name, spoken)
        return self._added_info(name, spoken)

    def _add_archive(
        self, name: str, source: Path, languages: Sequence[str], bank: QueryBank | None
    ) -> KnowledgeBaseInfo:
        """As `add`; an encyclopaedia called as a public knowledge base stands in for that."""
        if bank is not None:
            raise UserMistake("An encyclopaedia is not asked by queries; leave --bank out.")
        with self._adding(name, languages, in_place_of=self._public) as spoken:
            Encyclopaedia(name, source)
            with self._lock:
                self._memory.state.set(_ARCHIVES, {**self._archives(), name: str(source)})
                self._register(name, spoken)
        return self._added_info(name, spoken)

    def add_endpoint(
        self, name: str, address: str, *, languages: Sequence[str] = (), bank: QueryBank | None = None
    ) -> KnowledgeBaseInfo:
        """Ask a SPARQL endpoint from now on; `languages` and `bank` as in `add`.

        Raises:
            UserMistake: the name, the languages or the address cannot be used; nothing is added.
            Failure: no SPARQL endpoint answers there; nothing is added.
        """
        with self._adding(name, languages) as spoken:
            with contextlib.closing(Endpoint(self.http, name, address)) as tried:
                tried.reach(Deadline.after(_FIRST_ANSWER_SECONDS))
            self._keep_bank(name, bank)
            with self._lock:
                self._memory.state.set(_ENDPOINTS, {**self._endpoints(), name: address})
                self._register(name, spoken)
        return self._added_info(name, spoken)

    def remove(self, name: str) -> None:
        """Remove a knowledge base that `add` or `add_endpoint` made, with its files.

        Raises:
            NothingThere: there is none of that name.
            UserMistake: it is built in.
        """
        with self._lock:
            registered = self._registered()
            if name not in registered and (name in self._built_in or name in OWN):
                raise UserMistake("{name} is built in and cannot be removed.", name=name)
            if name not in registered:
                raise NothingThere(
                    "There is no knowledge base {name}; `kb list` shows those that there are.", name=name
                )
            del registered[name]
            self._memory.state.set(_REGISTRY, registered)
            self._memory.state.set(_ENDPOINTS, {n: at for n, at in self._endpoints().items() if n != name})
            self._memory.state.set(_ARCHIVES, {n: at for n, at in self._archives().items() if n != name})
            self._broken.pop(name, None)
            base = self._added.pop(name, None)
            if isinstance(base, Closeable):
                base.close()
        shutil.rmtree(self._folder / name, ignore_errors=True)

    def infos(self, user: str | None = None) -> list[KnowledgeBaseInfo]:
        """Every knowledge base and how it is doing, as the user sees it, or the installation where none is given."""
        public_on = self._settings.public_knowledge_bases if user is None else self.public_on(user)
        with self._lock:
            return [
                *(KnowledgeBaseInfo(name, PERSONAL, (), False, True, None, "up") for name in OWN),
                self._world_info(),
                *(
                    self._asked_info(self._built_in[name], "public", public_on)
                    for name in self._public
                    if name not in self._added
                ),
                *(self._added_info(name, spoken, public_on) for name, spoken in sorted(self._registered().items())),
            ]

    def away(self, user: str) -> list[KnowledgeBaseInfo]:
        """Those that would be asked for the user but cannot be just now.

        Hosts that could not be reached are tried again meanwhile, so that a page that calls this every few seconds
        notices by itself when they can be.
        """
        known = {*self._broken, *([self._world.name] if self._world.preparing else [])}  # these need no banner
        away = [info for info in self.infos(user) if info.state == "down" and info.name not in known]
        for info in away:
            self.http.look_again(info.name)
        return away

    def switch_public(self, user: str, on: bool) -> None:
        """Whether the user's questions may leave this machine.

        Raises:
            UserMistake: they may not, by the operator's setting.
        """
        if on and not self._settings.public_knowledge_bases:
            raise UserMistake("Public knowledge bases are switched off here; set LOREKEEPER_PUBLIC to on.")
        self._memory.of(user).state.set(_PUBLIC, on)

    def public_on(self, user: str) -> bool:
        """Whether public knowledge bases are asked for the user, by setting and by the user's own choice."""
        return self._settings.public_knowledge_bases and bool(self._memory.of(user).state.get(_PUBLIC, True))

    def _forget(self, names: Collection[str] | None) -> None:
        """Let nothing here tell what was asked about a forgotten name or value, or (None) at all."""
        self.http.forget_answers()
        self._log.forget(names)

    def close(self) -> None:
        """Close all of them; may be called twice."""
        with self._lock:
            for base in (*self._built_in.values(), *self._added.values()):
                if isinstance(base, Closeable):
                    base.close()
            self.http.close()
            self._log.close()

    def _left_out(self, language: str) -> Set[str]:
        """Chinese questions go to CN-DBpedia alone (KnowledGPT, section 4.1), while it answers."""
        if language in CnDbpedia.languages and not self.http.trouble(CnDbpedia.name):
            return {Wikipedia.name, Wikidata.name}
        return frozenset()

    def _registered(self) -> dict[str, list[str]]:
        registered: dict[str, list[str]] = self._memory.state.get(_REGISTRY, {})
        return dict(registered)

    def _endpoints(self) -> dict[str, str]:
        endpoints: dict[str, str] = self._memory.state.get(_ENDPOINTS, {})
        return dict(endpoints)

    def _archives(self) -> dict[str, str]:
        archives: dict[str, str] = self._memory.state.get(_ARCHIVES, {})
        return dict(archives)

    def _open(self, name: str, languages: Sequence[str]) -> None:
        try:
            if address := self._endpoints().get(name):
                bank = self._folder / name / BANK
                bank_file = bank if bank.exists() else None
                self._added[name] = Endpoint(self.http, name, address, languages, bank_file)
            elif archive := self._archives().get(name):
                self._added[name] = Encyclopaedia(name, Path(archive), languages)
            else:
                self._added[name] = Triples(name, self._folder / name, languages)
        except (Failure, UserMistake) as error:
            self._broken[name] = str(error)
            _log.error("%s", error)

    def _keep_bank(self, name: str, bank: QueryBank | None) -> None:
        if bank is None:
            return
        folder = self._folder / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / BANK).write_text(bank.dump(), encoding="utf-8")
        except OSError as error:
            raise Failure(
                "Cannot write the bank to {folder}: {reason}.", folder=folder, reason=error.strerror or error
            ) from error

    @contextlib.contextmanager
    def _adding(self, name: str, languages: Sequence[str], *, in_place_of: Collection[str] = ()) -> Iterator[list[str]]:
        """Checks the languages, which it yields in order, and keeps the name from others until the block ends.

        Of the built-in ones, it may have the name of those that it may be `in_place_of`.
        """
        spoken = sorted({_checked_language(language) for language in languages})
        self._reserve(name, in_place_of)
        try:
            yield spoken
        finally:
            with self._lock:
                self._reserved.discard(name)

    def _register(self, name: str, spoken: list[str]) -> None:
        """Make the knowledge base known and open it; the lock is held."""
        self._memory.state.set(_REGISTRY, {**self._registered(), name: spoken})
        self._open(name, spoken)

    def _reserve(self, name: str, in_place_of: Collection[str]) -> None:
        if not _NAME.fullmatch(name):
            raise UserMistake("“{name}” cannot be a name; use a-z, 0-9, - and _, at most 64 characters.", name=name)
        with self._lock:
            if name in {*self._built_in, *OWN}.difference(in_place_of):
                raise UserMistake("{name} is the name of a built-in knowledge base; choose another.", name=name)
            if name in self._registered() or name in self._reserved:
                raise UserMistake(
                    "There is a knowledge base {name} already; remove it first, or choose another name.", name=name
                )
            self._reserved.add(name)

    def _check_asked(self, name: str, shared: dict[str, KnowledgeBase], user: str) -> None:
        if name in self._broken:
            raise UserMistake(self._broken[name])
        if name not in shared and name not in OWN:
            raise UserMistake(
                "There is no knowledge base {name}; choose of {known}.", name=name, known=", ".join([*OWN, *shared])
            )
        if name in shared and shared[name].public and not self.public_on(user):
            raise UserMistake("{name} is switched off, with all public knowledge bases.", name=name)

    def _world_info(self) -> KnowledgeBaseInfo:
        message = self._world.message
        return KnowledgeBaseInfo(
            self._world.name, "built-in", (), False, True, self._world.count, "down" if message else "up", message
        )

    def _asked_info(self, base: KnowledgeBase, kind: str, on: bool) -> KnowledgeBaseInfo:
        """About a knowledge base that is asked over HTTP."""
        message = self.http.trouble(base.name) if on else Notice("Public knowledge bases are switched off.")
        state: State = "off" if not on else "down" if message else "up"
        spoken, offline = tuple(sorted(base.languages)), on and self.http.offline(base.name)
        return KnowledgeBaseInfo(base.name, kind, spoken, base.public, on, None, state, message, offline)

    def _added_info(self, name: str, spoken: Sequence[str], public_on: bool = True) -> KnowledgeBaseInfo:
        base, message = self._added.get(name), self._broken.get(name, "")
        if isinstance(base, Endpoint):
            return self._asked_info(base, "endpoint", public_on or not base.public)
        kind = "encyclopaedia" if name in self._archives() else "file"
        count = base.count if isinstance(base, Triples) else None
        return KnowledgeBaseInfo(
            name, kind, tuple(spoken), False, not message, count, "down" if message else "up", message
        )


def _put_in(code: str, sessions: Sessions, session: str) -> str:
    """What a program has that none in the conversation says; nothing where the conversation is not saved."""
    try:
        saved = sessions.load(session) if code else []
    except NothingThere:
        return ""
    kept = [message.details.get("events") for message in saved]
    events = [event for rows in kept if isinstance(rows, list) for event in rows if isinstance(event, dict)]
    written = {term for event in events for term in terms(str(event.get("code", "")))}
    return " ".join(term for term in terms(code) if term not in written) if written else ""


def _checked_language(language: str) -> str:
    if not _LANGUAGE.fullmatch(language):
        raise UserMistake("“{language}” is no language; use two-letter codes such as en or zh.", language=language)
    return language
