"""A reply is asked for once, and counts as often as it is used."""

from dataclasses import replace
from pathlib import Path

from assistant.llm.client import Request
from assistant.llm.scripted import ScriptedTransport
from assistant.types import Message
from tests.benchmarks.kept_replies import KeptReplies

REQUEST = Request((Message("user", "1 Ada likes tea."),), "extract")


def said(replies: KeptReplies, request: Request) -> str:
    return "".join(chunk.text for chunk in replies.send(request, lambda: False))


def test_what_was_read_is_not_read_again(tmp_path: Path) -> None:
    file = tmp_path / "kept.jsonl"
    transport = ScriptedTransport(["Ada|likes|tea", "another", "answer", "answer again"])
    replies = KeptReplies(transport, file)
    assert said(replies, REQUEST) == "Ada|likes|tea"
    cost = replies.taken_usage()
    assert cost.completion_tokens == 1
    with file.open("a") as kept:
        kept.write('{"key": "cut off')
    again = KeptReplies(transport, file)
    assert said(again, REQUEST) == "Ada|likes|tea"
    assert (again.asked, again.taken_usage()) == (0, cost)
    assert said(again, replace(REQUEST, schema={"type": "object"})) == "another"
    answer = replace(REQUEST, purpose="answer")
    assert [said(again, answer), said(again, answer)] == ["answer", "answer again"]
