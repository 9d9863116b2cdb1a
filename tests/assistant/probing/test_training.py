import numpy as np
import pytest

from assistant.errors import Failure
from assistant.llm.client import LanguageModel
from assistant.llm.scripted import ScriptedTransport
from assistant.probing import training
from assistant.probing.training import Example


def examples(count: int) -> list[Example]:
    return [Example(number // 4, "A text.", f"Question {number}?", "It.", number % 2 == 0) for number in range(count)]


def states(some: list[Example], apart: float) -> np.ndarray:
    """States of noise, in which one direction tells right from wrong by so many standard deviations."""
    noise = np.random.default_rng(0).normal(size=(len(some), 40)).astype(np.float32)
    noise[:, 3] += [apart if example.right else 0.0 for example in some]
    return noise * 5 + 100


def test_a_direction_that_tells_is_found_also_on_texts_left_out() -> None:
    some = examples(160)
    right = [example.right for example in some]
    assert training.area_under_curve(training.left_out(states(some, 4.0), some), right) > 0.9
    fitted = training.fit(states(some, 4.0), right)
    assert np.argmax(np.abs(fitted.weights)) == 3


def test_noise_tells_nothing_of_texts_left_out() -> None:
    some = examples(160)
    area = training.area_under_curve(training.left_out(states(some, 0.0), some), [example.right for example in some])
    assert 0.35 < area < 0.65


def test_the_area_under_the_curve_is_the_share_of_pairs_in_order() -> None:
    sure = np.array([0.9, 0.2, 0.5, 0.2], np.float32)
    assert training.area_under_curve(sure, [True, True, False, False]) == pytest.approx(2.5 / 4)


def test_each_document_has_right_and_wrong_answers() -> None:
    held = training.read(training.EXAMPLES)
    by_document: dict[int, set[bool]] = {}
    for example in held:
        assert example.text and example.question and example.answer
        by_document.setdefault(example.document, set()).add(example.right)
    assert all(verdicts == {True, False} for verdicts in by_document.values())
    assert len(held) == len({(e.text, e.question, e.answer) for e in held})


def test_a_model_that_tells_no_states_cannot_be_trained_on() -> None:
    with pytest.raises(Failure, match="embedded model"):
        list(training.states(LanguageModel(ScriptedTransport([])), examples(1)))
