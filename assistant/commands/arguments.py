"""The command line's arguments, read and checked; imports nothing heavy, so that --help comes at once."""

import argparse
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NoReturn

from assistant.messages import tell
from assistant.settings import DEFAULT_USER

STRATEGIES = ("program", "sparql", "subgraph", "paths")
FORMATS = ("triples", "sentences", "description")
EXPORT_FORMATS = ("jsonld", "ntriples", "graphml")


def read(arguments: Sequence[str]) -> dict[str, Any]:
    """The options by name, with `command` as in "ask" or "kb add"; no command means "serve".

    Raises:
        SystemExit: help was asked for (0), or the arguments cannot be used (2, after one line on standard error).
    """
    if not arguments or (arguments[0].startswith("-") and arguments[0] not in ("-h", "--help")):
        arguments = ["serve", *arguments]
    parser = build_parser()
    options = vars(parser.parse_args(arguments))
    if "action" in options:
        options["command"] += f" {options.pop('action')}"
    if mistake := _mistake(options):
        parser.error(mistake)
    return options


def _mistake(options: dict[str, Any]) -> str:
    match options:
        case {"command": "forget", "fact": fact, "source": source, "entity": entity, "since": since, "until": until}:
            named = bool(fact or source or entity or options["all"])
            if not (named or since or until):
                return tell("say what to forget: --fact, --source, --entity, --since, --until or --all")
            return tell("--until goes with --since, or alone") if named and until else ""
        case {"endpoint": str(), "format": str()}:
            return tell("--format goes with FILE")
        case _:
            return ""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """One line in place of argparse's several."""
        line = tell("{mistake}; see {command} --help", mistake=message, command=self.prog)
        self.exit(2, f"{line}\n")


def build_parser() -> argparse.ArgumentParser:
    """The parser of every command."""
    parser = _Parser(prog="app.py", description=tell("Looks things up, remembers, and says where it knows it from."))
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, does: str, *, user: bool = False, json: bool = False) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=does, description=does)
        _shared(added, user=user, json=json)
        return added

    serve = command("serve", tell("open the page (what happens with no command)"))
    serve.add_argument("--host", default="127.0.0.1")
    serve.add_argument("--port", type=_port, default=7860)

    ask = command("ask", tell("ask one question"), user=True, json=True)
    ask.add_argument("question", metavar="QUESTION")
    ask.add_argument("--session", metavar="S", help=tell("a saved conversation to go on with; a new name begins one"))
    ask.add_argument("--kb", metavar="NAME", action="append", default=[], help=tell("ask this knowledge base only"))
    ask.add_argument("--strategy", choices=STRATEGIES, default="")
    ask.add_argument("--format", choices=FORMATS, default="")
    ask.add_argument(
        "--yes", action="store_true", help=tell("forget what the question asks to forget, without asking back")
    )

    remember = command("remember", tell("read documents and keep what they say"), user=True, json=True)
    remember.add_argument(
        "files", metavar="FILE", nargs="+", help=tell("document, folder or address; - for standard input")
    )

    recall = command("recall", tell("search the memory; no model is called"), user=True, json=True)
    recall.add_argument("text", metavar="TEXT")
    recall.add_argument("-k", metavar="N", type=_count, default=10, help=tell("at most this many (10)"))

    forget = command("forget", tell("forget for good"), user=True, json=True)
    what = forget.add_mutually_exclusive_group()
    what.add_argument("--fact", metavar="ID")
    what.add_argument("--source", metavar="ID")
    what.add_argument("--entity", metavar="NAME")
    what.add_argument("--since", metavar="T", type=_moment, help=tell("what was learned from this time on"))
    what.add_argument("--all", action="store_true")
    forget.add_argument("--until", metavar="T", type=_moment, help=tell("what was learned up to this time"))

    export = command("export", tell("write all that is remembered to a file"), user=True)
    export.add_argument("file", metavar="FILE")
    export.add_argument("--format", choices=EXPORT_FORMATS, default="jsonld")

    import_ = command("import", tell("read a file that export wrote as jsonld"), user=True)
    import_.add_argument("file", metavar="FILE")

    _add_knowledge_bases(command("kb", tell("knowledge bases: add, list, remove")))

    bandit = command("bandit", tell("what thumbs have taught about ways of searching"), user=True)
    what = bandit.add_mutually_exclusive_group()
    _shared(what, user=False, json=True)
    what.add_argument("--reset", action="store_true", help=tell("forget it"))
    what.add_argument(
        "--pin", metavar="STRATEGY,FORMAT", type=_pair, help=tell("always search like this; none: no more")
    )

    status = command("status", tell("what is up, and why what is down is down"), json=True)
    status.add_argument("--repair", action="store_true", help=tell("make the index agree with the records"))
    return parser


def _shared(parser: argparse._ActionsContainer, *, user: bool, json: bool) -> None:
    if user:
        parser.add_argument(
            "--user", metavar="U", default=DEFAULT_USER, help=tell("whose memory ({user})", user=DEFAULT_USER)
        )
    if json:
        parser.add_argument("--json", action="store_true", help=tell("print one JSON object"))


def _add_knowledge_bases(kb: argparse.ArgumentParser) -> None:
    actions = kb.add_subparsers(dest="action", required=True, metavar="ACTION")
    add = actions.add_parser("add", help=tell("load a file of triples, or name a SPARQL endpoint"))
    add.add_argument("name", metavar="NAME")
    source = add.add_mutually_exclusive_group(required=True)
    source.add_argument("file", metavar="FILE", nargs="?")
    source.add_argument("--endpoint", metavar="URL", help=tell("a SPARQL endpoint in place of FILE"))
    add.add_argument("--format", metavar="F", help=tell("how FILE is written, where its name does not tell"))
    add.add_argument("--language", metavar="L,...", type=lambda text: text.split(","), default=[])
    add.add_argument("--bank", metavar="FILE", help=tell("questions with queries, for the strategy sparql"))
    _shared(actions.add_parser("list", help=tell("list them")), user=False, json=True)
    actions.add_parser("remove", help=tell("remove one")).add_argument("name", metavar="NAME")


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65_535:
        raise argparse.ArgumentTypeError(tell("“{text}” is not a port; use a number up to 65535", text=text))
    return int(text)


def _pair(text: str) -> tuple[str, ...]:
    pair = tuple(text.split(","))
    if text == "none":
        return ()
    if len(pair) == 2 and pair[0] in STRATEGIES and pair[1] in FORMATS:
        return pair
    raise argparse.ArgumentTypeError(
        tell(
            "“{text}” is not a strategy ({strategies}), a comma and a format ({formats})",
            text=text,
            strategies=", ".join(STRATEGIES),
            formats=", ".join(FORMATS),
        )
    )


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(tell("“{text}” is not a number of at least 1", text=text))
    return int(text)


def _moment(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text).astimezone()
    except ValueError:
        line = tell("“{text}” is not a time such as 2026-11-21 or 2026-11-21T18:30", text=text)
        raise argparse.ArgumentTypeError(line) from None
