#!/usr/bin/env python3
"""Says where nunatak's planner got slower than the committed baseline; exits with 1 then.

Compares CPU seconds of cold plans as ratios to the floor of the whole table, measured in turns on
the same machine, with those in baseline.json. What seems worse is measured twice more before it
counts.
"""
import argparse
import json
import pathlib
import sys

import implementations
import measure
import report
import run

BASELINE = pathlib.Path(__file__).resolve().parent / "baseline.json"
TABLES = run.SIZES["S"]
RETRIES = 2


def allowed(baseline, key):
    """The highest ratio that passes: relative, and for plans of next to nothing absolute."""
    return baseline["ratios"][key] * (1 + baseline["tolerance"]) + baseline["tolerance_absolute"]


def compare(baseline, ratios):
    """The lines of what is worse than the baseline allows, and of what is new or missing; both
    arguments' ratios are {"table case threads": CPU seconds / CPU seconds of the floor}."""
    worse = [f"{key}: {ratios[key]:.3f} times the floor, {baseline['ratios'][key]:.3f} in the "
             f"baseline, {allowed(baseline, key):.3f} allowed"
             for key in baseline["ratios"] if key in ratios
             and ratios[key] > allowed(baseline, key)]
    worse += [f"{key}: not measured" for key in baseline["ratios"] if key not in ratios]
    return worse + [f"{key}: not in the baseline" for key in ratios
                    if key not in baseline["ratios"]]


def better(baseline, ratios):
    """The lines of what is so much better that the baseline should be written anew."""
    return [f"{key}: {ratios[key]:.3f} times the floor, {ratio:.3f} in the baseline"
            for key, ratio in baseline["ratios"].items() if key in ratios
            and ratio > ratios[key] * (1 + baseline["tolerance"]) + baseline["tolerance_absolute"]]


def best_of(rows, again):
    """The rows, each with the lower times of the two measurements."""
    def id_of(row):
        return row["table"], row["case"], row["implementation"], row["threads"]
    others = {id_of(row): row for row in again}
    return [{**row, "cpu_s": min(row["cpu_s"], others[id_of(row)]["cpu_s"])}
            if id_of(row) in others else row for row in rows]


def ratios_of(rows):
    return {f"{row['table']} {row['case']} {row['threads']}": row["to_floor"]
            for row in report.with_ratios(rows)
            if row["implementation"] == "nunatak" and row["to_floor"]}


def measure_rows(work, programs, tables):
    own = [implementations.nunatak(programs), implementations.floor(programs)]
    rows = []
    for table in tables:
        rows += run.measure_table(table, work / "tables" / table, report.CASES, own, [])
    wrong = report.failures(rows)
    if wrong:
        sys.exit("\n".join(wrong))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--update", action="store_true", help="write the baseline anew")
    o = parser.parse_args()
    baseline = json.loads(BASELINE.read_text())
    rows = measure_rows(o.work, o.programs, TABLES)
    if o.update:
        baseline["ratios"] = {key: round(value, 3) for key, value in ratios_of(rows).items()}
        BASELINE.write_text(json.dumps(baseline, indent=1) + "\n")
        return 0
    for _ in range(RETRIES):
        suspects = {line.split()[0] for line in compare(baseline, ratios_of(rows))}
        if suspects:
            rows = best_of(rows, measure_rows(o.work, o.programs, sorted(suspects & set(TABLES))))
    worse, faster = compare(baseline, ratios_of(rows)), better(baseline, ratios_of(rows))
    for title, lines in [("Worse:", worse), ("Better (run with UPDATE=1 to keep it):", faster)]:
        print("\n  ".join([title, *lines]) if lines else f"{title.split()[0].rstrip(':')}: nothing")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
