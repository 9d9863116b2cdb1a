"""Programs as trees, which are neither so long nor so deep that whoever walks them would not come to an end."""

import ast
import threading

MOST_CHARACTERS = 20_000
_DEEPEST = 100  # nodes within nodes; a walk takes some of Python's stack for each
_one_at_a_time = threading.Lock()  # Python 3.11 counts the depth of all threads' trees together, and stumbles over it


def parsed(code: str) -> ast.Module:
    """The tree of a program.

    Raises:
        SyntaxError: it is no Python, longer than `MOST_CHARACTERS`, or nested too deeply.
    """
    if len(code) > MOST_CHARACTERS:
        raise SyntaxError(f"the program has {len(code):,} characters, {MOST_CHARACTERS:,} are the most")
    try:
        with _one_at_a_time:
            tree = ast.parse(code)
    except (ValueError, RecursionError, MemoryError) as error:  # ValueError: a NUL byte, or a number without an end
        raise SyntaxError(str(error) or "nested too deeply") from None
    level: list[ast.AST] = [tree]
    for _ in range(_DEEPEST):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return tree
    raise SyntaxError("nested too deeply")
