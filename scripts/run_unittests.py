#!/usr/bin/env python3
"""Runs the unittest modules of a folder; writes the cases in the form of GoogleTest's JSON.

usage: run_unittests.py FOLDER RESULTS
"""
import argparse
import json
import pathlib
import sys
import unittest


class RecordingResult(unittest.TextTestResult):
    """Keeps each case, in the form of GoogleTest's JSON."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.cases = {}

    def startTest(self, test):
        super().startTest(test)
        self.cases[test.id()] = {"name": test.id(), "status": "RUN", "result": "COMPLETED"}

    def _fail(self, test):
        case = self.cases.setdefault(test.id(), {"name": test.id(), "status": "RUN"})
        case["failures"] = [{"failure": "see the output"}]

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._fail(test)

    def addError(self, test, err):
        super().addError(test, err)
        self._fail(test)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.cases[test.id()]["result"] = "SKIPPED"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("results", type=pathlib.Path)
    arguments = parser.parse_args()
    suite = unittest.defaultTestLoader.discover(str(arguments.folder), pattern="*test*.py")
    result = unittest.TextTestRunner(resultclass=RecordingResult, verbosity=1).run(suite)
    arguments.results.parent.mkdir(parents=True, exist_ok=True)
    suites = [{"name": arguments.folder.name, "testsuite": list(result.cases.values())}]
    arguments.results.write_text(json.dumps({"testsuites": suites}))
    return 0 if result.wasSuccessful() and result.testsRun else 1


if __name__ == "__main__":
    sys.exit(main())
