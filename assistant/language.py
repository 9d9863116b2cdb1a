"""Which language a text is in, as far as choosing knowledge bases and wording needs it."""

import re

# Characters or words of a script that tells the language. Where several can be in it, the one that needs no letter of
# its own goes first and has only as many as the other where there is none. A single Greek letter is a formula.
_SCRIPTS = {
    "zh": re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"),
    "ja": re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"),
    "ko": re.compile(r"[\uac00-\ud7af]"),
    "ru": re.compile(r"\b(?:(?![іїєґ])[\u0400-\u04ff])+\b", re.IGNORECASE),
    "uk": re.compile(r"\b[\u0400-\u04ff]+\b"),
    "el": re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]{2,}"),
    "he": re.compile(r"[\u05d0-\u05ea]+"),
    "ar": re.compile(r"[\u0620-\u06ff]+"),
    "th": re.compile(r"[\u0e00-\u0e7f]{1,3}"),
    "hi": re.compile(r"[\u0900-\u097f]+"),
}
_WORD = re.compile(r"[^\W\d_]+")

# Words that are frequent in one language and rare in the others, so not "in" or "a"; enough to tell a question's
# language. What stands in names all over the world, as "da", "van" and "che" do, is none of them.
_FREQUENT = {
    "en": "the of is are was what which who when where how many does did do and my your an to for why whose that"
    " this have about with by at from tell show list give find name",
    "de": "der die das und ist sind war was welche welcher wer wann wo wie viele hat mein meine ein eine nicht für"
    " wurde im hauptstadt einwohner",
    "fr": "le la les des est sont était quel quelle qui quand où comment combien et mon ma mes un une dans pour",
    "es": "el los las es son era qué cuál quién cuándo dónde cómo cuántos y mi mis un una en para del",
    "it": "il lo la gli è sono era qual quale quali chi quando dove come quanti quante della dello dei mio mia una",
    "pt": "é são foi qual quais quem quando onde como quantos quantas meu minha um em não para",
    "nl": "het een is zijn was wat wie waar wanneer hoe hoeveel welke heeft werd mijn niet voor hoofdstad",
    "pl": "jest są był była kto kiedy gdzie jak ile który która jaki jaka jakie czy się nie mój moja stolica",
    "sv": "är var vad vem när hur vilken vilket vilka många och ett som för har heter mitt inte huvudstad",
    "tr": "ve nedir kimdir nerede neresi neresidir zaman nasıl kaç hangi mı mü için benim başkenti",
}
WITH_FREQUENT_WORDS = tuple(_FREQUENT)  # the languages whose script tells nothing
_WORDS = {language: frozenset(words.split()) for language, words in _FREQUENT.items()}


def language_of(text: str) -> str:
    """The ISO 639-1 code of the language of most of the text; "en" where nothing tells.

    Words with a capital inside the text are names, and tell nothing.
    """
    words = _words(text)
    scores = {language: len(script.findall(text)) for language, script in _SCRIPTS.items()}
    scores |= {language: len(words & frequent) for language, frequent in _WORDS.items()}
    best = max(scores, key=lambda language: scores[language])  # the first one, of equals
    return best if scores[best] else "en"


def is_of_another(text: str, language: str) -> bool:
    """Whether a text has more frequent words of another language than of this one, or several where those of this one
    are not known."""
    words = _words(text)
    own = len(words & _WORDS[language]) if language in _WORDS else 1
    return max(len(words & others) for others in _WORDS.values()) > own


def _words(text: str) -> set[str]:
    return {word.lower() for place, word in enumerate(_WORD.findall(text)) if place == 0 or word.islower()}
