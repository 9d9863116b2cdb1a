"""Exports of conversations: what each kind becomes, and that nothing else is taken for one."""

import io
import json
import zipfile
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.documents import read_document
from memory.formats.chats.reading import read_chat_json, read_chat_text
from memory.formats.pieces import Piece


def shown(pieces: Any) -> list[str]:
    """Headings with their signs, and what was said."""
    assert pieces is not None
    return ["#" * piece.level + " " + piece.text if piece.level else piece.text for piece in pieces]


def from_json(value: object, name: str = "export.json") -> list[str]:
    """What an export gives, also where its numbers are read as texts."""
    again = json.loads(json.dumps(value), parse_int=str, parse_float=str)
    found = shown(read_chat_json(name, value))
    assert shown(read_chat_json(name, again)) == found
    return found


def from_text(text: str, name: str = "Garden.txt") -> list[str]:
    return shown(read_chat_text(name, text))


def node(name: str, parent: str | None, role: str, *parts: object, time: float | None = 1750000000.0, **more: object):
    content = {"content_type": "text", "parts": list(parts)}
    message = {"author": {"role": role}, "create_time": time, "content": content, **more}
    return {"id": name, "parent": parent, "children": [], "message": message}


def test_of_a_talk_with_an_assistant_the_branch_that_was_kept_is_read() -> None:
    nodes = [
        {"id": "root", "parent": None, "children": ["a"], "message": None},
        node("a", "root", "system", "You are helpful."),
        node("b", "a", "user", "My goat is called Fennel.", {"content_type": "image", "asset": "x"}),
        node("old", "b", "assistant", "An answer that was regenerated."),
        node("c", "b", "assistant", {"content_type": "audio_transcription", "text": "Hello"}, "to Fennel."),
        node("tool", "c", "tool", "found 3 pages"),
        node("call", "tool", "assistant", "search(goat)", recipient="web.search"),
        node("d", "call", "user", "She is three.", time=1750100000.0),
    ]
    talk = {"title": "Goats", "create_time": 1750000000.0, "mapping": {one["id"]: one for one in nodes}}
    assert from_json([talk | {"current_node": "d"}, {"title": "Empty", "mapping": {}}]) == [
        "# Goats",
        "## 2025-06-15",
        "### 15:06 UTC the user",
        "My goat is called Fennel.",
        "### 15:06 UTC the assistant",
        "Hello to Fennel.",
        "## 2025-06-16",
        "### 18:53 UTC the user",
        "She is three.",
    ]


def test_a_talk_whose_end_is_not_known_is_read_in_the_order_of_its_times() -> None:
    nodes = [
        node("c", "b", "user", "three", time=1750000200.0),
        node("a", "c", "user", "one", time=1750000000.0),
        node("b", "a", "assistant", "two", time=1750000100.0),
    ]
    talk = {"title": "", "mapping": {one["id"]: one for one in nodes}, "current_node": "gone"}
    said = [line for line in from_json([talk]) if not line.startswith("#")]
    assert said == ["one", "two", "three"]
    assert from_json(talk) == from_json([talk])


def test_lists_and_code_keep_their_lines_and_other_text_does_not() -> None:
    said = ["Pack:\n\n\n- wool\n- boots  \n", "first\nsecond\n\nthird", "```\nif a:\n    b()\n```"]
    nodes = {str(number): node(str(number), str(number - 1), "user", text) for number, text in enumerate(said)}
    pieces = from_json([{"title": "T", "mapping": nodes, "current_node": "2"}])
    assert pieces[3:] == [
        "Pack:\n\n- wool\n- boots",
        "first second third",
        "```\nif a:\n    b()\n```",
    ]


def test_the_other_assistants_export() -> None:
    messages = [
        {"sender": "human", "text": "I moved to Oban.", "created_at": "2025-06-12T18:04:31.123456Z"},
        {
            "sender": "assistant",
            "text": "placeholder",
            "content": [{"type": "tool_use", "text": "no"}, {"type": "text", "text": "A fine town."}],
            "created_at": "2025-06-12T18:05:31Z",
        },
        {"sender": "human", "text": "", "created_at": "never"},
    ]
    assert from_json(
        [{"uuid": "1", "name": "Moving", "chat_messages": messages}, {"name": "None", "chat_messages": []}]
    )[:6] == [
        "# Moving",
        "## 2025-06-12",
        "### 18:04 UTC the user",
        "I moved to Oban.",
        "### 18:05 UTC the assistant",
        "A fine town.",
    ]


def slack(ts: str, user: str, text: str, name: str = "", **more: object) -> dict[str, object]:
    profile = {"user_profile": {"real_name": name}} if name else {}
    return {"type": "message", "ts": ts, "user": user, "text": text, **profile, **more}


def test_a_day_of_a_channel() -> None:
    day = [
        slack(
            "1750000000.000100",
            "U1",
            "*Ferry* at <!here>, see <https://ferry.example|the plan> &amp; 2*3*4",
            "Ada Quill",
        ),
        slack("1750000060.000100", "U2", "<@U1> ok, <@U9>, <#C1|boats>", "Bo Reed"),
        slack("1750000120.000100", "U2", "answer", thread_ts="1750000000.000100"),
        slack("1750000180.000100", "U1", "alone", thread_ts="1740000000.000100"),
        slack("1750000240.000100", "U3", "<@U3> has joined", subtype="channel_join"),
        {
            "type": "message",
            "ts": "1750000300.000100",
            "bot_id": "B",
            "username": "Clock",
            "text": "",
            "attachments": [{"fallback": "Noon"}],
        },
        {"odd": "one"},
    ]
    assert from_json(day, "harbour/2025-06-15.json") == [
        "# harbour",
        "## 2025-06-15",
        "15:06 UTC Ada Quill: Ferry at @here, see the plan (https://ferry.example) & 2*3*4",
        "15:08 UTC Bo Reed (replying to Ada Quill): answer",
        "15:07 UTC Bo Reed: @Ada Quill ok, @U9, #boats",
        "15:09 UTC Ada Quill: alone",
        "15:10 UTC @U3 has joined",
        "15:11 UTC Clock: Noon",
        "odd: one",
    ]
    assert from_json(day, "2025-06-15.json")[0] == "# Slack"
    assert from_json(day, "boats.json")[0] == "# boats"


def test_telegram_of_one_chat_and_of_all() -> None:
    messages = [
        {"id": 1, "type": "service", "date": "2025-06-12T18:00:00", "action": "create_group", "text": ""},
        {"id": 2, "type": "message", "date": "2025-06-12T18:04:09", "from": "Ines", "text": "We meet"},
        {
            "id": 3,
            "type": "message",
            "date": "2025-06-12T18:05:00",
            "from": "Jon",
            "text": ["at ", {"type": "bold", "text": "seven"}, "!"],
            "forwarded_from": "Kim",
        },
        {"id": 4, "type": "message", "date": "2025-06-13T07:00:00", "from": None, "from_id": "user7", "text": "Late"},
        {"id": 5, "type": "message", "date": "2025-06-13T07:01:00", "from": "Jon", "text": "", "photo": "a.jpg"},
    ]
    chat = {"name": "Choir", "type": "private_group", "id": 9, "messages": messages}
    lines = [
        "# Choir",
        "## 2025-06-12",
        "18:04 Ines: We meet",
        "18:05 Jon (forwarded from Kim): at seven!",
        "## 2025-06-13",
        "07:00 user7: Late",
    ]
    assert from_json(chat) == lines
    assert (
        from_json({"about": "", "chats": {"about": "", "list": [chat, {"name": "x", "messages": []}, chat]}})
        == 2 * lines
    )


def test_a_discord_channel() -> None:
    author = {"id": "1", "name": "ada", "nickname": "ada", "isBot": False}
    export = {
        "guild": {"name": "Rowers"},
        "channel": {"name": "general"},
        "messages": [
            {
                "id": "1",
                "type": "Default",
                "timestamp": "2025-06-12T18:04:00.5+02:00",
                "content": "Hi",
                "author": author,
            },
            {
                "id": "2",
                "timestamp": "2025-06-12T16:05:00+00:00",
                "content": "Yo",
                "author": {"name": "bo", "nickname": "Bo"},
            },
        ],
    }
    assert from_json(export) == [
        "# general (Rowers)",
        "## 2025-06-12",
        "18:04 UTC+02:00 ada: Hi",
        "16:05 UTC bo (Bo): Yo",
    ]


def test_signals_own_export_line_by_line() -> None:
    frames = [
        {"version": "1", "backupTimeMs": "1750000000000"},
        {"account": {"givenName": "Me"}},
        {"recipient": {"id": "1", "self": {}}},
        {"recipient": {"id": "2", "contact": {"profileGivenName": "Ada", "profileFamilyName": "Quill"}}},
        {"recipient": {"id": "3", "group": {"snapshot": {"title": {"title": "Boats"}}}}},
        {"chat": {"id": "10", "recipientId": "2"}},
        {"chat": {"id": "11", "recipientId": "3"}},
        frame("10", "2", "1750000000000", "hello"),
        frame("11", "1", "1750000060000", "to all"),
        frame("10", "1", "1750000120000", "hi back"),
        {"chatItem": {"chatId": "10", "authorId": "2", "dateSent": "1750000130000", "updateMessage": {}}},
    ]
    text = "\n".join([*map(json.dumps, frames), "{broken", ""])
    assert from_text(text, "main.jsonl") == [
        "# Ada Quill",
        "## 2025-06-15",
        "15:06 UTC Ada Quill: hello",
        "15:08 UTC the user: hi back",
        "# Boats",
        "## 2025-06-15",
        "15:07 UTC the user: to all",
        "# main",
        "{broken",
    ]


def frame(chat: str, author: str, sent: str, body: str) -> dict[str, object]:
    message = {"text": {"body": body}}
    return {"chatItem": {"chatId": chat, "authorId": author, "dateSent": sent, "standardMessage": message}}


def test_what_tools_write_of_signals_chats() -> None:
    received = {"envelope": {"sourceName": "Ada", "timestamp": 1750000000000, "dataMessage": {"message": "hello"}}}
    sent = {"message": "hi", "destinationName": "Ada", "timestamp": 1750000060000}
    lines = ["## 2025-06-15", "15:06 UTC Ada: hello", "15:07 UTC the user: hi"]
    assert from_json([received, {"params": {"envelope": {"syncMessage": {"sentMessage": sent}}}}]) == ["# Ada", *lines]
    rows = [
        {"conversationId": "c", "type": "incoming", "source": "+4477", "sent_at": 1750000000000, "body": "hello"},
        {"conversationId": "c", "type": "outgoing", "sent_at": 1750000060000, "body": "hi"},
    ]
    known = {"messages": rows, "conversations": [{"id": "c", "name": "Ada"}]}
    assert from_json(known) == ["# Ada", *lines]
    assert from_json(rows) == ["# c", lines[0], "15:06 UTC +4477: hello", lines[2]]
    exported = [{"date": "2025-06-15T15:06:00", "sender": "Ada", "body": "hello", "quote": "", "reactions": []}]
    assert from_text(json.dumps(exported[0]), "data.json") == ["# data", lines[0], "15:06 Ada: hello"]
    detailed = (
        "Conversation: Ada (+4477)\n\nFrom: Ada (+4477)\nType: incoming\nSent: Sun, 15 Jun 2025 15:06:00 +0200\n"
        "Received: Sun, 15 Jun 2025 15:06:02 +0200\nAttachment: a.jpg (image/jpeg, 5 bytes)\n\nhello\nthere\n\n"
        "From: You\nType: outgoing\nSent: Sun, 15 Jun 2025 15:07:00 +0200\n\nhi\n\n"
    )
    assert from_text(detailed) == [
        "# Ada (+4477)",
        lines[0],
        "15:06 UTC+02:00 Ada (+4477): hello there",
        "15:07 UTC+02:00 You: hi",
    ]
    short = "[2025-06-15, 15:06] Ada: hello\n\n[2025-06-15 15:07:01] You: hi"
    assert from_text(short)[1:] == [lines[0], "15:06 Ada: hello", "15:07 You: hi"]
    plain = "2025-06-15 15:06 Ada: hello\n2025-06-15 15:07:01 You: hi\n"
    assert from_text(2 * plain)[1:] == [lines[0], *2 * ["15:06 Ada: hello", "15:07 You: hi"]]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("14/06/2025, 18:04 - Noor: hello", "14/06/2025, 18:05 - Bo: yes"),
        ("14/06/25 18:04 - Noor: hello", "14/06/25 18:05 - Bo: yes"),
        ("14.06.25, 18:04 - Noor: hello", "14.06.25, 18:05 - Bo: yes"),
        ("[14.06.25, 18:04:11] Noor: hello", "\u200e[14.06.25, 18:05:11] Bo: yes"),
        ("14-06-2025 18:04 - Noor: hello", "14-06-2025 18:05 - Bo: yes"),
        ("2025-06-14 18:04 - Noor: hello", "2025-06-14 18:05 - Bo: yes"),
        ("2025/06/14, 18:04 - Noor: hello", "2025/06/14, 18:05 - Bo: yes"),
        ("2025. 06. 14. 18:04 - Noor: hello", "2025. 06. 14. 18:05 - Bo: yes"),
        ("14.6.2025 klo 18.04 - Noor: hello", "14.6.2025 klo 18.05 - Bo: yes"),
        ("14/06/2025 à 18:04 - Noor : hello", "14/06/2025 à 18:05 - Bo : yes"),
        ("14.06.25 г., 18:04 ч. - Noor: hello", "14.06.25 г., 18:05 ч. - Bo: yes"),
        ("2025-06-14 18 h 04 - Noor: hello", "2025-06-14 18 h 05 - Bo: yes"),
        ("[6/14/25, 6:04:11\u202fPM] Noor: hello", "[6/14/25, 6:05:11\u202fPM] Bo: yes"),
        ("14/6/2025, 6:04 p.\u00a0m. - Noor: hello", "14/6/2025, 6:05 p.\u00a0m. - Bo: yes"),
        ("14/6/25, 6:04 pm - Noor: hello", "14/6/25, 6:05 pm - Bo: yes"),
        ("١٤/٦/٢٠٢٥، ١٨:٠٤ - Noor: hello", "١٤/٦/٢٠٢٥، ١٨:٠٥ - Bo: yes"),
        ("\u200f14\u200f/6\u200f/2025، 18:04 - Noor: hello", "\u200f14\u200f/6\u200f/2025، 18:05 - Bo: yes"),
        ("14/6/2568 18:04 - Noor: hello", "14/6/2568 18:05 - Bo: yes"),
    ],
)
def test_a_text_export_of_any_telephone(first: str, second: str) -> None:
    assert from_text(f"{first}\n{second}\n") == ["# Garden", "## 2025-06-14", "18:04 Noor: hello", "18:05 Bo: yes"]


@pytest.mark.parametrize(
    ("first", "second", "times"),
    [
        ("[2025/6/14 上午9:04:11] 小明: 你好", "[2025/6/14 下午6:05:11] 小红: 好", ["9:04 上午", "6:05 下午"]),
        ("2025년 6월 14일 오전 9:04, 민수 : 안녕", "2025년 6월 14일 오후 6:05, 영희 : 네", ["9:04 오전", "6:05 오후"]),
        ("14/6/2025، 9:04 ص - نور: مرحبا", "14/6/2025، 6:05 م - علي: اهلا", ["9:04 ص", "6:05 م"]),
    ],
)
def test_half_days_that_no_rule_tells_stay_as_they_are_written(first: str, second: str, times: list[str]) -> None:
    lines = from_text(f"{first}\n{second}")
    assert lines[1] == "## 2025-06-14"
    assert [line.startswith(f"{time} ") for line, time in zip(lines[2:], times, strict=True)] == [True, True]


@pytest.mark.parametrize(
    ("dates", "days"),
    [
        (["01/02/25", "03/02/25", "14/02/25"], ["2025-02-01", "2025-02-03", "2025-02-14"]),
        (["01/02/25", "01/03/25", "01/14/25"], ["2025-01-02", "2025-01-03", "2025-01-14"]),
        (["05/02/25", "01/03/25"], ["2025-02-05", "2025-03-01"]),  # the other order would go backwards
        (["02/05/25", "03/01/25"], ["2025-02-05", "2025-03-01"]),
        (["01/02/25", "02/03/25"], ["2025-02-01", "2025-03-02"]),  # day first, where nothing tells
    ],
)
def test_whether_the_day_or_the_month_comes_first_is_told_by_the_whole_file(dates: list[str], days: list[str]) -> None:
    lines = from_text("\n".join(f"{date}, 18:04 - Noor: hello" for date in dates))
    assert [line.removeprefix("## ") for line in lines if line.startswith("## ")] == days


def test_where_nothing_else_tells_the_american_clock_has_the_month_first() -> None:
    american = "[1/2/25, 9:04:11 AM] Noor: a\n[1/3/25, 9:05:11 PM] Noor: b"
    assert from_text(american)[1:] == ["## 2025-01-02", "09:04 Noor: a", "## 2025-01-03", "21:05 Noor: b"]
    assert from_text(american.replace("AM", "am").replace("PM", "pm"))[1] == "## 2025-02-01"


def test_messages_go_on_over_lines_and_what_the_app_says_has_no_speaker() -> None:
    text = (
        "14/06/2025, 18:02 - Noor added Bo\n14/06/2025, 18:04 - Noor: bring\n- tea\n\n- a cup\n"
        "14/06/2025, 18:05 - Bo: one\nand two: three\n14/06/2025, 18:06 - Bo: <Medien ausgeschlossen>\n"
        "14/06/2025, 18:07 - Bo: 3 < 4 \u2068@Noor\u2069\n14/06/2025, 18:08 - Bo:\n"
    )
    assert from_text(text, "WhatsApp-Chat mit Bo.txt") == [
        "# WhatsApp-Chat mit Bo",
        "## 2025-06-14",
        "18:02 Noor added Bo",
        "18:04 Noor: bring\n- tea\n\n- a cup",
        "18:05 Bo: one and two: three",
        "18:07 Bo: 3 < 4 @Noor",
    ]


def test_what_stands_for_pictures_on_other_telephones_is_told_by_its_repetition() -> None:
    lines = [f"[14.06.25, 18:0{n}:11] {who}: \u200eBild weggelassen" for n, who in enumerate(["Noor", "Bo"])]
    lines += ["[14.06.25, 18:04:30] Bo: \u200e<Anhang: 1.jpg>", "[14.06.25, 18:04:31] Bo: look \u200e<bearbeitet>"]
    lines += ["[14.06.25, 18:05:11] Noor: \u200eNoor left", "[14.06.25, 18:06:11] Bo: Bild weggelassen"]
    assert from_text("\n".join(lines), "_chat.txt") == [
        "# chat",
        "## 2025-06-14",
        "18:04 Bo: look",
        "18:05 Noor: Noor left",
        "18:06 Bo: Bild weggelassen",
    ]


def test_a_chat_of_long_messages_is_told_by_its_name() -> None:
    text = "".join(f"14/06/2025, 18:0{n} - Noor: a poem\n" + "a line of it\n" * 9 for n in range(3))
    assert len(from_text(text, "WhatsApp Chat with Noor.txt")) == 5
    assert read_chat_text("poems.txt", text) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "12/06/2025, 18:04 - something",
        "12/06/2025, 18:04 - Noor: one message only",
        "A note.\n12/06/2025, 18:04 - Noor: hi\n12/06/2025, 18:05 - Bo: hi\n12/06/2025, 18:06 - Bo: hi",
        "12/06/2025, 18:04 - Noor: hi\n12/06/2025, 18:05 - Bo: hi\n" + "And then a long tale.\n" * 9,
        "12/06/2025 bought milk\n13/06/2025 bought eggs: six",
        "10:00 Ada: hi\n10:01 Bo: hi",
        '{"a": 1}\n{"b": 2}',
        "{not json",
        "Conversation: about bees\n\nFrom: the hive",
        "1.2.3 - a: b\n1.2.4 - a: c",
        "2024-01-05 10:00 Dentist: a card\n2024-01-06 11:00 Work: <remote>\nmore\n2024-01-07 12:00:33 Gym: 5 km",
        "".join(f"2024-01-0{n} 10:00 Place {n}: nice\n" for n in range(1, 9)),
        "12/06/2025, 18:04 - Noor: <left out>\n12/06/2025, 18:05 - Bo: <left out>",
    ],
)
def test_other_text_is_no_chat(text: str) -> None:
    assert read_chat_text("note.txt", text) is None


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {},
        [1, "a", None],
        [{"name": "Ada", "text": "hi", "date": "2025-06-12"}],
        {"messages": []},
        {"messages": [{"text": "hi", "date": "2025-06-12T18:04:00", "author": "Ada"}]},
        {"messages": [{"role": "user", "content": "hi", "timestamp": "2025-06-12T18:04:00"}]},
        [{"ts": "1750000000.1", "text": "a log line", "type": "event"}],
        [{"mapping": {"a": "b"}}, {"mapping": {}}],
        {"chats": {"list": [{"messages": [1, 2]}]}},
        [{"sender": "Ada", "body": "hi", "date": "2025-06-12"}],
        {"chatItem": {"chatId": "1"}},
        [{"conversationId": "c1", "timestamp": "2024-01-01T10:00", "message": "My router broke"}],
        [{"envelope": {"size": "C5", "price": 3}}],
        {"chat_messages": [], "notes": "important"},
        {"title": "field map", "mapping": {"a": {"message": "hello", "parent": "b"}}},
        {"messages": [{"chat": {"id": 1}, "chatItem": {"a": "b"}, "text": "lost"}]},
        [{"type": "message", "ts": "1750000000.1", "text": ""}],
    ],
)
def test_other_json_is_no_chat(value: object) -> None:
    assert read_chat_json("a.json", value) is None


def test_what_is_no_message_among_messages_is_told() -> None:
    note = {"note": "lost", "by": ["Ada", {"age": 3}], "none": None}
    told = "note: lost; by: Ada; by age: 3"
    day = [slack("1750000000.1", "U1", "a"), note, slack("1750000001.1", "U1", "b")]
    assert from_json(day)[2:] == ["15:06 UTC U1: a", told, "15:06 UTC U1: b"]
    claude = {"name": "T", "chat_messages": [{"sender": "human", "text": "hi"}, note]}
    assert from_json([claude, claude, note]) == 2 * ["# T", "### the user", "hi", "### T", told] + ["# export", told]
    talk = {"title": "T", "mapping": {"a": node("a", None, "user", "hi")}}
    assert from_json([talk, talk, note])[-2:] == ["# export", told]
    telegram = {"type": "message", "date": "2025-06-12T18:00:00", "text": "hi"}
    assert from_json({"messages": [telegram, telegram, note]})[-1] == told
    discord = {"author": {"name": "ada"}, "content": "hi", "timestamp": "2025-06-12T18:00:00"}
    assert from_json({"messages": [discord, discord, note]})[-1] == told
    row = {"conversationId": "c", "type": "incoming", "sent_at": 1750000000000, "body": "hello"}
    line = {"date": "2025-06-15T15:06:00", "sender": "Ada", "body": "hello", "quote": ""}
    envelope = {"envelope": {"source": "Ada", "dataMessage": {"message": "hello"}}}
    for one in (row, line, envelope, frame("10", "2", "1750000000000", "hello")):
        assert from_json([one, one, note])[-1] == told


def test_a_channel_in_an_archive_is_named_by_its_folder() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("harbour/2025-06-15.json", json.dumps([slack("1750000000.1", "U1", "hi")]))
    text = read_document("slack.zip", out.getvalue())[0]
    assert text.split("\n\n") == ["harbour/2025-06-15.json", "harbour", "2025-06-15", "15:06 UTC U1: hi"]


KEYS = [
    *("mapping", "message", "parent", "author", "role", "content", "parts", "create_time", "current_node", "title"),
    *("chat_messages", "sender", "text", "name", "type", "created_at", "ts", "user", "thread_ts", "messages", "date"),
    *("from", "timestamp", "envelope", "dataMessage", "conversationId", "sent_at", "body", "chatItem", "chatId"),
    *(
        "authorId",
        "dateSent",
        "standardMessage",
        "recipient",
        "id",
        "chat",
        "recipientId",
        "chats",
        "list",
        "reactions",
    ),
]
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(
        ["message", "user", "2025-06-12T18:04:00", "1750000000.0001", "9" * 60, "0001-01-01T00:00:00+23:59"]
    ),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=25,
)


@given(VALUES)
def test_any_json_is_read_or_is_no_chat(value: object) -> None:
    assert all(isinstance(piece, Piece) for piece in read_chat_json("a.json", value) or ())


SAID = {"type": "message", "ts": "1750000000.0001", "text": "hi", "date": "2025-06-12T18:04:00"}
SAID |= {
    "sender": "human",
    "timestamp": "2025-06-12T18:04:00",
    "content": "hi",
    "author": {"name": "Ada", "role": "user"},
}
SAID |= {
    "conversationId": "c",
    "sent_at": 1750000000000,
    "chatItem": {"dateSent": "1750000000000"},
    "body": "x",
    "reactions": [],
}


@given(st.lists(st.tuples(st.sampled_from([*SAID, "user", "thread_ts", "subtype", "message"]), VALUES), max_size=6))
def test_single_messages_that_are_broken_cost_no_others(changes: list[tuple[str, object]]) -> None:
    for value in ([SAID] * 9, {"messages": [SAID] * 9}, [{"name": "x", "chat_messages": [SAID] * 9}]):
        whole = json.loads(json.dumps(value))
        messages = whole["messages"] if isinstance(whole, dict) else whole[0].get("chat_messages", whole)
        broken = [{**SAID, key: change} for key, change in changes[:4]]
        messages[3:3] = [*broken, None, 5]
        assert shown(read_chat_json("a.json", whole)).count(shown(read_chat_json("a.json", value))[-1]) >= 9


@given(st.text())
def test_any_text_is_read_or_is_no_chat(text: str) -> None:
    list(read_chat_text("WhatsApp.txt", text) or ())
    list(read_chat_text("_chat.txt", f"1/2/25, 18:04 - A: b\n{text}\n1/2/25, 18:04 - A: c") or ())


@given(st.text("0123456789/.-:, []\u200e\u200fAPMapm\nNB日年<>x", max_size=120))
def test_any_text_that_is_nearly_a_chat_is_read(text: str) -> None:
    list(read_chat_text("WhatsApp.txt", text) or ())


LINE = st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters="<>#`|*-+•▪◦●"), min_size=1, max_size=9)


@given(st.lists(st.tuples(st.sampled_from(["Noor", "Bo Reed"]), st.lists(LINE, min_size=1, max_size=4)), min_size=2))
def test_all_that_was_said_comes_back_in_its_order(messages: list[tuple[str, list[str]]]) -> None:
    text = "\n".join(
        f"14/06/2025, {n // 60 % 24:02}:{n % 60:02} - {who}: {' '.join(words)}"
        for n, (who, words) in enumerate(messages)
    )
    told = [f"{n // 60 % 24:02}:{n % 60:02} {who}: {' '.join(words)}" for n, (who, words) in enumerate(messages)]
    assert from_text(text)[2:] == told
    day = [slack(f"{1750000000 + n}.0", who, " ".join(words)) for n, (who, words) in enumerate(messages)]
    said = [line.partition(": ")[2] for line in from_json(day) if not line.startswith("#")]
    unescaped = [
        " ".join(words).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") for _, words in messages
    ]
    assert said == unescaped


@pytest.mark.parametrize(
    "line",
    ["1/1/25" + " " * 300_000, "1/1/25, 1:01 - " + "a" * 300_000, "1/1/25, 1:01 - A: <" + "a" * 300_000, "[" * 300_000],
)
def test_endless_lines_take_no_square_of_their_length(line: str) -> None:
    list(read_chat_text("WhatsApp.txt", f"1/1/25, 1:01 - A: b\n{line}\n1/1/25, 1:01 - A: c") or ())
    spoken = [slack("1750000000.1", "U1", mark * 100_000) for mark in ("*a ", "<@", "_a", "*", "- a\n", " \n")]
    list(read_chat_json("a.json", spoken) or ())
