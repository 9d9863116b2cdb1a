"""The page's words: labels that the browser puts into its language, and numbers, lists and names in sentences."""

from collections.abc import Sequence

import gradio as gr
from gradio.i18n import I18nData

from assistant import messages
from assistant.knowledge_bases.personal import PASSAGE
from assistant.messages import Phrase, say, spoken, tell
from assistant.messages.catalogues import LANGUAGES
from assistant.messages.shared import knowledge_base
from assistant.types import Evidence

SHOWN = 12  # of a long list
DOCUMENTS = Phrase("{n} document", "{n} documents")


class _Labels(gr.I18n):
    """Makes labels of components, which are built once for everybody, and keeps them in all languages."""

    def __call__(self, text: str) -> I18nData:
        """A label by its English text."""
        for language in LANGUAGES:
            self.translations[language][text] = say(language, text)
        return super().__call__(text)

    def within(self, html: str, *phrases: Phrase) -> I18nData:
        """Several in the braces of some HTML; of labels themselves a browser would see one alone."""
        key = " ".join(["HTML:", *(phrase.text for phrase in phrases)])  # without a brace, which Gradio would end it at
        for language in LANGUAGES:
            self.translations[language][key] = html.format(*(say(language, phrase) for phrase in phrases))
        return super().__call__(key)


labelled = _Labels(**{language: {} for language in LANGUAGES})


def kb_name(name: str) -> str:
    """What the page calls a knowledge base; those that the user has added keep the name that they were given."""
    return knowledge_base(spoken(), name)


def kb_heading(name: str) -> str:
    """The same where a line begins with it."""
    ours = kb_name(name)
    return name if ours == name else ours[:1].upper() + ours[1:]


def relation(evidence: Evidence) -> str:
    """What a piece of evidence says of its subject, as it was found, but for a word of ours."""
    return tell("passage") if evidence.relation == PASSAGE else evidence.relation


def listed(names: Sequence[str], most: int | None = None) -> str:
    """As in "one, two and three"; of more than `most` the first, and how many more there are."""
    return messages.listed(spoken(), names, most)


def time_left(seconds: float) -> str:
    """An estimate, as in "about 3 min left"."""
    if seconds < 10:
        return tell("a few seconds left")
    if seconds < 90:
        return tell("about {number} s left", number=round(seconds / 10) * 10)
    if seconds < 90 * 60:
        return tell("about {number} min left", number=round(seconds / 60))
    return tell("about {number} h left", number=round(seconds / 3600))
