"""Which model answers is chosen under Settings, where that is left to the page."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from playwright.sync_api import Page, expect

from app import compose
from assistant.llm.catalogue import OFFERS
from assistant.llm.local import EmbeddedTransport
from assistant.settings import Settings
from tests.assistant.llm.test_local import Failing, Slow, offer
from tests.ui.conftest import Served


def test_another_model_is_chosen_and_the_page_says_how_far_it_is(
    settings: Settings,
    tmp_path: Path,
    serve: Callable[..., Served],
    visit: Callable[..., Page],
    shot: Callable[[Page, str], None],
) -> None:
    slow = Slow()
    cache = replace(settings, cache=tmp_path)
    served = serve(transport=EmbeddedTransport(cache, offers=[offer(Failing()), offer(slow, "large")]))
    page = visit(served)
    page.get_by_role("tab", name="Settings").click()
    choice = page.locator("#lk-models")
    expect(choice.get_by_label("small")).to_be_checked()
    choice.get_by_label("large").click()
    expect(page.locator("#lk-model")).to_contain_text("large being fetched (43%)")
    shot(page, "models-fetching")

    page.reload()
    page.get_by_role("tab", name="Settings").click()
    expect(choice.get_by_label("large")).to_be_checked()
    choice.get_by_label("small").click()
    assert slow.ended.wait(30)
    expect(page.locator("#lk-model")).to_contain_text("the well is dry")


def test_each_model_is_told_with_what_it_asks_for_in_the_language_of_the_page(
    settings: Settings, serve: Callable[..., Served], visit: Callable[..., Page], shot: Callable[[Page, str], None]
) -> None:
    page = visit(serve(transport=EmbeddedTransport(settings)), locale="de-DE")
    page.get_by_role("tab", name="Einstellungen").click()
    told = page.locator("#lk-model li")
    expect(told.first).to_contain_text("1,1 GB")
    expect(told.first).to_contain_text("Chinesisch")
    shot(page, "models-in-german")


def test_what_was_chosen_answers_after_a_restart_unless_the_operator_says_another(home: Path, tmp_path: Path) -> None:
    settings = Settings.from_environment({"LOREKEEPER_HOME": str(home), "LOREKEEPER_PUBLIC": "off"})
    first, other = OFFERS[0], OFFERS[1]
    offers = [offer(Failing(), name) for name in _names()]
    assistant = compose(settings, EmbeddedTransport(replace(settings, cache=tmp_path), offers=offers))
    assert assistant.models is not None
    assistant.models.choose(other.name)
    assistant.close()

    assistant = compose(settings)
    assert assistant.models is not None and assistant.models.chosen == other
    assert assistant.profiling.profile.known_by == "nothing"
    assistant.close()
    told = Settings.from_environment({"LOREKEEPER_HOME": str(home), "LOREKEEPER_MODEL": first.name})
    assistant = compose(told)
    assert assistant.models is None
    assert assistant.model.transport.status().name == first.name
    assert assistant.profiling.profile.known_by == "build"
    assistant.close()


def _names() -> list[str]:
    return [offer.name for offer in OFFERS]
