"""A real MediaWiki from Debian's packages, on loopback, with pages of our own."""

import os
import socket
import sqlite3
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

MEDIAWIKI = Path("/usr/share/mediawiki")
_LIFE_SECONDS = 300  # also where the tests are killed, nothing is left running
_SETTINGS = """
wfLoadExtension( 'TextExtracts' );
$wgJobRunRate = 0;
"""


class Wiki:
    """Installs a wiki of `language` into `folder`, with `pages` by title, and serves it until `close`."""

    def __init__(self, php: Path, folder: Path, language: str, pages: Mapping[str, str]) -> None:
        self._php = php
        self._folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.host = f"127.0.0.1:{free.getsockname()[1]}"
        self.address = f"http://{self.host}/api.php"
        self._install(language)
        self._import(pages)
        self._server = self._serve()

    def mark_as_disambiguation(self, title: str) -> None:
        """Set the property that the extension Disambiguator would set, which Debian's packages lack."""
        with sqlite3.connect(self._folder / "wiki.sqlite") as database:
            database.execute(
                "INSERT INTO page_props (pp_page, pp_propname, pp_value)"
                " SELECT page_id, 'disambiguation', '' FROM page WHERE page_title = ? AND page_namespace = 0",
                (title.replace(" ", "_"),),
            )
        database.close()

    def close(self) -> None:
        self._server.terminate()
        self._server.wait()

    def _install(self, language: str) -> None:
        options = {
            "dbtype": "sqlite",
            "dbpath": self._folder,
            "dbname": "wiki",
            "confpath": self._folder,
            "server": f"http://{self.host}",
            "scriptpath": "",
            "lang": language,
            "pass": "not-a-secret-of-anyone",
        }
        self._run("install.php", *(f"--{name}={value}" for name, value in options.items()), "Test wiki", "Admin")
        with (self._folder / "LocalSettings.php").open("a") as settings:
            settings.write(_SETTINGS)

    def _import(self, pages: Mapping[str, str]) -> None:
        folder = self._folder / "pages"
        folder.mkdir()
        for title, text in pages.items():
            (folder / f"{title}.txt").write_text(text, "utf-8")
        self._run("importTextFiles.php", "--overwrite", *(str(file) for file in sorted(folder.iterdir())))
        self._run("runJobs.php")

    def _run(self, script: str, *arguments: str) -> None:
        command: Sequence[str] = [str(self._php), str(MEDIAWIKI / "maintenance" / script), *arguments]
        environment = self._environment() if script != "install.php" else os.environ
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stdout + done.stderr

    def _serve(self) -> subprocess.Popen[bytes]:
        command = ["timeout", str(_LIFE_SECONDS), str(self._php), "-S", self.host, "-t", str(MEDIAWIKI)]
        server = subprocess.Popen(
            command, env=self._environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for _ in range(100):
            try:
                with urlopen(f"{self.address}?action=query&format=json", timeout=10):
                    return server
            except URLError:
                time.sleep(0.05)
        server.terminate()
        raise AssertionError("The wiki did not start.")

    def _environment(self) -> dict[str, str]:
        return {**os.environ, "MW_CONFIG_FILE": str(self._folder / "LocalSettings.php")}
