# Needs git, make and Python >= 3.11 (PYTHON=... names another). Everything else goes into .venv.
.DEFAULT_GOAL := help
.PHONY: help demo test lint format torture test-agents bench bench-peers bench-guard-peers bench-evidence bench-brief schema screens readme walkthrough constraints clean

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.made
WORKERS ?= auto
PYTEST := $(BIN)/pytest -n $(WORKERS) --dist worksteal

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | sort | awk -F'\t' '{printf "make %-12s %s\n", $$1, $$2}'

$(STAMP): pyproject.toml constraints.txt scripts/venv.sh
	@PYTHON="$(PYTHON)" sh scripts/venv.sh
	@touch $@

demo: $(STAMP) ## one whole handoff on a sample project, in a temporary folder
	@$(BIN)/python demo/run.py

test: $(STAMP) ## the tests (ARGS="..." goes to pytest)
	@sh scripts/system.sh
	$(PYTEST) -m "not agents and not torture" $(ARGS)

lint: $(STAMP) ## style, types, layers, house rules
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	@$(BIN)/pytest -q tests/test_house.py

format: $(STAMP) ## format the code and fix what can be fixed
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

torture: $(STAMP) ## long campaigns
	$(PYTEST) -m torture --timeout 3600 $(ARGS)

test-agents: $(STAMP) ## the real agents' clients, offline, with a scripted model (npm installs them into .clients)
	$(PYTEST) -m agents $(ARGS)

bench: $(STAMP) ## start-up, snapshot, pack and reading speed as ratios, against their budgets
	$(BIN)/python bench/run.py

bench-peers: $(STAMP) ## side by side with other tools (installs them into a temporary folder)
	$(BIN)/python bench/peers.py

bench-guard-peers: $(STAMP) ## the guard beside other guards (installs them likewise)
	$(BIN)/python bench/guard_peers.py

bench-evidence: $(STAMP) ## a check's overhead and the freshness question beside other tools (installs them likewise)
	$(BIN)/python bench/evidence.py

bench-brief: $(STAMP) ## tokens of a session, of its brief and of what others hand over (needs node; installs likewise)
	$(BIN)/python bench/brief.py

schema: $(STAMP) ## write docs/schema/packet-v1.schema.json from the code
	$(BIN)/python scripts/schema.py

screens: $(STAMP) ## take the pictures of the pages in docs/screens (needs chromium)
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python scripts/screens.py

readme: $(STAMP) ## put the demo's output into README.md
	$(BIN)/python scripts/readme.py

walkthrough: $(STAMP) ## write docs/walkthrough.md: the first screen of one packet of each kind
	$(BIN)/python scripts/walkthrough.py

constraints: $(STAMP) ## pin the newest allowed versions in constraints.txt
	PYTHON="$(or $(PYTHON),$(BIN)/python)" sh scripts/constraints.sh

clean: ## remove .venv, .clients and caches
	rm -rf $(VENV) .clients .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
