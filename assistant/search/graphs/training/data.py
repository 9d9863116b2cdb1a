"""What the path policy is trained on: a file of triples, and questions in CommonsenseQA's form."""

import json
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from pyoxigraph import NamedNode

from assistant.errors import UserMistake
from assistant.knowledge_bases import rdf
from assistant.knowledge_bases.files.formats import guess_format, read_triples
from assistant.knowledge_bases.graph import Graph, GraphBuilder
from assistant.stemming import root
from memory.folding import fold
from memory.types import Embedder, Vectors

_LEAST_COUNT = 2  # a word that stands once only is left to be embedded when it is met


@dataclass(frozen=True)
class Question:
    """A question with its candidate answers; `gold` is the place of the right one."""

    text: str
    choices: tuple[str, ...]
    gold: int


@dataclass(frozen=True)
class Embedded:
    """Vectors of the embedder: of `words`, one for each stem with its count, and of the questions, in their order."""

    stems: tuple[str, ...]
    counts: tuple[int, ...]
    words: Vectors
    questions: Vectors


def read_graph(path: Path) -> Graph:
    """The graph of a file of triples.

    Raises:
        UserMistake: the file cannot be read.
    """
    builder = GraphBuilder()
    for quad in read_triples(path, guess_format(path)):
        if isinstance(quad.subject, NamedNode) and isinstance(quad.object, NamedNode):
            builder.add(quad.subject.value, quad.predicate.value, quad.object.value)
    return builder.build(map(rdf.entity_name, builder.entities), map(rdf.relation_name, builder.relations))


def read_questions(path: Path, ids: Path | None, limit: int, seed: int) -> list[Question]:
    """`limit` questions drawn from the file; with `ids`, from those that this file names.

    Raises:
        UserMistake: the file is not of CommonsenseQA's form.
    """
    try:
        wanted = set(ids.read_text(encoding="utf-8").split()) if ids else None
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        questions = [_question(line) for line in lines if wanted is None or line["id"] in wanted]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserMistake(f"{path.name} has no questions in CommonsenseQA's form ({error!r}).") from error
    if not questions:
        raise UserMistake(f"{path.name} has no questions, or none that are named.")
    return random.Random(seed).sample(questions, min(limit, len(questions)))


def embed(embedder: Embedder, graph: Graph, questions: Sequence[Question], kept: Path) -> Embedded:
    """The vectors that training needs: minutes, so that they are kept in a file for another training."""
    if not kept.exists():
        words = Counter(word for name in graph.names for word in fold(name).split())
        words.update(word for q in questions for text in (q.text, *q.choices) for word in fold(text).split())
        spelled: dict[str, Counter[str]] = defaultdict(Counter)
        for word, count in words.items():
            spelled[root(word)][word] = count
        counts = {stem: sum(forms.values()) for stem, forms in spelled.items()}
        stems = sorted((stem for stem in counts if counts[stem] >= _LEAST_COUNT), key=lambda stem: -counts[stem])
        np.savez_compressed(
            kept,
            stems=np.array(stems),
            counts=np.array([counts[stem] for stem in stems]),
            words=embedder.passage([spelled[stem].most_common(1)[0][0] for stem in stems]),
            questions=embedder.query([question.text for question in questions]),
        )
    with np.load(kept) as file:
        read = Embedded(tuple(file["stems"].tolist()), tuple(file["counts"].tolist()), file["words"], file["questions"])
    if len(read.questions) != len(questions) or read.words.shape[1] != embedder.size:
        raise UserMistake(f"{kept} holds vectors of other questions or of another embedder; name another file.")
    return read


def _question(line: dict[str, object]) -> Question:
    asked = line["question"]
    if not isinstance(asked, dict):
        raise TypeError("question")
    labels = [choice["label"] for choice in asked["choices"]]
    return Question(asked["stem"], tuple(c["text"] for c in asked["choices"]), labels.index(line["answerKey"]))
