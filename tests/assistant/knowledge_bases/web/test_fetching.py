"""Documents of the web: only where it is allowed, only from public addresses, never without end."""

from pathlib import Path

import pytest

from assistant.errors import KnowledgeBaseUnreachable, UserMistake
from assistant.knowledge_bases.web import connecting, exchange
from assistant.knowledge_bases.web.fetching import Fetching, is_address
from assistant.knowledge_bases.web.http import Http
from assistant.knowledge_bases.web.outbound import OutboundLog
from tests.assistant.knowledge_bases.loopback import LoopbackServer, Reply


@pytest.fixture
def loopback_is_public(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connecting, "is_public", lambda address: address.startswith("127."))


def page(body: bytes = b"<p>Mira lives in Oslo.</p>", type: str = "text/html; charset=utf-8") -> Reply:
    return Reply(body, headers={"Content-Type": type})


@pytest.mark.usefixtures("loopback_is_public")
@pytest.mark.parametrize(
    ("path", "type", "name"),
    [
        ("/wiki/Ada%20Lovelace", "text/html; charset=utf-8", "Ada Lovelace.html"),
        ("/", "text/html", "127.0.0.1.html"),
        ("/notes.md#top", "text/plain", "notes.md"),
        ("/paper.pdf?v=2", "application/pdf", "paper.pdf"),
        ("/report.pdf", "text/html", "report.pdf.html"),
        ("/data.csv", "application/octet-stream", "data.csv"),
    ],
)
def test_a_page_is_named_by_its_address_and_its_type(
    http: Http, server: LoopbackServer, path: str, type: str, name: str
) -> None:
    server.replies(page(type=type))
    fetched = Fetching(http, allowed=True).fetch(f"http://{server.host}{path}")
    assert (fetched.name, fetched.data) == (name, b"<p>Mira lives in Oslo.</p>")
    assert fetched.address == f"http://{server.host}{path.partition('#')[0]}"


@pytest.mark.usefixtures("loopback_is_public")
def test_a_page_is_asked_for_anew_each_time_and_each_time_logged(
    http: Http, server: LoopbackServer, tmp_path: Path
) -> None:
    log = OutboundLog(tmp_path)
    server.replies(page(b"one"), page(b"two"))
    fetching = Fetching(http, allowed=True)
    assert [fetching.fetch(f"http://{server.host}/a").data for _ in range(2)] == [b"one", b"two"]
    log.close()
    assert (tmp_path / "outbound.log").read_text().count(f"the web GET http://{server.host}/a: 200") == 2


def test_nothing_is_fetched_unless_it_is_allowed(http: Http, server: LoopbackServer) -> None:
    with pytest.raises(UserMistake, match="LOREKEEPER_FETCH=on"):
        Fetching(http, allowed=False).fetch(f"http://{server.host}/a")
    assert server.asked == []


@pytest.mark.parametrize("host", ["{host}", "LOCALHOST:{port}", "ｌocalhost:{port}", "[::ffff:127.0.0.1]:{port}"])
def test_a_private_address_is_refused_also_where_a_knowledge_base_is_asked_there(
    http: Http, server: LoopbackServer, host: str
) -> None:
    port = server.host.rpartition(":")[2]
    http.allow(server.host, private=True)
    http.allow(f"localhost:{port}", private=True)
    with pytest.raises(KnowledgeBaseUnreachable, match=r"not a public one|not a valid idna"):
        Fetching(http, allowed=True).fetch(f"http://{host.format(host=server.host, port=port)}/a")
    assert server.asked == []


def test_a_redirect_to_a_private_address_is_refused(
    http: Http, server: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connecting, "is_public", lambda address: address == "127.0.0.1")
    port = server.host.rpartition(":")[2]
    server.replies(Reply(status=302, headers={"Location": f"http://127.0.0.2:{port}/secret"}))
    with pytest.raises(KnowledgeBaseUnreachable, match=r"127\.0\.0\.2 is not a public one"):
        Fetching(http, allowed=True).fetch(f"http://{server.host}/a")
    assert len(server.asked) == 1


@pytest.mark.usefixtures("loopback_is_public")
def test_what_is_too_large_is_not_taken(http: Http, server: LoopbackServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "MAX_BYTES", 100)
    server.replies(page(b"x" * 101))
    with pytest.raises(KnowledgeBaseUnreachable, match="more than"):
        Fetching(http, allowed=True).fetch(f"http://{server.host}/a")


@pytest.mark.parametrize("address", ["https://", "https://[::1", "https://ada:secret@example.org/", "http://a\x07b/"])
def test_what_is_no_address_costs_one_line(http: Http, address: str) -> None:
    assert is_address(address)
    with pytest.raises(UserMistake, match="no address") as caught:
        Fetching(http, allowed=True).fetch(address)
    assert "\n" not in str(caught.value)


def test_a_file_is_no_address() -> None:
    assert not any(map(is_address, ["notes.txt", "-", "http", "/https://x", "ftp://a.org/b"]))
