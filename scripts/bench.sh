#!/usr/bin/env bash
# Runs every benchmark of the release build; arguments go to each.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
shopt -s nullglob
for benchmark in build/bench/*; do
  [ ! -f "$benchmark" ] || [ ! -x "$benchmark" ] || "$benchmark" "$@"
done
