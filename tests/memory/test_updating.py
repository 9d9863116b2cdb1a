"""Files that change: what is remembered of them is always what they said when they were read last."""

import tempfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from memory.errors import NothingThere
from memory.redaction import BLANK
from memory.resemblance import resemblance
from memory.store import Memory
from memory.types import SavedMessage
from memory.updating import SAME_FILE
from memory.user_memory import UserMemory
from tests.memory.samples import WordEmbedder, read

_PLACES = st.sampled_from(["/a/notes.txt", "/b/notes.txt", "/b/copy.txt"])
_WORDS = st.sampled_from(["Oslo", "Rome", "Bonn", "Kyiv"])


def text(town: str) -> bytes:
    return f"Ann lives in {town}.".encode()


def read_all(user: UserMemory, source_id: str) -> None:
    """Read a document's unread passages."""
    for passage_id, passage in user.passages(source_id, unread=True):
        town = passage.text.rstrip(".").split()[-1]
        user.store(source_id, passage_id, read(passage.text, ("Ann", f"was seen in {town}", town)))


def towns(user: UserMemory) -> set[str]:
    """What the facts say."""
    return {fact.object for fact in user.facts(limit=1000)}


class Files(RuleBasedStateMachine):
    """Files that are written, copied and changed back, and read whenever there is time."""

    @initialize()
    def begin(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.memory = Memory(Path(self.folder.name), WordEmbedder())
        self.now: dict[str, str] = {}  # what a file says
        self.known: dict[str, str] = {}  # what it said when that was read last

    @rule(place=_PLACES, town=_WORDS)
    def write(self, place: str, town: str) -> None:
        self.memory.of("eve").add_document(Path(place).name, text(town), place)
        self.now[place] = town
        self._note()

    @precondition(lambda self: self.now)
    @rule(data=st.data())
    def read_one(self, data: st.DataObject) -> None:
        user = self.memory.of("eve")
        waiting = [source for _, source in self.memory.unfinished()]
        if waiting:
            read_all(user, data.draw(st.sampled_from(waiting), label="source").id)
        self._note()

    @rule()
    def restart(self) -> None:
        self.memory.close()
        self.memory = Memory(Path(self.folder.name), WordEmbedder())

    def _note(self) -> None:
        user = self.memory.of("eve")
        ready = {user.source_text(source.id) for source in user.sources() if source.state == "ready"}
        self.known.update({place: town for place, town in self.now.items() if text(town).decode() in ready})

    @invariant()
    def nothing_is_lost_before_its_time(self) -> None:
        if self.now:
            assert set(self.known.values()) <= towns(self.memory.of("eve"))

    @invariant()
    def nothing_outlives_its_file(self) -> None:
        if self.now and not self.memory.unfinished():
            assert towns(self.memory.of("eve")) == set(self.now.values())

    @invariant()
    def the_index_agrees(self) -> None:
        if self.now:
            assert self.memory.of("eve").status().agrees

    def teardown(self) -> None:
        self.memory.close()
        self.folder.cleanup()


TestFiles = Files.TestCase
TestFiles.settings = settings(
    max_examples=8,
    stateful_step_count=10,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),  # to shrink a failure would take minutes
    suppress_health_check=list(HealthCheck),
)

LETTER = "Dear all, the harvest was good this year and the barn is full. Ann looks after the bees in {}."
RECIPE = "Take two eggs, some flour and a pinch of salt; stir, and bake it for half an hour in {}."


def uploaded(user: UserMemory, content: str, beside: tuple[str, ...] = ()) -> str:
    source = user.add_document("notes.txt", content.encode(), beside=beside)
    read_all(user, source.id)
    return source.id


def test_an_upload_replaces_an_earlier_state_of_itself_and_no_namesake(memory: Memory) -> None:
    user = memory.of("eve")
    uploaded(user, LETTER.format("Oslo"))
    recipe = uploaded(user, RECIPE.format("Rome"))
    assert towns(user) == {"Oslo", "Rome"}
    letter = uploaded(user, LETTER.format("Bonn"))
    assert {source.id for source in user.sources()} == {letter, recipe}
    assert towns(user) == {"Bonn", "Rome"}


def test_files_of_one_upload_are_different_files(memory: Memory) -> None:
    user = memory.of("eve")
    first = uploaded(user, LETTER.format("Oslo"))
    second = uploaded(user, LETTER.format("Rome"), (first,))
    assert towns(user) == {"Oslo", "Rome"}
    again = uploaded(user, LETTER.format("Bonn"))
    uploaded(user, LETTER.format("Kyiv"), (again,))
    assert towns(user) == {"Bonn", "Kyiv"}
    assert not {first, second} & {source.id for source in user.sources()}


def test_of_two_bills_of_one_form_both_stay(memory: Memory) -> None:
    user = memory.of("eve")
    bill = "Bill no. {}. For the flat at 3 Mill Lane, the month of {}: water {}, power {}, rent {} crowns. Pay to Oslo."
    uploaded(user, bill.format(17, "January", 120, 340, 9000))
    uploaded(user, bill.format(18, "February", 95, 410, 9100))
    assert len(user.sources()) == 2


def test_an_upload_can_be_kept_beside_what_it_is_taken_for(memory: Memory) -> None:
    user = memory.of("eve")
    first = user.add_document("notes.txt", LETTER.format("Oslo").encode())
    second = user.add_document("notes.txt", LETTER.format("Bonn").encode())
    assert [source.id for source in user.replaces(second.id)] == [first.id]
    assert user.source(first.id).state == "cancelled"
    user.keep_both(second.id)
    assert user.replaces(second.id) == []
    assert user.source(first.id).state == "queued"
    for source in (second, first):
        read_all(user, source.id)
    assert towns(user) == {"Oslo", "Bonn"}
    third = uploaded(user, LETTER.format("Bonn") + " And the hens.")
    assert {source.id for source in user.sources()} == {first.id, third}
    with pytest.raises(NothingThere):
        user.keep_both("s99")


def test_what_is_kept_beside_another_stays_whatever_is_uploaded_again(memory: Memory) -> None:
    user = memory.of("eve")
    ann, ben = LETTER.format("Oslo"), LETTER.format("Bonn")
    uploaded(user, ann)
    second = uploaded(user, ben)
    assert towns(user) == {"Bonn"}
    first = user.add_document("notes.txt", ann.encode())
    assert [source.id for source in user.replaces(first.id)] == [second]
    user.keep_both(first.id)
    read_all(user, first.id)
    for content in (ben, ann, ben):
        assert user.replaces(uploaded(user, content)) == []
        assert towns(user) == {"Oslo", "Bonn"}


def test_an_upload_that_is_taken_for_a_file_of_a_folder_can_be_kept_beside_it(memory: Memory) -> None:
    user = memory.of("eve")
    lying = [user.add_document("notes.txt", LETTER.format("Oslo").encode(), f"/{at}/notes.txt") for at in "ab"]
    read_all(user, lying[0].id)
    kept, taken = LETTER.format("Bonn"), LETTER.format("Rome")
    source = user.add_document("notes.txt", kept.encode())
    assert [other.id for other in user.replaces(source.id)] == [lying[0].id]
    user.keep_both(source.id)
    read_all(user, source.id)
    assert towns(user) == {"Oslo", "Bonn"}
    user.forget(source=source.id)
    assert user.replaces(uploaded(user, taken)) == []
    assert towns(user) == {"Rome"}
    moved = user.add_document("notes.txt", LETTER.format("Kyiv").encode(), "/a/notes.txt")
    read_all(user, moved.id)
    assert towns(user) == {"Rome", "Kyiv"}  # /b still holds what was uploaded


def test_what_has_a_place_of_its_own_is_no_upload(memory: Memory) -> None:
    user = memory.of("eve")
    user.add_document("notes.txt", LETTER.format("Oslo").encode(), "/a/notes.txt")
    assert user.replaces(user.add_document("notes.txt", LETTER.format("Rome").encode(), "/a/notes.txt").id) == []


def test_a_conversation_loses_only_what_the_file_no_longer_says(memory: Memory) -> None:
    user = memory.of("eve")
    user.sessions.new("one")
    uploaded(user, "Ann lives in Oslo. The barn is full. Bo feeds the hens.")
    details: dict[str, object] = {"evidence": ["The barn is full."]}
    other: dict[str, object] = {"evidence": ["Ann lives in Oslo."]}
    now = datetime.now(UTC)
    user.sessions.append("one", SavedMessage("assistant", "It is full.", now, details))
    user.sessions.append("one", SavedMessage("assistant", "She lives there.", now, other))
    uploaded(user, "Ann lives in Rome. The barn is full. Bo feeds the hens.")
    kept, changed = user.sessions.load("one")
    assert kept.details == details
    assert "evidence" not in changed.details


def test_an_answer_from_an_earlier_state_of_a_file_is_forgotten_with_what_the_file_says_now(memory: Memory) -> None:
    user = memory.of("eve")
    before, now = (f"Whenever it is cold, Ann likes to mend nets in {town}; tea" for town in ("Oslo", "Rome"))
    uploaded(user, before)
    user.sessions.new("one")
    answer = SavedMessage("assistant", "With tea.", datetime.now(UTC), {"evidence": [before]})
    user.sessions.append("one", answer)
    uploaded(user, now)
    assert towns(user) == {"tea"}
    user.forget(facts=[fact.id for fact in user.facts()])
    assert [message.content for message in user.sessions.load("one")] == [f"With {BLANK}."]


def test_places_are_exported_and_forgotten(memory: Memory, tmp_path: Path) -> None:
    eve, bob = memory.of("eve"), memory.of("bob")
    source = eve.add_document("notes.txt", text("Oslo"), "/secret/notes.txt")
    read_all(eve, source.id)
    eve.export(tmp_path / "eve.jsonld")
    bob.import_(tmp_path / "eve.jsonld")
    bob.export(tmp_path / "bob.jsonld")
    assert (tmp_path / "eve.jsonld").read_bytes() == (tmp_path / "bob.jsonld").read_bytes()
    read_all(bob, bob.add_document("notes.txt", text("Rome"), "/secret/notes.txt").id)
    assert towns(bob) == {"Rome"}
    for user in (eve, bob):
        user.forget(everything=True)
    memory.close()
    assert not any(b"/secret/" in file.read_bytes() for file in (tmp_path / "home").rglob("*") if file.is_file())


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        (LETTER.format("Oslo"), LETTER.format("Rome"), True),
        (LETTER, LETTER + " " + RECIPE, True),
        (LETTER, RECIPE, False),
        ("我的妹妹住在北京，她养了一只猫。", "我的妹妹住在上海，她养了一只猫。", True),
        ("我的妹妹住在北京，她养了一只猫。", "明天会议改到下午三点。", False),
        ("", LETTER, False),
        ("Tea", "tea!", True),
    ],
)
def test_two_states_of_a_text_resemble_each_other(one: str, other: str, alike: bool) -> None:
    assert (resemblance(one, other) >= SAME_FILE) is alike
    assert resemblance(one, other) == resemblance(other, one)


def test_files_whose_names_are_no_utf_8_are_kept_apart(memory: Memory) -> None:
    user = memory.of("eve")
    for name, text in (("caf\udce9.txt", b"Ann lives in Oslo."), ("caf\udce8.txt", b"Bo lives in Rome.")):
        user.add_document(name, text, f"/notes/{name}")
    assert {source.name for source in user.sources()} == {r"caf\udce9.txt", r"caf\udce8.txt"}
    assert user.add_document("caf\udce9.txt", b"Ann lives in Bergen.", "/notes/caf\udce9.txt").name == r"caf\udce9.txt"
    assert len(user.sources()) == 3
