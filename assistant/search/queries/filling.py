"""Queries that are an example's, or would be but for its names, filled in without a call of the model (past ICSU).

An example's question becomes a template: what its query quotes and the question names are gaps, and the rest has to
stand in the asked question word for word. The knowledge base then says whether what fills the gaps is there. What a
query names by an IRI is no gap: such a query answers its own question only.
"""

import re
from collections.abc import Iterator, Sequence

from assistant.knowledge_bases.sparql.text import Token, edited, quoted, tokens
from assistant.search.anonymize import anonymize, within_word
from assistant.search.examples import Example, ExampleBank
from memory.folding import fold

_LOOKED_AT = 10  # times as many examples as go into a prompt
_FIXED_LETTERS = 10  # fewer than these outside the gaps say too little about what is asked; a Chinese one is a word
_LETTERS_OF_HAN = 2
_LONGER = 2  # a value of more than so many times the example's words has swallowed some of the question
_LONGEST_HAN = 8  # or a Chinese one of more characters
_NO_NAME = re.compile("[的是有在哪谁几吗呢]|什么|多少")  # of the question, and not of a name in it
_HAN = re.compile(r"[\u3400-\u9fff]")
_VALUE = re.compile(r"\[(?:URL|IDENTIFIER|DATE|CARDINAL)_0\]")
_END = " \t?？.。!！"


def filled(question: str, bank: ExampleBank, k: int, further: Sequence[Example] = ()) -> Iterator[tuple[str, Example]]:
    """Queries for the question with the examples that they are from: those of the very question, then of the nearest.

    `further` are examples beside the bank's own, and go before them.
    """
    asked = fold(question)
    own = [example for example in further if fold(example.question) == asked]
    same = [*own, *filter(None, [bank.by_question.get(asked)])]
    yield from ((example.code, example) for example in same)
    for nearest in bank.nearest(question, k * _LOOKED_AT, further=further):
        query = fill(question, nearest.example)
        if query is not None and nearest.example not in same:
            yield query, nearest.example


def fill(question: str, example: Example) -> str | None:
    """The example's query with the names of `question`; None where the two differ in more than names."""
    gaps: dict[str, list[Token]] = {}
    for token in tokens(example.code):
        says = token.kind == "string" and re.search(r"\w", token.value)  # unlike the comma that REPLACE takes out
        if says and _place(token.value, example.question):
            gaps.setdefault(token.value, []).append(token)
    if not gaps:
        return None
    template, names = _template(example.question, sorted(gaps, key=len, reverse=True))
    fixed = re.sub(r"\(\?P<[^)]*\)|\(\?P=\w+\)|\\.", "", template)
    letters = sum(character.isalpha() * (_LETTERS_OF_HAN if _HAN.match(character) else 1) for character in fixed)
    if letters < _FIXED_LETTERS:
        return None
    match = re.fullmatch(template, " ".join(question.split()).rstrip(_END), re.IGNORECASE)
    if match is None:
        return None
    values = {name: match[f"gap{number}"] for number, name in enumerate(names)}
    if len(values) < len(gaps):  # a name that stands inside another
        return None
    if any(_is_too_long(value, name) for name, value in values.items()):
        return None
    return edited(
        example.code,
        [(token, quoted(values[name]) + token.suffix) for name in gaps for token in gaps[name]],
    )


def _is_too_long(value: str, name: str) -> bool:
    """Whether a value has swallowed some of the question, beside the name that it stands for."""
    if _HAN.search(value):
        return len(value) > max(_LONGEST_HAN, _LONGER * len(name)) or bool(_NO_NAME.search(value))
    return len(value.split()) > _LONGER * len(name.split())


def _is_one_word(name: str) -> bool:
    """Whether it is an address, an identifier or a number: where a name stands before it, no part of that is its."""
    return " " not in name and _VALUE.fullmatch(anonymize(name).text) is not None


def _place(name: str, question: str) -> re.Match[str] | None:
    """Where the question has the name as words of its own."""
    found = re.finditer(re.escape(name), question, re.IGNORECASE) if name else iter(())
    return next((match for match in found if not _cuts_words(match, question)), None)


def _cuts_words(match: re.Match[str], text: str) -> bool:
    return within_word(text, match.start()) or within_word(text, match.end())


def _template(question: str, names: list[str]) -> tuple[str, list[str]]:
    """A pattern that the question fits, with a group for each name, and the names in the order of the groups."""
    text = " ".join(question.split()).rstrip(_END)
    pattern, found, at = "", list[str](), 0
    any_name = re.compile("|".join(f"({re.escape(name)})" for name in names), re.IGNORECASE)
    for match in any_name.finditer(text):
        if _cuts_words(match, text):
            continue
        name = names[(match.lastindex or 1) - 1]
        pattern += re.escape(text[at : match.start()])
        if name in found:
            pattern += f"(?P=gap{found.index(name)})"
        else:
            pattern += f"(?P<gap{len(found)}>" + (r"\S+?)" if _is_one_word(name) else ".+?)")
            found.append(name)
        at = match.end()
    return pattern + re.escape(text[at:]), found
