"""The harness sees what is wrong: a reader that errs on purpose fails, whatever its error; and its
own parts are what the specification says, by the values in its appendices."""
import json
import math
import os
import tempfile
import unittest
from unittest import mock

try:
    import pyarrow  # noqa: F401, what is skipped without it is the whole module
except ImportError as error:
    raise unittest.SkipTest("pyarrow is not installed for this Python") from error

import cells
import deletion_vectors
import filters
import literals
import model
import run
import single_values
import transforms

NUNATAK = os.environ["NUNATAK"]
SEEDS = range(9_000_000, 9_000_006)
NUMBER = {"id": 1, "name": "n", "required": False, "type": "double"}


class Errs(run.Reader):
    """Changes what nunatak printed for scans."""

    def __init__(self, binary, cache, wrong):
        super().__init__(binary, cache)
        self._wrong = wrong

    def lines(self, verb, table, *arguments, **options):
        right = super().lines(verb, table, *arguments, **options)
        return self._wrong(right, arguments) if verb == "scan" else right


class IgnoresFilters(run.Reader):
    def lines(self, verb, table, *arguments, **options):
        if "--where" in arguments:
            at = arguments.index("--where")
            arguments = arguments[:at] + arguments[at + 2:]
        return super().lines(verb, table, *arguments, **options)


class IgnoresSnapshots(run.Reader):
    def lines(self, verb, table, *arguments, **options):
        if "--snapshot" in arguments:
            at = arguments.index("--snapshot")
            arguments = arguments[:at] + arguments[at + 2:]
        return super().lines(verb, table, *arguments, **options)


class FindsErrors(run.Reader):
    """Finds one more thing wrong with every table."""

    def __init__(self, binary, cache, check):
        super().__init__(binary, cache)
        self._found = json.dumps({"severity": "error", "check": check})

    def lines(self, verb, table, *arguments, **options):
        right = super().lines(verb, table, *arguments, **options)
        return [*right, self._found] if verb == "verify" else right


def failures(make_reader, change=lambda subject: None):
    """How many of the cases fail, read by `make_reader(cache)`."""
    found = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in SEEDS:
            subject = run.Constructed(seed, f"{folder}/{seed}", run.FEATURES)
            change(subject)
            try:
                run.check(subject, make_reader(folder))
            except (run.Wrong, ValueError):
                found += 1
    return found


def flip_a_delete(subject):
    """The model now says otherwise of one row than the table does."""
    for delete in subject.table.live()[1]:
        for path, positions in delete.positions.items():
            delete.positions[path] = positions[1:]
            return


class WrongReaders(unittest.TestCase):
    def test_nunatak_itself_passes(self):
        self.assertEqual(failures(lambda cache: run.Reader(NUNATAK, cache)), 0)

    def test_one_row_is_missing(self):
        def wrong(lines, arguments):
            return lines[:-1]
        self.assertGreater(failures(lambda cache: Errs(NUNATAK, cache, wrong)), 4)

    def test_one_row_is_there_twice(self):
        def wrong(lines, arguments):
            return lines + lines[:1]
        self.assertGreater(failures(lambda cache: Errs(NUNATAK, cache, wrong)), 4)

    def test_only_filtered_scans_lose_a_row(self):
        def wrong(lines, arguments):
            return lines[:-1] if "--where" in arguments else lines
        self.assertGreater(failures(lambda cache: Errs(NUNATAK, cache, wrong)), 3)

    def test_one_value_is_null(self):
        def wrong(lines, arguments):
            for i, line in enumerate(lines):
                row = json.loads(line)
                known = [name for name in row if row[name] is not None]
                if known:
                    lines[i] = json.dumps({**row, known[-1]: None})
                    break
            return lines
        self.assertGreater(failures(lambda cache: Errs(NUNATAK, cache, wrong)), 4)

    def test_a_table_is_not_sound(self):
        self.assertEqual(failures(lambda cache: FindsErrors(NUNATAK, cache, "column-bounds")),
                         len(SEEDS))
        self.assertEqual(
            failures(lambda cache: FindsErrors(NUNATAK, cache, "dangling-deletion-vector")), 0)

    def test_filters_are_ignored(self):
        self.assertGreater(failures(lambda cache: IgnoresFilters(NUNATAK, cache)), 3)

    def test_older_snapshots_are_ignored(self):
        self.assertGreater(failures(lambda cache: IgnoresSnapshots(NUNATAK, cache)), 1)

    def test_one_delete_is_flipped(self):
        flipped = failures(lambda cache: run.Reader(NUNATAK, cache), flip_a_delete)
        self.assertGreater(flipped, 0)


class Parts(unittest.TestCase):
    def test_hashes_are_those_of_the_specification(self):
        for value, kind, want in [(34, "int", 2017239379), (34, "long", 2017239379),
                                  (1420, "decimal(9, 2)", -500754589), (17486, "date", -653330422),
                                  (81068000000, "time", -662762989),
                                  (1510871468000000, "timestamp", -2047944441),
                                  ("iceberg", "string", 1210000089),
                                  (bytes([0, 1, 2, 3]), "binary", -188683207)]:
            with self.subTest(kind=kind):
                found = transforms.murmur3(transforms.hashed_bytes(value, kind))
                self.assertEqual(found, want & 0xFFFFFFFF)

    def test_dates_go_to_text_and_back(self):
        for days in (-2**31, -719_529, -1, 0, 11_016, 2**31 - 1):
            self.assertEqual(cells.date_days(cells.date_text(days)), days)
        self.assertEqual(cells.date_text(17_486), "2017-11-16")

    def test_bounds_order_negative_zero_first_and_leave_nan_out(self):
        lower, upper = single_values.bounds([0.0, -0.0, math.nan], "double", None)
        self.assertEqual((lower, upper), (b"\0" * 7 + b"\x80", bytes(8)))

    def test_truncated_upper_bounds_are_above(self):
        self.assertEqual(single_values.truncated_upper("abc", 2), "ac")
        self.assertEqual(single_values.truncated_upper("a\U0010ffffc", 2), "b")
        self.assertIsNone(single_values.truncated_upper(b"\xff\xff\xff", 2))
        self.assertEqual(single_values.truncated_upper("\ud7ffx", 1), "\ue000")

    def test_a_vector_has_each_kind_of_container(self):
        def bitmap(values, random_number):
            return deletion_vectors.bitmap32(values, mock.Mock(random=lambda: random_number))
        self.assertEqual(bitmap([1, 5], 1.0),
                         bytes.fromhex("3a300000 01000000 0000 0100 10000000 0100 0500"))
        self.assertEqual(bitmap([1, 2, 3, 9], 0.0),
                         bytes.fromhex("3b300000 01 0000 0300 0200 0100 0200 0900 0000"))
        self.assertEqual(len(bitmap(range(0, 10_000, 2), 1.0)), 16 + 8192)

    def test_three_valued_logic(self):
        def leaf(op, *values):
            return (op, [NUMBER], [literals.Literal(value, "double") for value in values])
        for expression, value, want in [
                (leaf("=", 1.0), None, None), (("not", leaf("=", 1.0)), None, None),
                (leaf("is not nan"), None, None), (leaf(">", math.inf), math.nan, True),
                (leaf("=", math.nan), math.nan, True), (leaf("=", 0.0), -0.0, True),
                (("in", [NUMBER], [literals.Null()]), 1.0, None),
                (("or", leaf("=", 1.0), leaf("is null")), None, True),
                (("and", leaf("=", 1.0), ("false",)), None, False)]:
            with self.subTest(expression=expression, value=value):
                self.assertEqual(filters.truth(expression, {1: value}), want)

    def test_a_vector_replaces_position_deletes(self):
        file = model.DataFile("f", "PARQUET", [NUMBER], [{1: 1.0}, {1: 2.0}], 0, (), 1)
        deletes = [model.DeleteFile("positions", "p", "PARQUET", 0, (), 2, {"f": [0]}),
                   model.DeleteFile("vector", "v", "PUFFIN", 0, (), 3, {"f": [1]})]
        self.assertEqual(model.deleted_positions(deletes, file), {1})
        self.assertEqual(model.deleted_positions(deletes[:1], file), {0})
        file.sequence = 4
        self.assertEqual(model.deleted_positions(deletes, file), set())

    def test_equality_deletes_have_the_scope_of_the_specification(self):
        table = model.Table(2, [{"schema-id": 0, "fields": [NUMBER]}],
                            [{"spec-id": 0, "fields": []}, {"spec-id": 1, "fields": [
                                {"source-id": 1, "transform": "identity", "name": "p",
                                 "field-id": 1000}]}])
        file = model.DataFile("f", "PARQUET", [NUMBER], [{1: None}, {1: 1.0}], 1, (1.0,), 1)

        def survivors(**changes):
            arguments = {"spec_id": 1, "partition": (1.0,), "sequence": 2} | changes
            delete = model.DeleteFile("equality", "e", "PARQUET", fields=[NUMBER],
                                      rows=[{1: None}], equality_ids=(1,), **arguments)
            return [position for position, _ in model.surviving(table, file, [delete])]
        self.assertEqual(survivors(), [1])
        self.assertEqual(survivors(sequence=1), [0, 1])
        self.assertEqual(survivors(partition=(2.0,)), [0, 1])
        self.assertEqual(survivors(spec_id=0, partition=()), [1])


if __name__ == "__main__":
    unittest.main()
