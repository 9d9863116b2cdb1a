"""The path that a search program plans in its comment, and the program that follows it."""

import ast
import json
from collections.abc import Iterable, Iterator, Sequence

from assistant.search.programs.bank import named_in
from assistant.search.programs.parsing import parsed
from memory.folding import fold

FOLLOW, DESCRIBE = "find_entity_or_value", "get_entity_info"
_SIGN = " > "
_OF_ALL = frozenset({"len", "max", "min", "sorted", "sum"})
# A program that plans a path from one of the names, and follows it.
_GRAMMAR = r"""
root ::= "# " name (" > " step){1,4} "\n" "find_entity_or_value([" quoted "]" (", [" word (", " word)? "]"){1,4} ")"
step ::= [^>\n]{1,40}
word ::= "\"" [^"\\\n]{1,40} "\""
"""


def path_grammar(names: Iterable[str]) -> str:
    """The GBNF of the programs that plan a path from one of the `names` and follow it."""
    shown = [json.dumps(name, ensure_ascii=False) for name in names]
    quoted = [json.dumps(name, ensure_ascii=False) for name in shown]
    return f"{_GRAMMAR.strip()}\nname ::= {' | '.join(shown)}\nquoted ::= {' | '.join(quoted)}"


def path(code: str) -> str:
    """The comment that a program begins with; empty where there is none."""
    first = code.splitlines()[0] if code else ""
    return first.lstrip("# ") if first.startswith("#") else ""


def steps(code: str) -> list[str]:
    """The path that a program begins with: what it starts from, and what it follows; one empty where there is none."""
    return [step.strip() for step in path(code).replace("->", ">").split(">")]


def following(way: Sequence[str], entity: Sequence[str], relations: Sequence[Sequence[str]]) -> str:
    """The program with the path `way` that follows the relations from the entity, all given by their aliases."""
    return f"# {_SIGN.join(way)}\n{FOLLOW}({', '.join(map(repr, [entity, *relations]))})"


def describing(names: Sequence[str]) -> str:
    """The program that has what is called so described."""
    return "\n".join([f"# {', '.join(names)}", *(f"{DESCRIBE}({[name]!r})" for name in names)])


def is_program(code: str) -> bool:
    """Whether a text calls anything, and is no mere words."""
    try:
        return any(isinstance(node, ast.Call) for node in ast.walk(parsed(code)))
    except SyntaxError:
        return False


def counts(code: str) -> bool:
    """Whether a program counts or ranks what it finds, and not only to choose what it goes on with: where it begins
    with one of these, that counts as well."""
    try:
        nodes = _computing(parsed(code))
    except SyntaxError:
        return False
    return any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _OF_ALL for node in nodes
    )


def _computing(node: ast.AST) -> Iterator[ast.AST]:
    """A node and those in it, without conditions and functions."""
    yield node
    conditions = node.ifs if isinstance(node, ast.comprehension) else [getattr(node, "test", None)]
    for child in ast.iter_child_nodes(node):
        if child not in conditions and not isinstance(child, ast.Lambda):
            yield from _computing(child)


def is_about_others(code: str, question: str) -> bool:
    """Whether a program names things, and none that stands in the question: a small model takes one for another."""
    named, asked = named_in(code), fold(question)
    return bool(named) and not any(fold(name) in asked for name in named)


def only_call(code: str) -> ast.Call | None:
    """The call of which a program consists, if it follows relations or describes an entity and has no keywords."""
    try:
        body = parsed(code).body
    except SyntaxError:
        return None
    if len(body) != 1 or not isinstance(body[0], ast.Expr) or not isinstance(body[0].value, ast.Call):
        return None
    call = body[0].value
    known = isinstance(call.func, ast.Name) and call.func.id in {FOLLOW, DESCRIBE}
    return call if known and not call.keywords else None


def followed(code: str) -> list[list[str]]:
    """The names in each argument of the only call of a program: of what it begins with, then of each relation; none
    where the program has another form, or names nothing there."""
    call = only_call(code)
    given = [strings(argument) for argument in call.args] if call else []
    return given if all(given) else []


def strings(argument: ast.expr) -> list[str]:
    """The names in a literal list, or in a literal; none where it is something else."""
    parts = argument.elts if isinstance(argument, ast.List | ast.Tuple) else [argument]
    texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return texts if len(texts) == len(parts) else []
