#!/usr/bin/env python3
"""Checks the shape of the repository: where includes point, that the core is free of Arrow, file
lengths, and that no trace of one machine is left; and that each of these checks can fail.

usage: run.py [--build BUILD_FOLDER] [--results FILE]

With --build, also checks which libraries the core's test programs need. --results writes the cases
in the form of GoogleTest's JSON report.
"""

import argparse
import json
import subprocess
import sys
import unittest
from pathlib import Path

import checks
import checks_selftest

TOP = Path(__file__).resolve().parents[2]


class RepositoryTest(unittest.TestCase):
    build: Path | None = None

    @classmethod
    def setUpClass(cls):
        cls.tree = checks.Tree.from_repository(TOP)
        cls.rooms = checks.Rooms.from_cmake((TOP / "CMakeLists.txt").read_text())

    def assert_none(self, violations: list[str]):
        self.assertFalse(violations, "\n" + "\n".join(violations))

    def test_there_is_something_to_check(self):
        self.assertGreater(len(list(self.tree.includes())), 100)

    def test_include_directions(self):
        self.assert_none(checks.check_include_directions(self.tree, self.rooms))

    def test_core_without_arrow(self):
        self.assert_none(checks.check_core_without_arrow(self.tree, self.rooms))

    def test_file_length(self):
        self.assert_none(checks.check_file_length(self.tree))

    def test_machine_traces(self):
        self.assert_none(checks.check_machine_traces(self.tree))

    def test_core_programs_need_no_arrow(self):
        if self.build is None:
            self.skipTest("no build folder was given")
        core = self.rooms.order[: self.rooms.core]
        names = [f"{room}_test" for room in core] + ["core_alone"]
        programs = [self.build / "tests" / name for name in names]
        programs = [program for program in programs if program.exists()]
        self.assertIn(self.build / "tests" / "core_alone", programs)
        for program in programs:
            ldd = subprocess.run(["ldd", program], capture_output=True, text=True, check=True)
            self.assert_none(checks.check_linked_libraries(program.name, ldd.stdout))


class RecordingResult(unittest.TextTestResult):
    """Keeps each case in the form of GoogleTest's report."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.cases = []

    def record(self, test, result="COMPLETED", failure=None):
        case = {"name": test.id(), "status": "RUN", "result": result}
        if failure:
            case["failures"] = [{"failure": self._exc_info_to_string(failure, test)}]
        self.cases.append(case)

    def addSuccess(self, test):
        super().addSuccess(test)
        self.record(test)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.record(test, failure=err)

    def addError(self, test, err):
        super().addError(test, err)
        self.record(test, failure=err)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.record(test, result="SKIPPED")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path)
    parser.add_argument("--results", type=Path)
    arguments = parser.parse_args()
    RepositoryTest.build = arguments.build

    loader = unittest.defaultTestLoader
    suite = unittest.TestSuite(
        [loader.loadTestsFromTestCase(RepositoryTest), loader.loadTestsFromModule(checks_selftest)])
    result = unittest.TextTestRunner(resultclass=RecordingResult).run(suite)
    if arguments.results:
        arguments.results.parent.mkdir(parents=True, exist_ok=True)
        report = {"testsuites": [{"name": "structure", "testsuite": result.cases}]}
        arguments.results.write_text(json.dumps(report, indent=2))
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
