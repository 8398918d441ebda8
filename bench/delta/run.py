#!/usr/bin/env python3
"""Plans a Delta table of many files with nunatak, the deltalake package and DuckDB; prints one table, and how the goals are met.

usage: bench/delta/run.py [--program build/bench/list/list_case] [--work .cache/bench] [--files 100000] [--turns 3]

A plan opens the table anew and finds the files of the latest version: all of them (full), those of one day in a hundred (day), those of one file's ids
(ids: by statistics alone). Each planner has a process of its own for each case and turn, which repeats the plan; the planners take turns, and the least of
all repetitions counts: CPU seconds of all threads, seconds, and the most memory that a process had. What is loaded and imported before is not measured.
Peers that are not installed are left out (scripts/setup.sh --delta).
"""
import argparse
import datetime
import glob
import importlib.util
import json
import os
import re
import resource
import subprocess
import sys
import time

import generate

DAY = "2026-01-17"
FIRST_ID = 16 * generate.ROWS
CASES = {"full": "", "day": f"day = DATE '{DAY}'", "ids": f"id = {FIRST_ID + 500}"}
GOALS = {"full": 2, "day": 3, "ids": 3}
REPETITIONS = 3


def deltalake_planner():
    import deltalake
    import pyarrow

    def plan(table, case):
        opened = deltalake.DeltaTable(table)
        if case == "full":
            return len(opened.file_uris())
        if case == "day":
            return len(opened.file_uris([("day", "=", DAY)]))
        # The quicker of its ways to plan by statistics: the fragments of its data set take a hundred times as long.
        query = deltalake.QueryBuilder().register("t", opened)
        text = str(pyarrow.table(query.execute(f"EXPLAIN SELECT * FROM t WHERE {CASES[case]}").read_all()).to_pydict())
        return len(set(re.findall(r"part-\d+", text)))

    return plan


def duckdb_planner():
    import duckdb

    connection = duckdb.connect(config={"allow_unsigned_extensions": True})
    origin = importlib.util.find_spec("duckdb_extension_delta").origin
    connection.load_extension(glob.glob(f"{os.path.dirname(origin)}/extensions/*/*.duckdb_extension")[0])

    def plan(table, case):
        where = f"WHERE {CASES[case]}" if CASES[case] else ""
        text = str(connection.execute(f"EXPLAIN SELECT * FROM delta_scan('{table}') {where}").fetchall())
        counts = re.findall(r"Scanning Files:[^\d]*(\d+)", text)
        return int(counts[0]) if counts else None

    return plan


PEERS = {"deltalake": ("deltalake", deltalake_planner), "duckdb": ("duckdb_extension_delta", duckdb_planner)}


def run_peer(name, table, case):
    """Measures in this process, which does nothing else."""
    plan = PEERS[name][1]()
    cpu, wall = [], []
    for _ in range(REPETITIONS):
        start, cpu_start = time.perf_counter(), time.process_time()
        files = plan(table, case)
        wall.append(time.perf_counter() - start)
        cpu.append(time.process_time() - cpu_start)
    print(json.dumps({"files": files, "seconds": min(wall), "cpu_seconds": min(cpu),
                      "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))


def measure(options, name, table, case):
    command = ([options.program, "delta", table, CASES[case], str(REPETITIONS)] if name == "nunatak" else
               [sys.executable, "-W", "ignore", os.path.abspath(__file__), "--peer", name, table, case])
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{name} failed: {done.stderr.strip()}")
    return json.loads(done.stdout)


def least(results):
    return {key: results[0][key] if key == "files" else min(r[key] for r in results)
            for key in ("files", "seconds", "cpu_seconds", "peak_mb")}


def expected_files(case, files):
    if case == "full":
        return files
    if case == "ids":
        return 1
    first = datetime.date(2026, 1, 1).toordinal()
    return sum(1 for i in range(files) if first + i % generate.DAYS == datetime.date.fromisoformat(DAY).toordinal())


def compare(options, log, table, case, names):
    """Prints a row per planner; returns the names of goals that are missed."""
    results = {name: [] for name in names}
    for _ in range(options.turns):
        for name in names:
            results[name].append(measure(options, name, table, case))
    best = {name: least(turns) for name, turns in results.items()}
    for name, figures in best.items():
        wrong = "" if figures["files"] in (None, expected_files(case, options.files)) else f"  WRONG: {figures['files']} files"
        print(f"| {log} | {case} | {name} | {figures['cpu_seconds']:.3f} | {figures['seconds']:.3f} | {figures['peak_mb']:.0f} |{wrong}",
              flush=True)
    missed = [] if best["nunatak"]["files"] == expected_files(case, options.files) else [f"{log} {case}: wrong files"]
    peers = [figures["cpu_seconds"] for name, figures in best.items() if name != "nunatak"]
    if peers:
        ratio = min(peers) / best["nunatak"]["cpu_seconds"]
        print(f"{log} {case}: {ratio:.1f} times as fast as the best peer (goal: {GOALS[case]})", file=sys.stderr)
        if ratio < GOALS[case]:
            missed.append(f"{log} {case}: {ratio:.1f}, not {GOALS[case]}")
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/bench/list/list_case")
    parser.add_argument("--work", default=".cache/bench")
    parser.add_argument("--files", type=int, default=100000)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--peer", nargs=3, metavar=("NAME", "TABLE", "CASE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peer:
        run_peer(*options.peer)
        return
    names = ["nunatak"] + [name for name, (package, _) in PEERS.items() if importlib.util.find_spec(package)]
    missed = []
    print("| statistics | case | planner | CPU s | s | peak MB |\n|---|---|---|---:|---:|---:|")
    for parsed in (False, True):
        table = os.path.abspath(os.path.join(options.work, f"delta-{options.files}{'-parsed' if parsed else ''}"))
        if not os.path.isdir(table):
            generate.write_table(table, options.files, 100, parsed)
        for case in CASES:
            missed += compare(options, "columns" if parsed else "JSON", table, case, names)
    if missed:
        sys.exit("missed: " + "; ".join(missed))


if __name__ == "__main__":
    main()
