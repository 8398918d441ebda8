"""The counts of scripts/test_summary.py: a crash, a failed conformance run and an empty run all
show as failures."""
import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import test_summary


class TestSummary(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.results = pathlib.Path(folder.name)

    def summarise(self, ctest, conformance="none", text=""):
        """The exit code and the line printed, for {test: status} of ctest."""
        cases = "".join(f'<testcase name="{n}" status="{s}"/>' for n, s in ctest.items())
        (self.results / "ctest.xml").write_text(f"<testsuite>{cases}</testsuite>")
        (self.results / "conformance.txt").write_text(text)
        arguments = ["test_summary.py", str(self.results), "--conformance", conformance]
        output = io.StringIO()
        with mock.patch.object(sys, "argv", arguments), contextlib.redirect_stdout(output):
            code = test_summary.main()
        return code, output.getvalue().strip()

    def write_cases(self, name, *cases):
        suites = {"testsuites": [{"testsuite": list(cases)}]}
        (self.results / f"{name}.json").write_text(json.dumps(suites))

    def test_counts_cases_and_plain_tests(self):
        passed = {"status": "RUN", "result": "COMPLETED"}
        self.write_cases("io", passed, passed, {"status": "RUN", "result": "SKIPPED"})
        self.assertEqual(
            self.summarise({"io": "run", "core_alone": "run"}),
            (0, "3 passed, 0 failed, 1 skipped"),
        )

    def test_counts_failed_cases(self):
        self.write_cases("io", {"status": "RUN"}, {"status": "RUN", "failures": [{}]})
        self.assertEqual(self.summarise({"io": "fail"}), (1, "1 passed, 1 failed"))

    def test_a_crash_is_a_failure(self):
        self.assertEqual(self.summarise({"io": "fail", "a": "run"}), (1, "1 passed, 1 failed"))
        self.write_cases("io", {"status": "RUN"})
        self.assertEqual(self.summarise({"io": "fail"}), (1, "1 passed, 1 failed"))

    def test_nothing_run_is_no_success(self):
        self.assertEqual(self.summarise({}), (1, "0 passed, 0 failed"))

    def test_adds_the_conformance_run(self):
        text = "table x: fine\n1 passed, 2 failed\nconformance: 100 passed, 0 failed, 4 skipped\n"
        self.assertEqual(
            self.summarise({"a": "run"}, "0", text), (0, "101 passed, 0 failed, 4 skipped")
        )

    def test_a_conformance_run_that_fails_or_says_nothing_is_a_failure(self):
        self.assertEqual(
            self.summarise({"a": "run"}, "1", "100 passed, 0 failed"), (1, "101 passed, 1 failed")
        )
        self.assertEqual(self.summarise({"a": "run"}, "0", "oops"), (1, "1 passed, 1 failed"))
