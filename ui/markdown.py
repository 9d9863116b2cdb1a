"""Text as Markdown that shows it as it is."""

import re
from collections.abc import Sequence

# Where Markdown reads an entity or a tag; elsewhere & and < are themselves, as in "AT&T" and "3 < 4".
_ENTITY = re.compile(r"&(?=#?\w{1,40};)")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
# Where Markdown reads more than the character itself: anywhere, in addresses, and where a line begins.
_INLINE = re.compile(r"[\\`*_~<|\[\]]|&(?=#?\w{1,40};)|:(?=//)|(?<=www)\.|@", re.IGNORECASE)
_LINE_START = re.compile(r"^([ \t]*(?:\d{1,9}(?=[.)]))?)([#>+=.)-])", re.MULTILINE)
_LOST_SPACE = re.compile(r"(?<!\S)[ \t]")  # one that begins a line, or follows another
CODE = re.compile(r"(```.*?(?:```|\Z)|`[^`\n]+`)", re.DOTALL)


def safe_markdown(text: str) -> str:
    """Markdown whose raw HTML, images and diagrams are shown as the characters that they are.

    The page sanitises what it renders and its policy forbids foreign images; this keeps the text readable besides.
    """
    parts = CODE.split(text)
    return "".join(_plain_fence(part) if i % 2 else _escaped_markdown(part) for i, part in enumerate(parts))


def literal(text: str) -> str:
    """Markdown that shows what a person typed character by character; page.js takes it back where it is edited."""
    escaped = _LINE_START.sub(r"\1\\\2", _INLINE.sub(r"\\\g<0>", text))
    return _LOST_SPACE.sub("\u00a0", escaped)


def _escaped_markdown(text: str) -> str:
    text = _ENTITY.sub("&amp;", text)
    return _TAG.sub("&lt;", text).replace("![", "!\\[")


def _plain_fence(code: str) -> str:
    return re.sub(r"\A```\s*mermaid\b", "```text", code)


def fenced(code: str, language: str) -> str:
    """A block of code, whatever stands in it."""
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", code)), default=0))
    return f"{fence}{language}\n{code.strip()}\n{fence}"


def bulleted(lines: Sequence[str]) -> str:
    """A list of plain lines."""
    return "\n".join(f"- {safe_markdown(line)}" for line in lines)
