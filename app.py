"""Lorekeeper's composition root and command line.

A command runs where the home is owned: in the process that takes commands, when one runs, else in this one.
"""

import gc
import io
import os
import signal
import sys
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeGuard

from assistant.commands.arguments import read
from assistant.commands.console import FAILURE, INTERRUPTED, MISTAKE, Console, exit_status
from assistant.errors import Failure, SettingsError, UserMistake, one_line
from assistant.messages import speak, tell
from assistant.owner import Command, Owner, forward
from assistant.settings import Settings, environment_language

if TYPE_CHECKING:  # all of it is heavy, and --help wants none of it
    from assistant.llm.client import Transport
    from assistant.llm.local import EmbeddedTransport
    from assistant.orchestrator import Assistant

DEFAULT_MODEL = "gpt-6-luna"
LOG = "errors.log"  # in the home; tracebacks of what nobody expected
_POLL_SECONDS = 0.2
# In the order in which a first turn needs them.
_PROMPTS_KEPT = (
    "understand", "converse", "program", "answer", "standalone", "telling", "dating", "over",
    "entailment", "extract", "link", "relation", "erase", "scope", "earlier", "asks", "tells", "facts",
)  # fmt: skip


def compose(settings: Settings, transport: "Transport | None" = None, *, lasting: bool = True) -> "Assistant":
    """Wire the parts; with `transport`, that answers instead of the model that the settings name.

    A process that ends with its one command is not `lasting`: it cannot bring back later what it forgets.

    Raises:
        UserMistake: the settings name something that is not there.
        Failure: what lies in the home cannot be opened.
    """
    from assistant.embedding import load_embedder
    from assistant.knowledge_bases.registry import KnowledgeBases
    from assistant.knowledge_bases.relations import RelationRanker
    from assistant.llm.client import LanguageModel
    from assistant.llm.models import Models, chosen
    from assistant.llm.profile import Profiling
    from assistant.orchestrator import Assistant
    from assistant.policy import policy_for
    from assistant.remembering.matching import Matching
    from assistant.remembering.remembering import Remembering
    from assistant.search.approved import Approved
    from assistant.search.choosing import Choosing
    from assistant.search.contexts import Contexts
    from assistant.search.examples import ExampleBank
    from assistant.search.graphs.atlas import Atlas
    from assistant.search.graphs.paths import PathSearch
    from assistant.search.graphs.subgraph import SubgraphSearch
    from assistant.search.programs.bank import program_examples
    from assistant.search.programs.program import ProgramSearch
    from assistant.search.programs.sandbox import Sandbox
    from assistant.search.queries.banks import QueryBanks
    from assistant.search.queries.sparql import SparqlSearch
    from assistant.search.vector_cache import VectorCache
    from assistant.searching import MakeStrategy, Searching
    from memory.ingestion import Ingestion
    from memory.store import Memory

    embedder = load_embedder(settings.embeddings, settings.cache)
    memory = Memory(settings.home, embedder, lasting=lasting)
    memory.when_forgotten(partial(_forget_errors, settings.home / LOG))
    wanted = settings.model or ("" if settings.remote_model else chosen(memory.state))
    answering = transport or transport_of(replace(settings, model=wanted))
    model = LanguageModel(answering)
    background = model.in_background(lambda: False)
    sandbox, ranker = Sandbox(), RelationRanker(embedder)
    vectors = VectorCache(settings.cache, embedder)
    choosing = Choosing(memory, Contexts(embedder, vectors), settings.delta)
    atlas = Atlas(embedder, settings.home)
    programs = ExampleBank(program_examples(), embedder, vectors)

    def vectors_of(bank: Path) -> VectorCache:
        """A user's own bank has its vectors beside it, so that they go with it."""
        return VectorCache(bank.parent, embedder) if bank.is_relative_to(settings.home) else vectors

    banks = QueryBanks(embedder, vectors_of)
    approved = Approved(memory)
    profiling = Profiling(model, memory.state, "" if transport else _place(settings, wanted), settings.profile)
    strategies: dict[str, MakeStrategy] = {
        "program": lambda model: ProgramSearch(
            model,
            sandbox,
            ranker,
            programs,
            approved.programs,
            shortcuts=policy_for(profiling.profile, settings).shortcuts,
        ),
        "sparql": lambda model: SparqlSearch(model, banks, ranker, approved.queries),
        "subgraph": lambda model: SubgraphSearch(model, atlas),
        "paths": lambda model: PathSearch(model, atlas),
    }
    return Assistant(
        settings=settings,
        memory=memory,
        ingestion=Ingestion(memory, Remembering(background), Matching(background)),
        model=model,
        profiling=profiling,
        models=Models(answering, profiling, memory.state) if _may_choose(answering, settings) else None,
        knowledge_bases=KnowledgeBases(settings, memory),
        searching=Searching(strategies, choosing),
        choosing=choosing,
        examples=programs,
        query_banks=banks,
        sandbox=sandbox,
    )


def _forget_errors(log: Path, names: Collection[str] | None) -> None:
    """Remove the log of errors where it may quote what was forgotten. Raises Failure where it stays."""
    try:
        told = log.read_text(encoding="utf-8", errors="replace") if names else ""
        if names is None or any(name in told for name in names):
            log.unlink(missing_ok=True)
    except FileNotFoundError:
        return
    except OSError as error:
        raise Failure(
            "{file} may still say what was forgotten ({reason}). Delete that file yourself.",
            file=log,
            reason=error.strerror,
        ) from error


def transport_of(settings: Settings) -> "Transport":
    """The way to the model that the settings name."""
    if not settings.remote_model:
        from assistant import prompting
        from assistant.llm.local import EmbeddedTransport

        return EmbeddedTransport(settings, [prompting.load(name).head for name in _PROMPTS_KEPT])
    from assistant.llm.openai_transport import OpenAITransport

    # A server of one's own wants no key, but the client insists on one.
    return OpenAITransport(
        model=settings.model or DEFAULT_MODEL,
        api_key=settings.api_key or "none",
        base_url=settings.base_url or None,
    )


def _place(settings: Settings, wanted: str) -> str:
    """Where which model is, by which what is known of it is kept; empty for the one that comes with the program."""
    from assistant.llm.models import place

    if settings.remote_model:
        return f"{settings.base_url or 'https://api.openai.com/v1'} {wanted or DEFAULT_MODEL}"
    return place(wanted)


def _may_choose(transport: "Transport", settings: Settings) -> "TypeGuard[EmbeddedTransport]":
    """Whether the page chooses the model: an embedded one, where the operator has not."""
    if settings.model or settings.remote_model:
        return False
    from assistant.llm.local import EmbeddedTransport

    return isinstance(transport, EmbeddedTransport)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Returns:
        the exit status: 0, 1 for a failure, 2 for a mistake of the user's.
    """
    os.umask(0o077)  # what is remembered is for its owner alone
    speak(environment_language())
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # letters that the terminal does not have
    given = sys.argv[1:] if arguments is None else list(arguments)
    options = read(given)
    err = _writer(sys.stderr)
    try:
        settings = Settings.from_environment()
    except SettingsError as error:
        err(f"{one_line(error)}\n")
        return MISTAKE
    return exit_status(lambda: _command(settings, given, options, err), err, settings.home / LOG)


def _command(settings: Settings, given: Sequence[str], options: dict[str, Any], err: Callable[[str], None]) -> int:
    """All that may fail or be interrupted, so that it ends with a line."""
    piped = options["command"] == "remember" and "-" in options["files"]
    if piped and sys.stdin is None:
        raise UserMistake("There is no standard input to read; give a file in place of -.")
    console = Console(_writer(sys.stdout), err, _piped_in() if piped else b"")
    if options.pop("command") == "serve":
        _serve(settings, console, **options)
        return 0
    return _run(settings, given, console)


def _piped_in() -> bytes:
    from memory.documents import read_bounded

    return read_bounded(sys.stdin.buffer, "standard input")


def _writer(stream: TextIO) -> Callable[[str], None]:
    def write(text: str) -> None:
        stream.write(text)
        stream.flush()

    return write


def _serve(settings: Settings, console: Console, *, host: str, port: int) -> None:
    from ui.listening import address, listen

    with closing(Owner(settings.home)) as owner, suppress(KeyboardInterrupt):
        if not owner.acquire():
            raise UserMistake(
                "Lorekeeper already runs with the home {folder}; LOREKEEPER_HOME sets another.",
                folder=settings.home,
            )
        with listen(host, port, password=bool(settings.password)) as listener:
            console.say(tell("Lorekeeper is at {address}", address=address(listener)))
            with _uncollected():
                from ui.server import serve

                assistant = compose(settings)
            with closing(assistant):
                assistant.memory.keep_reserve()
                owner.serve(partial(_forwarded, assistant))
                try:
                    assistant.prepare()
                    serve(assistant, listener)
                finally:
                    owner.stop()  # no command may run on an assistant that is closed


@contextmanager
def _uncollected() -> Iterator[None]:
    """Loading leaves nothing to collect, and looking for it would be a fifth of the start; what is loaded stays."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _run(settings: Settings, given: Sequence[str], console: Console) -> int:
    """Where a process takes commands, it does the work; else this one does, once no other has the home."""
    with closing(Owner(settings.home)) as owner:
        waiting = False
        while (status := forward(settings.home, given, console.input, console.out, console.err)) is None:
            if owner.acquire():
                return _run_here(owner, settings, given, console)
            if not waiting:
                console.note(
                    tell("Another Lorekeeper is at work in this home; waiting until it takes commands or ends.")
                )
            waiting = True
            time.sleep(_POLL_SECONDS)
    return status


def _run_here(owner: Owner, settings: Settings, given: Sequence[str], console: Console) -> int:
    """Run a command; reading documents may take hours, so it takes others' commands meanwhile, as a server does."""
    options = read(given)
    with closing(compose(settings, lasting=False)) as assistant:
        assistant.memory.keep_reserve()
        if options["command"] == "remember":
            with suppress(UserMistake):  # the file system has no sockets: the others wait
                owner.serve(partial(_forwarded, assistant))
        try:
            status = exit_status(partial(execute, assistant, console, **options), console.err, settings.home / LOG)
            if status != INTERRUPTED:
                if owner.busy:
                    console.note(tell("Waiting for the commands that others have handed over; Ctrl-C ends them, too."))
                owner.finish()
        except BrokenPipeError:  # nobody reads what this one says; others wait for theirs
            owner.finish()
            raise
        finally:
            owner.stop()  # no command may run on an assistant that is closed
    return status


def _forwarded(assistant: "Assistant", command: Command) -> int:
    """A command that another process handed over, in its language."""
    speak(command.language)
    console = Console(command.out, command.err, command.stdin, command.cwd, command.cancel)
    work = partial(execute, assistant, console, **read(command.argv))
    return exit_status(work, console.err, assistant.settings.home / LOG)


def execute(assistant: "Assistant", console: Console, *, command: str, **options: Any) -> None:
    """Run the command with its options, as `assistant.commands.arguments.read` gives them."""
    from assistant.commands import bandit, bases, documents, remembered, status, turns

    commands: dict[str, Callable[..., None]] = {
        "ask": turns.ask,
        "remember": documents.remember,
        "recall": remembered.recall,
        "forget": remembered.forget,
        "export": remembered.export,
        "import": remembered.import_,
        "kb add": bases.add,
        "kb list": bases.show,
        "kb remove": bases.remove,
        "bandit": bandit.bandit,
        "status": status.status,
    }
    commands[command](assistant, console, **options)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends as cleanly as Ctrl-C does
    if signal.getsignal(signal.SIGHUP) is signal.SIG_DFL:  # not below nohup; else so does what loses its terminal
        signal.signal(signal.SIGHUP, signal.default_int_handler)
    try:
        sys.exit(main())
    except BrokenPipeError:  # nobody reads any more, as in `ask … | head -1`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(FAILURE)
