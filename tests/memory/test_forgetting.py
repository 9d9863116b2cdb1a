"""What is forgotten is gone, from every file; what it did not concern stays."""

import contextlib
import re
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memory.errors import Failure, NothingThere, UserMistake
from memory.records import database
from memory.sessions import SPOKEN_OF
from memory.store import Memory
from memory.sweeping import UNSWEPT
from memory.types import Extraction, FactKind, Mention, SavedMessage, Span, Statement, StillOnDisk
from memory.user_memory import UserMemory
from memory.vectors import VectorIndex
from tests.memory.samples import read, said

SECRET = "Quillfeather hides the brass key under the Kalamansi tree."
OTHER = "Ann lives in Oslo."
CHINESE = "张伟把铜钥匙藏在石榴树下。"


def found_in(home: Path, *texts: str) -> list[str]:
    """The files below `home` that hold one of the texts, as UTF-8 or UTF-16, also within what is compressed."""
    wanted = [text.encode(encoding) for text in texts for encoding in ("utf-8", "utf-16-le", "utf-16-be")]
    files = [path for path in home.rglob("*") if path.is_file()]
    assert files
    return [str(path) for path in files if any(text in held for held in _contents(path) for text in wanted)]


def _contents(path: Path) -> Iterator[bytes]:
    """The bytes of a file, and of what zlib or gzip compressed anywhere in it."""
    held = path.read_bytes()
    yield held
    for begins in re.finditer(rb"\x78[\x01\x5e\x9c\xda]|\x1f\x8b\x08", held):
        with contextlib.suppress(zlib.error):  # two bytes may be anything
            yield zlib.decompressobj(47).decompress(held[begins.start() :])


def words(*texts: str) -> Iterable[str]:
    """The telling words of texts, in the text's own spelling and folded."""
    return {
        form for text in texts for word in text.strip(".").split() if len(word) > 5 for form in (word, word.lower())
    }


def tell_of_two(user: UserMemory) -> None:
    """Two documents, each about another Ann Berg."""
    for name, text in (("a.txt", "a jazz pianist from Vienna"), ("b.txt", "the mayor of some Danish town")):
        source = user.add_document(name, f"Ann Berg is {text}.".encode())
        ((passage_id, passage),) = user.passages(source.id)
        description = said(passage.text, "Ann Berg", "description", text, FactKind.DESCRIPTION)
        user.store(source.id, passage_id, Extraction((), (description,)))


def remember_secret(user: UserMemory) -> str:
    """A document with many paragraphs of filling, and the secret read out of it."""
    filling = "\n\n".join(f"Paragraph {n} says nothing of note about matter {n * 7}." for n in range(300))
    source = user.add_document("secret.txt", f"{filling}\n\n{SECRET} {CHINESE}\n\n{filling} End.".encode())
    for passage_id, passage in user.passages(source.id):
        extraction = Extraction()
        if SECRET in passage.text:
            name = "Quillfeather"
            extraction = Extraction(
                (Mention(name, ("Quilly Q",)), Mention("张伟")),
                (
                    said(passage.text, name, "hides under", "Kalamansi tree"),
                    said(passage.text, "张伟", "藏", "铜钥匙"),
                    said(passage.text, name, "description", SECRET, FactKind.DESCRIPTION),
                ),
            )
        user.store(source.id, passage_id, extraction)
    return source.id


@pytest.mark.parametrize("everything", [False, True])
def test_no_byte_of_a_forgotten_document_is_left(
    open_memory: Callable[..., Memory], home: Path, everything: bool
) -> None:
    memory = open_memory()
    user = memory.of("eve")
    user.note(OTHER, read(OTHER, ("Ann", "lives in", "Oslo")))
    source_id = remember_secret(user)
    user.sessions.new("s")
    evidence = {"evidence": [{"text": SECRET}]}
    user.sessions.append("s", SavedMessage("assistant", "Under a tree [1].", datetime.now(UTC), evidence))
    assert found_in(home, SECRET)
    gone = user.forget(everything=True) if everything else user.forget(source=source_id)
    telling = [*words(SECRET), "Quilly Q", "quilly", CHINESE, "张伟", "铜钥匙", "石榴", "Paragraph"]
    assert found_in(home, SECRET, *telling) == []
    assert gone.sessions == 1
    assert gone.vectors > gone.facts + gone.entities
    assert all("Quillfeather" not in hit.text for hit in user.recall("Who hides the brass key?", k=50))
    assert user.is_empty() == everything
    assert memory.status().agrees
    memory.close()
    assert found_in(home, SECRET, *telling) == []
    again = open_memory().of("eve")
    assert again.find_entities("Quillfeather") == []
    remember_secret(again)  # a re-upload works
    assert any(SECRET in hit.text for hit in again.recall("Who hides the brass key?"))


def test_a_fact_from_the_chat_takes_its_words_along(memory: Memory, home: Path) -> None:
    user = memory.of("eve")
    text = f"{OTHER} {SECRET}"
    extraction = Extraction(
        (Mention("Ann"), Mention("Oslo"), Mention("Quillfeather")),
        (
            said(OTHER, "Ann", "lives in", "Oslo"),
            Statement(FactKind.TRIPLE, "Quillfeather", "hides", "brass key", Span(len(OTHER) + 1, len(text))),
        ),
    )
    source, stored = user.note(text, extraction)
    gone = user.forget(facts=[stored.added[1].id])
    assert (gone.facts, gone.entities, gone.sources) == (1, 1, 0)
    assert found_in(home, *words(SECRET)) == []
    assert user.source_text(source.id).rstrip() == OTHER
    (fact,) = user.facts()
    assert fact.text == OTHER
    gone = user.forget(facts=[fact.id])
    assert (gone.facts, gone.entities, gone.sources, gone.passages) == (1, 2, 1, 1)
    assert user.is_empty()


def test_a_fact_with_another_source_survives_the_first(memory: Memory) -> None:
    user = memory.of("eve")
    first, _ = user.note(OTHER, read(OTHER, ("Ann", "lives in", "Oslo"), aliases={"Ann": ("Annie",)}))
    again = "Did I say that Ann lives in Oslo?"
    second, _ = user.note(again, read(again, ("Ann", "lives in", "Oslo")))
    user.forget(source=first.id)
    (fact,) = user.facts()
    assert (fact.source_id, fact.text) == (second.id, again)
    assert [entity.aliases for entity in user.entities()] == [(), ()]  # "Annie" was the first one's


def test_an_entity_loses_the_name_that_only_a_forgotten_source_used(memory: Memory, home: Path) -> None:
    user = memory.of("eve")
    text = "Quillfeather, called Quilly, hides the key."
    first, _ = user.note(text, read(text, ("Quillfeather", "hides", "key"), aliases={"Quillfeather": ("Quilly",)}))
    user.note("Quilly likes tea.", read("Quilly likes tea.", ("Quilly", "likes", "tea")))
    assert [fact.subject for fact in user.facts()] == ["Quillfeather", "Quillfeather"]
    user.forget(source=first.id)
    assert [fact.subject for fact in user.facts()] == ["Quilly"]
    assert [entity.name for entity in user.entities()] == ["Quilly"]
    assert found_in(home, "Quillfeather", "quillfeather") == []
    assert memory.status().agrees


@pytest.mark.parametrize(
    ("told", "copies"),
    [
        ("My PIN is 47110815.", "Rain fell. Once more: My PIN is 47110815. It was late."),
        ("My PIN is 47110815.", "# Notes\n\nmy pin  is 47110815.\n\nIt was late."),
        ("My PIN is 47110815.", "- My PIN is 47110815\n- It was late.\n"),
        ("Ann’s PIN is 47110815.", "It was late! Ann's PIN is 47110815! (Ann's PIN is 47110815.) Bye."),
        ("my PIN is 47110815.", "it was late. my PIN is 47110815. bye for now."),
        ("my PIN is 47110815. it opens the safe.", "Hello. My PIN is 47110815. It opens the safe. It was late."),
        ("My PIN is 47110815.", "It was late. **My PIN is 47110815.** Bye now."),
        ("My PIN is 47110815.", "10:30 My PIN is 47110815. It was late."),
        ("My PIN (at home): 47110815.", "Once more: my PIN (at home): 47110815. It was late."),
        ("My PIN is 47110815.", "bank\tMy PIN is 47110815\tIt was late"),
        ("我的密码是四七一一。", "下雨了。我的密码是四七一一。天黑了。"),
    ],
)
def test_a_forgotten_fact_is_gone_where_nothing_was_read_from_its_words(
    memory: Memory, home: Path, told: str, copies: str
) -> None:
    user = memory.of("eve")
    waiting = user.add_document("waiting.md", copies.encode())
    skipped = user.add_document("skipped.md", copies.encode() + b" End.")
    for passage_id, _ in user.passages(skipped.id):
        user.skip(skipped.id, passage_id)
    _, stored = user.note(told, read(told, ("the user", "PIN", "47110815" if "47110815" in told else "四七一一")))
    before = user.source_text(waiting.id), user.source_text(skipped.id)
    gone = user.forget(facts=[stored.added[0].id], undoable=True)
    assert not found_in(home, "47110815", "四七一一")
    assert all("late" in text or "天黑了" in text for text in map(user.source_text, (waiting.id, skipped.id)))
    user.undo(gone.undo_id)
    assert (user.source_text(waiting.id), user.source_text(skipped.id)) == before


@pytest.mark.parametrize(
    "longer",
    [
        "I like tea rooms in Bath, and my passport is in the desk.",
        "Nobody should think that I like tea.",
        "I like tea or coffee: both.",
        'Anna said "I like tea." to Bob.',
        "If I had to say (I like tea) I would lie.",
        "I like tea?",
    ],
)
def test_a_sentence_that_only_has_the_forgotten_one_in_it_says_something_else(memory: Memory, longer: str) -> None:
    user = memory.of("eve")
    source = user.add_document("a.txt", longer.encode())
    _, stored = user.note("I like tea.", read("I like tea.", ("the user", "likes", "tea")))
    assert user.forget(facts=[stored.added[0].id]).naming == 1
    assert user.source_text(source.id) == longer


@pytest.mark.parametrize(
    ("told", "other"),
    [
        ("I owe Bob $50.", "I owe Bob €50."),
        ("It is 5 degrees here.", "It is -5 degrees here."),
        ("My rent is 500 euros.", "My rent is >500 euros."),
        ("Anna's blood type is A-.", "Anna's blood type is A."),
        ("My ratio is 1/2 here.", "My ratio is 1.2 here."),
    ],
)
def test_another_amount_is_no_copy(memory: Memory, told: str, other: str) -> None:
    user = memory.of("eve")
    source = user.add_document("a.txt", other.encode())
    _, stored = user.note(told, read(told, ("the user", "says", "so")))
    user.forget(facts=[stored.added[0].id])
    assert user.source_text(source.id) == other


def test_of_a_note_that_nothing_was_read_from_only_the_copy_goes(memory: Memory) -> None:
    user = memory.of("eve")
    note, _ = user.note("Once more: my PIN is 47110815. The meeting with Bob is at nine.", Extraction())
    _, stored = user.note("My PIN is 47110815.", read("My PIN is 47110815.", ("the user", "PIN", "47110815")))
    user.forget(facts=[stored.added[0].id])
    assert user.source_text(note.id).endswith("The meeting with Bob is at nine.")
    assert "47110815" not in user.source_text(note.id)


def test_of_a_sentence_said_again_that_another_fact_rests_on_only_the_forgotten_words_go(
    memory: Memory, home: Path
) -> None:
    user = memory.of("eve")
    text = "Ann lives in Oslo with Bo Lund."
    _, stored = user.note(text, read(text, ("Ann", "lives in", "Oslo")))
    source = user.add_document("a.txt", f"Once more: {text}".encode())
    ((passage_id, passage),) = user.passages(source.id)
    user.store(source.id, passage_id, read(passage.text, ("Ann", "lives with", "Bo Lund")))
    user.forget(facts=[stored.added[0].id])
    assert "Oslo" not in user.source_text(source.id)
    assert "with Bo Lund." in user.source_text(source.id)
    assert not found_in(home, "Oslo")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Mark", "Mark owes me 50 euros."),
        ("周杰伦", "周杰伦上周借了我五千元。"),
        ("Mark", "Mark from accounting owes me 50 euros."),
        ("李明", "李明上周借了我五千元。"),
        ("李明", "今天见到了李明。"),
        ("Zoë Kim", "Zoe\u0308 Kim earns 9000 a month."),
    ],
)
def test_sentences_that_name_what_is_forgotten_go_though_nothing_was_read_from_them(
    memory: Memory, name: str, text: str
) -> None:
    user = memory.of("eve")
    source = user.add_document("a.txt", f"{text} Rain today.".encode())
    user.note(said := f"{name} plays chess.", read(said, (name, "plays", "chess")))
    assert user.forget(entity=name).naming == 0
    assert user.source_text(source.id).strip() == "Rain today."


def test_what_was_read_of_a_sentence_stays_where_a_word_may_be_no_name(memory: Memory, home: Path) -> None:
    user = memory.of("eve")
    text = "Grace is what Ann prays for. Grace owes me 50 euros."
    source = user.add_document("a.txt", text.encode())
    ((passage_id, _),) = user.passages(source.id)
    prayed = said(text[:28], "Ann", "prays for", "mercy by grace")
    user.store(source.id, passage_id, Extraction((Mention("Ann"),), (prayed,)))
    user.note(plays := "Grace plays chess.", read(plays, ("Grace", "plays", "chess")))
    assert user.forget(entity="Grace").naming == 1
    assert user.source_text(source.id).strip() == "Grace is what Ann prays for."
    assert [fact.object for fact in user.facts()] == ["mercy by grace"]
    assert not found_in(home, "50 euros")


def test_of_what_is_a_word_too_nothing_goes_that_others_said(memory: Memory) -> None:
    user = memory.of("eve")
    text = "Ann measures her blood pressure daily. Blood pressure rises at night."
    source = user.add_document("a.txt", text.encode())
    ((passage_id, passage),) = user.passages(source.id)
    user.store(source.id, passage_id, read(passage.text, ("Ann", "measures", "her blood pressure daily")))
    user.note(said := "My blood pressure is 150.", read(said, ("blood pressure", "is", "150")))
    assert user.forget(entity="blood pressure").naming == 2
    assert user.source_text(source.id) == text
    assert [fact.subject for fact in user.facts()] == ["Ann"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Mark", "Mark the date."),
        ("Bill", "Bill for March: 50 euros."),
        ("李明", "我的行李明天到。"),
        ("胡萝卜", "胡萝卜要切丁。"),
    ],
)
def test_where_a_name_may_be_a_word_the_sentence_stays_and_is_counted(memory: Memory, name: str, text: str) -> None:
    user = memory.of("eve")
    source = user.add_document("a.txt", text.encode())
    user.note(said := f"{name} plays chess.", read(said, (name, "plays", "chess")))
    assert user.forget(entity=name).naming == 1
    assert user.source_text(source.id) == text


def test_sentences_that_have_a_common_word_for_what_is_forgotten_stay_and_are_counted(memory: Memory) -> None:
    user = memory.of("eve")
    source = user.add_document("a.txt", b"Boilers are warm. Boiler rooms are dry. A boiler was sold.")
    user.note(said := "the boiler stands in the cellar.", read(said, ("the boiler", "stands in", "cellar")))
    assert user.forget(entity="the boiler").naming == 2
    assert "A boiler was sold." in user.source_text(source.id)


def test_an_entity_goes_with_all_that_is_about_it(memory: Memory) -> None:
    user = memory.of("eve")
    text = "Ann lives in Oslo with Bo. Bo is in Bergen."
    user.note(text, read(text, ("Ann", "lives in", "Oslo"), ("Ann", "lives with", "Bo"), ("Bo", "is in", "Bergen")))
    gone = user.forget(entity="ann")
    assert (gone.facts, gone.entities) == (2, 2)
    assert {entity.name for entity in user.entities()} == {"Bo", "Bergen"}
    with pytest.raises(NothingThere):
        user.forget(entity="ann")


def test_an_ambiguous_name_is_asked_back(memory: Memory) -> None:
    user = memory.of("eve")
    tell_of_two(user)
    with pytest.raises(UserMistake, match=r"e1 \(a jazz pianist"):
        user.forget(entity="Ann Berg")
    assert user.forget(entity="e2").facts == 1


def test_a_time_can_be_forgotten(memory: Memory) -> None:
    user = memory.of("eve")
    user.note(OTHER, read(OTHER, ("Ann", "lives in", "Oslo")))
    between = datetime.now(UTC)
    user.note(SECRET, read(SECRET, ("Quillfeather", "hides", "brass key")))
    with pytest.raises(NothingThere):
        user.forget(since=datetime.now(UTC) + timedelta(days=1))
    assert user.forget(since=between).sources == 1
    assert [fact.subject for fact in user.facts()] == ["Ann"]
    assert user.forget(until=between).facts == 1
    assert user.is_empty()


def test_nothing_named_is_a_mistake(memory: Memory) -> None:
    user = memory.of("eve")
    with pytest.raises(UserMistake, match="what to forget"):
        user.forget()
    for what in ({"facts": ["f1"]}, {"source": "s1"}, {"entity": "e1"}, {"facts": ["x"]}, {"source": "f1"}):
        with pytest.raises(NothingThere):
            user.forget(**what)  # type: ignore[arg-type]


def test_what_could_not_be_wiped_is_wiped_at_a_later_start(
    open_memory: Callable[..., Memory], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_PRAGMAS", (*database._PRAGMAS, "busy_timeout=50"))
    user = open_memory().of("eve")
    user.note(SECRET, read(SECRET, ("Quillfeather", "hides", "brass key")))
    with closing(sqlite3.connect(home / "memory.db", isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM facts").fetchall()
        with pytest.raises(Failure, match="not yet from the disk"):
            user.forget(everything=True)
        assert open_memory().of("eve").is_empty()
        assert found_in(home, SECRET)
    open_memory()
    assert found_in(home, *words(SECRET)) == []


@pytest.mark.parametrize(("part", "step"), [(database.Database, "wipe"), (VectorIndex, "rebuild")])
def test_what_goes_while_something_else_is_being_removed_leaves_no_byte_either(
    memory: Memory, home: Path, monkeypatch: pytest.MonkeyPatch, part: type, step: str
) -> None:
    user = memory.of("eve")
    for text in (SECRET, OTHER):  # the second is what the file says now
        source = user.add_document("notes.txt", text.encode(), "/notes.txt")
        if text is SECRET:
            user.skip(source.id, user.passages(source.id)[0][0])
    note, _ = user.note("Bo likes tea.", read("Bo likes tea.", ("Bo", "likes", "tea")))
    whole = getattr(part, step)

    def and_meanwhile(*arguments: object) -> object:
        done = whole(*arguments)
        for passage_id, _ in user.passages(source.id, unread=True):  # as the thread that reads does
            user.skip(source.id, passage_id)
        return done

    monkeypatch.setattr(part, step, and_meanwhile)
    user.forget(source=note.id)
    assert [known.id for known in user.sources()] == [source.id]
    assert user.status().unswept or not found_in(home, *words(SECRET))
    assert user.sweep(10)
    assert found_in(home, *words(SECRET)) == []


def test_a_conversation_that_could_not_be_wiped_is_wiped_at_a_later_start(
    open_memory: Callable[..., Memory], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = open_memory().of("eve")
    user.sessions.new("s")
    user.sessions.append("s", SavedMessage("user", SECRET, datetime.now(UTC)))
    with monkeypatch.context() as patch:
        patch.setattr(database.Database, "wipe", lambda self: (_ for _ in ()).throw(Failure("The disk is full.")))
        with pytest.raises(Failure):
            user.sessions.delete("s")
    assert found_in(home, SECRET)
    assert open_memory().of("eve").sessions.list() == []
    assert found_in(home, *words(SECRET)) == []


def test_an_answer_is_saved_without_what_is_forgotten_while_it_is_written(memory: Memory, home: Path) -> None:
    user = memory.of("eve")
    user.sessions.new("s")
    user.note(SECRET, read(SECRET, ("Quillfeather", "hides", "brass key")))
    answer = SavedMessage("assistant", f"So it is: {SECRET}", datetime.now(UTC), {"evidence": [SECRET], "kb": "world"})
    gone = user.forget(entity="Quillfeather", undoable=True)
    user.keep_answer("s", answer, since=answer.at)
    assert found_in(home, *words(SECRET)) == []
    assert [message.content for message in user.sessions.load("s")] == ["So it is: […]"]
    user.keep_answer("s", answer, since=datetime.now(UTC))  # whoever asks now was told again
    user.undo(gone.undo_id)
    user.keep_answer("s", answer, since=answer.at)
    assert [message.content for message in user.sessions.load("s")] == [answer.content] * 3


def test_a_deleted_conversation_leaves_no_byte(memory: Memory, home: Path) -> None:
    sessions = memory.of("eve").sessions
    sessions.new("s")
    sessions.append("s", SavedMessage("user", SECRET, datetime.now(UTC)))
    assert found_in(home, SECRET)
    sessions.delete("s")
    assert found_in(home, *words(SECRET)) == []


@pytest.mark.parametrize("everything", [False, True])
def test_the_name_of_a_conversation_goes_with_it(memory: Memory, home: Path, everything: bool) -> None:
    user = memory.of("eve")
    for name in ("Quillfeather", "kept"):
        user.sessions.new(name)
        user.state.change(SPOKEN_OF, lambda others, name=name: {**(others or {}), name: {"facts": ["f1"]}})
    if everything:
        user.forget(everything=True)
    else:
        user.sessions.delete("Quillfeather")
    assert found_in(home, "Quillfeather") == []
    assert ("kept" in user.state.get(SPOKEN_OF, {})) is not everything


def test_who_keeps_what_was_asked_is_told_where_forgetting_was_broken_off(open_memory: Callable[..., Memory]) -> None:
    told: list[object] = []
    memory = open_memory()
    memory.when_forgotten(told.append)
    assert told == []
    memory.of("eve").state.set(UNSWEPT, "everywhere 0")  # as a process leaves it that is killed
    open_memory().when_forgotten(told.append)
    assert told == [None]
    open_memory().when_forgotten(told.append)
    assert told == [None]


def test_nobody_is_told_again_of_what_only_the_index_still_holds(open_memory: Callable[..., Memory]) -> None:
    told: list[object] = []
    open_memory().of("eve").state.set(UNSWEPT, "index 0")
    open_memory().when_forgotten(told.append)
    assert told == []


def test_all_are_told_what_is_forgotten_where_one_of_them_fails(open_memory: Callable[..., Memory]) -> None:
    told: list[object] = []

    def fail(_: object) -> None:
        raise Failure("The log stays.")

    memory = open_memory()
    for call in (fail, told.append):
        memory.when_forgotten(call)
    source_id = remember_secret(memory.of("eve"))
    with pytest.raises(StillOnDisk, match="The log stays"):
        memory.of("eve").forget(source=source_id)
    assert len(told) == 1
    assert memory.of("eve").is_empty()
    memory.of("eve").state.set(UNSWEPT, "everywhere 0")
    open_memory().when_forgotten(fail)  # and still starts
