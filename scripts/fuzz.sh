#!/usr/bin/env bash
# Runs the fuzz targets, several at once: scripts/fuzz.sh SECONDS JOBS [TARGET...]
# Inputs that a run finds stay in build-fuzz/corpus/<target>; an input that fails is kept in
# build-fuzz/findings. Prints one line per target, and closes with what passed and failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
seconds=$1 jobs=$2
shift 2
mkdir -p build-fuzz/findings build-fuzz/logs
shopt -s nullglob
if [ $# -eq 0 ]; then
  set -- build-fuzz/fuzz/*_fuzz
  set -- "${@##*/}"
fi
[ $# -gt 0 ] || { echo "fuzz.sh: no fuzz target in build-fuzz/fuzz" >&2; exit 1; }

run_target() {
  local target=$1 seconds=$2 log=build-fuzz/logs/$1.log
  local corpora=("build-fuzz/corpus/$target") seeds=fuzz/seeds/${target%_fuzz} status=0
  mkdir -p "${corpora[0]}"
  [ ! -d "$seeds" ] || corpora+=("$seeds")
  "build-fuzz/fuzz/$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
    -print_final_stats=1 -artifact_prefix="build-fuzz/findings/$target-" "${corpora[@]}" \
    >"$log" 2>&1 </dev/null || status=$?
  if [ "$status" -eq 0 ]; then
    echo "passed $target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs"
  else
    echo "failed $target (exit status $status), the end of its log:"
    tail -n 40 "$log"
  fi
}
export -f run_target

printf '%s\n' "$@" | xargs -P "$jobs" -I{} bash -c 'run_target "$1" "$2"' _ {} "$seconds" |
  tee build-fuzz/logs/summary.txt
failed=$(grep -c '^failed ' build-fuzz/logs/summary.txt || true)
echo "$(grep -c '^passed ' build-fuzz/logs/summary.txt || true) passed, $failed failed"
[ "$failed" -eq 0 ]
