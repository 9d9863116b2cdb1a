# Everything lives in .venv. The stamps in it change with the requirements only, so a second run starts at once.
BIN := .venv/bin
# A shim that is on the PATH but has no interpreter behind it must not be chosen, so each one is run.
PYTHON ?= $(firstword $(foreach name,python3.11 python3.12 python3.13 python3,$(shell $(name) -c 'print("$(name)")' 2>/dev/null)))
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
ARGS ?=

.DELETE_ON_ERROR:

.PHONY: run test lint bench

run: .venv/run.stamp ## the page on http://127.0.0.1:7860; another port: make run ARGS="--port 8000"
	@exec $(BIN)/python app.py serve $(ARGS)

test: lint ## every check: style, types, tests with the real language model and a real browser
	@sh tests/system_packages.sh $(BIN)
	@$(BIN)/python -m pytest -m "live or not live" -n 2 --dist loadgroup $(ARGS)

lint: .venv/test.stamp ## style and types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

bench: .venv/test.stamp ## one benchmark: make bench ARGS="routing --limit 20"
	@$(BIN)/python -m tests.benchmarks $(ARGS)

.venv/test.stamp: .venv/run.stamp tests/requirements.txt
	@$(PIP) -r tests/requirements.txt
	@touch $@

.venv/run.stamp: .venv/pyvenv.cfg requirements.txt
	@echo "Installing what Lorekeeper needs into .venv; the first time takes some minutes."
	@$(PIP) -r requirements.txt
	@touch $@

.venv/pyvenv.cfg:
	@test -n "$(PYTHON)" || { echo "Python is missing: install Python 3.11 or newer." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "$$($(PYTHON) --version) is too old: install Python 3.11 or newer." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "Python's venv module is missing: run apt-get install python3-venv." >&2; exit 1; }
	@$(PYTHON) -m venv .venv
