#!/usr/bin/env python3
"""Compare nunatak with the deltalake package over Delta tables.

usage: scripts/compare_delta.py DIRECTORY … [--nunatak build/nunatak] [--versions 20] [-v]

Each directory at any depth that holds _delta_log is a table. Its latest version is read by both, row by row; of the versions before,
the newest ones are counted by both. Prints a line per table that is not the same to both, and a summary: tables that agree, that differ, that
one of the two alone cannot read, that neither can. Exits 1 if any differs, or if nunatak fails (other than by refusing a feature)
where the package does not. Needs the package and pyarrow: scripts/setup.sh --delta installs them in .cache/delta/venv.
"""
import argparse
import collections
import datetime
import decimal
import json
import math
import os
import subprocess
import sys
import tempfile

import deltalake
import pyarrow as pa

UNSUPPORTED = 5


class Refused(Exception):
    """A reader says that it does not support something."""


class Failed(Exception):
    """A reader fails otherwise."""


def canonical(value):
    """A value in a form that both readers' types come to."""
    if isinstance(value, float):
        return "NaN" if math.isnan(value) else value + 0.0
    if isinstance(value, decimal.Decimal):
        return str(value.normalize() + 0)
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc).replace(tzinfo=None) if value.tzinfo else value
    if isinstance(value, dict):
        return {key: canonical(v) for key, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [canonical(v) for v in value]
    return value


def rows_of(table):
    """The rows of an Arrow table as a multiset, by column name."""
    names = sorted(table.column_names)
    columns = [[canonical(v) for v in table.column(name).to_pylist()] for name in names]
    return collections.Counter(repr(list(zip(names, row))) for row in zip(*columns))


class Nunatak:
    def __init__(self, command):
        self.command = command

    def run(self, *arguments):
        done = subprocess.run([self.command, *arguments], capture_output=True, timeout=300)
        if done.returncode == 0:
            return done.stdout.decode()
        error = (done.stderr.decode(errors="replace").strip().splitlines() or [""])[0]
        raise (Refused if done.returncode == UNSUPPORTED else Failed)(f"exit {done.returncode}: {error}")

    def rows(self, table):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rows.arrow")
            self.run("scan", table, "--output", path)
            with pa.ipc.open_file(path) as reader:
                return rows_of(reader.read_all())

    def count(self, table, version):
        return int(self.run("count", table, "--version", str(version)))


class Package:
    """deltalake, whose queries know more features than its data sets."""

    @staticmethod
    def table(path, version=None):
        try:
            return deltalake.DeltaTable(path, version=version)
        except Exception as error:  # whatever a table makes the package raise is its answer
            raise Failed(f"{type(error).__name__}: {str(error)[:120]}") from error

    def query(self, text, path, version=None):
        table = self.table(path, version)
        try:
            return pa.table(deltalake.QueryBuilder().register("t", table).execute(text).read_all())
        except BaseException as error:  # panics are no Exception
            if isinstance(error, KeyboardInterrupt):
                raise
            raise Failed(f"{type(error).__name__}: {str(error)[:120]}") from error

    def version(self, path):
        return self.table(path).version()

    def rows(self, path):
        return rows_of(self.query("select * from t", path))

    def count(self, path, version):
        return self.query("select count(*) as n from t", path, version).column("n")[0].as_py()


def answer(call, *arguments):
    """What a reader says: (value, None), or (None, why not)."""
    try:
        return call(*arguments), None
    except (Refused, Failed, subprocess.TimeoutExpired) as error:
        return None, error


def difference(ours, theirs):
    if ours == theirs:
        return None
    extra, missing = list((ours - theirs).elements()), list((theirs - ours).elements())
    return f"{ours.total()} rows, the package has {theirs.total()}; extra {extra[:1]}, missing {missing[:1]}"[:500]


def compare(path, nunatak, package, versions):
    """(state, reason)"""
    ours, our_error = answer(nunatak.rows, path)
    theirs, their_error = answer(package.rows, path)
    if our_error and their_error:
        return "neither", f"{our_error} | {their_error}"
    if our_error:
        return ("package alone" if isinstance(our_error, Refused) else "differs"), str(our_error)
    if their_error:
        return "nunatak alone", str(their_error)
    problem = difference(ours, theirs)
    latest = package.version(path)
    for version in range(latest - 1, max(latest - 1 - versions, -1), -1):
        if problem:
            break
        n, error = answer(nunatak.count, path, version)
        m, their_error = answer(package.count, path, version)
        if error is None and their_error is None and n != m:
            problem = f"version {version}: {n} rows, the package has {m}"
        elif error is not None and their_error is None and not isinstance(error, Refused):
            problem = f"version {version}: {error}"
    return ("differs", problem) if problem else ("agrees", "")


def tables_below(directories):
    for directory in directories:
        for folder, names, _ in os.walk(directory):
            if "_delta_log" in names:
                yield folder
                names.clear()


def compare_apart(path, options):
    """The same in a process of its own, which the package may take down with it."""
    command = [sys.executable, "-W", "ignore", os.path.abspath(__file__), path, "--one", "--nunatak", options.nunatak,
               "--versions", str(options.versions)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=300)
        state, reason = json.loads(done.stdout.decode().splitlines()[-1])
        return state, reason
    except (subprocess.TimeoutExpired, IndexError, ValueError):
        return "nunatak alone", "the package crashed or took more than five minutes"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directories", nargs="+", metavar="DIRECTORY")
    parser.add_argument("--nunatak", default="build/nunatak")
    parser.add_argument("--versions", type=int, default=20, help="how many earlier versions to count")
    parser.add_argument("-v", "--verbose", action="store_true", help="name the tables that agree too")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(compare(options.directories[0], Nunatak(options.nunatak), Package(), options.versions)))
        return
    tally = collections.Counter()
    for path in sorted(tables_below(options.directories)):
        state, reason = compare_apart(path, options)
        tally[state] += 1
        if options.verbose or state != "agrees":
            print(f"{state:14} {path}: {reason}", flush=True)
    print(", ".join(f"{tally[s]} {s}" for s in ("agrees", "differs", "nunatak alone", "package alone", "neither")))
    sys.exit(1 if tally["differs"] else 0)


if __name__ == "__main__":
    main()
