"""Program search: the model writes a Python program over three functions, and it runs on every knowledge base.

KnowledGPT, section 3.2: program-of-thought prompting writes the search as code; it runs on each knowledge base in
parallel; a program that breaks still gives what it had found. Past the paper: a program that broke everywhere is sent
back once with its traceback, and knowledge bases that hold text are searched for the question as well.
"""

import re
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Event as Signal
from typing import Literal

from assistant import prompting
from assistant.errors import Failure, Interrupted, KnowledgeBaseUnreachable
from assistant.knowledge_bases.base import Deadline, KnowledgeBase, TextSearch
from assistant.knowledge_bases.functions import KnowledgeFunctions
from assistant.knowledge_bases.relations import RelationRanker
from assistant.llm.client import LanguageModel
from assistant.search.base import Emit
from assistant.search.quantities import spelled_out
from assistant.search.sandbox import Sandbox
from assistant.types import Evidence, Failed, Message, ProgramRan, ProgramRun, ProgramWritten, Turn
from memory.folding import fold

_SECONDS = 20.0
_PASSAGES = 6
_MAX_EVIDENCE = 40
_MAX_TOKENS = 300
_FENCE = re.compile(r"```(?:python|py)?\s*\n?(.*?)(?:```|$)", re.DOTALL)


class ProgramSearch:
    """The `program` strategy for one turn."""

    name = "program"

    def __init__(self, model: LanguageModel, sandbox: Sandbox, ranker: RelationRanker) -> None:
        self._model = model
        self._sandbox = sandbox
        self._ranker = ranker

    def available(self, knowledge_bases: Sequence[KnowledgeBase]) -> bool:
        """Programs run on every knowledge base."""
        return bool(knowledge_bases)

    def find(self, turn: Turn, knowledge_bases: Sequence[KnowledgeBase], emit: Emit, cancel: Signal) -> list[Evidence]:
        """See `SearchStrategy.find`."""
        deadline = Deadline.after(_SECONDS)
        texts = [kb for kb in knowledge_bases if isinstance(kb, TextSearch)]
        with ThreadPoolExecutor(max_workers=max(1, len(knowledge_bases) + len(texts))) as pool:
            passages = [pool.submit(kb.search_text, turn.question, _PASSAGES, deadline) for kb in texts]
            found = self._by_program(turn, knowledge_bases, emit, cancel, pool)
            for kb, future in zip(texts, passages, strict=True):
                try:
                    found += future.result()
                except Failure as failure:
                    emit(Failed(f"knowledge base {kb.name}", str(failure)))
        if cancel.is_set():
            raise Interrupted("Stopped.")
        return _numbered(found)

    def _by_program(
        self,
        turn: Turn,
        knowledge_bases: Sequence[KnowledgeBase],
        emit: Emit,
        cancel: Signal,
        pool: ThreadPoolExecutor,
    ) -> list[Evidence]:
        messages = prompting.load("program").render(question=spelled_out(turn.question))
        unreachable: dict[str, KnowledgeBaseUnreachable] = {}
        found: list[Evidence] = []
        for round_ in (1, 2):
            start = time.monotonic()
            reply = self._model.complete(messages, purpose="program", max_tokens=_MAX_TOKENS)
            code = code_of(reply)
            emit(ProgramWritten(code, round_, time.monotonic() - start))
            asked = [kb for kb in knowledge_bases if kb.name not in unreachable]
            runs = list(pool.map(lambda kb, code=code: self._run(kb, code, turn, emit, cancel), asked))
            for run, evidence, error in runs:
                emit(ProgramRan(run))
                found += evidence
                if error is not None:
                    unreachable[error.name] = error
                    emit(Failed(f"knowledge base {error.name}", str(error)))
            errors = [run.error for run, _, error in runs if run.error and error is None]
            if found or not errors:
                break
            complaint = f"That program failed:\n{errors[0]}\nWrite it again without this mistake."
            messages = [*messages, Message("assistant", reply), Message("user", complaint)]
        return found

    def _run(
        self, kb: KnowledgeBase, code: str, turn: Turn, emit: Emit, cancel: Signal
    ) -> tuple[ProgramRun, list[Evidence], KnowledgeBaseUnreachable | None]:
        functions = KnowledgeFunctions(
            kb, self._ranker, turn.question, Deadline.after(_SECONDS), emit, cancelled=cancel.is_set
        )
        start = time.monotonic()
        outcome = self._sandbox.run(code, functions.by_name(), {"question": turn.question})
        value = tuple(_texts(outcome.value))
        run = ProgramRun(kb.name, code, tuple(functions.calls), value, outcome.error, time.monotonic() - start)
        return run, _with_result(functions.evidence, value, kb.name), functions.unreachable


def code_of(reply: str) -> str:
    """The program in a model's reply, taken out of its fence where there is one."""
    match = _FENCE.search(reply)
    return (match[1] if match else reply).strip()


def _texts(value: object) -> list[str]:
    if value is None:
        return []
    if isinstance(value, dict):
        return [f"{key}: {', '.join(_texts(item))}" for key, item in value.items()]
    if isinstance(value, list | tuple | set | frozenset):
        return list(dict.fromkeys(text for item in value for text in _texts(item)))
    if isinstance(value, float) and value.is_integer():
        return [str(int(value))]
    return [str(value)] if str(value).strip() else []


def _with_result(evidence: Sequence[Evidence], value: Sequence[str], kb: str) -> list[Evidence]:
    """The evidence, what bears the program's result first; a result that was computed is evidence of its own.

    A filter or a comparison touches many triples of which few matter; a count stands in none of them.
    """
    if not evidence or not value:
        return list(evidence)
    wanted = {fold(text) for text in value}
    bearing = [e for e in evidence if {fold(e.subject), fold(e.object), fold(e.text)} & wanted]
    rest = [e for e in evidence if e not in bearing]
    named = {name for e in bearing for name in (fold(e.subject), fold(e.object), fold(e.text))}
    if wanted <= named:
        narrowed = len(wanted) < len({fold(e.object) for e in evidence} | {fold(e.subject) for e in evidence}) // 2
        return bearing if narrowed and len(bearing) > 2 else bearing + rest
    computed = Evidence(0, kb, "computed from the facts below", "result", "; ".join(value), source=kb)
    return [computed, *bearing, *rest]


def _numbered(found: Sequence[Evidence]) -> list[Evidence]:
    """Evidence without repetitions, triples of one subject or one object and relation put together, numbered from 1."""
    unique: dict[tuple[str, str, str, str], Evidence] = {}
    for item in found:
        key = (fold(item.subject), fold(item.relation), fold(item.object), "" if item.object else fold(item.text))
        unique.setdefault(key, item)
    merged = _merged(_merged(list(unique.values()), "object"), "subject")
    return [replace(item, id=number) for number, item in enumerate(merged[:_MAX_EVIDENCE], start=1)]


def _merged(found: Sequence[Evidence], end: Literal["subject", "object"]) -> list[Evidence]:
    """One piece of evidence for the triples that differ in one `end` only: a list is one thing to read and to cite."""
    merged: list[Evidence] = []
    places: dict[tuple[str, ...], int] = {}
    for item in found:
        same = item.subject if end == "object" else item.object
        key = (item.kb, item.relation, same)
        if item.text or not item.object or "; " in same or key not in places:
            places.setdefault(key, len(merged))
            merged.append(item)
            continue
        kept = merged[places[key]]
        if kept.text:
            merged.append(item)
        elif end == "object":
            merged[places[key]] = replace(kept, object=f"{kept.object}; {item.object}")
        else:
            merged[places[key]] = replace(kept, subject=f"{kept.subject}; {item.subject}")
    return merged
