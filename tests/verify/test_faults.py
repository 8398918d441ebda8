#!/usr/bin/env python3
"""`nunatak verify` finds every fault, by its name and at its place, and nothing that is not one."""
import re
import tempfile
import unittest

try:
    import faults_in_deletes  # noqa: F401, they add to the faults
    import faults_in_entries  # noqa: F401
    import faults_in_files  # noqa: F401
    import faults_in_lists  # noqa: F401
    import faults_in_metadata  # noqa: F401
    import faults_in_storage  # noqa: F401
except ImportError as error:
    raise unittest.SkipTest("pyarrow is not installed for this Python") from error

from damaged_table import DamagedTable
from faults import FAULTS
from nunatak_command import verify


def is_at(fault, file, finding):
    field = "(.*)".join(re.escape(part) for part in fault.field.split("{}"))
    return (finding["check"] == fault.check and finding["file"] == file
            and re.fullmatch(field, finding["field"] or "") is not None
            and finding["severity"] == fault.severity and finding["message"])


class Faults(unittest.TestCase):
    def find(self, fault):
        with tempfile.TemporaryDirectory() as folder:
            table = DamagedTable(fault.table, folder)
            file = fault.damage(table)
            return file, *verify(table.metadata_path, *fault.arguments)

    def test_each_is_found(self):
        self.assertGreaterEqual(len(FAULTS), 40)
        for fault in FAULTS:
            with self.subTest(fault.name):
                file, code, findings = self.find(fault)
                self.assertTrue(any(is_at(fault, file, f) for f in findings), (file, findings))
                others = {f["check"] for f in findings} - {fault.check, *fault.also}
                self.assertEqual(others, set(), findings)
                errors = any(f["severity"] == "error" for f in findings)
                self.assertEqual(code, 1 if errors else 0)

    def test_tables_that_are_only_written_again_have_none(self):
        for name in sorted({fault.table for fault in FAULTS}):
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                table = DamagedTable(name, folder)
                table.save()
                for content in (0, 1):
                    for number in range(sum(m["content"] == content for m in table.manifests())):
                        table.edit_manifest(content, lambda records: None, number)
                self.assertEqual(verify(table.metadata_path), (0, []))
                self.assertEqual(verify(table.metadata_path, "--all", "--deep"), (0, []))

    def test_warnings_fail_when_that_is_asked_for(self):
        fault = next(f for f in FAULTS if f.severity == "warning" and not f.also)
        with tempfile.TemporaryDirectory() as folder:
            table = DamagedTable(fault.table, folder)
            fault.damage(table)
            self.assertEqual(verify(table.metadata_path)[0], 0)
            self.assertEqual(verify(table.metadata_path, "--strict")[0], 1)


if __name__ == "__main__":
    unittest.main()
