"""What all tests share: a home of their own, nothing of the developer's, and honest words about what is missing."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import hypothesis
import pytest

from memory.store import Memory
from tests.memory.samples import WordEmbedder

# A busy machine is slow, not wrong.
hypothesis.settings.register_profile(
    "unhurried", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("unhurried")

ROOT = Path(__file__).parents[1]
_KEPT = {"LOREKEEPER_EVAL_DATA", "LOREKEEPER_TEST_NETWORK"}


@pytest.fixture(scope="session", autouse=True)
def _own_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads or writes the developer's own home, and none talks to a model behind the developer's key."""
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith(("LOREKEEPER_", "OPENAI_")) and name not in _KEPT:
                patch.delenv(name)
        for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
            patch.delenv(name, raising=False)
        patch.setenv("LANG", "C.UTF-8")
        patch.setenv("LOREKEEPER_HOME", str(tmp_path_factory.mktemp("home")))
        patch.setenv("LOREKEEPER_PUBLIC", "off")
        patch.setattr("memory.indexing._MOMENT", 60.0)  # embedded on return, however busy it is here
        yield


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home for one test, not made yet; `LOREKEEPER_HOME` names it."""
    folder = tmp_path / "home"
    monkeypatch.setenv("LOREKEEPER_HOME", str(folder))
    return folder


@pytest.fixture
def memory(home: Path) -> Iterator[Memory]:
    """The memory of that home, with an embedder that counts words."""
    with closing(Memory(home, WordEmbedder())) as memory:
        yield memory


@pytest.fixture(scope="session")
def evaluation_data() -> Path:
    """The folder with real evaluation data, which is not part of the project."""
    folder = Path(os.environ.get("LOREKEEPER_EVAL_DATA") or ROOT.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip(f"There is no evaluation data in {folder}; set LOREKEEPER_EVAL_DATA to its folder.")
    return folder


@pytest.fixture(scope="session")
def installed() -> Callable[[str, str], Path]:
    """`installed("php", "php-cli")`: the path of a program or file that comes with a Debian package.

    Where it is missing, a test fails in CI and is skipped elsewhere, in both cases with the package's name.
    """

    def find(program_or_path: str, package: str) -> Path:
        found = shutil.which(program_or_path) or program_or_path
        if Path(found).is_absolute() and Path(found).exists():
            return Path(found)
        message = f"{program_or_path} is missing: run apt-get install {package} as root."
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)

    return find


@pytest.fixture(scope="session")
def chromium(installed: Callable[[str, str], Path]) -> Path:
    """A browser to drive: Playwright's own where it was fetched, else Debian's."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        own = Path(playwright.chromium.executable_path)
    return own if own.exists() else installed("chromium", "chromium")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Public services are asked only where somebody says so. Of processes that run tests side by side, one has a whole
    file, and one all that use the embedded model: two of these would wait for each other."""
    for item in items:
        group = "live" if "live" in item.keywords else str(item.path)
        item.add_marker(pytest.mark.xdist_group(group))
    if not os.environ.get("LOREKEEPER_TEST_NETWORK"):
        skipped = pytest.mark.skip(reason="asks a public service; set LOREKEEPER_TEST_NETWORK=1 to run it")
        for item in items:
            if "network" in item.keywords:
                item.add_marker(skipped)
