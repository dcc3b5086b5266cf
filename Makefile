# `make demo` and `make test` set up what they need; the rest is for working on workbench.
.DEFAULT_GOAL := help
PYTHONDONTWRITEBYTECODE ?= 1
JOBS ?= $(shell nproc)
WORKBENCH = .venv/bin/workbench
export PYTHON

.PHONY: help demo test lint types bench agreement images lock clean

help: ## what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

demo: ## the main job with the embedded model: five easy tasks, every language there is a toolchain for
	@scripts/setup.sh run
	@$(WORKBENCH) demo

test: ## all tests that this machine can run
	@scripts/setup.sh dev
	@.venv/bin/python -m pytest -q -n $(JOBS) -m "not docker and not model and not slow" $(ARGS)
	@.venv/bin/python -m pytest -q -m "docker or model or slow" $(ARGS)

lint: ## format, lint, import contracts
	@scripts/setup.sh dev
	.venv/bin/ruff format --check workbench languages tests
	.venv/bin/ruff check workbench languages tests
	.venv/bin/lint-imports

types: ## strict type check
	@scripts/setup.sh dev
	.venv/bin/pyright

bench: ## benchmarks: ratios measured in one run
	@scripts/setup.sh dev
	.venv/bin/python -m tests.bench

agreement: ## our verdicts compared with published ones, task by task (data: ARGS="--data DIR")
	@scripts/setup.sh dev
	@.venv/bin/python -m tests.agreement $(ARGS)

images: ## build the toolchain images
	@scripts/setup.sh run
	$(WORKBENCH) images build

lock: ## renew the locks (needs uv)
	uv pip compile pyproject.toml --universal --python-version 3.11 --extra local --extra humaneval --group build --generate-hashes --no-emit-index-url --no-annotate --no-header -q -o requirements/workbench.lock
	uv pip compile pyproject.toml --universal --python-version 3.11 --extra local --extra humaneval --group build --group dev --generate-hashes --no-emit-index-url --no-annotate --no-header -q -c requirements/workbench.lock -o requirements/dev.lock

clean: ## remove what was made here, sessions excepted
	rm -rf .venv dist build .pytest_cache .ruff_cache .hypothesis
