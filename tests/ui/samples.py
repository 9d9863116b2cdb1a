"""What a turn found and ran, for tests of how it is shown."""

import re
from html import unescape

from assistant.types import Call, Evidence, ProgramRun

EVIDENCE = (Evidence(1, "world", "Kenya", "currency", "Kenyan shilling", source="GeoNames"),)
CALL = Call("find_entity_or_value", (("Kenya",), ("currency",)), "Found it.", ("x",))
RUN = ProgramRun("world", "answer = 1", (CALL,), ("x",))


def read(markdown: str) -> str:
    """What the page shows of its Markdown, without the tags and backslashes that we put there."""
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", unescape(re.sub(r"<[^>]*>", "", markdown)))
