"""Loads the prompts of `prompts/` and renders them.

A prompt is a Markdown file of `## system`, `## user` and `## assistant` sections. The last section is a user's and the
only one with `{{ names }}`; all before it is fixed, so that a server keeps it cached, and is called the head.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import cast

import jinja2

from assistant.types import Message, Role

_FOLDER = Path(__file__).resolve().parent.parent / "prompts"
_SECTION = re.compile(r"^## (system|user|assistant)\n", re.MULTILINE)
_templates = jinja2.Environment(
    undefined=jinja2.StrictUndefined, autoescape=False, trim_blocks=True, lstrip_blocks=True
)


@dataclass(frozen=True)
class Prompt:
    """A fixed head and the template of the last message."""

    name: str
    head: tuple[Message, ...]
    last: jinja2.Template

    def render(self, **values: object) -> list[Message]:
        """The messages to send.

        Raises:
            jinja2.UndefinedError: the template uses a name that is not given.
        """
        return [*self.head, Message("user", self.last.render(**values).strip())]


@cache
def load(name: str) -> Prompt:
    """The prompt `prompts/<name>.md`."""
    return parse(name, (_FOLDER / f"{name}.md").read_text(encoding="utf-8"))


def parse(name: str, text: str) -> Prompt:
    """Read a prompt from its Markdown.

    Raises:
        ValueError: the last section is not a user's, or the head has a placeholder.
    """
    parts = _SECTION.split(text)[1:]
    sections = [Message(cast(Role, role), body.strip()) for role, body in zip(parts[::2], parts[1::2], strict=True)]
    if not sections or sections[-1].role != "user":
        raise ValueError(f"prompts/{name}.md: the last section has to be '## user'.")
    *head, last = sections
    if any("{{" in message.content or "{%" in message.content for message in head):
        raise ValueError(f"prompts/{name}.md: only the last section may have placeholders.")
    return Prompt(name, tuple(head), _templates.from_string(last.content))
