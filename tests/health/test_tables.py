#!/usr/bin/env python3
"""What `nunatak health` finds in tables as engines wrote them, worked out anew from the rows of other verbs."""
import collections
import json
import math
import time
import unittest

from health_command import health, rows, run

from engine_tables import tables

MIB = 1 << 20
DAY_MS = 86_400_000


class Table:
    """What other verbs say of a table."""

    def __init__(self, path):
        self.path = path
        self.metadata = json.loads(run("show", path, "--metadata")[1])
        self.properties = self.metadata.get("properties", {})
        files = rows("files", path)
        self.data = [f for f in files if f["content"] == 0]
        self.deletes = [f for f in files if f["content"] != 0]
        plan = json.loads(run("plan", path, "--no-cache", "--format", "json")[1])
        self.tasks = plan["tasks"]
        self.delete_files = plan["delete-files"]
        self.default_spec = self.metadata.get("default-spec-id", 0)

    def applied(self):
        """Which of the plan's delete files apply to a data file."""
        return {i for task in self.tasks for i in task["delete-file-references"]}

    def small_files(self):
        target = int(self.properties.get("write.target-file-size-bytes", 512 * MIB))
        small = collections.defaultdict(list)
        for file in self.data:
            if file["file_size_in_bytes"] < target * 3 / 4:
                small[file["spec_id"], json.dumps(file.get("partition"))].append(file["file_size_in_bytes"])
        saved = sum(len(sizes) - max(1, math.ceil(sum(sizes) / target)) for sizes in small.values() if len(sizes) >= 5)
        severity = [s for s, at_least in (("info", 1), ("warning", 100), ("serious", 1000)) if saved >= at_least]
        if not severity:
            return None
        return severity[-1] if saved >= len(self.data) / 10 else "info"

    def delete_debt(self):
        if not self.data:
            return None
        deleted = sum(self.delete_files[i]["record-count"] for i in self.applied()
                      if self.delete_files[i]["content"] == "position-deletes")
        part = deleted / max(1, sum(f["record_count"] for f in self.data))
        files = sum(len(task["delete-file-references"]) for task in self.tasks) / len(self.data)
        severity = [s for s, rows_from, files_from in (("info", .05, 1), ("warning", .1, 5), ("serious", .3, 20))
                    if part >= rows_from or files >= files_from]
        return severity[-1] if severity else None

    def equality_deletes(self):
        return "info" if any(f["content"] == 2 for f in self.deletes) else None

    def dangling_deletes(self):
        return "info" if len(self.applied()) < len(self.deletes) else None

    def old_specs(self):
        old = sum(f["spec_id"] != self.default_spec for f in self.data)
        return None if old == 0 else "warning" if 2 * old >= len(self.data) else "info"

    def stale_statistics(self):
        kinds = [self.metadata.get("statistics", []), self.metadata.get("partition-statistics", [])]
        current = self.metadata.get("current-snapshot-id")
        return any(kind and current not in [s["snapshot-id"] for s in kind] for kind in kinds)

    def few_snapshots_expire(self):
        """Whether the snapshots that expire are fewer than 100, and some, by the definition for tables without refs
        of their own; None where there are some."""
        if set(self.metadata.get("refs", {})) - {"main"} or any(k.startswith("history.") for k in self.properties):
            return None
        snapshots = self.metadata.get("snapshots", [])
        oldest_kept = time.time() * 1000 - 5 * DAY_MS
        old = [s for s in snapshots if s["timestamp-ms"] < oldest_kept]
        return len(old) > (len(old) == len(snapshots) and len(old) > 0)


class Tables(unittest.TestCase):
    def test_findings_follow_from_what_other_verbs_say(self):
        count = 0
        seen = collections.Counter()
        for name, path in tables():
            with self.subTest(name):
                count += 1
                table = Table(path)
                found = {f["check"]: f["severity"] for f in health(path)["findings"]}
                for check in ("small-files", "delete-debt", "equality-deletes", "dangling-deletes", "old-specs"):
                    want = getattr(table, check.replace("-", "_"))()
                    self.assertEqual(found.pop(check, None), want, check)
                    seen[check] += want is not None
                self.assertEqual("stale-statistics" in found, table.stale_statistics())
                expire = table.few_snapshots_expire()
                if expire is not None:
                    self.assertEqual("expired-snapshots" in found, expire)
                # What small tables cannot have.
                self.assertEqual(set(found) - {"stale-statistics", "expired-snapshots", "missing-metrics",
                                               "truncated-bounds", "bounds-prune-nothing", "sort-order-lost"}, set())
        self.assertGreater(count, 15)
        for check in ("small-files", "delete-debt", "equality-deletes"):
            self.assertGreater(seen[check], 0, check)

    def test_figures_are_those_of_other_verbs(self):
        for name, path in tables():
            with self.subTest(name):
                table = Table(path)
                report = health(path)
                figures = report["figures"]
                self.assertEqual(figures["data_files"], len(table.data))
                self.assertEqual(figures["data_bytes"], sum(f["file_size_in_bytes"] for f in table.data))
                self.assertEqual(figures["data_rows"], sum(f["record_count"] for f in table.data))
                self.assertEqual(figures["partitions"], len({(f["spec_id"], json.dumps(f.get("partition")))
                                                             for f in table.data}))
                manifests = rows("manifests", path)
                self.assertEqual(figures["manifests"], len(manifests))
                self.assertEqual(figures["snapshots"], len(table.metadata.get("snapshots", [])))
                self.assertEqual(figures["equality_delete_rows"],
                                 sum(f["record_count"] for f in table.deletes if f["content"] == 2))
                self.assertEqual(sum(bar["value"] for bar in report["charts"]["commits"]), figures["snapshots"])

    def test_depths_are_those_of_the_bounds(self):
        """By the definition, over the bounds that `files` shows of numbers."""
        measured = 0
        for name, path in tables():
            with self.subTest(name):
                metrics = [f["readable_metrics"] for f in Table(path).data]
                for column in health(path)["columns"]:
                    bounds = [m[column["column"]] for m in metrics if column["column"] in m]
                    ranges = [(b["lower_bound"], b["upper_bound"]) for b in bounds]
                    numbers = [(lower, upper) for lower, upper in ranges
                               if type(lower) in (int, float) and type(upper) in (int, float)]
                    # Infinities are texts in JSON.
                    if not numbers or len(numbers) < sum(None not in bound for bound in ranges):
                        continue
                    self.assertEqual(column["files_with_bounds"], len(numbers))
                    depths = [sum(lower <= at <= upper for lower, upper in numbers) for at, _ in numbers]
                    self.assertEqual(column["max_depth"], max(depths))
                    self.assertAlmostEqual(column["average_depth"], sum(depths) / len(depths))
                    self.assertAlmostEqual(column["overlap"], sum(depths) / len(depths) ** 2)
                    measured += 1
        self.assertGreater(measured, 20)

    def test_nothing_that_is_named_counts_as_an_orphan(self):
        for name, path in tables():
            with self.subTest(name):
                self.assertNotIn("orphan-files", [f["check"] for f in health(path, "--list")["findings"]])


if __name__ == "__main__":
    unittest.main()
