# `make` alone lists what can be done. All it needs is make and Python 3.11 or newer with venv.

# The first of these that is new enough makes .venv; `make PYTHON=/path/to/python3.12 venv` chooses.
PYTHON = python3.11 python3.12 python3.13 python3.14 python3 python

BIN = .venv/bin
# Into which environment. pip reads what a company sets for it; uv takes a tenth of the time, for it compiles nothing.
INSTALLER ?= pip
PIP = $(1)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps
UV = $(BIN)/uv pip install --quiet --system-certs --no-deps --python $(1)/bin/python
install = $(if $(filter uv,$(INSTALLER)),$(UV),$(PIP))
LOCK = $(BIN)/uv pip compile --quiet --system-certs --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-header $(UPGRADE) pyproject.toml
# Afresh each time, for pages are made from code whose changes Sphinx does not see.
SPHINX = $(BIN)/sphinx-build --quiet --fresh-env --fail-on-warning

.PHONY: help venv demo play test pytest style types contracts book wheel soak screens bench oracles licence-table promises figures words docs lock
.DELETE_ON_ERROR:

help:
	@echo 'make demo   what askpoint says of a real classifier, on real data: a minute, then a page to open'
	@echo 'make play   a live campaign and a classifier in use, with what happens to it, in your browser'
	@echo 'make test   style, types, contracts, documentation and all tests'
	@echo 'make venv   only the set-up for development, in .venv'
	@echo 'make docs   the documentation, in docs/_build/html'
	@echo 'make bench  one table of speed beside the peers, measured on this machine, and kept in bench.json'
	@echo 'make oracles what other programs say of the same questions, and who is right: docs/evidence/oracles.md'
	@echo 'make licence-table who licenses a bad agent, by which rule: docs/evidence/licence-table.md'
	@echo 'make promises whether a limit on mistakes is kept, by which rule: docs/evidence/promises.md'
	@echo 'make figures which measured figure is older than the code that it measures'
	@echo 'make words   how many words the documentation has, and which page how many'
	@echo 'make studies the other figures of the documentation, each by its own script: hours'
	@echo 'make wheel  the package, built, checked, and run from an empty environment'
	@echo 'make soak   the long runs: races, kills, load'
	@echo 'make screens every page of every role, on a desk and a phone, light and dark: screens/index.html'
	@echo 'make lock   locks/*.txt from pyproject.toml; UPGRADE=--upgrade takes the newest of all'

venv: .venv/dev
	@echo 'Ready: . .venv/bin/activate'

demo: .venv/base
	@$(BIN)/askpoint demo

# The opponent lives in an environment of its own: it pins scikit-learn exactly.
play: .venv/server .venv/play/ready
	@$(BIN)/askpoint serve --demo --folder askpoint-play --model-python .venv/play/bin/python

# Containers often forbid Python to keep what it compiled: then each process that a test starts compiles the package
# anew (value on a small log: 8.7 s of processor in place of 3.3), and each worker rewrites all tests.
# COVER=1 runs besides what is marked whole, and watches which lines of the pure rooms are reached, as .ci/run does.
test: .venv/dev
	@$(MAKE) --no-print-directory --jobs --output-sync=target style contracts
	@$(MAKE) --no-print-directory --jobs types book pytest

# Types and documentation are checked beside the tests: a core that waits for a browser or a server has time for them.
pytest: .venv/dev
	@echo 'Tests, on all cores; the examples of a page run in order ...'
	@PYTHONDONTWRITEBYTECODE= OMP_NUM_THREADS=1 $(COVER:%=ASKPOINT_WHOLE=1) $(BIN)/pytest -n auto --dist loadfile --no-loadscope-reorder $(COVER:%=--cov --cov-report=)
	@if [ -n '$(COVER)' ]; then \
		echo 'Coverage of the pure rooms: each line and branch that is listed wants a test ...'; \
		$(BIN)/coverage report --precision=1 --fail-under=99.9; \
	fi

style types contracts book: .venv/dev

style:
	@echo 'Style ...'
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet .

types:
	@echo 'Types ...'
	@$(BIN)/mypy

contracts:
	@echo 'Contracts between the rooms ...'
	@$(BIN)/lint-imports --no-logo

book:
	@echo 'Documentation ...'
	@$(SPHINX) docs docs/_build/html

soak: .venv/dev
	@echo 'Long runs ...'
	@$(BIN)/pytest -m soak

# PAGES='home incident' draws these alone.
screens: .venv/dev
	@echo 'Every page of every role, in four looks: minutes; needs chromium ...'
	@ASKPOINT_SCREENS=screens ASKPOINT_SCREENS_OF="$(PAGES)" $(BIN)/pytest -q -n 0 tests/server/test_screens.py
	@echo 'Open screens/index.html'

# What the index and an empty environment say of the package; part of .ci/run.
wheel: .venv/dev .venv/wheel/ready
	@bash .ci/wheel

# One table beside the peers, who live in an environment of their own; `make studies` makes all others.
bench: .venv/bench/ready
	@OMP_NUM_THREADS=1 .venv/bench/bin/python benchmarks/table.py run bench.json
	@echo 'Share of the gap that each rule closes, by shape of log (benchmarks/bench_shapes.py says what that is) ...'
	@OMP_NUM_THREADS=1 .venv/bench/bin/python benchmarks/bench_shapes.py --rivals --logs 3
	@echo 'Ladders beside a router and a fixed chain; bargain where it is installed, from benchmarks/bench_whole_output.py ...'
	@OMP_NUM_THREADS=1 .venv/bench/bin/python benchmarks/bench_ladder.py 1 1000 german satimage
	@OMP_NUM_THREADS=1 .venv/bench/bin/python benchmarks/bench_whole_output.py recall 20

# Whom we can be checked against; what is missing (data, Java) is said on the page.
oracles: .venv/oracles/ready
	@OMP_NUM_THREADS=1 .venv/oracles/bin/python benchmarks/oracles.py run benchmarks/oracles.json
	@.venv/oracles/bin/python benchmarks/oracles.py publish benchmarks/oracles.json docs/evidence/oracles.md

# Who licenses a bad agent: rules that projects use, beside ours; then what happens after the grant.
licence-table: .venv/base
	@$(BIN)/python benchmarks/bench_licences.py --write docs/evidence/licence-table.md
	@$(BIN)/python benchmarks/bench_licence_lives.py --write docs/evidence/licence-table.md
	@$(BIN)/python benchmarks/bench_licence_readers.py --write docs/evidence/licence-table.md

# The ledger of promises: the rules that people use beside ours, on the same logs, under the same adversaries; licences and drift,
# too. `--only licences drift` behind the page makes these alone again.
promises: .venv/promises/ready
	@OMP_NUM_THREADS=1 .venv/promises/bin/python benchmarks/bench_promises.py --write docs/evidence/promises.md

figures: .venv/dev
	@$(BIN)/python docs/_ext/figures.py

words: .venv/dev
	@$(BIN)/python docs/_ext/count_words.py

studies: .venv/dev
	@for bench in benchmarks/bench_*.py; do echo "$$bench"; $(BIN)/python "$$bench" || exit 1; done

docs: .venv/dev
	@echo 'Documentation ...'
	@$(SPHINX) docs docs/_build/html
	@echo 'Open docs/_build/html/index.html'

lock: .venv/dev
	@echo 'Locking what pyproject.toml asks for ...'
	@$(LOCK) --group build --extra plots --extra sheets -o locks/base.txt
	@$(LOCK) --group build --extra server -c locks/base.txt -o locks/server.txt
	@$(LOCK) --group build --group test --group docs --group lock --extra server \
		--extra pages --extra receipts -c locks/base.txt \
		-o locks/dev.txt
	@$(LOCK) --group services --extra archive --extra spark --extra weka -c locks/dev.txt -o locks/spark.txt
	@$(subst pyproject.toml,,$(LOCK)) --group lock -c locks/dev.txt -o locks/uv.txt
	@$(subst pyproject.toml,,$(LOCK)) --group play -o locks/play.txt
	@$(subst pyproject.toml,,$(LOCK)) --group wheel -o locks/wheel.txt
	@$(subst pyproject.toml,,$(LOCK)) --group objects -o locks/objects.txt
	@$(LOCK) --group build --group agents -o locks/agents.txt
	@$(LOCK) --group build --group bench -c locks/spark.txt -o locks/bench.txt
	@$(LOCK) --group build --group promises -o locks/promises.txt
	@$(LOCK) --group build --group oracles --extra weka -c locks/spark.txt -o locks/oracles.txt

# The stamps: a lock is installed once, and again when it or pyproject.toml changes. A lock is whole, so nothing is
# resolved (--no-deps): otherwise pip looks at the newest coverage[toml] before the one that the lock names, and stops.
.venv/base: locks/base.txt pyproject.toml | $(BIN)/$(INSTALLER)
	@echo 'Installing what askpoint needs into .venv, hashes checked (120 MB once, about half a minute) ...'
	@$(call install,.venv) --require-hashes -r locks/base.txt
	@$(call install,.venv) --no-build-isolation -e .
	@touch $@

.venv/server: locks/server.txt pyproject.toml | $(BIN)/$(INSTALLER)
	@echo 'Installing askpoint and its server into .venv, hashes checked ...'
	@$(call install,.venv) --require-hashes -r locks/server.txt
	@$(call install,.venv) --no-build-isolation -e .
	@touch .venv/base $@

.venv/play/ready: locks/play.txt | $(BIN)/$(INSTALLER)
	@echo 'Installing the opponent into .venv/play, hashes checked ...'
	@$(BIN)/python -m venv .venv/play
	@$(call install,.venv/play) --require-hashes -r locks/play.txt
	@touch $@

.venv/wheel/ready: locks/wheel.txt | $(BIN)/$(INSTALLER)
	@echo 'Installing what checks a package into .venv/wheel, hashes checked ...'
	@$(BIN)/python -m venv .venv/wheel
	@$(call install,.venv/wheel) --require-hashes -r locks/wheel.txt
	@touch $@

.venv/bench/ready: locks/bench.txt pyproject.toml | $(BIN)/$(INSTALLER)
	@echo 'Installing askpoint and its peers into .venv/bench, hashes checked (600 MB once) ...'
	@$(BIN)/python -m venv .venv/bench
	@$(call install,.venv/bench) --require-hashes -r locks/bench.txt
	@$(call install,.venv/bench) --no-build-isolation -e .
	@touch $@

# GLIDE asks for Python 3.12 and the newest SciPy, and runs on ours.
.venv/promises/ready: locks/promises.txt locks/glide.txt pyproject.toml | $(BIN)/$(INSTALLER)
	@echo 'Installing askpoint and those whose promises it is compared with into .venv/promises, hashes checked (2.6 GB once) ...'
	@$(BIN)/python -m venv .venv/promises
	@$(call install,.venv/promises) --require-hashes -r locks/promises.txt
	@$(call PIP,.venv/promises) --ignore-requires-python --require-hashes -r locks/glide.txt
	@$(call install,.venv/promises) --no-build-isolation -e .
	@touch $@

.venv/oracles/ready: locks/oracles.txt pyproject.toml | $(BIN)/$(INSTALLER)
	@echo 'Installing askpoint and its oracles into .venv/oracles, hashes checked (600 MB once) ...'
	@$(BIN)/python -m venv .venv/oracles
	@$(call install,.venv/oracles) --require-hashes -r locks/oracles.txt
	@$(call install,.venv/oracles) --no-build-isolation -e .
	@touch $@

.venv/dev: locks/dev.txt pyproject.toml | $(BIN)/$(INSTALLER)
	@echo 'Installing askpoint and its tools into .venv, hashes checked (300 MB once, about a minute) ...'
	@$(call install,.venv) --require-hashes -r locks/dev.txt
	@$(call install,.venv) --no-build-isolation -e .
	@$(BIN)/python -m pip check --quiet
	@touch .venv/base .venv/server $@

# Only for .ci/run: the tests of the extras [archive], [spark] and [weka], and of examples with strangers' services.
.venv/spark: locks/spark.txt | .venv/dev
	@echo 'Installing PySpark and Weka into .venv, hashes checked (470 MB once) ...'
	@$(call install,.venv) --require-hashes -r locks/spark.txt
	@touch $@

# Only for .ci/run: a store of objects, for the tests of the extra [archive].
.venv/objects/ready: locks/objects.txt | $(BIN)/$(INSTALLER)
	@echo 'Installing a store of objects into .venv/objects, hashes checked ...'
	@$(BIN)/python -m venv .venv/objects
	@$(call install,.venv/objects) --require-hashes -r locks/objects.txt
	@touch $@

# Only for .ci/run: the frameworks of agents, for the programs of docs/how-to/agent-loops.md.
.venv/agents/ready: locks/agents.txt pyproject.toml | $(BIN)/$(INSTALLER)
	@echo 'Installing the frameworks of agents into .venv/agents, hashes checked ...'
	@$(BIN)/python -m venv .venv/agents
	@$(call install,.venv/agents) --require-hashes -r locks/agents.txt
	@$(call install,.venv/agents) --no-build-isolation -e .
	@touch $@

$(BIN)/pip: | $(BIN)/python

$(BIN)/uv: locks/uv.txt | $(BIN)/python
	@$(call PIP,.venv) --require-hashes -r locks/uv.txt
	@touch $@

$(BIN)/python:
	@for python in $(PYTHON); do \
		"$$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
			|| continue; \
		echo "Creating .venv with $$("$$python" --version) ..."; \
		exec "$$python" -m venv --clear .venv; \
	done; \
	echo 'askpoint needs Python 3.11 or newer with venv (on Debian: python3-venv); not found among:' >&2; \
	echo '  $(PYTHON)' >&2; \
	echo 'Say where it is: make PYTHON=/path/to/python3 ...' >&2; \
	exit 1
