"""A short run over fixed seeds."""
import concurrent.futures
import os
import tempfile
import unittest

try:
    import run
except ImportError as error:
    raise unittest.SkipTest("pyarrow is not installed for this Python") from error

SEEDS = range(7_000_000, 7_000_050)


class RandomTables(unittest.TestCase):
    def test_nunatak_finds_the_rows_of_the_model(self):
        with tempfile.TemporaryDirectory() as work, \
                concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
            jobs = {seed: pool.submit(run.run_case, seed, os.environ["NUNATAK"], work)
                    for seed in SEEDS}
            for seed, job in jobs.items():
                with self.subTest(seed=seed, repeat=run.repeat_command(seed)):
                    self.assertIsNone(job.result())


if __name__ == "__main__":
    unittest.main()
