#!/usr/bin/env bash
# Runs ctest in a build folder, then (with the release build) the conformance run over tests/data
# and the corpus that NUNATAK_CORPUS or ../shared/corpus gives; ends with what passed and failed.
#
#   scripts/run_tests.sh BUILD_FOLDER JOBS
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
folder=$1 jobs=$2
results=$folder/test-results
rm -rf "$results"
mkdir -p "$results"

if [ -z "${NUNATAK_CORPUS:-}" ] && [ -d ../shared/corpus ]; then
  NUNATAK_CORPUS=$(cd ../shared/corpus && pwd)
  export NUNATAK_CORPUS
fi
status=0
ctest --test-dir "$folder" -j "$jobs" --output-on-failure --no-tests=error \
  --output-junit "$PWD/$results/ctest.xml" || status=1

runner=tests/conformance/run.py
if [ "$folder" = build ] && [ -e "$runner" ]; then
  python=.venv/bin/python
  [ -x "$python" ] || python=python3
  "$python" "$runner" --nunatak "$folder/nunatak" 2>&1 | tee "$results/conformance.txt"
  conformance=${PIPESTATUS[0]}
  echo "$conformance" >"$results/conformance.status"
  [ "$conformance" -eq 0 ] || status=1
fi

python3 scripts/count_tests.py "$results" || status=1
exit "$status"
