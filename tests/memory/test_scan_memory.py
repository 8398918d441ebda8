#!/usr/bin/env python3
"""What a scan holds in memory is set by its options, not by the table: ten times the files, or ten times the row groups of a file,
take no more."""
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

import pyarrow as pa
import pyarrow.parquet as pq

ROOT = pathlib.Path(__file__).resolve().parents[2]
NUNATAK = os.environ.get("NUNATAK", str(ROOT / "build" / "nunatak"))
ROWS = 100_000
FILES = 12
# Allocators and the turns of threads make this much of a difference from run to run, and more now and then.
SLACK = 1.6
# What Arrow's parts of a command take before they read anything.
LEAST_BYTES = 32 << 20


def random_table(rows):
    """About 5 MB, of which nothing compresses well."""
    draw = random.Random(1)
    return pa.table({
        "id": pa.array(range(rows)), "amount": pa.array([draw.random() for _ in range(rows)]),
        "code": pa.array([draw.getrandbits(62) for _ in range(rows)]),
        "text": pa.array([f"row {draw.getrandbits(40)} of many" for _ in range(rows)]),
        "list": pa.array([[n, n + 1] for n in range(rows)])})


# A process of its own, since what a process held before it became another counts as the other's too.
MEASURE = """
import os, sys
null = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=null)
_, status, usage = os.wait4(child, 0)
print(usage.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def peak_bytes(*arguments):
    """The command's peak resident memory."""
    done = subprocess.run([sys.executable, "-c", MEASURE, NUNATAK, *map(str, arguments)], capture_output=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"exit code {done.returncode}: {done.stderr.decode()}")
    return int(done.stdout) * 1024


class ScanMemory(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def of_files(self, count):
        table = self.folder / f"{count} files"
        table.mkdir()
        pq.write_table(random_table(ROWS), table / "0.parquet")
        for number in range(1, count):
            try:
                os.link(table / "0.parquet", table / f"{number}.parquet")
            except OSError:
                shutil.copy(table / "0.parquet", table / f"{number}.parquet")
        return table

    def of_row_groups(self, count):
        table = self.folder / f"{count} row groups"
        table.mkdir()
        rows = random_table(ROWS)
        with pq.ParquetWriter(table / "0.parquet", rows.schema) as writer:
            for _ in range(count):
                writer.write_table(rows)
        return table

    def test_ten_times_the_files_take_no_more(self):
        self.check(self.of_files(FILES), self.of_files(10 * FILES))

    def test_ten_times_the_row_groups_of_a_file_take_no_more(self):
        # The smaller file has more than this budget lets be held at a time.
        self.check(self.of_row_groups(6), self.of_row_groups(60), "--memory", "64MB")

    def check(self, small, large, *more):
        for some in ([], ["--where", "amount < 0.5 and code > 0"], ["--select", "id,list"]):
            arguments = [*some, *more]
            with self.subTest(arguments=arguments):
                before = max(peak_bytes("scan", small, "--format", "arrow", *arguments) for _ in range(2))
                after = min(peak_bytes("scan", large, "--format", "arrow", *arguments) for _ in range(2))
                self.assertGreater(before, LEAST_BYTES)
                self.assertLess(after, SLACK * before)


if __name__ == "__main__":
    unittest.main()
