#!/usr/bin/env python3
"""Splits and task files on the command line: what they are cut into, and that no row is lost or read twice."""
import json
import os
import subprocess
import tempfile
import unittest

import cache_home  # noqa: F401, what it does is done by importing it

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
DATA = os.path.join(ROOT, "tests", "data")
BOOKSHOP = os.path.join(DATA, "bookshop-orders")
NUNATAK = os.environ.get("NUNATAK", os.path.join(ROOT, "build", "nunatak"))
TABLES = [BOOKSHOP] + [os.path.join(DATA, "iceberg", name) for name in ("dv-basic", "mor-pos-partition", "part-days-tstz",
                                                                      "v1-upgraded-v2", "weird-names", "eq-delete-dropped-column")]


def run(*arguments):
    done = subprocess.run([NUNATAK, *arguments, "--moved"], capture_output=True, timeout=120)
    return done.returncode, done.stdout, done.stderr.decode()


def output(*arguments):
    code, out, err = run(*arguments)
    if code != 0:
        raise AssertionError(err)
    return out


def plan(*arguments):
    return json.loads(output("plan", *arguments, "--format", "json"))


def rows(*arguments):
    return sorted(output("scan", *arguments, "--format", "ndjson").splitlines())


class Splits(unittest.TestCase):
    def test_splits_cover_each_file_exactly(self):
        for table in TABLES:
            for size in ("1", "300B", "1k", "128MB"):
                ranges = {}
                for task in plan(table, "--split-size", size)["tasks"]:
                    file = task["data-file"]
                    ranges.setdefault((file["file-path"], file["file-size-in-bytes"]), []).append((task["start"], task["length"]))
                self.assertEqual(len(ranges), len(plan(table)["tasks"]))
                for (path, end), found in ranges.items():
                    at = 0
                    for start, length in sorted(found):
                        self.assertEqual(start, at, path)
                        at += length
                    self.assertEqual(at, end, path)

    def test_groups_hold_all_tasks_in_order(self):
        split = plan(BOOKSHOP, "--split-size", "1")
        self.assertEqual(sum(group["tasks"] for group in split["groups"]), len(split["tasks"]))
        # Opening a file costs 4 MiB, more than any of these files has bytes.
        self.assertEqual({group["weight"] for group in split["groups"]}, {4 << 20})
        # All of them fit into one group of 128 MiB.
        files = plan(BOOKSHOP)["files"]
        self.assertLessEqual(files, 32)
        self.assertEqual(plan(BOOKSHOP, "--splits")["groups"], [{"tasks": files, "weight": files * (4 << 20)}])

    def test_a_plan_without_splits_has_whole_files_and_no_groups(self):
        whole = plan(BOOKSHOP)
        self.assertNotIn("groups", whole)
        self.assertTrue(all(task["length"] == task["data-file"]["file-size-in-bytes"] for task in whole["tasks"]))

    def test_rows_name_group_and_range(self):
        found = [json.loads(line) for line in output("plan", BOOKSHOP, "--split-size", "1", "--format", "ndjson").splitlines()]
        whole = plan(BOOKSHOP, "--split-size", "1")
        self.assertEqual([(row["start"], row["length"]) for row in found], [(t["start"], t["length"]) for t in whole["tasks"]])
        self.assertEqual([row["group"] for row in found], list(range(len(whole["groups"]))))
        self.assertIn(b"splits in ", output("plan", BOOKSHOP, "--splits"))

    def test_sizes_that_are_none(self):
        for size in ("0", "-1", "", "1.5MB", "much"):
            code, out, err = run("plan", BOOKSHOP, "--moved", f"--split-size={size}")
            self.assertEqual((code, out), (2, b""), size)
            self.assertIn("--split-size", err)


class TaskFiles(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.file = os.path.join(directory.name, "tasks")

    def test_what_was_planned_is_read(self):
        for table in TABLES:
            for options in ([], ["--split-size", "1"], ["--split-size", "200"], ["--splits"]):
                output("plan", table, "--tasks", self.file, *options)
                self.assertEqual(rows(table, "--tasks", self.file), rows(table), f"{table} {options}")

    def test_filters_and_columns(self):
        where = ["--where", "order_id > 200 and status = 'shipped'"]
        output("plan", BOOKSHOP, "--tasks", self.file, "--split-size", "1", *where)
        self.assertEqual(rows(BOOKSHOP, "--tasks", self.file), rows(BOOKSHOP, *where))
        select = ["--select", "amount,order_id"]
        self.assertEqual(rows(BOOKSHOP, "--tasks", self.file, *select), rows(BOOKSHOP, *where, *select))

    def test_as_json_too(self):
        where = ["--where", "order_id > 200 and status = 'shipped'"]
        for options in ([], ["--split-size", "200"], where, ["--select", "amount,order_id"]):
            output("plan", BOOKSHOP, "--tasks", self.file, "--format", "json", *options)
            with open(self.file, encoding="utf-8") as file:
                written = json.load(file)
            self.assertEqual(written["schema"]["fields"][0]["name"], "order_id")
            same = options if options[:1] != ["--split-size"] else []
            self.assertEqual(rows(BOOKSHOP, "--tasks", self.file), rows(BOOKSHOP, *same), options)

    def test_the_columns_of_the_plan_are_those_of_the_scan(self):
        select = ["--select", "amount,order_id"]
        output("plan", BOOKSHOP, "--tasks", self.file, *select)
        self.assertEqual(rows(BOOKSHOP, "--tasks", self.file), rows(BOOKSHOP, *select))

    def test_standard_output_is_the_same(self):
        output("plan", BOOKSHOP, "--tasks", self.file)
        with open(self.file, "rb") as file:
            self.assertEqual(output("plan", BOOKSHOP, "--tasks", "-"), file.read())

    def test_files_that_do_not_fit(self):
        def fails(code, text, *arguments):
            got, out, err = run("scan", *arguments)
            self.assertEqual((got, out), (code, b""), err)
            self.assertIn(text, err)
        output("plan", BOOKSHOP, "--tasks", self.file)
        fails(2, "of another table", TABLES[1], "--tasks", self.file)
        fails(3, "nowhere", BOOKSHOP, "--tasks", self.file + "-nowhere")
        fails(2, "--where", BOOKSHOP, "--tasks", self.file, "--where", "true")
        with open(self.file, "r+b") as file:
            file.truncate(100)
        fails(4, "byte ", BOOKSHOP, "--tasks", self.file)
        with open(self.file, "wb") as file:
            file.write(b"PAR1")
        fails(4, "no set of scan tasks", BOOKSHOP, "--tasks", self.file)


if __name__ == "__main__":
    unittest.main()
