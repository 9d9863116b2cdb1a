"""Documents read into memory as the product reads them, with the replies kept; and questions answered from that."""

import contextlib
import re
from collections.abc import Callable, Iterator, Sequence
from unittest import mock

from app import transport_of
from assistant.orchestrator import Assistant
from assistant.settings import Settings
from assistant.types import Answered
from memory.types import Recalled
from memory.user_memory import UserMemory
from tests.benchmarks import product
from tests.benchmarks.harness import CACHE
from tests.benchmarks.judging import fold, holds_any
from tests.benchmarks.paragraphs import Paragraph
from tests.benchmarks.replies import KeptReplies
from tests.benchmarks.rows import Outcome

ACCURACIES = ("accuracy", "accuracy_no_passages")
SCORES = (
    *ACCURACIES,
    "declined",
    "declined_no_passages",
    "in_memory",
    "in_evidence",
    "in_evidence_no_passages",
)
_ALL = 10_000  # facts
_WORD = re.compile(r"\w+")
_LEGAL_FORM = re.compile(r",? (?:co|corp|corporation|gmbh|inc|incorporated|limited|llc|ltd|plc)\.?$", re.IGNORECASE)
_NICKNAMED = re.compile(r"^(?P<given>[^\"“”]+?) [\"“](?P<nickname>[^\"“”]+)[\"”] (?P<family>[^\"“”]+)$")
_recall, _recall_further = UserMemory.recall, UserMemory.recall_further


def kept_replies() -> KeptReplies:
    """The model that the environment names; what it has read before is in the benchmarks' cache."""
    return KeptReplies(transport_of(Settings.from_environment()), CACHE / "extractions.jsonl", {"extract", "count"})


def read_all(assistant: Assistant, user: str, paragraphs: Sequence[Paragraph]) -> None:
    """Have every paragraph read into the memory of `user`, as a document of its own."""
    added = [
        assistant.ingestion.add(user, f"{number}.md", paragraph.document.encode())
        for number, paragraph in enumerate(paragraphs, 1)
    ]
    for source in added:
        assistant.ingestion.wait(user, source.id)


Ask = Callable[[str, str, Sequence[str], Sequence[Paragraph]], Outcome]  # user, question, gold, paragraphs


@contextlib.contextmanager
def answering() -> Iterator[Ask]:
    """Answers a question from what was read of its paragraphs, with their passages and without.

    `accuracy`: the answer holds one of the gold ones, as `spellings`; a yes or no has to be its first word.
    `in_memory`: a fact holds one, and `in_evidence`: what the turn found does; by these one can tell what stops an
    answer.
    """
    replies = kept_replies()
    with product.assistant(replies) as assistant:

        def ask(user: str, question: str, gold: Sequence[str], paragraphs: Sequence[Paragraph]) -> Outcome:
            account = replies.account()
            read_all(assistant, user, paragraphs)
            whole = product.answered(assistant, product.turn(question, user))
            with mock.patch.multiple(UserMemory, recall=_facts_alone, recall_further=_facts_further):
                without = product.answered(assistant, product.turn(question, user))
            facts = [f"{fact.subject} {fact.object}" for fact in assistant.memory.of(user).facts(limit=_ALL)]
            usage = account.usage + whole.usage + without.usage
            texts = {"question": question, "gold": list(gold), "whole": told(whole), "without": told(without)}
            return Outcome(_scores(whole, without, facts, gold), usage, texts)

        yield ask


def spellings(gold: Sequence[str]) -> list[str]:
    """The gold answers as people may write them: without a full stop, an article or a legal form; 'Bettina "Bea" Roe'
    is Bettina Roe and Bea Roe."""
    found = []
    for answer in gold:
        bare = _LEGAL_FORM.sub("", answer.strip().rstrip(".,")).removeprefix("the ").removeprefix("The ")
        named = _NICKNAMED.match(bare)
        shorter = [f"{named['given']} {named['family']}", f"{named['nickname']} {named['family']}"] if named else []
        found += [answer, bare, *shorter]
    return list(dict.fromkeys(found))


def _scores(whole: Answered, without: Answered, facts: Sequence[str], gold: Sequence[str]) -> dict[str, float]:
    scores = {
        "accuracy": right(whole, gold),
        "accuracy_no_passages": right(without, gold),
        "declined": float(whole.declined),
        "declined_no_passages": float(without.declined),
    }
    if not is_yes_or_no(gold):
        gold = spellings(gold)
        scores |= {
            "in_memory": float(any(holds_any(text, gold) for text in facts)),
            "in_evidence": evidence_holds(whole, gold),
            "in_evidence_no_passages": evidence_holds(without, gold),
        }
    return scores


def right(reply: Answered, gold: Sequence[str]) -> float:
    """Whether an answer says what it should."""
    return 0.0 if reply.declined else says(reply.answer, gold)


def says(text: str, gold: Sequence[str]) -> float:
    """Whether a text says one of the gold answers."""
    if is_yes_or_no(gold):
        first = _WORD.search(fold(text))
        return float(first is not None and first[0] == fold(gold[0]))
    return float(holds_any(text, spellings(gold)))


def is_yes_or_no(gold: Sequence[str]) -> bool:
    """Whether a yes or a no is asked for."""
    return fold(gold[0]) in {"yes", "no"}


def evidence_holds(reply: Answered, gold: Sequence[str]) -> float:
    """Whether the evidence of an answer has one of the gold ones."""
    return float(any(holds_any(f"{e.subject} {e.object} {e.text}", gold) for e in reply.evidence))


def _facts_alone(self: UserMemory, text: str, k: int = 10) -> list[Recalled]:
    return [hit for hit in _recall(self, text, 3 * k) if hit.fact is not None][:k]


def _facts_further(self: UserMemory, text: str, k: int = 10) -> list[Recalled]:
    return [hit for hit in _recall_further(self, text, 3 * k) if hit.fact is not None][:k]


def told(reply: Answered) -> dict[str, object]:
    """What is kept of a turn's texts."""
    evidence = [f"[{e.id}] {e.subject} | {e.relation} | {e.object} | {e.text}" for e in reply.evidence]
    return {"answer": reply.answer, "route": reply.route, "program": reply.program, "evidence": evidence}
