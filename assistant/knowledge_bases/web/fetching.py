"""Pages and files of the web as documents, only where the operator allows it."""

from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import unquote, urldefrag, urlsplit

from assistant.errors import UserMistake
from assistant.knowledge_bases.base import Deadline
from assistant.knowledge_bases.web.http import Http
from memory.documents import SUFFIXES

_SECONDS = 30.0
_SUFFIX_OF_TYPE = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "text/plain": ".txt",
    "text/markdown": ".md",
    "text/csv": ".csv",
    "application/json": ".json",
    "application/pdf": ".pdf",
    "application/epub+zip": ".epub",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "message/rfc822": ".eml",
}


@dataclass(frozen=True, slots=True)
class FetchedDocument:
    """What lies at an address, with a name whose suffix says what it is."""

    name: str
    data: bytes
    address: str


def is_address(text: str) -> bool:
    """Whether a text is meant as an address of the web."""
    return text.lower().startswith(("http://", "https://"))


class Fetching:
    """Fetches documents through the one way out: from public addresses, in bounded size and time, logged."""

    def __init__(self, http: Http, allowed: bool) -> None:
        self._http = http
        self.allowed = allowed

    def fetch(self, address: str) -> FetchedDocument:
        """The document at an address.

        Raises:
            UserMistake: fetching is switched off, or the address cannot be used.
            KnowledgeBaseUnreachable: no document came; the message says why.
        """
        if not self.allowed:
            raise UserMistake(
                "{address} is not fetched: the web is switched off; LOREKEEPER_FETCH=on allows it.", address=address
            )
        try:
            parts = urlsplit(urldefrag(address).url)
        except ValueError:
            parts = urlsplit("")
        if not parts.hostname or parts.username is not None or not parts.geturl().isprintable():
            raise UserMistake(
                "“{address}” is no address that can be fetched; use one such as https://a.org/b.",
                address=address[:200],
            )
        page = self._http.get_page(parts.geturl(), Deadline.after(_SECONDS))
        return FetchedDocument(_name(parts.path, parts.hostname, page.content_type), page.body, parts.geturl())


def _name(path: str, host: str, content_type: str) -> str:
    """The last part of the path, or the host; with the suffix that the type asks for, where the name has no known one.

    What is sent as HTML is HTML, whatever its name: many sites serve pages at addresses such as `/report.pdf`.
    """
    name = PurePosixPath(unquote(path)).name or host
    suffix = _SUFFIX_OF_TYPE.get(content_type, "")
    known = PurePosixPath(name).suffix.lower() in SUFFIXES
    return name if not suffix or (known and suffix in (".txt", PurePosixPath(name).suffix.lower())) else name + suffix
