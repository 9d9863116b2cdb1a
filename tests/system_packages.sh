#!/bin/sh
# Gets what tests need besides pip's packages: a browser, WordNet, and Debian's packages for a real MediaWiki. What cannot
# be had here is named in one line; the tests that want it then say so themselves.
# Usage: system_packages.sh BIN, the virtual environment's folder of programs.
set -u
bin=$1
wanted="mediawiki php-cli php-sqlite3 php-mbstring php-xml php-intl php-curl sqlite3 fonts-noto-cjk wordnet-base"

if [ "$(id -u)" = 0 ]; then as_root=""; else as_root="sudo -n"; fi

may_install() {
  command -v apt-get >/dev/null && $as_root true 2>/dev/null
}

installed() {
  dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed'
}

install() {
  if [ -z "${lists_updated:-}" ]; then
    $as_root apt-get update -qq </dev/null >/dev/null || true # old lists may do
    lists_updated=yes
  fi
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" </dev/null >/dev/null
}

has_browser() {
  command -v chromium >/dev/null || "$bin/python" - <<'PYTHON'
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

with sync_playwright() as playwright:
    sys.exit(not Path(playwright.chromium.executable_path).exists())
PYTHON
}

missing=""
for package in $wanted; do
  installed "$package" || missing="$missing $package"
done
if [ -n "$missing" ]; then
  echo "Installing for tests:$missing"
  # shellcheck disable=SC2086 # a list of words
  { may_install && install $missing; } || echo "Not installed, tests that need them will say so:$missing" >&2
fi

if ! has_browser; then
  echo "Installing a browser for tests: Chromium"
  { may_install && install chromium && has_browser; } ||
    "$bin/python" -m playwright install chromium ||
    echo "No browser could be installed: run apt-get install chromium as root." >&2
fi
