PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

# Modules are compiled once, not in each process of each test; that is half of the time to collect the tests.
unexport PYTHONDONTWRITEBYTECODE
# Of each operation SymPy remembers a thousand results; the claims of a paper come back to more.
export SYMPY_CACHE_SIZE ?= 30000

.PHONY: verify test acceptance replay fuzz figures docs site seeds bench lint stale clean

# The main job: every claim in the full tier, the report, the figures.
verify: $(READY)
	$(BIN)/paper-checks verify --tier full --record
	$(BIN)/paper-checks report
	$(BIN)/python docs/readme.py
	$(BIN)/paper-checks figures

PYTEST := $(BIN)/python -m pytest --numprocesses auto --dist loadscope --no-loadscope-reorder

# Quick tier: machinery, formulas, every claim at resolution 1e-2.
test: $(READY)
	$(PYTEST) -m "not slow"

# The product from outside: commands, pages, figures, examples, layers of frameworks, what is damaged or interrupted.
# And simulations of error rates, searches for large errors, every altered formula of the proofs.
acceptance: $(READY)
	$(PYTEST) -m slow

# Command lines and damaged files at random, 2,000 cases: no traceback, no hang, nothing of a user's lost.
fuzz: $(READY)
	@echo "2,000 cases: about a quarter of a minute"
	PAPER_CHECKS_FUZZ=400 $(BIN)/python -m pytest --quiet --numprocesses 0 tests/paper_checks/commands/test_damage.py

# One stored run of each setting, drawn anew, is simulated again and must be what is stored; about two hours.
replay: $(READY)
	$(BIN)/paper-checks train --replay

# All arrays are computed again; those that differ in nothing but rounding stay as they are. About five minutes.
figures: $(READY)
	$(BIN)/paper-checks figures --anew

# The documentation with a page for each claim, offline: docs/_build/html/index.html. About three minutes.
docs: $(READY)
	$(BIN)/python -m sphinx -b html -W --keep-going -q -j auto docs docs/_build/html
	@echo "docs/_build/html/index.html"

site: docs

# Every claim in the quick tier at N seeds that nobody has looked at.
N ?= 20
seeds: $(READY)
	$(BIN)/paper-checks seeds --count $(N)

bench: $(READY)
	$(BIN)/python -m benchmarks

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo --cache-dir .paper_checks/imports
	$(BIN)/mypy --cache-dir .paper_checks/types

# Fails when paper_checks.md is not what the saved verdicts give.
stale: $(READY)
	$(BIN)/paper-checks report --check

# Without compiling, pip takes half of the time. Python compiles the modules that it imports.
$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --no-compile --constraint constraints.txt --editable '.[test]'
	-$(BIN)/paper-checks list > /dev/null
	$(BIN)/python -m compileall -qq theory montecarlo paper_checks figures
	touch $(READY)

clean:
	rm -rf .venv .paper_checks build docs/_build docs/results *.egg-info
