#!/usr/bin/env bash
# Shows what nunatak does with a real Iceberg table that ships with the sources: bookshop.orders after three appends
# of 100 rows and a copy-on-write delete (tests/data/README.md).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
table=tests/data/bookshop-orders
after_delete=$(echo "$table"/metadata/00004-*.metadata.json)

# Prints what comes next and the command as the user would type it, and runs it.
show() {
  local argument
  printf '\n# %s\n$ nunatak' "$1"
  shift
  for argument in "$@"; do
    [[ $argument = *[\ \']* ]] && printf ' "%s"' "$argument" || printf ' %s' "$argument"
  done
  printf '\n'
  build/nunatak "$@"
}

show "What is this table?" show "$after_delete" --moved
show "The pointer, and the four layers below it" tree "$after_delete" --moved
show "Which files a query reads: the bounds in the manifests decide" \
  plan "$after_delete" --moved --where "status = 'shipped'"
show "No file can match, and none is opened" plan "$after_delete" --moved --where 'order_id > 500'
show "Rows" scan "$after_delete" --moved --where 'order_id > 198 and amount < 32' \
  --select order_id,title,amount,status,ordered_at
show "The third snapshot still has what was deleted since" \
  count "$after_delete" --moved --snapshot "$(build/nunatak snapshots "$after_delete" --moved --format ndjson |
    sed -n '3s/.*"snapshot_id":\([0-9]*\).*/\1/p')"
show "Every commit adds four files" history "$after_delete" --moved --files
