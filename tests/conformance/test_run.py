#!/usr/bin/env python3
"""The conformance run sees what is wrong: each of its comparisons fails on a wrong answer."""
import unittest

import canonical
import checks
import run
from command import CommandError

SCHEMA = {"type": "struct", "fields": [{"name": "id", "type": "long"}, {"name": "v", "type": "double"}]}


class FakeTable:
    location = "t"
    format = "iceberg"

    def __init__(self, **want):
        self.want = {"schema": SCHEMA, **want}

    def relative(self, path):
        return path


class FakeNunatak:
    """Answers each verb with a fixed value, or with an error."""

    def __init__(self, **answers):
        self.answers = answers

    def rows(self, verb, table, *arguments):
        return self.object(verb, table, *arguments)

    def object(self, verb, table, *arguments):
        answer = self.answers[verb]
        if isinstance(answer, Exception):
            raise answer
        return answer


def rows_problems(got, want, count=None):
    answers = FakeNunatak(scan=got, count={"count": len(want) if count is None else count})
    return checks.check_rows(answers, FakeTable(current_rows=want, current_row_count=len(want)))


class Pruning(unittest.TestCase):
    TABLE = FakeTable(plans=[{"filter": "id > 1"}, {"filter": "true"}])

    def problems(self, pruned, whole):
        class Scans:
            def run(self, verb, table, *arguments):
                answer = whole if "--no-pruning" in arguments else pruned
                if isinstance(answer, Exception):
                    raise answer
                return answer

        return checks.check_pruning(Scans(), self.TABLE)

    def test_the_same_rows_pass(self):
        self.assertEqual(self.problems("{}", "{}"), [])

    def test_a_row_that_pruning_loses_is_seen(self):
        self.assertEqual(len(self.problems("", "{}")), 1)

    def test_a_filter_that_both_refuse_passes(self):
        self.assertEqual(self.problems(CommandError(2, "no"), CommandError(2, "no")), [])


class Rows(unittest.TestCase):
    WANT = [{"id": 1, "v": 0.5}, {"id": 1, "v": 0.5}, {"id": 2, "v": "NaN"}]

    def test_equal_rows_in_any_order_pass(self):
        self.assertEqual(rows_problems(self.WANT[::-1], self.WANT), [])

    def test_a_wrong_cell_is_seen(self):
        self.assertTrue(rows_problems(self.WANT[:2] + [{"id": 2, "v": None}], self.WANT))

    def test_a_missing_row_is_seen_even_when_it_has_a_twin(self):
        self.assertTrue(rows_problems(self.WANT[1:], self.WANT))

    def test_an_extra_row_is_seen(self):
        self.assertTrue(rows_problems(self.WANT + self.WANT[:1], self.WANT))

    def test_a_wrong_count_is_seen(self):
        self.assertTrue(rows_problems(self.WANT, self.WANT, count=2))

    def test_column_checks_see_nulls_and_sums(self):
        want = {"id": {"count": 2, "nulls": 1, "sum": 3}}
        self.assertEqual(checks.column_differences([{"id": 1}, {"id": 2}, {"id": None}], want), [])
        self.assertTrue(checks.column_differences([{"id": 1}, {"id": 3}, {"id": None}], want))
        self.assertTrue(checks.column_differences([{"id": 1}, {"id": 2}, {"id": 0}], want))


class Plans(unittest.TestCase):
    def problems(self, files, count, **plan):
        plan = {"filter": "id = 1", "expected_files": 2, "expected_rows": 3, **plan}
        answers = FakeNunatak(plan={"files": files}, count={"count": count})
        return checks.check_plans(answers, FakeTable(plans=[plan]))

    def test_fewer_files_are_fine_and_more_are_not(self):
        self.assertEqual(self.problems(1, 3), [])
        self.assertTrue(self.problems(3, 3))

    def test_lost_rows_are_seen(self):
        self.assertTrue(self.problems(1, 2))

    def test_the_oracle_is_preferred_to_the_engine(self):
        self.assertEqual(self.problems(1, 4, oracle_rows=4), [])
        self.assertTrue(self.problems(1, 3, oracle_rows=4))


class Versions(unittest.TestCase):
    def test_a_wrong_count_is_seen(self):
        table = FakeTable(versions=[{"version": 3, "row_count": 5}])
        self.assertEqual(checks.check_snapshots(FakeNunatak(count={"count": 5}), table), [])
        self.assertTrue(checks.check_snapshots(FakeNunatak(count={"count": 6}), table))


class Refusals(unittest.TestCase):
    def test_a_table_that_must_be_refused_is(self):
        table = FakeTable(must_refuse=True)
        self.assertEqual(checks.check(FakeNunatak(scan=CommandError(5, "unknown feature")), table), ([], []))
        self.assertTrue(checks.check(FakeNunatak(scan=CommandError(6, "no such disk")), table)[0])
        self.assertTrue(checks.check(FakeNunatak(scan=[]), table)[0])


class Snapshots(unittest.TestCase):
    def test_a_wrong_count_is_seen(self):
        table = FakeTable(snapshots=[{"id": 1, "row_count": 5}])
        self.assertEqual(checks.check_snapshots(FakeNunatak(count={"count": 5}), table), [])
        self.assertTrue(checks.check_snapshots(FakeNunatak(count={"count": 6}), table))

    def test_a_snapshot_without_files_must_fail(self):
        table = FakeTable(snapshots=[{"id": 1, "row_count": None}])
        self.assertEqual(checks.check_snapshots(FakeNunatak(scan=CommandError(4, "missing")), table), [])
        self.assertTrue(checks.check_snapshots(FakeNunatak(scan=[]), table))


class Live(unittest.TestCase):
    WANT = [{"path": "a", "data_sequence_number": 1, "file_sequence_number": 1, "first_row_id": None,
             "deletes": [{"path": "d", "content_offset": 4}]}]

    def problems(self, task_deletes=(0,), path="a", sequence_number=1):
        plan = {"delete-files": [{"file-path": "d", "content-offset": 4}],
                "tasks": [{"data-file": {"file-path": path}, "delete-file-references": list(task_deletes)}]}
        entry = {"status": 1, "sequence_number": sequence_number, "file_sequence_number": 1,
                 "data_file": {"content": 0, "file_path": "a", "first_row_id": None}}
        return checks.check_live(FakeNunatak(plan=plan, entries=[entry]), FakeTable(live_files=self.WANT))

    def test_the_right_deletes_pass(self):
        self.assertEqual(self.problems(), [])

    def test_a_delete_too_few_another_file_and_another_sequence_number_are_seen(self):
        self.assertTrue(self.problems(task_deletes=()))
        self.assertTrue(self.problems(path="b"))
        self.assertTrue(self.problems(sequence_number=2))


class Verdict(unittest.TestCase):
    def test_a_refusal_passes_only_when_it_is_pending(self):
        self.assertEqual(run.verdict("t", [], ["no"], {"t"}), [])
        self.assertTrue(run.verdict("t", [], ["no"], set()))
        self.assertTrue(run.verdict("t", [], [], {"t"}))
        self.assertTrue(run.verdict("t", ["wrong"], ["no"], {"t"}))

    def test_refusals_are_told_from_failures(self):
        table = FakeTable(current_rows=[], current_row_count=0)
        self.assertEqual(checks.check(FakeNunatak(scan=CommandError(5, "no")), table), ([], ["rows: exit code 5: no"]))
        self.assertEqual(checks.check(FakeNunatak(scan=CommandError(4, "no")), table), (["rows: exit code 4: no"], []))


class Canonical(unittest.TestCase):
    def test_spellings_of_one_value_are_one(self):
        for kind, a, b in (("timestamptz", "1969-12-31T23:59:59.5+00:00", "1970-01-01 00:59:59.500000+01:00"),
                           ("timestamp_ns", "2024-01-01T00:00:00.000000001", "2024-01-01 00:00:00.000000001"),
                           ("decimal(9, 2)", "14.20", 14.2), ("time", "12:00", "12:00:00.000"),
                           ("binary", "00FF", "00ff"), ("float", 1.1, 1.10000002384185791015625)):
            self.assertEqual(canonical.cell(a, kind), canonical.cell(b, kind), kind)

    def test_different_values_stay_different(self):
        for kind, a, b in (("timestamp", "1969-12-31T23:59:59.5", "1970-01-01T00:00:00.5"), ("double", 0.0, -0.0),
                           ("long", 9007199254740993, 9007199254740992), ("string", "", None),
                           ("double", "Infinity", "-Infinity")):
            self.assertNotEqual(canonical.cell(a, kind), canonical.cell(b, kind), kind)

    def test_maps_do_not_depend_on_order(self):
        kind = {"type": "map", "key": "int", "value": "string"}
        self.assertEqual(canonical.cell({"keys": [2, 1], "values": ["b", "a"]}, kind),
                         canonical.cell({"1": "a", "2": "b"}, kind))


if __name__ == "__main__":
    unittest.main()
