# The front door: `make` lists what there is. The work is done by CMake and scripts/.
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
# ON turns warnings into errors.
WERROR ?= OFF
# core leaves everything beyond the light core out of `make asan` and `make tsan`.
ROOMS ?= all
core_only = $(if $(filter core,$(ROOMS)),ON,OFF)
options = -DNUNATAK_WERROR=$(WERROR)

# How many random tables `make differential` reads, the first one's seed, and who writes them:
# construct, pyiceberg or both.
CASES ?= 1000
SEED ?= 0
WRITER ?= both

# Where bench-plan keeps generated tables, peers and measurements; which tables; UPDATE=1 writes the
# baseline of bench-check.
BENCH_WORK ?= .cache/bench
SIZE ?= S
UPDATE ?=
bench_folders = --programs build/bench/plan --work $(BENCH_WORK)
export BENCH_WORK

.DEFAULT_GOAL := help
.PHONY: help setup build install demo test differential format lint asan tsan fuzz bench bench-peers bench-plan bench-list \
	bench-delta bench-check clean

help:  ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

setup:
	@scripts/setup.sh

build: setup  ## build the command: build/nunatak
	@scripts/build.sh release $(JOBS) nunatak_command $(options)

install: setup  ## install the command and the library under PREFIX (/usr/local)
	@scripts/build.sh release $(JOBS) installed $(options)
	@cmake --install build --prefix "$(PREFIX)" >/dev/null
	@echo "Installed under $(PREFIX)"

demo: build  ## open a real Iceberg table: its layers, a plan, its rows
	@scripts/demo.sh

test: setup  ## build and run all tests, and the conformance run over the corpora at hand
	@scripts/build.sh release $(JOBS) all $(options)
	@scripts/test.sh build

differential: build  ## read CASES random tables (1000; from SEED on), and compare with a model
	@scripts/setup.sh --differential
	@.cache/differential/venv/bin/python tests/differential/run.py --cases $(CASES) --seed $(SEED) \
		--writer $(WRITER)

format:  ## format the C++ sources
	@scripts/setup.sh --tools
	@scripts/format.sh

lint:  ## check the format, and run clang-tidy over the light core
	@scripts/setup.sh --tools
	@scripts/lint.sh $(JOBS)

asan: setup  ## run the tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@scripts/build.sh asan $(JOBS) all $(options) -DNUNATAK_CORE_ONLY=$(core_only)
	@scripts/test.sh build-asan $(ROOMS)

tsan: setup  ## run the tests under ThreadSanitizer
	@scripts/build.sh tsan $(JOBS) all $(options) -DNUNATAK_CORE_ONLY=$(core_only)
	@scripts/test.sh build-tsan $(ROOMS)

fuzz:  ## run each fuzz target for FUZZ_SECONDS (60)
	@scripts/setup.sh --tools
	@scripts/build.sh fuzz $(JOBS) all $(options)
	@scripts/fuzz.sh $(FUZZ_SECONDS) $(JOBS)

bench:  ## build and run the benchmarks
	@scripts/setup.sh --bench
	@scripts/build.sh release $(JOBS) all -DNUNATAK_BENCH=ON $(options)
	@scripts/bench.sh

bench-peers:  ## install the planners that bench-plan compares with
	@scripts/setup.sh --peers

bench-plan: setup  ## plan generated tables (SIZE=S, M or L) with nunatak and its peers
	@scripts/build.sh release $(JOBS) plan_programs $(options)
	@python3 bench/plan/run.py $(bench_folders) --size $(SIZE)

bench-list: setup  ## plan the same files as a directory, as Delta and as Iceberg, here and over a simulated network
	@scripts/setup.sh --peers
	@scripts/build.sh release $(JOBS) list_case $(options)
	@python3 bench/list/run.py --program build/bench/list/list_case --work $(BENCH_WORK) \
		--python $(BENCH_WORK)/peers/python/bin/python

bench-delta: setup  ## plan a Delta table of 100,000 files with nunatak, deltalake and DuckDB
	@scripts/setup.sh --delta
	@scripts/build.sh release $(JOBS) list_case $(options)
	@.cache/delta/venv/bin/python bench/delta/run.py --work $(BENCH_WORK)

bench-check: setup  ## say where planning got slower than the committed baseline
	@scripts/build.sh release $(JOBS) plan_programs $(options)
	@python3 bench/plan/check.py $(bench_folders) $(if $(UPDATE),--update)

clean:  ## remove the build folders
	rm -rf build build-debug build-asan build-tsan build-fuzz
