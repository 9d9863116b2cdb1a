"""What the model takes for one, and that it does not take it for one again."""

from collections.abc import Callable

import pytest

from memory.errors import Interrupted
from memory.joining import Joining
from memory.store import Memory
from memory.user_memory import UserMemory
from tests.memory.samples import read


class Asked:
    """A matcher that keeps what it was asked, and replies or raises what it was given; the last again and again."""

    def __init__(self, *replies: bool | Exception) -> None:
        self.pairs: list[tuple[str, str]] = []
        self._replies = list(replies)

    def are_one(self, short: str, long: str) -> bool:
        self.pairs.append((short, long))
        reply = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        if isinstance(reply, Exception):
            raise reply
        return reply


def read_document(user: UserMemory, *triple: str) -> None:
    """A document that says this, read to its end."""
    text = " ".join(triple)
    source = user.add_document(f"{text}.txt", text.encode())
    subject, relation, object_ = triple
    for passage_id, passage in user.passages(source.id):
        user.store(source.id, passage_id, read(passage.text, (subject, relation, object_)))


def join(memory: Memory, matcher: Asked) -> None:
    joining = Joining(memory, matcher)
    while joining.step():
        pass


@pytest.fixture
def user(memory: Memory) -> UserMemory:
    """Somebody whose documents call one person by two names."""
    user = memory.of("eve")
    read_document(user, "Professor Lena Vogt", "teaches", "botany")
    read_document(user, "Lena Vogt", "works in", "Ulm")
    return user


def test_what_is_one_is_merged(memory: Memory, user: UserMemory) -> None:
    matcher = Asked(True)
    join(memory, matcher)
    assert matcher.pairs == [("Lena Vogt | works in Ulm", "Professor Lena Vogt | teaches botany")]
    assert len(user.merges()) == 1
    assert len(user.find_entities("Lena Vogt")) == 1


def test_a_merge_that_was_taken_back_is_for_good(user: UserMemory, open_memory: Callable[..., Memory]) -> None:
    memory = open_memory()
    join(memory, Asked(True))
    user = memory.of("eve")
    user.unmerge(user.merges()[0].id)
    read_document(user, "Lena Vogt", "plays", "chess")
    matcher = Asked(True)
    join(memory, matcher)
    assert (matcher.pairs, user.merges()) == ([], [])


def test_what_is_two_is_asked_about_once_and_left_to_the_user(memory: Memory, user: UserMemory) -> None:
    matcher = Asked(False)
    joining = Joining(memory, matcher)
    for object_ in ("chess", "tennis"):
        while joining.step():
            pass
        read_document(user, "Lena Vogt", "plays", object_)
    assert len(matcher.pairs) == 1
    assert len(user.likely_duplicates()) == 1


def test_names_that_both_have_something_of_their_own_are_left_to_the_user(memory: Memory) -> None:
    user = memory.of("eve")
    for name in ("Young Lena Vogt", "Old Lena Vogt"):
        read_document(user, name, "teaches", "botany")
    matcher = Asked(True)
    join(memory, matcher)
    assert matcher.pairs == []
    assert len(user.likely_duplicates()) == 1


def test_it_goes_on_after_a_turn_and_in_the_next_process(user: UserMemory, open_memory: Callable[..., Memory]) -> None:
    with pytest.raises(Interrupted):
        join(open_memory(), Asked(Interrupted("A turn.")))
    memory = open_memory()
    joining = Joining(memory, Asked(Interrupted("A turn."), True))
    with pytest.raises(Interrupted):
        joining.step()
    assert joining.step()
    assert len(memory.of("eve").merges()) == 1


def test_what_fails_otherwise_fails_once(memory: Memory, user: UserMemory) -> None:
    joining = Joining(memory, Asked(KeyError("a bug")))
    with pytest.raises(KeyError):
        joining.step()
    while joining.step():
        pass
    assert user.merges() == []


def test_what_goes_meanwhile_is_let_go(memory: Memory, user: UserMemory) -> None:
    class Forgetting(Asked):
        def are_one(self, short: str, long: str) -> bool:
            user.forget(entity="Lena Vogt")
            return super().are_one(short, long)

    join(memory, Forgetting(True))
    assert [entity.name for entity in user.entities("Vogt")] == ["Professor Lena Vogt"]


def test_what_was_said_in_the_chat_is_left_to_the_user(memory: Memory) -> None:
    user = memory.of("eve")
    for name in ("Lena Vogt", "Professor Lena Vogt"):
        user.note(f"{name} plays chess", read(f"{name} plays chess", (name, "plays", "chess")))
    matcher = Asked(True)
    join(memory, matcher)
    assert matcher.pairs == []
