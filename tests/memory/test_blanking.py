"""What is forgotten of a document is blanked in it; the document stays, and can be uploaded anew."""

from pathlib import Path

from memory.keeping import AT_ONCE
from memory.passages import sentences
from memory.store import Memory
from memory.types import Extraction, FactKind, Mention, SavedMessage, Source, Span, Statement
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


def test_a_forgotten_fact_takes_its_sentence_along_unless_another_fact_rests_on_it(memory: Memory, home: Path) -> None:
    user = memory.of("eve")
    heron, feeds = (NAME, "keeps", "blue heron"), (NAME, "feeds", "gulls")
    source = added(user, f"{HERON} {TOWN} She feeds gulls and hawks.", heron, feeds, (NAME, "feeds", "hawks"))
    known = {fact.object: fact.id for fact in user.facts()}
    user.forget(facts=[known["blue heron"], known["gulls"]])
    assert user.source_text(source.id).split() == f"{TOWN} She feeds gulls and hawks.".split()
    assert found_in(home, "heron") == []
    assert [fact.text for fact in user.facts()] == ["She feeds gulls and hawks."]


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


def test_of_many_mentions_the_first_are_searched_at_once_and_the_rest_later(memory: Memory, home: Path) -> None:
    user = memory.of("eve")
    line = " ".join(f"Line {n} says nothing." for n in range(40))
    user.add_document("a.txt", "\n\n".join(f"{HERON} {line}" for _ in range(AT_ONCE + 9)).encode())
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
