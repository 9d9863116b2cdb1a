"""Slips that a small language model makes in writing a program, mended before it runs.

It gives a function another name, takes the first letter of the name that `max` gave, or answers in words in place of a
program.
"""

import ast
from collections.abc import Sequence

from assistant.search.path import DESCRIBE, FOLLOW

_FUNCTIONS = frozenset((DESCRIBE, FOLLOW, "find_relationship"))
_VERBS = ("get_", "find_")
_DESCRIBED = 3  # entities


def mended(code: str, names: Sequence[str]) -> str:
    """The program without such slips; one that is words becomes what describes the `names` in the question."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # ValueError: a NUL byte
        return code if any(f"{function}(" in code for function in _FUNCTIONS) else _describing(names) or code
    if tree.body and not any(isinstance(node, ast.Call) for node in ast.walk(tree)):
        return _describing(names) or code
    mending = _Mending()
    tree = ast.fix_missing_locations(mending.visit(tree))
    if not mending.done:
        return code
    comment = [line for line in code.splitlines()[:1] if line.startswith("#")]
    return "\n".join([*comment, ast.unparse(tree)])


class _Mending(ast.NodeTransformer):
    """`done` tells whether anything was changed."""

    done = False

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id.startswith(_VERBS) and node.func.id not in _FUNCTIONS:
            node.func.id = FOLLOW if len(node.args) > 1 else DESCRIBE
            self.done = True
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        if not _is_one_of_names(node.value):
            return node
        self.done = True
        return node.value


def _is_one_of_names(node: ast.expr) -> bool:
    """Whether it is `max` or `min` of names by a key, which gives one of them, and no pair."""
    match node:
        case ast.Call(func=ast.Name(id="max" | "min"), keywords=[ast.keyword(arg="key", value=ast.Lambda() as key)]):
            compared = {argument.arg for argument in key.args.args}
            parts = (part.value for part in ast.walk(key.body) if isinstance(part, ast.Subscript))
            return not any(isinstance(part, ast.Name) and part.id in compared for part in parts)
    return False


def _describing(names: Sequence[str]) -> str:
    calls = [f"{DESCRIBE}([{name!r}])" for name in names[:_DESCRIBED]]
    return "\n".join([f"# {', '.join(names[:_DESCRIBED])}", *calls]) if calls else ""
