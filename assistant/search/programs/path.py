"""The path that a search program plans in its comment, and programs that stop short of it.

A small model plans better than it writes. "# Bill Hader > films > genre" is right, and the call below it follows the
first relation only, or asks for a description instead; or a name and a relation run together, as in "the Heat
director".
"""

import ast
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise, product

from assistant.search.programs.parsing import parsed
from assistant.stemming import roots
from memory.folding import fold
from memory.resolution import USER_NAMES

FOLLOW, DESCRIBE = "find_entity_or_value", "get_entity_info"
# A step that is no relation to follow, but something to compute from what was found.
_COMPUTED = re.compile(
    r"\b(?:count|number|sum|average|difference|larger|smaller|longer|shorter|older|younger|earlier|later|same|both|not"
    r"|one|\w+est|most|least|above|below|before|after|between|yes|no)\b|[<>=\d]"
    r"|[最较].?者|最.$|两者|数量|相[差除同]|共有|是|不[是含说会在]|[早晚多少大小高低]于|超过|以[上下内外]|之[前后]",
    re.IGNORECASE,
)
_OF_WHAT = re.compile(
    r"\b(?:what|who|which)\b(?: \w+)? the (?!(?:names?|titles?|labels?|kinds?|types?|lists?|rest|number)\b)"
    r"([a-z]+(?: [a-z]+)?) of (?:the|an?) (\w+) (?:that|where|which|whose|who|in|with)\b",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(r"in|of|by|at|on|for|to|with|from", re.IGNORECASE)  # no relation by itself
_FAMILY = 4  # letters that words of one family have in common
_MOST_STEPS = 8  # a small model may repeat a step without an end
_TOLD_BEHIND = re.compile(r"\s*[:：;；].*")  # a step, at times with what it was told that the last try came to
_HAN = "\u3400-\u9fff"
_CHINESE = f"(?:(?<=[{_HAN}])|(?=[{_HAN}]))"  # has no space between a name and what follows it
_POSSESSIVE = re.compile("(?<!目)的")  # Chinese relations are joined by it, and hardly any but 目的 has it in its name
# A relation between two of these, which the question says in so many words; 是, 什 and so on are of what it asks.
_LINK = re.compile(r"[》”\"]?的((?:目的|[^的是什哪谁怎几最和与跟]){2,12})(?=的)")
_ASKED = re.compile(r"的((?:目的|[^的是什哪谁怎几有在叫属多都吗？?，,。]){2,})")


def path(code: str) -> str:
    """The comment that a program begins with; empty where there is none."""
    first = code.splitlines()[0] if code else ""
    return first.lstrip("# ") if first.startswith("#") else ""


def is_computed(planned: str) -> bool:
    """Whether the last step of a path computes something from what was found, or there is none."""
    *before, last = planned.split(">")
    return not before or _COMPUTED.search(last) is not None


def completed(code: str, question: str = "", names: Iterable[str] = ()) -> str:
    """The program, with the relations of its path that its only call leaves out; a path without a call is one.

    `names` are the names in the question that a knowledge base has: the entity of the call is one of them where its own
    name begins or ends with one, is part of one, or does not stand in the question at all; but the user stays the user.
    """
    planned, *said = (step.strip() for step in path(code).split(">"))
    steps = [step for told in said if (step := _TOLD_BEHIND.sub("", told))]
    call = only_call(f"{FOLLOW}({[planned]!r})" if steps and "\n" not in code else code)
    given = [strings(argument) for argument in call.args] if call else []
    if not steps or len(steps) > _MOST_STEPS or not given or not all(given):
        return code
    entity, before = _known(given[0], question, list(names))
    spoken = [[part] for step in steps for part in _POSSESSIVE.split(step) if part]
    parts = [part for [part] in _told_by(entity[0], spoken, question)]
    asked = _own_names(_told_by(entity[0], given[1:], question))
    called = [aliases[0] for aliases in asked]
    own = {part for part in (*parts, *called) if _says(entity, part, given[0]) or _PREPOSITION.fullmatch(part)}
    parts = [part for part in parts if part not in own and part not in before]
    if any(_COMPUTED.search(part) for part in parts):
        return code
    parts += _left_off(parts, question)
    wanted = _as_asked([*before, *parts], entity[0], question)
    relations = [*([step] for step in before), *(aliases for aliases in asked if aliases[0] not in own)]
    repeats = len(relations) == len(wanted) and _repeats(relations) and not _repeats(wanted)
    if [entity, *relations] == given and len(relations) >= len(wanted) and not repeats:
        return code
    if repeats:
        relations = [[step] for step in wanted]  # the path has another step where the call repeats itself
    elif len(relations) < len(wanted):
        relations = [_aliases(step, wanted, relations) for step in wanted]
    return following([entity[0] if entity != given[0] else planned, *wanted], entity, relations)


def _told_by(entity: str, steps: Sequence[list[str]], question: str) -> Sequence[list[str]]:
    """The steps, without a first one that turns round the one behind it: "films directed by Ann" are what she directed,
    and not what a director of hers did."""
    told = re.search(rf"(\w+)(?: in)? by (?:the )?{re.escape(entity)}\b(?!['’]s)", question, re.IGNORECASE)
    if not told or len(steps) < 2:
        return steps
    first, second = (roots(step[0]) for step in steps[:2])
    meant = first & roots(question[told.end() :])  # "directed by the Heat director"
    return steps[1:] if roots(told[1]) & (second - first) and not meant else steps


def _own_names(steps: Sequence[list[str]]) -> list[list[str]]:
    """The steps without further names that are of the words of another step: "movies starred, screenwriter in" and
    "screenwriters, starring" are two steps, each with a name of the other's."""
    words = [roots(step[0]) for step in steps]
    others = [set().union(*(own for own in words if own is not mine)) for mine in words]
    return [
        [step[0], *(name for name in step[1:] if _kin(roots(name), mine) or not _kin(roots(name), further))]
        for step, mine, further in zip(steps, words, others, strict=True)
    ]


def _kin(some: Iterable[str], others: Iterable[str]) -> bool:
    """Whether a word of some is of the family of one of the others: "directed" and "director", "acted" and "actor"."""
    return any(
        one.startswith(other) or other.startswith(one) or one[:_FAMILY] == other[:_FAMILY]
        for one, other in product(some, others)
    )


def _left_off(steps: Sequence[str], question: str) -> list[str]:
    """What the question asks of the thing that the steps end at, where they leave it off: the capital of the country
    that Lahore belongs to."""
    asked = _OF_WHAT.search(question)
    ends_there = asked and steps and fold(steps[-1]) == fold(asked[2])
    return [asked[1]] if asked and ends_there and not any(fold(asked[1]) in fold(step) for step in steps) else []


def _repeats(steps: Sequence[object]) -> bool:
    return any(one == other for one, other in pairwise(steps))


def following(steps: Sequence[str], entity: Sequence[str], relations: Sequence[Sequence[str]]) -> str:
    """The program with the path `steps` that follows the relations from the entity, all given by their aliases."""
    return f"# {' > '.join(steps)}\n{call_of(entity, relations)}"


def call_of(entity: Sequence[str], relations: Sequence[Sequence[str]]) -> str:
    """The call that follows the relations from the entity, all given by their aliases."""
    return f"{FOLLOW}({', '.join(map(repr, [entity, *relations]))})"


def _as_asked(steps: Sequence[str], entity: str, question: str) -> list[str]:
    """The steps, and before them those that stand behind the entity in a Chinese question: 石猴的别名的师傅是谁."""
    start = question.find(entity)
    if start < 0:
        return list(steps)
    said, end = [], start + len(entity)
    while link := _LINK.match(question, end):
        said.append(link[1])
        end = link.end()
    if len(steps) > len(said):
        return list(steps)
    asked = _ASKED.match(question, end)
    last = [step for step in steps[-1:] if not any(step in link for link in said)] or ([asked[1]] if asked else [])
    return [*said, *last]


def _says(entity: Sequence[str], step: str, before: Sequence[str]) -> bool:
    """Whether a step is part of the entity's name, which was cut in two in `before`, and so no relation."""
    name = fold(entity[0])
    return name.endswith(fold(f"的{step}")) or (list(entity) != list(before) and _part_of(fold(step), name))


def _known(entity: list[str], question: str, names: Sequence[str]) -> tuple[list[str], list[str]]:
    """The entity under a name that is known, and the relation that its own name had in it beside that, if any."""
    known = [alias for alias in entity if fold(alias) in {fold(name) for name in names}]
    if known or not names or any(fold(alias) in USER_NAMES for alias in entity):
        return [*known, *(alias for alias in entity if alias not in known)], []
    longest_first = sorted(names, key=len, reverse=True)
    for name in longest_first:
        if _part_of(fold(entity[0]), fold(name)):
            return [name, *entity], []
        if (rest := _beside(name, entity[0])) and not rest[0].isupper():  # Nancy Soderberg is another than Nancy
            return [name], [] if _PREPOSITION.fullmatch(rest) else [rest]
    return (entity, []) if fold(entity[0]) in fold(question) else (longest_first[:1], [])


def _part_of(part: str, name: str) -> bool:
    """Whether the part is whole words of the name, or two Chinese characters of it or more."""
    return f" {part} " in f" {name} " or (part in name and re.search(f"[{_HAN}]{{2}}", part) is not None)


def _beside(name: str, mention: str) -> str:
    """What a mention has behind a name, or before one that is not Chinese: "director" for "the Heat director"."""
    whole = re.escape(name)
    behind = re.fullmatch(
        rf"(?:the\s+)?(?:{whole}(?:['’]s)?\b[\s的]*(.+)|{whole}{_CHINESE}的?(.+))", mention, re.IGNORECASE
    )
    before = re.fullmatch(rf"(?:the\s+)?(.+?)\s+(?:of|by|in)(?:\s+the)?\s+{whole}", mention, re.IGNORECASE)
    match = behind or before
    return next((group for group in match.groups() if group), "") if match else ""


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


def strings(argument: ast.expr) -> list[str]:
    """The names in a literal list, or in a literal; none where it is something else."""
    parts = argument.elts if isinstance(argument, ast.List | ast.Tuple) else [argument]
    texts = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return texts if len(texts) == len(parts) else []


def _aliases(step: str, steps: Sequence[str], given: Sequence[list[str]]) -> list[str]:
    """What the program itself calls a step, without what it calls the others."""
    own = next((names for names in given if fold(step) in map(fold, names)), [])
    others = [fold(other) for other in steps if other != step]
    return list(dict.fromkeys([step, *(name for name in own if not any(other in fold(name) for other in others))]))
