"""Books (.epub): an archive of HTML pages, with a list of their order."""

import posixpath
import urllib.parse
from collections.abc import Iterator

from bs4 import BeautifulSoup

from memory.errors import UserMistake
from memory.formats.markup import read_html
from memory.formats.pieces import Piece, unpacked

_CONTAINER = "META-INF/container.xml"


def read_epub(name: str, data: bytes) -> Iterator[Piece]:
    """The pages in the order in which they are to be read."""
    try:
        with unpacked(name, data) as archive:
            package = str(_markup(archive.read(_CONTAINER)).find("rootfile")["full-path"])  # type: ignore[index]
            opf = _markup(archive.read(package))
            files = {item["id"]: str(item["href"]) for item in opf.find_all("item")}
            folder = posixpath.dirname(package)
            paths = [urllib.parse.unquote(files[item["idref"]]) for item in opf.find_all("itemref")]
            pages = [archive.read(posixpath.normpath(posixpath.join(folder, path))) for path in paths]
    except UserMistake:
        raise
    except Exception as error:  # archives and packages that are damaged raise many kinds
        raise UserMistake(f"{name} is damaged or locked, or no book (.epub); choose another copy.") from error
    for page in pages:
        yield from read_html(name, page)


def _markup(data: bytes) -> BeautifulSoup:
    return BeautifulSoup(data, "html.parser")  # it knows no entities of its own that could grow
