"""Numbers as people write them: small language models miscount the zeros of "ten million"."""

import re

_WORDS = {
    "half a": 0.5, "a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40,
    "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "a hundred": 100, "hundred": 100,
}  # fmt: skip
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_HAN_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "半": 0.5}
_HAN_SMALL = {"十": 10, "百": 100, "千": 1000}
_HAN_SCALES = {"万": 10**4, "亿": 10**8, "万亿": 10**12}

FIGURE = r"\d[\d,]*(?:\.\d+)?"  # in digits
_HAN_NUMERAL = rf"[{''.join(_HAN_DIGITS)}{''.join(_HAN_SMALL)}]+"
_ENGLISH = re.compile(
    rf"\b({FIGURE}|{'|'.join(sorted(_WORDS, key=len, reverse=True))})\s+({'|'.join(_SCALES)})\b",
    re.IGNORECASE,
)
_HAN = re.compile(rf"({FIGURE}|{_HAN_NUMERAL})(万亿|亿|万)")
_QUANTITY = re.compile(
    rf"{FIGURE}|\b(?:{'|'.join(sorted(_WORDS.keys() - {'a'}, key=len, reverse=True))})\b|{_HAN_NUMERAL}",
    re.IGNORECASE,
)
_UNSURE = re.compile(r"[-−–]\s*\d|\.\d{3}(?!\d)")  # below zero, or a point that parts thousands


def spelled_out(text: str) -> str:
    """`text` with "ten million" and 一千万 written as 10000000."""
    text = _ENGLISH.sub(lambda match: _digits(_english(match[1]) * _SCALES[match[2].lower()]), text)
    return _HAN.sub(lambda match: _digits(_han(match[1]) * _HAN_SCALES[match[2]]), text)


def in_digits(text: str) -> str:
    """`text` with every number in digits: 4 months for "four months", 1985年 for 一九八五年."""
    return _QUANTITY.sub(lambda match: _digits(_value(match[0])), spelled_out(text))


def quantity(text: str) -> float | None:
    """The one number of a text, in digits or words; None where there is none or more, or it is not plain which."""
    spelled = spelled_out(text)
    found = _QUANTITY.findall(spelled)
    if len(found) != 1 or _UNSURE.search(spelled):
        return None
    return _value(found[0])


def without_quantity(text: str) -> str:
    """What stands beside the number: its unit."""
    return " ".join(_QUANTITY.sub(" ", spelled_out(text)).split())


def _value(number: str) -> float:
    if number[0].isdigit():
        return float(number.replace(",", ""))
    return _WORDS[number.lower()] if number.isascii() else _han(number)


def _english(text: str) -> float:
    return _WORDS.get(text.lower()) or float(text.replace(",", ""))


def _han(text: str) -> float:
    if text[0].isdigit():
        return float(text.replace(",", ""))
    if len(text) > 1 and all(_HAN_DIGITS.get(digit, 0.5) != 0.5 for digit in text):  # 一九八五
        return float("".join(str(_HAN_DIGITS[digit]) for digit in text))
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
