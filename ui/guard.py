"""What a person sees when a handler fails: one line, and the page goes on."""

import functools
import inspect
from collections.abc import Callable, Iterator
from html import escape
from typing import Any

import gradio as gr

from assistant.errors import one_line

__all__ = ["QUIET", "guarded", "one_line"]

# How most handlers are wired: with no spinner over what they change, and for the page only.
QUIET: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}


def say(line: str) -> None:
    """Show a line in a corner of the page, which would read HTML there."""
    gr.Info(escape(line, quote=False))


def warn(line: str) -> None:
    """Show a line in a corner of the page that says what went wrong."""
    gr.Warning(escape(line, quote=False))


def guarded(handler: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a handler of the page so that an error becomes one line in a corner and changes nothing else."""
    if inspect.isgeneratorfunction(handler):

        @functools.wraps(handler)
        def generator(*args: Any, **kwargs: Any) -> Iterator[Any]:
            try:
                yield from handler(*args, **kwargs)
            except Exception as error:
                warn(one_line(error))
                yield gr.skip()

        return generator

    @functools.wraps(handler)
    def function(*args: Any, **kwargs: Any) -> Any:
        try:
            return handler(*args, **kwargs)
        except Exception as error:
            warn(one_line(error))
            return gr.skip()

    return function
