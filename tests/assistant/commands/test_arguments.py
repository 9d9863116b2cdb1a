"""What the command line accepts, and the one line for what it does not."""

from datetime import datetime

import pytest

from assistant.commands.arguments import read


def refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as exit_:
        read(arguments)
    assert exit_.value.code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    return printed.err


@pytest.mark.parametrize("arguments", [[], ["--port", "8000"], ["serve", "--host", "localhost"]])
def test_no_command_opens_the_page(arguments: list[str]) -> None:
    assert read(arguments)["command"] == "serve"


def test_a_question_comes_with_its_choices() -> None:
    options = read(["ask", "Who?", "--kb", "world", "--kb", "personal", "--strategy", "program", "--json"])
    assert options["question"] == "Who?"
    assert options["kb"] == ["world", "personal"]
    assert options["json"] is True


def test_knowledge_base_commands_name_their_action() -> None:
    options = read(["kb", "add", "films", "films.tsv", "--language", "en,zh"])
    assert options["command"] == "kb add"
    assert options["language"] == ["en", "zh"]
    assert read(["kb", "list"])["command"] == "kb list"


def test_a_day_is_a_time_on_this_machine() -> None:
    since = read(["forget", "--since", "2026-11-21"])["since"]
    assert since == datetime(2026, 11, 21).astimezone()
    assert read(["forget", "--until", "2026-11-21"])["until"] == since


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["dance"], "invalid choice: 'dance'"),
        (["ask"], "QUESTION"),
        (["ask", "Who?", "--strategy", "luck"], "luck"),
        (["recall", "x", "-k", "0"], "“0” is not a number of at least 1"),
        (["forget"], "say what to forget: --fact, --source, --entity, --since, --until or --all"),
        (["forget", "--all", "--fact", "3"], "not allowed with"),
        (["forget", "--all", "--until", "2026-11-21"], "--until goes with --since"),
        (["forget", "--since", "yesterday"], "“yesterday” is not a time such as 2026-11-21"),
        (["export", "file", "--format", "docx"], "docx"),
        (["kb", "add", "films"], "FILE"),
        (["kb", "add", "films", "films.ttl", "--endpoint", "http://localhost/sparql"], "--endpoint"),
        (["kb", "add", "films", "--endpoint", "http://localhost/sparql", "--format", "turtle"], "--format goes with"),
        (["bandit", "--pin", "paths"], "“paths” is not a strategy (program, sparql, subgraph, paths), a comma and"),
        (["bandit", "--pin", "paths,poem"], "“paths,poem” is not a strategy"),
        (["bandit", "--reset", "--json"], "not allowed with"),
        (["serve", "--port", "http"], "“http” is not a port"),
        (["serve", "--port", "99999"], "“99999” is not a port"),
    ],
)
def test_a_mistake_is_named_in_one_line(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert told in refused(arguments, capsys)


def test_a_pair_is_pinned_by_its_names() -> None:
    assert read(["bandit"])["pin"] is None
    assert read(["bandit", "--pin", "paths,triples"])["pin"] == ("paths", "triples")
    assert read(["bandit", "--pin", "none"])["pin"] == ()
