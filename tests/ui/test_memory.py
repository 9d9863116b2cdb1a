"""What a person does with the memory on the page, in a real browser."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from memory.types import Extraction, FactKind, Mention
from tests.memory.samples import said
from tests.ui.conftest import Served


def test_what_is_one_is_merged_and_taken_apart_again(
    serve: Callable[..., Served], visit: Callable[..., Page], shot: Callable[[Page, str], None]
) -> None:
    served = serve()
    user = served.assistant.memory.of("me")
    for name in ("Ann Berg", "Annie Berg"):
        text = f"{name} is a pianist from Norway."
        description = said(text, name, "description", "a pianist from Norway", FactKind.DESCRIPTION)
        user.note(text, Extraction((Mention(name),), (description,)))
    page = visit(served)
    page.get_by_role("tab", name="Memory").click()
    page.get_by_text("People and things", exact=True).click()
    listed = page.locator("#lk-memory")
    expect(listed).to_contain_text("Likely the same")
    listed.get_by_role("button", name="Merge").click()
    expect(listed.get_by_text("also A")).to_be_visible()
    expect(listed).not_to_contain_text("Likely the same")
    shot(page, "memory-merged")
    assert len(user.entities()) == 1
    listed.get_by_role("button", name="apart again").press("Enter")
    expect(listed).to_contain_text("Likely the same")
    assert len(user.entities()) == 2
