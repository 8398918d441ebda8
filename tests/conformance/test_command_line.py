#!/usr/bin/env python3
"""The contract of the command line: what goes where, exit codes, and one clear error for what is wrong."""
import json
import os
import shutil
import subprocess
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
DATA = os.path.join(ROOT, "tests", "data")
BOOKSHOP = os.path.join(DATA, "bookshop-orders")
NUNATAK = os.environ.get("NUNATAK", os.path.join(ROOT, "build", "nunatak"))
VERBS = ("show", "tree", "schema", "snapshots", "history", "refs", "manifests", "files", "entries", "plan", "scan", "count")


def run(*arguments, **options):
    done = subprocess.run([NUNATAK, *arguments], capture_output=True, timeout=120, **options)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


class ExitCodes(unittest.TestCase):
    def fails(self, code, text, *arguments):
        got, out, err = run(*arguments)
        self.assertEqual(got, code, err)
        self.assertEqual(out, "", "nothing is printed as data")
        self.assertIn("nunatak: ", err)
        self.assertIn(text, err)

    def test_usage(self):
        self.fails(2, "no verb 'frob'", "frob")
        self.fails(2, "--format: 'xml' is none of table, json, ndjson, csv", "scan", BOOKSHOP, "--format", "xml")
        self.fails(2, "must be 0 or more", "scan", BOOKSHOP, "--limit", "-1")
        self.fails(2, "TABLE is required", "scan")
        self.fails(2, "expected FROM=TO", "scan", BOOKSHOP, "--relocate", "x")
        self.fails(2, "no column is named nope", "scan", BOOKSHOP, "--moved", "--select", "nope")
        self.fails(2, "not a time: 'yesterday'", "scan", BOOKSHOP, "--as-of", "yesterday")
        self.fails(2, "not by several", "scan", BOOKSHOP, "--ref", "main", "--snapshot", "1")

    def test_filters_point_at_the_character(self):
        code, _, err = run("count", BOOKSHOP, "--moved", "--where", "order_id = x")
        self.assertEqual(code, 2)
        self.assertIn("  order_id = x\n             ^\n", err)

    def test_not_found(self):
        self.fails(3, "no Iceberg table at", "scan", os.path.join(ROOT, "nowhere"))
        self.fails(3, "no snapshot 5", "scan", BOOKSHOP, "--moved", "--snapshot", "5")
        self.fails(3, "nope", "scan", BOOKSHOP, "--moved", "--ref", "nope")
        self.fails(3, "", "scan", BOOKSHOP, "--moved", "--as-of", "1999-01-01")

    def test_unsupported_is_refused_by_name(self):
        self.fails(5, "equality deletes are not supported", "scan", os.path.join(DATA, "iceberg", "eq-delete-single"), "--moved")

    def test_help_and_version(self):
        self.assertEqual(run("--help")[0], 0)
        self.assertRegex(run("--version")[1], r"^nunatak \d+\.\d+\.\d+\n$")
        for verb in VERBS:
            code, out, _ = run(verb, "--help")
            self.assertEqual(code, 0)
            self.assertIn("Example", out, verb)


class DamagedTables(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp()
        self.table = os.path.join(self.directory, "my table %2F")
        shutil.copytree(BOOKSHOP, self.table)

    def tearDown(self):
        shutil.rmtree(self.directory)

    def test_a_copied_table_reads_where_it_is(self):
        self.assertEqual(run("count", self.table, "--moved")[:2], (0, "262\n"))
        relocate = "file:///warehouse/bookshop/orders=" + self.table
        self.assertEqual(run("count", self.table, "--relocate", relocate)[:2], (0, "262\n"))

    def test_a_missing_data_file_is_invalid(self):
        files = os.path.join(self.table, "data")
        for name in os.listdir(files):
            os.remove(os.path.join(files, name))
        code, _, err = run("scan", self.table, "--moved")
        self.assertEqual(code, 4, err)
        self.assertIn(".parquet", err)

    def test_a_cut_manifest_names_file_and_place(self):
        metadata = os.path.join(self.table, "metadata")
        for name in os.listdir(metadata):
            if name.endswith("-m0.avro"):
                os.truncate(os.path.join(metadata, name), 4000)
        code, _, err = run("plan", self.table, "--moved")
        self.assertEqual(code, 4, err)
        self.assertRegex(err, r"-m0\.avro: .*byte \d+")

    def test_a_damaged_data_file_names_the_file(self):
        files = os.path.join(self.table, "data")
        for name in os.listdir(files):
            with open(os.path.join(files, name), "r+b") as file:
                file.seek(-8, os.SEEK_END)
                file.write(b"\xff\xff\xff\x7f")
        code, _, err = run("scan", self.table, "--moved")
        self.assertEqual(code, 4, err)
        self.assertIn(".parquet", err)


class Output(unittest.TestCase):
    def test_every_verb_in_every_format(self):
        for verb in VERBS:
            for form in ("table", "json", "ndjson", "csv"):
                code, out, err = run(verb, BOOKSHOP, "--moved", "--format", form)
                self.assertEqual(code, 0, f"{verb} {form}: {err}")
                self.assertTrue(out)
                if form == "json":
                    json.loads(out)
                if form == "ndjson":
                    for line in out.splitlines():
                        json.loads(line)

    def test_notes_go_to_standard_error(self):
        code, out, err = run("count", BOOKSHOP, "--moved", "--format", "json")
        self.assertEqual((code, json.loads(out)), (0, {"count": 262}))
        self.assertIn("no version hint", err)

    def test_a_reader_that_goes_away_ends_it_quietly(self):
        with subprocess.Popen([NUNATAK, "scan", BOOKSHOP, "--moved", "--format", "ndjson"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            process.stdout.close()
            err = process.stderr.read().decode()
            self.assertEqual(process.wait(timeout=60), 0)
        self.assertNotIn("nunatak: cannot", err)

    def test_output_does_not_depend_on_zone_and_locale(self):
        base = run("scan", BOOKSHOP, "--moved", "--format", "csv")
        other = run("scan", BOOKSHOP, "--moved", "--format", "csv", env={**os.environ, "TZ": "Asia/Tokyo", "LC_ALL": "de_DE"})
        self.assertEqual(base, other)

    def test_names_without_case(self):
        self.assertEqual(run("count", BOOKSHOP, "--moved", "--where", "ORDER_ID = 7")[0], 2)
        self.assertEqual(run("count", BOOKSHOP, "--moved", "--ignore-case", "--where", "ORDER_ID = 7")[:2], (0, "1\n"))

    def test_chosen_snapshots_limit_the_history(self):
        table = os.path.join(DATA, "iceberg", "refs-branches-tags")
        refs = json.loads(run("refs", table, "--moved", "--format", "json")[1])
        snapshots = json.loads(run("snapshots", table, "--moved", "--format", "json")[1])
        self.assertGreater(len(refs), 1)
        for ref in refs:
            rows = json.loads(run("snapshots", table, "--moved", "--ref", ref["name"], "--format", "json")[1])
            self.assertIn(ref["snapshot_id"], [row["snapshot_id"] for row in rows])
            self.assertLessEqual(len(rows), len(snapshots))


if __name__ == "__main__":
    unittest.main()
