#!/usr/bin/env python3
"""Random tables, read by nunatak and by a model of plain rows.

usage: run.py [--cases N] [--seed S] [--writer construct|pyiceberg|both] [--nunatak BINARY]

Case number i has the seed S + i: a table with a random schema, partition specs, values, evolution
and deletes, written file by file (construct.py) or through PyIceberg, where that is installed.
nunatak must find exactly the rows of the model: without a filter, through random filters, in an
older snapshot. A case that fails is kept, and printed with the command that repeats it. Ends with
`differential: N passed, N failed`.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import traceback

import pyarrow.feather
import pyarrow.parquet

import cells
import changes
import construct
import filters
import history
import kinds
import model
import through_pyiceberg

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIMEOUT_SECONDS = 60
FILTERS = 6  # Of each table.
FEATURES = history.Features()


class Wrong(Exception):
    """nunatak's answer is not the model's."""


class Reader:
    def __init__(self, binary, cache):
        self._binary, self._cache = str(binary), cache

    def scratch(self, name):
        """A file's path."""
        return os.path.join(self._cache, name)

    def lines(self, verb, table, *arguments, codes=(0,)):
        done = subprocess.run([self._binary, verb, str(table), "--moved", *arguments],
                              capture_output=True, timeout=TIMEOUT_SECONDS, check=False,
                              env={**os.environ, "XDG_CACHE_HOME": self._cache})
        if done.returncode not in codes:
            message = done.stderr.decode()[-400:].strip()
            raise Wrong(f"{verb} {arguments}: exit code {done.returncode}: {message}")
        return done.stdout.decode().split("\n")[:-1]

    def rows(self, table, fields, *arguments):
        """The rows, as texts that are compared."""
        kind = {"type": "struct", "fields": fields}
        return [cells.row_text(cells.printed(json.loads(line), kind))
                for line in self.lines("scan", table, *arguments, "--format", "ndjson")]

    def count(self, table, *arguments):
        answer = "".join(self.lines("count", table, *arguments, "--format", "json"))
        return json.loads(answer)["count"]


def texts(rows, fields):
    kind = {"type": "struct", "fields": fields}
    return [cells.row_text(cells.canonical(row, kind)) for row in rows]


def compare(what, got, want):
    """Both are multisets of rows."""
    extra = collections.Counter(got) - collections.Counter(want)
    missing = collections.Counter(want) - collections.Counter(got)
    if extra or missing:
        raise Wrong(f"{what}: {len(got)} rows, want {len(want)}; "
                    f"extra {list(extra)[:2]}, missing {list(missing)[:2]}")


class Constructed:
    """A table written file by file."""

    def __init__(self, seed, folder, features):
        self.rng, self.features = random.Random(seed), features
        grown = history.History(self.rng, features)
        self.values, self.table = grown.values, grown.grow()
        self.fields = self.table.fields
        self.location = construct.construct(self.table, folder, seed)

    def rows_of(self, fields):
        """Read as a schema of `fields`."""
        return model.expected(self.table, fields)

    def older(self):
        """(id, fields, rows) of some snapshot."""
        number = self.rng.randrange(len(self.table.commits))
        commit = self.table.commits[number]
        fields = next(s["fields"] for s in self.table.schemas if s["schema-id"] == commit.schema_id)
        return commit.snapshot_id, fields, model.expected(self.table, fields, number + 1)


class ThroughPyIceberg:
    """A table that PyIceberg wrote."""

    def __init__(self, seed, folder):
        self.rng = random.Random(seed)
        self._history = self._grown(pathlib.Path(folder))
        self.values, self.fields = self._history.values, self._history.fields
        self.location = self._history.location

    def _grown(self, folder):
        """Some schemas and specs PyIceberg writes nothing for."""
        for attempt in range(10):
            grown = through_pyiceberg.PyIcebergHistory(self.rng, folder / str(attempt))
            if grown.grow():
                return grown
        raise ValueError("PyIceberg wrote none of ten tables")

    def rows_of(self, fields):
        return self._history.rows_of(fields)

    def older(self):
        snapshot_id, fields, rows = self.rng.choice(self._history.snapshots)
        return snapshot_id, fields, through_pyiceberg.read_all(fields, rows)


def check(subject, reader):
    """Raises Wrong where nunatak does not find what the model has."""
    fields = subject.fields
    rows = subject.rows_of(fields)
    compare("all rows", reader.rows(subject.location, fields), texts(rows, fields))
    check_filters(subject, reader, rows)
    check_projection(subject, reader)
    check_splits(subject, reader, rows)
    check_sound(subject, reader)
    check_files(subject, reader)
    if isinstance(subject, Constructed) and subject.features.metadata_columns:
        check_metadata_columns(subject, reader)
    snapshot_id, fields, rows = subject.older()
    compare(f"snapshot {snapshot_id}",
            reader.rows(subject.location, fields, "--snapshot", str(snapshot_id)),
            texts(rows, fields))
    if isinstance(subject, Constructed):
        changes.check(subject, reader, compare)
        check_appends(subject, reader)


def check_appends(subject, reader):
    """What appends added after some snapshot."""
    number = subject.rng.randrange(len(subject.table.commits))
    since = ("--since", str(subject.table.commits[number].snapshot_id))
    rows = model.appended(subject.table, subject.fields, number + 1)
    want = texts(rows, subject.fields)
    compare(" ".join(since), reader.rows(subject.location, subject.fields, *since), want)
    expression = filters.Filters(subject.rng, subject.fields, subject.values).draw()
    where = filters.written(expression, subject.rng)
    kept = sum(filters.keeps(expression, row) for row in rows)
    count = reader.count(subject.location, *since, "--where", where)
    if count != kept:
        raise Wrong(f"count {since} where {where}: {count}, want {kept}")


def check_sound(subject, reader):
    """Nothing is wrong with the table, but for the vectors that outlive their data files."""
    lines = reader.lines("verify", subject.location, "--all", "--deep", "--format", "ndjson",
                         codes=(0, 1))
    errors = [f for f in map(json.loads, lines) if f["severity"] == "error"
              and f["check"] != "dangling-deletion-vector"]
    if errors:
        raise Wrong(f"verify: {len(errors)} errors, the first is {errors[0]}")


def check_projection(subject, reader):
    every = list(kinds.all_columns(subject.fields))
    chosen = subject.rng.sample(every, min(len(every), subject.rng.randint(1, 3)))
    found = kinds.pruned(subject.fields, {path[-1]["id"] for path in chosen})
    order = [path[0]["id"] for path in chosen]
    fields = sorted(found, key=lambda field: order.index(field["id"]))
    names = ",".join(".".join(field["name"] for field in path) for path in chosen)
    compare(f"select {names}", reader.rows(subject.location, fields, "--select", names),
            texts(subject.rows_of(fields), fields))


def check_splits(subject, reader, rows):
    """Splits of any size hold each row once."""
    tasks, size = reader.scratch("tasks"), subject.rng.choice(("200", "1500", "1MB"))
    reader.lines("plan", subject.location, "--split-size", size, "--tasks", tasks)
    compare(f"splits of {size}", reader.rows(subject.location, subject.fields, "--tasks", tasks),
            texts(rows, subject.fields))


def check_files(subject, reader):
    """The same rows in every format; JSON has those of the model."""
    names = [field["name"] for field in subject.fields]
    lines = [json.loads(line)
             for line in reader.lines("scan", subject.location, "--format", "ndjson")]
    tables = {}
    for format_name, read in (("arrow", pyarrow.feather.read_table),
                              ("parquet", pyarrow.parquet.read_table)):
        file = reader.scratch(f"rows.{format_name}")
        reader.lines("scan", subject.location, "--output", file)
        table = read(file)
        tables[format_name] = [table.column(i) for i in range(table.num_columns)]
        if table.column_names != names or table.num_rows != len(lines):
            raise Wrong(f"{format_name}: {table.num_rows} rows of {table.column_names}")
        table.validate(full=True)
    for i, field in enumerate(subject.fields):
        arrow, parquet = (tables[name][i] for name in ("arrow", "parquet"))
        has_nan = any(name in repr(field["type"]) for name in ("float", "double"))
        if not has_nan and not arrow.equals(parquet):
            raise Wrong(f"{field['name']} differs between arrow and parquet")
        if field["type"] in ("boolean", "int", "long", "string"):
            if arrow.to_pylist() != [line[field["name"]] for line in lines]:
                raise Wrong(f"{field['name']} differs between arrow and JSON")


class ValuesOf:
    """Pools of the values that rows have."""

    def __init__(self, rows):
        self._rows = rows

    def pool(self, field):
        return list({row[field["id"]] for row in self._rows} - {None}) or \
            ["" if field["type"] == "string" else 0]


def check_metadata_columns(subject, reader):
    columns = model.METADATA_COLUMNS if subject.table.format_version > 2 \
        else model.METADATA_COLUMNS[:3]
    partition = model.partition_column(subject.table)
    selected = [*columns, partition] if partition["type"]["fields"] else columns
    names = ",".join(["*", *(column["name"] for column in selected)])
    fields = subject.fields + selected
    rows = model.expected(subject.table, subject.fields, metadata=True)
    compare(f"select {names}", reader.rows(subject.location, fields, "--select", names),
            texts(rows, fields))
    expression = filters.Filters(subject.rng, columns, ValuesOf(rows)).draw()
    check_filter(subject, reader, rows, expression)
    fields = [*subject.fields, model.DELETED]
    compare("select *,_deleted", reader.rows(subject.location, fields, "--select", "*,_deleted"),
            texts(model.marked(subject.table, subject.fields), fields))


def check_filters(subject, reader, rows):
    drawn = filters.Filters(subject.rng, subject.fields, subject.values)
    for i in range(FILTERS):
        check_filter(subject, reader, rows, drawn.draw(), counted=i == 0)


def check_filter(subject, reader, rows, expression, counted=False):
    where = filters.written(expression, subject.rng)
    want = texts([row for row in rows if filters.keeps(expression, row)], subject.fields)
    if counted:
        count = reader.count(subject.location, "--where", where)
        if count != len(want):
            raise Wrong(f"count where {where}: {count}, want {len(want)}")
        compare(f"where {where} --no-pruning",
                reader.rows(subject.location, subject.fields, "--where", where, "--no-pruning"),
                want)
        return
    compare(f"where {where}", reader.rows(subject.location, subject.fields, "--where", where), want)
    limit = subject.rng.choice((0, 1, 3, 1000, None, None))
    if limit is not None:
        check_limit(subject, reader, where, want, limit)


def check_limit(subject, reader, where, want, limit):
    """Any rows of those that the filter keeps, as many as asked for."""
    got = reader.rows(subject.location, subject.fields, "--where", where, "--limit", str(limit))
    extra = collections.Counter(got) - collections.Counter(want)
    if extra or len(got) != min(limit, len(want)):
        raise Wrong(f"limit {limit} where {where}: {len(got)} rows of {len(want)}; extra {extra}")


def subject_of(seed, folder, writer, features):
    if writer == "pyiceberg":
        return ThroughPyIceberg(seed, folder)
    return Constructed(seed, folder, features)


def run_case(seed, binary, work, writer="construct", features=FEATURES):
    """None, or what is wrong. The table is kept when something is."""
    folder = pathlib.Path(work) / f"case-{seed}"
    shutil.rmtree(folder, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=work) as cache:
        try:
            check(subject_of(seed, folder, writer, features), Reader(binary, cache))
        except (Wrong, subprocess.TimeoutExpired) as error:
            return str(error)
        except (AttributeError, ValueError, KeyError, TypeError):  # A cell in a form that has no such value.
            return traceback.format_exc(limit=-3)
    shutil.rmtree(folder)
    return None


def repeat_command(seed, writer="construct"):
    return f"make differential CASES=1 SEED={seed} WRITER={writer}"


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--writer", choices=("construct", "pyiceberg", "both"), default="both")
    parser.add_argument("--nunatak", default=str(ROOT / "build" / "nunatak"))
    parser.add_argument("--work", default=str(ROOT / ".cache" / "differential" / "failed"),
                        help="where failing tables are kept")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    return parser.parse_args()


def plan(options):
    """(seed, writer) of each case: one in ten through PyIceberg, when both write."""
    writer = options.writer
    if writer == "both" and not through_pyiceberg.installed():
        print("differential: PyIceberg is not installed for this Python: nothing is written by it")
        writer = "construct"
    for seed in range(options.seed, options.seed + options.cases):
        yield seed, ("pyiceberg" if seed % 10 == 9 else "construct") if writer == "both" else writer


def main():
    options = parse_arguments()
    os.makedirs(options.work, exist_ok=True)
    failed, cases = 0, list(plan(options))
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        running = [pool.submit(run_case, seed, options.nunatak, options.work, writer)
                   for seed, writer in cases]
        for (seed, writer), job in zip(cases, running):
            problem = job.result()
            if problem:
                failed += 1
                print(f"FAILED seed {seed}: {problem[:1200]}\n  repeat: "
                      f"{repeat_command(seed, writer)}\n  table: {options.work}/case-{seed}",
                      flush=True)
    print(f"differential: {len(cases) - failed} passed, {failed} failed")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
