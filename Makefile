# The front door: `make` lists what there is. The work is done by CMake and scripts/.
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60
# More arguments for CMake's configure step, such as -DNUNATAK_WERROR=ON.
CMAKE_ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help setup build demo test format lint asan tsan fuzz bench clean

help:  ## list these targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

setup:
	@scripts/setup.sh

build: setup  ## build everything; leaves the command at build/nunatak
	@scripts/build.sh release $(JOBS) $(CMAKE_ARGS)

demo: build  ## open a real Iceberg table: its layers, a plan, its rows
	@scripts/demo.sh

test: build  ## run all tests, and the conformance run over the corpora at hand
	@scripts/test.sh build

format:  ## format the C++ sources
	@scripts/setup.sh --clang
	@scripts/format.sh

lint:  ## check the format, and run clang-tidy over the light core
	@scripts/setup.sh --clang
	@scripts/lint.sh $(JOBS)

asan: setup  ## run the tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@scripts/build.sh asan $(JOBS) $(CMAKE_ARGS)
	@scripts/test.sh build-asan

tsan: setup  ## run the tests under ThreadSanitizer
	@scripts/build.sh tsan $(JOBS) $(CMAKE_ARGS)
	@scripts/test.sh build-tsan

fuzz:  ## run each fuzz target for FUZZ_SECONDS (60)
	@scripts/setup.sh --clang
	@scripts/build.sh fuzz $(JOBS) $(CMAKE_ARGS)
	@scripts/fuzz.sh $(FUZZ_SECONDS) $(JOBS)

bench:  ## build and run the benchmarks
	@scripts/setup.sh --bench
	@scripts/build.sh release $(JOBS) -DNUNATAK_BENCH=ON $(CMAKE_ARGS)
	@scripts/bench.sh

clean:  ## remove the build folders
	rm -rf build build-debug build-asan build-tsan build-fuzz
