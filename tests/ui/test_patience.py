"""Handlers that take a while say so at once."""

import threading
import time

import pytest

from memory.errors import Failure
from ui.patience import patiently


def test_what_is_quick_shows_its_result_alone() -> None:
    assert list(patiently(lambda: "done", lambda: "at work")) == ["done"]


def test_what_takes_a_while_says_so_first() -> None:
    go_on = threading.Event()
    shown = patiently(lambda: go_on.wait(30) and "done", lambda: "at work")
    assert next(shown) == "at work"
    go_on.set()
    assert list(shown) == ["done"]


@pytest.mark.parametrize("late", [False, True])
def test_what_fails_fails_where_it_was_asked_for(late: bool) -> None:
    def fail() -> str:
        time.sleep(1.0 if late else 0.0)
        raise Failure("The disk is full.")

    with pytest.raises(Failure, match="disk is full"):
        list(patiently(fail, lambda: "at work"))


def test_a_time_out_of_the_work_itself_is_its_own() -> None:
    def fail() -> str:
        raise TimeoutError("too late")

    with pytest.raises(TimeoutError, match="too late"):
        list(patiently(fail, lambda: "at work"))


def test_what_nobody_waits_for_any_more_is_done_all_the_same() -> None:
    go_on, done = threading.Event(), threading.Event()

    def work() -> str:
        go_on.wait(30)
        done.set()
        return "done"

    shown = patiently(work, lambda: "at work")
    next(shown)
    shown.close()  # type: ignore[attr-defined]
    go_on.set()
    assert done.wait(30)
