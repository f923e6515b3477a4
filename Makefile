# Everything runs in .venv, made here on first use; PYTHON names the Python that makes it (3.11 or later).
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
BENCHMARKS := derivation evaluation simulation drops grazing convergence startup hashseed

.PHONY: help demo test test-all lint bench docs clean

help:
	@echo 'make demo      drop the tumbling cube: a table of its impacts and a picture'
	@echo 'make test      the test suite without its slow tests'
	@echo 'make test-all  the whole test suite'
	@echo 'make lint      style and common mistakes'
	@echo 'make bench     the figures of benchmarks/README.md, in about ten minutes'
	@echo 'make docs      the manual, in docs/_build/html'
	@echo 'make clean     remove .venv and what was built'

demo: $(VENV)/with-test
	$(RUN) -m sympact demo tumbling_cube

test: $(VENV)/with-test
	$(RUN) -m pytest -n auto -m 'not slow'

test-all: $(VENV)/with-test
	$(RUN) -m pytest -n auto

lint: $(VENV)/with-test
	$(RUN) -m ruff check .

bench: $(VENV)/with-bench
	@for name in $(BENCHMARKS); do echo "== benchmarks/$$name.py"; $(RUN) benchmarks/$$name.py || exit 1; done

docs: $(VENV)/with-docs
	$(RUN) -m sphinx -W --keep-going -b html docs docs/_build/html

clean:
	rm -rf $(VENV) build dist docs/_build docs/pictures

# One stamp for each set of extras; a pyproject.toml that is newer has it installed again.
$(VENV)/with-%: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("sympact needs Python 3.11 or later, $(PYTHON) is %d.%d; use make PYTHON=..." % sys.version_info[:2] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --disable-pip-version-check --editable '.[$*]'
	@touch $@
