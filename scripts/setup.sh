#!/usr/bin/env bash
# Installs what the build needs and this machine lacks: distribution packages (Debian and its
# relatives), and the pyarrow wheel in .venv where CMake would find no system Arrow. Says nothing
# and returns at once when everything is there.
#
#   scripts/setup.sh            for building and testing
#   scripts/setup.sh --tools    also clang: for format, lint and fuzz
#   scripts/setup.sh --browser  also Chromium, for tests of pages; they are skipped where it cannot be had
#   scripts/setup.sh --bench    also Google Benchmark
#   scripts/setup.sh --peers    also the planners that `make bench-plan` compares with, in
#                               $BENCH_WORK/peers (.cache/bench/peers): those in Python, and where
#                               mvn and cargo are there, Iceberg's in Java and in Rust
#   scripts/setup.sh --delta    also the deltalake package and DuckDB with its Delta extension, for
#                               `make bench-delta` and scripts/compare_delta.py, in .cache/delta/venv
#   scripts/setup.sh --differential   also PyIceberg, which writes tables for `make differential`, in
#                               .cache/differential/venv
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/versions.env
source scripts/versions.env

packages=(g++ make cmake ninja-build pkg-config git ccache mold python3 python3-venv
  libfmt-dev libsimdjson-dev nlohmann-json3-dev libroaring-dev libdeflate-dev libzstd-dev
  libsnappy-dev libcli11-dev libgtest-dev)
browser=
peers=
differential=
delta=
for flag in "$@"; do
  case "$flag" in
    --tools)
      packages+=("clang-$CLANG_VERSION" "clang-format-$CLANG_VERSION" "clang-tidy-$CLANG_VERSION"
        "llvm-$CLANG_VERSION" "libclang-rt-$CLANG_VERSION-dev") ;;
    --browser) browser=yes ;;
    --bench) packages+=(libbenchmark-dev) ;;
    --peers) peers=${BENCH_WORK:-.cache/bench}/peers ;;
    --differential) differential=.cache/differential/venv ;;
    --delta) delta=.cache/delta/venv ;;
    *)
      echo "setup.sh: unknown flag $flag (known: --tools, --browser, --bench, --peers, --differential, --delta)" >&2
      exit 2 ;;
  esac
done

# Prints those of the wanted packages that are not installed.
missing_packages() {
  comm -23 <(printf '%s\n' "${packages[@]}" | sort -u) \
    <(dpkg-query -W -f='${db:Status-Abbrev} ${Package}\n' "${packages[@]}" 2>/dev/null |
      sed -n 's/^ii  *//p' | sort -u)
}

# Runs a command quietly; shows what it printed when it fails.
quietly() {
  local log
  log=$(mktemp)
  if ! "$@" >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    rm -f "$log"
    echo "setup.sh: failed: $*" >&2
    exit 1
  fi
  rm -f "$log"
}

install_packages() {
  local missing sudo=()
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "setup.sh: no apt here; install the counterparts of: ${packages[*]}" >&2
    return
  fi
  mapfile -t missing < <(missing_packages)
  [ ${#missing[@]} -gt 0 ] || return 0
  [ "$(id -u)" -eq 0 ] || sudo=(sudo)
  echo "Installing ${missing[*]}" >&2
  quietly "${sudo[@]}" apt-get update
  quietly "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends "${missing[@]}"
}

# Not every distribution has it as a package.
install_browser() {
  local name
  for name in chromium chromium-browser google-chrome; do
    ! command -v "$name" >/dev/null || return 0
  done
  (packages=(chromium) && install_packages) || echo "No Chromium: tests of pages are skipped" >&2
}

has_system_arrow() {
  pkg-config --exists "arrow >= $ARROW_VERSION" "arrow < $((ARROW_VERSION + 1))" \
    arrow-compute parquet 2>/dev/null
}

install_wheel() {
  ! has_system_arrow || return 0
  # pip writes RECORD last, so an interrupted installation is repeated.
  ! compgen -G ".venv/lib/python3*/site-packages/pyarrow-$PYARROW_VERSION.dist-info/RECORD" \
    >/dev/null || return 0
  echo "Installing pyarrow $PYARROW_VERSION into .venv (Arrow's libraries and headers)" >&2
  quietly python3 -m venv --clear .venv
  quietly .venv/bin/python -m pip install --disable-pip-version-check --no-deps \
    "pyarrow==$PYARROW_VERSION"
}

install_python_peers() {
  echo "Installing PyIceberg, Polars and DuckDB into $peers/python" >&2
  quietly python3 -m venv --clear "$peers/python"
  quietly "$peers/python/bin/python" -m pip install --disable-pip-version-check \
    "pyarrow==$PYARROW_VERSION" "pyiceberg==$PYICEBERG_VERSION" "polars==$POLARS_VERSION" \
    "polars-iceberg==$POLARS_ICEBERG_VERSION" "duckdb==$DUCKDB_VERSION" \
    "duckdb-extension-avro==$DUCKDB_VERSION" "duckdb-extension-iceberg==$DUCKDB_VERSION" \
    "sqlalchemy" "deltalake==$DELTALAKE_VERSION"
}

build_java_peer() {
  if ! command -v mvn >/dev/null; then
    echo "No mvn: not compared with Iceberg's Java library" >&2
    return
  fi
  echo "Building $peers/java" >&2
  cp -r bench/plan/java "$peers/"
  quietly mvn -q -B -f "$peers/java/pom.xml" "-Diceberg.version=$ICEBERG_JAVA_VERSION" \
    "-Dhadoop.version=$HADOOP_VERSION" dependency:copy-dependencies -DoutputDirectory=lib compile
}

build_rust_peer() {
  if ! command -v cargo >/dev/null; then
    echo "No cargo: not compared with iceberg-rust" >&2
    return
  fi
  echo "Building $peers/rust (minutes)" >&2
  cp -r bench/plan/rust "$peers/"
  sed "s/@ICEBERG_RUST_VERSION@/$ICEBERG_RUST_VERSION/" bench/plan/rust/Cargo.toml.in \
    >"$peers/rust/Cargo.toml"
  quietly cargo build --release --manifest-path "$peers/rust/Cargo.toml"
}

# What was installed with the same versions, from the same sources, is kept.
install_peers() {
  local wanted
  wanted=$(cat scripts/versions.env bench/plan/java/pom.xml bench/plan/java/src/main/java/* \
    bench/plan/rust/Cargo.toml.in bench/plan/rust/src/* | sha256sum)
  [ "$(cat "$peers/installed" 2>/dev/null)" != "$wanted" ] || return 0
  mkdir -p "$peers"
  install_python_peers
  build_java_peer
  build_rust_peer
  echo "$wanted" >"$peers/installed"
}

install_differential() {
  local wanted="$PYARROW_VERSION $PYICEBERG_VERSION"
  [ "$(cat "$differential/installed" 2>/dev/null)" != "$wanted" ] || return 0
  echo "Installing PyIceberg into $differential" >&2
  quietly python3 -m venv --clear "$differential"
  quietly "$differential/bin/python" -m pip install --disable-pip-version-check \
    "pyarrow==$PYARROW_VERSION" "pyiceberg[sql-sqlite,pyiceberg-core]==$PYICEBERG_VERSION"
  echo "$wanted" >"$differential/installed"
}

install_delta() {
  local wanted="$PYARROW_VERSION $DELTALAKE_VERSION $DUCKDB_VERSION"
  [ "$(cat "$delta/installed" 2>/dev/null)" != "$wanted" ] || return 0
  echo "Installing deltalake and DuckDB into $delta" >&2
  quietly python3 -m venv --clear "$delta"
  quietly "$delta/bin/python" -m pip install --disable-pip-version-check \
    "pyarrow==$PYARROW_VERSION" "deltalake==$DELTALAKE_VERSION" "duckdb==$DUCKDB_VERSION" \
    "duckdb-extension-delta==$DUCKDB_VERSION"
  echo "$wanted" >"$delta/installed"
}

install_packages
[ -z "$browser" ] || install_browser
install_wheel
[ -z "$peers" ] || install_peers
[ -z "$differential" ] || install_differential
[ -z "$delta" ] || install_delta
