# Every target sets itself up in .venv first and touches nothing outside this folder.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip --disable-pip-version-check --quiet
# One worker more than processors, because some tests wait.
PYTEST := $(BIN)/python -m pytest -n $(shell expr $$(nproc) + 1) --dist worksteal
SOURCES := pyproject.toml tools/build.py engines/version.py $(shell find core -name '*.py')

.PHONY: serve install test slow check bench wheel clean

serve: install  ## run the server
	$(BIN)/galapagos serve --home .galapagos

install: .venv/installed  ## make .venv with galapagos, galapagos-chess and what the tests need

test: install  ## the default tests, a few minutes
	$(PYTEST)

slow: install  ## the long tests too: perft to 100 M nodes a position
	$(PYTEST) -m "not soak" --hypothesis-profile=thorough

check: .venv/checkers  ## tests, style, types and the rules of import
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(PYTEST)

bench: .venv/checkers  ## speed, with a functional signature, beside its peers
	$(BIN)/galapagos bench

wheel: install  ## a wheel in dist/, for machines without a compiler
	rm -rf build/lib*  # what is no module any more would go along
	$(PIP) wheel --no-deps --no-build-isolation --wheel-dir dist .

clean:  ## back to a fresh clone
	rm -rf .venv build dist *.egg-info *.so
	find . -name '*.so' -delete

# The compiler of the core is mypyc; without build isolation a rebuild takes seconds, not a download.
.venv/installed: $(SOURCES)
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "Setting up .venv and compiling the core; this takes a minute or two ..."
	$(PIP) install "setuptools>=77" wheel "mypy[mypyc]>=2.4,<2.5"
	$(PIP) install --no-build-isolation --config-settings editable_mode=compat --editable ".[test]"
	@touch $@

.venv/checkers: .venv/installed
	$(PIP) install --no-build-isolation --config-settings editable_mode=compat --editable ".[dev]"
	@touch $@
