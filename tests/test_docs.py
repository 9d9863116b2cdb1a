"""The README cannot lie: its commands are accepted, its tree is the tree, its settings are those that are read."""

import re
import shlex
from collections.abc import Iterator, Mapping
from fnmatch import fnmatch
from pathlib import Path

import pytest

from assistant.commands.arguments import build_parser, read
from assistant.settings import Settings

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")


def section(title: str) -> str:
    match = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", README, re.MULTILINE | re.DOTALL)
    assert match, f"The README has no section {title!r}."
    return match[1]


def blocks(text: str) -> list[str]:
    return re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def command_lines() -> list[list[str]]:
    lines = [line for block in blocks(README) for line in block.splitlines() if "python app.py" in line]
    return [shlex.split(line.split("python app.py")[1].split(" <")[0], comments=True) for line in lines]


@pytest.mark.parametrize("arguments", command_lines(), ids=" ".join)
def test_a_command_of_the_readme_is_accepted(arguments: list[str]) -> None:
    assert read(arguments)["command"]


def test_every_command_is_in_the_readme() -> None:
    commands = next(iter(build_parser()._subparsers._group_actions)).choices  # type: ignore[union-attr]
    shown = {arguments[0] for arguments in command_lines() if arguments}
    assert set(commands or ()) == shown


def test_the_make_targets_are_those_of_the_makefile() -> None:
    phony = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.MULTILINE)
    assert phony
    told = set(re.findall(r"(?:^|`)make (\w+)", README, re.MULTILINE))
    assert told == set(phony[1].split())


class _Recorded(Mapping[str, str]):
    """An empty environment that knows what it was asked for."""

    def __init__(self) -> None:
        self.asked: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self.asked.add(name)
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def test_the_settings_table_is_what_the_settings_read() -> None:
    environment = _Recorded()
    Settings.from_environment(environment)
    assert set(re.findall(r"^\| `(\w+)`", section("Settings"), re.MULTILINE)) == environment.asked


def tree() -> dict[str, str]:
    """Path and description of each line of the README's tree; folders end in "/"."""
    paths: dict[str, str] = {}
    parents: list[str] = []
    for line in blocks(section("What is where"))[0].splitlines():
        name, _, description = line.strip().partition(" ")
        depth = (len(line) - len(line.lstrip())) // 2
        parents = [*parents[:depth], name]
        paths["".join(parents)] = description.strip()
    return paths


def test_everything_in_the_tree_is_there() -> None:
    assert [path for path in tree() if not any(ROOT.glob(path.rstrip("/")))] == []


def test_every_module_is_in_the_tree() -> None:
    drawn = tree()
    # A folder that is drawn with nothing in it stands for all that it holds.
    whole = tuple(p for p in drawn if p.endswith("/") and not any(q != p and q.startswith(p) for q in drawn))
    files = [
        f for p in ("assistant", "memory", "ui") for f in (ROOT / p).rglob("*") if f.suffix in (".py", ".css", ".js")
    ]
    names = sorted(f.relative_to(ROOT).as_posix() for f in files if f.name != "__init__.py")
    assert [n for n in names if not n.startswith(whole) and not any(fnmatch(n, p) for p in drawn)] == []


def test_every_line_of_the_tree_says_what_it_is() -> None:
    assert [path for path, description in tree().items() if not description] == []
