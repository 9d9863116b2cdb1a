"""The bank of questions and search programs, `prompts/banks/programs.md`.

Markdown: a heading is a kind of question, a line a question, and what is indented below it its program.
"""

import ast
from functools import cache
from pathlib import Path

from assistant.search.examples import Example
from assistant.search.programs.parsing import parsed
from memory.folding import fold
from memory.resolution import USER_NAMES

_BANK = Path(__file__).resolve().parents[3] / "prompts" / "banks" / "programs.md"
_INDENT = "    "


@cache
def program_examples() -> tuple[Example, ...]:
    """All examples of the bank, in its order."""
    return tuple(parse(_BANK.read_text(encoding="utf-8")))


def parse(text: str) -> list[Example]:
    """The examples in a bank's Markdown; what stands above the first heading of a kind is not read.

    Raises:
        ValueError: a question has no program, or a program no question.
    """
    examples: list[Example] = []
    kind = question = ""
    for block in text.split("\n\n"):
        if block.startswith("## "):
            kind = block.removeprefix("## ").strip()
        elif not kind or not block.strip():
            continue
        elif not block.strip("\n").startswith(_INDENT):
            if question:
                raise ValueError(f"{question!r} has no program.")
            question = block.strip()
        elif not question:
            raise ValueError(f"This program has no question: {block.strip()!r}.")
        else:
            code = "\n".join(line.removeprefix(_INDENT) for line in block.strip("\n").splitlines())
            examples.append(Example(question, code, kind, named_in(code)))
            question = ""
    if question:
        raise ValueError(f"{question!r} has no program.")
    return examples


def named_in(code: str) -> tuple[str, ...]:
    """What a program names: all its strings but relations, and but what the user is called."""
    try:
        nodes = list(ast.walk(parsed(code)))
    except SyntaxError:
        return ()
    relations = {
        part
        for call in nodes
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "find_entity_or_value"
        for argument in call.args[1:]
        for part in ast.walk(argument)
    }
    strings = (node.value for node in nodes if isinstance(node, ast.Constant) and node not in relations)
    return tuple(dict.fromkeys(s for s in strings if isinstance(s, str) and fold(s) not in USER_NAMES))
