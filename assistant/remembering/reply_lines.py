"""What the lines of an extraction reply say: "subject|relation|object|object", some for each sentence.

Subject and relation are said once: a line without a subject has that of the line before, several objects share one
relation. That costs half the tokens of an object with three keys a fact.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory.folding import fold

PERSON = re.compile(r"\b(he|she|his|her|hers|him)\b|[他她]")
PRONOUN = re.compile(r"\b(he|she|it|they|his|her|hers|its|their|him|them|this|that|these|those)\b|[他她它其]")
IS = frozenset({"is", "was", "are", "were", "is a", "是", "为"})
ALSO_KNOWN_AS = frozenset({"also known as", "又名", "别名"})
_AND = frozenset({"and", "or", "和", "或"})
_RELATION_CHARACTERS = 60
_OF_A_KIND = re.compile(r"(?:(?:the|this|that) (?:\w+ )?)?(\w+)", re.IGNORECASE)
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_DATE = re.compile(
    rf"(?=.*\d)[\d,. ]*(?:{_MONTHS})[\d,. ]*|[\d〇一二三四五六七八九十]+[年月日][\d年月日〇一二三四五六七八九十]*"
)
_LAST_OF_SEVERAL = re.compile(r",? (?:and|or) |[和及与](?=[^、]+$)")
_TWO_NAMES = re.compile(r"([A-Z]\S* [A-Z][^,]*) and ([A-Z]\S* [A-Z][^,]*)")
_PREPOSITIONS = "in|of|by|for|as|with|to|at|on|from|into|under"
_OPEN = re.compile(rf"(?:.* )?(?:{_PREPOSITIONS})")  # a relation that waits for its object
_AUXILIARIES = "is|was|are|were|has|have|had|been|be|can|will|also|not|later|then"
_PHRASE = re.compile(rf"((?:(?:{_AUXILIARIES}) )*\S+(?: (?:{_PREPOSITIONS})\b)?) (.+)")


@dataclass(frozen=True, slots=True)
class Line:
    """One fact, said in the sentence with the index `sentence`."""

    sentence: int
    subject: str
    relation: str
    object: str


@dataclass(frozen=True, slots=True)
class Told:
    """What the reply to a sentence says: of whom, what about them, and its facts; `unread` lines are none."""

    subject: str
    topic: str
    lines: tuple[Line, ...]
    unread: int = 0


def read(replies: Sequence[Sequence[str]], sentences: Sequence[str]) -> list[Told]:
    """The replies to the sentences of a text, as many and in their order.

    Each reply may begin with what its sentence tells.
    """
    subjects = _Subjects()
    told = []
    for index, (strings, sentence) in enumerate(zip(replies, sentences, strict=True)):
        topic = " ".join(strings[0].split()) if strings and "|" not in strings[0] else ""
        facts = _Facts(index, " ".join(sentence.split()), subjects)
        for string in dict.fromkeys(strings[1:] if topic else strings):
            facts.read(string)
        told.append(Told(facts.subject or subjects.last, topic, tuple(facts.lines), facts.unread))
    return told


class _Facts:
    """The facts of one sentence, line by line; `subject` is whom the first of them is about."""

    def __init__(self, sentence: int, text: str, subjects: "_Subjects") -> None:
        self.subject = ""
        self.lines: list[Line] = []
        self.unread = 0
        self._sentence = sentence
        self._text = text
        self._subjects = subjects
        self._relation = ""
        self._waits = False  # the relation, for an object that the next line may bring

    def read(self, string: str) -> None:
        """Take in "subject|relation|object|object", or what a small model makes of it."""
        name, relation, values = self._parts([" ".join(part.split()) for part in string.split("|")])
        subject = self._subjects.meant(name)
        self.subject = self.subject or subject
        self._relation, self._waits = relation, not values
        objects = [value for part in values for value in _several(part) if fold(value) not in {"", fold(subject)}]
        if not subject or not objects or not 0 < len(relation) <= _RELATION_CHARACTERS:
            self.unread += 1
            return
        if fold(relation) in IS:
            self._subjects.kinds[subject] = fold(objects[0])
        self.lines += [Line(self._sentence, subject, relation, value) for value in objects]

    def _parts(self, parts: list[str]) -> tuple[str, str, list[str]]:
        """Subject, relation and objects of a line; what is left out is that of the line before."""
        if len(parts) == 1:
            return "", self._relation if self._waits else "", parts
        if len(parts) == 2:
            first, second = parts
            if not first or fold(first) in _AND:
                return "", self._relation, [second]
            if not self._subjects.is_name(first):
                return "", first, [second]
            phrase = None if _OPEN.fullmatch(second) else _PHRASE.fullmatch(second)
            return (first, phrase[1], [phrase[2]]) if phrase else (first, second, [])
        name, relation, *values = parts
        if fold(relation) in _AND:
            relation = "" if name else self._relation
        while len(values) > 1 and (longer := self._longer_relation(relation, *values[:2])):
            relation, values = longer, values[1:]
        return name, relation, values

    def _longer_relation(self, relation: str, first: str, second: str) -> str:
        """The relation with what is no object of its own but leads to the next one; empty where it is one.

        Several objects never follow each other with nothing between them: 叔叔|住在|苏州 is 叔叔住在苏州.
        """
        if _OPEN.fullmatch(first):
            return f"{relation} {first}"
        said = (between for between in ("", " ") if between.join((relation, first, second)) in self._text)
        return next((f"{relation}{between}{first}" for between in said), "") if relation else ""


def _several(objects: str) -> list[str]:
    """The items of "A, B and C" and two names; two other things, or a name with a comma, stay together."""
    if names := _TWO_NAMES.fullmatch(objects):
        return list(names.groups())
    head, *last = _LAST_OF_SEVERAL.split(objects) if objects.count(",") or "、" in objects else [objects]
    items = re.split(r"、|, ", head)
    return [item.strip(" ,") for item in (*items, *last)] if last or "、" in head else [objects]


class _Subjects:
    """Whom a line is about: nobody named is whoever the line before is about, "the film" the film named last.

    A date is nobody, and what is said of one is of no use.
    """

    def __init__(self) -> None:
        self.last = ""
        self.kinds: dict[str, str] = {}
        self._known: set[str] = set()

    def is_name(self, text: str) -> bool:
        """Whether a line that has but two parts begins with its subject; else with its relation."""
        return fold(text) in self._known or text[0].isupper()

    def meant(self, subject: str) -> str:
        """The subject that a line means; it is remembered for the lines after."""
        if not subject or PRONOUN.fullmatch(fold(subject)):
            return self.last
        if _DATE.fullmatch(subject):
            return ""
        kind = _OF_A_KIND.fullmatch(subject)
        if kind and fold(subject) not in self._known:
            alike = [name for name, held in self.kinds.items() if f" {fold(kind[1])} " in f" {held} "]
            subject = alike[-1] if alike else subject
        self._known.add(fold(subject))
        self.last = subject
        return subject
