"""The ways of searching a conversation, and their score."""

from datetime import date

from memory.store import Memory
from tests.benchmarks.messages import WAYS, Message, Searches
from tests.memory.samples import WordEmbedder

_DAY = date(2024, 3, 15)


def _conversation() -> list[Message]:
    asked = [Message(True, _DAY, f"Tell me of the number {n}.") for n in range(30)]
    told = [
        Message(False, _DAY, f"It is {n}:\n\n- one more than {n - 1}\n\n\n- one less  than {n + 1}") for n in range(30)
    ]
    return [message for both in zip(asked, told, strict=True) for message in both]


def test_each_way_is_scored_by_the_messages_that_its_passages_hold(memory: Memory) -> None:
    lines = "\n".join(
        f"- Loaf {n} of rye bread rises for {n} hours before it is baked, as rye is slow." for n in range(60)
    )
    said = [
        *_conversation(),
        Message(True, _DAY, "How long does rye bread rise?"),
        Message(False, _DAY, f"Rye bread rises so long:\n\n{lines}"),
    ]
    searches = Searches([said], memory.of("reader"), WordEmbedder())
    found = searches.recall_at_10("For how many hours does rye bread rise?", [60, 61])
    assert found == dict.fromkeys(WAYS, 1.0)
    assert all(len(places) == 10 for places in searches.found("rye bread rises").values())
    assert searches.recall_at_10("rye bread", [61, 0])["recall_at_10_bm25"] == 0.5
