"""`python -m assistant.probing.training` trains the probe on `examples.jsonl` and writes it.

A line of that file is a text of the kind that people upload, or a few facts, with answers to questions that the text
gives and others that it does not. The embedded model reads each: some 2 seconds an answer on two cores. How well the
probe tells unseen texts is printed, and kept in no file.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from assistant.errors import Failure, LorekeeperError
from assistant.llm.client import LanguageModel
from assistant.llm.local import EmbeddedTransport
from assistant.probing.probe import SHIPPED, Probe, asked
from assistant.settings import Settings
from memory.types import Vectors

EXAMPLES = Path(__file__).with_name("examples.jsonl")
_SHRINKING = 0.2  # of the weights; from 0.05 to 1 the texts left out are told about as well
_FOLDS = 8
_STEPS = 200


@dataclass(frozen=True, slots=True)
class Example:
    """An answer to a question about a text, and whether the text gives it; `document` numbers the text."""

    document: int
    text: str
    question: str
    answer: str
    right: bool


def read(path: Path) -> list[Example]:
    """The examples of a file."""
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [
        Example(document, line["text"], item["question"], item["answer"], item["right"])
        for document, line in enumerate(lines)
        for item in line["items"]
    ]


def states(model: LanguageModel, examples: Sequence[Example]) -> Iterator[tuple[float, ...]]:
    """The model's state after each of the examples.

    Raises:
        Failure: the model does not tell its states.
        Interrupted, ModelUnavailable: as `LanguageModel.state`.
    """
    for example in examples:
        state = model.state(asked(example.text, example.question, example.answer), purpose="probing")
        if not state:
            raise Failure("Only the embedded model tells its states: leave LOREKEEPER_MODEL and OPENAI_BASE_URL empty.")
        yield state


def fit(read_states: Vectors, right: Sequence[bool]) -> Probe:
    """Logistic regression with shrinking on states of shape (n, size), each dimension brought to the same scale."""
    mean, scale = read_states.mean(axis=0), read_states.std(axis=0) + 1e-6
    inputs = torch.tensor((read_states - mean) / scale, dtype=torch.float64)
    targets = torch.tensor(right, dtype=torch.float64)
    weights = torch.zeros(inputs.shape[1], dtype=torch.float64, requires_grad=True)
    bias = torch.zeros(1, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([weights, bias], max_iter=_STEPS, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        missed = torch.nn.functional.binary_cross_entropy_with_logits(inputs @ weights + bias, targets)
        total = missed + _SHRINKING / 2 * weights.square().sum()
        total.backward()  # type: ignore[no-untyped-call]
        return total

    optimizer.step(loss)  # type: ignore[no-untyped-call]
    direction = weights.detach().numpy() / scale
    return Probe(direction.astype(np.float32), float(bias.detach()) - float(direction @ mean))


def left_out(read_states: Vectors, examples: Sequence[Example]) -> Vectors:
    """How sure a probe is of each example, trained on the texts of the other folds; shape (n,)."""
    right = np.array([example.right for example in examples])
    fold = np.array([example.document % _FOLDS for example in examples])
    sure = np.zeros(len(examples), np.float32)
    for number in range(_FOLDS):
        probe = fit(read_states[fold != number], right[fold != number].tolist())
        sure[fold == number] = [probe.probability(state) for state in read_states[fold == number]]
    return sure


def area_under_curve(sure: Vectors, right: Sequence[bool]) -> float:
    """The chance that a right answer is held surer than a wrong one."""
    of_right, of_wrong = sure[np.array(right)], sure[~np.array(right)]
    above = (of_right[:, None] > of_wrong).mean() + (of_right[:, None] == of_wrong).mean() / 2
    return float(above)


def main(arguments: Sequence[str] | None = None) -> int:
    """Train; exit status 1 where the model cannot be asked."""
    parser = argparse.ArgumentParser(prog="python -m assistant.probing.training", description=__doc__)
    parser.add_argument("--examples", type=Path, default=EXAMPLES)
    parser.add_argument("--out", type=Path, default=SHIPPED)
    options = parser.parse_args(arguments)
    examples = read(options.examples)
    transport = EmbeddedTransport(Settings.from_environment())
    model = LanguageModel(transport)
    try:
        transport.start()
        while transport.status().state in ("fetching", "starting"):
            time.sleep(1)
        read_states = np.array(list(states(model, examples)), np.float32)
    except LorekeeperError as error:
        print(error, file=sys.stderr)
        return 1
    finally:
        model.close()
    right = [example.right for example in examples]
    sure = left_out(read_states, examples)
    print(f"{len(examples)} examples; texts left out: area under the curve {area_under_curve(sure, right):.3f}")
    for bound in (0.3, 0.4, 0.5, 0.6):
        kept, taken = (sure[np.array(right)] >= bound).mean(), (sure[~np.array(right)] >= bound).mean()
        print(f"from {bound}: {kept:.2f} of the right answers, {taken:.2f} of the wrong ones")
    fit(read_states, right).save(options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
