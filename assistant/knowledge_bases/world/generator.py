"""Makes the built-in knowledge base: `python -m assistant.knowledge_bases.world.generator FOLDER`."""

import fcntl
import sys
from collections.abc import Iterator
from pathlib import Path

from pyoxigraph import Quad

from assistant.errors import Failure
from assistant.knowledge_bases.files.building import build
from assistant.knowledge_bases.world.places import Places
from assistant.knowledge_bases.world.quads import Weights, vocabulary
from assistant.knowledge_bases.world.things import currencies, elements, languages

_SOURCE = "GeoNames, CLDR, ISO 3166 and the periodic table"


def generate(folder: Path) -> None:
    """Make the knowledge base in `folder`, unless another process has made it meanwhile.

    Raises:
        Failure: the disk is full or cannot be written.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            weights: dict[str, int] = {}
            build(folder, _everything(weights), _SOURCE, weights)


def _everything(weights: Weights) -> Iterator[Quad]:
    places = Places()
    yield from vocabulary()
    yield from places.quads(weights)
    yield from currencies(places.currencies, weights)
    yield from languages(places.languages, weights)
    yield from elements(weights)


if __name__ == "__main__":
    try:
        generate(Path(sys.argv[1]))
    except (Failure, OSError) as error:
        sys.exit(str(error))
