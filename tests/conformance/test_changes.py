#!/usr/bin/env python3
"""The verb changes, as it is typed."""
import glob
import json
import os
import unittest

from test_command_line import DATA, run

CORPUS = os.path.join(os.environ.get("NUNATAK_CORPUS", ""), "iceberg")
TABLE = os.path.join(DATA, "iceberg", "dv-basic")
REFS = os.path.join(DATA, "iceberg", "refs-branches-tags")


def rows(*arguments):
    code, out, err = run("changes", *arguments, "--moved", "--format", "ndjson")
    assert code == 0, err
    return [json.loads(line) for line in out.splitlines()]


def snapshots(table):
    code, out, _ = run("snapshots", table, "--moved", "--format", "ndjson")
    assert code == 0
    return [json.loads(line) for line in out.splitlines()]


def place(row):
    return row["_change_type"], row["_change_ordinal"], row["_commit_snapshot_id"]


class Range(unittest.TestCase):
    def test_from_the_beginning_every_snapshot_has_its_ordinal(self):
        ids = [snapshot["snapshot_id"] for snapshot in snapshots(TABLE)]
        changes = rows(TABLE, "-")
        self.assertEqual({ids[ordinal] for _, ordinal, _ in map(place, changes)},
                         {snapshot for _, _, snapshot in map(place, changes)})
        self.assertTrue(any(row["_change_type"] == "delete" for row in changes))

    def test_ends_are_ids_refs_and_times(self):
        first = snapshots(TABLE)[0]
        after = rows(TABLE, str(first["snapshot_id"]), "main")
        self.assertEqual(after, rows(TABLE, first["committed_at"]))
        self.assertEqual(after, rows(TABLE, str(first["snapshot_id"])))
        self.assertEqual(rows(TABLE, "main", "main"), [])

    def test_ends_that_do_not_fit(self):
        missing = run("changes", TABLE, "17", "--moved")
        self.assertEqual(missing[0], 3)
        self.assertIn("no snapshot 17", missing[2])
        self.assertEqual(run("changes", TABLE, "-", "nowhere", "--moved")[0], 3)
        self.assertEqual(run("changes", TABLE, "1066-01-01", "--moved")[0], 3)
        branch = next(ref["name"] for ref in (json.loads(line) for line in run(
            "refs", REFS, "--moved", "--format", "ndjson")[1].splitlines())
            if ref["type"] == "BRANCH" and ref["name"] != "main")
        self.assertEqual(run("changes", REFS, branch, "main", "--moved")[0], 2)


class Output(unittest.TestCase):
    def test_types_are_lower_case_and_compared_in_any(self):
        deletes = [row for row in rows(TABLE, "-") if row["_change_type"] == "delete"]
        self.assertTrue(deletes)
        for written in ("delete", "DELETE", "Delete"):
            self.assertEqual(rows(TABLE, "-", "--where", f"_change_type = '{written}'"), deletes)
        self.assertEqual(rows(TABLE, "-", "--where", "_change_type not in ('INSERT', 'UPDATE_AFTER')"), deletes)

    def test_columns_and_limit(self):
        changes = rows(TABLE, "-", "--select", "_change_type,id,_row_id", "--limit", "3")
        self.assertEqual(len(changes), 3)
        self.assertEqual([*changes[0]], ["_change_type", "id", "_row_id"])
        every = rows(TABLE, "-")
        self.assertEqual([*every[0]][-3:], ["_change_type", "_change_ordinal", "_commit_snapshot_id"])
        picked = rows(TABLE, "-", "--where", "id < 5 and _change_ordinal = 0")
        self.assertEqual(picked, [row for row in every if row["id"] < 5 and row["_change_ordinal"] == 0])

    def test_filters_do_not_part_what_belongs_together(self):
        """An update is shown by what the row was, although the filter is about what it became."""
        table = os.path.join(DATA, "iceberg", "row-lineage-avro")
        updates = [row for row in rows(table, "-", "--updates") if row["_change_type"] == "update_after"]
        self.assertTrue(updates)
        value = updates[0]["v"]
        kept = rows(table, "-", "--updates", "--where", f"v = {value}")
        self.assertEqual([r for r in kept if r["_change_type"] == "update_after"], [r for r in updates if r["v"] == value])
        self.assertFalse([r for r in kept if r["_change_type"] == "insert" and r in updates])

    def test_updates_need_something_that_identifies_rows(self):
        code, _, err = run("changes", os.path.join(DATA, "iceberg", "eq-delete-single"), "-", "--updates", "--moved")
        self.assertEqual(code, 2)
        self.assertIn("--identifier", err)
        self.assertEqual(run("changes", TABLE, "-", "--identifier", "nothing", "--moved")[0], 2)


@unittest.skipUnless(os.path.isdir(CORPUS), "no corpus is given")
class Appends(unittest.TestCase):
    def test_rows_of_appends_are_those_of_spark(self):
        compared = 0
        for path in glob.glob(os.path.join(CORPUS, "*.expect.json")):
            with open(path, encoding="utf-8") as file:
                expect = json.load(file)
            if "incremental_append_rows" not in expect:
                continue
            since = next(scan["from_exclusive"] for scan in expect["incremental_append"]
                         if scan["from_exclusive"] and scan["to_inclusive"] == expect["current_snapshot_id"])
            code, out, err = run("scan", path.removesuffix(".expect.json"), "--moved", "--since", str(since), "--select",
                                 "id", "--format", "ndjson")
            self.assertEqual(code, 0, err)
            self.assertEqual(sorted(json.loads(line)["id"] for line in out.splitlines()), expect["incremental_append_rows"])
            compared += 1
        self.assertGreaterEqual(compared, 3)


if __name__ == "__main__":
    unittest.main()
