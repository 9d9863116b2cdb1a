from pathlib import Path

import jinja2
import pytest

from assistant import prompting
from assistant.types import Message

NAMES = sorted(path.stem for path in (Path(__file__).parents[2] / "prompts").glob("*.md"))


def test_there_are_prompts():
    assert {"understand", "program", "answer", "extract"} <= set(NAMES)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "continue"])
def test_a_prompt_is_a_system_message_and_turns(name):
    roles = [message.role for message in prompting.load(name).head]
    assert roles == ["system", *["user", "assistant"] * (len(roles) // 2)]


def test_the_head_is_fixed_and_the_last_message_is_rendered():
    prompt = prompting.parse("p", "## system\nBe kind.\n\n## user\nHi {{ name }}!\n")
    assert prompt.head == (Message("system", "Be kind."),)
    assert prompt.render(name="Ann {{ x }}") == [Message("system", "Be kind."), Message("user", "Hi Ann {{ x }}!")]


def test_a_missing_name_is_an_error():
    with pytest.raises(jinja2.UndefinedError, match="name"):
        prompting.parse("p", "## user\nHi {{ name }}!").render(nam="Ann")


@pytest.mark.parametrize(
    "text", ["", "## system\nx", "## system\n{{ x }}\n## user\ny", "## user\n{% if x %}\n## user\ny"]
)
def test_a_prompt_of_another_form_is_refused(text):
    with pytest.raises(ValueError, match=r"prompts/p\.md"):
        prompting.parse("p", text)
