#!/usr/bin/env python3
"""bookshop.orders, the table that `make demo` opens: what its history determines comes out of the commands.

The table was made by PyIceberg (tests/data/generate_bookshop.py): three appends of 100 rows, a copy-on-write delete of
the last 50, twelve appends of one row. The numbers below follow from that and from the specification, or were printed by PyIceberg.
"""
import collections
import glob
import json
import os
import unittest

from command import Nunatak

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TABLE = os.path.join(ROOT, "tests", "data", "bookshop-orders")
NUNATAK = Nunatak(os.environ.get("NUNATAK", os.path.join(ROOT, "build", "nunatak")))

# Steps of the table's life, as the numbers of its metadata files.
AFTER_APPENDS, AFTER_DELETE, END = 3, 4, 16


def metadata_file(step):
    return glob.glob(os.path.join(TABLE, "metadata", f"{step:05}-*.metadata.json"))[0]


class Counts(unittest.TestCase):
    def test_every_commit_adds_four_files(self):
        history = NUNATAK.rows("history", metadata_file(AFTER_APPENDS), "--files")
        self.assertEqual([row["total_files"] for row in history], [1, 5, 9, 13])
        kinds = ("metadata_files", "manifest_lists", "manifests", "data_files", "delete_files")
        self.assertEqual([tuple(row[kind] for kind in kinds) for row in history],
                         [(1, 0, 0, 0, 0)] + [(1, 1, 1, 1, 0)] * 3)

    def test_the_end_has_16_data_files_and_50_metadata_files(self):
        history = NUNATAK.rows("history", metadata_file(END), "--files")
        total = collections.Counter()
        for row in history:
            total.update({kind: row[kind] for kind in row if isinstance(row[kind], int) and kind.endswith("s")})
        self.assertEqual(total["data_files"], 16)
        self.assertEqual(total["metadata_files"] + total["manifest_lists"] + total["manifests"], 50)
        self.assertEqual(history[-1]["total_files"], 66)

    def test_one_manifest_per_data_file(self):
        for appends, files, snapshots in ((1, 4, 5), (4, 7, 8), (8, 11, 12), (12, 15, 16)):
            table = metadata_file(AFTER_DELETE + appends)
            self.assertEqual(len(NUNATAK.rows("files", table)), files)
            live = [m for m in NUNATAK.rows("manifests", table)
                    if m["added_data_files_count"] + m["existing_data_files_count"] > 0]
            self.assertEqual(len(live), files)
            self.assertEqual(len(NUNATAK.rows("snapshots", table)), snapshots)


class MetadataFile(unittest.TestCase):
    def test_it_has_21_keys(self):
        keys = sorted(NUNATAK.object("show", metadata_file(AFTER_APPENDS), "--metadata"))
        self.assertEqual(keys, [
            "current-schema-id", "current-snapshot-id", "default-sort-order-id", "default-spec-id", "format-version",
            "last-column-id", "last-partition-id", "last-sequence-number", "last-updated-ms", "location", "metadata-log",
            "partition-specs", "partition-statistics", "properties", "refs", "schemas", "snapshot-log", "snapshots",
            "sort-orders", "statistics", "table-uuid"])

    def test_identity_and_counts(self):
        show = NUNATAK.object("show", metadata_file(AFTER_APPENDS))
        self.assertEqual(show["format"], "iceberg")
        self.assertEqual((show["format_version"], show["last_column_id"], show["last_sequence_number"]), (2, 8, 3))
        counts = show["counts"]
        self.assertEqual((counts["schemas"], counts["partition_specs"], counts["sort_orders"], counts["snapshots"],
                          counts["metadata_log"], counts["statistics"], counts["partition_statistics"]), (1, 1, 1, 3, 3, 0, 0))
        self.assertEqual(show["refs"], {"main": show["current_snapshot_id"]})

    def test_schema(self):
        fields = NUNATAK.object("schema", TABLE)["fields"]
        self.assertEqual([(f["id"], f["name"], f["required"], f["type"]) for f in fields], [
            (1, "order_id", True, "long"), (2, "customer_id", True, "long"), (3, "title", False, "string"),
            (4, "country", False, "string"), (5, "quantity", False, "int"), (6, "amount", False, "double"),
            (7, "status", False, "string"), (8, "ordered_at", True, "timestamp")])

    def test_the_metadata_log_names_every_file_before_this_one(self):
        log = NUNATAK.object("show", metadata_file(AFTER_DELETE))["metadata_log"]
        self.assertEqual([os.path.basename(entry["file"]) for entry in log],
                         [os.path.basename(metadata_file(step)) for step in range(4)])
        history = NUNATAK.rows("history", metadata_file(AFTER_DELETE), "--files")
        self.assertIsNone(history[0]["snapshot_id"])
        ids = [row["snapshot_id"] for row in NUNATAK.rows("snapshots", metadata_file(AFTER_DELETE))]
        self.assertEqual([row["snapshot_id"] for row in history[1:]], ids)


class Manifests(unittest.TestCase):
    def test_columns(self):
        rows = NUNATAK.rows("manifests", metadata_file(AFTER_APPENDS))
        self.assertEqual(list(rows[0]), [
            "content", "path", "length", "partition_spec_id", "added_snapshot_id", "added_data_files_count",
            "existing_data_files_count", "deleted_data_files_count", "added_delete_files_count",
            "existing_delete_files_count", "deleted_delete_files_count", "partition_summaries"])
        self.assertEqual([row["added_data_files_count"] for row in rows], [1, 1, 1])
        for row in rows:
            path = os.path.join(TABLE, "metadata", os.path.basename(row["path"]))
            self.assertEqual(row["length"], os.path.getsize(path))
            self.assertEqual((row["content"], row["partition_summaries"]), (0, []))

    def test_bounds_of_the_newest_file(self):
        newest = NUNATAK.rows("files", metadata_file(AFTER_APPENDS))[0]
        self.assertEqual((newest["record_count"], newest["file_format"]), (100, "PARQUET"))
        self.assertEqual((newest["lower_bounds"]["1"], newest["upper_bounds"]["1"]),
                         ("C900000000000000", "2C01000000000000"))
        self.assertEqual(newest["lower_bounds"]["7"], b"placed".hex().upper())
        bounds = {name: (m["lower_bound"], m["upper_bound"]) for name, m in newest["readable_metrics"].items()}
        self.assertEqual(bounds, {
            "order_id": (201, 300), "customer_id": (1, 5), "title": ("Anathem", "Neuromancer"), "country": ("GB", "US"),
            "quantity": (1, 3), "amount": (30.0, 79.5), "status": ("placed", "placed"),
            "ordered_at": ("2026-06-01T00:00:00", "2026-06-01T01:39:00")})
        self.assertEqual({m["null_value_count"] for m in newest["readable_metrics"].values()}, {0})
        self.assertEqual(sorted(newest["column_sizes"], key=int), [str(i) for i in range(1, 9)])
        self.assertEqual(newest["file_size_in_bytes"],
                         os.path.getsize(os.path.join(TABLE, "data", os.path.basename(newest["file_path"]))))


class Pruning(unittest.TestCase):
    def test_filters_at_the_third_snapshot(self):
        for where, files, rows in (("order_id >= 1", 3, 300), ("order_id > 250", 1, 50), ("order_id > 500", 0, 0),
                                   ("status = 'shipped'", 1, 100), ("status == 'shipped'", 1, 100)):
            table = metadata_file(AFTER_APPENDS)
            plan = NUNATAK.object("plan", table, "--where", where)
            self.assertEqual((plan["files"], plan["manifests"]), (files, {"total": 3, "read": 3}), where)
            self.assertEqual(NUNATAK.object("count", table, "--where", where), {"count": rows}, where)
            self.assertEqual(len(NUNATAK.rows("scan", table, "--where", where)), rows, where)

    def test_the_third_snapshot_is_reached_from_the_end(self):
        third = NUNATAK.rows("snapshots", TABLE)[2]
        for choice in (("--snapshot", str(third["snapshot_id"])), ("--as-of", third["committed_at"])):
            self.assertEqual(NUNATAK.object("count", TABLE, *choice), {"count": 300})


class Delete(unittest.TestCase):
    def test_it_rewrites_the_file_that_it_touches(self):
        table = metadata_file(AFTER_DELETE)
        self.assertEqual(NUNATAK.object("count", table), {"count": 250})
        self.assertEqual(len(NUNATAK.rows("files", table)), 3)
        entries = [(e["status"], e["sequence_number"], e["data_file"]["record_count"]) for e in NUNATAK.rows("entries", table)]
        self.assertEqual(sorted(entries, reverse=True), [(2, 3, 100), (1, 4, 50), (1, 2, 100), (1, 1, 100)])

    def test_summary(self):
        snapshot = NUNATAK.rows("snapshots", metadata_file(AFTER_DELETE))[-1]
        summary = snapshot["summary"]
        for key, want in (("added-data-files", "1"), ("deleted-data-files", "1"), ("added-records", "50"),
                          ("deleted-records", "100"), ("total-data-files", "3"), ("total-records", "250"),
                          ("total-delete-files", "0"), ("total-position-deletes", "0")):
            self.assertEqual(summary[key], want, key)
        sizes = {f["file_path"]: f["file_size_in_bytes"] for f in NUNATAK.rows("files", metadata_file(AFTER_DELETE))}
        self.assertEqual(summary["total-files-size"], str(sum(sizes.values())))

    def test_the_old_file_is_still_there(self):
        self.assertEqual(len(os.listdir(os.path.join(TABLE, "data"))), 16)
        self.assertEqual(NUNATAK.object("count", metadata_file(AFTER_APPENDS)), {"count": 300})


class Tree(unittest.TestCase):
    def test_four_layers(self):
        tree = NUNATAK.object("tree", metadata_file(AFTER_DELETE))
        self.assertEqual(os.path.basename(tree["metadata_location"]), os.path.basename(metadata_file(AFTER_DELETE)))
        [snapshot] = tree["snapshots"]
        manifests = snapshot["manifests"]
        self.assertEqual(sum(len(manifest["files"]) for manifest in manifests), 4)
        statuses = collections.Counter(file["status"] for manifest in manifests for file in manifest["files"])
        self.assertEqual(statuses, {"ADDED": 3, "DELETED": 1})


class Rows(unittest.TestCase):
    def test_every_row_of_the_third_snapshot(self):
        rows = NUNATAK.rows("scan", metadata_file(AFTER_APPENDS))
        self.assertEqual(sorted(row["order_id"] for row in rows), list(range(1, 301)))
        last = next(row for row in rows if row["order_id"] == 300)
        self.assertEqual(last, {"order_id": 300, "customer_id": 5, "title": "Neuromancer", "country": "GB", "quantity": 1,
                                "amount": 79.5, "status": "placed", "ordered_at": "2026-06-01T01:39:00"})

    def test_select_and_limit(self):
        text = NUNATAK.run("scan", TABLE, "--select", "status,order_id", "--where", "order_id = 7", "--format", "csv")
        self.assertEqual(text, "status,order_id\ndelivered,7\n")
        self.assertEqual(len(NUNATAK.rows("scan", TABLE, "--limit", "5")), 5)


if __name__ == "__main__":
    unittest.main()
