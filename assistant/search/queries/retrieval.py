"""Which examples go into the prompt: the four strategies of ICSU, section 2.2, chance, and one past the paper.

"mixed" is the paper's hybrid without its draft, and so without a second call of the model.
"""

import random
from collections.abc import Callable, Sequence
from typing import Literal

from assistant.search.examples import Example, ExampleBank, Form

Retrieval = Literal["random", "raw", "anonymized", "sparql", "hybrid", "mixed"]


def retrieve(
    bank: ExampleBank,
    question: str,
    retrieval: Retrieval,
    k: int,
    draft: Callable[[Sequence[Example]], str],
    *,
    diversity: float = 0.0,
    names: Sequence[str] = (),
    further: Sequence[Example] = (),
) -> list[Example]:
    """At most `k` examples for the question, the nearest first.

    `draft` writes a query from examples; "sparql" and "hybrid" call it once, with those of "anonymized" (appendix A.4).
    With a `diversity` above 0 the examples are chosen by marginal relevance. `names` are those known to stand in the
    question, `further` examples beside the bank's own.
    """

    def nearest(text: str, form: Form) -> list[Example]:
        found = bank.nearest(text, k, form, names=names, further=further, diversity=diversity)
        return [one.example for one in found]

    if retrieval == "random":
        return random.Random(question).sample(bank.examples, min(k, len(bank.examples)))
    if retrieval == "raw":
        return nearest(question, "question")
    anonymized = nearest(question, "anonymized")
    if retrieval == "anonymized":
        return anonymized
    if retrieval == "mixed":
        return _in_turn([anonymized, nearest(question, "question")], k)
    by_code = nearest(draft(anonymized), "code")
    if retrieval == "sparql":
        return by_code
    return _in_turn([anonymized, by_code, nearest(question, "question")], k)  # in the paper's order


def _in_turn(lists: Sequence[Sequence[Example]], k: int) -> list[Example]:
    """An equal share of each, one strategy after another; what two have in common makes room for the next."""
    chosen: list[Example] = []
    for number, examples in enumerate(lists, start=1):
        new = [example for example in examples if example not in chosen]
        chosen += new[: -(-number * k // len(lists)) - len(chosen)]
    return chosen
