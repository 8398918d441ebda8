#!/usr/bin/env python3
"""Directories of files that pyarrow writes: nunatak reads the rows that were written, whatever is left out by paths and footers."""
import datetime
import decimal
import json
import os
import pathlib
import random
import subprocess
import tempfile
import unittest

import pyarrow as pa
import pyarrow.orc
import pyarrow.parquet as pq

ROOT = pathlib.Path(__file__).resolve().parents[2]
NUNATAK = os.environ.get("NUNATAK", str(ROOT / "build" / "nunatak"))
DAY = datetime.date(2024, 1, 1)


def nunatak(*arguments, code=0):
    done = subprocess.run([NUNATAK, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=60)
    if done.returncode != code:
        raise AssertionError(f"exit code {done.returncode}: {done.stderr}")
    return done.stdout if code == 0 else done.stderr


def scan(folder, *arguments):
    return [json.loads(line) for line in nunatak("scan", folder, "--format", "ndjson", *arguments).splitlines()]


class Directories(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name) / "table"

    def write(self, path, table, **options):
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if path.endswith(".orc"):
            pyarrow.orc.write_table(table, file)
        else:
            pq.write_table(table, file, **options)


class Types(Directories):
    def schema(self, *arguments):
        fields = json.loads(nunatak("show", self.folder, "--format", "json", *arguments))["schema"]["fields"]
        return {field["name"]: field["type"] for field in fields}

    def test_every_type_of_parquet_has_one_of_ours(self):
        utc = datetime.timezone.utc
        noon = datetime.datetime(2024, 1, 1, 12, 0, 0, 5000)
        columns = {
            "i8": (pa.int8(), -1, "int", -1), "u16": (pa.uint16(), 65535, "int", 65535),
            "u32": (pa.uint32(), 2**32 - 1, "long", 2**32 - 1), "i64": (pa.int64(), 2**62, "long", 2**62),
            "f": (pa.float32(), 0.5, "float", 0.5), "d": (pa.float64(), 1.5, "double", 1.5), "b": (pa.bool_(), True, "boolean", True),
            "dec": (pa.decimal128(9, 2), decimal.Decimal("1.25"), "decimal(9, 2)", "1.25"),
            "day": (pa.date32(), DAY, "date", "2024-01-01"), "t": (pa.time64("us"), datetime.time(1, 2, 3), "time", "01:02:03"),
            "ms": (pa.timestamp("ms"), noon, "timestamp", "2024-01-01T12:00:00.005"),
            "us": (pa.timestamp("us", "UTC"), noon.replace(tzinfo=utc), "timestamptz", "2024-01-01T12:00:00.005+00:00"),
            "ns": (pa.timestamp("ns"), noon, "timestamp_ns", "2024-01-01T12:00:00.005"),
            "s": (pa.string(), "ü", "string", "ü"), "bin": (pa.binary(), b"\x01", "binary", "01"),
            "fix": (pa.binary(2), b"\x01\x02", "fixed[2]", "0102"), "nothing": (pa.null(), None, "unknown", None),
        }
        table = pa.table({name: pa.array([value], type_) for name, (type_, value, _, _) in columns.items()})
        self.write("a.parquet", table)
        self.assertEqual(self.schema(), {name: column[2] for name, column in columns.items()})
        self.assertEqual(scan(self.folder), [{name: column[3] for name, column in columns.items()}])

    def test_timestamps_of_12_bytes_are_instants(self):
        self.write("a.parquet", pa.table({"t": [datetime.datetime(2024, 1, 1)]}), use_deprecated_int96_timestamps=True)
        self.assertEqual(self.schema(), {"t": "timestamptz"})
        self.assertEqual(scan(self.folder), [{"t": "2024-01-01T00:00:00+00:00"}])

    def test_files_promote_to_one_schema(self):
        self.write("k=1/a.parquet", pa.table({"n": pa.array([1], pa.int32()), "d": pa.array([decimal.Decimal("1.5")], pa.decimal128(5, 1))}))
        self.write("k=1/b.orc", pa.table({"n": pa.array([2**40], pa.int64()), "x": ["new"]}))
        self.write("k=2/c.parquet", pa.table({"d": pa.array([decimal.Decimal("2.5")], pa.decimal128(9, 1)), "n": pa.array([None], pa.null())}))
        self.assertEqual(self.schema(), {"n": "long", "d": "decimal(9, 1)", "x": "string", "k": "int"})
        rows = sorted(scan(self.folder), key=lambda row: str(row["d"]))
        self.assertEqual(rows, [{"n": 1, "d": "1.5", "x": None, "k": 1}, {"n": None, "d": "2.5", "x": None, "k": 2},
                                {"n": 2**40, "d": None, "x": "new", "k": 1}])
        # Bounds of an int are those of the long that it becomes; the others say nothing of n.
        self.assertEqual(json.loads(nunatak("plan", self.folder, "--where", "n = 2", "--format", "json"))["files"], 2)
        self.assertEqual(len(scan(self.folder, "--where", "n = 1")), 1)

    def test_types_that_do_not_go_together_are_an_error(self):
        self.write("a.parquet", pa.table({"s": [{"x": 1}]}))
        self.write("b.parquet", pa.table({"s": [{"x": "one"}]}))
        error = nunatak("scan", self.folder, code=4)
        self.assertIn("b.parquet: column s: column x: it is a string here and a long", error)

    def test_nested_columns_go_by_name_whatever_field_ids_say(self):
        def ids(n):
            return {b"PARQUET:field_id": str(n).encode()}
        struct = pa.struct([pa.field("a", pa.int32(), metadata=ids(1)), pa.field("b", pa.list_(pa.int32()), metadata=ids(3))])
        other = pa.struct([pa.field("b", pa.list_(pa.int32()), metadata=ids(1))])
        self.write("a.parquet", pa.table({"s": [{"a": 1, "b": [1, None]}]}, schema=pa.schema([pa.field("s", struct, metadata=ids(7))])))
        self.write("b.parquet", pa.table({"s": [{"b": []}]}, schema=pa.schema([pa.field("s", other, metadata=ids(2))])))
        self.assertEqual(scan(self.folder), [{"s": {"a": 1, "b": [1, None]}}, {"s": {"a": None, "b": []}}])


class Pruning(Directories):
    """What paths and footers leave out has no row that the filter wants."""

    ROWS = 400

    def random_rows(self, rng):
        def maybe(value):
            return None if rng.random() < 0.15 else value
        return [{"n": maybe(rng.randint(-50, 50)), "x": maybe(rng.choice([float("nan"), -0.0, 0.0, rng.uniform(-5, 5)])),
                 "s": maybe(rng.choice(["", "a", "ab", "ü", "z" * 40])), "d": maybe(DAY + datetime.timedelta(rng.randint(0, 40))),
                 "g": maybe({"y": maybe(rng.randint(0, 9))}), "k": rng.randint(0, 3)} for _ in range(self.ROWS)]

    def write_rows(self, rows, rng):
        """Sorted by one column here and there, in several row groups, with statistics here and there."""
        schema = pa.schema([("n", pa.int32()), ("x", pa.float64()), ("s", pa.string()), ("d", pa.date32()), ("g", pa.struct([("y", pa.int64())]))])
        for k in range(4):
            chosen = [row for row in rows if row["k"] == k]
            chosen.sort(key=lambda row: row["n"] if row["n"] is not None else -99)
            for part in range(0, len(chosen), 30):
                data = [{name: row[name] for name in schema.names} for row in chosen[part:part + 30]]
                self.write(f"k={k}/part-{part}.parquet", pa.Table.from_pylist(data, schema), row_group_size=rng.randint(1, 12),
                           write_statistics=rng.random() < 0.8)

    # What a filter is true for; nulls are not.
    FILTERS = {
        "n > 20": lambda r: r["n"] is not None and r["n"] > 20,
        "n = 7 and k < 2": lambda r: r["n"] == 7 and r["k"] < 2,
        "n is null": lambda r: r["n"] is None,
        "x < -3": lambda r: r["x"] is not None and r["x"] < -3,
        "x = 0": lambda r: r["x"] == 0,
        "s = ''": lambda r: r["s"] == "",
        "s > 'b'": lambda r: r["s"] is not None and r["s"].encode() > b"b",
        "d >= date '2024-02-01'": lambda r: r["d"] is not None and r["d"] >= datetime.date(2024, 2, 1),
        "g.y = 3": lambda r: r["g"] is not None and r["g"]["y"] == 3,
        "g.y is null": lambda r: r["g"] is None or r["g"]["y"] is None,
        "k in (1, 3) and not n < 0": lambda r: r["k"] in (1, 3) and r["n"] is not None and r["n"] >= 0,
        "k <> 2 or s = 'ü'": lambda r: r["k"] != 2 or r["s"] == "ü",
        "n between -5 and 5 or d is null": lambda r: (r["n"] is not None and -5 <= r["n"] <= 5) or r["d"] is None,
        "k is null": lambda r: False,
        "k is not null and n <= -50": lambda r: r["n"] is not None and r["n"] <= -50,
    }

    def test_what_is_left_is_what_the_filter_wants(self):
        for seed in range(3):
            rng = random.Random(seed)
            rows = self.random_rows(rng)
            self.folder = self.folder.with_name(f"seed {seed}")
            self.write_rows(rows, rng)
            for text, wanted in self.FILTERS.items():
                with self.subTest(seed=seed, filter=text):
                    count = json.loads(nunatak("count", self.folder, "--where", text, "--format", "json"))["count"]
                    self.assertEqual(count, sum(map(wanted, rows)))
            self.assertIn("sound", nunatak("verify", self.folder, "--deep"))


if __name__ == "__main__":
    unittest.main()
