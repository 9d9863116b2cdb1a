"""Work of a handler that may take a while: the page says at once that it is at work."""

import contextvars
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

_SOON = 0.6  # seconds; what is done by then shows its result at once

Result = TypeVar("Result")


def patiently(work: Callable[[], Result], meanwhile: Callable[[], Result]) -> Iterator[Result]:
    """The result of the work; where it takes longer than a moment, first what is shown `meanwhile`.

    The work goes on to its end when nobody waits for it any more. What it raises, this raises.
    """
    executor = ThreadPoolExecutor(1, thread_name_prefix="patiently")
    try:
        working = executor.submit(contextvars.copy_context().run, work)  # in which Gradio keeps whose page it is
        try:
            yield working.result(_SOON)
        except TimeoutError:
            if working.done():
                raise
            yield meanwhile()
            yield working.result()
    finally:
        executor.shutdown(wait=False)
