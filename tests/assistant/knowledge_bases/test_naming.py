"""Names are told by who knows them: in lower case, in Chinese, and apart from the words of a question."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.files.building import build
from assistant.knowledge_bases.files.formats import read_triples
from assistant.knowledge_bases.files.triples import Triples
from assistant.knowledge_bases.naming import Wording, names_in

TRIPLES = """Nicolas Cage|starred in|Face/Off
Cage|is a|enclosure
neon|is a|gas
Best|is a|town
Director|is a|film
The Last Director|is a|film
Zoë Saldaña|starred in|Star Trek
O'Hara|wrote|Ten North Frederick
1984|written by|George Orwell
刘德华|主演|无间道
电影|是|艺术
汭|部首|氵
极速版（超频）|容量|1GB
Замбия|столица|Лусака
"""
WORDING = Wording(
    [
        "what films did [ENTITY_0] act in",
        "which director made [ENTITY_0] last",
        "who starred in [ENTITY_0] and [ENTITY_1]",
        "[ENTITY_0]演过什么电影",
    ]
)


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Triples:
    folder = tmp_path_factory.mktemp("films")
    (folder / "films.txt").write_text(TRIPLES, encoding="utf-8")
    build(folder / "kb", read_triples(folder / "films.txt", "pipe"), "films")
    return Triples("films", folder / "kb")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("what films did nicolas cage act in", ("nicolas cage",)),
        ("What did ZOE SALDANA star in?", ("ZOE SALDANA",)),
        ("did o'hara write face/off or did nicolas cage?", ("o'hara", "face/off", "nicolas cage")),
        ("nicolas cage and Nicolas Cage", ("nicolas cage", "Nicolas Cage")),
        ("which director stars", ()),
        ("Какой город — столица Замбии?", ("Замбии",)),
        ("Сколько людей живёт в Замбезии?", ()),
        ("Which Cages are there?", ()),
        ("who starred in the last director", ()),
        ("which films of 1984", ()),
        ("刘德华演过什么电影", ("刘德华",)),
        ("无间道是什么电影？", ("无间道",)),
        ("汭的部首是什么", ("汭",)),
        ("请问汭字的部首是什么", ("汭",)),
        ("水汭的部首是什么", ()),
        ("极速版（超频）的容量是多少", ("极速版（超频）",)),
        ("《电影》是什么？", ("电影",)),
        ("你知道“汭”吗", ("汭",)),
        ('who is in "Director"?', ("Director",)),
        ("Where does the Nicolas Cage-Kesh flow?", ()),
        ("Where does the Kesh-Zoë Saldaña flow?", ()),
        ("a Nicolas Cage-like star", ("Nicolas Cage",)),
        ("an ex-Cage fan", ("Cage",)),
        ("the Cage-Nicolas Cage line", ("Cage", "Nicolas Cage")),
        ("- Nicolas Cage", ("Nicolas Cage",)),
        ("Did Nicolas Cage play his best in a cage of neon?", ("Nicolas Cage", "neon")),
        ("Is Nicolas Cage in face/off?", ("Nicolas Cage", "face/off")),
        ("Best? Is Cage the best", ("Best", "Cage")),
        ("Where is best? I ask", ("best",)),
        ("", ()),
    ],
)
def test_the_names_that_stand_in_a_text(films: Triples, text: str, names: tuple[str, ...]) -> None:
    assert names_in(text, [films], WORDING, Deadline.after(5)) == names


def test_without_any_wording_every_name_counts(films: Triples) -> None:
    assert names_in("which director", [films], Wording([]), Deadline.after(5)) == ("director",)


def test_a_closed_knowledge_base_is_left_out(films: Triples, tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text("Nicolas Cage|acts in|Vox", encoding="utf-8")
    build(tmp_path / "kb", read_triples(tmp_path / "b.txt", "pipe"), "other")
    closed = Triples("closed", tmp_path / "kb")
    closed.close()
    assert names_in("what of nicolas cage", [closed, films], WORDING, Deadline.after(5)) == ("nicolas cage",)


@given(st.text(alphabet="nicolas cageo'hr/fd 刘德华电影.?1984", max_size=60))
def test_names_stand_in_the_text_and_do_not_repeat(films: Triples, text: str) -> None:
    names = names_in(text, [films], WORDING, Deadline.after(5))
    assert all(name in text for name in names)
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    ("phrase", "wording"),
    [("the films", True), ("starring", True), ("电影", True), ("刘德华", False), ("nicolas", False), ("2001", True)],
)
def test_what_questions_are_worded_with(phrase: str, wording: bool) -> None:
    assert (phrase in WORDING) is wording
