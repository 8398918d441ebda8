#!/usr/bin/env python3
"""Plans the same 100,000 files as a Hive-style directory, as a Delta and as an Iceberg table; prints one table.

usage: run.py --program build/bench/list/list_case --work DIR [--python PYTHON] [--repetitions 3]

Keeps the files in DIR/list; PYTHON, which must have pyarrow, pyiceberg and deltalake, generates them if they are not there.
"""
import argparse
import json
import pathlib
import subprocess
import sys

FILTERS = {"one day": "day = date '2021-06-01'", "none": ""}
# What is planned, where it lies below the folder, and how it is opened beside that.
TABLES = [("directory, schemas merged", "hive", "table/data", []),
          ("directory, one schema", "hive", "table/data", ["one-schema"]),
          ("Delta", "delta", "table", []),
          ("Iceberg", "iceberg", "table", [])]


def generate(folder, python):
    done = folder.parent / f"{folder.name}.done"
    if done.exists():
        return
    script = pathlib.Path(__file__).with_name("generate.py")
    subprocess.run([python, script, folder], check=True)
    done.touch()


def measure(program, table, filter_text, mode, repetitions):
    _, table_format, location, options = table
    done = subprocess.run([program, table_format, location, filter_text, str(repetitions), mode, *options],
                          capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else None


def rows(program, folder, repetitions):
    """[what, filter, files, requests, seconds here, seconds over a network]; None where it was not read."""
    for name, filter_text in FILTERS.items():
        for what, table_format, location, options in TABLES:
            table = (what, table_format, str(folder / location), options)
            here = measure(program, table, filter_text, "local", repetitions)
            # Every footer of 100,000 files, 64 at a time, takes a minute.
            far = measure(program, table, filter_text, "latent", 1)
            if here is None or far is None:
                print(f"not read: {what}", file=sys.stderr)
                continue
            yield [what, name, here["files"], far["requests"], f"{here['seconds']:.3f}", f"{far['seconds']:.2f}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--repetitions", type=int, default=3)
    options = parser.parse_args()
    folder = options.work.resolve() / "list"
    generate(folder, options.python)
    print("| found by | filter | files | requests | seconds | seconds, 30 ms a request |")
    print("|---|---|---:|---:|---:|---:|")
    for row in rows(options.program, folder, options.repetitions):
        print("| " + " | ".join(map(str, row)) + " |", flush=True)


if __name__ == "__main__":
    main()
