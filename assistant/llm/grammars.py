"""Parts of the grammars in which a small model replies, and how what is chosen by number is read."""

import json
import re
from collections.abc import Sequence

NONE = "none"
# Greek, Cyrillic, Hebrew and Arabic, the scripts of India, Thai and Lao, kana, ideographs, Hangul
_SCRIPTS = (
    *("\u0370-\u03ff", "\u0400-\u052f", "\u0590-\u06ff", "\u0900-\u0dff"),
    *("\u0e00-\u0eff", "\u3040-\u30ff", "\u3400-\u9fff", "\uac00-\ud7af"),
)
# A word with the marks that its script writes above and below; a run of katakana, which writes names from abroad; or
# another character of a script that has no spaces.
_MARKS = r"\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0dff\u0e31-\u0e4e"
_LETTER = rf"(?:(?![\u3040-\u30ff\u3400-\u9fff])[\w{_MARKS}])"
_WORD = re.compile(rf"[\u30a0-\u30ff]+|[\u3040-\u309f\u3400-\u9fff]|[-+$€£¥@#°]?{_LETTER}+(?:[.-]{_LETTER}+)*[+#%]*")
_ENDS = re.compile(r"[.,;:!?]['’\"”»)]* |[\u3001\u3002\uff01\uff0c\uff1a\uff1b\uff1f…|\n]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")  # has no way to be written in a grammar
_MOST_WORDS = 150  # of texts whose own words are offered
_ANYTHING = r"[^|\n]{1,60}"
# A small model that may write several full stops or line breaks in a row writes nothing else.
_SAID = r"""said ::= "\n"? part+ "."? cited more* "."?
more ::= part | "."? "\n" part | "."? cited
part ::= [^\[\]\n.] | "." [^\[\]\n.]"""
_NUMBERS = re.compile(r"\d{1,3}(?:, *\d{1,3})*\.?")


def numbered(count: int) -> str:
    """The grammar of some of the numbers from 1 to `count`, or "none"."""
    listed = " | ".join(f'"{number}"' for number in range(1, count + 1))
    return f'root ::= "{NONE}" | number (", " number)*\nnumber ::= {listed}'


def numbers(reply: str, count: int) -> list[int]:
    """The numbers from 1 to `count` in a reply; none where it is anything else."""
    listed = _NUMBERS.fullmatch(reply.strip())
    named = dict.fromkeys(map(int, listed[0].rstrip(".").split(","))) if listed else ()
    return [number for number in named if 0 < number <= count]


def citing(ids: Sequence[int], unknown: str = "") -> str:
    """The grammar of a reply that cites some of the numbered evidence and nothing else; or is `unknown`."""
    root = f'root ::= "{unknown}" | said' if unknown else "root ::= said"
    cited = " | ".join(f'"[{number}]"' for number in ids)
    return f"{root}\n{_SAID}\ncited ::= {cited}"


def foreign(text: str) -> str:
    """The characters of scripts that a text has none of, as ranges for a class of characters; Latin is none of them."""
    return "".join(letters for letters in _SCRIPTS if not re.search(f"[{letters}]", text))


def own_words(texts: Sequence[str], longest: int) -> str:
    """The alternatives of the runs of some texts' own words, so many at most and within a clause; anything on one line
    where they have none, or too many. There is one for each word that a run may begin with."""
    told = [" ".join(_CONTROL.sub(" ", text).split()) for text in texts]
    words = [list(_WORD.finditer(text)) for text in told]
    if not 0 < sum(map(len, words)) <= _MOST_WORDS:
        return _ANYTHING
    return " | ".join(
        dict.fromkeys(
            _runs(text, own, place, longest) for text, own in zip(told, words, strict=True) for place in range(len(own))
        )
    )


def _runs(text: str, words: Sequence[re.Match[str]], first: int, longest: int) -> str:
    """The runs that begin with a word: "my" ("sister" ("Ann")?)?"""
    last = first
    while last + 1 < min(first + longest, len(words)) and not _ENDS.search(
        text[words[last].end() : words[last + 1].start()]
    ):
        last += 1
    run = ""
    for place in range(last, first - 1, -1):
        begin = words[place].start() if place == first else words[place - 1].end()
        literal = json.dumps(text[begin : words[place].end()], ensure_ascii=False)
        run = f"{literal} ({run})?" if run else literal
    return run
