"""Every catalogue says everything that the code says, whole: each form of each phrase, with the same values."""

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as Entry
from babel.messages.pofile import read_po

from assistant import errors
from assistant.messages.catalogues import ENGLISH, LANGUAGES, path

ROOT = Path(__file__).parents[3]
ERRORS = {name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, Exception)}
SAYING = {"tell", "labelled", "Notice", "DiskFull", "_Ended", "_Unwritable"} | ERRORS
PACKAGES = ("assistant", "memory", "ui")
TRANSLATED = [language for language in LANGUAGES if language != ENGLISH]

Texts = str | tuple[str, ...]


def said_in_code() -> Iterator[Texts]:
    """The texts of each `Phrase(…)`, and what else is said where it stands; an error where a text does not stand there.

    What `tell` is given as a variable is the phrase of another place.
    """
    files = [ROOT / "app.py", *(file for package in PACKAGES for file in (ROOT / package).rglob("*.py"))]
    for file in files:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            match node:
                case ast.Call(ast.Name("Phrase"), args, keywords) if not file.is_relative_to(
                    ROOT / "memory"
                ):  # has another
                    assert not keywords, f"{file}: give a phrase's texts by their places."
                    texts = tuple(ast.literal_eval(argument) for argument in args)
                    yield texts[0] if len(texts) == 1 else texts
                case ast.Call(ast.Name(name), [ast.Constant(str(text)), *_]) if name in SAYING:
                    yield text


def catalogue(language: str) -> Catalog:
    with path(language).open("rb") as file:
        return read_po(file, locale=language)


def entries(language: str) -> list[Entry]:
    return [entry for entry in catalogue(language) if entry.id]


def values(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def forms(texts: Texts) -> tuple[str, ...]:
    return (texts,) if isinstance(texts, str) else tuple(texts)


PHRASES = set(said_in_code())


def test_the_phrases_of_the_code_are_found():
    assert {"yes", "I found {n}: {names}"} < PHRASES
    assert ("Forgotten: {n} fact, for good.", "Forgotten: {n} facts, for good.") in PHRASES


def test_there_is_a_catalogue_for_each_language_and_no_other():
    there = {file.parts[-3] for file in path(ENGLISH).parents[2].glob("*/LC_MESSAGES/*.po")}
    assert there == set(TRANSLATED)


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalogue_has_what_the_code_says_and_nothing_else(language):
    known = {entry.id if isinstance(entry.id, str) else tuple(entry.id) for entry in entries(language)}
    assert PHRASES - known == set(), "not in the catalogue; see assistant/messages/__init__.py for how to update it"
    assert known - PHRASES == set(), "said nowhere any more"


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_form_is_translated_with_the_same_values(language):
    plurals = catalogue(language).num_plurals
    for entry in entries(language):
        translated = forms(entry.string)
        assert not entry.fuzzy and all(translated), entry.id
        assert len(translated) == (1 if isinstance(entry.id, str) else plurals), entry.id
        for form in translated:
            assert values(form) == values(forms(entry.id)[-1]), (entry.id, form)


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalogue_counts_as_its_language_does(language):
    header = path(language).read_text("utf-8").partition("\n\n")[0]
    assert f"Plural-Forms: {Catalog(locale=language).plural_forms}\\n" in header


def test_a_phrase_that_counts_has_the_same_values_for_one_and_for_many():
    for texts in PHRASES:
        if isinstance(texts, tuple):
            assert values(texts[0]) == values(texts[1])
