#!/usr/bin/env python3
"""The contract of the command line: what goes where, exit codes, and one clear error for what is wrong."""
import fcntl
import glob
import json
import os
import pty
import shutil
import struct
import subprocess
import tempfile
import termios
import unittest

import cache_home  # noqa: F401, what it does is done by importing it

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
DATA = os.path.join(ROOT, "tests", "data")
BOOKSHOP = os.path.join(DATA, "bookshop-orders")
NUNATAK = os.environ.get("NUNATAK", os.path.join(ROOT, "build", "nunatak"))
VERBS = ("show", "tree", "schema", "snapshots", "history", "refs", "manifests", "files", "entries", "plan", "scan", "count")


def run(*arguments, **options):
    done = subprocess.run([NUNATAK, *arguments], capture_output=True, timeout=120, **options)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def run_on_terminal(*arguments, columns=80, **environment):
    """The exit code, and all that a terminal of that width gets."""
    screen, end = pty.openpty()
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    settings = {**os.environ, "TERM": "xterm", "NO_COLOR": "", **environment}
    with subprocess.Popen([NUNATAK, *arguments], stdin=subprocess.DEVNULL, stdout=end, stderr=end, env=settings) as process:
        os.close(end)
        shown = b""
        try:
            while chunk := os.read(screen, 65536):
                shown += chunk
        except OSError:  # the command has closed its end
            pass
        os.close(screen)
    return process.returncode, shown.decode().replace("\r\n", "\n")


def current_metadata(table):
    return sorted(glob.glob(os.path.join(table, "metadata", "*.metadata.json")))[-1]


class ExitCodes(unittest.TestCase):
    def fails(self, code, text, *arguments):
        got, out, err = run(*arguments)
        self.assertEqual(got, code, err)
        self.assertEqual(out, "", "nothing is printed as data")
        self.assertIn("nunatak: ", err)
        self.assertIn(text, err)

    def test_usage(self):
        self.fails(2, "no verb 'frob'", "frob")
        self.fails(2, "--format: 'xml' is none of table, json, ndjson, csv, arrow, parquet", "scan", BOOKSHOP, "--format", "xml")
        self.fails(2, "must be 0 or more", "scan", BOOKSHOP, "--limit", "-1")
        for number in ("x", "1.5", "0x10", "", "9223372036854775808"):
            self.fails(2, f"--snapshot: '{number}' is not a whole number", "scan", BOOKSHOP, "--snapshot", number)
        self.fails(2, "TABLE is required\nhint: nunatak scan --help", "scan")
        self.fails(2, "no verb was given\nhint: nunatak --help")
        self.fails(2, "expected FROM=TO", "scan", BOOKSHOP, "--relocate", "x")
        self.fails(2, "no column is named nope", "scan", BOOKSHOP, "--moved", "--select", "nope")
        self.fails(2, "not a time: 'some day'", "scan", BOOKSHOP, "--as-of", "some day")
        self.fails(2, "not by several", "scan", BOOKSHOP, "--ref", "main", "--snapshot", "1")

    def test_filters_point_at_the_character(self):
        code, _, err = run("count", BOOKSHOP, "--moved", "--where", "order_id = x")
        self.assertEqual(code, 2)
        self.assertIn("  order_id = x\n             ^\n", err)

    def test_not_found(self):
        self.fails(3, "no table at", "scan", os.path.join(ROOT, "nowhere"))
        self.fails(3, "no snapshot 5", "scan", BOOKSHOP, "--moved", "--snapshot", "5")
        self.fails(3, "nope", "scan", BOOKSHOP, "--moved", "--ref", "nope")
        self.fails(3, "", "scan", BOOKSHOP, "--moved", "--as-of", "1999-01-01")

    def test_unsupported_is_refused_by_name(self):
        with open(current_metadata(BOOKSHOP), encoding="utf-8") as file:
            metadata = json.load(file)
        metadata["format-version"] = 4
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "00000-of-a-later-version.metadata.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(metadata, file)
            self.fails(5, "format-version 4 is not supported", "scan", path)

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

    def test_a_scan_goes_to_a_file_in_every_format(self):
        with tempfile.TemporaryDirectory() as folder:
            for form in ("table", "json", "ndjson", "csv", "arrow", "parquet"):
                path = os.path.join(folder, "rows")
                code, out, err = run("scan", BOOKSHOP, "--moved", "--format", form, "--output", path)
                self.assertEqual((code, out), (0, ""), err)
                with open(path, "rb") as file:
                    written = file.read()
                piped = subprocess.run([NUNATAK, "scan", BOOKSHOP, "--moved", "--format", form], capture_output=True, timeout=120)
                if form == "arrow":
                    self.assertTrue(written.startswith(b"ARROW1") and written.endswith(b"ARROW1"), "the IPC file format")
                    self.assertTrue(piped.stdout.startswith(b"\xff\xff\xff\xff"), "the IPC streaming format")
                else:
                    self.assertEqual(written, piped.stdout, form)
            self.assertTrue(written.startswith(b"PAR1") and written.endswith(b"PAR1"))
            self.assertEqual(os.listdir(folder), ["rows"])

    def test_the_name_of_the_file_says_the_format(self):
        starts = {"a.parquet": b"PAR1", "a.arrow": b"ARROW1", "a.feather": b"ARROW1", "a.arrows": b"\xff\xff\xff\xff",
                  "a.csv": b"order_id,", "a.ndjson": b'{"order_id":', "a.jsonl": b'{"order_id":', "a.json": b"[\n", "a.txt": b"order_id  "}
        with tempfile.TemporaryDirectory() as folder:
            for name, start in starts.items():
                path = os.path.join(folder, name)
                code, _, err = run("scan", BOOKSHOP, "--moved", "--output", path)
                self.assertEqual(code, 0, err)
                with open(path, "rb") as file:
                    self.assertTrue(file.read().lstrip().startswith(start), name)

    def test_a_name_that_says_no_format_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("rows", "rows.xyz", "parquet"):
                code, out, err = run("scan", BOOKSHOP, "--moved", "--output", os.path.join(folder, name))
                self.assertEqual((code, out, os.listdir(folder)), (2, "", []), err)
                self.assertIn("--format says which", err)

    def test_a_scan_that_fails_leaves_no_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rows.csv")
            for arguments in (["--select", "nope"], ["--where", "order_id ="], ["--snapshot", "5"], ["--memory", "none"]):
                code, out, err = run("scan", BOOKSHOP, "--moved", "--output", path, *arguments)
                self.assertNotEqual(code, 0, arguments)
                self.assertEqual((out, os.listdir(folder)), ("", []), err)
            code, _, err = run("scan", BOOKSHOP, "--moved", "--output", os.path.join(folder, "nowhere", "rows.csv"))
            self.assertEqual(code, 6, err)
            self.assertIn("nowhere", err)

    def test_binary_formats_are_not_for_a_terminal(self):
        for form in ("arrow", "parquet"):
            code, shown = run_on_terminal("scan", BOOKSHOP, "--moved", "--format", form)
            self.assertEqual(code, 2)
            self.assertIn("--output FILE", shown)

    def test_the_memory_of_a_scan_changes_nothing_else(self):
        base = run("scan", BOOKSHOP, "--moved", "--format", "csv")
        self.assertEqual(run("scan", BOOKSHOP, "--moved", "--format", "csv", "--memory", "1MB"), base)
        code, _, err = run("count", BOOKSHOP, "--moved", "--memory", "0")
        self.assertEqual(code, 2)
        self.assertIn("--memory: '0' is no size above 0", err)

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

    def test_append_scans_have_what_appends_added(self):
        snapshots = json.loads(run("snapshots", BOOKSHOP, "--moved", "--format", "json")[1])
        for i, since in enumerate(snapshots):
            added = sum(int(s["summary"]["added-records"]) for s in snapshots[i + 1:] if s["operation"] == "append")
            for name in (str(since["snapshot_id"]), since["committed_at"]):
                self.assertEqual(run("count", BOOKSHOP, "--moved", "--since", name)[:2], (0, f"{added}\n"), name)
        first = str(snapshots[0]["snapshot_id"])
        self.assertEqual(run("count", BOOKSHOP, "--moved", "--since", "-", "--snapshot", first)[1], "100\n")
        code, out, err = run("scan", BOOKSHOP, "--moved", "--since", str(snapshots[-1]["snapshot_id"]), "--snapshot", first)
        self.assertEqual((code, out), (2, ""))
        self.assertIn("no ancestor", err)

    def test_a_plan_in_short_is_the_plan_without_its_tasks(self):
        arguments = (BOOKSHOP, "--moved", "--no-cache", "--where", "status = 'shipped' and order_id < 150")
        plan = json.loads(run("plan", *arguments, "--format", "json")[1])
        self.assertTrue(plan["tasks"])
        summary = json.loads(run("plan", *arguments, "--format", "json", "--summary")[1])
        self.assertEqual(summary, {k: v for k, v in plan.items() if k not in ("delete-files", "tasks")})
        stats = json.loads(run("plan", *arguments, "--format", "json", "--stats")[1])["stats"]
        files = stats["data-files"]
        self.assertEqual(files["planned"], plan["files"])
        self.assertEqual(files["read"], files["pruned-by-partition"] + files["pruned-by-metrics"] + files["planned"])
        self.assertEqual(stats["data-manifests"]["read"] + stats["delete-manifests"]["read"], plan["manifests"]["read"])
        self.assertGreater(stats["requests"], plan["manifests"]["read"])
        seconds, busy = stats["seconds"], stats["thread-seconds"]
        self.assertGreaterEqual(seconds["total"], seconds["open"] + seconds["deletes"])
        self.assertTrue(all(busy[stage] > 0 for stage in ("fetch", "decode", "select")), busy)
        self.assertGreater(stats["memory"]["window-bytes"], 0)
        self.assertIn("pruned-by-metrics", run("plan", *arguments, "--stats")[1])
        rows = run("plan", *arguments, "--format", "ndjson")[1].splitlines()
        self.assertEqual([json.loads(row)["file"] for row in rows], [t["data-file"]["file-path"] for t in plan["tasks"]])

    def test_names_without_case(self):
        self.assertEqual(run("count", BOOKSHOP, "--moved", "--where", "ORDER_ID = 7")[0], 2)
        self.assertEqual(run("count", BOOKSHOP, "--moved", "--ignore-case", "--where", "ORDER_ID = 7")[:2], (0, "1\n"))

    def test_selected_names_may_stand_in_quotes(self):
        table = os.path.join(DATA, "iceberg", "weird-names")
        select = '"my.col", `a b`,größe,"st.ruct"."in.ner"'
        code, out, err = run("scan", table, "--moved", "--where", "id = 3", "--select", select, "--format", "ndjson")
        self.assertEqual(code, 0, err)
        self.assertEqual(json.loads(out), {"my.col": "m3", "a b": 0, "größe": 1.5, "st.ruct": {"in.ner": 3}})

    def test_numbers_are_decimal(self):
        code, out, err = run("scan", BOOKSHOP, "--moved", "--limit", "010", "--format", "ndjson")
        self.assertEqual((code, len(out.splitlines())), (0, 10), err)

    def test_chosen_snapshots_limit_the_history(self):
        table = os.path.join(DATA, "iceberg", "refs-branches-tags")
        refs = json.loads(run("refs", table, "--moved", "--format", "json")[1])
        snapshots = json.loads(run("snapshots", table, "--moved", "--format", "json")[1])
        self.assertGreater(len(refs), 1)
        for ref in refs:
            rows = json.loads(run("snapshots", table, "--moved", "--ref", ref["name"], "--format", "json")[1])
            self.assertIn(ref["snapshot_id"], [row["snapshot_id"] for row in rows])
            self.assertLessEqual(len(rows), len(snapshots))


class OnATerminal(unittest.TestCase):
    TABLE = current_metadata(BOOKSHOP)

    def test_tables_fit(self):
        for verb in VERBS:
            if verb in ("show", "tree", "schema"):  # not tables
                continue
            for columns in (80, 40):
                code, shown = run_on_terminal(verb, self.TABLE, "--moved", columns=columns, NO_COLOR="1")
                self.assertEqual(code, 0, shown)
                table = shown.partition("\n\n")[2] if verb == "plan" else shown
                self.assertTrue(table)
                rows = [line for line in table.splitlines() if not line.startswith("… and")]
                self.assertLessEqual(max(len(row) for row in rows), columns, f"{verb}: {rows}")

    def test_columns_that_do_not_fit_are_counted(self):
        self.assertIn("\n… and 9 more columns: --format ndjson shows all\n", run_on_terminal("manifests", self.TABLE, "--moved", columns=40)[1])
        self.assertNotIn("more column", run("manifests", self.TABLE, "--moved")[1], "a file has no width")

    def test_styles(self):
        error = ("count", BOOKSHOP, "--moved", "--where", "nope = 1")
        self.assertIn("\x1b[1;31mnunatak:\x1b[0m there is no column", run_on_terminal(*error)[1])
        self.assertIn("\x1b[1mname", run_on_terminal("refs", self.TABLE)[1])
        for command in (error, ("refs", self.TABLE)):
            self.assertNotIn("\x1b", run_on_terminal(*command, NO_COLOR="1")[1])
            self.assertNotIn("\x1b", run_on_terminal(*command, TERM="dumb")[1])
            self.assertNotIn("\x1b", "".join(run(*command)[1:]), "not a terminal")

    def test_a_table_cannot_control_the_terminal(self):
        with tempfile.TemporaryDirectory() as directory:
            path = os.path.join(directory, "v1.metadata.json")
            with open(self.TABLE, encoding="utf-8") as file:
                metadata = json.load(file)
            metadata["properties"] = {"evil": "a\x1b[2Jb"}
            metadata["schemas"][0]["fields"][2]["doc"] = "c\x1b[2Jd"
            metadata["refs"]["e\x1b[2Jf"] = metadata["refs"]["main"]
            with open(path, "w", encoding="utf-8") as file:
                json.dump(metadata, file)
            relocate = f"{metadata['location']}={BOOKSHOP}"
            for verb, text in (("show", "a [2Jb"), ("schema", "c [2Jd"), ("refs", "e [2Jf")):
                code, shown = run_on_terminal(verb, path, "--relocate", relocate, NO_COLOR="1")
                self.assertEqual(code, 0, shown)
                self.assertIn(text, shown)
                self.assertNotIn("\x1b", shown)
            code, shown = run_on_terminal("scan", path, "--ref", "\x1b[2J", NO_COLOR="1")
            self.assertEqual(code, 3)
            self.assertNotIn("\x1b", shown)


class Cache(unittest.TestCase):
    """What plan, scan and count keep between commands. The table has 15 manifests."""

    def setUp(self):
        self.home = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.home)
        self.environment = {key: value for key, value in os.environ.items() if key not in ("HOME", "XDG_CACHE_HOME")}
        self.under_home = os.path.join(self.home, ".cache", "nunatak")

    def run_with(self, *arguments, **environment):
        return run(*arguments, env={**self.environment, **environment})

    def plan(self, *arguments, **environment):
        code, out, err = self.run_with("plan", BOOKSHOP, "--moved", "--format", "json", *arguments, **environment)
        self.assertEqual(code, 0, err)
        return out

    def cached(self, directory):
        code, out, err = run("cache", "show", "--cache-dir", directory, "--format", "json")
        self.assertEqual(code, 0, err)
        self.assertEqual(json.loads(out)["directory"], directory)
        return json.loads(out)["manifests"]

    def test_lies_in_the_users_cache_directory(self):
        xdg = os.path.join(self.home, "xdg")
        expected = self.plan("--no-cache", HOME=self.home)
        self.assertEqual(os.listdir(self.home), [])
        self.assertEqual(self.plan(HOME=self.home, XDG_CACHE_HOME=xdg), expected)
        self.assertEqual(self.cached(os.path.join(xdg, "nunatak")), 15)
        self.assertFalse(os.path.exists(self.under_home))
        for relative in ("", "cache"):
            self.assertEqual(self.plan(HOME=self.home, XDG_CACHE_HOME=relative), expected)
            self.assertEqual(self.cached(self.under_home), 15)
            shutil.rmtree(self.under_home)

    def test_is_off_without_a_home(self):
        self.plan()
        code, _, err = self.run_with("cache", "show")
        self.assertEqual(code, 2)
        self.assertIn("neither XDG_CACHE_HOME nor HOME", err)

    def test_gives_the_same_answers(self):
        where = ("--where", "order_id > 250")
        for verb in ("plan", "scan", "count"):
            answers = [self.run_with(verb, BOOKSHOP, "--moved", "--format", "csv", *where, *cache, HOME=self.home)
                       for cache in (("--no-cache",), (), ())]
            self.assertEqual(answers[0][0], 0, answers[0][2])
            self.assertEqual(answers[1:], [answers[0]] * 2, verb)
            self.assertGreater(self.cached(self.under_home), 0, verb)
            shutil.rmtree(self.under_home)

    def test_spares_reading_manifests(self):
        requests = [json.loads(self.plan("--stats", HOME=self.home))["stats"]["requests"] for _ in range(2)]
        self.assertEqual(requests[0] - requests[1], 15)

    def test_is_cleared(self):
        self.plan(HOME=self.home)
        other = os.path.join(self.under_home, "notes.txt")
        with open(other, "w", encoding="utf-8") as file:
            file.write("mine")
        code, out, err = self.run_with("cache", "clear", HOME=self.home)
        self.assertEqual(code, 0, err)
        self.assertIn(f"{self.under_home}: removed 15 decoded manifests, ", out)
        self.assertEqual(os.listdir(self.under_home), ["notes.txt"])
        code, out, _ = self.run_with("cache", "show", HOME=self.home)
        self.assertEqual(out, f"{self.under_home}: 0 decoded manifests, 0 B\n")

    def test_is_where_one_says(self):
        directory = os.path.join(self.home, "deep", "cache")
        self.plan("--cache-dir", directory, HOME=self.home)
        self.assertEqual(self.cached(directory), 15)
        self.assertFalse(os.path.exists(self.under_home))
        self.assertEqual(run("plan", BOOKSHOP, "--cache-dir", directory, "--no-cache")[0], 2)
        self.assertEqual(run("cache")[0], 2)

    def test_that_cannot_be_used_is_no_error(self):
        expected = self.plan("--no-cache")
        blocked = os.path.join(self.home, "file")
        with open(blocked, "w", encoding="utf-8"):
            pass
        self.assertEqual(self.plan("--cache-dir", os.path.join(blocked, "cache")), expected)


class MetadataColumns(unittest.TestCase):
    def rows(self, *arguments):
        code, out, err = run("scan", current_metadata(BOOKSHOP), "--moved", "--format", "ndjson", *arguments)
        self.assertEqual(code, 0, err)
        return [json.loads(line) for line in out.splitlines()]

    def planned(self, where):
        code, out, err = run("plan", current_metadata(BOOKSHOP), "--moved", "--format", "json", "--where", where)
        self.assertEqual(code, 0, err)
        return [task["data-file"]["file-path"] for task in json.loads(out)["tasks"]]

    def test_are_selected_like_any_column(self):
        table = self.rows()
        self.assertFalse(any(name.startswith("_") for name in table[0]))
        self.assertEqual(self.rows("--select", "*"), table)
        both = self.rows("--select", "*,_file,_pos")
        self.assertEqual([{k: v for k, v in row.items() if k not in ("_file", "_pos")} for row in both], table)
        self.assertEqual(len({(row["_file"], row["_pos"]) for row in both}), len(table))

    def test_filter_rows_and_files(self):
        where = [row["_file"] for row in self.rows("--select", "_file")]
        files = sorted(set(where))
        self.assertGreater(len(files), 1)
        largest = max(files, key=where.count)
        one = f"_file = '{largest}'"
        self.assertEqual(self.planned(one), [largest])
        in_one = [row["order_id"] for row in self.rows("--select", "order_id,_file") if row["_file"] == largest]
        self.assertEqual([row["order_id"] for row in self.rows("--where", one)], in_one)
        self.assertEqual([row["_pos"] for row in self.rows("--where", one + " and _pos < 2", "--select", "_pos")], [0, 1])
        self.assertEqual(self.planned("_spec_id = 17"), [])
        self.assertEqual(self.planned("_pos >= 100000"), [])

    def test_tasks_that_were_written_down_know_them(self):
        with tempfile.TemporaryDirectory() as directory:
            for form in ("table", "json"):
                tasks = os.path.join(directory, form)
                code, _, err = run("plan", current_metadata(BOOKSHOP), "--moved", "--format", form, "--tasks", tasks,
                                   "--where", "_pos < 3 and _spec_id = 0", "--select", "_pos,order_id")
                self.assertEqual(code, 0, err)
                want = self.rows("--where", "_pos < 3", "--select", "_pos,order_id")
                self.assertEqual(self.rows("--tasks", tasks), want)
                self.assertEqual(self.rows("--tasks", tasks, "--select", "_pos"), [{"_pos": row["_pos"]} for row in want])


if __name__ == "__main__":
    unittest.main()
