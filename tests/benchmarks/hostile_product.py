"""The product as a process of its own that a benchmark attacks: `python -m tests.benchmarks.hostile_product HOME`.

It is put together by `app.compose`; only the model is ours to say: a script, or any server that speaks OpenAI's
protocol. Orders come as lines of JSON on standard input, and each is answered by one line on standard output:

    {"do": "program", "text": CODE}     an edited program, run again
    {"do": "query", "text": SPARQL}     a turn whose model writes this query
    {"do": "file", "path": PATH}        a document, taken in and forgotten
    {"do": "reply", "url": URL}         a turn whose model is the server at URL
    {"do": "ordinary"}                  a turn as people have them, with its answer

A line says `{"said": TEXT}`, or `{"broke": TEXT}` where something came out of the product that should not have.
"""

import json
import sys
import traceback
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from app import compose
from assistant.errors import LorekeeperError
from assistant.llm.client import Chunk, ModelStatus, Request, Stop, Transport
from assistant.llm.limits import ReplyLimits, TurnLimits
from assistant.llm.openai_transport import OpenAITransport
from assistant.llm.scripted import Scripted, ScriptedTransport
from assistant.orchestrator import Assistant
from assistant.settings import Settings
from assistant.types import Answered, Event, Failed, QueryRan, Turn

USER = "hostile"
QUESTION = "What is the capital of Peru?"
# What a program came to is read by what its question asks for.
_ASKED = (QUESTION, "When was Peru founded?", "How many people live in Peru?", "Who founded Peru?", "Where is Peru?")
_UNKNOWN = "Which of them hums the loudest tune?"  # no known query is like it, so the model's own is run
ANSWER = "Lima"
# A tenth and less of what a model and a turn may take otherwise, so that hundreds of them can be tried.
_REPLY = ReplyLimits(first_seconds=5.0, between_seconds=3.0, seconds=10.0)
TURN = TurnLimits(seconds=60.0, model_seconds=30.0)
_SCRIPT: dict[str, list[Scripted]] = {
    "understand": ["en ask"],
    "program": ['answer = find_entity_or_value(["Peru"], ["capital"])'],
    "answer": [f"The capital of Peru is {ANSWER} [1]."],
    "entailment": ["yes"],
    "erase": ["yes"],
    "scope": ["all"],
    "earlier": ["no"],
    "asks": ["yes"],
    "tells": ["yes"],
    "facts": ["no"],
    "date": ["1 since 2019"],
    "extract": ["home\naunt Perpetua | lives in | Oruro"],
}


class Switch:
    """A transport that hands on to another one, which may change between turns."""

    def __init__(self) -> None:
        self.to: Transport = ScriptedTransport(_SCRIPT, repeat=True)

    def start(self) -> None:
        """See `Transport.start`."""
        self.to.start()

    def close(self) -> None:
        """See `Transport.close`."""
        self.to.close()

    def status(self) -> ModelStatus:
        """See `Transport.status`."""
        return self.to.status()

    def send(self, request: Request, stop: Stop) -> Iterator[Chunk]:
        """See `Transport.send`."""
        return self.to.send(request, stop)


class Product:
    """The assistant under attack."""

    def __init__(self, assistant: Assistant, switch: Switch) -> None:
        self._assistant = assistant
        self._assistant.limits = TURN
        self._switch = switch

    def obey(self, order: dict[str, Any]) -> str:
        """What comes of an order, in words."""
        match order["do"]:
            case "program":
                question = _ASKED[len(order["text"]) % len(_ASKED)]
                return _said(self._assistant.rerun(_turn(question), order["text"]))
            case "query":
                self._speak(_SCRIPT | {"understand": ["en ask"], "sparql": [order["text"]]})
                turn = _turn(_UNKNOWN, strategy="sparql", knowledge_bases=("world",))
                return _said(self._assistant.reply(turn))
            case "file":
                return self._take_in(Path(order["path"]))
            case "reply":
                self._switch.to = OpenAITransport(model="hostile", api_key="none", base_url=order["url"], limits=_REPLY)
                return _said(self._assistant.reply(_turn()))
        self._speak(_SCRIPT)
        return _said(self._assistant.reply(_turn(knowledge_bases=("world",))))

    def _speak(self, script: dict[str, list[Scripted]]) -> None:
        self._switch.to = ScriptedTransport(script, repeat=True)

    def _take_in(self, file: Path) -> str:
        memory = self._assistant.memory.of(USER)
        source = self._assistant.ingestion.add(USER, file.name, file.read_bytes())
        with suppress(LorekeeperError):
            memory.forget(source=source.id)
        return f"taken in: {source.passages} passages"


def _turn(question: str = QUESTION, **options: Any) -> Turn:
    return Turn(question, USER, "hostile", datetime.now().astimezone(), question=question, **options)


def _said(events: Iterator[Event]) -> str:
    said: list[str] = []
    for event in events:
        match event:
            case Failed():
                said.append(event.message)
            case QueryRan():
                said.append(f"{event.total} rows, {event.error}")
            case Answered():
                said.append(event.answer)
            case _:
                pass
    return " | ".join(said)


def main(home: Path) -> None:
    """Obey orders until standard input ends."""
    settings = replace(Settings.from_environment(), home=home, public_knowledge_bases=False)
    switch = Switch()
    with closing(compose(settings, switch)) as assistant:
        assistant.prepare()
        product = Product(assistant, switch)
        for line in sys.stdin:
            try:
                reply = {"said": product.obey(json.loads(line))}
            except LorekeeperError as error:  # one line for the user
                reply = {"said": str(error)}
            except BaseException:
                reply = {"broke": traceback.format_exc(limit=-6)}
            print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
