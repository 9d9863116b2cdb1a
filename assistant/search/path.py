"""The path that a search program plans in its comment, and programs that stop short of it.

A small model plans better than it writes: "# Bill Hader > films > genre" is right, and the call below it follows the
first relation only, or asks for a description instead.
"""

import ast
import re

from memory.folding import fold

_FOLLOW, _DESCRIBE = "find_entity_or_value", "get_entity_info"
# A step that is no relation to follow, but something to compute from what was found.
_COMPUTED = re.compile(
    r"\b(?:count|number|sum|average|difference|larger|smaller|longer|shorter|older|younger|earlier|later|same|both|not"
    r"|one|\w+est|most|least|above|below|before|after|between|yes|no)\b|[<>=\d]|最|者|数|不|是否|之[前后]|[以早晚]",
    re.IGNORECASE,
)


def path(code: str) -> str:
    """The comment that a program begins with; empty where there is none."""
    first = code.splitlines()[0] if code else ""
    return first.lstrip("# ") if first.startswith("#") else ""


def completed(code: str) -> str:
    """The program, with the relations of its path that its only call leaves out."""
    entity, *steps = (step.strip() for step in path(code).split(" > "))
    call = _only_call(code)
    if call is None or not steps or any(_COMPUTED.search(step) for step in steps):
        return code
    given = [_strings(argument) for argument in call.args[1:]]
    if len(given) >= len(steps) or not all(given):
        return code
    relations = [_aliases(step, steps, given) for step in steps]
    arguments = [ast.unparse(call.args[0]) if call.args else repr([entity]), *map(repr, relations)]
    return f"# {path(code)}\n{_FOLLOW}({', '.join(arguments)})"


def _only_call(code: str) -> ast.Call | None:
    try:
        body = ast.parse(code).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # ValueError: a NUL byte
        return None
    if len(body) != 1 or not isinstance(body[0], ast.Expr) or not isinstance(body[0].value, ast.Call):
        return None
    call = body[0].value
    known = isinstance(call.func, ast.Name) and call.func.id in {_FOLLOW, _DESCRIBE}
    return call if known and not call.keywords else None


def _strings(argument: ast.expr) -> list[str]:
    """The names in a literal list, or in a literal; none where it is something else."""
    parts = argument.elts if isinstance(argument, ast.List | ast.Tuple) else [argument]
    texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return texts if len(texts) == len(parts) else []


def _aliases(step: str, steps: list[str], given: list[list[str]]) -> list[str]:
    """What the program itself calls a step, without what it calls the others."""
    own = next((names for names in given if fold(step) in map(fold, names)), [])
    others = [fold(other) for other in steps if other != step]
    return list(dict.fromkeys([step, *(name for name in own if not any(other in fold(name) for other in others))]))
