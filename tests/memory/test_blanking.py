"""What is forgotten of a document is blanked in it; the document stays, and can be uploaded anew."""

from pathlib import Path

import pytest

from memory.passages import sentences
from memory.store import Memory
from memory.types import Extraction, Fact, FactKind, Mention, SavedMessage, Source, Span, Statement
from memory.user_memory import UserMemory
from tests.memory.samples import read, said
from tests.memory.test_forgetting import found_in, tell_of_two

TOWN = "Oslo is a large town."
HERON = "Quilla Farn keeps a blue heron."
NAME = "Quilla Farn"


def added(user: UserMemory, text: str, *triples: tuple[str, str, str], name: str = "a.txt") -> Source:
    """A document of one passage, read."""
    source = user.add_document(name, text.encode())
    for passage_id, passage in user.passages(source.id, unread=True):
        statements = tuple(
            Statement(FactKind.TRIPLE, *triple, span=_sentence(passage.text, triple[2])) for triple in triples
        )
        mentions = tuple(Mention(triple[0]) for triple in triples)
        user.store(source.id, passage_id, Extraction(mentions, statements))
    return user.source(source.id)


def _sentence(text: str, words: str) -> Span:
    return next(span for span in sentences(text, 0, len(text)) if words in text[span.start : span.end])


def recalled(user: UserMemory, question: str) -> list[str]:
    return [hit.text for hit in user.recall(question)]


def test_an_entity_is_forgotten_in_documents_too_and_a_new_upload_is_read_again(memory: Memory, home: Path) -> None:
    user = memory.of("eve")
    text = f"# The birds of {NAME}\n\n{HERON} {TOWN} Nobody but quilla farn feeds it."
    facts = ((NAME, "keeps", "blue heron"), ("Oslo", "is", "large town"))
    first = added(user, text, *facts)
    before = user.source_text(first.id)
    gone = user.forget(entity=NAME, undoable=True)
    assert (gone.facts, gone.sources) == (1, 0)
    assert [hit.strip() for hit in recalled(user, "What does Quilla Farn keep?")] == [TOWN, TOWN]
    assert found_in(home, NAME, NAME.lower(), "heron") == []
    assert memory.status().agrees
    user.undo(gone.undo_id)
    assert user.source_text(first.id) == before
    assert user.add_document("a.txt", text.encode()).id == first.id  # the same file again
    assert any(HERON in hit for hit in recalled(user, "Who keeps a blue heron?"))
    user.forget(entity=NAME)
    again = added(user, text, *facts)
    assert [(source.id, source.facts) for source in user.sources()] == [(again.id, 2)]  # in place of the blanked one
    assert again.id != first.id
    assert memory.status().agrees


ANNA = "My sister Anna lives in Oslo and works as a nurse."
ANNAS = (("the user", "sister", "Anna"), ("Anna", "lives in", "Oslo"), ("Anna", "works as", "nurse"))


def whole(text: str, *triples: tuple[str, str, str], described: str = "") -> Extraction:
    """What is read of a sentence; with `described`, also that it says what that is."""
    extraction = read(text, *triples)
    prose = [said(text, described, "description", text, FactKind.DESCRIPTION)] if described else []
    return Extraction(extraction.mentions, (*extraction.statements, *prose))


def ids(user: UserMemory) -> dict[str, str]:
    return {fact.object: fact.id for fact in user.facts()}


def test_a_forgotten_fact_takes_its_sentence_along_or_its_words_where_another_fact_rests_on_it(
    memory: Memory, home: Path
) -> None:
    user = memory.of("eve")
    heron, feeds = (NAME, "keeps", "blue heron"), (NAME, "feeds", "gulls")
    source = added(user, f"{HERON} {TOWN} She feeds gulls and hawks.", heron, feeds, (NAME, "feeds", "hawks"))
    known = ids(user)
    gone = user.forget(facts=[known["blue heron"], known["gulls"]])
    assert user.source_text(source.id).split() == f"{TOWN} She feeds and hawks.".split()
    assert found_in(home, "heron", "gulls") == []
    assert [fact.text.split() for fact in user.facts()] == [["She", "feeds", "and", "hawks."]]
    assert gone.kept_by == ()


def test_of_a_sentence_that_others_rest_on_only_its_own_words_go_and_all_come_back(memory: Memory, home: Path) -> None:
    user = memory.of("eve")
    source, _ = user.note(ANNA, whole(ANNA, *ANNAS, described="Anna"))
    facts, spans = user.facts(), {fact.object: fact.span for fact in user.facts()}
    job = user.forget(facts=[ids(user)["nurse"]], undoable=True)
    assert job.kept_by == ()
    assert found_in(home, "nurse") == []
    assert all("nurse" not in hit for hit in recalled(user, "What does Anna do? Is she a nurse?"))
    assert user.source_text(source.id) == ANNA.replace("nurse", "     ")
    assert {fact.object: fact.span for fact in user.facts() if fact.object in spans} == {
        said: span for said, span in spans.items() if said in ("Anna", "Oslo")
    }
    assert {fact.object for fact in user.facts()} == {"Anna", "Oslo", ANNA.replace("nurse", "     ")}
    town = user.forget(facts=[ids(user)["Oslo"]], undoable=True)
    assert found_in(home, "nurse", "Oslo", "oslo") == []
    for undo_id in (town.undo_id, job.undo_id):
        user.undo(undo_id)
    assert user.source_text(source.id) == ANNA
    assert {_told(fact) for fact in user.facts()} == {_told(fact) for fact in facts}
    assert memory.status().agrees


@pytest.mark.parametrize(("told", "value"), [("555 12 34", "5551234"), ("5551234", "555 12 34")])
def test_a_number_goes_from_its_sentence_however_it_is_grouped(
    memory: Memory, home: Path, told: str, value: str
) -> None:
    user = memory.of("eve")
    text = f"My phone is {told} and I drive a Volvo."
    user.note(text, read(text, ("the user", "phone", value), ("the user", "drives", "Volvo")))
    (phone,) = (fact.id for fact in user.facts() if fact.relation == "phone")
    user.forget(facts=[phone])
    assert found_in(home, "5551234", "555 12 34") == []
    assert [fact.object for fact in user.facts()] == ["Volvo"]


def test_words_forgotten_since_stay_away_when_their_sentence_comes_back(memory: Memory, home: Path) -> None:
    user = memory.of("eve")
    source, _ = user.note(ANNA, whole(ANNA, *ANNAS, described="Anna"))
    before = {_told(fact) for fact in user.facts()}
    known = ids(user)
    job = user.forget(facts=[known["nurse"]], undoable=True)
    rest = user.forget(facts=[known["Oslo"]], undoable=True)
    user.undo(job.undo_id)
    assert user.source_text(source.id) == ANNA.replace("Oslo", "    ")
    assert {fact.object for fact in user.facts()} == {"Anna", "nurse", ANNA.replace("Oslo", "    ")}
    assert found_in(home, "Oslo", "oslo") == []
    assert memory.status().agrees
    user.undo(rest.undo_id)
    assert user.source_text(source.id) == ANNA
    assert {_told(fact) for fact in user.facts()} == before


def test_what_a_sentence_lost_comes_back_without_what_all_of_it_lost_since(memory: Memory) -> None:
    user = memory.of("eve")
    text = "Ann keeps bees and grows plums."
    source = added(user, f"{text} {TOWN}", ("Ann", "keeps", "bees"), ("Ann", "grows", "plums"))
    known = ids(user)
    bees = user.forget(facts=[known["bees"]], undoable=True)
    user.forget(facts=[known["plums"]])
    assert user.source_text(source.id).strip() == TOWN
    user.undo(bees.undo_id)
    assert user.source_text(source.id).split() == f"Ann keeps bees and grows . {TOWN}".split()


def test_a_description_that_says_nothing_else_goes_with_the_fact(memory: Memory, home: Path) -> None:
    user = memory.of("eve")
    text = f"{NAME} is a nurse."
    user.note(text, whole(text, (NAME, "is", "nurse"), described=NAME))
    user.note("张伟是医生。", whole("张伟是医生。", ("张伟", "是", "医生"), described="张伟"))
    assert user.forget(facts=[ids(user)["nurse"], ids(user)["医生"]]).facts == 4
    assert user.is_empty()
    assert found_in(home, "nurse", NAME, "医生") == []


def test_words_that_others_need_stay_and_for_whose_sake_is_said(memory: Memory) -> None:
    user = memory.of("eve")
    both = "Ann lives and works in Oslo."
    source, _ = user.note(both, read(both, ("Ann", "lives in", "Oslo"), ("Ann", "works in", "Oslo")))
    lives, works = sorted(user.facts(), key=lambda fact: fact.relation)
    assert user.forget(facts=[works.id]).kept_by == ()
    assert user.source_text(source.id).split() == ["Ann", "lives", "and", "in", "Oslo."]
    prose = "Ann is a nurse, and not a kind one."
    note, _ = user.note(prose, whole(prose, ("Ann", "is", "nurse"), described="Ann"))
    gone = user.forget(facts=[ids(user)[prose]])
    assert user.source_text(note.id) == prose  # without "not" or "kind" what stays might say something else
    assert [fact.object for fact in gone.kept_by] == ["nurse"]
    assert lives.id in ids(user).values()


def test_what_a_denial_denies_never_comes_to_be_said(memory: Memory) -> None:
    user = memory.of("eve")
    text = "Bo does not smoke, drives no lorry and is not a pilot."
    source, _ = user.note(
        text, read(text, ("Bo", "does not", "smoke"), ("Bo", "drives", "no lorry"), ("Bo", "is", "not a pilot"))
    )
    user.forget(facts=[ids(user)["not a pilot"], ids(user)["no lorry"]])
    assert user.source_text(source.id).split() == ["Bo", "does", "not", "smoke,", "drives", "and", "is", "."]


def test_of_a_chinese_sentence_only_its_own_words_go(memory: Memory, home: Path) -> None:
    user = memory.of("eve")
    text = "我姐姐张伟住在北京，是医生。"
    source, _ = user.note(text, read(text, ("张伟", "住在", "北京"), ("张伟", "职业", "医生")))
    user.forget(facts=[ids(user)["医生"]])
    assert user.source_text(source.id) == text.replace("医生", "  ")
    assert found_in(home, "医生") == []


def _told(fact: Fact) -> tuple[str, str, str, str, Span, bool]:
    return fact.subject, fact.relation, fact.object, fact.text, fact.span, fact.valid_to is None


def test_a_document_of_nothing_else_goes(memory: Memory) -> None:
    user = memory.of("eve")
    added(user, HERON, (NAME, "keeps", "blue heron"))
    assert user.forget(entity=NAME).sources == 1
    assert user.is_empty()


def test_what_is_forgotten_while_a_document_is_read_does_not_come_back(memory: Memory) -> None:
    user = memory.of("eve")
    filling = " ".join(f"Line {n} says nothing." for n in range(40))
    user.add_document("a.txt", f"{HERON} {filling}\n\n{NAME} lives in Oslo. {filling}\n\nShe sings.".encode())
    (source,) = user.sources()
    (first, passage), (second, read_just_now), *_ = user.passages(source.id)
    user.store(source.id, first, read(passage.text, (NAME, "keeps", "blue heron")))
    undo_id = user.forget(entity=NAME, undoable=True).undo_id
    assert all(NAME not in passage.text for _, passage in user.passages(source.id))
    assert second not in dict(user.passages(source.id))  # nobody can store what its old words said
    assert NAME in read_just_now.text
    for passage_id, _ in user.passages(source.id, unread=True):
        user.skip(source.id, passage_id)
    assert user.source(source.id).state == "ready"
    user.undo(undo_id)
    assert [NAME in passage.text for _, passage in user.passages(source.id, unread=True)] == [True]
    assert user.source(source.id).state == "queued"


def test_a_changed_file_whose_unread_rest_is_forgotten_takes_the_place_of_what_it_was(memory: Memory) -> None:
    user = memory.of("eve")
    old = user.add_document("a.md", b"Bo lives in Bonn.", "/a.md")
    for passage_id, passage in user.passages(old.id):
        user.store(old.id, passage_id, read(passage.text, ("Bo", "lives in", "Bonn")))
    new = user.add_document("a.md", f"# Towns\n\nBo lives in Oslo.\n\n# {NAME}\n\n{HERON}".encode(), "/a.md")
    *first, _ = user.passages(new.id)
    for passage_id, passage in first:
        user.store(new.id, passage_id, read(passage.text, ("Bo", "was seen in", "Oslo")))
    user.forget(entity=NAME)
    assert [(source.id, source.state) for source in user.sources()] == [(new.id, "ready")]
    assert {fact.object for fact in user.facts()} == {"Oslo"}
    assert memory.status().agrees


def test_a_name_that_no_entity_has_yet_can_be_forgotten(memory: Memory, home: Path) -> None:
    user = memory.of("eve")
    user.add_document("a.txt", f"{TOWN} {HERON}".encode())
    user.forget(entity=NAME)
    assert found_in(home, NAME, "heron") == []
    assert any(TOWN in hit for hit in recalled(user, "Is Oslo large?"))


def test_facts_about_others_that_name_it_go_and_common_nouns_stay(memory: Memory) -> None:
    user = memory.of("eve")
    text = "Bo dines with Quilla Farn. The dog of Bo barks. A dog is an animal."
    wife = said(text, "Bo", "dines with", "his neighbour Quilla Farn")
    dog = said(text, "dog", "does", "barks")
    user.note(text, Extraction((Mention("Bo"), Mention("dog")), (wife, dog)))
    user.forget(entity="dog")
    assert "A dog is an animal." in user.source_text(user.sources()[0].id)
    user.forget(entity=NAME)
    assert user.facts() == []


def test_a_chinese_common_noun_loses_its_facts_and_no_sentence_elsewhere(memory: Memory) -> None:
    user = memory.of("eve")
    added(user, "锅炉在地下室。", ("锅炉", "在", "地下室"))
    other = user.add_document("b.txt", "锅炉每年检修一次。".encode())
    assert user.forget(entity="锅炉").facts == 1
    assert user.source_text(other.id) == "锅炉每年检修一次。"


def test_a_longer_name_of_another_is_no_mention(memory: Memory) -> None:
    user = memory.of("eve")
    studied, capital = "Ann studied at University of Oslo.", "Oslo is a capital."
    text = f"{studied} University of Oslo is old. {capital} A trip to Oslo is long."
    kept = (("Ann", "studied at", "University of Oslo"), ("University of Oslo", "is", "old"))
    source = added(user, text, *kept, ("Oslo", "is", "a capital"))
    user.forget(entity="Oslo")
    assert {(fact.subject, fact.object) for fact in user.facts()} == {(said[0], said[2]) for said in kept}
    assert " ".join(user.source_text(source.id).split()) == f"{studied} University of Oslo is old."


def test_a_longer_chinese_name_of_another_is_no_mention(memory: Memory) -> None:
    user = memory.of("eve")
    doctor = "王小明月是医生。"
    facts = (("王小明月", "是", "医生"), ("王小明", "住在", "北京"))
    source = added(user, f"{doctor}王小明住在北京。王小明的狗会叫。", *facts)
    user.forget(entity="王小明")
    assert [fact.text for fact in user.facts()] == [doctor]
    assert user.source_text(source.id).strip() == doctor


def test_of_many_mentions_the_first_are_searched_at_once_and_the_rest_later(
    memory: Memory, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory.indexing._MOMENT", 0.0)
    user = memory.of("eve")
    line = " ".join(f"Line {n} says nothing." for n in range(40))
    user.add_document("a.txt", "\n\n".join(f"{HERON} {line}" for _ in range(9)).encode())
    user.repair()
    user.forget(entity=NAME)
    assert user.status().waiting > 0
    user.repair()
    assert memory.status().agrees
    assert found_in(home, NAME, "heron") == []


def test_a_namesake_keeps_the_name(memory: Memory) -> None:
    user = memory.of("eve")
    tell_of_two(user)
    user.forget(entity="e1")
    assert recalled(user, "Ann Berg") == ["Ann Berg is the mayor of some Danish town."] * 2


def test_conversations_lose_the_name_that_was_forgotten(memory: Memory, home: Path) -> None:
    user = memory.of("eve")
    added(user, HERON, (NAME, "keeps", "blue heron"))
    user.sessions.new("s")
    at = user.sources()[0].added
    for role, content in (("user", f"Who is {NAME}?"), ("assistant", "I don't know."), ("user", "Quillas fly.")):
        user.sessions.append("s", SavedMessage(role, content, at))
    user.forget(entity=NAME)
    assert [message.content for message in user.sessions.load("s")] == ["Who is […]?", "I don't know.", "Quillas fly."]
    assert found_in(home, NAME) == []


def test_thumbs_on_questions_about_it_go_and_come_back(memory: Memory, home: Path) -> None:
    user = memory.of("eve")
    user.note(HERON, read(HERON, (NAME, "keeps", "blue heron")))
    user.sessions.new("s")
    about = {"thumb": "Like", "question": f"What does {NAME} keep?", "code": f'find_entity_or_value(["{NAME}"])'}
    other = {"thumb": "Like", "question": "Is Oslo large?", "code": ""}
    user.sessions.rate("s", 1, about)
    user.sessions.rate("s", 3, other)
    gone = user.forget(entity=NAME, undoable=True)
    assert user.sessions.thumbs("s") == {3: other}
    assert found_in(home, NAME) == []
    user.sessions.rate("s", 3, None)
    user.sessions.rate("s", 5, other)
    user.undo(gone.undo_id)
    assert user.sessions.thumbs("s") == {1: about, 5: other}
