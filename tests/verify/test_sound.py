#!/usr/bin/env python3
"""`nunatak verify` finds nothing wrong with tables as engines wrote them, but for what they are known to get wrong."""
import json
import os
import pathlib
import unittest

from nunatak_command import ROOT, verify

# What engines wrote against the specification: docs/verify.md, "What writers are known to do".
KNOWN = {
    # Files that add_files brings in with whole manifests are not in the sizes of the summary.
    "imported-add-files": {("warning", "summary-sizes")},
    "imported-avro": {("warning", "summary-sizes")},
}
# Files that are fine, but need what is not read: ORC timestamps beyond what nanoseconds reach.
NOT_READ = {"primitives-v3-orc": {("warning", "not-checked")}}


def tables():
    roots = [ROOT / "tests" / "data" / "iceberg"]
    corpus = os.environ.get("NUNATAK_CORPUS")
    if corpus:
        roots.append(pathlib.Path(corpus) / "iceberg")
    for root in roots:
        for expected in sorted(root.glob("*.expect.json")):
            name = expected.name.removesuffix(".expect.json")
            yield name, root / name / json.loads(expected.read_text())["metadata_file"]
    yield "bookshop-orders", ROOT / "tests" / "data" / "bookshop-orders"


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


if __name__ == "__main__":
    unittest.main()
