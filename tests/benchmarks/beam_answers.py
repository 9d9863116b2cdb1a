"""BEAM's questions that a string can judge, answered by the product and by the same model with other texts or none.

Each conversation is uploaded as an assistant's export by a user of its own, and nothing is read out of it. `accuracy`
is that of a turn; `accuracy_bm25` that of the model which is shown the passages that BM25 ranks first, as many
characters as a turn reads; `accuracy_no_memory` that of the model alone. An answer is right where it holds the first
thing that the rubric asks for; of what the conversation does not tell, where it is declined.
"""

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from assistant.llm.client import LanguageModel
from assistant.policy import SMALL
from assistant.types import Message
from tests.benchmarks import messages, product
from tests.benchmarks.judging import holds_any
from tests.benchmarks.paragraphs import KeptEmbedder
from tests.benchmarks.rows import Outcome

WAYS = ("accuracy", "accuracy_bm25", "accuracy_no_memory")
ABILITIES = ("information_extraction", "knowledge_update", "temporal_reasoning", "abstention")
_ABSTENTION = "abstention"
_ASKS_FOR = "LLM response should state: "
_LONGEST = 5  # words that a string can judge
_UNKNOWN = "UNKNOWN"
_FROM_TEXTS = (
    "Answer the user's question in one or two sentences, from these passages of earlier conversations and nothing "
    "else. If they do not tell, reply with the one word UNKNOWN.\n\n{texts}"
)
_ALONE = "Answer the user's question in one or two sentences. If you do not know it, reply with the one word UNKNOWN."
_TOKENS = 200

Ask = Callable[[Mapping[str, Any]], Outcome]


def wanted(line: Mapping[str, Any]) -> str | None:
    """What a right answer to a question has to hold, nothing where it has to be declined; None where no string can
    judge it, or where BEAM's answer and its rubric do not say the same."""
    if line["kind"] not in ABILITIES:
        return None
    if line["kind"] == _ABSTENTION:
        return ""
    first = line["rubric"][0].removeprefix(_ASKS_FOR).strip()
    return first if len(first.split()) <= _LONGEST and holds_any(line["answer"], [first]) else None


@contextlib.contextmanager
def answering(conversations: Mapping[int, Sequence[messages.Message]]) -> Iterator[Ask]:
    """See the module; a conversation is brought with its first question."""
    embedder, brought = KeptEmbedder(), dict[int, messages.Searches]()
    with product.assistant() as assistant:

        def ask(line: Mapping[str, Any]) -> Outcome:
            number, question = line["conversation"], line["question"]
            user = f"user {number}"
            if number not in brought:
                brought[number] = messages.Searches([conversations[number]], assistant.memory.of(user), embedder)
            reply = product.answered(assistant, product.turn(question, user))
            texts, room = list[str](), SMALL.evidence_characters
            for text in brought[number].by_bm25(question):
                texts.append(text[:room])
                room -= len(texts[-1])
                if room <= 0:
                    break
            by_bm25 = _reply(assistant.model, _FROM_TEXTS.format(texts="\n\n".join(texts)), question)
            alone = _reply(assistant.model, _ALONE, question)
            value = wanted(line)
            assert value is not None
            scores = {
                "accuracy": _is_right(reply.answer, value, declined=reply.declined),
                "accuracy_bm25": _is_right(by_bm25, value, declined=_UNKNOWN in by_bm25),
                "accuracy_no_memory": _is_right(alone, value, declined=_UNKNOWN in alone),
            }
            scores |= {f"{way}_{line['kind']}": score for way, score in scores.items()}
            told = {"question": question, "wanted": value, "answer": reply.answer, "bm25": by_bm25, "alone": alone}
            return Outcome(scores, reply.usage, told | {"evidence": [item.text for item in reply.evidence]})

        yield ask


def _is_right(text: str, value: str, *, declined: bool) -> float:
    return float(not declined and holds_any(text, [value])) if value else float(declined)


def _reply(model: LanguageModel, system: str, question: str) -> str:
    asked = [Message("system", system), Message("user", question)]
    return model.complete(asked, purpose="answer", max_tokens=_TOKENS)
