# Every target sets itself up in .venv first and touches nothing outside this folder.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip --disable-pip-version-check --quiet
# Two workers more than processors, because some tests wait.
PYTEST := $(BIN)/python -m pytest -n $(shell expr $$(getconf _NPROCESSORS_ONLN) + 2) --dist worksteal
SOURCES := pyproject.toml tools/build.py $(wildcard tools/mypyc_patches/*.py) engines/version.py $(shell find core -name '*.py')
# The compiler of the core is mypyc; without build isolation a rebuild takes seconds, not a download.
SET_UP := $(PIP) install --no-build-isolation --config-settings editable_mode=compat --editable

# The C compiler that `make install` was given (CC=clang make install) is that of later commands, too.
ifeq ($(origin CC),default)
-include .venv/cc.mk
endif

COMPILER := $(PIP) install "setuptools>=77" "mypy[mypyc]>=2.4,<2.5"

.PHONY: serve install test slow check checked bench wheel slim clean

serve: install  ## run the server
	$(BIN)/galapagos serve --home .galapagos

install: .venv/serving  ## make .venv with galapagos, galapagos-chess and galapagos-mars

test: .venv/testing  ## the default tests, a few minutes
	$(PYTEST)

slow: .venv/testing  ## the long tests too: perft to 100 M nodes a position
	$(PYTEST) -m "not soak" --hypothesis-profile=thorough

check: .venv/checkers  ## tests, style, types and the rules of import
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(PYTEST)

checked: .venv/testing  ## the core without patches and with sanitizers: its tests, and its signatures
	@$(COMPILER)
	$(BIN)/python tools/checked.py

bench: .venv/checkers  ## speed, with a functional signature, beside its peers
	$(BIN)/galapagos bench

wheel: .venv/compiler  ## a wheel in dist/, for machines without a compiler
	rm -rf build/lib*  # what is no module any more would go along
	$(PIP) wheel --no-deps --no-build-isolation --wheel-dir dist .

# The next change of a source installs the compiler again, and compiles everything.
slim: install  ## remove what only compiles: the compiler of the core, and all of build/ but the note of what is built
	$(PIP) uninstall --yes mypy ast-serialize pathspec setuptools
	find build -mindepth 1 -maxdepth 1 -not -name built.txt -exec rm -rf {} +
	rm -f .venv/checkers

clean:  ## back to a fresh clone
	rm -rf .venv build dist *.egg-info *.so
	find . -name '*.so' -delete
	find . -name __pycache__ -exec rm -rf {} +

# Each step is done once, and again when what it is made of has changed; then only the games that have are compiled.
.venv/compiler:
	@command -v $(PYTHON) >/dev/null || { echo "Galapagos needs Python 3.11 or later, and there is no $(PYTHON)."; exit 1; }
	@$(PYTHON) tools/prerequisites.py
	@echo "Setting up .venv, which takes a minute: a compiler for the core ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(COMPILER)
	@touch $@

.venv/serving: .venv/compiler $(SOURCES)
	@$(COMPILER)  # which `make slim` removes
	@$(if $(filter environment command,$(firstword $(origin CC))),echo 'export CC := $(CC)' > .venv/cc.mk,true)
	@$(BIN)/python tools/build.py  # here, because pip would not show how far it is
	@echo "Installing the commands in $(BIN) ..."
	@$(SET_UP) .
	@$(BIN)/python -m compileall -q core engines protocols tools  # else every engine's first start is slower
	@touch $@

.venv/testing: .venv/serving
	@echo "Installing what the tests need ..."
	@$(SET_UP) ".[test]"
	@touch $@

.venv/checkers: .venv/testing
	@echo "Installing what checks the code ..."
	@$(SET_UP) ".[dev]"
	@touch $@
