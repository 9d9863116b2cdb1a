"""Which language a text is in, as far as choosing knowledge bases and wording needs it."""

import re

_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7af]")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_LATIN_WORD = re.compile(r"[a-zà-öø-ÿœßąćęłńśźżčďěňřšťůž]+")

# Words that are frequent in one language and rare in the others; enough to tell a question's language.
_FREQUENT = {
    "en": "the of is are was what which who when where how many does did and in my your a an to for",
    "de": "der die das und ist sind war was welche welcher wer wann wo wie viele hat mein meine ein eine nicht für",
    "fr": "le la les des est sont était quel quelle qui quand où comment combien et mon ma mes un une dans pour",
    "es": "el los las es son era qué cuál quién cuándo dónde cómo cuántos y mi mis un una en para del",
}
WITH_FREQUENT_WORDS = tuple(_FREQUENT)  # the languages whose script tells nothing
_WORDS = {language: frozenset(words.split()) for language, words in _FREQUENT.items()}


def language_of(text: str) -> str:
    """The ISO 639-1 code of the text's language; "en" where nothing tells."""
    if _KANA.search(text):
        return "ja"
    if _HAN.search(text):
        return "zh"
    if _HANGUL.search(text):
        return "ko"
    if _CYRILLIC.search(text):
        return "ru"
    words = _LATIN_WORD.findall(text.lower())
    scores = {language: sum(word in frequent for word in words) for language, frequent in _WORDS.items()}
    best = max(scores, key=lambda language: scores[language])
    return best if scores[best] > scores["en"] else "en"
