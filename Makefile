# Everything a newcomer needs: `make demo`, `make test`. Each installs what it needs into .venv.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
export NUMBA_CACHE_DIR ?= $(CURDIR)/$(VENV)/numba-cache

.PHONY: demo test check unit browser trust bench bench-cuts bench-engines bench-local docs clean

demo: $(VENV)/.core
	$(BIN)/kohort demo demo

test: check unit

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

unit: $(VENV)/.dev browser
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not long"

trust: $(VENV)/.dev
	$(BIN)/python -m pytest -n 2 --dist worksteal

# The report is opened in a real browser by a test; as root it is installed, otherwise the test says what is missing.
browser:
	@command -v chromium >/dev/null || [ "$$(id -u)" != 0 ] || \
	  (apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core) >/dev/null 2>&1 || true

bench: $(VENV)/.dev
	$(BIN)/python bench/lattice.py
	$(BIN)/python bench/process.py

bench-cuts: $(VENV)/.dev
	$(BIN)/python bench/cuts.py

bench-engines: $(VENV)/.dev
	$(BIN)/python bench/engines.py

bench-local: $(VENV)/.dev
	$(BIN)/python bench/local_mondrian.py
	$(BIN)/python bench/clustering.py
	$(BIN)/python bench/cells.py

docs: $(VENV)/.dev
	$(BIN)/python docs/reference.py

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q --disable-pip-version-check -U pip

$(VENV)/.core: pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install -q --disable-pip-version-check -e .
	touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/pip install -q --disable-pip-version-check -e '.[dev]'
	touch $@ $(VENV)/.core

clean:
	rm -rf $(VENV) demo demo.private build dist .mypy_cache .ruff_cache .pytest_cache
