"""Runs `nunatak health`, and the verbs that its figures are held against."""
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
NUNATAK = os.environ.get("NUNATAK", str(ROOT / "build" / "nunatak"))
sys.path.insert(0, str(ROOT / "tests" / "verify"))
sys.path.insert(0, str(ROOT / "tests" / "conformance"))


def run(verb, table, *arguments, codes=(0,)):
    """The exit code and the output."""
    done = subprocess.run([NUNATAK, verb, str(table), "--moved", *arguments], capture_output=True, timeout=300)
    if done.returncode not in codes:
        raise AssertionError(f"exit code {done.returncode}: {done.stderr.decode(errors='replace')}")
    return done.returncode, done.stdout.decode()


def health(table, *arguments):
    """The whole report."""
    return json.loads(run("health", table, "--format", "json", *arguments)[1])


def found(table, *arguments):
    """Which checks found something, and how severe it is."""
    return {f["check"]: f["severity"] for f in health(table, *arguments)["findings"]}


def rows(verb, table, *arguments):
    return [json.loads(line) for line in run(verb, table, "--format", "ndjson", *arguments)[1].splitlines()]
