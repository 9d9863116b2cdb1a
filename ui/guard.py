"""Around every handler: it speaks the browser's language, and where it fails a person sees one line."""

import contextlib
import functools
import inspect
from collections.abc import Callable, Iterator
from html import escape
from typing import Any

import gradio as gr
from gradio.context import LocalContext

from assistant.errors import one_line
from assistant.messages import speak
from assistant.messages.languages import browser_language

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
    """Wrap a handler of the page so that it speaks the language of the browser that it works for.

    An error becomes one line in a corner and changes nothing else.
    """
    if inspect.isgeneratorfunction(handler):

        @functools.wraps(handler)
        def generator(*args: Any, **kwargs: Any) -> Iterator[Any]:
            value: Any = gr.skip()
            try:
                _speak()
                with contextlib.closing(handler(*args, **kwargs)) as values:
                    for value in values:
                        yield value
                        _speak()  # Gradio takes each step in a context of its own
            except Exception as error:
                warn(one_line(error))
                yield value  # again: a browser that comes to both together would else see neither

        return generator

    @functools.wraps(handler)
    def function(*args: Any, **kwargs: Any) -> Any:
        try:
            _speak()
            return handler(*args, **kwargs)
        except Exception as error:
            warn(one_line(error))
            return gr.skip()

    return function


def _speak() -> None:
    if request := LocalContext.request.get(None):
        speak(browser_language(request.headers.get("accept-language", "")))
