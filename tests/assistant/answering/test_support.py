import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.answering import support
from assistant.types import Evidence

LIMA = Evidence(1, "world", "Peru", "capital", "Lima")
PEOPLE = Evidence(2, "world", "Lima", "population", "7,737,002")
LEASE = Evidence(3, "personal", "lease.pdf", "passage", "", text="Dogs need the written consent of the landlord.")
ALL = [LIMA, PEOPLE, LEASE]


@given(st.text(alphabet="aB1 .!?。[]\n你，", max_size=60))
def test_sentences_joined_are_the_text(text):
    assert "".join(support.sentences(text)) == text


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("The capital is Lima [1]. It has 7,737,002 people [2].", 2),
        ("The capital is Lima. [1] It has 7,737,002 people. [2]", 2),
        ("秘鲁的首都是利马 [1]。人口很多。", 2),
        ("J. Lee Thompson made it [1].", 1),
        ("It costs 3.50 euros [1].", 1),
    ],
)
def test_a_citation_belongs_to_the_sentence_before_it(text, number):
    assert len(support.sentences(text)) == number


@pytest.mark.parametrize(
    ("answer", "question", "grounded"),
    [
        ("The capital of Peru is Lima [1].", "What is the capital of Peru?", True),
        ("Lima [1] has 7737002 inhabitants [2].", "How many people live in Lima?", True),
        ("Lima [1].", "What is the capital of Peru?", True),
        ("Only with the landlord's written consent [3].", "May I have a dog?", True),
        ("The capital of Peru is Cusco [1].", "What is the capital of Peru?", False),
        ("The capital of Peru is Lima [3].", "What is the capital of Peru?", False),
        ("The capital of Peru is Lima.", "What is the capital of Peru?", False),
        ("The capital of Peru is Lima [9].", "What is the capital of Peru?", False),
        ("Lima has 8,000,000 people [2].", "How many people live in Lima?", False),
        ("Lima [1]. It was founded by Pizarro [1].", "What is the capital of Peru?", False),
        ("", "What is the capital of Peru?", False),
    ],
)
def test_grounded(answer, question, grounded):
    assert support.grounded(answer, question, ALL) is grounded


BORN = Evidence(4, "personal", "Wenna", "was born in", "Porthmellyn", score=0.87)
WIFE = Evidence(5, "personal", "Davy", "married to", "Petra Lindqvist", score=0.86)


@pytest.mark.parametrize(
    ("answer", "led_by", "grounded"),
    [
        ("The owner of Wenna is Porthmellyn [4].", 0.87, False),
        ("Wenna was born in Porthmellyn [4].", 0.87, True),
        ("The organisation that owns the workshop was founded by Petra Lindqvist [5].", 0.86, False),
        ("The organisation that owns the workshop was founded by Petra Lindqvist [5].", 0.95, True),
        ("Davy is married to Petra Lindqvist [5].", 0.86, True),
    ],
)
def test_evidence_of_another_relation_holds_nothing(answer, led_by, grounded):
    path = Evidence(6, "personal", "workshop > owns, organisation > founded by", "result", "Petra", score=led_by)
    assert (
        support.grounded(answer, "Who founded the organisation that owns the workshop?", [BORN, WIFE, path]) is grounded
    )


def test_the_best_evidence_bears_most():
    assert support.best("It has 7,737,002 inhabitants.", "How many people live in Lima?", ALL) == PEOPLE
    assert support.best("Quetzalcoatl.", "Who?", ALL) is None


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("4名师傅 [1]。", "钢琴由乙方另派四名师傅抬运。"),
        ("1985年 [1]。", "他于一九八五年毕业。"),
        ("4 months [1].", "The notice is four months."),
        ("1600元 [1]。", "运费共一千六百元。"),
    ],
)
def test_a_number_in_digits_is_borne_by_one_in_words(said, text):
    letter = Evidence(1, "personal", "letter", "passage", "", text=text)
    assert support.borne(support.claims(said, ""), [letter]) >= support.BORNE
    assert support.grounded(said, "", [letter])


def test_another_number_is_not():
    letter = Evidence(1, "personal", "letter", "passage", "", text="他于一九八五年毕业。")
    assert not support.grounded("5年 [1]。", "", [letter])
