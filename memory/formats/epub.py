"""Books (.epub): an archive of HTML pages, with a list of their order."""

import posixpath
import urllib.parse
from collections.abc import Iterator

from lxml import etree

from memory.errors import UserMistake
from memory.formats.markup import read_html
from memory.formats.pieces import Archive, Piece

_CONTAINER = "META-INF/container.xml"


def read_epub(name: str, data: bytes) -> Iterator[Piece]:
    """The pages in the order in which they are to be read, each once."""
    try:
        archive = Archive(name, data)
        package = _markup(archive.read(_CONTAINER)).find(".//{*}rootfile").attrib["full-path"]
        opf = _markup(archive.read(package))
        files = {item.get("id"): item.get("href", "") for item in opf.iter("{*}item")}
        folder = posixpath.dirname(package)
        listed = [urllib.parse.unquote(files[item.get("idref")]) for item in opf.iter("{*}itemref")]
        for path in dict.fromkeys(posixpath.normpath(posixpath.join(folder, path)) for path in listed):
            yield from read_html(name, archive.read(path))
    except (UserMistake, MemoryError):
        raise
    except Exception as error:  # archives and packages that are damaged raise many kinds
        raise UserMistake("{name} is damaged or locked, or no book (.epub); choose another copy.", name=name) from error


def _markup(data: bytes) -> etree._Element:
    # Entities are not looked at: they can grow, and name files.
    root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True, recover=True))
    if root is None:
        raise ValueError("There is no markup.")
    return root
