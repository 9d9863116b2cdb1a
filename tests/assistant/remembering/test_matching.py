import pytest

from assistant.errors import Interrupted, ModelUnavailable
from assistant.llm.client import LanguageModel
from assistant.llm.scripted import ScriptedTransport, Weights
from assistant.remembering.matching import Matching

SHORT, LONG = "Lena Vogt | works in Ulm", "Professor Lena Vogt | teaches botany"


def matching(reply):
    transport = ScriptedTransport([reply])
    return Matching(LanguageModel(transport)), transport


@pytest.mark.parametrize(("yes", "one"), [(0.97, True), (0.7, False), (0.1, False)])
def test_two_are_one_only_where_the_model_is_sure(yes, one):
    matcher, transport = matching(Weights({"yes": yes, "no": 1 - yes}))
    assert matcher.are_one(SHORT, LONG) is one
    (request,) = transport.requests
    assert request.purpose == "matching"
    assert request.max_tokens == 1
    assert request.messages[-1].content == f"{SHORT}\n{LONG}"


def test_a_reply_that_cannot_be_read_is_no():
    matcher = Matching(LanguageModel(ScriptedTransport(["perhaps", "perhaps", "perhaps"])))
    assert not matcher.are_one(SHORT, LONG)


@pytest.mark.parametrize("error", [Interrupted("A turn."), ModelUnavailable("It is being fetched.")])
def test_what_may_work_later_is_for_the_caller(error):
    matcher, _ = matching(error)
    with pytest.raises(type(error)):
        matcher.are_one(SHORT, LONG)
