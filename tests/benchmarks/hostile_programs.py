"""Hostile search programs and queries, put together at random from building blocks and ways to use them.

A block makes something that grows without bound, ends never, or cannot be written down; a use puts that where the
product has to take it: into a call, a value, a loop, an error. Numbers are drawn, so that no list of favourites is met.
"""

import random
from collections.abc import Callable, Mapping

from tests.benchmarks.hostile_cases import Case

Make = Callable[[random.Random], str]
_FUNCTIONS = ("get_entity_info", "find_entity_or_value", "find_relationship")
_NAMES = ("Peru", "Lima", "Kenya", "Österreich", "秘鲁", "me", "Ada", "x")
_ODD = ("\ud800", "\0", "\u202e", "\u0301", "'\"\\", "<|im_end|>", "%s", "{}", "\U0001f600", "、", "(", "ﷺ")
_BRACKETS = (("(", ")"), ("[", "]"), ("-", ""), ("[x for x in ", "]"))
_RELATIONS = ("capital", "population", "neighbour", "部首", "currency", "kind")


def _name(draw: random.Random) -> str:
    return repr(draw.choice(_NAMES))


def _large(draw: random.Random, low: int, high: int) -> int:
    """A size, as likely in each order of magnitude."""
    return int(10 ** draw.uniform(len(str(low)) - 1, len(str(high)) - 1))


def _nested(draw: random.Random, opening: str, closing: str, inner: str) -> str:
    depth = _large(draw, 10, 10000) // max(len(opening) + len(closing), 1)
    return opening * depth + inner + closing * depth


# Each sets `a`, or never comes to it.
BLOCKS: Mapping[str, Make] = {
    "shared list": lambda d: f"a = [{_name(d)}]\nfor _ in range({d.randint(18, 60)}):\n    a = [a, a]",
    "shared tuple": lambda d: f"a = ({_name(d)},)\nfor _ in range({d.randint(18, 60)}):\n    a = (a, a, a)",
    "shared dictionary": lambda d: (
        f"a = {{'k': {_name(d)}}}\nfor _ in range({d.randint(18, 50)}):\n    a = {{'x': a, 'y': a}}"
    ),
    "shared text": lambda d: f"t = {_name(d)} * {_large(d, 1000, 1000000)}\na = [t] * {_large(d, 100, 100000)}",
    "itself": lambda d: d.choice(
        ["a = []\na.append(a)", "a = {}\na['a'] = a", "a = [1]\nb = [a, a]\na.append(b)\na = [a, b]"]
    ),
    "deep list": lambda d: f"a = [{_name(d)}]\nfor _ in range({_large(d, 100, 100000)}):\n    a = [a]",
    "deep mixture": lambda d: (
        f"a = {_name(d)}\nfor n in range({_large(d, 100, 100000)}):\n    a = [a] if n % 2 else {{'d': a}}"
    ),
    "many names": lambda d: f"a = [str(n) + {_name(d)} for n in range({_large(d, 1000, 100000)})]",
    "long name": lambda d: f"a = {_name(d)} * {_large(d, 1000, 1000000)}",
    "long words": lambda d: f"a = ' '.join([{_name(d)}] * {_large(d, 1000, 100000)})",
    "odd name": lambda d: f"a = {d.choice(_ODD)!a} * {_large(d, 1, 10000)}",
    "huge number": lambda d: f"a = {d.randint(2, 99)} ** {_large(d, 1000, 100000)}",
    "growing number": lambda d: f"a = {d.randint(3, 99)}\nfor _ in range({d.randint(20, 60)}):\n    a = a * a",
    "odd number": lambda d: (
        "a = "
        + d.choice(
            ["float('inf')", "float('nan')", "-0.0", "1j", "1e308", "-1e-320", "True", "None", "...", "1 << 9999"]
        )
    ),
    "odd value": lambda d: (
        "a = "
        + d.choice(
            ["b'abc' * 99999", "print", "lambda: 1", "ValueError('x' * 99999)", "int", "range(10 ** 12)", "{1, 2, 'x'}"]
        )
    ),
    "object": lambda d: (
        "class A:\n    pass\na = A()\n" + d.choice(["a.own = a", "a.b = [A()] * 9999", "a.name = 'n' * 99999"])
    ),
    "growing text": lambda d: f"a = {_name(d)}\nwhile len(a) < {_large(d, 10000, 1000000000)}:\n    a = a + a",
    "growing list": lambda d: f"a = [{_name(d)}]\nwhile len(a) < {_large(d, 10000, 1000000000)}:\n    a = a + a",
    "endless loop": lambda d: d.choice(
        ["n = 0\nwhile True:\n    n = n + 1", "while True:\n    pass", "for n in range(10 ** 15):\n    a = n"]
    ),
    "endless calls": lambda d: (
        f"a = []\nwhile True:\n    a = {d.choice(_FUNCTIONS[:1])}([{_name(d)}])\n"
        if d.random() < 0.5
        else f"a = []\nwhile True:\n    try:\n        a = find_entity_or_value([{_name(d)}], [{_name(d)}])\n"
        "    except Exception:\n        pass"
    ),
    "endless recursion": lambda d: (
        f"def f(x):\n    return f([x, x])\n{d.choice(['a = f(1)', 'a = [f(n) for n in range(9)]'])}"
    ),
    "slow comparison": lambda d: (
        f"b = [1]\nc = [1]\nfor _ in range({d.randint(25, 60)}):\n    b = [b, b]\n    c = [c, c]\na = b == c"
    ),
    "slow product": lambda d: f"a = sum(x * y for x in range({_large(d, 1000, 100000)}) for y in range(9999))",
    "slow sorting": lambda d: f"a = sorted([n * 7919 % 10007 for n in range({_large(d, 1000, 1000000)})])",
    "backtracking": lambda d: (
        f"import re\na = re.{d.choice(['match', 'search', 'findall'])}('({d.choice(['a+', 'a|a', '(a*)*'])})+$', "
        f"'a' * {d.randint(20, 5000)} + 'b')"
    ),
    "format": lambda d: f"a = {d.choice(['f', ''])}'{{1:>{_large(d, 1000, 1000000000)}}}'",
    "formatted": lambda d: f"a = '{d.choice('%>')}{_large(d, 1000, 1000000000)}d' % 1",
    "sleep": lambda d: f"import time\ntime.sleep({_large(d, 1, 100000)})\na = 1",
    "deep code": lambda d: f"a = {_nested(d, *d.choice(_BRACKETS), '1')}",
    "long code": lambda d: (
        "a = " + d.choice(["1 + ", "a.a or ", "a[0] or ", "not ", "1, "]) * (_large(d, 10, 10000) // 4) + "1"
    ),
    "digits": lambda d: f"a = {'9' * _large(d, 1000, 10000)}",
    "redefined": lambda d: (
        f"{d.choice(['len', 'str', 'isinstance', 'UNREAD', 'first', 'number'])} = "
        f"{d.choice(['lambda *x: 10 ** 9999', '[[]] * 99999', 'None'])}\na = [number('x'), {_name(d)}]"
    ),
    "printing": lambda d: f"a = {_name(d)}\nwhile True:\n    print(a * {_large(d, 10, 10000)})",
    "numbers read": lambda d: f"a = [number(str(n) * {_large(d, 1, 1000)}) for n in range({_large(d, 100, 10000)})]",
}  # fmt: skip

# Each uses what the block, its first part, has set.
USES: Mapping[str, Callable[[random.Random, str], str]] = {
    "value": lambda d, block: f"{block}\na",
    "nothing": lambda d, block: block,
    "entity": lambda d, block: f"{block}\nget_entity_info(a)",
    "from": lambda d, block: f"{block}\nfind_entity_or_value(a, [{d.choice(_RELATIONS)!r}])",
    "relation": lambda d, block: f"{block}\nfind_entity_or_value([{_name(d)}], a)",
    "relations": lambda d, block: f"{block}\nfind_entity_or_value([{_name(d)}], *[a] * {_large(d, 10, 10000)})",
    "related": lambda d, block: f"{block}\nfind_relationship(a, a)",
    "keyword": lambda d, block: f"{block}\nfind_entity_or_value(entity=[{_name(d)}], relation=[a])",
    "wrapped": lambda d, block: f"{block}\nfind_entity_or_value([[a], [{_name(d)}, [a]]], [{d.choice(_RELATIONS)!r}])",
    "printed": lambda d, block: f"{block}\nprint(a)",
    "printed apart": lambda d, block: f"{block}\nfor x in [a, a]:\n    print('It is', x)",
    "raised": lambda d, block: f"{block}\nraise ValueError(str(a))",
    "caught": lambda d, block: f"try:\n{_indented(block)}\nexcept Exception as e:\n    a = [e, str(e)]\na",
    "function": lambda d, block: f"def search():\n{_indented(block)}\n    return a\nsearch()",
    "main": lambda d, block: f"def main():\n{_indented(block)}\n    print(a)\nif __name__ == '__main__':\n    main()",
    "loop": lambda d, block: (
        f"found = []\nfor n in range({_large(d, 2, 1000)}):\n{_indented(block)}\n    found.append(a)\nfound"
    ),
    "loop of calls": lambda d, block: (
        f"{block}\nfor n in range({_large(d, 10, 1000)}):\n    try:\n        find_entity_or_value(a, a)\n"
        "    except Exception:\n        pass\na"
    ),
    "key": lambda d, block: f"{block}\nd = {{str(a): a}}\nd",
    "stored": lambda d, block: f"{block}\nkept = [a]\nfor _ in range(9):\n    kept.append(kept[-1])",
    "set": lambda d, block: f"{block}\n{{str(a), 1}}",
    "compared": lambda d, block: f"{block}\nmax([a, a], key=number)",
    "year": lambda d, block: f"{block}\nyear(a) + number(a)",
    "joined": lambda d, block: f"{block}\n', '.join([str(a)] * {_large(d, 1, 10000)})",
}  # fmt: skip


def _indented(block: str) -> str:
    return "\n".join(f"    {line}" for line in block.splitlines())


def programs(seed: int, count: int) -> list[Case]:
    """So many programs, each of at most 20,000 characters; every block comes in turn, its use is drawn."""
    draw = random.Random(seed)
    made: list[Case] = []
    blocks, uses = list(BLOCKS), list(USES)
    while len(made) < count:
        kind, use = blocks[len(made) % len(blocks)], draw.choice(uses)
        text = USES[use](draw, BLOCKS[kind](draw))
        made.append(Case(f"{len(made)} {kind}, {use}", kind, text[:20_000]))
    return made


_NODE = "?s ?p ?o"


def _triple(draw: random.Random) -> str:
    return " ".join(draw.choice([f"?{letter}{draw.randint(0, 9)}" for letter in "abc"]) for _ in range(3))


def _product(draw: random.Random) -> str:
    return " . ".join(f"?a{n} ?b{n} ?c{n}" for n in range(draw.randint(3, 9)))


def _grown(draw: random.Random) -> str:
    times, steps = draw.randint(2, 12), draw.randint(5, 60)
    how = draw.choice(["CONCAT({0})", "REPLACE(?x, '.', CONCAT({0}))", "STR(CONCAT({0}))"])
    binds = [how.format(", ".join(["?x"] * times)).replace("?x", f"?x{n}") for n in range(steps)]
    return "BIND('abc' AS ?x0) " + " ".join(f"BIND({bind} AS ?x{n + 1})" for n, bind in enumerate(binds))


QUERY_BLOCKS: Mapping[str, Make] = {
    "product": lambda d: f"SELECT * {{ {_product(d)} }}",
    "counted product": lambda d: f"SELECT (COUNT({d.choice(['*', 'DISTINCT ?a0'])}) AS ?n) {{ {_product(d)} }}",
    "sorted product": lambda d: f"SELECT * {{ {_product(d)} }} ORDER BY {d.choice(['?c0 DESC(?c1)', 'RAND()'])}",
    "distinct product": lambda d: f"SELECT DISTINCT * {{ {_product(d)} }}",
    "path": lambda d: (
        f"SELECT * {{ ?a {d.choice(['(<a:b>|!<a:b>)*', '(<a:b>|!<a:b>|^<a:b>|^!<a:b>)+', '(!<a:b>/!<a:b>)*'])} ?b }}"
    ),
    "paths": lambda d: (
        "SELECT * { " + " . ".join(f"?v{n} (<a:b>|!<a:b>)* ?v{n + 1}" for n in range(d.randint(2, 9))) + " }"
    ),
    "long path": lambda d: f"SELECT * {{ ?a {'/'.join(['(<a:b>|!<a:b>)?'] * (_large(d, 10, 10000) // 20 + 2))} ?b }}",
    "values": lambda d: (
        "SELECT * { "
        + " ".join(
            f"VALUES ?x{n} {{ {' '.join(str(m) for m in range(_large(d, 10, 1000)))} }}" for n in range(d.randint(1, 5))
        )
        + " }"
    ),
    "regex": lambda d: (
        f"SELECT * {{ {_NODE} FILTER(REGEX(STR(?o), "
        f"'{d.choice(['(a+)+$', '(.*)' * d.randint(2, 300), '((a{1,999}){1,999}){1,99}', '(?:a|a)*b'])}')) }}"
    ),
    "grown text": lambda d: f"SELECT ?x5 {{ {_grown(d)} }}",
    "grown cells": lambda d: f"SELECT * {{ {_NODE} {_grown(d)} }}",
    "deep groups": lambda d: f"SELECT * {_nested(d, '{', '}', _NODE)}",
    "deep brackets": lambda d: f"ASK {{ FILTER({_nested(d, '(', ')', 'true')}) }}",
    "deep signs": lambda d: f"ASK {{ FILTER({'!' * _large(d, 10, 10000)}true) }}",
    "deep blanks": lambda d: f"SELECT * {{ {_nested(d, '[ <a:b> ', ' ]', '?x')} <a:b> ?y }}",
    "deep selects": lambda d: f"SELECT * {_nested(d, '{ SELECT * ', ' }', '{ ' + _NODE + ' }')}",
    "long sum": lambda d: f"SELECT ({'1 + ' * (_large(d, 10, 10000) // 4)}1 AS ?n) {{}}",
    "unions": lambda d: "SELECT * { " + " UNION ".join([f"{{ {_NODE} }}"] * (_large(d, 10, 10000) // 15)) + " }",
    "optionals": lambda d: (
        "SELECT * { " + "".join(f"OPTIONAL {{ {_triple(d)} }} " for _ in range(d.randint(3, 400))) + "}"
    ),
    "not exists": lambda d: (
        f"SELECT * {{ {_product(d)} FILTER({d.choice(['NOT ', ''])}EXISTS {{ ?a0 ?x ?y . ?z ?w ?c1 }}) }}"
    ),
    "aggregates": lambda d: (
        f"SELECT (GROUP_CONCAT(?o; separator='{'x' * _large(d, 1, 10000)}') AS ?n) (SUM(?o) AS ?m) {{ {_product(d)} }}"
    ),
    "many columns": lambda d: (
        "SELECT " + " ".join(f"?v{n}" for n in range(_large(d, 100, 1000))) + f" {{ {_product(d)} }}"
    ),
    "elsewhere": lambda d: (
        f"SELECT * {{ {d.choice(['SERVICE', 'SERVICE SILENT', 'service'])} <http://127.0.0.1:{d.randint(1, 65535)}/x> "
        f"{{ {_NODE} }} }}"
    ),
    "update": lambda d: d.choice(
        ["DROP ALL", "CLEAR ALL", "INSERT DATA { <a:a> <a:b> 1 }", "LOAD <file:///etc/x>", "DELETE WHERE { ?a ?b ?c }"]
    ),
    "from a file": lambda d: f"SELECT * FROM <file:///etc/{d.choice(['passwd', 'hosts'])}> {{ {_NODE} }}",
    "long name": lambda d: f"SELECT * {{ ?a <http://e.org/{'x' * _large(d, 100, 10000)}> ?b }}",
    "dotted name": lambda d: f"SELECT * {{ ?a {'a.' * (_large(d, 100, 10000) // 2)} ?b }}",
    "long text": lambda d: (
        f"SELECT * {{ ?a ?b '''{d.choice(['x', chr(39) + chr(34), 'a ']) * _large(d, 100, 10000)}''' }}"
    ),
    "odd characters": lambda d: (
        "SELECT * { ?a ?b " + "".join(d.choice(["\0", "\u202e", "'", '"', "<", "\\u0022", "#", "}"]) for _ in range(99))
    ),
    "much text": lambda d: f"SELECT * {{ {_NODE} }} #{'x' * _large(d, 10000, 1000000)}",
}  # fmt: skip


def queries(seed: int, count: int) -> list[Case]:
    """So many queries; every block comes in turn, and some are wrapped in another group or limited."""
    draw = random.Random(seed)
    made: list[Case] = []
    blocks = list(QUERY_BLOCKS)
    while len(made) < count:
        kind = blocks[len(made) % len(blocks)]
        text = QUERY_BLOCKS[kind](draw)
        if text.startswith("SELECT *") and draw.random() < 0.3:
            text = f"SELECT * {{ {{ {text} }} }} LIMIT {_large(draw, 1, 1000000)}"
        made.append(Case(f"{len(made)} {kind}", kind, text))
    return made
