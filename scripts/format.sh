#!/usr/bin/env bash
# Formats the C++ sources in place; with --check, only says which are not formatted, and fails.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/versions.env
source scripts/versions.env
mode=(-i)
[ "${1:-}" != --check ] || mode=(--dry-run -Werror)
git ls-files -co --exclude-standard -z '*.cc' '*.h' |
  xargs -0 -r -n 40 -P "$(nproc)" "clang-format-$CLANG_VERSION" "${mode[@]}"
