"""Real servers on loopback: one that misbehaves as it is told, and real wikis."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from assistant.knowledge_bases.web.http import Http
from tests.assistant.knowledge_bases.loopback import LoopbackServer
from tests.assistant.knowledge_bases.public.wiki import MEDIAWIKI, Wiki

pytest.register_assert_rewrite("tests.assistant.knowledge_bases.contract")


@pytest.fixture
def server() -> Iterator[LoopbackServer]:
    """A server of this test's own."""
    started = LoopbackServer()
    yield started
    started.close()


@pytest.fixture
def http(tmp_path: Path) -> Iterator[Http]:
    """The way out, with a contact set, so that no test waits for the pace of strangers."""
    client = Http("operator@example.org", tmp_path)
    yield client
    client.close()


_ENGLISH = {
    "Talvik": "'''Talvik''' may refer to:\n* [[Talvik (river)]], a river\n* [[Talvik (composer)]], a composer\n"
    "* [[Ostrava Hall]], once called so",
    "Talvik (river)": "'''Talvik''' is a river of 84 kilometres. It flows north.\n\n"
    "== Course ==\nIt rises near Brenholm.\n\n=== Tributaries ===\nThe Osk is the longest.\n"
    "[[Category:All articles with links needing disambiguation]]",
    "Talvik (composer)": "'''Ilse Talvik''' (1901–1988) was a composer of chamber music.",
    "Ostrava Hall": "'''Ostrava Hall''' is a concert hall.",
    "The Talvik": "#REDIRECT [[Talvik (river)]]",
    "Brenholm": "'''Brenholm''' is a town of lighthouses.\n\n== History ==\n"
    + "It was founded by sailors.\n\n" * 1000
    + "== Sights ==\nIts tallest tower was built by Ilka.",
}
_CHINESE = {
    "临江塔": "'''临江塔'''是一座位于江边的砖塔，高四十二米。塔内有一口铜钟。\n\n== 历史 ==\n该塔建于1721年。",
    "江塔": "#REDIRECT [[临江塔]]",
}


@pytest.fixture(scope="session")
def wiki(installed: Callable[[str, str], Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wiki]:
    """A MediaWiki in English with a disambiguation page, a redirect and a long article."""
    started = _start_wiki(installed, tmp_path_factory, "en", _ENGLISH)
    started.mark_as_disambiguation("Talvik")
    yield started
    started.close()


@pytest.fixture(scope="session")
def chinese_wiki(installed: Callable[[str, str], Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wiki]:
    """A MediaWiki in Chinese with one article and a redirect."""
    started = _start_wiki(installed, tmp_path_factory, "zh", _CHINESE)
    yield started
    started.close()


def _start_wiki(
    installed: Callable[[str, str], Path], folders: pytest.TempPathFactory, language: str, pages: dict[str, str]
) -> Wiki:
    php = installed("php", "php-cli")
    installed(str(MEDIAWIKI / "maintenance" / "install.php"), "mediawiki")
    return Wiki(php, folders.mktemp(f"wiki-{language}"), language, pages)
