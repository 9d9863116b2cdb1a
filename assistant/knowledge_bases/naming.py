"""Which names that knowledge bases know stand in a text, also where no capital letter shows them.

Questions are typed in lower case, and Chinese has no case and no spaces: there only whoever knows the names can tell
them. Since nearly every word is the name of something ("Director" is a film), words that questions are worded with are
no names by themselves, unless they stand in quotation marks (《兄弟》); and where a text writes names with capital
letters, a word without is the name of what is written so (neon, not the town of Best).
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Protocol, runtime_checkable

from rapidfuzz.distance import Prefix

from assistant.errors import KnowledgeBaseUnreachable
from assistant.knowledge_bases.base import Deadline, KnowledgeBase
from assistant.stemming import stem
from memory.folding import STOP_WORDS, fold

_HAN = "\u3400-\u9fff\uf900-\ufaff"
_TOKEN = re.compile(rf"[{_HAN}]|[^\W_{_HAN}]+")
_ONLY_HAN = re.compile(rf"[{_HAN}]+")
_STEM, _ENDING = 4, 2  # letters: those that two forms of a name share at least, and those that may differ
_LIKEST = 3  # things that are called alike
_INFLECTED, _INFLECTED_WORDS = 8, 2  # phrases that are looked at for it, and the words of one
_LONGEST = 24  # tokens: words, or characters of Chinese
# A character that is asked about as such: 汭的部首, 请问员字的五笔.
_CHARACTER = re.compile(rf"(?:^|(?<=[^\w])|(?<=请问)|(?<=知道)|(?<=告诉我))[{_HAN}](?=字?的)")
_QUOTED = re.compile(
    r"(?<=《)[^《》]+(?=》)|(?<=〈)[^〈〉]+(?=〉)|(?<=“)[^“”]+(?=”)|(?<=「)[^「」]+(?=」)|(?<=『)[^『』]+(?=』)|(?<=\")[^\"]+(?=\")"
)
_BEHIND_HYPHEN, _BEFORE_HYPHEN = re.compile(r"[-‐‑](\w)"), re.compile(r"\b(\w)\w*[-‐‑]$")
_INNER = re.compile(r"(?<=[^\s.!?]\s)(?!I\b)[^\W\d_]")  # the first letter of a word, but for a sentence's first and I
_OPENED = re.compile(r"[(（][^)）]*$")


@runtime_checkable
class NameIndex(Protocol):
    """A knowledge base that has an index of the names of its entities."""

    def known(self, phrases: Sequence[str], deadline: Deadline) -> Mapping[str, Set[str]]:
        """Those of the phrases that are an entity's name or alias, whatever their case and accents, with how it is
        written in the knowledge base.

        Raises:
            KnowledgeBaseUnreachable: it cannot be read in time.
        """


class Wording:
    """What questions are worded with: the words of some, out of which the names have been taken."""

    def __init__(self, anonymized: Iterable[str]) -> None:
        texts = [re.sub(r"\[[A-Z_]+_\d+\]", " ", text).lower() for text in anonymized]
        self._stems = {stem(word) for text in texts for word in _TOKEN.findall(text)}
        self._chinese = "\n".join(text for text in texts if _ONLY_HAN.search(text))

    def __contains__(self, phrase: str) -> bool:
        """Whether nothing in the phrase is particular: all its words are wording; Chinese, that it stands in one."""
        if _ONLY_HAN.fullmatch(phrase):
            return phrase in self._chinese
        words = _TOKEN.findall(phrase.lower())
        return all(word in STOP_WORDS or word.isdigit() or stem(word) in self._stems for word in words)


def names_in(
    text: str, knowledge_bases: Sequence[KnowledgeBase], wording: Wording, deadline: Deadline
) -> tuple[str, ...]:
    """The names that stand in `text`, as they are written there; of those that overlap, the longest.

    Where it has none, those that stand there in another case, as Кении does for Кения. A knowledge base that cannot be
    read in time is left out.
    """
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    spans = [span for span in _spans(text) if text[slice(*span)] not in wording] + quoted
    phrases = list(dict.fromkeys(text[start:end] for start, end in spans))
    written: dict[str, set[str]] = defaultdict(set)
    for kb in knowledge_bases:
        if isinstance(kb, NameIndex):
            try:
                for phrase, forms in kb.known(phrases, deadline).items():
                    written[phrase] |= forms
            except KnowledgeBaseUnreachable:
                continue
    in_capitals = any(letter[0].isupper() for letter in _INNER.finditer(text))
    known = {
        phrase
        for phrase, forms in written.items()
        if not (in_capitals and phrase.islower() and _TOKEN.fullmatch(phrase) and phrase not in forms)
    }
    if not known:
        capital = [phrase for phrase in phrases if phrase[:1].isupper() and len(phrase.split()) <= _INFLECTED_WORDS]
        looked_at = capital[:_INFLECTED]
        known = {name for name in looked_at if any(_has_inflected(kb, name, text, deadline) for kb in knowledge_bases)}
    taken: list[tuple[int, int]] = []
    for start, end in sorted(spans, key=lambda span: span[0] - span[1]):
        if (
            text[start:end] in known
            and not _is_cut(text, start, end, known)
            and all(end <= first or start >= last for first, last in taken)
        ):
            taken.append((start, end))
    return tuple(dict.fromkeys(text[start:end] for start, end in sorted(taken)))


def _has_inflected(kb: KnowledgeBase, phrase: str, text: str, deadline: Deadline) -> bool:
    """Whether something there is called as the phrase is but for its last letters."""
    if not isinstance(kb, NameIndex):
        return False
    try:
        return any(_is_form_of(phrase, entity.name) for entity in kb.link(phrase, (), text, deadline)[:_LIKEST])
    except KnowledgeBaseUnreachable:
        return False


def _is_form_of(phrase: str, name: str) -> bool:
    one, other = fold(phrase), fold(name)
    alike = Prefix.similarity(one, other)
    return alike >= _STEM and alike >= max(len(one), len(other)) - _ENDING


def _spans(text: str) -> list[tuple[int, int]]:
    """Where each run of tokens stands, with the bracket that closes it; a single character where it is asked about."""
    tokens = [match.span() for match in _TOKEN.finditer(text)]
    runs = [(i, j) for i in range(len(tokens)) for j in range(i, min(i + _LONGEST, len(tokens)))]
    spans = [(tokens[i][0], tokens[j][1]) for i, j in runs]
    characters = [match.span() for match in _CHARACTER.finditer(text)]
    wide = [(start, end) for start, end in spans if end - start > 1 or not _ONLY_HAN.match(text[start:end])]
    return [(start, end + _is_left_open(text, start, end)) for start, end in wide] + characters


def _is_cut(text: str, start: int, end: int, known: Set[str]) -> bool:
    """Whether a hyphen makes the span part of a longer name: of Ulm-Kesh, not of Paris-based, non-EU or Peru-Chile."""
    behind = _BEHIND_HYPHEN.match(text, end)
    before = _BEFORE_HYPHEN.search(text[:start]) if text[start : start + 1].isupper() else None
    goes_on = behind and behind[1].isupper() and not text.startswith(tuple(known), behind.start(1))
    went_before = before and before[1].isupper() and not text[: start - 1].endswith(tuple(known))
    return bool(goes_on or went_before)


def _is_left_open(text: str, start: int, end: int) -> bool:
    """Whether the bracket behind the span closes one that opens in it: 1150（战斧极速版 and its ）."""
    return text[end : end + 1] in {")", "）"} and _OPENED.search(text, start, end) is not None
