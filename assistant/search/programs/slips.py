"""Slips that a small language model makes in writing a program, mended before it runs.

It gives a function another name, takes the first letter of the name that `max` gave, takes the larger year for the
older of two, looks for "euro" where "Euro" is found, asks about Spain where the question is about Austria, writes 柞川
for 栎川, asks what "the motto of Harrow" is like, hands over a method, which is no value in Monty, repeats what it was
told of the last try, or answers in words in place of a program.
"""

import ast
import re
from collections.abc import Sequence, Set

from assistant.knowledge_bases.record import NOTHING_FOUND
from assistant.search.programs.parsing import parsed, parsed_expression
from assistant.search.programs.path import DESCRIBE, FOLLOW, strings
from memory.folding import fold
from memory.resolution import USER_NAMES

_RELATE = "find_relationship"
_FUNCTIONS = frozenset((DESCRIBE, FOLLOW, _RELATE))
_VERBS = ("get", "find")
_ENTITY = re.compile("entity|info|description|value|all")
_DESCRIBED = 3  # entities
_LEAST_OF_NEAR = 3  # characters
_TOLD = f": {NOTHING_FOUND}"  # of a relation, in the message about the last try
_NUMERAL = re.compile(r"[一二三四五六七八九十百千万\d]")
_ARTICLE = re.compile(r"^(?:the|an?) ", re.IGNORECASE)
# What a name tells of something else: the founder of Microsoft, 微软的创始人.
_TOLD_BY, _TELLS = re.compile(r"\b(?:of|in|by|from|with)\s+(?:the\s+)?$", re.IGNORECASE), re.compile(r"的|['’]s\b")
_EARLIER = re.compile(r"\b(?:old|eld|earli)(?:er|est)\b|\bfirst\b|[更较最]早|先|年长", re.IGNORECASE)
_LATER = re.compile(r"\b(?:young|lat|new)(?:er|est)\b|\blast\b|\bmost recent|[更较最]晚|年轻|年幼", re.IGNORECASE)


def mended(code: str, names: Sequence[str], question: str) -> str:
    """The program without such slips; one that is words becomes what describes the `names` in the question."""
    code = code.replace(_TOLD, "")
    try:
        tree = parsed(code)
    except SyntaxError:
        return code if any(f"{function}(" in code for function in _FUNCTIONS) else _describing(names) or code
    if tree.body and all(_is_said(statement) for statement in tree.body):
        return _describing(names) or code
    own = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and _is_set(node)}
    mending = _Mending(own, names, question)
    tree = ast.fix_missing_locations(mending.visit(tree))
    comment = [line for line in code.splitlines()[:1] if line.startswith("#")]
    if elsewhere := _asking_elsewhere(tree, names, question):
        known = names[0]
        comment = [re.sub(r"^#[^>]*?(?=\s*(?:>|$))", f"# {known}", line) for line in comment]
        for call in elsewhere:
            call.args[0] = ast.List([ast.Constant(known)], ast.Load())
    elif not mending.done:
        return code
    return "\n".join([*comment, ast.unparse(tree)])


def _asking_elsewhere(tree: ast.AST, names: Sequence[str], question: str) -> list[ast.Call]:
    """The searches of a program that asks about one thing which the question does not name, and not about the only
    known one that it does.

    None where the question may mean something that is told by the name, as the founder of Microsoft is.
    """
    searches = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args and _called(node)]
    given = [(call, aliases) for call in searches if (aliases := strings(call.args[0]))]
    if len(names) != 1 or not given or any(aliases != given[0][1] for _, aliases in given):
        return []
    before, _, behind = question.partition(names[0])
    told_by_it = _TOLD_BY.search(before) or _TELLS.match(behind)
    own, said = {*USER_NAMES, fold(names[0])}, fold(question)
    meant = any(fold(alias) in own or any(word in said for word in fold(alias).split()) for alias in given[0][1])
    joins_two = any(_called(call) == _RELATE for call in searches)
    return [] if told_by_it or meant or joins_two else [call for call, _ in given]


def _called(call: ast.Call) -> str:
    """Which of the functions that search it calls; empty for any other."""
    return call.func.id if isinstance(call.func, ast.Name) and call.func.id in _FUNCTIONS else ""


def _is_said(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant | ast.Name | ast.Tuple)


def _is_set(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


def end_of_time(question: str) -> str:
    """Which year the question asks for: `min` for the earlier, `max` for the later, nothing where it does not say."""
    earlier, later = bool(_EARLIER.search(question)), bool(_LATER.search(question))
    return "" if earlier == later else "min" if earlier else "max"


class _Mending(ast.NodeTransformer):
    """`own` are functions of the program's own, `names` are known and stand in the question; `done` tells whether
    anything was changed."""

    def __init__(self, own: Set[str], names: Sequence[str], question: str) -> None:
        self._own = own
        self._names = names
        self._question = question
        self._by_year = end_of_time(question)  # which of `min` and `max` of years
        self.done = False

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        for keyword in node.keywords:  # max(sizes, key=sizes.get)
            if keyword.arg == "key" and isinstance(keyword.value, ast.Attribute):
                self.done = True
                keyword.value = parsed_expression(f"lambda item: {ast.unparse(keyword.value)}(item)")
        if isinstance(node.func, ast.Name) and name in ("min", "max") and self._by_year and _compares_years(node):
            self.done |= name != self._by_year
            node.func.id = self._by_year
            return node
        if name in _FUNCTIONS and node.args:
            self._name_as_known(node)
        verb, _, what = name.partition("_")
        if verb not in _VERBS or not what or name in _FUNCTIONS or name in self._own or not node.args:
            return node
        self.done = True
        if len(node.args) == 1 and not _ENTITY.search(what):  # get_population(["Peru"])
            node.args.append(ast.List([ast.Constant(what.replace("_", " "))], ast.Load()))
        node.func = ast.Name(FOLLOW if len(node.args) > 1 else DESCRIBE, ast.Load())
        return node

    def _name_as_known(self, call: ast.Call) -> None:
        for part in ast.walk(call.args[0]):
            if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value not in self._question:
                known = next((name for name in self._names if one_character_off(part.value, name)), part.value)
                self.done |= known != part.value
                part.value = known
        told = [parts for alias in strings(call.args[0]) if (parts := _told_of(alias, self._names))]
        if _called(call) == DESCRIBE and len(told) == 1 and len(call.args) == 1:
            self.done = True
            known, relation = told[0]
            call.func = ast.Name(FOLLOW, ast.Load())
            call.args = [ast.List([ast.Constant(text)], ast.Load()) for text in (known, relation)]

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Compare(
                left=ast.Call(func=ast.Name(id="year")),
                ops=[ast.Lt() | ast.Gt() as written],
                comparators=[ast.Call(func=ast.Name(id="year"))],
            ) if self._by_year:
                asked = ast.Lt() if self._by_year == "min" else ast.Gt()
                self.done |= type(asked) is not type(written)
                node.ops = [asked]
            case ast.Compare(
                left=ast.Constant(value=str() as named),
                ops=[ast.In() | ast.NotIn()],
                comparators=[ast.Call() as found],
            ) if _called(found) == FOLLOW:
                self.done = True
                node.left = ast.Constant(named.lower())
                node.comparators = [parsed_expression(f"[text.lower() for text in {ast.unparse(found)}]")]
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        first = isinstance(node.slice, ast.Constant) and node.slice.value == 0
        if not first or not _is_one_of_names(node.value):
            return node
        self.done = True
        return node.value


def one_character_off(written: str, name: str) -> bool:
    """Whether a name is written with one other ideograph: a small model takes a rare one for another."""
    if len(written) != len(name) or len(name) < _LEAST_OF_NEAR or _NUMERAL.search(name):
        return False
    differing = [pair for pair in zip(written, name, strict=True) if pair[0] != pair[1]]
    return len(differing) == 1 and all("\u3400" <= character <= "\u9fff" for character in differing[0])


def _told_of(alias: str, names: Sequence[str]) -> tuple[str, str] | None:
    """The known name that something is told of, and what is: "the motto of Harrow", 哈罗公学的校训."""
    for name in names:
        if (behind := alias.removeprefix(f"{name}的")) not in (alias, ""):
            return name, behind
        if (before := alias.removesuffix(f" of {name}").removesuffix(f" of the {name}")) != alias:
            return name, _ARTICLE.sub("", before)
    return None


def _compares_years(call: ast.Call) -> bool:
    """Whether it is `max` or `min` by a key that is a year."""
    match call.keywords:
        case [ast.keyword(arg="key", value=ast.Lambda(body=ast.Call(func=ast.Name(id="year"))))]:
            return True
    return False


def _is_one_of_names(node: ast.expr) -> bool:
    """Whether it is `max` or `min` of names by a key, which gives one of them, and no pair."""
    match node:
        case ast.Call(
            func=ast.Name(id="max" | "min"),
            args=[names],
            keywords=[ast.keyword(arg="key", value=ast.Lambda() as key)],
        ) if not isinstance(names, ast.List) or all(isinstance(name, ast.Constant) for name in names.elts):
            compared = {argument.arg for argument in key.args.args}
            parts = (part.value for part in ast.walk(key.body) if isinstance(part, ast.Subscript))
            return not any(isinstance(part, ast.Name) and part.id in compared for part in parts)
    return False


def _describing(names: Sequence[str]) -> str:
    calls = [f"{DESCRIBE}([{name!r}])" for name in names[:_DESCRIBED]]
    return "\n".join([f"# {', '.join(names[:_DESCRIBED])}", *calls]) if calls else ""
