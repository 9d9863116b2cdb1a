"""What is read of a document that is too long to be summed up whole."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.store import Memory
from tests.memory.samples import spoken, talk_of

WORDS = ["harbour", "granite", "lamp", "storm", "keeper", "stair", "boat", "net", "ice", "rope"]


def long_text(sections: int, sentences: int) -> str:
    return "\n\n".join(
        f"# Part {number}\n\n"
        + " ".join(f"The {WORDS[(number + at) % 10]} of part {number} has sign {at}." for at in range(sentences))
        for number in range(sections)
    )


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.tuples(st.integers(1, 30), st.integers(1, 60)), st.integers(300, 6_000), st.integers(1, 20), st.booleans())
def test_what_is_read_is_of_the_whole_document_in_its_order_and_not_too_long(
    memory: Memory, size: tuple[int, int], characters: int, pieces: int, embedded: bool
) -> None:
    me = memory.of("ana")
    source = me.add_document("parts.md", long_text(*size).encode())
    while embedded and me.embed_waiting(64):
        pass
    passages = dict(me.passages(source.id))
    read = me.gist(source.id, characters, pieces)
    places = [list(passages).index(passage_id) for passage_id, _ in read.passages]
    assert places == sorted(set(places)) and 0 < len(places) <= pieces
    assert 0 < sum(len(passage.text) for _, passage in read.passages) <= characters
    said = " ".join(passage.text for _, passage in read.passages)
    assert read.is_all is (said.split() == " ".join(one.text for one in passages.values()).split())
    assert len(places) == min(pieces, len(passages)) or read.is_all
    me.forget(source=source.id)


def test_a_document_of_many_short_sections_is_read_whole(memory: Memory) -> None:
    me = memory.of("ana")
    source = me.add_document("list.md", "\n\n".join(f"## Item {n}\n\nIt is {n}." for n in range(60)).encode())
    read = me.gist(source.id, 4_000, 14)
    assert read.is_all and len(read.passages) <= 14 and "It is 59." in read.passages[-1][1].text


def test_the_sentence_is_taken_that_is_nearest_to_what_a_part_says(memory: Memory) -> None:
    me = memory.of("ana")
    aside = "By the way, somebody sneezed."
    text = f"{aside} " + " ".join(f"The lamp in the tower burns oil number {number}." for number in range(40))
    source = me.add_document("lamp.txt", text.encode())
    while me.embed_waiting(64):
        pass
    assert all(aside not in passage.text for _, passage in me.gist(source.id, 500, 2).passages)


def test_of_a_talk_it_is_said_who_speaks(memory: Memory) -> None:
    me = memory.of("ana")
    talk = [spoken("human", "Shall I sell the goat?"), spoken("assistant", "Sell her at once."), spoken("human", "No.")]
    source = me.add_document("conversations.json", talk_of(talk, "Goats"))
    ((_, read),) = me.gist(source.id, 1_000, 1).passages
    assert read.text.index("the user: Shall I") < read.text.index("the assistant: Sell her") < read.text.index("No.")
    assert "the user" not in read.heading
