"""Whether a message is about what was spoken of."""

from datetime import UTC, datetime

import pytest

from assistant.memory_requests.meaning import shares_words
from memory.types import Fact, FactKind, Span


@pytest.mark.parametrize(
    ("spoken_of", "message", "shared"),
    [
        (("I live in Oslo.", "lives in", "Oslo"), "No, I live in Rome.", True),
        (("I live in Oslo.", "lives in", "Oslo"), "I work at Acme, not at Bosch.", False),
        (("I'm at Acme.", "works at", "Acme"), "Actually, I'm 34 years old.", False),
        (("My employer is Acme.", "works at", "Acme"), "Actually, my phone number is 555-1234.", False),
        (("我住在柏林。", "住在", "柏林"), "不对，我住在罗马。", True),
        (("我有一只猫。", "宠物", "猫"), "不对，我有两个孩子。", False),
    ],
)
def test_that_both_speak_of_the_user_is_nothing_shared(
    spoken_of: tuple[str, str, str], message: str, shared: bool
) -> None:
    text, relation, object_ = spoken_of
    span, learned = Span(0, len(text)), datetime(2026, 1, 5, tzinfo=UTC)
    fact = Fact(
        "f1", FactKind.TRIPLE, "e1", "the user", relation, object_, None, text, "s1", "chat", span, learned, None, None
    )
    assert shares_words(message, fact) is shared
