"""The benchmark's programs, over small generated tables: they plan exactly the files and deletes
that the generator placed."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench" / "plan"))
import generate

PROGRAMS = pathlib.Path(os.environ["NUNATAK_BUILD"]) / "bench" / "plan"


def run(program, *arguments):
    return subprocess.run([PROGRAMS / program, *map(str, arguments)], capture_output=True,
                          text=True, check=False, timeout=60)


class Programs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        for name in ("tiny", "tinymix"):
            generate.generate(cls.folder / name, name)

    def test_plans_have_the_expected_files_and_deletes(self):
        # 320 files, 160 a day; bucket 1 of 16 has the id; 32 delete files, one per partition.
        expected = {"full": 320, "day": 160, "metric": 3, "id": 20}
        for table, deletes in (("tiny", 0), ("tinymix", 1)):
            for case, files in expected.items():
                for threads in (1, 2):
                    with self.subTest(table=table, case=case, threads=threads):
                        done = run("plan_case", self.folder / table, case, threads, 2)
                        self.assertEqual((done.returncode, done.stderr), (0, ""))
                        found = json.loads(done.stdout)
                        self.assertEqual((found["files"], found["delete_refs"]),
                                         (files, files * deletes))
                        self.assertEqual((len(found["wall_s"]), len(found["cpu_s"])), (2, 2))
                        self.assertGreater(found["peak_mb"], 0)

    def test_every_mode_plans_the_same(self):
        for mode in ("cold", "stream", "warm", "sweep", "latent"):
            with self.subTest(mode=mode):
                done = run("plan_case", self.folder / "tinymix", "metric", 2, 2, mode)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertEqual(json.loads(done.stdout)["files"], 3)

    def test_another_number_of_files_than_expected_is_a_failure(self):
        changed = self.folder / "changed"
        changed.mkdir()
        known = json.loads((self.folder / "tiny" / "expected.json").read_text())
        known["cases"]["day"]["files"] += 1
        (changed / "expected.json").write_text(json.dumps(known))
        done = run("plan_case", changed, "day", 1, 1)
        self.assertEqual(done.returncode, 1)
        self.assertIn("160 files with 0 deletes, where 161 with 0 are right", done.stderr)

    def test_the_floor_walks_every_entry(self):
        for stage, entries in (("walk", 352), ("tasks", 352), ("inflate", 0), ("read", 0)):
            for threads in (1, 2):
                with self.subTest(stage=stage, threads=threads):
                    done = run("plan_floor", self.folder / "tinymix", stage, threads, 1)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    self.assertEqual(json.loads(done.stdout)["files"], entries)

    def test_wrong_usage_is_said(self):
        for program in ("plan_case", "plan_floor"):
            done = run(program)
            self.assertEqual(done.returncode, 2)
            self.assertIn("usage: " + program, done.stderr)


if __name__ == "__main__":
    unittest.main()
