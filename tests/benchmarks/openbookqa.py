"""OpenBookQA over ConceptNet, on the dev questions (KnowGPT, Tables 1, 3 and 4).

See `tests.benchmarks.choices` for what is measured. The paper's dev: ChatGPT alone 0.598, all of KnowGPT 0.900; its
test: P_sub 0.865, P_RL 0.889.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.choices import Choices, Question


class OpenBookQA(Choices):
    """`openbookqa --data DIR`: `train.jsonl` and `dev.jsonl` in DIR, `conceptnet` beside it."""

    name = "openbookqa"
    test_rows = 100
    described = 40 / 100

    def questions(self, split: str) -> Iterator[Question]:
        """The training questions, and those of dev as the test."""
        train, dev = self.question_files()
        for line in (train if split == "train" else dev).read_text(encoding="utf-8").splitlines():
            yield Question.of(json.loads(line))

    def question_files(self) -> list[Path]:
        """See `Choices.question_files`."""
        return [self._data / "train.jsonl", self._data / "dev.jsonl"]

    def graph_file(self) -> Path:
        """See `Choices.graph_file`."""
        return self._data.parent / "conceptnet" / "triples.txt.gz"
