"""CommonsenseQA over ConceptNet, on the in-house test questions (KnowGPT, Tables 1, 3 and 4).

See `tests.benchmarks.choices` for what is measured. Questions that W and the policy were fitted to, and those held out
there, teach the bandit nothing: on them the paths may be better than on others. The paper's IHtest: ChatGPT alone
0.710, P_sub 0.739, P_RL 0.800, all of KnowGPT 0.818.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from assistant.search.graphs.checkpoint import SHIPPED, load
from assistant.search.graphs.training.data import read_questions
from tests.benchmarks.choices import Choices, Question

_DRAWN = 1500  # questions for W and the policy, of which it was trained on 1,200


class CommonsenseQA(Choices):
    """`commonsenseqa --data DIR`: `train.jsonl` and `inhouse_train_qids.txt` in DIR, `conceptnet` beside it."""

    name = "commonsenseqa"
    test_rows = 150
    described = 40 / 150

    def questions(self, split: str) -> Iterator[Question]:
        """The in-house split, without what the shipped policy was trained on."""
        lines, train = self.question_files()
        drawn = read_questions(lines, train, _DRAWN, load(SHIPPED).about["seed"])
        fitted = {question.text for question in drawn}
        training = set(train.read_text(encoding="utf-8").split())
        for line in lines.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if (row["id"] in training) == (split == "train") and row["question"]["stem"] not in fitted:
                yield Question.of(row)

    def question_files(self) -> list[Path]:
        """See `Choices.question_files`."""
        return [self._data / "train.jsonl", self._data / "inhouse_train_qids.txt"]

    def graph_file(self) -> Path:
        """See `Choices.graph_file`."""
        return self._data.parent / "conceptnet" / "triples.txt.gz"
