# Everything runs in .venv, made here on first use; PYTHON names the Python that makes it (3.11 or later).
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
BENCHMARKS := derivation evaluation simulation drops grazing convergence startup hashseed

# Tests that run every part of the loop and of the contact kernels as Python in minutes; all of them would take hours.
AS_PYTHON := $(addsuffix .py, $(addprefix tests/contact/test_contact_, transition closed closed_forms code participants \
	friction lcp) $(addprefix tests/hybrid/test_hybrid_, accumulation cfunc) $(addprefix tests/integrate/test_integrate_, \
	interpreted stiff endings first_step starts together) tests/mechanics/test_switches \
	$(addprefix tests/contact/friction/test_friction_, balls closed_forms painleve) \
	$(addprefix tests/contact/impacts/test_impact_, laws models resolutions)) \
	$(addprefix tests/contact/test_contact_cone.py::test_, least_squares_agree_with_the_pseudoinverse \
	a_symmetric_impact_has_symmetric_impulses a_sliding_contact_keeps_its_direction no_solution_is_never_an_answer \
	what_no_impulse_moves an_edge_at_the_boundary_of_stick_and_slip redundant_sticking_corners_share_the_load \
	what_is_rounding_needs_no_answer walls_that_close_in_have_no_impulses_however_large) \
	$(addprefix tests/contact/test_time_stepping.py::test_, a_sliding_block_stops_where_coulomb_says forces_along_a_slide) \
	$(addprefix tests/contact/test_rest_closed_forms.py::test_, a_plastic_ball_stays_where_it_falls \
	bounces_accumulate_where_the_series_says rod_leaves_the_wall_at_the_angle_and_time_of_the_energy_integral \
	rod_slides_away_at_a_constant_speed_and_falls_on_the_floor a_cube_dropped_flat_is_a_ball)

# Many processes of the tests import the package: its bytecode is kept, whatever the environment says.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: floors help demo test test-all durations fuzz mutants coverage lint types check bench peers docs wheel clean

help:
	@echo 'make demo      drop the tumbling cube: a table of its impacts and a picture'
	@echo 'make test      the test suite without its slow tests'
	@echo 'make test-all  the whole test suite'
	@echo 'make durations anew: the seconds of each test, by which make test shares them out'
	@echo 'make fuzz      random mechanisms, heaps that touch, combined features, against mechanics of their own: FAMILY= SEED=0 MODELS=1000 RUNS=10 MINUTES=60 JOBS= FOLDER='
	@echo 'make mutants   changes of tolerances and conditions that no test notices: ONLY= JOBS=1 SECONDS=60 NAMED='
	@echo 'make coverage  which lines of src the tests run, in about a quarter of an hour'
	@echo 'make floors    quick tests under the lowest and the newest versions of dependencies'
	@echo 'make lint      style and common mistakes'
	@echo 'make types     the types of all that is annotated, by mypy'
	@echo 'make check     lint, types and the manual with warnings as errors: what .ci/run does beside make test'
	@echo 'make bench     the figures of benchmarks/README.md, in about ten minutes'
	@echo 'make peers     sympact beside other engines from PyPI, each in an environment of its own: ONLY= PROBLEMS= LIMIT='
	@echo 'make docs      the manual, in docs/_build/html'
	@echo 'make wheel     a wheel with the machine code of the loop, in dist, tried in an environment without numba'
	@echo 'make clean     remove .venv and what was built'

# Without any extra, and without bytecode of modules that nothing imports: half of the time of an installation.
$(VENV)/with-demo: INSTALL := --no-compile
demo: $(VENV)/with-demo
	$(RUN) -m sympact demo tumbling_cube

# How tests are shared out: tests/distribution.py.
SHARED := -n auto --dist loadgroup --no-loadscope-reorder
# SymPy keeps 1,000 results of each of its functions otherwise, fewer than the expressions of one mechanism.
test test-all durations: export SYMPY_CACHE_SIZE := 20000
test: $(VENV)/with-test
	$(RUN) -m sympact compile
	$(RUN) -m pytest $(SHARED) -m 'not slow'

test-all: $(VENV)/with-test
	$(RUN) -m pytest $(SHARED)

# What tests take on a machine that does nothing else, for their distribution; to be committed.
durations: $(VENV)/with-test
	$(RUN) -m sympact compile
	$(RUN) -m pytest $(SHARED) -m 'not slow' --record-durations

# Other models and more of them than the fixed set of the tests; what fails becomes a script in FOLDER.
fuzz: export PYTHONPATH := tests
fuzz: $(VENV)/with-test
	$(RUN) -m sympact compile
	FAMILY='$(FAMILY)' SEED='$(SEED)' MODELS='$(MODELS)' RUNS='$(RUNS)' MINUTES='$(MINUTES)' JOBS='$(JOBS)' SMALL='$(SMALL)' FOLDER='$(FOLDER)' \
		$(RUN) -m fuzz.run

# Changes one number or condition at a time; what no test notices is listed at the end. NAMED=1: only the tests that
# tolerances name, in a few minutes.
JOBS ?= 1
SECONDS ?= 60
mutants: export PYTHONPATH := tests
mutants: $(VENV)/with-test
	$(RUN) tests/mutants.py --only '$(ONLY)' --jobs $(JOBS) --seconds $(SECONDS) $(if $(NAMED),--named)

# Twice, added up: as it runs, compiling everything anew; and with NUMBA_DISABLE_JIT, which leaves kernels as Python.
coverage: $(VENV)/with-test
	rm -rf .coverage $(VENV)/coverage-cache
	SYMPACT_CACHE_DIR=$(VENV)/coverage-cache $(RUN) -m pytest -n auto -m 'not slow' --cov --cov-fail-under=0 --cov-report=
	NUMBA_DISABLE_JIT=1 $(RUN) -m pytest -n auto -m 'not as_machine_code' --cov --cov-append --cov-fail-under=0 --cov-report= $(AS_PYTHON)
	$(RUN) -m coverage report

# Lowest and newest versions of all dependencies, with each Python of tests/floors.py that is found.
floors:
	$(PYTHON) tests/floors.py

lint: $(VENV)/with-test
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .

types: $(VENV)/with-test
	$(RUN) -m mypy

check: lint types docs

bench: export SYMPACT_ENGINE := compiled
bench: $(VENV)/with-bench
	@for name in $(BENCHMARKS); do echo "== benchmarks/$$name.py"; $(RUN) benchmarks/$$name.py || exit 1; done

# The tables and plots of the manual's page "How fast, and how right"; ONLY names scripts, PROBLEMS problems.
LIMIT ?= 300
peers: export SYMPACT_ENGINE := compiled
peers: $(VENV)/with-bench
	$(RUN) benchmarks/peers/compare.py --limit $(LIMIT) $(if $(ONLY),--only $(ONLY)) $(if $(PROBLEMS),--problems $(PROBLEMS))
	$(RUN) benchmarks/peers/report.py

docs: export SYMPACT_ENGINE := compiled
docs: $(VENV)/with-docs $(VENV)/with-test
	$(RUN) -m sphinx -W --keep-going -b html docs docs/_build/html
	$(RUN) -m pytest -q -n 2 --dist loadfile tests/house/test_built_manual.py tests/show/test_play_browser.py

# The machine code of all units for all targets goes into the wheel alone: a checkout compiles its own.
wheel: $(VENV)/with-test
	rm -rf build dist src/sympact/objects
	$(RUN) -m sympact compile --objects src/sympact/objects
	$(RUN) -m pip wheel --quiet --no-deps --wheel-dir dist .
	rm -rf build src/sympact/objects
	$(RUN) tests/wheel.py dist/*.whl

clean:
	rm -rf $(VENV) .venv-floors benchmarks/peers/.environments build dist docs/_build docs/examples docs/films docs/pictures

# One stamp for each set of extras; a pyproject.toml that is newer has it installed again.
$(VENV)/with-%: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("sympact needs Python 3.11 or later, $(PYTHON) is %d.%d; use make PYTHON=..." % sys.version_info[:2] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --disable-pip-version-check $(INSTALL) --editable '.[$*]'
	@touch $@
