#!/usr/bin/env python3
"""The verb history-of: the versions of a row follow from the rows of each snapshot."""
import glob
import json
import os
import shutil
import tempfile
import unittest

from test_command_line import BOOKSHOP, DATA, run

CORPUS = os.path.join(os.environ.get("NUNATAK_CORPUS", ""), "iceberg")
# Their rows have a column id that tells them apart.
BY_KEY = ("changelog-appends", "changelog-cow", "changelog-mor", "row-lineage", "row-lineage-mor", "row-lineage-avro",
          "dv-basic", "eq-delete-single")
BY_ROW_ID = ("row-lineage", "row-lineage-mor", "row-lineage-avro")


def lines(verb, table, *arguments):
    code, out, err = run(verb, table, *arguments, "--moved", "--format", "ndjson")
    assert code == 0, err
    return [json.loads(line) for line in out.splitlines()]


def table_named(name):
    for root in (os.path.join(DATA, "iceberg"), CORPUS):
        if os.path.isdir(os.path.join(root, name)):
            return os.path.join(root, name)
    return None


def versions(table, key):
    """By the value of a column: [row, written by, removed by] for each version that some snapshot shows."""
    found = {}
    for snapshot in lines("snapshots", table):
        snapshot_id = snapshot["snapshot_id"]
        rows = {row[key]: row for row in lines("scan", table, "--snapshot", str(snapshot_id), "--select", f"*,{key}")}
        for value, history in found.items():
            if history[-1][2] is None and rows.get(value) != history[-1][0]:
                history[-1][2] = snapshot_id
        for value, row in rows.items():
            if value not in found or found[value][-1][2] is not None:
                found.setdefault(value, []).append([row, snapshot_id, None])
    return found


class Versions(unittest.TestCase):
    def compare(self, name, key, arguments_for):
        table = table_named(name)
        if table is None:
            return 0
        removed = 0
        expected = versions(table, key)
        for value, history in list(expected.items())[:12] + list(expected.items())[-4:]:
            if value is None:
                continue
            got = [[{column: version[column] for column in history[0][0]}, version["_written_by"], version["_removed_by"]]
                   for version in lines("history-of", table, *arguments_for(value))]
            self.assertEqual(got, history, f"{name} {key} = {value}")
            removed += history[-1][2] is not None
        return removed

    def test_by_key(self):
        removed = sum(self.compare(name, "id", lambda value: ("--key", f"id={value}")) for name in BY_KEY)
        self.assertGreater(removed, 4 if table_named("changelog-cow") is None else 20, "rows that were deleted")

    def test_by_row_id(self):
        for name in BY_ROW_ID:
            self.compare(name, "_row_id", lambda value: ("--row-id", str(value)))

    @unittest.skipUnless(table_named("row-lineage"), "no corpus is given")
    def test_each_version_was_written_when_spark_says_that_it_changed(self):
        table = table_named("row-lineage")
        with open(table + ".expect.json", encoding="utf-8") as file:
            expect = json.load(file)
        sequence = {snapshot["id"]: snapshot["sequence_number"] for snapshot in expect["snapshots"]}
        written = {}
        for step in expect["row_lineage_steps"]:
            for row in step["rows"]:
                seen = written.setdefault(row["_row_id"], [])
                if row["_last_updated_sequence_number"] not in seen:
                    seen.append(row["_last_updated_sequence_number"])
        for row_id, numbers in written.items():
            got = [sequence[version["_written_by"]] for version in lines("history-of", table, "--row-id", str(row_id))]
            self.assertEqual(got, numbers, row_id)


class Asking(unittest.TestCase):
    def test_who_deleted_this_row(self):
        table = table_named("dv-basic")
        deletion = lines("snapshots", table)[-1]
        still = {row["id"] for row in lines("scan", table)}
        gone = {row["id"] for row in lines("scan", table, "--snapshot", str(deletion["parent_id"]))} - still
        for row in gone:
            version, = lines("history-of", table, "--key", f"id={row}")
            self.assertEqual((version["_removed_by"], version["_removed_at"], version["_removed_operation"]),
                             (deletion["snapshot_id"], deletion["committed_at"], deletion["operation"]))
        self.assertTrue(gone)
        version, = lines("history-of", table, "--key", f"id={min(still)}")
        self.assertIsNone(version["_removed_by"])

    def test_only_files_that_may_hold_the_row_are_opened(self):
        with tempfile.TemporaryDirectory() as folder:
            table = os.path.join(folder, "table")
            shutil.copytree(BOOKSHOP, table)
            holds = {row["_file"].rsplit("/", 1)[1]
                     for snapshot in lines("snapshots", BOOKSHOP)
                     for row in lines("scan", BOOKSHOP, "--snapshot", str(snapshot["snapshot_id"]),
                                      "--where", "order_id = 17", "--select", "_file")}
            gone = [path for path in glob.glob(os.path.join(table, "data", "**", "*.parquet"), recursive=True)
                    if os.path.basename(path) not in holds]
            self.assertTrue(gone)
            for path in gone:
                os.remove(path)
            self.assertEqual(lines("history-of", table, "--key", "order_id=17"),
                             lines("history-of", BOOKSHOP, "--key", "order_id=17"))

    def test_keys_of_several_columns_and_quotes(self):
        row, = lines("scan", BOOKSHOP, "--where", "order_id = 17")
        key = f"order_id=17,\"title\"='{row['title']}'"
        self.assertEqual(lines("history-of", BOOKSHOP, "--key", key), lines("history-of", BOOKSHOP, "--key", "order_id=17"))
        self.assertEqual(lines("history-of", BOOKSHOP, "--key", "order_id=17,title=null"), [])

    def test_what_does_not_fit_is_said(self):
        for arguments in ((), ("--key", "order_id=17", "--row-id", "3"), ("--row-id", "3"), ("--key", "nothing=1"),
                          ("--key", "order_id=abc"), ("--key", "order_id"), ("--key", "title='x"), ("--key", "_row_id=1")):
            code, out, err = run("history-of", BOOKSHOP, "--moved", *arguments)
            self.assertEqual((code, out), (2, ""), f"{arguments}: {err}")


if __name__ == "__main__":
    unittest.main()
