# `make demo` and `make test` set up everything they need in .venv.
PYTHON ?= python3
BIN := .venv/bin
# Run a command as if the environment were activated. CYTHON tells Meson where Cython is, so that an
# import outside the environment finds it, too.
ACTIVE := PATH="$(CURDIR)/$(BIN):$$PATH" CYTHON="$(CURDIR)/$(BIN)/cython"
PIP := $(ACTIVE) $(BIN)/python -m pip --quiet --disable-pip-version-check
SITE_PACKAGES := import sys; print(*(p for p in sys.path if p.endswith('site-packages')), sep='\n')
PROJECT := import tomllib; about = tomllib.load(open('pyproject.toml', 'rb'))
BUILD_REQUIRES := $(PROJECT); print(*about['build-system']['requires'], sep='\n')
# The dependencies of the package and of some extras. pip installs them apart from the package:
# dependencies that come as source are built in isolation, the package is not.
REQUIRES = $(PROJECT)['project']; print(*about['dependencies'], *(line for extra in '$(1)'.split() \
	for line in about['optional-dependencies'][extra] if 'linkoracle[' not in line), sep='\n')

# Run tests in one process more than there are processors, since some tests wait, but in at most
# four. A process without tests takes half of those that another has left. At the end stand the
# slowest files, by processor time.
PROCESSES = $(shell $(PYTHON) -c "import os; print(min(os.cpu_count(), 3) + 1)")
PYTEST = $(BIN)/pytest -q -n $(PROCESSES) --dist worksteal --slowest=10
# Keep compiled Python files, whatever the environment says. Without them, each process would
# compile all tests again.
export PYTHONDONTWRITEBYTECODE :=

requires = $(BIN)/python -c "$(1)" > .venv/requires.txt && $(PIP) install -r .venv/requires.txt

.PHONY: bench-gate compiled coverage demo durations test test-quick test-explore test-heavy test-lengthy test-page test-site test-site-page test-site-soak test-pzpr test-sanitize test-soak test-studio test-studio-looks site site-parts studio docs dist lint format clean verified

demo: .venv/installed
	$(BIN)/count-solutions instances/*.txt
	$(BIN)/count-solutions --show instances/slitherlink-10x10.txt instances/numberlink-8x8.txt

test: compiled
	$(PYTEST)

# For the edit loop: all but the files that take seconds by themselves (tests/durations.txt).
test-quick: compiled
	$(PYTEST) --quick

# Measure the files again, when tests were added or have become slow.
durations: compiled
	$(PYTEST) --write-durations

# Show which lines of Python `make test` runs, in build/coverage/index.html.
coverage: .venv/installed-coverage
	COVERAGE_FILE=build/.coverage $(PYTEST) \
	    --cov=linkoracle --cov-report=term:skip-covered \
	    --cov-report=html:build/coverage

# Run the property tests on new examples each time; `make test` always takes the same.
test-explore: compiled
	$(PYTEST) --hypothesis-profile=explore

# Run the tests that take minutes.
test-heavy: compiled
	$(PYTEST) -m "heavy and not lengthy and not browser"

# Run the rest of the long series of random cases and of published puzzles: hours.
test-lengthy: compiled
	$(PYTEST) -m "lengthy and not browser"

# Open the URLs that we write in the pzpr package. Needs Node.js and npm.
test-pzpr: .venv/installed-test node_modules/pzpr
	$(BIN)/pytest -q -m node

# Compile the proofs of the checker, check them again, and build it (verified/README.md). Needs Coq
# and OCaml: on Debian coq, ocaml-nox, libcoq-stdlib and, for JavaScript, js-of-ocaml.
verified:
	$(MAKE) -C verified

# Open the editor in the browser: `linkoracle studio`.
studio: .venv/installed
	$(BIN)/linkoracle studio

# Test the page in Chromium, such as Debian's package chromium. With npm, axe-core also checks its
# accessibility.
test-studio: .venv/installed-browser
	if command -v npm > /dev/null; then $(MAKE) node_modules/axe-core; fi
	$(BIN)/pytest -q -m "browser and not heavy" tests/studio

# The quickest of these tests, for .ci/run.
test-page: .venv/installed-browser
	$(BIN)/pytest -q -m "browser and not heavy" tests/studio/test_page.py tests/studio/test_page_play.py

# All of these tests at the width of a phone and of a desktop, light and dark.
test-studio-looks: .venv/installed-browser
	STUDIO_LOOKS="360-light 360-dark 1280-light 1280-dark" \
	  $(BIN)/pytest -q -m "browser and not heavy" tests/studio

# Edit and play at random for half an hour, or for STUDIO_MINUTES minutes.
test-soak: .venv/installed-browser
	$(BIN)/pytest -q -s -m browser tests/studio/test_page_soak.py

# Build the studio without a server: static files for any web server, such as
# `python -m http.server -d build/site`. Pyodide (Python for the browser) comes by npm, and its
# PySAT by pip. A wheel of PySAT fits one version of Pyodide.
PYODIDE := 314.0.7
PYSAT := 1.9.dev24
PYSAT_WHEEL := build/wheels/python_sat-$(PYSAT)-cp314-cp314-pyemscripten_2026_0_wasm32.whl
site-parts: node_modules/pyodide $(PYSAT_WHEEL)
site: .venv/installed site-parts
	$(ACTIVE) $(BIN)/python scripts/build_site.py node_modules/pyodide $(PYSAT_WHEEL) build/site

$(PYSAT_WHEEL):
	$(PIP) download --no-deps --only-binary=:all: --platform pyemscripten_2026_0_wasm32 \
	    --python-version 3.14 --dest $(@D) python-sat==$(PYSAT)

# One test of the site, for .ci/run.
test-site-page: .venv/installed-browser site
	$(BIN)/pytest -q -m "browser and not heavy" tests/site -k a_board_is_answered

# Edit and play at random in the site for half an hour, or for STUDIO_MINUTES minutes.
test-site-soak: .venv/installed-browser site
	$(BIN)/pytest -q -s -m browser tests/site/test_site_soak.py

# Test the site in a Chromium that can reach no other host.
test-site: .venv/installed-browser site
	$(BIN)/pytest -q -m "browser and not heavy" tests/site

# Build the documentation as a site, build/docs/index.html. A broken link is an error.
docs: .venv/installed-docs
	$(BIN)/sphinx-build -q -E -W --keep-going -d build/doctrees docs build/docs

# Test the kernels with the address and undefined behaviour sanitizers, and with every index
# checked: some minutes. The library of a sanitizer must be loaded before all others, and some
# programs fail then. So tests that kill and watch processes are left out, and one whose process
# gets too little memory.
SANITIZED := build/sanitize
test-sanitize: .venv/installed-test
	rm -rf $(SANITIZED)
	$(BIN)/python -m venv --without-pip $(SANITIZED)
	$(BIN)/python -c "$(SITE_PACKAGES)" > "$$($(SANITIZED)/bin/python -c "$(SITE_PACKAGES)")/all.pth"
	$(PIP) --python $(SANITIZED)/bin/python install --no-deps --no-build-isolation \
	    -Csetup-args=-Dbuildtype=debugoptimized -Csetup-args=-Db_sanitize=address,undefined \
	    -Csetup-args=-Db_lundef=false -Csetup-args=-Dc_args=-fno-sanitize-recover=all .
	LD_PRELOAD="$$($(CC) -print-file-name=libasan.so) $$($(CC) -print-file-name=libstdc++.so)" \
	    ASAN_OPTIONS=detect_leaks=0 $(SANITIZED)/bin/python -m pytest -q -n auto --maxprocesses 4 \
	    -m "not heavy" tests/frontier tests/search tests/deduce tests/census tests/zdd tests/engines \
	    tests/certificates tests/test_board.py tests/test_any_board.py tests/generate/test_colouring.py tests/generate/test_loop_repair.py \
	    tests/generate/test_evenness.py \
	    --ignore=tests/census/test_runs.py \
	    --deselect=tests/frontier/test_blank_scale.py::test_a_board_larger_than_the_memory

# Build the source distribution and the wheel in dist/; on Linux, one that other distributions can
# use, too. Check the metadata as an index does, and use the wheel in an environment with nothing
# else.
# .github/workflows/wheels.yml does the same for all versions of Python and all systems.
DIST := dist
CLEAN := build/clean
dist: .venv/installed-test
	rm -rf $(DIST)/*.whl $(DIST)/*.tar.gz $(CLEAN)
	$(ACTIVE) $(BIN)/python -m build --no-isolation --outdir $(DIST)
	if [ "$$(uname)" = Linux ]; then \
	    $(ACTIVE) $(BIN)/auditwheel repair --wheel-dir $(DIST) $(DIST)/*-linux_*.whl && \
	    rm $(DIST)/*-linux_*.whl; fi
	$(BIN)/twine check --strict $(DIST)/*
	$(BIN)/python -m venv $(CLEAN)
	$(CLEAN)/bin/python -m pip --quiet --disable-pip-version-check install $(DIST)/*.whl
	$(CLEAN)/bin/python scripts/check_install.py

# Compare the processor time of common commands with that of a commit; fail if one takes 15 % more.
COMMIT := HEAD
bench-gate: .venv/installed-test
	$(ACTIVE) $(BIN)/python scripts/bench_gate.py $(COMMIT)

lint: .venv/installed-test
	$(BIN)/ruff format --check src tests scripts docs/conf.py
	$(BIN)/ruff check src tests scripts docs/conf.py
	$(BIN)/python scripts/stubs.py
	$(BIN)/mypy

format: .venv/installed-test
	$(BIN)/ruff format src tests scripts docs/conf.py
	$(BIN)/ruff check --fix src tests scripts docs/conf.py

clean:
	rm -rf .venv node_modules build dist

.venv/bin/python:
	$(PYTHON) -m venv .venv

# An editable installation is built in the environment itself. An import builds it again if a kernel
# has changed, so the build tools stay installed.
.venv/installed-build: .venv/bin/python pyproject.toml
	$(call requires,$(BUILD_REQUIRES))
	touch $@

# With the extras that the README shows: the studio and booklets.
.venv/installed: .venv/installed-build
	$(call requires,$(call REQUIRES,pictures studio))
	$(PIP) install --no-build-isolation --no-deps -e .
	touch $@

# For changes and tests: a warning of the C compiler is an error.
.venv/installed-test: .venv/installed-build
	$(call requires,$(call REQUIRES,test dataset dist gym notebook pictures studio))
	$(PIP) install --no-build-isolation --no-deps -Csetup-args=-Dwerror=true -e .
	$(BIN)/python scripts/stubs.py
	touch .venv/installed $@

# Compile the Python files, so that programs in tests start in half the time. Importing an editable
# installation reads compiled files, but writes none.
compiled: .venv/installed-test
	$(BIN)/python -m compileall -q src/linkoracle

.venv/installed-browser: .venv/installed-test
	$(call requires,$(call REQUIRES,browser))
	touch $@

.venv/installed-coverage: .venv/installed-test
	$(call requires,$(call REQUIRES,coverage))
	touch $@

.venv/installed-docs: .venv/installed
	$(call requires,$(call REQUIRES,docs))
	touch $@

# In one command, since npm removes packages that the command does not name.
node_modules/pzpr node_modules/axe-core node_modules/pyodide &:
	npm install --no-save --no-package-lock --no-audit --no-fund --ignore-scripts \
	    pzpr@0.10.1 axe-core@4.11 pyodide@$(PYODIDE)
