"""Runs the nunatak command."""
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
NUNATAK = os.environ.get("NUNATAK", str(ROOT / "build" / "nunatak"))
sys.path.insert(0, str(ROOT / "tests" / "conformance"))


def _run(verb, table, *arguments):
    done = subprocess.run([NUNATAK, verb, str(table), "--moved", "--format", "ndjson", *arguments],
                          capture_output=True, timeout=300)
    if done.returncode not in (0, 1):
        raise AssertionError(f"exit code {done.returncode}: {done.stderr.decode(errors='replace')}")
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def verify(table, *arguments):
    """The exit code and the findings."""
    return _run("verify", table, *arguments)


def rows(verb, table, *arguments):
    code, found = _run(verb, table, *arguments)
    assert code == 0, found
    return found
