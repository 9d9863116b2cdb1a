"""Phrases in several languages, with numbers, days and names as each of them writes them."""

import re
from contextvars import copy_context
from datetime import date

import pytest

from assistant.memory_requests.replies import FORGOTTEN_FOR_GOOD, counted
from assistant.messages import Phrase, listed, say, speak, translated
from assistant.messages.catalogues import LANGUAGES
from assistant.messages.languages import browser_language, reply_language
from assistant.messages.shared import knowledge_base
from memory.errors import Notice, UserMistake

FOUND = Phrase("I found {n}: {names}")
UNTIL = Phrase("until {day}")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "I found 1,234: A, B and C"),
        ("de", "Ich habe 1.234 gefunden: A, B und C"),
        ("zh", "找到1,234个：A、B和C"),
        ("it", "I found 1,234: A, B and C"),
        ("", "I found 1,234: A, B and C"),
    ],
)
def test_numbers_and_names_are_written_as_the_language_has_it(language, said):
    assert say(language, FOUND, n=1234, names=["A", "B", "C"]) == said


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "until 3 May 2024"),
        ("de", "bis zum 3. Mai 2024"),
        ("ja", "2024年5月3日まで"),
        ("ru", "до 3 мая 2024\u202fг."),
    ],
)
def test_so_are_days(language, said):
    assert say(language, UNTIL, day=date(2024, 5, 3)) == said


@pytest.mark.parametrize(
    ("language", "numbers", "words"),
    [
        ("en", (1, 2, 5, 21), ("fact", "facts", "facts", "facts")),
        ("ru", (1, 2, 5, 11, 21, 22, 112), ("факт", "факта", "фактов", "фактов", "факт", "факта", "фактов")),
        ("fr", (1, 2), ("fait", "faits")),
    ],
)
def test_a_phrase_counts(language, numbers, words):
    for number, word in zip(numbers, words, strict=True):
        assert re.search(rf" {number} {word}\b", counted(language, FORGOTTEN_FOR_GOOD, number))


def test_where_no_fact_went_none_is_counted():
    assert all("0" not in counted(language, FORGOTTEN_FOR_GOOD, 0) for language in LANGUAGES)


def test_what_a_catalogue_lacks_is_said_in_english():
    assert say("de", Phrase("{n} zebra nobody translated", "{n} zebras nobody translated"), n=2).startswith("2 zebras")


def test_a_name_in_braces_is_a_name():
    assert say("de", FOUND, n=1, names=["{n}"]).endswith("{n}")


def test_of_many_names_the_first_are_listed_and_the_others_counted():
    assert listed("en", ["A", "B", "C"], 2) == "A, B and 1 more"
    assert listed("en", ["A", "B"], 2) == "A and B"
    assert listed("en", []) == ""


def test_a_knowledge_base_of_the_users_keeps_its_name():
    assert knowledge_base("ru", "films") == "films"
    assert knowledge_base("ru", "wikipedia") == "Википедия"


@pytest.mark.parametrize(
    ("text", "told", "language"),
    [
        ("Vergiss das", "de", "de"),
        ("Oublie ça", "fr", "fr"),
        ("忘れて", "ja", "ja"),
        ("東京", "ja", "ja"),
        ("2 + 2?", "fr", "fr"),
        ("谁写了Harry Potter？", "zh", "zh"),
        ("Wer ist 李白?", "de", "de"),
        # no catalogue has it
        ("Chi ha scritto I promessi sposi?", "it", "it"),
        ("Bạn có khỏe không?", "vi", "vi"),
        ("Unde locuiește sora mea?", "ro", "ro"),
        ("오스트리아의 수도는 어디인가요", "ko", "ko"),
        # what cannot be so
        ("Забудь это", "en", "ru"),
        ("你好", "ru", "zh"),
        ("Was ist die Hauptstadt von Peru?", "nl", "de"),
        ("Hi, I'm Benedikt and I moved to Passau.", "de", "en"),
        ("Hi, I'm Corentin. What is the population of France?", "fr", "en"),
        ("Ich wohne in Gera.", "de", "de"),
        ("Elle a déménagé à Lyon.", "fr", "fr"),
        ("Olvida a Marta", "es", "es"),
        ("Erase everything you have on Maya.", "de", "en"),
        ("My sister Ragna is a beekeeper in Malmö, her birthday is on 14 May.", "se", "en"),
        ("The lamp that I bought is broken.", "xx", "en"),
        # nothing told
        ("Wer bin ich, und was ist mein Name?", "", "de"),
        ("Что ты знаешь обо мне?", "", "ru"),
        ("東京はどこですか", "", "ja"),
        ("오스트리아의 수도는 어디인가요", "", "ko"),
        ("…", "", "en"),
    ],
)
def test_the_language_of_a_reply(text, told, language):
    assert reply_language(text, told) == language


@pytest.mark.parametrize(
    ("text", "told", "language"),
    [
        ("Danke dir, bis morgen!", "en", "de"),
        ("Und die Einwohnerzahl?", "en", "de"),
        ("Can you say that in English, please?", "en", "en"),
        ("Et en français, ça donne quoi ?", "fr", "fr"),
    ],
)
def test_a_conversation_keeps_its_language(text, told, language):
    assert reply_language(text, told, ["Was ist die Hauptstadt von Kenia?", "Am 3. Mai ziehe ich um."]) == language


def test_a_line_made_where_no_language_is_known_is_said_in_the_one_that_is_spoken():
    late = Notice("The turn reached its limit of {time} and was ended; ask again, or ask for less.",
                  time=Notice("{count} minutes", count=10))  # fmt: skip

    def in_german():
        speak("de")
        return translated(late), translated("10 minutes, in no catalogue")

    german, other = copy_context().run(in_german)
    assert "10 Minuten" in german and "minutes" not in german
    assert other == "10 minutes, in no catalogue"
    assert translated(late) == late


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("de-AT,de;q=0.9,en;q=0.5", "de"),
        ("zh-TW", "zh"),
        ("pt-BR;q=0.9", "pt"),
        ("it,de", "en"),
        ("*", "en"),
        ("", "en"),
    ],
)
def test_a_page_is_in_the_language_that_its_browser_names_first(accepted, language):
    assert browser_language(accepted) == language


@pytest.mark.parametrize("name", ["language", "phrase", "line", "self", "text"])
def test_a_value_may_have_any_name(name):
    text = f"It is {{{name}}}."
    assert translated(UserMistake(text, **{name: "so"}).notice) == "It is so."
