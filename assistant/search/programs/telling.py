"""The value of a program that has none of its own: that of its last line, what this prints, or what it stores."""

import ast
from collections.abc import Sequence

from assistant.search.programs.parsing import parsed

# Methods of lists, sets and dictionaries that give nothing themselves.
_CHANGING = frozenset({"append", "extend", "insert", "add", "update", "remove", "discard", "sort", "reverse"})
_KEPT = "kept"  # by what is added to a program
# What a statement stores, and nothing where it did not come to it.
_STORED = f"try:\n    {_KEPT} = {{}}\nexcept NameError:\n    {_KEPT} = None\n{_KEPT}"


def with_value(code: str) -> str:
    """The program with a value of its own: that of its last line, what this tells, or what it stores.

    Raises:
        SyntaxError: see `parsed`.
    """
    tree = parsed(code)
    if not tree.body:
        return code
    if _told_by_functions(tree):
        code = ast.unparse(tree)
    *before, last = tree.body
    match last:
        case ast.FunctionDef(name=name, args=ast.arguments(args=[])):
            return f"{code}\n{name}()"
        case ast.Expr() if printed := _printed(last):
            return ast.unparse(ast.Module([*before, ast.Expr(printed)], []))
        case ast.Expr() if not _changed([last]):
            return code
    telling = _Telling()
    told = telling.visit(last)
    if telling.found:
        kept = ast.Name(_KEPT)
        return ast.unparse(ast.Module([*before, ast.Assign([kept], ast.List([]), lineno=0), told, ast.Expr(kept)], []))
    changed = _changed([last])
    return f"{code}\n{_STORED.format(ast.unparse(changed[-1]))}" if changed else code


def _told_by_functions(tree: ast.Module) -> bool:
    """Have functions return what they print last, and a script's `main()` called as its last line; whether any was."""
    changed = False
    for function in tree.body:
        if isinstance(function, ast.FunctionDef) and (printed := _printed(function.body[-1])):
            function.body[-1], changed = ast.Return(printed), True
    match tree.body:
        case [*before, ast.If(test=ast.Compare(left=ast.Name(id="__name__")), body=body)]:
            tree.body, changed = [*before, *body], True
    return changed


def _printed(statement: ast.stmt) -> ast.expr | None:
    """What a statement prints, as one value; None where it is no `print`."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Name(id="print"), args=arguments)):
            match said := _said(arguments):
                case [ast.Starred(value=value)] | [value]:
                    return value
            return ast.List(said)
    return None


def _said(arguments: list[ast.expr]) -> list[ast.expr]:
    """What is printed, without the words around it."""
    values = [one for one in arguments if not (isinstance(one, ast.Constant) and isinstance(one.value, str))]
    return values or arguments


class _Telling(ast.NodeTransformer):
    """Has what a statement prints, or within its blocks merely names, kept as a list."""

    found = False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        if _changed([node]):
            return node
        self.found = True
        match node.value:
            case ast.Call(func=ast.Name(id="print"), args=arguments):
                told = _said(arguments)
            case value:
                told = [value]
        return ast.AugAssign(ast.Name(_KEPT), ast.Add(), ast.List(told))


def _changed(statements: Sequence[ast.stmt]) -> list[ast.expr]:
    """What the statements store in or add to, in their order; not what they loop over, nor what functions do."""
    changed: list[ast.expr] = []
    for statement in statements:
        match statement:
            case ast.FunctionDef() | ast.ClassDef():
                continue
            case ast.Assign(targets=[*_, target]) | ast.AugAssign(target=target):
                changed.append(_container(target))
            case ast.AnnAssign(target=target, value=ast.expr()):
                changed.append(target)
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=target, attr=method))) if method in _CHANGING:
                changed.append(_container(target))
        for block in ("body", "orelse", "finalbody"):
            changed += _changed(getattr(statement, block, []))
    return changed


def _container(stored: ast.expr) -> ast.expr:
    """`d` for `d[key]` and for `d.setdefault(key, [])`."""
    match stored:
        case ast.Subscript(value=inner) | ast.Call(func=ast.Attribute(value=inner)):
            return _container(inner)
    return stored
