#!/usr/bin/env bash
# Runs the tests of a build folder, then the conformance run, and ends with `N passed, N failed`.
#
# usage: scripts/test.sh BUILD [all|core]
#   core   the light core's tests alone, without the conformance run
#
# The conformance run covers tests/data, and the corpus when NUNATAK_CORPUS (or ../shared/corpus)
# is there.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$1
rooms=${2:-all}
results=$build/test-results

rm -rf "$results"
mkdir -p "$results"
selection=()
[ "$rooms" = all ] || selection=(-L "$rooms")
if [ -z "${NUNATAK_CORPUS:-}" ] && [ -d ../shared/corpus ]; then
  NUNATAK_CORPUS=$(cd ../shared/corpus && pwd)
fi
export NUNATAK_CORPUS=${NUNATAK_CORPUS:-}
# The Arrow libraries of the wheel are not instrumented.
export ARROW_DEFAULT_MEMORY_POOL=system
export ASAN_OPTIONS=detect_container_overflow=0:${ASAN_OPTIONS:-}
export UBSAN_OPTIONS=print_stacktrace=1:${UBSAN_OPTIONS:-}
export TSAN_OPTIONS=suppressions=$PWD/tests/tsan_suppressions.txt:${TSAN_OPTIONS:-}

ctest --test-dir "$build" -j "$(nproc)" --output-on-failure --no-tests=error "${selection[@]}" \
  --output-junit "$PWD/$results/ctest.xml"
status=$?

conformance=none
if [ "$rooms" = all ] && [ "$build" = build ]; then
  arguments=()
  [ -z "$NUNATAK_CORPUS" ] || arguments=(--corpus "$NUNATAK_CORPUS")
  python3 tests/conformance/run.py "${arguments[@]}" | tee "$results/conformance.txt"
  conformance=${PIPESTATUS[0]}
fi
python3 scripts/test_summary.py "$results" --conformance "$conformance" || status=1
exit "$status"
