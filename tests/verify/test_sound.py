#!/usr/bin/env python3
"""`nunatak verify` finds nothing wrong with tables as engines wrote them, but for what they are known to get wrong."""
import tempfile
import unittest

try:
    from damaged_table import DamagedTable
except ImportError as error:
    raise unittest.SkipTest("pyarrow is not installed for this Python") from error

from nunatak_command import verify

from engine_tables import tables

# What engines wrote against the specification: docs/verify.md, "What writers are known to do".
KNOWN = {
    # Files that add_files brings in with whole manifests are not in the sizes of the summary.
    "imported-add-files": {("warning", "summary-sizes")},
    "imported-avro": {("warning", "summary-sizes")},
}
# Files that are fine, but need what is not read: ORC timestamps beyond what nanoseconds reach.
NOT_READ = {"primitives-v3-orc": {("warning", "not-checked")}}


class Sound(unittest.TestCase):
    def check(self, *arguments, known=None):
        known = known or KNOWN
        count = 0
        for name, table in tables():
            with self.subTest(name):
                count += 1
                code, findings = verify(table, *arguments)
                found = {(f["severity"], f["check"]) for f in findings}
                self.assertEqual(found, known.get(name, set()), findings)
                self.assertEqual(code, 0)
        self.assertGreater(count, 15)

    def test_current_snapshots(self):
        self.check()

    def test_all_snapshots(self):
        self.check("--all")

    def test_every_row_of_all_snapshots(self):
        self.check("--all", "--deep", known=KNOWN | NOT_READ)


class Changed(unittest.TestCase):
    """What is sound, though no engine here writes it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_manifests_without_file_sequence_numbers(self):
        table = DamagedTable("eq-delete-single", self.folder)
        place = table.place_of(0, 2)
        number = table.manifests()[place]["sequence_number"]

        def edit(container):
            fields = container.schema["fields"]
            fields[:] = [f for f in fields if f["name"] != "file_sequence_number"]
            for record in container.records:
                record.update(status=0, sequence_number=number)
        table.edit_container(0, edit, 2)

        def edit_counts(records):
            for what in ("files_count", "rows_count"):
                records[place][f"existing_{what}"] = records[place][f"added_{what}"]
                records[place][f"added_{what}"] = 0
        table.edit_list(edit_counts)
        self.assertEqual(verify(table.metadata_path, "--deep"), (0, []))

    def test_an_ancestor_has_expired(self):
        table = DamagedTable("eq-delete-single", self.folder)
        gone = table.metadata["snapshots"].pop(2)["snapshot-id"]
        log = table.metadata["snapshot-log"]
        log[:] = log[1 + next(i for i, e in enumerate(log) if e["snapshot-id"] == gone):]
        table.metadata["refs"]["first"] = {"snapshot-id": table.snapshot(0)["snapshot-id"], "type": "tag"}
        table.save()
        self.assertEqual(verify(table.metadata_path, "--all"), (0, []))


if __name__ == "__main__":
    unittest.main()
