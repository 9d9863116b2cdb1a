"""The log of a turn's events: append-only, followed by any number of readers."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.errors import Failure
from assistant.turns.log import MemoryLog
from assistant.types import Failed, Token


@given(st.lists(st.one_of(st.text(max_size=3), st.integers(0, 12))))
def test_whoever_reads_from_anywhere_has_what_was_appended_since(steps: list[str | int]) -> None:
    log, appended = MemoryLog(), list[Token]()
    for step in steps:  # a text is appended, a number is read from
        if isinstance(step, str):
            log.append(Token(step))
            appended.append(Token(step))
        else:
            assert list(log.read(step)) == appended[step:]
    log.close()
    log.append(Token("too late"))
    assert list(log.read(0)) == appended


def test_readers_wait_for_what_comes_and_each_has_all_of_it() -> None:
    log, read = MemoryLog(), dict[int, list[str]]()

    def follow(reader: int) -> None:
        read[reader] = []
        closed = False
        while not closed:
            closed = log.closed
            read[reader] += [event.text for event in log.read(len(read[reader]), 30) if isinstance(event, Token)]

    readers = [threading.Thread(target=follow, args=(i,)) for i in range(3)]
    for reader in readers:
        reader.start()
    for i in range(100):
        log.append(Token(str(i)))
    log.close()
    for reader in readers:
        reader.join(30)
    assert read == {i: [str(i) for i in range(100)] for i in range(3)}


def test_a_log_is_bounded_and_the_end_of_a_turn_still_fits() -> None:
    log = MemoryLog(most_events=2)
    log.append(Token("a"))
    log.append(Token("b"))
    with pytest.raises(Failure, match="too many steps"):
        log.append(Token("c"))
    log.append(Failed("answer", "It was ended."))
    assert len(log.read(0)) == 3
