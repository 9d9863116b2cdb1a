"""Questions answered from the passages of documents alone, and by one call over the same evidence.

`accuracy_passages` is that of a turn; `accuracy_one_call` that of the same model which is shown what the turn had as
evidence, writes how it comes to the answer, and then the answer. Both are judged by `reading`.
"""

import contextlib
import time
from collections.abc import Iterator, Sequence

from assistant.answering.context import fitting
from assistant.llm.client import LanguageModel
from assistant.policy import SMALL
from assistant.search.formats import triples
from assistant.types import Evidence, Message
from tests.benchmarks import product
from tests.benchmarks.harness import Metric
from tests.benchmarks.paragraphs import Paragraph
from tests.benchmarks.reading import Ask, evidence_holds, is_yes_or_no, right, says, spellings, told
from tests.benchmarks.rows import Outcome
from tests.benchmarks.statistics import median

ACCURACIES = ("accuracy_passages", "accuracy_one_call")
METRICS = {
    **{name: Metric(name) for name in (*ACCURACIES, "declined_passages")},
    **{f"{name}_p50": Metric(name, median) for name in ("seconds_passages", "seconds_one_call")},
}
_STEPS = (
    "Answer the question from the numbered texts. First say in two short sentences what you take from which text; then "
    "write, on a line of its own, 'Answer:' and the answer in a few words."
)
_ANSWER = "Answer:"
_TOKENS = 200
_EMBEDDED_AT_ONCE = 128


@contextlib.contextmanager
def answering() -> Iterator[Ask]:
    """See the module."""
    with product.assistant() as assistant:

        def ask(user: str, question: str, gold: Sequence[str], paragraphs: Sequence[Paragraph]) -> Outcome:
            memory = assistant.memory.of(user)
            for number, paragraph in enumerate(paragraphs, 1):
                memory.add_document(f"{number}.md", paragraph.document.encode())
            while memory.embed_waiting(_EMBEDDED_AT_ONCE):
                pass
            began = time.monotonic()
            reply = product.answered(assistant, product.turn(question, user))
            middle = time.monotonic()
            steps = _one_call(assistant.model, question, reply.evidence)
            scores = {
                "accuracy_passages": right(reply, gold),
                "accuracy_one_call": says(steps.partition(_ANSWER)[2], gold),
                "declined_passages": float(reply.declined),
                "seconds_passages": middle - began,
                "seconds_one_call": time.monotonic() - middle,
            }
            if not is_yes_or_no(gold):
                scores["in_evidence"] = evidence_holds(reply, spellings(gold))
            texts = {"question": question, "gold": list(gold), "turn": told(reply), "one_call": steps}
            return Outcome(scores, reply.usage, texts)

        yield ask


def _one_call(model: LanguageModel, question: str, evidence: Sequence[Evidence]) -> str:
    shown = triples(fitting(evidence[: SMALL.evidence_pieces], SMALL.evidence_characters))
    messages = [Message("system", _STEPS), Message("user", f"{shown}\nQuestion: {question}")]
    return model.complete(messages, purpose="answer", max_tokens=_TOKENS)
