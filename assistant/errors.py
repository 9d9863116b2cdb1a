"""The error tree, named by who must act. Its root is in `memory.errors`, since memory imports nothing of ours.

LorekeeperError
├── UserMistake                the user puts it right (exit status 2)
│   ├── NothingThere           what was asked for does not exist
│   └── SettingsError          an environment variable or a flag has a value that cannot be used
└── Failure                    something outside failed (exit status 1)
    ├── Interrupted            Stop was pressed, or a waiting turn goes first
    ├── Unavailable            what is needed cannot be reached just now; the same call may work later
    │   └── ModelUnavailable   the language model cannot be reached, is still being fetched, or fails to reply
    │       └── ModelTooSlow   … within its limit of time; it is not asked again in the same turn
    ├── ModelReplyUnreadable   the model's reply is not of the asked form, also after one repair
    ├── QueryRefused           a query cannot be run as it stands; whoever wrote it puts it right
    └── KnowledgeBaseUnreachable   a knowledge base does not answer; never the same as "nothing found"
        └── KnowledgeBaseAway      … nor did it just before, or will for a while
"""

import logging

from assistant.messages import translated
from memory.errors import Failure, Interrupted, LorekeeperError, NothingThere, Notice, Unavailable, UserMistake

__all__ = [
    "Failure",
    "Interrupted",
    "KnowledgeBaseAway",
    "KnowledgeBaseUnreachable",
    "LorekeeperError",
    "ModelReplyUnreadable",
    "ModelTooSlow",
    "ModelUnavailable",
    "NothingThere",
    "QueryRefused",
    "SettingsError",
    "Unavailable",
    "UserMistake",
    "one_line",
]

_log = logging.getLogger(__name__)


class SettingsError(UserMistake):
    """An environment variable or a flag has a value that cannot be used."""


class ModelUnavailable(Unavailable):
    """The language model cannot be reached, is still being fetched, or does not reply as it should."""


class ModelTooSlow(ModelUnavailable):
    """The language model does not reply within its limit of time, or a turn's time for it is over."""


class ModelReplyUnreadable(Failure):
    """The model's reply is not of the asked form, also after one repair."""


class QueryRefused(Failure):
    """A query cannot be run as it stands; the message says why, to whoever wrote it."""


class KnowledgeBaseUnreachable(Failure):
    """A knowledge base does not answer; `name` is the knowledge base."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name = name


class KnowledgeBaseAway(KnowledgeBaseUnreachable):
    """It does not answer and is left alone for a while: a state, which `KnowledgeBases.infos` tells."""


def notice(error: Exception) -> Notice:
    """The line for a person about `error`, whatever language it is said in later; what is not ours goes to the log."""
    if isinstance(error, LorekeeperError):
        return error.notice
    _log.exception("Something unexpected happened", exc_info=error)
    return Notice("Something went wrong here; what it was is in the log. You can go on.")


def one_line(error: Exception) -> str:
    """The line to show for `error`, in the language that is spoken; what is not ours goes to the log."""
    return translated(notice(error))
