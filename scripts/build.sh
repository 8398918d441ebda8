#!/usr/bin/env bash
# Configures a preset and builds a target: scripts/build.sh PRESET JOBS TARGET [CMake arguments]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=$1 jobs=$2 target=$3
shift 3
folder=build
[ "$preset" = release ] || folder=build-$preset
# Configuring says nothing new unless it fails or warns.
cmake --preset "$preset" --log-level=WARNING "$@" >/dev/null
cmake --build "$folder" -j "$jobs" --target "$target"
