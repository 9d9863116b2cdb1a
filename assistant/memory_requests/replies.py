"""What is said after something was done with the memory, in the user's language."""

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.citations import as_text
from assistant.messages import Phrase, Value, say

_LISTED = 8


@dataclass(frozen=True, slots=True)
class Counted:
    """What is said of facts by their number, and where there are none, of words alone.

    Never what went: a reply is saved, and what is forgotten must not be.
    """

    facts: Phrase
    words: Phrase


FORGOTTEN = Counted(
    Phrase(
        "Forgotten: {n} fact, for good unless you say “undo” within ten minutes.",
        "Forgotten: {n} facts, for good unless you say “undo” within ten minutes.",
    ),
    Phrase("Forgotten: what was said, for good unless you say “undo” within ten minutes."),
)
FORGOTTEN_FOR_GOOD = Counted(
    Phrase("Forgotten: {n} fact, for good.", "Forgotten: {n} facts, for good."),
    Phrase("Forgotten: what was said, for good."),
)
TAKEN_BACK = Counted(
    Phrase(
        "Taken back; forgotten again: {n} fact. “Bring it back” within ten minutes undoes that.",
        "Taken back; forgotten again: {n} facts. “Bring it back” within ten minutes undoes that.",
    ),
    Phrase("Taken back; forgotten again: what was said. “Bring it back” within ten minutes undoes that."),
)
TAKEN_BACK_FOR_GOOD = Counted(
    Phrase("Taken back; forgotten again: {n} fact.", "Taken back; forgotten again: {n} facts."),
    Phrase("Taken back; forgotten again: what was said."),
)
FORGET_THIS = Counted(
    Phrase(
        "Shall I forget {n} fact? Say “yes”, and it is done.", "Shall I forget {n} facts? Say “yes”, and it is done."
    ),
    Phrase("Shall I forget what was said? Say “yes”, and it is done."),
)
FORGET_DOCUMENT = Counted(
    Phrase(
        "Shall I forget the whole document {document}, with {n} fact? Say “yes”, and it is done.",
        "Shall I forget the whole document {document}, with {n} facts? Say “yes”, and it is done.",
    ),
    Phrase("Shall I forget the whole document {document}? Say “yes”, and it is done."),
)
FORGET_EVERYTHING = Phrase(
    "That would remove all that I remember, all documents and all conversations, and could not be undone. "
    "If you are sure, say “yes”."
)
NOT_ASKED_ANY_MORE = Phrase(
    "Nothing was forgotten: I no longer wait for a yes to that. Say once more what I should forget."
)
EVERYTHING_FORGOTTEN = Phrase("Everything is forgotten, for good.")
DOCUMENT_FORGOTTEN = Phrase("The whole document {document} is forgotten.")
FORGOTTEN_ALREADY = Phrase(
    "What I remembered last is forgotten already. “Undo” once more takes back the step before it."
)
REMEMBERED_AGAIN = Phrase("I remember it again:")
NOTHING_TO_UNDO = Phrase("There is nothing to undo or to forget: nothing was remembered or forgotten just before.")
TOO_LATE_TO_UNDO = Phrase(
    "That cannot be undone any more: what is forgotten is gone for good after ten minutes, or once Lorekeeper ends; "
    "a command with no page running forgets for good at once."
)
SPOKEN_OF_SINCE = Phrase(
    "Nothing was forgotten: what was said last is nothing that I remember. Say what I should forget, or “undo” to take "
    "back what you told me last."
)
NOTHING_TO_FORGET = Phrase("I remember nothing about “{what}”, so there is nothing to forget.")
NOTHING_TOLD_THEN = Phrase("You told me nothing then, so there is nothing to forget.")
# What only documents say.
ONLY_IN_DOCUMENTS = Phrase(
    "Nothing was forgotten: that is not a fact I remember, but what your documents say ({documents}). "
    "“Forget {document}” forgets a whole document."
)
SAID_BY_DOCUMENTS = Phrase(
    "Nothing was forgotten: I remember nothing about “{what}” but what your documents say ({documents}). "
    "“Forget {document}” forgets a whole document."
)
LEFT_IN_DOCUMENTS = Phrase(
    "What your documents say of it stays ({documents}). “Forget {document}” forgets a whole document."
)
IN_PARTS = Phrase("(Made from the chief sentences of each part of {documents}, from beginning to end.)")
# What other facts or words keep.
SENTENCE_STAYS = Phrase("A sentence that says it stays, since this rests on it:")
NAMED_STILL = Phrase(
    "{n} sentence that has those words stays, since there they may say something else.",
    "{n} sentences that have those words stay, since there they may say something else.",
)
NO_DOCUMENT = Phrase("You have not uploaded a document yet.")
NOTHING_UPLOADED_THEN = Phrase("You uploaded nothing then, so there is nothing to sum up.")

_REMEMBERED = Phrase("I will remember:")
_CLOSED = Phrase("That is history now:")
_KEPT_AS_TEXT = Phrase("I will remember what you said.")


def reply(language: str, phrase: Phrase, facts: Sequence[str] = (), **values: Value) -> str:
    """The phrase, and the facts that it is about as a list."""
    more = [f"- … (+{len(facts) - _LISTED})"] if len(facts) > _LISTED else []
    return "\n".join([as_text(say(language, phrase, **values)), *_lines(facts[:_LISTED]), *more])


def counted(language: str, said: Counted, facts: int, **values: Value) -> str:
    """What is said of so many facts."""
    return as_text(say(language, said.facts if facts else said.words, n=facts, **values))


def acknowledgement(language: str, facts: Sequence[str], closed: Sequence[str] = ()) -> str:
    """What the user is told after something was remembered, and `closed` is history now."""
    if not (facts or closed):
        return say(language, _KEPT_AS_TEXT)
    told = ((_REMEMBERED, facts), (_CLOSED, closed))
    return "\n".join(line for phrase, listed in told if listed for line in (say(language, phrase), *_lines(listed)))


def _lines(facts: Sequence[str]) -> list[str]:
    return [f"- {as_text(fact)}" for fact in facts]
