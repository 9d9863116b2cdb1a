"""Which relation is followed, and what the model takes the asked one to be (KnowledGPT, section 4.3)."""

import pytest

from assistant.embedding import load_embedder
from assistant.errors import ModelUnavailable
from assistant.knowledge_bases.relation_choice import RelationChoice
from assistant.knowledge_bases.relations import Asked, RelationRanker
from assistant.llm.client import LanguageModel
from assistant.llm.scripted import Scripted, ScriptedTransport, Weights
from assistant.settings import Settings

FILM = {"produced by": "Mark Johnson", "featured film locations": "Pittsburgh", "genre": "drama", "music": "Bob Dylan"}
LOCATIONS = Asked(("featured film locations",), outgoing=True)


@pytest.fixture(scope="module")
def ranker() -> RelationRanker:
    settings = Settings.from_environment()
    return RelationRanker(load_embedder(settings.embeddings, settings.cache))


def choice(ranker: RelationRanker, *replies: Scripted, question: str = "Where was Wonder Boys shot?") -> RelationChoice:
    return RelationChoice(question, ranker, "best", LanguageModel(ScriptedTransport(replies)))


def followed(made: RelationChoice, *aliases: str, values: dict[str, str] = FILM) -> list[str]:
    has = {Asked((name,), outgoing=True): value for name, value in values.items()}
    return [asked.names[0] for asked in made.chosen("Wonder Boys", has, aliases)]


def offered(made: RelationChoice) -> list[str]:
    assert made.model is not None
    assert isinstance(made.model.transport, ScriptedTransport)
    (request,) = made.model.transport.requests
    assert (request.purpose, request.max_tokens) == ("relation", 1)
    return request.messages[-1].content.splitlines()


def test_what_is_clearly_meant_is_followed_without_asking(ranker: RelationRanker) -> None:
    made = choice(ranker)
    assert followed(made, "producer") == ["produced by"]
    assert followed(made, "genres") == ["genre"]


def test_of_relations_that_are_named_as_one_the_first_is_followed(ranker: RelationRanker) -> None:
    assert followed(choice(ranker), "genre", "produced by") == ["genre"]
    assert followed(choice(ranker), "kind of film it was", "produced by") == ["produced by"]
    ends = [Asked(("capital",), outgoing=False), Asked(("country",), outgoing=True)]
    assert ranker.rank(ends, ["capital of", "country"])[0][1] == ends[0]


def test_the_model_rewrites_what_no_relation_is_called(ranker: RelationRanker) -> None:
    nearest = [asked for _, asked in ranker.rank([Asked((name,), outgoing=True) for name in FILM], ["shot in"])]
    letter = "ABCD"[nearest.index(LOCATIONS)]
    assert nearest[0] != LOCATIONS, "likeness alone is mistaken"
    made = choice(ranker, Weights({letter: 0.7, "N": 0.3}))
    assert followed(made, "shot in") == ["featured film locations"]
    assert made.rewritten(["shot in"]) == "featured film locations"
    assert made.rewritten(["genre"]) == ""
    lines = offered(made)
    assert lines[0] == "Question: Where was Wonder Boys shot?"
    assert f"{letter}. featured film locations: Pittsburgh" in lines
    assert len(lines) == len(FILM) + 3


@pytest.mark.parametrize(
    "reply", [Weights({"N": 0.6, "A": 0.4}), Weights({"B": 0.4, "C": 0.35, "N": 0.25}), Weights({"B": 0.45, "N": 0.55})]
)
def test_none_is_followed_where_the_model_is_not_sure(ranker: RelationRanker, reply: Weights) -> None:
    made = choice(ranker, reply)
    assert followed(made, "shot in") == []
    assert made.rewritten(["shot in"]) == ""


def test_the_nearest_needs_less_certainty(ranker: RelationRanker) -> None:
    made = choice(ranker, Weights({"A": 0.4, "B": 0.3, "N": 0.3}))
    (first,) = followed(made, "shot in")
    assert first == "produced by"


def test_it_is_asked_once_a_run_and_its_reply_holds(ranker: RelationRanker) -> None:
    made = choice(ranker, Weights({"N": 1.0}))
    assert followed(made, "shot in") == []
    assert followed(made, "shot in", values={"produced by": "Ann", "place": "Rome"}) == []
    assert followed(made, "studio", values={"story by": "Ann", "seats": "900"}) == ["story by"]


def test_where_it_cannot_be_asked_likeness_decides(ranker: RelationRanker) -> None:
    unavailable = choice(ranker, ModelUnavailable("away"))
    alone = RelationChoice("Where was Wonder Boys shot?", ranker, "best")
    assert followed(unavailable, "shot in")[0] == followed(alone, "shot in")[0] == "produced by"
    assert followed(alone, "based in", values={"appears in lists": "Forbes 500"}) == []


def test_where_all_above_a_threshold_are_followed_nobody_is_asked(ranker: RelationRanker) -> None:
    made = choice(ranker)
    made.policy = "threshold"
    assert "produced by" in followed(made, "shot in")
