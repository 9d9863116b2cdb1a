"""Which answers rest on a text that another text leads to."""

import pytest

from assistant.answering.bridging import bridged
from assistant.types import Evidence


def passage(number: int, text: str) -> Evidence:
    return Evidence(number, "personal", f"{number}.md", "passage", text[:60], text)


ADA = passage(1, "In spring Ada Voss took over the Corvo bakery. She lives in Loule with her two sons.")
BAKERY = passage(2, "Corvo, a bakery on the harbour of Faro, opens at six.")
PUPPY = passage(3, "Tom's puppy Rex sleeps all day. His neighbour Vera feeds it.")
QUESTION = "In which town is the bakery that Ada Voss runs?"


def test_an_answer_is_bridged_where_another_text_names_what_leads_to_it():
    assert bridged("In Faro [2].", QUESTION, [ADA, BAKERY])
    assert bridged("In Faro [2].", QUESTION, [PUPPY, ADA, BAKERY])


@pytest.mark.parametrize(
    ("said", "question", "evidence"),
    [
        ("In Loule [1].", QUESTION, [ADA, BAKERY]),  # the text has all that the question tells
        ("In Faro [1].", QUESTION, [BAKERY]),
        ("In Faro [1].", QUESTION, [BAKERY, PUPPY]),  # nothing joins the two
        ("Rex [2].", "What is Ada Voss's puppy called?", [ADA, PUPPY]),
        ("In Faro [2].", "In which town is Corvo, which Ada Voss runs?", [ADA, BAKERY]),  # the question knows the name
        ("Faro [1].", QUESTION, [Evidence(1, "world", "Corvo", "location", "Faro"), ADA]),
        ("Nowhere [9].", QUESTION, [ADA]),
    ],
)
def test_an_answer_is_not_bridged(said, question, evidence):
    assert not bridged(said, question, evidence)
