#!/usr/bin/env bash
# Checks the format of all C++ sources, and runs clang-tidy over the light core.
#
#   scripts/lint.sh JOBS
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/versions.env
source scripts/versions.env
status=0
scripts/format.sh --check || status=1
# The fuzz preset compiles the core with clang, so its commands are clang's own.
cmake --preset fuzz --log-level=WARNING >/dev/null
log=build-fuzz/tidy.log
if ! "run-clang-tidy-$CLANG_VERSION" -quiet -j "$1" -p build-fuzz "$PWD/src/nunatak/.*" \
  >"$log" 2>&1; then
  grep -E 'warning:|error:' -A 4 "$log" >&2 || cat "$log" >&2
  status=1
fi
exit "$status"
