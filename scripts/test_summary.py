#!/usr/bin/env python3
"""Counts what a test run did and prints it as `N passed, N failed[, N skipped]`.

usage: test_summary.py RESULTS [--conformance none|EXIT_CODE]

RESULTS holds ctest.xml (ctest's JUnit file), one <name>.json for each of ctest's tests that counts
its own cases (GoogleTest's form), and conformance.txt, the output of the conformance run, which
ends with a line of the form printed here. A test of ctest that failed without a failed case (it
crashed or took too long) counts as one failure. Exits 1 if anything failed or nothing passed.
"""
import argparse
import json
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

CLOSING_LINE = re.compile(r"(?:\w+: )?(\d+) passed, (\d+) failed(?:, (\d+) skipped)?")


def count_cases(file):
    """Returns (passed, failed, skipped) of a file in the form of GoogleTest's JSON."""
    passed = failed = skipped = 0
    for suite in json.loads(file.read_text())["testsuites"]:
        for case in suite["testsuite"]:
            if case.get("failures"):
                failed += 1
            elif case.get("status") == "NOTRUN" or case.get("result") == "SKIPPED":
                skipped += 1
            else:
                passed += 1
    return passed, failed, skipped


def count_ctest(results):
    totals = [0, 0, 0]
    for test in ElementTree.parse(results / "ctest.xml").getroot().iter("testcase"):
        file = results / f"{test.get('name')}.json"
        ok = test.get("status") == "run"
        counts = count_cases(file) if file.exists() else (1 if ok else 0, 0, 0)
        if not ok and counts[1] == 0:
            counts = (counts[0], 1, counts[2])
        totals = [a + b for a, b in zip(totals, counts)]
    return totals


def count_conformance(results, exit_code):
    """The numbers of the last closing line; a run that failed counts one failure at least."""
    lines = (results / "conformance.txt").read_text().splitlines()
    matches = [m for m in map(CLOSING_LINE.fullmatch, lines) if m]
    counts = [int(n or 0) for n in matches[-1].groups()] if matches else [0, 0, 0]
    if exit_code != 0 or not matches:
        counts[1] = max(counts[1], 1)
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--conformance", default="none")
    arguments = parser.parse_args()
    totals = count_ctest(arguments.results)
    if arguments.conformance != "none":
        counts = count_conformance(arguments.results, int(arguments.conformance))
        totals = [a + b for a, b in zip(totals, counts)]
    passed, failed, skipped = totals
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
