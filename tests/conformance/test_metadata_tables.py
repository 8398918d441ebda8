#!/usr/bin/env python3
"""The metadata tables as verbs: their columns, and what can be asked of them.

Expected values are those of the tables' own metadata, or follow from how the tables were made (tests/data/README.md).
"""
import collections
import json
import os
import unittest

from command import CommandError, Nunatak
from engine_tables import DATA, location

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
NUNATAK = Nunatak(os.environ.get("NUNATAK", os.path.join(ROOT, "build", "nunatak")))

FILE_COLUMNS = [
    "content", "file_path", "file_format", "spec_id", "partition", "record_count", "file_size_in_bytes", "column_sizes",
    "value_counts", "null_value_counts", "nan_value_counts", "lower_bounds", "upper_bounds", "key_metadata",
    "split_offsets", "equality_ids", "sort_order_id", "first_row_id", "referenced_data_file", "content_offset",
    "content_size_in_bytes"]

# What the Java implementation's tables have.
COLUMNS = {
    "snapshots": ["committed_at", "snapshot_id", "parent_id", "operation", "manifest_list", "summary"],
    "history": ["made_current_at", "snapshot_id", "parent_id", "is_current_ancestor"],
    "refs": ["name", "type", "snapshot_id", "max_reference_age_in_ms", "min_snapshots_to_keep",
             "max_snapshot_age_in_ms"],
    "metadata-log-entries": ["timestamp", "file", "latest_snapshot_id", "latest_schema_id", "latest_sequence_number"],
    "manifests": ["content", "path", "length", "partition_spec_id", "added_snapshot_id", "added_data_files_count",
                  "existing_data_files_count", "deleted_data_files_count", "added_delete_files_count",
                  "existing_delete_files_count", "deleted_delete_files_count", "partition_summaries"],
    "files": FILE_COLUMNS + ["readable_metrics"],
    "data-files": FILE_COLUMNS + ["readable_metrics"],
    "delete-files": FILE_COLUMNS + ["readable_metrics"],
    "entries": ["status", "snapshot_id", "sequence_number", "file_sequence_number", "data_file", "readable_metrics"],
    "partitions": ["partition", "spec_id", "record_count", "file_count", "total_data_file_size_in_bytes",
                   "position_delete_record_count", "position_delete_file_count", "equality_delete_record_count",
                   "equality_delete_file_count", "last_updated_at", "last_updated_snapshot_id"],
    "position-deletes": ["file_path", "pos", "row", "partition", "spec_id", "delete_file_path"],
}


MERGE_ON_READ = location("mor-pos-partition")
VECTORS = location("dv-basic")
BOOKSHOP = str(max((DATA / "bookshop-orders" / "metadata").glob("*.metadata.json")))


class Columns(unittest.TestCase):
    def test_they_are_those_of_the_java_implementation(self):
        for verb, columns in COLUMNS.items():
            with self.subTest(verb):
                self.assertEqual(list(NUNATAK.rows(verb, MERGE_ON_READ)[0]), columns)

    def test_the_tables_of_every_snapshot_have_those_of_one(self):
        for verb, of_one in (("all-files", "files"), ("all-data-files", "files"), ("all-delete-files", "files"),
                             ("all-entries", "entries")):
            with self.subTest(verb):
                self.assertEqual(list(NUNATAK.rows(verb, MERGE_ON_READ)[0]), COLUMNS[of_one])
        self.assertEqual(list(NUNATAK.rows("all-manifests", MERGE_ON_READ)[0]),
                         COLUMNS["manifests"] + ["reference_snapshot_id", "key_metadata"])

    def test_an_unpartitioned_table_has_no_partition(self):
        self.assertNotIn("partition", NUNATAK.rows("files", BOOKSHOP)[0])
        [row] = NUNATAK.rows("partitions", BOOKSHOP)
        self.assertEqual(list(row), COLUMNS["partitions"][2:])

    def test_vectors_say_where_they_lie(self):
        self.assertEqual(list(NUNATAK.rows("position-deletes", VECTORS)[0]),
                         COLUMNS["position-deletes"][:3] + ["spec_id", "delete_file_path", "content_offset",
                                                            "content_size_in_bytes"])


class Rows(unittest.TestCase):
    def test_partitions_add_up_the_files(self):
        totals = collections.defaultdict(collections.Counter)
        for file in NUNATAK.rows("files", MERGE_ON_READ):
            kind = ("", "position_delete_", "equality_delete_")[file["content"]]
            total = totals[json.dumps(file["partition"])]
            total[kind + "record_count"] += file["record_count"]
            total[kind + "file_count"] += 1
            if not kind:
                total["total_data_file_size_in_bytes"] += file["file_size_in_bytes"]
        partitions = {json.dumps(row["partition"]): row for row in NUNATAK.rows("partitions", MERGE_ON_READ)}
        self.assertEqual(partitions.keys(), totals.keys())
        for partition, total in totals.items():
            for name, number in total.items():
                self.assertEqual(partitions[partition][name], number, (partition, name))

    def test_position_deletes_are_what_the_scan_marks_as_deleted(self):
        for table in (MERGE_ON_READ, VECTORS):
            marked = NUNATAK.rows("scan", table, "--select", "_file,_pos,_deleted", "--where", "_deleted = true")
            live = {file["file_path"] for file in NUNATAK.rows("data-files", table)}
            listed = {(row["file_path"], row["pos"]) for row in NUNATAK.rows("position-deletes", table)}
            self.assertEqual({(row["_file"], row["_pos"]) for row in marked},
                             {(path, pos) for path, pos in listed if path in live})
            self.assertTrue(marked)

    def test_deep_manifests_name_the_schema_that_they_were_written_with(self):
        table = location("partition-source-promoted")
        with open(table, encoding="utf-8") as file:
            schemas = {schema["schema-id"] for schema in json.load(file)["schemas"]}
        rows = NUNATAK.rows("manifests", table, "--deep")
        self.assertGreater(len({row["schema_id"] for row in rows}), 1)
        self.assertLessEqual({row["schema_id"] for row in rows}, schemas)

    def test_the_log_says_which_snapshot_was_current(self):
        rows = NUNATAK.rows("metadata-log-entries", BOOKSHOP)
        self.assertIsNone(rows[0]["latest_snapshot_id"])
        self.assertEqual([row["latest_snapshot_id"] for row in rows[1:]],
                         [row["snapshot_id"] for row in NUNATAK.rows("history", BOOKSHOP)])
        self.assertEqual(rows[-1]["latest_sequence_number"], len(rows) - 1)


class Questions(unittest.TestCase):
    def test_a_filter_keeps_what_passes(self):
        every = NUNATAK.rows("files", MERGE_ON_READ)
        for text, passes in (("content = 1", lambda file: file["content"] == 1),
                             ("partition.k = 'k0' and record_count > 3",
                              lambda file: file["partition"]["k"] == "k0" and file["record_count"] > 3),
                             ("readable_metrics.id.lower_bound >= 10",
                              lambda file: (file["readable_metrics"]["id"]["lower_bound"] or 0) >= 10),
                             ("value_counts is null", lambda file: file["value_counts"] is None)):
            with self.subTest(text):
                want = [file for file in every if passes(file)]
                self.assertTrue(0 < len(want) < len(every))
                self.assertEqual(NUNATAK.rows("files", MERGE_ON_READ, "--where", text), want)

    def test_columns_can_be_selected_and_filtered_apart(self):
        rows = NUNATAK.rows("files", MERGE_ON_READ, "--select", "readable_metrics.id.upper_bound,file_path",
                            "--where", "content = 0")
        self.assertEqual(rows, [{"readable_metrics": {"id": {"upper_bound": file["readable_metrics"]["id"]["upper_bound"]}},
                                 "file_path": file["file_path"]}
                                for file in NUNATAK.rows("data-files", MERGE_ON_READ)])

    def test_a_limit_ends_the_rows(self):
        every = NUNATAK.rows("all-entries", MERGE_ON_READ)
        for limit in (0, 1, 7, 1000):
            self.assertEqual(NUNATAK.rows("all-entries", MERGE_ON_READ, "--limit", str(limit)), every[:limit])

    def test_an_earlier_snapshot_has_its_own_files(self):
        snapshots = NUNATAK.rows("snapshots", BOOKSHOP)
        for snapshot in snapshots[:3]:
            choice = ("--snapshot", str(snapshot["snapshot_id"]))
            self.assertEqual(len(NUNATAK.rows("data-files", BOOKSHOP, *choice)),
                             int(snapshot["summary"]["total-data-files"]))
            [partition] = NUNATAK.rows("partitions", BOOKSHOP, *choice)
            self.assertEqual(partition["record_count"], int(snapshot["summary"]["total-records"]))
            self.assertEqual(partition["last_updated_snapshot_id"], snapshot["snapshot_id"])

    def test_a_chosen_snapshot_limits_rows_about_snapshots_to_its_history(self):
        snapshots = NUNATAK.rows("snapshots", BOOKSHOP)
        choice = ("--snapshot", str(snapshots[1]["snapshot_id"]))
        self.assertEqual(NUNATAK.rows("snapshots", BOOKSHOP, *choice), snapshots[:2])
        self.assertEqual(len(NUNATAK.rows("metadata-log-entries", BOOKSHOP, *choice)), 2)
        self.assertEqual(NUNATAK.rows("refs", BOOKSHOP, *choice), [])

    def test_an_unknown_column_is_a_usage_error(self):
        for flag in ("--where", "--select"):
            with self.assertRaises(CommandError) as caught:
                NUNATAK.rows("partitions", BOOKSHOP, flag, "nothing = 1" if flag == "--where" else "nothing")
            self.assertEqual(caught.exception.code, 2)


if __name__ == "__main__":
    unittest.main()
