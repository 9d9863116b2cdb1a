"""A program that is run again ends at Stop, and when nobody looks any more, in a real browser."""

import time
from collections.abc import Callable
from contextlib import suppress

from playwright.sync_api import Locator, Page, expect

from tests.ui.conftest import STORY, TURN, WHERE, Served, ask, settled

# Names that are nearly known are slow to look for: this takes until the run's own limit.
SLOW = """
for n in range(390):
    try:
        find_entity_or_value([f"{'Afghanistan Albania ' * 9}{n}-{k}" for k in range(40)], ["zebra"])
    except Exception:
        pass
"""


def opened(served: Served, page: Page) -> Locator:
    source = served.assistant.ingestion.add("me", "mira.md", STORY.encode())
    served.assistant.ingestion.wait("me", source.id, 60)
    ask(page, WHERE)
    settled(page)
    page.get_by_text("Why this answer").press("Enter")
    return page.get_by_label("The search program")


def idle(served: Served) -> bool:
    for _ in range(300):
        if not served.assistant._under_way:
            return True
        time.sleep(0.1)
    return False


def test_stop_ends_a_program_that_runs_and_another_runs_meanwhile(
    serve: Callable[..., Served], visit: Callable[..., Page]
) -> None:
    served = serve({**TURN, "answer": [*TURN["answer"], *["Nothing of it."] * 9]})
    page = visit(served)
    box = opened(served, page)
    box.fill(SLOW)
    other = visit(served)
    other.get_by_role("button", name=WHERE).first.click()
    other.get_by_text("Why this answer").press("Enter")
    other.get_by_label("The search program").fill("find_entity_or_value([")
    page.get_by_role("button", name="Run again").click()
    outcome = page.locator(".lk-outcome")
    expect(outcome).to_contain_text("Running")
    other.get_by_role("button", name="Run again").click()  # does not wait behind the first
    expect(other.locator(".lk-outcome")).to_contain_text("SyntaxError", timeout=15_000)
    expect(page.locator(".lk-run")).to_have_text("Stop")
    page.locator(".lk-run").click()
    expect(outcome).to_contain_text("Stopped.", timeout=15_000)
    expect(page.locator(".lk-run")).to_have_text("Run again")
    assert idle(served)


def test_a_program_that_runs_ends_when_its_page_is_closed(
    serve: Callable[..., Served], visit: Callable[..., Page]
) -> None:
    served = serve({**TURN, "answer": [*TURN["answer"], *["Nothing of it."] * 9]})
    page = visit(served)
    box = opened(served, page)
    box.fill(SLOW)
    page.get_by_role("button", name="Run again").click()
    expect(page.locator(".lk-outcome")).to_contain_text("Running")
    with suppress(Exception):
        page.close()
    assert idle(served)
