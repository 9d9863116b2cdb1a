"""MedQA (USMLE, four options) over the Disease Database (KnowGPT, Tables 1, 3 and 4).

See `tests.benchmarks.choices` for what is measured. There is one file of questions: every other one is for training.
The paper's dev: ChatGPT alone 0.484, all of KnowGPT 0.776; its test: P_sub 0.695, P_RL 0.755.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.choices import Choices, Question


class MedQA(Choices):
    """`medqa --data DIR`: `dev.jsonl`, `ddb_relas.json.gz` and `ddb_names.json.gz` in DIR."""

    name = "medqa"
    test_rows = 60
    described = 40 / 60

    def questions(self, split: str) -> Iterator[Question]:
        """The even lines for training, the odd ones for the test, counted from 0."""
        [file] = self.question_files()
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines()):
            if (number % 2 == 0) == (split == "train"):
                row = json.loads(line)
                labels = list(row["options"])
                yield Question(
                    f"dev-{number}", row["question"], tuple(row["options"].values()), labels.index(row["answer_idx"])
                )

    def question_files(self) -> list[Path]:
        """See `Choices.question_files`."""
        return [self._data / "dev.jsonl"]

    def graph_file(self) -> Path:
        """See `Choices.graph_file`."""
        return self._data / "ddb_relas.json.gz"
