from pathlib import Path

import numpy as np
import pytest

from assistant.llm.client import LanguageModel
from assistant.llm.scripted import ScriptedTransport
from assistant.probing import probe
from assistant.probing.probe import SHIPPED, Probe

TEXT = "The key box opens with 2047."


@pytest.fixture
def shipped() -> Probe:
    with np.load(SHIPPED) as file:
        return Probe(file["weights"], float(file["bias"]))


def test_it_is_the_surer_the_further_a_state_lies_in_its_direction() -> None:
    own = Probe(np.array([1.0, -2.0], np.float32), 0.5)
    sure = [own.probability(np.array([step, 0.0], np.float32)) for step in (-9.0, -0.5, 0.0, 9.0)]
    assert sure == sorted(sure)
    assert sure[1] == pytest.approx(0.5)


def test_a_state_far_off_is_still_a_probability() -> None:
    own = Probe(np.array([1e6], np.float32), 0.0)
    assert own.probability(np.array([-1e6], np.float32)) == pytest.approx(0)
    assert own.probability(np.array([1e6], np.float32)) == pytest.approx(1)


def test_it_is_the_same_when_it_was_saved(tmp_path: Path) -> None:
    own = Probe(np.array([0.25, -2.0], np.float32), 0.125)
    own.save(tmp_path / "probe.npz")
    with np.load(tmp_path / "probe.npz") as file:
        assert file["weights"].tolist() == [0.25, -2.0]
        assert float(file["bias"]) == 0.125


def test_the_state_is_asked_for_after_the_answer_and_read(shipped: Probe) -> None:
    yes, no = (tuple(sign * 10 * shipped.weights) for sign in (1, -1))
    transport = ScriptedTransport({"probing": [yes, no]})
    model = LanguageModel(transport)
    assert probe.probability(model, TEXT, "What opens the key box?", "2047") == pytest.approx(1)
    assert probe.probability(model, TEXT, "What is the alarm's code?", "2047") == pytest.approx(0)
    last = transport.requests[1].messages[-1].content
    assert all(part in last for part in (TEXT, "What is the alarm's code?", "Answer: 2047"))


def test_a_model_that_does_not_tell_its_states_is_not_probed() -> None:
    assert probe.probability(LanguageModel(ScriptedTransport([])), TEXT, "What opens the key box?", "2047") is None
