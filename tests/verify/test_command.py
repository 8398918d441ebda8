#!/usr/bin/env python3
"""What `nunatak verify` and `nunatak du` print for people, and their exit codes."""
import csv
import io
import json
import os
import subprocess
import tempfile
import unittest

try:
    from damaged_table import DATA, DamagedTable
except ImportError as error:
    raise unittest.SkipTest("pyarrow is not installed for this Python") from error

from nunatak_command import NUNATAK, ROOT

BOOKSHOP = ROOT / "tests" / "data" / "bookshop-orders"


def run(*arguments):
    environment = {**os.environ, "COLUMNS": "200"}
    done = subprocess.run([NUNATAK, *map(str, arguments), "--moved"], capture_output=True, timeout=120, env=environment)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


class Verify(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.table = DamagedTable("eq-delete-single", folder.name)

    def test_a_sound_table(self):
        table = DATA / "eq-delete-single" / "metadata" / self.table.metadata_path.name
        code, out, _ = run("verify", table)
        self.assertEqual((code, out), (0, "sound: 1 snapshot, 5 manifests, 10 files checked\n"))
        code, out, _ = run("verify", table, "--all", "--deep")
        self.assertEqual((code, out), (0, "sound: 5 snapshots, 5 manifests, 10 files checked; 56 rows of 5 files read\n"))
        self.assertEqual(run("verify", table, "--format", "json")[1], "[]\n")

    def test_an_error(self):
        self.table.set_summary("total-records", "7")
        code, out, _ = run("verify", self.table.metadata_path)
        self.assertEqual(code, 1)
        self.assertEqual(out, "error: total-records is 7, its manifests have 50\n"
                         f"  summary-totals: {self.table.metadata_path}, summary.total-records\n"
                         "not sound: 1 error, 0 warnings; 1 snapshot, 5 manifests, 10 files checked\n")

    def test_an_error_as_a_row(self):
        snapshot = self.table.metadata["current-snapshot-id"]
        self.table.set_summary("total-records", "7")
        expected = {"severity": "error", "check": "summary-totals", "snapshot_id": snapshot,
                    "file": str(self.table.metadata_path), "field": "summary.total-records", "found": "7",
                    "expected": "50", "message": "total-records is 7, its manifests have 50"}
        code, out, _ = run("verify", self.table.metadata_path, "--format", "json")
        self.assertEqual((code, json.loads(out)), (1, [expected]))
        _, out, _ = run("verify", self.table.metadata_path, "--format", "csv")
        self.assertEqual(list(csv.DictReader(io.StringIO(out))), [{k: str(v) for k, v in expected.items()}])

    def test_a_warning(self):
        self.table.set_summary("total-files-size", "7")
        code, out, _ = run("verify", self.table.metadata_path)
        self.assertEqual(code, 0)
        self.assertTrue(out.endswith("\nsound, with 1 warning: 1 snapshot, 5 manifests, 10 files checked\n"), out)

    def test_metadata_alone(self):
        path = self.table.files(0)[0]["file_path"]
        self.table.local(path).unlink()
        self.assertEqual(run("verify", self.table.metadata_path)[0], 1)
        code, out, _ = run("verify", self.table.metadata_path, "--metadata-only")
        self.assertEqual((code, out), (0, "sound: 1 snapshot, 5 manifests, 0 files checked\n"))

    def test_the_chosen_snapshot(self):
        first = self.table.snapshot(0)
        self.table.local(first["manifest-list"]).unlink()
        self.assertEqual(run("verify", self.table.metadata_path)[0], 0)
        self.assertEqual(run("verify", self.table.metadata_path, "--snapshot", first["snapshot-id"])[0], 1)

    def test_what_cannot_be_asked(self):
        self.assertEqual(run("verify", BOOKSHOP, "--all", "--ref", "main")[0], 2)
        self.assertEqual(run("verify", BOOKSHOP, "--deep", "--metadata-only")[0], 2)
        self.assertEqual(run("verify", BOOKSHOP, "--snapshot", "1")[0], 3)
        self.assertEqual(run("verify", BOOKSHOP / "nowhere")[0], 3)
        self.assertEqual(run("du", BOOKSHOP, "--by", "colour")[0], 2)
        self.assertEqual(run("du", BOOKSHOP, "--by", "snapshot", "--ref", "main")[0], 2)


class Usage(unittest.TestCase):
    def test_people_read_sizes_with_units(self):
        code, out, _ = run("du", BOOKSHOP, "--by", "column")
        self.assertEqual(code, 0)
        self.assertEqual(out.splitlines()[0].split(), ["field_id", "column", "files", "bytes"])
        self.assertRegex(out, r"\d+ B\n|\d\.\d KiB\n")


if __name__ == "__main__":
    unittest.main()
