#!/usr/bin/env python3
"""Compare nunatak with what the reference engines say of their tables.

usage: run.py [--nunatak build/nunatak] [--corpus DIR] [--jobs N] [-v] [TABLE ...]

Checks the tables in tests/data, and those of a larger corpus where one is given. A table that is refused (exit
code 5) passes when tests/conformance/pending.txt lists it, and one that is listed must be refused. Prints a line
for each table that fails and, at the end, `conformance: N passed, N failed, N skipped`.
"""
import argparse
import concurrent.futures
import os
import sys

import checks
from command import Nunatak

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def read_pending(path):
    """The tables that may be refused: the first word of each line."""
    with open(path, encoding="utf-8") as file:
        return {line.split()[0] for line in file if line.strip() and not line.startswith("#")}


def verdict(table, problems, refusals, pending):
    """What is wrong with the outcome of a table; empty when it passes."""
    if problems:
        return problems
    if refusals and table not in pending:
        return [f"refused, but not listed as pending: {refusals[0]}"]
    if table in pending and not refusals:
        return ["listed as pending, but no longer refused: take it off the list"]
    return []


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="*")
    parser.add_argument("--nunatak", default=os.path.join(ROOT, "build", "nunatak"))
    parser.add_argument("--corpus", default=os.environ.get("NUNATAK_CORPUS") or None)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("-v", "--verbose", action="store_true", help="show every difference of a table")
    return parser.parse_args()


def main():
    options = parse_arguments()
    pending = read_pending(os.path.join(HERE, "pending.txt"))
    skipped = 0
    tables = checks.tables(os.path.join(ROOT, "tests", "data"))
    if options.corpus:
        own = {(table.format, table.name) for table in tables}
        tables += [table for table in checks.tables(options.corpus) if (table.format, table.name) not in own]
    else:
        print("conformance: no corpus is given ($NUNATAK_CORPUS): only the tables in tests/data are checked")
        skipped = 1
    if options.tables:
        tables = [table for table in tables if table.name in options.tables]
    nunatak = Nunatak(options.nunatak)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for table, outcome in zip(tables, pool.map(lambda table: checks.check(nunatak, table), tables)):
            wrong = verdict(table.name, *outcome, pending)
            failed += bool(wrong)
            for line in wrong if options.verbose else wrong[:2]:
                print(f"FAILED {table.name}: {line}"[:500])
    print(f"conformance: {len(tables) - failed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not tables else 0


if __name__ == "__main__":
    sys.exit(main())
