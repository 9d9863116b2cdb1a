"""Concept recognition: which entities of a graph a text names (KnowGPT, section 2: the sets Q_s and Q_t).

Names and texts are compared by the stems of their words without function words, so that "the revolving doors" names the
entity "revolve door"; where one is spelled as the text has it, that one is meant: "universe" is no "university". The
index lies in arrays, some 40 bytes a name.
"""

import re
import unicodedata
from array import array
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from assistant.knowledge_bases.graph import Graph, Numbers
from assistant.stemming import root
from memory.folding import STOP_WORDS, fold
from memory.resolution import USER_NAMES
from memory.spelling import Word, words_of

_LONGEST = 20  # words of a name looked for in a text, or characters where it is Chinese
_NAMESAKES = 3  # entities that one phrase stands for: "house" and "your house" are two nodes of ConceptNet
_EMPTY = {"more", "than", "most", "many", "much", "there", "here"}  # in small letters they name nothing by themselves
_LOOKED_AT = 1000  # namesakes, for those that are spelled as the text has it
_STRETCH = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]|[^\s\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+")
_NO_USER = re.compile(r"\w,? [A-Z]\w+ $|[(（自]$")  # a capitalised word, but at the beginning of a sentence: "Am I …"
_BEGINNING = re.compile(r"(?:^|[.!?])\W*$")
_WITHIN_A_NAME = re.compile(r"\s|['’-]|(?<=\b[^\W\d_])\.\s?")  # a dot only behind an initial


def stems(text: str) -> list[str]:
    """The stems of all words of a text."""
    return [root(word) for word in fold(text).split()]


@cache
def function_stems() -> frozenset[str]:
    """The stems of words that name nothing by themselves."""
    return frozenset(map(root, (*STOP_WORDS, "some", "this", "these", "those")))


@dataclass(frozen=True, slots=True)
class Concept:
    """A phrase of a text and the entities that it names, the most connected first; never none."""

    phrase: str
    entities: tuple[int, ...]


class Concepts:
    """The index of a graph's names; never changes once made."""

    def __init__(self, graph: Graph) -> None:
        """Reads every name of the graph: about a second for 100,000."""
        self.graph = graph
        self._numbers: dict[str, int] = {}
        spellings: list[str] = []
        words, starts, keys = array("i"), array("q", [0]), array("q")
        for name in graph.names:
            spelled = fold(name).split()
            parts = [root(word) for word in spelled]
            for word, part in zip(spelled, parts, strict=True):
                if part not in self._numbers:
                    self._numbers[part] = len(spellings)
                    spellings.append(word)
            keys.append(_key(parts))
            words.extend(self._numbers[part] for part in parts)
            starts.append(len(words))
        keys.extend(_key(stems(alias)) for alias in graph.aliases)
        self.stems: Sequence[str] = list(self._numbers)  # of the entities' names, in the order of their numbers
        self.spellings: Sequence[str] = spellings  # a word that has each of the stems
        self._words: Numbers = np.array(words, np.int32)
        self._starts: NDArray[np.int64] = np.array(starts, np.int64)
        unordered = np.array(keys, np.int64)
        self._texts: Numbers = np.argsort(unordered, kind="stable").astype(np.int32)  # names, and after them aliases
        self._keys: NDArray[np.int64] = unordered[self._texts]

    def number(self, stem: str) -> int | None:
        """The number of a stem, None where no entity has it in its name."""
        return self._numbers.get(stem)

    def frequent(self) -> NDArray[np.int64]:
        """The numbers of all stems, those first that stand in the most names."""
        counts = np.bincount(self._words, minlength=len(self.spellings))
        frequent: NDArray[np.int64] = np.argsort(-counts, kind="stable")
        return frequent

    def words_of(self, entities: Numbers) -> tuple[Numbers, NDArray[np.int64]]:
        """The numbers of the stems of the entities' names, one after the other, and how many each name has."""
        lengths = self._starts[entities.astype(np.int64) + 1] - self._starts[entities]
        firsts = np.cumsum(lengths) - lengths
        places = np.arange(int(lengths.sum())) + np.repeat(self._starts[entities] - firsts, lengths)
        return self._words[places], lengths

    def in_text(self, text: str, most: int) -> list[Concept]:
        """What a text names, the longest name at each place; of more than `most`, those with the fewest neighbours.

        A name begins and ends with a word that is no function word; a Chinese one is not made of such alone. A part of
        a longer proper name is only what is spelled just so: Marie Curie is none of the Mari. "I" is whoever is called
        so, and a word besides.
        """
        found: dict[tuple[int, ...], Concept] = {}
        text = unicodedata.normalize("NFC", text)
        words = _words(text)
        of_names, of_users = _of_proper_names(text, words), _of_users(text, words)
        position = 0
        while position < len(words):
            match = next(self._named_at(words, position, of_names, of_users), None)
            if match and match[1] == position + 1 and _is_empty(text, words[position]):
                match = None
            if match is None:
                position += 1
                continue
            entities, end = match
            found.setdefault(entities, Concept(text[words[position].start : words[end - 1].end], entities))
            position = end
        degrees = self.graph.degrees(np.array([entities[0] for entities in found], np.int32))
        rarest = np.argsort(degrees, kind="stable")[:most]
        named = list(found.values())
        return [named[index] for index in sorted(rarest.tolist())]

    def of_answer(self, answer: str) -> Concept | None:
        """The entity that a candidate answer is: all of it, or else its head noun, or else some part.

        Phrases are headed by their end, English ones with "of" by the end of what stands before it: by as much of it as
        names an entity.
        """
        words = fold(answer).split()
        before_of = words[: words.index("of")] if "of" in words[1:] else words
        ends = (before_of[start:] for start in range(len(before_of)))
        for wanted in (words, *(end for end in ends if has_content(end))):
            if entities := self.called(wanted):
                return Concept(answer, entities)
        parts_named = self.in_text(answer, 1)
        return Concept(answer, parts_named[0].entities) if parts_named else None

    def called(self, words: Sequence[str], *, just_so: bool = False) -> tuple[int, ...]:
        """The entities of this name but for function words, the most connected first; `words` are folded.

        Those that are spelled `just_so`, but for an ending "s"; where there are none, those whose words have the same
        stems.
        """
        if not words:
            return ()
        key = _key([root(word) for word in words])
        first, last = np.searchsorted(self._keys, key, "left"), np.searchsorted(self._keys, key, "right")
        texts = self._texts[first:last].tolist()
        spelled, some = _content(words), texts[:_LOOKED_AT]
        alike = [text for text in some if self._spelled(text) == spelled]
        if just_so and not alike:
            alike = [text for text in some if _is_plural(spelled, self._spelled(text))]
        owners = np.unique(np.array([self._owner(text) for text in (alike if alike or just_so else texts)], np.int32))
        connected = owners[np.argsort(-self.graph.degrees(owners), kind="stable")]
        return tuple(connected[:_NAMESAKES].tolist())

    def _named_at(
        self, words: Sequence[Word], start: int, of_names: Collection[int], of_users: Collection[int]
    ) -> Iterator[tuple[tuple[int, ...], int]]:
        """What is named by the words from `start` on, and where that ends, the longest first."""
        keys = [word.key for word in words[start : start + _LONGEST]]
        for length in range(len(keys), 0, -1) if not _is_dropped(root(keys[0])) else ():
            run = keys[:length]
            if _is_dropped(root(run[-1])) or not has_content(run):
                continue
            if run[0] in USER_NAMES and length == 1 and start not in of_users:
                continue
            if entities := self.called(run, just_so=length == 1 and start in of_names):
                yield entities, start + length
        if start in of_users and (user := self._user(keys[0])):
            yield user, start + 1

    def _user(self, name: str) -> tuple[int, ...]:
        """Who is called by that word and by another one for the user; elsewhere "I" may be a letter, or iodine."""
        called = self.called([name], just_so=True)
        return tuple(entity for entity in called if len(self._names_of(entity) & USER_NAMES) > 1)

    def _names_of(self, entity: int) -> set[str]:
        aliases = np.flatnonzero(self.graph.alias_owners == entity).tolist()
        return {fold(self.graph.names[entity]), *(fold(self.graph.aliases[alias]) for alias in aliases)}

    def _spelled(self, text: int) -> list[str]:
        return _content(fold(self._text(text)).split())

    def _text(self, text: int) -> str:
        names = len(self.graph)
        return self.graph.names[text] if text < names else self.graph.aliases[text - names]

    def _owner(self, text: int) -> int:
        names = len(self.graph)
        return text if text < names else int(self.graph.alias_owners[text - names])


def _before(text: str, word: Word) -> str:
    """The end of what stands before a word."""
    return text[max(0, word.start - 40) : word.start]


def _is_empty(text: str, word: Word) -> bool:
    return word.key in _EMPTY and (text[word.start].islower() or _BEGINNING.search(_before(text, word)) is not None)


def _is_plural(words: Sequence[str], of: Sequence[str]) -> bool:
    return len(of) == 1 and list(words) in ([f"{of[0]}s"], [f"{of[0]}es"])


def _words(text: str) -> list[Word]:
    """The words of the folded text, and the places in `text` where they stand."""
    found = _folded(text, words_of(text))
    if [word.key for word in found] == fold(text).split():
        return found
    # Signs that are folded to letters (℃, ™), or stressed letters: whole stretches of text stand for their words.
    return _folded(text, [Word("", match.start(), match.end()) for match in _STRETCH.finditer(text)])


def _folded(text: str, found: Sequence[Word]) -> list[Word]:
    return [Word(part, w.start, w.end) for w in found for part in fold(text[w.start : w.end]).split()]


def _of_users(text: str, words: Sequence[Word]) -> set[int]:
    """The places in `words` of those by which users speak of themselves: not the "I" of Elizabeth I, nor 我 in 我们."""
    return {
        place
        for place, word in enumerate(words)
        if word.key in USER_NAMES and word.key != "user"
        if not _NO_USER.search(_before(text, word))
        if text[word.end : word.end + 1] not in {")", "）", "们", "国"}
    }


def _of_proper_names(text: str, words: Sequence[Word]) -> set[int]:
    """The places in `words` of those within a name of several capitalised ones; none in a text that has only such."""
    begins = [text[word.start] for word in words]
    if not any(letter.islower() for letter in begins):
        return set()
    capital = [letter.isupper() and has_content([w.key]) for letter, w in zip(begins, words, strict=True)]
    pairs = [
        place
        for place in range(len(words) - 1)
        if capital[place] and capital[place + 1]
        if _WITHIN_A_NAME.fullmatch(text, words[place].end, words[place + 1].start)
    ]
    return {*pairs, *(place + 1 for place in pairs)}


def has_content(words: Sequence[str]) -> bool:
    """Whether some of these folded words is no function word."""
    return not function_stems().issuperset(map(root, words))


def _content(words: Sequence[str]) -> list[str]:
    return [word for word in words if not _is_dropped(root(word))] or list(words)


def _is_dropped(part: str) -> bool:
    """Whether a stem does not count in a name. Chinese ones do, each being half of some word: 和田, 目的."""
    return part.isascii() and part in function_stems()


def _key(parts: Sequence[str]) -> int:
    """What names with the same words, but for function words, have in common; 64 bits, so that others hardly do."""
    content = [part for part in parts if not _is_dropped(part)] or list(parts)
    digest = blake2b(" ".join(content).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
