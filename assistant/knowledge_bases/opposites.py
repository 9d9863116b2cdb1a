"""Names of relations that are near to each other in words, and opposite in what they mean.

The cosine of "date of birth" and "date of death" is 0.94, that of "follows" and "followed by" 0.95: embeddings of names
tell what is spoken of, and not which end of it is meant (KnowledGPT, section 3.2.4, takes the nearest).
"""

import re
from functools import cache, lru_cache

from assistant.stemming import stem
from memory.folding import fold

# Relations from either end, where both ends can be of one kind. A name is told by all of it, or by its last word.
_TWO_ENDS = """
father, mother, parent, 父亲, 母亲, 父母 / son, daughter, child, children, 儿子, 女儿, 子女, 孩子
grandfather, grandmother, grandparent / grandson, granddaughter, grandchild, grandchildren
teacher, mentor, advisor, 老师, 师傅, 师父, 导师 / student, pupil, disciple, 学生, 徒弟, 弟子
boss, manager, employer, 上司, 上级 / subordinate, employee, 下属, 下级
predecessor, prequel, 前任, 前作, 上一集 / successor, sequel, 继任, 续作, 下一集
follows, preceded by / followed by, precedes
replaces / replaced by
influenced by, inspired by / influenced, inspired
part of, member of / has part, parts, member
owned by, owner / owns
parent company, parent organization, 母公司 / subsidiary, 子公司
killed by, killer / killed, victim
"""
# What is one thing or the other, from whichever end it is seen: any word of a name, any part of a Chinese one.
_CONTRARY = """
birth, birthplace, birthday, born, 出生, 生日 / death, died, deceased, 逝世, 去世, 死亡
start, begin, beginning, 开始, 起点 / end, ending, 结束, 终点
highest, maximum, 最高, 最大 / lowest, minimum, 最低, 最小
father, son, husband, brother, uncle, nephew / mother, daughter, wife, sister, aunt, niece
父亲, 儿子, 丈夫, 兄弟 / 母亲, 女儿, 妻子, 姐妹
主队 / 客队
source, 源头 / mouth, 河口
seller, 卖家 / buyer, 买家
winner / loser
"""
_OF = ("of",)
_HAN = re.compile("[\u3400-\u9fff]")
_CACHED_NAMES = 20_000

Words = tuple[str, ...]
Half = tuple[int, bool]  # the line of a table, and whether it is the first half of it


def opposed(asked: str, name: str, *, outgoing: bool) -> bool:
    """Whether a relation called `name` means the opposite of the one `asked` for.

    `outgoing` where it is seen from its subject; its object is at the other end.
    """
    wanted, seen = _end(_words(asked)), _end(_words(name))
    if wanted and seen and wanted[0] == seen[0]:
        if (wanted == seen) != outgoing:
            return True
        if not outgoing:  # whose father he is are his sons
            return False
    sides = _sides(name)
    return any((line, not first) in sides for line, first in _sides(asked))


@lru_cache(_CACHED_NAMES)
def _end(words: Words) -> Half | None:
    if end := _two_ends().get(words) or _two_ends().get(words[-1:]):
        return end
    if words[-1:] == _OF and (end := _end(words[:-1])):  # whose student somebody is, is the teacher
        return end[0], not end[1]
    return None


@lru_cache(_CACHED_NAMES)
def _sides(name: str) -> frozenset[Half]:
    """The halves of the table of which the name has a word; of a line of which it has both, neither."""
    words = _words(name)
    text = "".join(words)
    sides = {half for phrase, half in _contrary().items() if phrase in (text if _HAN.match(phrase) else words)}
    return frozenset(half for half in sides if (half[0], not half[1]) not in sides)


@lru_cache(_CACHED_NAMES)
def _words(name: str) -> Words:
    return tuple(stem(word) for word in fold(name.replace("_", " ")).split())


def _halves(table: str) -> list[tuple[str, Half]]:
    lines = enumerate(table.strip().splitlines())
    halves = [(half, (number, not place)) for number, line in lines for place, half in enumerate(line.split("/"))]
    return [(phrase.strip(), told) for half, told in halves for phrase in half.split(",")]


@cache
def _two_ends() -> dict[Words, Half]:
    return {_words(phrase): half for phrase, half in _halves(_TWO_ENDS)}


@cache
def _contrary() -> dict[str, Half]:
    return {phrase if _HAN.match(phrase) else stem(phrase): half for phrase, half in _halves(_CONTRARY)}
