"""A search turn while no public knowledge base can be reached."""

import socket
from datetime import datetime

import pytest

from assistant.knowledge_bases.web import connecting
from assistant.types import Answered, Failed, Turn

LAKE = "find_entity_or_value(['Lake Brenholm'], ['depth'])"


@pytest.fixture
def looked_up(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The hosts that were looked up, all in vain."""
    hosts: list[str] = []

    def resolve(host: str, port: int, seconds: float) -> list[str]:
        hosts.append(host)
        raise socket.gaierror(socket.EAI_NONAME, f"{host}:{port} has no address within {seconds} s")

    monkeypatch.setattr(connecting, "resolve", resolve)
    return hosts


@pytest.mark.parametrize(
    ("question", "hosts"),
    [
        ("How deep is Lake Brenholm?", {"en.wikipedia.org", "www.wikidata.org"}),
        ("¿Cuál es la profundidad del lago Brenholm?", {"es.wikipedia.org", "www.wikidata.org"}),
    ],
)
def test_each_host_is_tried_once_and_then_left_alone_while_others_answer(
    composed, looked_up: list[str], question: str, hosts: set[str]
) -> None:
    assistant = composed(
        {"understand": ["en ask"] * 2, "program": [LAKE] * 6, "answer": ["UNKNOWN"] * 2}, LOREKEEPER_PUBLIC="on"
    )
    for number in range(2):
        *events, answered = assistant.reply(Turn(question, "me", f"s{number}", datetime(2026, 1, 5, 12)))
        assert isinstance(answered, Answered)
        assert set(answered.unreachable) == {"wikipedia", "wikidata"}
        assert answered.declined
        assert all(name in answered.answer for name in ("Wikipedia", "Wikidata"))
        told = [event.message for event in events if isinstance(event, Failed)]
        assert any("wikipedia" in message for message in told)
        assert any("wikidata" in message for message in told)
        assert len(looked_up) == len(set(looked_up)) == 2
        assert set(looked_up) == hosts


def test_a_chinese_question_turns_to_the_others_once_cn_dbpedia_is_down(composed, looked_up: list[str]) -> None:
    assistant = composed(
        {"understand": ["en ask"] * 2, "program": [LAKE] * 6, "answer": ["UNKNOWN"] * 2}, LOREKEEPER_PUBLIC="on"
    )
    for number in range(2):
        list(assistant.reply(Turn("临江湖有多深？", "me", f"s{number}", datetime(2026, 1, 5, 12))))
    assert looked_up[0] == "shuyantech.com"
    assert set(looked_up[1:]) == {"zh.wikipedia.org", "www.wikidata.org"}
    assert len(looked_up) == 3
