"""What of a turn may leave this machine for a public knowledge base: the one gate that every look-up goes through.

A search program and a query are written by a model, which reads documents, memory and the conversation, and may be told
there to pass them on. So each text that is to be looked up is held against where it can come from:

- A text of the question's own words may leave, and so may a name that a public knowledge base gave in this turn.
- Any other word is a guess of the model's: another name or a translation of what the question names, or a secret. It is
  taken for a secret where it stands in the user's memory, documents or messages, however well known it is elsewhere;
  but for another name of what the question names in the built-in knowledge base (Kenia, Kenya), and for words that
  questions are worded with (a relation's "population").
- No sentence leaves, not even the question's: what is longer than names are, ends one sentence and goes on, or is one
  whole clause of the question ("my PIN is 4471, what …").
- No long number leaves, but for years, dates and round figures; nor an address of mail or of the web. A number that the
  message tells beside what it asks is not named by the question.

The question is the one that stands alone (`Turn.question`): what its wording takes from earlier messages is shown to
the user, and is what they asked about. What a message says besides is an earlier message. A text that is disguised
(spelled backwards, in code) cannot be told from a name; it leaves if it is no longer than one.
"""

import re
import threading
import unicodedata
from collections.abc import Callable, Collection, Iterable, Set

from assistant.knowledge_bases.web.outbound import outbound
from assistant.stemming import stem
from assistant.types import Turn
from memory.folding import ascii_digits, fold, terms

_MOST_CHARACTERS = 120
_MOST_WORDS, _MOST_WORDS_OF_QUESTION = 8, 12  # two ideographs are about a word
_CLAUSE_WORDS, _ONLY_CLAUSE_WORDS = 4, 6  # from which on a whole clause is no name; the only one may be a title
_MOST_DIGITS = 4
_PROSE_CHARACTERS = 600  # of a description, as programs get it
_IDEOGRAPH = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_ENDS_AND_GOES_ON = re.compile(r"\w{4}[.!?;…]\s+\w|[。！？；]\s*\w|[\x00-\x1f\x7f\u2028\u2029]")
_ADDRESS = re.compile(r"\w@\w|\w://|\bwww\.", re.IGNORECASE)
_NUMBER = re.compile(r"\d(?:[\s.,:/()+_–—-]{0,2}\d)*")
_CLAUSE = re.compile(r"(?:[^.!?。！？,，;；:：؟…\n]|(?<=\d)[.,:](?=\d))+[.!?。！？,，;；:：؟…\n]*")
_ASKS = re.compile(r"[?？؟]")
_OPENING = "[\"“”„«‘’'「『《〈]\\s*"
_YEARS = range(1000, 2101)

Holds = Callable[[Collection[str]], Set[str]]
IsOtherName = Callable[[str], bool]


class Outgoing:
    """The gate of one turn. Safe to use from several threads.

    `holds` tells which of some terms stand in the user's memory or in other conversations, `is_other_name` whether a
    text is another name of something that the question names, `is_wording` whether questions are worded with a word.
    `named` is what the user named besides, as in a program that they edited.
    """

    def __init__(
        self,
        turn: Turn,
        holds: Holds,
        is_other_name: IsOtherName,
        is_wording: Callable[[str], bool] = lambda _: False,
        named: str = "",
    ) -> None:
        self._question = turn.question or turn.text
        self._holds, self._is_other_name, self._is_wording = holds, is_other_name, is_wording
        self._asked_fold = f" {fold(self._question)} "
        self._clauses = [fold(clause) for clause in _CLAUSE.findall(self._question)]
        told_aside = _numbers_aside(self._question)
        self._asked = (_terms(self._question) - told_aside) | _terms(named)
        self._asked |= set(map(stem, self._asked))
        said = [turn.text, *(message.content for message in turn.history)]
        self._earlier = {term for text in said for term in _terms(text)} - self._asked
        self._lock = threading.Lock()
        self._given: set[str] = set()
        self._all_given = ""

    def passing(self, kb: str, texts: Iterable[str]) -> list[str]:
        """Those texts that may leave for the knowledge base `kb`; of the others the log tells how long they are and why
        they stay, and not what they say."""
        passing = []
        for text in texts:
            if reason := self.reason_to_hold(text):
                self.log(kb, text, reason)
            else:
                passing.append(text)
        return passing

    def log(self, kb: str, text: str, reason: str) -> None:
        """Write down that a text was held back, for there to be nothing to forget not what it says."""
        outbound.info("%s held back: %d characters, %s", kb, len(text), reason)

    def reason_to_hold(self, text: str) -> str:
        """Why a text may not be looked up, in a few words; empty where it may."""
        if len(text) > _MOST_CHARACTERS or _ENDS_AND_GOES_ON.search(text.strip()):
            return "a sentence"
        if _ADDRESS.search(text):
            return "an address"
        if _has_long_number(text):
            return "a long number"
        folded = fold(text)
        if self._is_given(folded) and not folded.replace(" ", "").isdigit():
            return ""
        if self._is_sentence(text, folded):
            return "a sentence"
        return self.reason_of_words(text)

    def reason_of_words(self, text: str) -> str:
        """As `reason_to_hold`, by where the words are from alone."""
        foreign = {term for term in _terms(text) if not self._is_named(term)}
        digits = "".join(filter(str.isdigit, _plain_digits(text)))
        if foreign and len(digits) > 2 and digits not in self._asked:
            foreign.add(digits)  # also where it was written in pieces
        if not foreign:
            return ""
        earlier, held = foreign & self._earlier, foreign - self._earlier
        if not earlier and not (held and self._holds(held)):
            return ""
        if not digits and self._is_other_name(text):
            return ""
        return "not in the question, but in an earlier message" if earlier else "not in the question, but in the memory"

    def give(self, names: Iterable[str]) -> None:
        """Keep names that a public knowledge base gave."""
        folded = {fold(name) for name in names if name} - self._given
        if folded:
            with self._lock:
                self._given |= folded
                self._all_given += "".join(f" {name} \n" for name in folded)

    def give_prose(self, text: str) -> None:
        """Keep what a public knowledge base says of something, as far as programs get it; its figures are no names."""
        self.give(re.split(r"[\W_]*\d[\w.,:%-]*", text[:_PROSE_CHARACTERS]))

    def _is_named(self, term: str) -> bool:
        if term in self._asked or stem(term) in self._asked:
            return True
        return not any(map(str.isdigit, term)) and self._is_wording(term)

    def _is_given(self, folded: str) -> bool:
        with self._lock:
            return bool(folded) and (folded in self._given or f" {folded} " in self._all_given)

    def _is_sentence(self, text: str, folded: str) -> bool:
        words = _words(folded)
        within = f" {folded} " in self._asked_fold
        if words > (_MOST_WORDS_OF_QUESTION if within else _MOST_WORDS):
            return True
        least = _CLAUSE_WORDS if len(self._clauses) > 1 else _ONLY_CLAUSE_WORDS
        whole = words >= least and folded in self._clauses
        return whole and not re.search(_OPENING + re.escape(text.strip()), self._question, re.IGNORECASE)


def _words(folded: str) -> float:
    ideographs = len(_IDEOGRAPH.findall(folded))
    return len(folded.split()) - ideographs / 2


def _plain_digits(text: str) -> str:
    """The text with digits of every script as those of ASCII."""
    return ascii_digits(unicodedata.normalize("NFKC", text))


def _terms(text: str) -> set[str]:
    """The search terms of a text; a single letter tells nothing."""
    return {term for term in terms(_plain_digits(text)) if len(term) > 1 or not term.isascii() or term.isdigit()}


def _has_long_number(text: str) -> bool:
    return any(is_long_number(match[0]) for match in _NUMBER.finditer(_plain_digits(text)))


def is_long_number(written: str) -> bool:
    """Whether a number of digits, in groups or not, says more than a year, a date or a round figure does."""
    groups = re.findall(r"\d+", written)
    digits = "".join(groups)
    if len(digits) <= _MOST_DIGITS or len(digits.rstrip("0")) <= 2:
        return False
    years = sum(len(group) == 4 and int(group) in _YEARS for group in groups)
    dated = all(len(group) <= 2 or (len(group) == 4 and int(group) in _YEARS) for group in groups)
    return not (years and dated and len(digits) <= 2 * _MOST_DIGITS)


def _numbers_aside(question: str) -> set[str]:
    """The numbers that a message only tells, beside the clauses that ask; none where no mark says which these are."""
    clauses = _CLAUSE.findall(_plain_digits(question))
    asking = [clause for clause in clauses if _ASKS.search(clause)]
    if not asking:
        return set()
    numbers = [set(re.findall(r"\d{3,}", " ".join(some))) for some in (clauses, asking)]
    aside = {number for number in numbers[0] - numbers[1] if len(number) > 4 or int(number) not in _YEARS}
    return {term for term in _terms(question) if any(number in term for number in aside)}
