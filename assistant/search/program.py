"""Program search: the model writes a Python program over three functions, and it runs on every knowledge base.

KnowledGPT, section 3.2: program-of-thought prompting writes the search as code; it runs on each knowledge base in
parallel; a program that breaks still gives what it had found. Past the paper: a program that broke everywhere is sent
back once with its traceback, and knowledge bases that hold text are searched for the question as well.
"""

import re
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event as Signal

from assistant import prompting
from assistant.errors import Failure, Interrupted, KnowledgeBaseUnreachable, ModelUnavailable
from assistant.knowledge_bases.base import Deadline, KnowledgeBase, TextSearch
from assistant.knowledge_bases.functions import KnowledgeFunctions
from assistant.knowledge_bases.relations import RelationRanker
from assistant.llm.client import LanguageModel
from assistant.search.base import Emit
from assistant.search.evidence import RESULT, numbered
from assistant.search.formats import line
from assistant.search.quantities import spelled_out
from assistant.search.sandbox import Sandbox
from assistant.types import Evidence, Failed, Message, ProgramRan, ProgramRun, ProgramWritten, Turn
from memory.folding import fold, terms

_SECONDS = 20.0
_PASSAGES = 6
_MAX_TOKENS = 300
_COMPUTED = "computed"
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
            try:
                found = self._by_program(turn, knowledge_bases, emit, cancel, pool)
            except ModelUnavailable as failure:
                emit(Failed("program", str(failure)))
                found = []
            asked = set(terms(turn.question))
            precise = bool(found)
            for kb, future in zip(texts, passages, strict=True):
                try:
                    # Beside what a program found, only what shares a word with the question is worth the reader's time.
                    found += [e for e in future.result() if not precise or asked & set(terms(line(e)))]
                except Failure as failure:
                    emit(Failed(f"knowledge base {kb.name}", str(failure)))
        return numbered(found)

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
            if cancel.is_set():
                raise Interrupted("Stopped.")
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
        return run, _with_result(run, functions.evidence), functions.unreachable


def code_of(reply: str) -> str:
    """The program in a model's reply, taken out of its fence where there is one."""
    match = _FENCE.search(reply)
    return (match[1] if match else reply).strip()


def _path(code: str) -> str:
    """The path that a program's comment plans, as what its result is the result of."""
    first = code.splitlines()[0] if code else ""
    return first.lstrip("# ") if first.startswith("#") else _COMPUTED


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


def _with_result(run: ProgramRun, evidence: Sequence[Evidence]) -> list[Evidence]:
    """The evidence, what bears the program's result first.

    A program that computes (filters, compares, counts) touches many triples of which few matter, and what it comes to
    may stand in none of them: its result is then evidence of its own.
    """
    if not evidence or not run.value:
        return list(evidence)
    wanted = {fold(text) for text in run.value}
    bearing = [e for e in evidence if {fold(e.subject), fold(e.object), fold(e.text)} & wanted]
    if run.calls and set(run.value) == set(run.calls[-1].results):
        return bearing + [e for e in evidence if e not in bearing]
    computed = Evidence(0, run.kb, _path(run.code), RESULT, "; ".join(run.value), source=run.kb)
    return [computed, *bearing] if bearing else [computed, *evidence]
