PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: verify test figures bench lint stale clean

# The main job: every claim in the full tier, the report, the figures.
verify: $(READY)
	$(BIN)/paper-checks verify --tier full --record
	$(BIN)/paper-checks report
	$(BIN)/paper-checks figures

# Quick tier: machinery, formulas, every claim at resolution 1e-2.
test: $(READY)
	$(BIN)/python -m pytest --numprocesses auto --dist loadscope

figures: $(READY)
	$(BIN)/paper-checks figures

bench: $(READY)
	$(BIN)/python -m benchmarks

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

# Fails when paper_checks.md is not what the current sources and recorded verdicts give.
stale: $(READY)
	$(BIN)/paper-checks report --check

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[test]'
	touch $(READY)

clean:
	rm -rf .venv .paper_checks build *.egg-info
