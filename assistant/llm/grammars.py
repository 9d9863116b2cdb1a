"""Parts of the grammars in which a small model replies, and how what is chosen by number is read."""

import json
import re
from collections.abc import Container, Iterable, Sequence

from memory.folding import fold

NONE = "none"
# Greek, Cyrillic, Hebrew and Arabic, the scripts of India, Thai and Lao, kana, ideographs, Hangul
_SCRIPTS = (
    *("\u0370-\u03ff", "\u0400-\u052f", "\u0590-\u06ff", "\u0900-\u0dff"),
    *("\u0e00-\u0eff", "\u3040-\u30ff", "\u3400-\u9fff", "\uac00-\ud7af"),
)
# A word with the marks that its script writes above and below; a run of katakana, which writes names from abroad; or
# another character of a script that has no spaces.
_MARKS = r"\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0dff"
_THAI_MARKS = r"\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd"
_UNSPACED = r"\u0e01-\u0eff\u3040-\u309f\u3400-\u9fff"
_LETTER = rf"(?:(?![{_UNSPACED}\u30a0-\u30ff])[\w{_MARKS}])"
_WORD = re.compile(rf"[\u30a0-\u30ff]+|[{_UNSPACED}][{_THAI_MARKS}]*|[-+$€£¥@#°]?{_LETTER}+(?:[.-]{_LETTER}+)*[+#%]*")
_ENDS = re.compile(r"[,;:!?]['’\"”»)]* |[\u3001\u3002\uff01\uff0c\uff1a\uff1b\uff1f…|]")
_SHORT = 2  # letters of a word whose full stop may be part of it
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")  # has no way to be written in a grammar
_MOST_WORDS = 250  # of texts whose own words are offered
_ANYTHING = r"[^|\n\r\t]{1,60}"
# A small model that may write several full stops or line breaks in a row writes nothing else.
_SAID = r"""said ::= "\n"? part+ "."? cited more* "."?
more ::= part | "."? "\n" part | "."? cited
part ::= [^\[\]\n.] | "." [^\[\]\n.]"""


def citing(ids: Sequence[int], unknown: str = "") -> str:
    """The grammar of a reply that cites some of the numbered evidence and nothing else; or is `unknown`."""
    root = f'root ::= "{unknown}" | said' if unknown else "root ::= said"
    cited = " | ".join(f'"[{number}]"' for number in ids)
    return f"{root}\n{_SAID}\ncited ::= {cited}"


def foreign(text: str) -> str:
    """The characters of scripts that a text has none of, as ranges for a class of characters; Latin is none of them."""
    return "".join(letters for letters in _SCRIPTS if not re.search(f"[{letters}]", text))


def any_of(texts: Iterable[str]) -> str:
    """The alternatives of some texts, as they are but for what cannot be written in a grammar."""
    return " | ".join(map(_literal, filter(None, (_CONTROL.sub(" ", text).strip() for text in texts))))


def own_words(texts: Sequence[str], longest: int, not_first: Container[str] = ()) -> str:
    """The alternatives of the runs of some texts' own words, so many at most and within a clause; anything on one line
    where they have none. Of texts with too many words the last ones are offered, and none of those that `not_first`
    has, folded, at the beginning of a run.

    There is one for each word that a run may begin with, and those that begin alike are one.
    """
    lines = [" ".join(_CONTROL.sub(" ", line).split()) for text in texts for line in text.splitlines()]
    begun, left = dict[str, dict[str, None]](), _MOST_WORDS
    for text in reversed(lines):
        words = list(_WORD.finditer(text))[:left]
        left -= len(words)
        for place, word in enumerate(words):
            if fold(word[0]) in not_first:
                continue
            rest = f"{_literal(word[0][1:])} {_going_on(text, words, place, longest)}"
            begun.setdefault(word[0][0], {})[rest.strip()] = None
    return " | ".join(f"{_literal(first)} ({' | '.join(rests)})" for first, rests in begun.items()) or _ANYTHING


def _going_on(text: str, words: Sequence[re.Match[str]], first: int, longest: int) -> str:
    """What may follow a word in a run: (" sister" (" Ann")?)?. Two characters of a script without spaces are a word."""
    last, room = first, longest - _length(words[first][0])
    while last + 1 < len(words) and not _ends(words[last][0], text[words[last].end() : words[last + 1].start()]):
        room -= _length(words[last + 1][0])
        if room < 0:
            break
        last += 1
    following = ""
    for place in range(last, first, -1):
        following = f"({_literal(text[words[place - 1].end() : words[place].end()])} {following})?"
    return following


def _ends(word: str, gap: str) -> bool:
    """Whether a clause ends in the gap behind a word, as far as that can be seen; "3. Mai" and "Dr. Kolb" go on."""
    return _ENDS.search(gap) is not None or (gap.startswith(". ") and len(word) > _SHORT and not word.isdigit())


def _length(word: str) -> float:
    return 0.5 if re.match(f"[{_UNSPACED}]", word) else 1.0


def _literal(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
