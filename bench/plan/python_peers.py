#!/usr/bin/env python3
"""Plans one case with a planner that has a Python interface; prints one line of JSON.

usage: python_peers.py PEER METADATA REPETITIONS THREADS [COLUMN OPERATOR TYPE VALUE]...

Run by the interpreter that has the peer. Importing it is not measured.
"""
import datetime
import glob
import importlib.util
import json
import os
import re
import sys
import time


def pyiceberg(metadata, threads, predicates):
    os.environ["PYICEBERG_MAX_WORKERS"] = threads
    from pyiceberg.table import ALWAYS_TRUE, StaticTable
    filter_ = " and ".join(f"{column} {operator} {value if type_ == 'long' else repr(value)}"
                           for column, operator, type_, value in predicates) or ALWAYS_TRUE

    def plan():
        tasks = list(StaticTable.from_metadata(metadata).scan(row_filter=filter_).plan_files())
        return len(tasks), sum(len(task.delete_files) for task in tasks)
    return plan


def polars(metadata, threads, predicates):
    """Its own planner (polars-iceberg), whose query plan says how many files there are."""
    os.environ.update(POLARS_ICEBERG_PLANNER="plugin", POLARS_MAX_THREADS=threads,
                      RAYON_NUM_THREADS=threads)
    import polars as pl
    import pyiceberg.io.pyarrow  # noqa: F401  Polars imports them when it first scans.
    import pyiceberg.table  # noqa: F401
    conditions = []
    for column, operator, type_, text in predicates:
        value = int(text) if type_ == "long" else datetime.datetime.fromisoformat(text)
        column = pl.col(column)
        conditions.append({">=": column >= value, "<": column < value,
                           "=": column == value}[operator])

    def plan():
        frame = pl.scan_iceberg(metadata)
        text = (frame.filter(*conditions) if conditions else frame).explain()
        more = re.search(r"\.\.\. (\d+) other source", text)
        return int(more[1]) + 1 if more else 1, None
    return plan


def duckdb(metadata, threads, predicates):
    """Binds and optimises the query; how many files it would read is not to be had."""
    import duckdb as db
    connection = db.connect(config={"threads": threads})
    for name in ("avro", "iceberg"):
        origin = importlib.util.find_spec(f"duckdb_extension_{name}").origin
        found = glob.glob(f"{os.path.dirname(origin)}/extensions/*/*.duckdb_extension")
        connection.execute(f"LOAD '{found[0]}'")
    where = " AND ".join(f"{column} {operator} {value if type_ == 'long' else repr(value)}"
                         for column, operator, type_, value in predicates)
    query = f"EXPLAIN SELECT * FROM iceberg_scan('{metadata}')" + (f" WHERE {where}" * bool(where))

    def plan():
        connection.execute(query).fetchall()
        return None, None
    return plan


PEERS = {"pyiceberg": pyiceberg, "polars": polars, "duckdb": duckdb}


def repeat(body, repetitions):
    """Prints what measure.py reads; `body` returns (files, attached deletes)."""
    wall, cpu, found = [], [], (None, None)
    for _ in range(repetitions):
        cpu_start, start = time.process_time(), time.perf_counter()
        found = body()
        wall.append(time.perf_counter() - start)
        cpu.append(time.process_time() - cpu_start)
    print(json.dumps({"wall_s": wall, "cpu_s": cpu, "files": found[0], "delete_refs": found[1]}))


def main():
    peer, metadata, repetitions, threads, *words = sys.argv[1:]
    predicates = [words[i:i + 4] for i in range(0, len(words), 4)]
    repeat(PEERS[peer](metadata, threads, predicates), int(repetitions))


if __name__ == "__main__":
    main()
