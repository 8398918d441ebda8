#!/usr/bin/env python3
"""`nunatak health` finds in a table that is bad in one way just that, and exits as it is asked to."""
import tempfile
import unittest

from bad_tables import CASES, BadTable, two_hundred_small_files
from health_command import found, health, rows, run


class BadTables(unittest.TestCase):
    def test_each_has_its_findings_and_no_others(self):
        checks = {check for case in CASES for check in case.want}
        self.assertGreaterEqual(len(checks), 17)
        for case in CASES:
            with self.subTest(case.name), tempfile.TemporaryDirectory() as folder:
                table = BadTable(case.table, folder)
                case.make(table)
                self.assertEqual(found(table.metadata_path, *case.arguments), case.want)

    def test_the_exit_code_is_what_is_asked_for(self):
        with tempfile.TemporaryDirectory() as folder:
            table = BadTable("refs-branches-tags", folder)
            two_hundred_small_files(table)
            for arguments, want in (((), 0), (("--fail-on", "warning"), 1), (("--fail-on", "serious"), 0)):
                self.assertEqual(run("health", table.metadata_path, *arguments, codes=(0, 1))[0], want, arguments)

    def test_every_format_has_the_findings(self):
        with tempfile.TemporaryDirectory() as folder:
            table = BadTable("refs-branches-tags", folder)
            two_hundred_small_files(table)
            report = health(table.metadata_path)
            self.assertEqual(report["score"], 92)
            [finding] = report["findings"]
            self.assertEqual(rows("health", table.metadata_path), [finding])
            self.assertEqual(run("health", table.metadata_path, "--format", "csv")[1].splitlines()[0],
                             "check,severity,title,figures,why,remedy")
            text = run("health", table.metadata_path)[1]
            for part in ("health 92 of 100: 1 warning", finding["title"], finding["why"], *finding["remedy"]):
                self.assertIn(part, text)
            self.assertEqual(finding["figures"]["small_files"], report["figures"]["data_files"])
            self.assertEqual(sum(bar["value"] for bar in report["charts"]["file-sizes"]),
                             report["figures"]["data_files"])


if __name__ == "__main__":
    unittest.main()
