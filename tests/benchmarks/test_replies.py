"""A reply is asked for once, and counts as often as it is used."""

from dataclasses import replace
from pathlib import Path

import pytest

from assistant.llm.client import Request
from assistant.llm.scripted import ScriptedTransport
from assistant.types import Message
from tests.benchmarks.replies import KeptReplies

REQUEST = Request((Message("user", "1 Ada likes tea."),), "extract")


def said(replies: KeptReplies, request: Request) -> str:
    return "".join(chunk.text for chunk in replies.send(request, lambda: False))


def test_what_was_asked_is_not_asked_again(tmp_path: Path) -> None:
    file = tmp_path / "kept.jsonl"
    transport = ScriptedTransport(["Ada|likes|tea", "another", "answer", "answer again"])
    replies = KeptReplies(transport, file, {"extract"})
    account = replies.account()
    assert said(replies, REQUEST) == "Ada|likes|tea"
    assert account.all_new
    with file.open("a") as kept:
        kept.write('{"request": "cut off')
    again = KeptReplies(transport, file, {"extract"})
    later = again.account()
    assert said(again, REQUEST) == "Ada|likes|tea"
    assert (later.all_new, later.usage, later.seconds_asking) == (False, account.usage, 0)
    assert later.seconds_saved == pytest.approx(account.seconds_asking)
    assert said(again, replace(REQUEST, schema={"type": "object"})) == "another"
    assert later.texts == ["Ada|likes|tea", "another"]
    answer = replace(REQUEST, purpose="answer")
    assert [said(again, answer), said(again, answer)] == ["answer", "answer again"]
    assert len(file.read_text().splitlines()) == 2
