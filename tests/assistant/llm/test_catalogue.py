import re
from pathlib import Path

import pytest

from assistant.errors import UserMistake
from assistant.llm import catalogue
from assistant.llm.catalogue import BUILT_IN, GB, OFFERS, memory_here, offered
from assistant.llm.origins import Hub


def test_each_model_is_one_file_pinned_by_commit_size_and_hash() -> None:
    assert len({offer.name for offer in OFFERS}) == len({offer.weights.name for offer in OFFERS}) == len(OFFERS)
    for offer in OFFERS:
        assert re.fullmatch("[0-9a-f]{64}", offer.weights.sha256)
        assert offer.weights.size < offer.memory * GB
        hubs = [origin for origin in offer.origins if isinstance(origin, Hub)]
        assert hubs and all(offer is BUILT_IN or re.fullmatch("[0-9a-f]{40}", hub.revision or "") for hub in hubs)


def test_a_model_is_found_by_its_name_in_any_case_and_the_first_without_one() -> None:
    assert offered("Qwen3-4B") is offered("qwen3-4b") is not None
    assert offered("") is offered(BUILT_IN.name) is BUILT_IN
    assert offered("qwen3-4b.gguf") is offered("/models/qwen3-4b") is None


@pytest.mark.parametrize("offer", OFFERS, ids=[offer.name for offer in OFFERS])
def test_a_machine_of_the_memory_that_a_model_asks_for_can_run_it_and_one_of_half_cannot(offer) -> None:
    sold_as = int(0.93 * offer.memory * GB)  # what the system sees of so many GB
    assert offer.fits(sold_as) and offer.needs_thrift(sold_as) and not offer.needs_thrift(2 * sold_as)
    offer.check(sold_as)
    with pytest.raises(UserMistake, match=rf"^The model {re.escape(offer.name)} needs a machine with \d+ GB [^\n]+$"):
        offer.check(sold_as // 2)


def test_the_memory_of_this_machine_is_known_and_a_container_may_have_less(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert GB // 4 < memory_here() < 10**6 * GB
    limit = tmp_path / "memory.max"
    monkeypatch.setattr(catalogue, "_CONTAINER", limit)
    machine = memory_here()
    for text, memory in (("max\n", machine), (f"{GB // 8}\n", GB // 8), (f"{machine * 2}\n", machine)):
        limit.write_text(text)
        assert memory_here() == memory
