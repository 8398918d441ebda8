#!/usr/bin/env python3
"""Plans generated tables with nunatak and with every peer that is installed; prints the tables.

Keeps the generated tables in WORK/tables, looks for the peers in WORK/peers, and writes the
measurements to WORK/plan-SIZE.json. Exits with 1 when nunatak plans other files than it must.
"""
import argparse
import json
import os
import pathlib
import sys

import generate
import implementations
import list_files
import measure
import report

SIZES = {"S": ["S", "Smix", "many"]}
SIZES["M"] = [*SIZES["S"], "M", "Mpos", "Mmix"]
SIZES["L"] = [*SIZES["M"], "L"]
THREADS = (1, 2)
PEER_THREADS = 2
ROUNDS, PEER_ROUNDS = 4, 2
PARQUET_SAMPLE = "tests/data/bookshop-orders"


def log(text):
    print(text, file=sys.stderr, flush=True)


def measure_case(table, folder, expected, case, sets):
    """The rows of one case; `sets` are (implementations, threads to try, rounds)."""
    rows = []
    for found, threads_to_try, rounds in sets:
        commands = {(one.name, threads): one.command(folder, case, expected["cases"][case],
                                                     expected["metadata"], threads)
                    for one in found if expected["data_files"] <= one.most_files
                    for threads in threads_to_try}
        fewest = {(one.name, n): one.fewest_plans for one in found for n in threads_to_try}
        for (name, threads), row in measure.measure_all(commands, rounds, fewest).items():
            files = expected["cases"][case]["files"]
            if name == "floor":  # It counts delete files too.
                files += expected["delete_files"]
            rows.append({"table": table, "case": case, "implementation": name,
                         "threads": threads, "expected_files": files, **row})
    return rows


def measure_table(table, folder, cases, own, peers):
    """The rows of the cases of one table: `own` and the floor take turns, then the peers."""
    expected, rows = generate.generate(folder, table), []
    for case in cases:
        log(f"{table} {case}")
        compared = [one for one in own if case == "full" or one.name != "floor"]
        rows += measure_case(table, folder, expected, case,
                             [(compared, THREADS, ROUNDS), (peers, (PEER_THREADS,), PEER_ROUNDS)])
    return rows


def measure_lists(work):
    """What listing 100,000 files costs."""
    root = pathlib.Path(__file__).resolve().parents[2]
    sample = sorted((root / PARQUET_SAMPLE).rglob("*.parquet"))[0]
    folder = work / "tables" / "hive"
    folder.parent.mkdir(parents=True, exist_ok=True)
    list_files.generate(folder, sample.read_bytes())
    python = work / "peers" / "python" / "bin" / "python"
    script = str(pathlib.Path(list_files.__file__).resolve())
    names = list(list_files.LISTERS) if python.exists() else ["scandir", "stat"]
    interpreter = str(python) if python.exists() else sys.executable
    commands = {name: lambda n, name=name: [interpreter, script, name, str(folder), str(n)]
                for name in names}
    log("list")
    return [{"table": "list", "case": "full", "implementation": name, "threads": 1,
             "expected_files": list_files.DIRECTORIES * list_files.FILES, **row}
            for name, row in measure.measure_all(commands, PEER_ROUNDS).items()]


def measure_stages(table, folder, programs):
    """What each stage of the floor adds, on one thread."""
    stages = ["read", "inflate", "walk", "tasks"]
    commands = {stage: implementations.floor(programs, stage).command(folder, "full", {}, "", 1)
                for stage in stages}
    rows = measure.measure_all(commands, ROUNDS)
    return report.markdown(["stage", "CPU s"],
                           [[f"{table} {stage}", report.seconds(rows[stage]["cpu_s"])]
                            for stage in stages])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--size", choices=SIZES, default="S")
    parser.add_argument("--tables", default="", help="these instead of the size's, without listing")
    parser.add_argument("--cases", default=",".join(report.CASES))
    parser.add_argument("--peers", default=None, help="these alone; an empty list for none")
    parser.add_argument("--stages", action="store_true", help="also the stages of the floor")
    o = parser.parse_args()
    tables = o.tables.split(",") if o.tables else SIZES[o.size]
    own = [implementations.nunatak(o.programs), implementations.floor(o.programs),
           *(implementations.nunatak(o.programs, mode) for mode in implementations.MODES)]
    peers = [one for one in implementations.peers(o.work / "peers")
             if o.peers is None or one.name in o.peers.split(",")]
    for one in peers:
        if one.missing:
            log(f"not compared: {one.name} ({one.missing})")
    peers = [one for one in peers if not one.missing]
    rows = []
    for table in tables:
        rows += measure_table(table, o.work / "tables" / table, o.cases.split(","), own, peers)
    lists = [] if o.tables else measure_lists(o.work)
    (o.work / f"plan-{o.size}.json").write_text(json.dumps({"plans": rows, "lists": lists}))
    print(report.details(rows), report.summary(rows), sep="\n\n")
    if lists:
        print(f"\n{report.lists(lists)}")
    if o.stages:
        for table in tables:
            print(f"\n{measure_stages(table, o.work / 'tables' / table, o.programs)}")
    failures = report.failures(rows)
    for line in failures:
        log(line)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
