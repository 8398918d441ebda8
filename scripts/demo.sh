#!/usr/bin/env bash
# Shows what nunatak does with a real Iceberg table that ships with the sources.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
table=tests/data/bookshop-orders

# Prints a command as the user would type it, and runs it.
show() {
  printf '\n$ nunatak'
  printf ' %q' "$@"
  printf '\n'
  build/nunatak "$@"
}

show tree "$table" --moved
show plan "$table" --moved --where 'order_id > 250'
show scan "$table" --moved --where 'order_id > 250' --limit 5
