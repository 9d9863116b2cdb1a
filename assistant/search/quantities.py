"""Numbers as people write them: small language models miscount the zeros of "ten million"."""

import math
import re

_ONES = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9}
_TEENS = {
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_WORDS = _ONES | _TEENS | _TENS
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_HAN_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "半": 0.5}
_HAN_SMALL = {"十": 10, "百": 100, "千": 1000}
_HAN_SCALES = {"万": 10**4, "亿": 10**8}

# In digits; what is longer is no number, and a text of nothing else must not be looked at from each of its places.
FIGURE = r"(?<!\d)\d[\d,]{0,30}(?:\.\d{1,30})?(?!\d)"
_BELOW_HUNDRED = rf"(?:(?:{'|'.join(_TENS)})(?:[-\s](?:{'|'.join(_ONES)})\b)?|(?:{'|'.join(_TEENS | _ONES)})\b)"
_BELOW_THOUSAND = rf"(?:(?:(?:{_BELOW_HUNDRED}|a)\s+)?hundred\b(?:\s+(?:and\s+)?{_BELOW_HUNDRED})?|{_BELOW_HUNDRED})"
_SCALED = re.compile(
    rf"\b({FIGURE}|half a|a|{_BELOW_THOUSAND})\s+({'|'.join(_SCALES)})\b"
    rf"(?:\s+(?:and\s+)?({_BELOW_THOUSAND})(?!\s+(?:hundred|{'|'.join(_SCALES)})\b))?",
    re.IGNORECASE,
)
_HAN = f"[{''.join(_HAN_DIGITS)}{''.join(_HAN_SMALL)}]"
_HAN_NUMERAL = f"(?<!{_HAN}){_HAN}{{1,30}}(?!{_HAN})"
_HAN_SCALED = re.compile(rf"({FIGURE})(万亿|亿|万)|{_HAN_NUMERAL}[万亿](?:{_HAN_NUMERAL}|[万亿])*")
_QUANTITY = re.compile(rf"{FIGURE}|\b{_BELOW_THOUSAND}|{_HAN_NUMERAL}", re.IGNORECASE)


def spelled_out(text: str) -> str:
    """`text` with "ten million" and 一千万 written as 10000000."""
    text = _SCALED.sub(lambda match: _digits(_scaled(*match.groups())), text)
    return _HAN_SCALED.sub(lambda match: _digits(_han_scaled(match[1], match[2]) if match[1] else _han(match[0])), text)


def in_digits(text: str) -> str:
    """`text` with every number in digits: 4 months for "four months", 1985年 for 一九八五年."""
    return _QUANTITY.sub(lambda match: _digits(_value(match[0])), spelled_out(text))


def _value(number: str) -> float:
    if number[0].isdigit():
        return _figure(number)
    return _english(number) if number.isascii() else _han(number)


def _figure(digits: str) -> float:
    return float(digits.replace(",", ""))


def _scaled(amount: str, scale: str, rest: str | None) -> float:
    article = {"a": 1.0, "half a": 0.5}.get(amount.lower())
    return (article or _value(amount)) * _SCALES[scale.lower()] + (_english(rest) if rest else 0)


def _english(text: str) -> float:
    """A number below a thousand: "two hundred and fifty-one"."""
    total = 0
    for word in re.findall(r"[a-z]+", text.lower()):
        total = (total or 1) * 100 if word == "hundred" else total + _WORDS.get(word, 0)
    return float(total)


def _han_scaled(figure: str, scales: str) -> float:
    return _figure(figure) * math.prod(_HAN_SCALES[scale] for scale in scales)


def _han(text: str) -> float:
    """A Chinese numeral; 一百五 is 150, 一百零五 is 105."""
    if len(text) > 1 and all(_HAN_DIGITS.get(digit, 0.5) != 0.5 for digit in text):  # 一九八五
        return float("".join(str(_HAN_DIGITS[digit]) for digit in text))
    units = _HAN_SMALL | _HAN_SCALES
    total, section, digit = 0.0, 0.0, 0.0
    for character in text:
        if character == "万":
            total, section, digit = total + (section + digit or 1) * 10**4, 0.0, 0.0
        elif character == "亿":
            total, section, digit = (total + section + digit) * 10**8, 0.0, 0.0
        elif character in _HAN_SMALL:
            section, digit = section + (digit or 1) * _HAN_SMALL[character], 0.0
        else:
            digit = _HAN_DIGITS[character]
    if digit >= 1 and text[-2:-1] in units:
        digit *= units[text[-2]] / 10
    return total + section + digit


def _digits(value: float) -> str:
    return str(int(value)) if value.is_integer() else str(value)  # infinity is none: a row of 400 digits
