#!/usr/bin/env python3
"""Counts the tests of one run and prints `N passed, N failed[, N skipped]`.

Reads a results folder as scripts/run_tests.sh fills it: ctest's JUnit file; for each test of ctest
that is a GoogleTest executable, its JSON report, whose cases are counted instead; and what the
conformance runner printed and exited with. Exits 1 when anything failed or nothing ran.
"""

import json
import re
import sys
import xml.etree.ElementTree
from collections import Counter
from pathlib import Path

SUMMARY = re.compile(r"^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$")


def count_gtest(report: Path) -> Counter:
    """Counts the cases of one GoogleTest JSON report."""
    counts = Counter()
    for suite in json.loads(report.read_text())["testsuites"]:
        for case in suite["testsuite"]:
            if case.get("failures"):
                counts["failed"] += 1
            elif case["result"] == "SKIPPED" or case["status"] == "NOTRUN":
                counts["skipped"] += 1
            else:
                counts["passed"] += 1
    return counts


def count_ctest(folder: Path) -> Counter:
    """Counts ctest's tests, case by case where there is a GoogleTest report."""
    counts = Counter()
    for test in xml.etree.ElementTree.parse(folder / "ctest.xml").iter("testcase"):
        passed = test.get("status") == "run"
        report = folder / f"{test.get('name')}.json"
        cases = count_gtest(report) if report.exists() else Counter()
        # A test that dies after its last case, or before it can report, is one failure more.
        if not passed and not cases["failed"]:
            cases["failed"] = 1
        counts += cases or Counter(passed=1)
    return counts


def count_conformance(folder: Path) -> Counter:
    """Counts what the conformance runner's closing line says; its exit status has the last word."""
    status_file = folder / "conformance.status"
    if not status_file.exists():
        return Counter()
    counts = Counter()
    for line in (folder / "conformance.txt").read_text().splitlines():
        if match := SUMMARY.match(line.strip()):
            passed, failed, skipped = (int(number or 0) for number in match.groups())
            counts = Counter(passed=passed, failed=failed, skipped=skipped)
    if status_file.read_text().strip() != "0" and not counts["failed"]:
        counts["failed"] = 1
    return counts


def main() -> int:
    folder = Path(sys.argv[1])
    counts = count_ctest(folder) + count_conformance(folder)
    line = f"{counts['passed']} passed, {counts['failed']} failed"
    if counts["skipped"]:
        line += f", {counts['skipped']} skipped"
    print(line)
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
