"""What is read of a document that is too long to be summed up whole."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.store import Memory

WORDS = ["harbour", "granite", "lamp", "storm", "keeper", "stair", "boat", "net", "ice", "rope"]


def long_text(sections: int, sentences: int) -> str:
    return "\n\n".join(
        f"# Part {number}\n\n"
        + " ".join(f"The {WORDS[(number + at) % 10]} of part {number} has sign {at}." for at in range(sentences))
        for number in range(sections)
    )


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    sections=st.integers(1, 30),
    sentences=st.integers(1, 60),
    characters=st.integers(300, 6_000),
    embedded=st.booleans(),
)
def test_what_is_read_is_of_the_whole_document_in_its_order_and_not_too_long(
    memory: Memory, sections: int, sentences: int, characters: int, embedded: bool
) -> None:
    me = memory.of("ana")
    source = me.add_document("parts.md", long_text(sections, sentences).encode())
    while embedded and me.embed_waiting(64):
        pass
    passages = dict(me.passages(source.id))
    read = me.gist(source.id, characters)
    places = [list(passages).index(passage_id) for passage_id, _ in read.passages]
    assert places == sorted(set(places))
    assert all(passage.text in passages[passage_id].text for passage_id, passage in read.passages)
    length = sum(len(passage.text) for _, passage in read.passages)
    if read.is_all:
        assert len(read.passages) == len(passages)
    assert 0 < length <= characters
    if sections <= characters // 250:
        assert {passage.heading for _, passage in read.passages} == {one.heading for one in passages.values()}
    me.forget(source=source.id)


def test_the_sentence_is_taken_that_is_nearest_to_what_a_part_says(memory: Memory) -> None:
    me = memory.of("ana")
    aside = "By the way, somebody sneezed."
    text = f"{aside} " + " ".join(f"The lamp in the tower burns oil number {number}." for number in range(40))
    source = me.add_document("lamp.txt", text.encode())
    while me.embed_waiting(64):
        pass
    assert all(aside not in passage.text for _, passage in me.gist(source.id, 500).passages)
