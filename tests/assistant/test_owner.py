import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextvars import copy_context
from pathlib import Path

import pytest

from assistant.errors import Failure, UserMistake
from assistant.messages import speak
from assistant.owner import Command, Owner, forward

ROOT = Path(__file__).parents[2]


@pytest.fixture
def serving(home: Path) -> Iterator[Callable[[Callable[[Command], int]], Owner]]:
    """Serve the home with a handler."""
    owner = Owner(home)

    def serve(handler: Callable[[Command], int]) -> Owner:
        assert owner.acquire()
        owner.serve(handler)
        return owner

    yield serve
    owner.close()


def answers(home: Path, *argv: str, stdin: bytes = b"") -> tuple[int | None, str, str]:
    """Exit status, output and errors of a forwarded command."""
    out: list[str] = []
    err: list[str] = []
    status = forward(home, argv, stdin, out.append, err.append)
    return status, "".join(out), "".join(err)


def test_one_process_has_a_home(home: Path) -> None:
    owner = Owner(home)
    assert owner.acquire()
    assert not Owner(home).acquire()
    assert _acquires_in_another_process(home) == "False"
    owner.close()
    assert _acquires_in_another_process(home) == "True"


def _acquires_in_another_process(home: Path) -> str:
    code = f"from assistant.owner import Owner; from pathlib import Path; print(Owner(Path({str(home)!r})).acquire())"
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()


def test_a_command_is_answered_in_the_language_of_whoever_gave_it(home: Path, serving: Callable[..., Owner]) -> None:
    def handler(command: Command) -> int:
        command.out(command.language)
        return 0

    def german() -> tuple[int | None, str, str]:
        speak("de")
        return answers(home, "status")

    serving(handler)
    assert copy_context().run(german) == (0, "de", "")
    assert answers(home, "status") == (0, "en", "")


def test_home_and_socket_are_for_the_user_alone(home: Path, serving: Callable[..., Owner]) -> None:
    serving(lambda _: 0)
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert stat.S_IMODE((home / "socket").stat().st_mode) == 0o600
    assert stat.S_IMODE((home / "lock").stat().st_mode) == 0o600
    assert json.loads((home / "lock").read_text())["pid"] == os.getpid()


def test_a_command_goes_there_with_all_that_it_needs_and_its_output_comes_back(
    home: Path, serving: Callable[..., Owner]
) -> None:
    def handler(command: Command) -> int:
        command.out(f"{command.argv} in {command.cwd}\n")
        command.err("Größe: ")
        command.err(str(len(command.stdin)))
        return 2

    serving(handler)
    data = bytes(range(256)) * 4000
    assert answers(home, "ask", "你好 \n?", stdin=data) == (
        2,
        f"['ask', '你好 \\n?'] in {Path.cwd()}\n",
        "Größe: 1024000",
    )


def test_output_streams(home: Path, serving: Callable[..., Owner]) -> None:
    read = threading.Event()

    def handler(command: Command) -> int:
        command.out("first")
        return 0 if read.wait(10) else 1

    serving(handler)
    assert forward(home, [], b"", lambda _: read.set(), print) == 0


def test_commands_run_side_by_side(home: Path, serving: Callable[..., Owner]) -> None:
    together = threading.Barrier(2, timeout=10)
    serving(lambda _: together.wait() * 0)
    statuses: list[int | None] = []
    threads = [threading.Thread(target=lambda: statuses.append(answers(home)[0])) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [0, 0]


def test_nobody_serving_is_none(home: Path) -> None:
    assert answers(home) == (None, "", "")
    owner = Owner(home)
    assert owner.acquire()  # a command that works on the home itself serves nobody
    assert answers(home) == (None, "", "")
    owner.close()


def test_a_closed_owner_serves_no_more_and_leaves_no_socket(home: Path, serving: Callable[..., Owner]) -> None:
    serving(lambda _: 0).close()
    assert answers(home)[0] is None
    assert [path.name for path in home.iterdir()] == ["lock"]


SERVER = """
import sys, time
from pathlib import Path
from assistant.owner import Owner
owner = Owner(Path(sys.argv[1]))
assert owner.acquire()
def handler(command):
    command.out("begun")
    time.sleep(60)
owner.serve(handler)
print("serving", flush=True)
time.sleep(60)
"""


@pytest.fixture
def server(home: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that serves the home with a command that never ends."""
    arguments = [sys.executable, "-c", SERVER, str(home)]
    with subprocess.Popen(arguments, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "serving\n"
        yield process
        process.kill()


def test_a_killed_owner_is_succeeded(home: Path, server: subprocess.Popen[str]) -> None:
    server.kill()
    server.wait()
    assert (home / "socket").exists()
    assert answers(home)[0] is None
    owner = Owner(home)
    assert owner.acquire()
    owner.serve(lambda _: 7)
    assert answers(home)[0] == 7
    owner.close()


def test_an_owner_that_dies_under_a_command_is_a_failure_of_one_line(home: Path, server: subprocess.Popen[str]) -> None:
    with pytest.raises(Failure, match=r"^The running Lorekeeper ended before the command did; [^\n]+$"):
        forward(home, [], b"", lambda _: os.kill(server.pid, signal.SIGKILL), print)


def test_a_client_that_goes_away_cancels_its_command_alone(home: Path, serving: Callable[..., Owner]) -> None:
    cancelled = threading.Event()

    def handler(command: Command) -> int:
        if command.argv == ["other"]:
            assert cancelled.wait(10)
            return int(command.cancel.is_set())
        if command.cancel.wait(10):
            cancelled.set()
        return 0

    serving(handler)
    statuses: list[int | None] = []
    other = threading.Thread(target=lambda: statuses.append(answers(home, "other")[0]))
    other.start()
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(home / "socket"))
        client.sendall(b'{"argv": ["ask"], "stdin": "", "cwd": "/"}\n')
    assert cancelled.wait(10)
    other.join()
    assert statuses == [0]


def test_a_stopped_owner_runs_nothing_and_still_has_the_home(home: Path, serving: Callable[..., Owner]) -> None:
    running, ended = threading.Event(), threading.Event()

    def handler(command: Command) -> int:
        running.set()
        command.cancel.wait(10)
        time.sleep(0.1)  # it lets go of what it holds
        ended.set()
        return 1

    owner = serving(handler)
    said: list[str] = []
    client = threading.Thread(target=lambda: said.append(answers(home)[2]))
    client.start()
    assert running.wait(10)
    owner.stop()
    assert ended.is_set()
    assert not Owner(home).acquire()
    client.join()
    assert said == ["The Lorekeeper that ran this was stopped; give the command again.\n"]


def test_an_owner_that_finishes_lets_what_runs_end_and_takes_no_more(home: Path, serving: Callable[..., Owner]) -> None:
    running, enough = threading.Event(), threading.Event()

    def handler(command: Command) -> int:
        if command.argv == ["other"]:
            return 0
        running.set()
        assert enough.wait(10)
        return int(command.cancel.is_set())

    owner = serving(handler)
    statuses: list[int | None] = []
    client = threading.Thread(target=lambda: statuses.append(answers(home)[0]))
    client.start()
    assert running.wait(10)
    assert owner.busy
    finishing = threading.Thread(target=owner.finish)
    finishing.start()
    while answers(home, "other")[0] is not None:
        pass
    assert finishing.is_alive()
    enough.set()
    finishing.join(10)
    client.join()
    assert statuses == [0]
    assert not owner.busy


def test_whoever_has_connected_when_an_owner_finishes_is_answered(home: Path) -> None:
    wrong: list[Exception] = []

    def ask() -> None:
        try:
            while answers(home)[0] is not None:
                pass
        except (Failure, OSError) as error:
            wrong.append(error)

    for _ in range(20):
        owner = Owner(home)
        assert owner.acquire()
        owner.serve(lambda _: 0)
        clients = [threading.Thread(target=ask) for _ in range(4)]
        for client in clients:
            client.start()
        owner.finish()
        for client in clients:
            client.join()
        owner.close()
    assert wrong == []


def test_closing_cancels_what_runs(home: Path, serving: Callable[..., Owner]) -> None:
    running = threading.Event()

    def handler(command: Command) -> int:
        running.set()
        return 5 if command.cancel.wait(10) else 6

    owner = serving(handler)
    statuses: list[int | None] = []
    client = threading.Thread(target=lambda: statuses.append(answers(home)[0]))
    client.start()
    assert running.wait(10)
    owner.close()
    client.join()
    assert statuses == [5]


def test_a_command_that_breaks_is_a_line_and_the_owner_goes_on(home: Path, serving: Callable[..., Owner]) -> None:
    def handler(command: Command) -> int:
        return 10 // len(command.argv)

    serving(handler)
    assert answers(home) == (1, "", "The running Lorekeeper failed; its log says how.\n")
    assert answers(home, "a")[0] == 10


def test_a_request_that_is_none_does_no_harm(home: Path, serving: Callable[..., Owner]) -> None:
    serving(lambda _: 0)
    for request in (b"", b"\n", b"GET / HTTP/1.1\n", b"[]\n"):
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(home / "socket"))
            client.sendall(request)
    assert answers(home)[0] == 0


def test_a_home_with_a_long_path_has_its_socket_elsewhere(tmp_path: Path) -> None:
    home = tmp_path / ("long" * 25)
    owner = Owner(home)
    assert owner.acquire()
    owner.serve(lambda _: 3)
    path = Path(json.loads((home / "lock").read_text())["socket"])
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert answers(home)[0] == 3
    owner.close()
    assert not path.parent.exists()


def test_a_home_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for home in (tmp_path / "file", tmp_path / "file" / "home", Path("/proc/home")):
        with pytest.raises(UserMistake, match=r"^The home folder .* cannot be used \([^\n]+\): set LOREKEEPER_HOME"):
            Owner(home).acquire()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_home_that_cannot_be_written_is_one_line(home: Path) -> None:
    home.mkdir(mode=0o500)
    with pytest.raises(UserMistake, match="cannot be used"):
        Owner(home).acquire()
