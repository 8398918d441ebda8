#!/usr/bin/env python3
"""Plans a Delta table of many files with nunatak, the deltalake package and DuckDB; prints a table of milliseconds.

usage: bench/delta/run.py [--nunatak build/nunatak] [--work .cache/bench] [--files 100000] [--rounds 5]

A plan opens the table anew and finds the files of the latest version: all of them (full), those of one day in a hundred (day), those of one file's ids
(ids: by statistics alone). nunatak's time is that of its process, from start to end; the others' is measured inside one that has loaded them. The best
of the rounds counts. Peers that are not installed are left out (scripts/setup.sh --delta).
"""
import argparse
import datetime
import glob
import importlib.util
import json
import os
import subprocess
import sys
import time

import generate

DAY = "2026-01-17"
FIRST_ID = 16 * generate.ROWS
CASES = {"full": None, "day": f"day = '{DAY}'", "ids": f"id = {FIRST_ID + 500}"}


def nunatak_plan(command, table, case):
    where = ["--where", CASES[case]] if CASES[case] else []
    out = subprocess.run([command, "plan", table, "--summary", "--format", "json", "--no-cache", *where], check=True, capture_output=True)
    return json.loads(out.stdout)["files"]


def deltalake_plan(table, case):
    import deltalake

    opened = deltalake.DeltaTable(table)
    if case == "ids":
        import pyarrow.dataset as ds

        return len(list(opened.to_pyarrow_dataset().get_fragments(filter=ds.field("id") == FIRST_ID + 500)))
    return len(opened.file_uris([("day", "=", DAY)] if case == "day" else None))


def duckdb_connection():
    import duckdb

    connection = duckdb.connect(config={"allow_unsigned_extensions": True})
    origin = importlib.util.find_spec("duckdb_extension_delta").origin
    connection.load_extension(glob.glob(f"{os.path.dirname(origin)}/extensions/*/*.duckdb_extension")[0])
    return connection


def duckdb_plan(connection, table, case):
    where = {"full": "", "day": f"WHERE day = DATE '{DAY}'", "ids": f"WHERE id = {FIRST_ID + 500}"}[case]
    plan = connection.execute(f"EXPLAIN SELECT * FROM delta_scan('{table}') {where}").fetchall()
    text = "".join(str(row) for row in plan)
    return int(text.split("Scanning Files:")[1].split("/")[0].strip().split()[-1]) if "Scanning Files:" in text else None


def best(call, rounds):
    """(milliseconds, what it found)"""
    times, found = [], None
    for _ in range(rounds):
        start = time.perf_counter()
        found = call()
        times.append((time.perf_counter() - start) * 1000)
    return min(times), found


def planners(options, table):
    yield "nunatak", lambda case: nunatak_plan(options.nunatak, table, case)
    if importlib.util.find_spec("deltalake"):
        yield "deltalake", lambda case: deltalake_plan(table, case)
    if importlib.util.find_spec("duckdb_extension_delta"):
        connection = duckdb_connection()
        yield "duckdb", lambda case: duckdb_plan(connection, table, case)


def expected_files(case, files):
    if case == "full":
        return files
    if case == "ids":
        return 1
    first = datetime.date(2026, 1, 1).toordinal()
    return sum(1 for i in range(files) if first + i % generate.DAYS == datetime.date.fromisoformat(DAY).toordinal())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nunatak", default="build/nunatak")
    parser.add_argument("--work", default=".cache/bench")
    parser.add_argument("--files", type=int, default=100000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    wrong = 0
    print(f"{'log':12} {'planner':10}" + "".join(f"{case:>12}" for case in CASES) + "   ms")
    for parsed in (False, True):
        table = os.path.abspath(os.path.join(options.work, f"delta-{options.files}{'-parsed' if parsed else ''}"))
        if not os.path.isdir(table):
            generate.write_table(table, options.files, 100, parsed)
        for name, plan in planners(options, table):
            cells = []
            for case in CASES:
                milliseconds, found = best(lambda: plan(case), options.rounds)
                cells.append(f"{milliseconds:12.1f}")
                if name == "nunatak" and found != expected_files(case, options.files):
                    print(f"nunatak planned {found} files, not {expected_files(case, options.files)}: {case}", file=sys.stderr)
                    wrong = 1
            print(f"{'parsed' if parsed else 'JSON':12} {name:10}" + "".join(cells), flush=True)
    sys.exit(wrong)


if __name__ == "__main__":
    main()
