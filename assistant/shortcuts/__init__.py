"""Forms of words that stand in for a call of the model: each a whole message that can mean one thing only.

One module a language, `FORMS`: patterns with what they mean, the first that fits. They count where the conversation
has something that they could mean. Without them nothing is missing but half a second, and what can be done while no
model is there.
"""

import re

from assistant.shortcuts import en, zh
from assistant.understanding import Understanding

_FORMS = [(re.compile(form, re.IGNORECASE), meant) for form, meant in (*en.FORMS, *zh.FORMS)]
_LONGEST = 60  # characters
_END = re.compile(r"[\s.!。！]+$")


def understood(text: str) -> Understanding | None:
    """What a message means that has one of the forms."""
    plain = " ".join(_END.sub("", text).split())
    if len(plain) > _LONGEST:
        return None
    return next((meant for form, meant in _FORMS if form.fullmatch(plain)), None)
