"""Ratios, tables and the comparison with the baseline."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench" / "plan"))
import check
import measure
import report


def row(implementation, cpu_s, case="full", threads=1, table="S", files=10):
    return {"table": table, "case": case, "implementation": implementation, "threads": threads,
            "expected_files": 10, "wall_s": cpu_s, "cpu_s": cpu_s, "first_cpu_s": cpu_s,
            "peak_mb": 20.0, "files": files, "delete_refs": 0}


def failed(implementation, case="full", threads=2):
    return {"table": "S", "case": case, "implementation": implementation, "threads": threads,
            "expected_files": 10, "error": "it refuses"}


class Ratios(unittest.TestCase):
    ROWS = [row("nunatak", 0.3), row("nunatak", 0.4, threads=2), row("floor", 0.1),
            row("floor", 0.2, threads=2), row("polars", 0.6, threads=2),
            row("java", 0.5, threads=2, files=None), failed("duckdb"),
            row("nunatak", 0.01, case="day"), failed("polars", case="day")]

    def ratio(self, name, index):
        return report.with_ratios(self.ROWS)[index][name]

    def test_the_best_peer_is_neither_nunatak_nor_the_floor_nor_one_that_failed(self):
        self.assertEqual(report.best_peer(self.ROWS, "S", "full")["implementation"], "java")
        self.assertIsNone(report.best_peer(self.ROWS, "S", "day"))

    def test_cpu_is_compared_with_the_best_peer_of_the_same_case(self):
        self.assertAlmostEqual(self.ratio("to_peer", 0), 0.6)
        self.assertAlmostEqual(self.ratio("to_peer", 4), 1.2)
        self.assertIsNone(self.ratio("to_peer", 7))

    def test_cpu_is_compared_with_the_floor_on_as_many_threads(self):
        self.assertAlmostEqual(self.ratio("to_floor", 0), 3)
        self.assertAlmostEqual(self.ratio("to_floor", 1), 2)

    def test_a_selective_case_is_compared_with_the_floor_of_the_whole_table(self):
        self.assertAlmostEqual(self.ratio("to_floor", 7), 0.1)

    def test_a_failed_row_has_no_ratio(self):
        self.assertIsNone(self.ratio("to_floor", 6))
        self.assertIsNone(self.ratio("to_peer", 6))


class Tables(unittest.TestCase):
    def test_details_have_one_line_per_row_and_notes(self):
        rows = [row("nunatak", 0.3, files=9), row("duckdb", 0.6, files=None), failed("polars")]
        lines = report.details(rows).splitlines()
        self.assertEqual(len(lines), 2 + 3)
        self.assertIn("WRONG: 10 files are right", lines[2])
        self.assertIn("files unknown", lines[3])
        self.assertIn("fails: it refuses", lines[4])

    def test_the_summary_has_one_line_per_case(self):
        lines = report.summary(Ratios.ROWS).splitlines()
        self.assertEqual(len(lines), 2 + 2)
        cells = [cell.strip() for cell in lines[2].split("|")[1:-1]]
        self.assertEqual(cells, ["S", "full", "0.30", "0.10", "0.60", "0.50", "fails", "java",
                                 "0.60", "3.00"])

    def test_failures_are_those_of_nunatak_and_the_floor(self):
        rows = [row("nunatak", 1, files=9), row("floor", 1, files=9), row("polars", 1, files=9),
                failed("nunatak", case="day"), row("nunatak", 1, case="id")]
        self.assertEqual(report.failures(rows), [
            "S full nunatak: WRONG: 10 files are right",
            "S full floor: WRONG: 10 files are right",
            "S day nunatak: fails: it refuses"])


class Measurements(unittest.TestCase):
    def test_minima_of_times_and_the_highest_peak_are_kept(self):
        merged = measure.merge([
            {"wall_s": [5, 4], "cpu_s": [3, 2], "peak_mb": 7, "files": 1, "delete_refs": 0},
            {"wall_s": [6], "cpu_s": [1], "peak_mb": 9, "files": 1, "delete_refs": 0}])
        self.assertEqual(merged, {"wall_s": 4, "cpu_s": 1, "first_cpu_s": 1, "peak_mb": 9,
                                  "files": 1, "delete_refs": 0})

    def test_a_command_that_fails_is_a_row_that_says_why(self):
        rows = measure.measure_all({
            "fails": lambda n: ["sh", "-c", "echo 'ValueError: no' >&2; exit 3"],
            "silent": lambda n: ["true"],
            "works": lambda n: ["echo", '{"wall_s":[1],"cpu_s":[2],"files":3,"delete_refs":4}'],
        }, rounds=2)
        self.assertEqual(rows["fails"], {"error": "ValueError: no"})
        self.assertEqual(rows["silent"], {"error": "it printed no measurement"})
        self.assertEqual((rows["works"]["cpu_s"], rows["works"]["files"]), (2, 3))

    def test_slow_plans_are_repeated_less(self):
        self.assertEqual(measure.repetitions(0), measure.MOST_REPETITIONS)
        self.assertEqual(measure.repetitions(0.5), 6)
        self.assertEqual(measure.repetitions(100), 1)

    def test_a_virtual_machine_is_warm_however_slow_it_is(self):
        self.assertEqual(measure.repetitions(100, fewest=5), 5)
        asked = []

        def command(count):
            asked.append(count)
            return ["echo", '{"wall_s":[9],"cpu_s":[9],"files":1,"delete_refs":0}']
        measure.measure_all({"jvm": command}, rounds=3, fewest={"jvm": 5})
        self.assertEqual(asked, [1, 5, 5])


class Baseline(unittest.TestCase):
    BASELINE = {"tolerance": 0.25, "tolerance_absolute": 0.02,
                "ratios": {"S full 1": 2.0, "S day 1": 0.01}}

    def test_what_is_within_the_tolerance_passes(self):
        ratios = {"S full 1": 2.5, "S day 1": 0.03}
        self.assertEqual(check.compare(self.BASELINE, ratios), [])
        self.assertEqual(check.better(self.BASELINE, ratios), [])

    def test_what_is_beyond_the_tolerance_is_named(self):
        found = check.compare(self.BASELINE, {"S full 1": 2.53, "S day 1": 0.01})
        self.assertEqual(found, ["S full 1: 2.530 times the floor, 2.000 in the baseline, "
                                 "2.520 allowed"])

    def test_what_is_missing_or_new_is_named(self):
        found = check.compare(self.BASELINE, {"S full 1": 2, "M full 1": 1})
        self.assertEqual(found, ["S day 1: not measured", "M full 1: not in the baseline"])

    def test_what_got_much_better_is_named(self):
        found = check.better(self.BASELINE, {"S full 1": 1.5, "S day 1": 0.001})
        self.assertEqual(found, ["S full 1: 1.500 times the floor, 2.000 in the baseline"])

    def test_ratios_are_those_of_nunatak(self):
        self.assertEqual(check.ratios_of([row("nunatak", 0.3), row("floor", 0.1),
                                          row("polars", 0.2)]).keys(), {"S full 1"})

    def test_measuring_again_keeps_the_lower_time(self):
        rows = check.best_of([row("nunatak", 3), row("floor", 1), row("floor", 9, table="M")],
                             [row("nunatak", 2), row("floor", 4)])
        self.assertEqual([r["cpu_s"] for r in rows], [2, 1, 9])


if __name__ == "__main__":
    unittest.main()
