"""The one way out, against a real server that misbehaves on purpose."""

import socket
import sqlite3
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from assistant.errors import KnowledgeBaseAway, KnowledgeBaseUnreachable, SettingsError
from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.web import connecting, exchange
from assistant.knowledge_bases.web import host as pacing
from assistant.knowledge_bases.web.connecting import is_public
from assistant.knowledge_bases.web.host import Host
from assistant.knowledge_bases.web.http import Http
from assistant.knowledge_bases.web.outbound import OutboundLog
from assistant.knowledge_bases.web.response_cache import MAX_AGE_SECONDS, ResponseCache
from tests.assistant.knowledge_bases.loopback import LoopbackServer, Reply


@pytest.fixture
def closed_port() -> Iterator[int]:
    """A port of loopback that refuses connections: taken, and not listened at."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


def anything(reply: object) -> object:
    return reply


def ask(http: Http, server: LoopbackServer, seconds: float = 20, **params: str) -> object:
    http.allow(server.host, private=True)
    return http.get_json(server.url, params, Deadline.after(seconds), "somewhere", anything)


def failure(http: Http, server: LoopbackServer, seconds: float = 20, **params: str) -> str:
    with pytest.raises(KnowledgeBaseUnreachable) as caught:
        ask(http, server, seconds, **params)
    assert caught.value.name == "somewhere"
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_an_answer_comes_with_its_value_and_says_who_asks(http: Http, server: LoopbackServer) -> None:
    server.replies(Reply({"found": ["é", "中"]}))
    assert ask(http, server, q="a b&c") == {"found": ["é", "中"]}
    assert server.asked == [{"q": "a b&c"}]
    assert server.headers[0]["User-Agent"].startswith("Lorekeeper/")
    assert server.headers[0]["User-Agent"].endswith("(operator@example.org)")


def test_without_a_contact_the_user_agent_names_none(tmp_path: Path, server: LoopbackServer) -> None:
    http = Http("", tmp_path)
    ask(http, server)
    http.close()
    assert "(" not in server.headers[0]["User-Agent"]


def test_a_contact_that_cannot_be_sent_is_the_operators_mistake(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="LOREKEEPER_CONTACT"):
        Http("a@b.c\r\nX-Evil: 1", tmp_path)


def test_the_same_question_is_asked_once_also_after_a_restart(tmp_path: Path, server: LoopbackServer) -> None:
    for _ in range(2):
        http = Http("me@example.org", tmp_path)
        assert [ask(http, server, q="x"), ask(http, server, q="x")] == [{}, {}]
        http.close()
    assert len(server.asked) == 1


def test_a_reply_that_cannot_be_read_is_not_kept(http: Http, server: LoopbackServer) -> None:
    http.allow(server.host, private=True)
    server.replies(Reply({"error": "read-only"}), Reply({"value": 1}))

    def reader(reply: dict[str, int]) -> int:
        if "value" not in reply:
            raise KnowledgeBaseUnreachable("somewhere", "It has no value.")
        return reply["value"]

    def question() -> int:
        return http.get_json(server.url, {}, Deadline.after(20), "somewhere", reader)

    with pytest.raises(KnowledgeBaseUnreachable, match="no value"):
        question()
    assert [question(), question()] == [1, 1]
    assert len(server.asked) == 2


@pytest.mark.parametrize("when", ["0", "date"])
def test_busy_is_asked_again_when_the_host_wants_it(http: Http, server: LoopbackServer, when: str) -> None:
    retry_after = format_datetime(datetime.now(UTC) - timedelta(seconds=1)) if when == "date" else when
    server.replies(Reply(status=429, headers={"Retry-After": retry_after}), Reply({"value": 1}))
    assert ask(http, server) == {"value": 1}
    assert len(server.asked) == 2


@pytest.mark.parametrize("seconds", ["3600", "9" * 15, "9" * 400])
def test_busy_for_longer_than_the_deadline_is_never_nothing_found(
    http: Http, server: LoopbackServer, seconds: str
) -> None:
    server.replies(Reply(status=429, headers={"Retry-After": seconds}))
    assert "status 429" in failure(http, server)
    assert "left alone until" in failure(http, server, q="another")
    assert len(server.asked) == 1


def test_a_broken_server_is_asked_three_times_and_then_left_alone(http: Http, server: LoopbackServer) -> None:
    server.replies(Reply(status=503))
    assert "status 503" in failure(http, server)
    assert len(server.asked) == 3
    assert "left alone until" in failure(http, server, q="another")
    assert len(server.asked) == 3


def test_a_server_that_recovers_at_once_is_forgiven(http: Http, server: LoopbackServer) -> None:
    server.replies(Reply(status=500), Reply({"value": 1}))
    assert ask(http, server) == {"value": 1}


def test_a_slow_server_is_given_up_at_the_deadline_and_left_alone(http: Http, server: LoopbackServer) -> None:
    server.replies(Reply(stall=True))
    assert "no answer in time" in failure(http, server, seconds=1.1)
    assert "left alone until" in failure(http, server, q="another")


def test_an_answer_that_drips_is_given_up_at_the_deadline(http: Http, server: LoopbackServer) -> None:
    server.replies(Reply({"value": "long" * 50}, drip=True))
    assert "no answer in time" in failure(http, server, seconds=1.1)


@pytest.mark.parametrize("private", [True, False])
def test_an_answer_that_never_begins_is_given_up_at_the_deadline(
    http: Http, server: LoopbackServer, monkeypatch: pytest.MonkeyPatch, private: bool
) -> None:
    monkeypatch.setattr(connecting, "is_public", lambda address: True)
    http.allow(server.host, plain=True, private=private)
    server.replies(Reply(drip_head=True))
    with pytest.raises(KnowledgeBaseUnreachable, match="no answer in time"):
        http.get_json(server.url, {}, Deadline.after(1.1), "somewhere", anything)


def test_a_date_of_no_calendar_is_no_time_to_wait(http: Http, server: LoopbackServer) -> None:
    never = {"Retry-After": f"Mon, 01 Jan {'9' * 20} 00:00:00 GMT"}
    server.replies(Reply(status=503, headers=never), Reply({"value": 1}))
    assert ask(http, server) == {"value": 1}


def test_a_host_that_had_no_time_is_not_blamed(http: Http, server: LoopbackServer) -> None:
    server.replies(Reply(stall=True), Reply({"value": 1}))
    assert "no time left" in failure(http, server, seconds=0.2)
    assert ask(http, server, q="another") == {"value": 1}


def test_truncated_json_is_a_failure_and_is_not_kept(http: Http, server: LoopbackServer) -> None:
    server.replies(Reply(b'{"search": [{"id": "Q1"'), Reply({"search": []}))
    assert "not valid JSON" in failure(http, server)
    assert ask(http, server) == {"search": []}


def test_an_answer_cut_off_half_way_is_asked_for_again(http: Http, server: LoopbackServer) -> None:
    server.replies(Reply({"value": "long" * 100}, cut=True), Reply({"value": 1}))
    assert ask(http, server) == {"value": 1}


def test_too_much_is_not_read(http: Http, server: LoopbackServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "MAX_BYTES", 2**20)
    server.replies(Reply(b'"' + b"x" * 2**20 + b'"'))
    assert "more than 1 MB" in failure(http, server)


def test_a_refused_connection_opens_the_breaker(http, closed_port: int) -> None:
    host = f"127.0.0.1:{closed_port}"
    http.allow(host, private=True)
    with pytest.raises(KnowledgeBaseUnreachable, match="connection refused; it is left alone until"):
        http.get_json(f"http://{host}/", {}, Deadline.after(20), "somewhere", anything)
    with pytest.raises(KnowledgeBaseUnreachable, match="failed before: connection refused; it is left alone until"):
        http.get_json(f"http://{host}/", {}, Deadline.after(20), "somewhere", anything)
    assert http.trouble("somewhere").startswith(f"{host}: connection refused")
    assert http.trouble("elsewhere") == ""


def test_a_host_that_could_not_be_reached_is_found_again_without_a_question(
    http: Http, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pacing, "LOOK_AGAIN_SECONDS", 0.0)
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            asked.append(self.path)
            self.send_response(404)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler, bind_and_activate=False)
    server.server_bind()  # and does not listen yet
    host = f"127.0.0.1:{server.server_port}"
    http.allow(host, private=True)
    with pytest.raises(KnowledgeBaseAway):
        http.get_json(f"http://{host}/?q=secret", {}, Deadline.after(20), "somewhere", anything)
    assert http.offline("somewhere")
    assert not http.offline("elsewhere")
    http.look_again("somewhere")
    with server:
        server.server_activate()
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        until = time.monotonic() + 30
        while http.offline("somewhere") and time.monotonic() < until:
            http.look_again("somewhere")
            time.sleep(0.05)
        server.shutdown()
        thread.join()
    assert http.trouble("somewhere") == ""
    assert set(asked) == {"/"}


def test_a_host_that_answers_is_left_alone_and_not_tried_meanwhile(http: Http, server: LoopbackServer) -> None:
    server.replies(Reply({}, 503), Reply({}, 503), Reply({}, 503))
    assert "status 503" in failure(http, server)
    assert http.trouble("somewhere")
    assert not http.offline("somewhere")


def test_one_host_that_fails_does_not_stop_another(http: Http, server: LoopbackServer, closed_port: int) -> None:
    http.allow(f"127.0.0.1:{closed_port}", private=True)
    with pytest.raises(KnowledgeBaseUnreachable):
        http.get_json(f"http://127.0.0.1:{closed_port}/", {}, Deadline.after(20), "elsewhere", anything)
    assert ask(http, server) == {}


@pytest.mark.parametrize("url", ["https://unlisted.example/", "http://listed.example/", "ftp://listed.example/"])
def test_what_is_not_on_the_list_is_not_asked(http, url: str) -> None:
    http.allow("listed.example")
    with pytest.raises(KnowledgeBaseUnreachable, match="not on the list"):
        http.get_json(url, {}, Deadline.after(20), "somewhere", anything)


@pytest.mark.parametrize(
    "target",
    ["https://unlisted.example/", "http://10.0.0.1/", "http://localhost:1/", "https://[::1/", "file:///etc/passwd"],
)
def test_a_redirect_leads_only_where_the_list_allows(http: Http, server: LoopbackServer, target: str) -> None:
    server.replies(Reply(status=302, headers={"Location": target}))
    failure(http, server)
    assert len(server.asked) == 1


def test_a_redirect_leads_to_no_other_private_host(http: Http, server: LoopbackServer) -> None:
    other = LoopbackServer()
    http.allow(other.host, private=True)
    server.replies(Reply(status=302, headers={"Location": f"{other.url}/secret"}))
    assert other.host in failure(http, server)
    other.close()
    assert other.asked == []


def test_a_host_is_asked_as_long_as_one_allowed_it(http: Http, server: LoopbackServer) -> None:
    http.allow(server.host, private=True)
    http.allow(server.host, private=True)
    http.disallow(server.host)
    assert http.get_json(server.url, {"q": "1"}, Deadline.after(20), "somewhere", anything) == {}
    server.replies(Reply(status=429, headers={"Retry-After": "60"}))
    failure(http, server, q="2")
    http.disallow(server.host)
    http.disallow(server.host)
    with pytest.raises(KnowledgeBaseUnreachable, match="not on the list"):
        http.get_json(server.url, {"q": "3"}, Deadline.after(20), "somewhere", anything)
    assert http.trouble("somewhere") == ""


def test_a_redirect_within_the_list_is_followed_and_circles_end(http: Http, server: LoopbackServer) -> None:
    server.replies(Reply(status=301, headers={"Location": "/moved"}), Reply({"value": 1}))
    assert ask(http, server) == {"value": 1}
    server.replies(Reply(status=301, headers={"Location": "/round"}))
    assert "redirects" in failure(http, server, q="another")


@pytest.mark.parametrize("scheme", ["https", "http"])
def test_a_listed_name_at_a_private_address_is_refused_before_anything_is_sent(
    http: Http, server: LoopbackServer, scheme: str
) -> None:
    host = f"localhost:{server.host.partition(':')[2]}"
    http.allow(host, plain=scheme == "http")
    with pytest.raises(KnowledgeBaseUnreachable, match="is not a public one"):
        http.get_json(f"{scheme}://{host}/", {}, Deadline.after(20), "somewhere", anything)
    assert server.asked == []


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "10.1.2.3", "192.168.0.1", "169.254.169.254", "::1", "fe80::1%eth0", "::ffff:127.0.0.1"]
)
def test_private_addresses_are_told_from_public_ones(address: str) -> None:
    assert not is_public(address)
    assert is_public("208.80.154.224")


@pytest.mark.parametrize("host", ["a..b", "a" * 64 + ".example"])
def test_what_cannot_be_a_name_has_no_address(http: Http, host: str) -> None:
    with pytest.raises(KnowledgeBaseUnreachable, match="its name cannot be resolved"):
        http.get_page(f"http://{host}/", Deadline.after(20))


def test_what_is_no_address_cannot_be_fetched(http: Http) -> None:
    with pytest.raises(KnowledgeBaseUnreachable, match="cannot be fetched"):
        http.get_page("http://[bad/", Deadline.after(20))


def test_every_request_is_written_down_and_an_answer_that_was_kept_is_none(
    tmp_path: Path, http: Http, server: LoopbackServer
) -> None:
    log = OutboundLog(tmp_path)
    server.replies(Reply(status=500), Reply())
    ask(http, server, q="tea")
    ask(http, server, q="tea")
    log.close()
    ask(http, server, q="coffee")
    lines = (tmp_path / "outbound.log").read_text().splitlines()
    assert len(lines) == 2
    assert f"somewhere GET {server.url}?q=tea: 500" in lines[0]
    assert f"somewhere GET {server.url}?q=tea: 200" in lines[1]
    assert (tmp_path / "outbound.log").stat().st_mode & 0o077 == 0


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_requests_keep_their_distance() -> None:
    clock = Clock()
    host = Host("example.org", 1.0, 1, clock=clock, sleep=clock.sleep)
    began = []
    for _ in range(3):
        with host.admitted(Deadline.after(60), "somewhere"):
            began.append(clock())
    assert began == [1000.0, 1001.0, 1002.0]


def test_a_wait_that_does_not_fit_the_deadline_is_refused_without_blame() -> None:
    clock = Clock()
    host = Host("example.org", 10.0, 1, clock=clock, sleep=clock.sleep)
    with host.admitted(Deadline.after(60), "somewhere"):
        pass
    with (
        pytest.raises(KnowledgeBaseUnreachable, match="LOREKEEPER_CONTACT"),
        host.admitted(Deadline.after(5), "somewhere"),
    ):
        pass
    assert not host.rest()


def test_a_full_house_is_refused_at_the_deadline() -> None:
    host = Host("example.org", 0.0, 1)
    with (
        host.admitted(Deadline.after(60), "somewhere"),
        pytest.raises(KnowledgeBaseUnreachable, match="no place free in time"),
        host.admitted(Deadline.after(0), "somewhere"),
    ):
        pass
    with host.admitted(Deadline.after(60), "somewhere"):
        pass  # the place is free again


def test_a_minute_later_the_host_is_asked_again() -> None:
    clock = Clock()
    host = Host("example.org", 0.0, 1, clock=clock, sleep=clock.sleep)
    host.leave_alone("connection refused")
    clock.sleep(59.9)
    assert host.rest()
    clock.sleep(0.2)
    with host.admitted(Deadline.after(60), "somewhere"):
        pass


def test_a_day_later_every_host_is_asked_again() -> None:
    clock = Clock()
    host = Host("example.org", 0.0, 1, clock=clock, sleep=clock.sleep)
    host.leave_alone("status 429", float("inf"))
    clock.sleep(24 * 3600 - 0.1)
    assert host.rest()
    clock.sleep(0.2)
    assert not host.rest()


def test_kept_answers_grow_old(tmp_path: Path) -> None:
    clock = Clock()
    cache = ResponseCache(tmp_path / "answers.db", clock)
    cache.put("https://example.org/?q=1", b"{}")
    assert cache.get("https://example.org/?q=1") == b"{}"
    assert cache.get("https://example.org/?q=2") is None
    clock.sleep(MAX_AGE_SECONDS + 1)
    assert cache.get("https://example.org/?q=1") is None
    cache.put("https://example.org/?q=2", b"[]")
    cache.close()
    with sqlite3.connect(tmp_path / "answers.db") as database:
        assert database.execute("SELECT count(*) FROM answers").fetchone() == (1,)
    database.close()
    assert (tmp_path / "answers.db").stat().st_mode & 0o077 == 0


def test_a_spoilt_or_unwritable_file_of_answers_costs_only_requests(tmp_path: Path, server: LoopbackServer) -> None:
    (tmp_path / "answers.db").write_bytes(b"not a database" * 100)
    http = Http("me@example.org", tmp_path)
    assert [ask(http, server, q="x"), ask(http, server, q="x")] == [{}, {}]
    http.close()
    http = Http("me@example.org", tmp_path / "nowhere")
    assert ask(http, server, q="y") == {}
    http.close()
