"""Numbers in words made digits: small language models miscount the zeros of "ten million"."""

import re

_WORDS = {
    "half a": 0.5, "a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40,
    "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "a hundred": 100, "hundred": 100,
}  # fmt: skip
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_HAN_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"两": 2, "半": 0.5}
_HAN_SMALL = {"十": 10, "百": 100, "千": 1000}
_HAN_SCALES = {"万": 10**4, "亿": 10**8, "万亿": 10**12}

_ENGLISH = re.compile(
    rf"\b(\d[\d,]*(?:\.\d+)?|{'|'.join(sorted(_WORDS, key=len, reverse=True))})\s+({'|'.join(_SCALES)})\b",
    re.IGNORECASE,
)
_HAN = re.compile(rf"(\d+(?:\.\d+)?|[{''.join(_HAN_DIGITS)}{''.join(_HAN_SMALL)}]+)(万亿|亿|万)")


def spelled_out(text: str) -> str:
    """`text` with "ten million" and 一千万 written as 10000000."""
    text = _ENGLISH.sub(lambda match: _digits(_english(match[1]) * _SCALES[match[2].lower()]), text)
    return _HAN.sub(lambda match: _digits(_han(match[1]) * _HAN_SCALES[match[2]]), text)


def _english(text: str) -> float:
    return _WORDS.get(text.lower()) or float(text.replace(",", ""))


def _han(text: str) -> float:
    if text[0].isdigit():
        return float(text)
    total, digit = 0.0, 0.0
    for character in text:
        if character in _HAN_SMALL:
            total += (digit or 1) * _HAN_SMALL[character]
            digit = 0.0
        else:
            digit = _HAN_DIGITS[character]
    return total + digit


def _digits(value: float) -> str:
    return str(int(value)) if value == int(value) else str(value)
