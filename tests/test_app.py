"""The command line as scripts see it: composed with a scripted model, and as processes with a home of their own."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from contextvars import copy_context
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import pytest
from openai.types import ChatModel

from app import DEFAULT_MODEL, LOG, compose, execute, main
from assistant.commands.arguments import read
from assistant.commands.console import FAILURE, INTERRUPTED, Console, exit_status
from assistant.errors import ModelUnavailable
from assistant.llm.client import Request
from assistant.llm.limits import TurnLimits
from assistant.llm.scripted import Cut, Scripted, ScriptedTransport, Weights
from assistant.messages import speak
from assistant.orchestrator import Assistant
from assistant.owner import forward
from assistant.search.bandit import Arm
from assistant.settings import Settings
from memory.types import SavedMessage

pytestmark = pytest.mark.usefixtures("home")
ROOT = Path(__file__).parents[1]
NOTES = "Wilhelmina Thornquist was born in Tromsø in 1931. She founded the Aurora Choir."
EXTRACTED: list[Scripted] = [  # for the sentences of the notes
    "birth\nWilhelmina Thornquist | place of birth | Tromsø\nWilhelmina Thornquist | year of birth | 1931",
    "choir\nWilhelmina Thornquist | founded | Aurora Choir",
]
SCRIPT: dict[str, list[Scripted]] = {
    "understand": ["en ask"],
    "standalone": ["When was Wilhelmina Thornquist born?"],
    "program": ['find_entity_or_value(["Wilhelmina Thornquist"], ["place of birth", "born in"])'],
    "answer": ["Wilhelmina Thornquist was born in Tromsø [1]."],
    "entailment": [Weights({"yes": 1.0})] * 9,
    "erase": [Weights({"yes": 1.0})] * 9,
    "scope": [Weights({"all": 1.0})] * 9,
    "earlier": [Weights({"no": 1.0})] * 9,
    "asks": [Weights({"yes": 1.0})] * 9,
    "tells": [Weights({"yes": 1.0})] * 9,
    "facts": [Weights({"no": 1.0})] * 9,
    "extract": EXTRACTED,
    "date": [""],
}


@dataclass
class Ran:
    """What a command came to."""

    status: int
    out: str
    err: str

    @property
    def value(self) -> Any:
        """What was printed with --json."""
        return json.loads(self.out)


Run = Callable[..., Ran]


@pytest.fixture
def model() -> ScriptedTransport:
    return ScriptedTransport(SCRIPT, repeat=True)


@pytest.fixture
def assistant(home: Path, model: ScriptedTransport) -> Iterator[Assistant]:
    made = compose(replace(Settings.from_environment(), home=home), model)
    yield made
    made.close()


def runner(assistant: Assistant, folder: Path) -> Run:
    """`run("recall", "bees")` runs a command in this process; relative paths start in `folder`."""

    def run(*arguments: str, stdin: str = "") -> Ran:
        out: list[str] = []
        err: list[str] = []
        console = Console(out.append, err.append, stdin.encode(), folder)
        status = exit_status(lambda: execute(assistant, console, **read(arguments)), err.append, folder / LOG)
        return Ran(status, "".join(out), "".join(err))

    return run


@pytest.fixture
def run(assistant: Assistant, tmp_path: Path) -> Run:
    return runner(assistant, tmp_path)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    path = tmp_path / "thornquist.txt"
    path.write_text(NOTES, "utf-8")
    return path


def test_without_a_key_the_embedded_model_is_wired_and_not_started_yet(home: Path) -> None:
    with closing(compose(Settings.from_environment({"LOREKEEPER_HOME": str(home)}))) as assistant:
        assert assistant.model.transport.status().state != "ready"


def test_a_document_is_remembered_recalled_and_forgotten(run: Run, notes: Path) -> None:
    remembered = run("remember", notes.name, "--json")
    assert remembered.status == 0
    assert remembered.value["state"] == "ready"
    assert remembered.value["facts"] == 4

    recalled = run("recall", "Where was Thornquist born?", "-k", "3", "--json")
    assert any("Tromsø" in hit["text"] for hit in recalled.value["recalled"])

    forgotten = run("forget", "--source", remembered.value["id"], "--json")
    assert forgotten.status == 0
    assert forgotten.value["facts"] == 4
    again = run("recall", "Thornquist")
    assert (again.status, again.out) == (2, "")


def test_nothing_is_left_of_a_document_that_is_all_about_what_is_forgotten(run: Run, notes: Path) -> None:
    run("remember", notes.name)
    forgotten = run("forget", "--entity", "Wilhelmina Thornquist", "--json")
    assert forgotten.status == 0
    assert forgotten.value["facts"] == 4
    assert run("recall", "Thornquist").status == 2


def test_a_document_comes_from_standard_input(run: Run) -> None:
    assert run("remember", "-", stdin=NOTES).out.startswith("Remembered standard input.txt: 1 passage, 4 facts")


def test_errors_that_quote_what_is_forgotten_go_with_it(run: Run, assistant: Assistant) -> None:
    log = assistant.settings.home / LOG
    run("remember", "-", stdin=NOTES)
    log.write_text("KeyError: 'Bergen'")
    run("forget", "--entity", "Aurora Choir")
    assert log.exists()
    log.write_bytes(b"\xff KeyError: 'Wilhelmina Thornquist'")
    run("forget", "--entity", "Wilhelmina Thornquist")
    assert not log.exists()


def test_what_is_forgotten_is_gone_though_the_log_of_errors_cannot_be_read(run: Run, assistant: Assistant) -> None:
    run("remember", "-", stdin=NOTES)
    (assistant.settings.home / LOG).mkdir()
    forgotten = run("forget", "--entity", "Wilhelmina Thornquist")
    assert forgotten.status == 1
    assert "Delete that file yourself" in forgotten.err
    assert run("recall", "Thornquist").status == 2


def test_two_texts_from_standard_input_are_two_documents(run: Run, assistant: Assistant) -> None:
    run("remember", "-", stdin=NOTES)
    run("remember", "-", stdin=NOTES.replace("1931", "1932"))
    assert len(assistant.memory.of("me").sources()) == 2


def test_the_same_document_twice_is_one(run: Run, notes: Path) -> None:
    first, second = (run("remember", notes.name, "--json") for _ in range(2))
    assert first.value["id"] == second.value["id"]


def test_a_folder_and_files_beside_it_are_remembered(run: Run, notes: Path) -> None:
    (notes.parent / "all" / "deep").mkdir(parents=True)
    (notes.parent / "all" / "deep" / "notes.md").write_text("Bees sleep at night.", "utf-8")
    (notes.parent / "all" / "notes.md").write_text("Wasps do not.", "utf-8")
    (notes.parent / "all" / "song.mp3").write_bytes(b"x")
    (notes.parent / "all" / ".hidden.txt").write_text("No.", "utf-8")
    ran = run("remember", "all", notes.name, "nothing.txt", "--json")
    assert ran.status == 2
    assert [source["name"] for source in ran.value] == ["notes.md", "notes.md", notes.name]
    assert {source["state"] for source in ran.value} == {"ready"}
    assert "left out: 1." in ran.err
    assert "Documents: 3; " in ran.err
    assert "There is no file" in ran.err
    assert ran.err.endswith("Not remembered in full: 1 of the documents.\n")


def test_a_broken_file_of_a_folder_costs_one_line(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "all"
    folder.mkdir()
    (folder / "a.eml").write_text("From: Bo <b@example.org>\nDate: Mon, 1 Jan 20249999999999999999999\n\nBees sleep.\n")
    (folder / "b.json").write_text('{"n": ' + "9" * 5001 + "}")
    (folder / "c.json").write_text("[" * 100_000)
    (folder / "d.txt").write_text("Wasps do not.")
    ran = run("remember", "all", "--json")
    assert [source["name"] for source in ran.value] == ["a.eml", "b.json", "d.txt"]
    assert ran.status == 2
    assert ran.err.count("c.json is no JSON") == 1


def test_one_document_that_is_not_there_costs_one_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for file, line in (("nothing.txt", "There is no file"), ("empty", "There is no file in")):
        ran = run("remember", file, "--json")
        assert (ran.status, ran.err.count(line)) == (2, 1)


def test_a_changed_file_replaces_what_it_was(run: Run, notes: Path) -> None:
    first = run("remember", notes.name, "--json").value
    notes.write_text("Otters hold hands.", "utf-8")
    second = run("remember", notes.name, "--json").value
    assert second["id"] != first["id"]
    assert run("forget", "--source", first["id"]).status == 2
    assert "Tromsø" not in run("recall", "Where was Thornquist born?").out


def test_the_web_is_left_alone_unless_the_operator_allows_it(run: Run) -> None:
    refused = run("remember", "https://example.org/a.html")
    assert (refused.status, refused.err.count("\n")) == (2, 1)
    assert "LOREKEEPER_FETCH" in refused.err


def test_an_answer_that_was_cut_says_so(run: Run, model: ScriptedTransport) -> None:
    model._replies |= {"understand": ["en chat"], "answer": [Cut("Roses are red, vio")]}
    asked = run("ask", "Say a poem, please.", "--json")
    assert (asked.status, asked.value["answer"], asked.value["cut"]) == (0, "Roses are red, vio", True)
    told = run("ask", "Say a poem, please.")
    assert told.out.startswith("Roses are red, vio")
    assert (told.status, told.err.count("\n")) == (0, 1)
    assert "stops before its end" in told.err


def test_a_question_has_a_limit_of_time(run: Run, assistant: Assistant, model: ScriptedTransport) -> None:
    model._replies |= {
        "understand": ["en chat"],
        "answer": ["Good morning!", lambda _: " ".join(map(str, range(10**6)))],
    }
    run("ask", "Good morning.")  # what the first turn loads takes a while
    model._delay_seconds = 0.01
    assistant.limits = TurnLimits(seconds=5.0, model_seconds=60.0)
    asked = run("ask", "Count, please.", "--json")
    assert (asked.status, asked.value["cut"]) == (1, True)
    assert asked.value["answer"].startswith("0 1 2")
    assert asked.err == f"{assistant.limits.out_of_time}\n"


def test_the_model_of_whoever_names_none_is_one_that_there_is() -> None:
    assert DEFAULT_MODEL in get_args(ChatModel)


def test_an_answer_is_printed_as_the_contract_says(run: Run, notes: Path) -> None:
    run("remember", notes.name)
    asked = run("ask", "Where was she born?", "--kb", "personal", "--json")
    assert asked.status == 0
    answer = asked.value
    assert answer["answer"] == "Wilhelmina Thornquist was born in Tromsø [1]."
    assert (answer["route"], answer["strategy"], answer["format"]) == ("search", "program", "triples")
    assert "Tromsø" in json.dumps(answer["evidence"][0], ensure_ascii=False)
    assert answer["evidence"][0]["id"] == 1
    assert answer["program"].startswith("find_entity_or_value")
    assert (answer["declined"], answer["grounded"], answer["cut"]) == (False, True, False)
    assert set(answer["usage"]) == {
        "calls", "prompt_tokens", "fresh_prompt_tokens", "completion_tokens", "by_purpose",
    }  # fmt: skip
    assert set(answer["usage"]["by_purpose"]) == {"understand", "program", "entailment", "answer"}
    assert answer["usage"]["calls"] == 4
    assert set(answer["seconds"]) == {"route", "search", "answer"}


def test_an_answer_is_followed_by_its_sources(run: Run, notes: Path) -> None:
    run("remember", notes.name)
    lines = run("ask", "Where was she born?", "--kb", "personal").out.splitlines()
    assert lines[0] == "Wilhelmina Thornquist was born in Tromsø [1]."
    assert lines[1].startswith("[1] ")
    assert "personal" in lines[1]


def test_a_session_goes_on_where_it_was(run: Run, notes: Path, assistant: Assistant, model: ScriptedTransport) -> None:
    run("remember", notes.name)
    for question in ("Where was Thornquist born?", "And when?"):
        assert run("ask", question, "--session", "choir").status == 0
    *_, asked = [request for request in model.requests if request.purpose == "understand"]
    assert "Where was Thornquist born?" in str(asked.messages)
    assert [info.id for info in assistant.memory.of("me").sessions.list()] == ["choir"]


def test_a_model_that_fails_is_a_failure_and_what_memory_holds_is_printed(home: Path, tmp_path: Path) -> None:
    away = [ModelUnavailable("The model went away.")]
    calls = ("understand", "program", "answer", "entailment")
    transport = ScriptedTransport({"extract": EXTRACTED, "date": [""], **dict.fromkeys(calls, away)})
    with closing(compose(replace(Settings.from_environment(), home=home), transport)) as made:
        run = runner(made, tmp_path)
        run("remember", "-", stdin=NOTES)
        asked = run("ask", "Where was Wilhelmina Thornquist born?")
    assert (asked.status, asked.err) == (1, "The model went away.\n")
    assert "Tromsø" in asked.out


def test_a_turn_that_is_refused_begins_no_session(run: Run, assistant: Assistant) -> None:
    assert run("ask", "Who?", "--session", "choir", "--kb", "nowhere").status == 2
    assert assistant.memory.of("me").sessions.list() == []


def test_an_empty_answer_is_no_part_of_what_a_session_goes_on_from(
    run: Run, assistant: Assistant, model: ScriptedTransport
) -> None:
    sessions = assistant.memory.of("me").sessions
    sessions.new("choir")
    sessions.append("choir", SavedMessage("assistant", "", datetime.now(UTC)))
    run("ask", "Where was Thornquist born?", "--session", "choir")
    assert all(message.content for message in model.requests[0].messages)


def test_a_command_of_its_own_forgets_for_good_and_promises_no_undo(
    assistant: Assistant, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    script: dict[str, list[Scripted]] = {"extract": ["Anna Berg|lives in|Oslo"], "date": [""]}
    script["erase"] = [Weights({"yes": 1.0})]
    script["earlier"] = [Weights({"no": 1.0})]
    script["asks"] = [Weights({"yes": 1.0})]
    script["tells"] = [Weights({"yes": 1.0})]
    monkeypatch.setattr("app.transport_of", lambda _: ScriptedTransport(script, repeat=True))
    monkeypatch.setattr(os, "umask", lambda mode: mode)  # this process goes on
    monkeypatch.setattr("memory.sweeping._AT_ONCE", 0.0)  # as if the index were large
    monkeypatch.setattr("memory.vectors._COPIED_AT_ONCE", 1)
    for number in range(9):
        assistant.memory.of("me").add_document(f"{number}.txt", f"Otter {number} swims.".encode())
    assistant.close()

    def say(text: str, means: str = "en remember") -> str:
        script["understand"] = [means]
        assert main(["ask", text, "--session", "a", "--yes"]) == 0
        return capsys.readouterr().out.strip()

    assert "Anna Berg" in say("Anna Berg lives in Oslo.")
    assert say("undo").endswith("Taken back; forgotten again: 1 fact.")
    assert "cannot be undone any more" in say("bring it back")
    assert "Anna Berg" in say("Anna Berg lives in Oslo.")
    assert say("Forget all about Anna Berg.", "en forget: Anna Berg").endswith("Forgotten: 1 fact, for good.")
    assert main(["status", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["memory"]["unswept"] is False
    refused = say("undo")
    assert "cannot be undone any more" in refused
    assert "with no page running forgets for good" in refused


def test_a_turn_that_is_broken_off_leaves_an_empty_answer(home: Path, tmp_path: Path) -> None:
    def interrupt(_: Request) -> str:
        raise KeyboardInterrupt

    transport = ScriptedTransport(["answer", interrupt])
    with closing(compose(replace(Settings.from_environment(), home=home), transport)) as made:
        asked = runner(made, tmp_path)("ask", "Who sang?", "--session", "choir")
        saved = made.memory.of("me").sessions.load("choir")
    assert asked.status == INTERRUPTED
    assert [(message.role, message.content) for message in saved] == [("user", "Who sang?"), ("assistant", "")]


def test_closing_ends_the_processes_of_the_sandbox(run: Run, notes: Path, assistant: Assistant) -> None:
    run("remember", notes.name)
    before = _processes()
    assert run("ask", "Where was Thornquist born?").status == 0
    assert _processes() > before
    assistant.close()
    assert _processes() <= before  # the one that parses documents ends as well


def _processes() -> set[int]:
    """The processes that this one has started and that still run."""
    pids: set[int] = set()
    for task in Path("/proc/self/task").iterdir():
        with suppress(FileNotFoundError):  # the thread has just ended
            pids |= {int(pid) for pid in (task / "children").read_text().split()}
    return pids


def test_a_question_out_of_the_blue_leaves_no_session(run: Run, assistant: Assistant) -> None:
    run("ask", "Where was she born?", "--kb", "personal")
    assert assistant.memory.of("me").sessions.list() == []


def test_users_are_apart(run: Run, notes: Path, assistant: Assistant) -> None:
    run("remember", notes.name, "--user", "ada")
    assert run("recall", "Thornquist", "--user", "ada").status == 0
    for arguments in (["recall", "Thornquist"], ["forget", "--all"], ["export", "all.jsonld"]):
        refused = run(*arguments, "--user", "bob")
        assert (refused.status, refused.err) == (2, "Nothing is remembered for bob.\n")
    assert assistant.memory.users() == ["ada"]


def test_an_export_can_be_imported_by_another(run: Run, notes: Path, tmp_path: Path) -> None:
    run("remember", notes.name)
    assert run("export", "memory.jsonld").status == 0
    assert (tmp_path / "memory.jsonld").stat().st_size
    assert run("import", "memory.jsonld", "--user", "ada").status == 0
    recalled = run("recall", "Thornquist born", "--user", "ada", "--json")
    assert any("Tromsø" in hit["text"] for hit in recalled.value["recalled"])


def test_triples_become_a_knowledge_base(run: Run, tmp_path: Path) -> None:
    (tmp_path / "films.tsv").write_text("Aurora\tdirected by\tSelma Lind\nAurora\tyear\t1998\n", "utf-8")
    assert run("kb", "add", "films", "films.tsv", "--language", "en").status == 0
    listed = {base["name"]: base for base in run("kb", "list", "--json").value}
    assert listed["films"]["triples"] == 2
    assert {"personal", "world", "wikipedia", "wikidata"} < listed.keys()
    assert "films (file, 2 triples, for questions in en): up" in run("kb", "list").out
    assert run("kb", "remove", "films").status == 0
    assert run("kb", "remove", "films").status == 2


def test_status_says_what_is_up(run: Run, notes: Path, home: Path, assistant: Assistant) -> None:
    run("remember", notes.name)
    deadline = time.monotonic() + 60
    while assistant.memory.not_embedded() and time.monotonic() < deadline:  # what a moment did not suffice for
        time.sleep(0.05)
    status = run("status", "--repair", "--json").value
    assert status["model"]["state"] == "ready"
    assert status["memory"]["facts"] == 4
    assert status["memory"]["agrees"] is True
    assert status["home"] == str(home)
    told = run("status").out
    assert "model scripted: ready" in told
    assert "wikipedia (public, for questions in" in told or "wikipedia (public): off" in told


def test_the_bandit_is_shown_pinned_and_reset(run: Run, assistant: Assistant) -> None:
    first, *others = run("bandit").out.splitlines()
    assert first.startswith("program,triples: expected 0.8 ±")
    assert len(others) == len(assistant.searching.arms) - 1
    assert run("bandit", "--pin", "program,sentences").out == "Pinned: program, sentences.\n"
    choosing = assistant.choosing
    choosing.learn("me", [choosing.play(Arm("program", "triples"), "Who?", 0.0)])
    shown = run("bandit", "--json").value
    arms = {(arm["strategy"], arm["format"]): arm for arm in shown["arms"]}
    assert arms["program", "sentences"]["pinned"]
    assert (arms["program", "triples"]["thumbs"], arms["program", "triples"]["up"]) == (1, 0)
    assert "program,sentences: expected 0.3 " in run("bandit").out
    run("bandit", "--pin", "none")
    assert "(pinned)" not in run("bandit").out
    assert "begins anew from what others like" in run("bandit", "--reset").out
    assert run("bandit").out.splitlines()[0] == first


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["ask", " "], "The message is empty"),
        (["ask", "x" * 200_000], "200,000 characters"),
        (["ask", "Who?", "--kb", "nowhere"], "nowhere"),
        (["ask", "Who?", "--user", ""], "user"),
        (["remember", "nothing.txt"], "There is no file"),
        (["remember", "empty.txt"], "empty.txt"),
        (["remember", "broken.pdf"], "broken.pdf"),
        (["kb", "add", "films", "nothing.tsv"], "There is no file"),
        (["kb", "add", "films", "broken.nt"], "Line 2"),
        (["import", "empty.txt"], "empty.txt"),
        (["export", "no/such/folder/file"], "file"),
    ],
)
def test_a_mistake_is_one_line_and_changes_nothing(run: Run, tmp_path: Path, arguments: list[str], told: str) -> None:
    (tmp_path / "empty.txt").touch()
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7\nnot really")
    (tmp_path / "broken.nt").write_text("<a:1> <a:2> <a:3> .\nthis is not a triple\n", "utf-8")
    run("remember", "-", stdin=NOTES)
    before = _held(run)
    ran = run(*arguments)
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1), ran.err
    assert told in ran.err
    assert _held(run) == before


def _held(run: Run) -> dict[str, int]:
    memory = run("status", "--json").value["memory"]
    return {what: memory[what] for what in ("users", "facts", "passages")}


@pytest.mark.parametrize(
    ("loaded", "heavy"),
    [
        ("app", {"gradio", "torch", "chromadb", "openai", "numpy", "sqlalchemy", "onnxruntime"}),  # for --help
        ("assistant.orchestrator, ui.server", {"torch", "scipy", "nltk", "sklearn", "transformers"}),  # for the page
    ],
)
def test_nothing_heavy_is_loaded_unasked(loaded: str, heavy: set[str]) -> None:
    code = f"import {loaded}, sys; print(sorted({heavy!r} & set(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.stdout == "[]\n"


@pytest.mark.parametrize("unread", [False, True], ids=["", "nobody reads on"])
def test_while_documents_are_read_others_commands_are_taken_and_have_their_end(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unread: bool
) -> None:
    reading, read = threading.Event(), {"Otters": threading.Event(), "Bees": threading.Event()}

    def extract(request: Request) -> str:
        reading.set()
        document = next(name for name in read if name in request.messages[-1].content)
        assert read[document].wait(30)
        return f"{document}|are|animals"

    monkeypatch.setattr(os, "umask", lambda mode: mode)  # this process goes on
    monkeypatch.setattr("app.transport_of", lambda _: ScriptedTransport({"extract": [extract]}, repeat=True))
    statuses: dict[str, int | None] = {}

    def remembering(name: str, run: Callable[[list[str]], int | None]) -> threading.Thread:
        path = tmp_path / f"{name}.txt"
        path.write_text(f"{name} are animals.", "utf-8")
        thread = threading.Thread(target=lambda: statuses.update({name: ended(run, ["remember", str(path)])}))
        thread.start()
        return thread

    def ended(run: Callable[[list[str]], int | None], arguments: list[str]) -> int | None:
        try:
            return run(arguments)
        except BrokenPipeError:
            return FAILURE

    def writer(_: object) -> Callable[[str], None]:
        def write(text: str) -> None:
            if unread and read["Otters"].is_set():
                raise BrokenPipeError

        return write

    monkeypatch.setattr("app._writer", writer)

    def forwarded(arguments: list[str]) -> int | None:
        return forward(home, arguments, b"", said.append, said.append)

    said: list[str] = []
    first = remembering("Otters", main)
    assert reading.wait(30)
    assert forwarded(["recall", "otters"]) == 0
    assert "Otters are animals." in "".join(said)
    second = remembering("Bees", forwarded)
    while "Documents: 1" not in "".join(said):
        time.sleep(0.01)
    read["Otters"].set()
    while forwarded(["recall", "otters"]) is not None:
        time.sleep(0.01)
    assert first.is_alive()
    read["Bees"].set()
    for thread in (first, second):
        thread.join(30)
    assert statuses == {"Otters": FAILURE if unread else 0, "Bees": 0}


# --- as processes ---


def command(*arguments: str, **environment: str) -> Ran:
    ran = subprocess.run(
        [sys.executable, "app.py", *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
        umask=0o022,
    )
    return Ran(ran.returncode, ran.stdout, ran.stderr)


@pytest.fixture
def no_model() -> dict[str, str]:
    """Settings under which the model is a server that is not there, so that nothing is fetched."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return {"OPENAI_BASE_URL": f"http://127.0.0.1:{free.getsockname()[1]}/v1"}


@dataclass
class Server:
    """A running `serve`."""

    process: subprocess.Popen[str]
    address: str

    def end(self, how: int) -> int:
        self.process.send_signal(how)
        return self.process.wait(60)


@pytest.fixture
def server(home: Path, no_model: dict[str, str]) -> Iterator[Server]:
    # What runs in the background of a script ignores it, and so would its children.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(
        [sys.executable, "app.py", "serve", "--port", "0"],
        cwd=ROOT,
        env={**os.environ, **no_model, "LOREKEEPER_HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout
        line = process.stdout.readline()
        assert line.startswith("Lorekeeper is at http://127.0.0.1:"), process.stderr and process.stderr.read()
        yield Server(process, line.split()[-1])
        process.kill()


def test_a_command_works_with_no_server(no_model: dict[str, str]) -> None:
    ran = command("recall", "bees", **no_model)
    assert (ran.status, ran.out, ran.err) == (2, "", "Nothing is remembered for me.\n")


def test_what_is_kept_is_for_its_owner_alone(home: Path, no_model: dict[str, str]) -> None:
    assert command("status", **no_model).status == 0
    assert {path.name for path in home.rglob("*") if path.stat().st_mode & 0o077} == set()
    assert (home / "memory.db").exists()


def test_a_home_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for arguments in (["serve", "--port", "0"], ["recall", "bees"]):
        ran = command(*arguments, LOREKEEPER_HOME=str(tmp_path / "file" / "home"))
        assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
        assert "set LOREKEEPER_HOME" in ran.err


def test_a_setting_that_cannot_be_used_is_named() -> None:
    ran = command("status", LOREKEEPER_PUBLIC="perhaps")
    assert (ran.status, ran.err) == (2, "LOREKEEPER_PUBLIC is “perhaps”; set it to on or off.\n")


def test_a_model_file_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "model.gguf").touch()
    ran = command("ask", "Who?", LOREKEEPER_MODEL=str(tmp_path / "model.gguf"))
    assert ran.status == 2
    assert ran.err.count("\n") == 1
    assert "model.gguf" in ran.err


def test_an_embedding_model_that_is_not_there_is_named(tmp_path: Path) -> None:
    ran = command("recall", "bees", LOREKEEPER_EMBEDDINGS=str(tmp_path / "none"))
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "LOREKEEPER_EMBEDDINGS" in ran.err


@pytest.mark.usefixtures("server")
def test_commands_beside_a_server_are_forwarded_to_it(no_model: dict[str, str]) -> None:
    status = command("status", "--json", **no_model)
    assert status.status == 0
    assert status.value["memory"]["users"] == 0
    assert command("recall", "bees", **no_model).status == 2
    asked = command("ask", "Who?", **no_model)
    assert (asked.status, asked.err.count("\n")) == (1, 1)
    assert "cannot be reached" in asked.err
    second = command("serve", "--port", "0", **no_model)
    assert second.status == 2
    assert "already runs" in second.err


@pytest.mark.usefixtures("no_model")
def test_a_page_that_answers_has_loaded_nothing_that_it_does_not_need_yet(server: Server) -> None:
    urllib.request.urlopen(f"{server.address}/health", timeout=30).close()
    loaded = Path(f"/proc/{server.process.pid}/maps").read_text(encoding="utf-8")
    assert "/pydantic_core/" in loaded
    assert "/site-packages/torch/" not in loaded


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_server_ends_cleanly(server: Server, home: Path, no_model: dict[str, str], how: int) -> None:
    assert server.end(how) == 0
    assert server.process.stderr
    assert "Traceback" not in server.process.stderr.read()
    assert not (home / "socket").exists()
    assert command("recall", "bees", **no_model).status == 2  # the home is free again


def test_a_port_in_use_is_named(no_model: dict[str, str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = command("serve", "--port", str(port), **no_model)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == f"Port {port} is in use by another program; choose another with --port.\n"


def test_other_machines_are_let_in_only_with_a_password(no_model: dict[str, str]) -> None:
    ran = command("serve", "--host", "0.0.0.0", "--port", "0", **no_model)
    assert (ran.status, ran.out) == (2, "")
    assert "set LOREKEEPER_PASSWORD" in ran.err


def test_nobody_reading_is_no_error(no_model: dict[str, str]) -> None:
    line = f"{sys.executable} app.py kb list --json | head -c 1"
    ran = subprocess.run(
        ["bash", "-c", line], cwd=ROOT, env={**os.environ, **no_model}, capture_output=True, text=True, check=False
    )
    assert (ran.stdout, ran.stderr) == ("[", "")


def test_people_read_their_language_and_programs_the_same_in_every_one(run: Run, notes: Path) -> None:
    def german(*arguments: str) -> Ran:
        speak("de")
        return run(*arguments)

    def in_german(*arguments: str) -> Ran:
        return copy_context().run(german, *arguments)

    assert in_german("remember", notes.name).out.startswith("Gemerkt: thornquist.txt")
    assert "Wissensbasis" in in_german("kb", "list").out
    assert in_german("recall", "").err == (
        "Es gibt nichts zu suchen; schreib, wonach das Gedächtnis gefragt werden soll.\n"
    )
    for command in (("recall", "Thornquist", "--json"), ("kb", "list", "--json"), ("status", "--json")):
        assert in_german(*command).out == run(*command).out


def test_the_command_line_speaks_the_language_of_its_environment() -> None:
    def said(*arguments: str, **environment: str) -> str:
        command = [sys.executable, "app.py", *arguments]
        ran = subprocess.run(
            command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, check=False
        )
        return ran.stdout + ran.stderr

    german = {"LANG": "de_DE.UTF-8"}
    assert "eine Frage stellen" in said("--help", **german)
    assert said(LOREKEEPER_PUBLIC="perhaps", **german) == "LOREKEEPER_PUBLIC ist „perhaps“; setz es auf on oder off.\n"
    assert said(LOREKEEPER_PUBLIC="perhaps", LANG="ko_KR.UTF-8").startswith("LOREKEEPER_PUBLIC is")
