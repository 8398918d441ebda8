#!/usr/bin/env python3
"""The command's behaviour as texts: each tests/cli/*.test has commands with their exact output.

    # what this shows
    $ nunatak count bookshop-orders/metadata/00016-*.metadata.json --moved
    262

    $ nunatak count nowhere
    stderr: nunatak: no table at nowhere: …
    exit: 3

Commands are shell commands, run in tests/data. What follows one, up to a blank line before the next `$` or `#`, is its standard
output; `stderr:` lines are its standard error, each of which may end in `…` for whatever follows; `exit:` is its exit code if that is not 0.

`test_scripts.py --update FILE.test …` writes what the commands print into the files: read the difference before you keep it.
"""
import glob
import os
import subprocess
import sys
import unittest

import cache_home  # noqa: F401, what it does is done by importing it

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SCRIPTS = os.path.join(ROOT, "tests", "cli")
NUNATAK = os.environ.get("NUNATAK", os.path.join(ROOT, "build", "nunatak"))
ANYTHING = "…"


class Step:
    """A command, the comment above it, and what it must print."""

    def __init__(self, comment, command):
        self.comment = comment
        self.command = command
        self.out = []
        self.err = []
        self.exit = 0

    def run(self):
        path = os.path.dirname(os.path.abspath(NUNATAK)) + os.pathsep + os.environ["PATH"]
        environment = {**os.environ, "PATH": path, "LC_ALL": "C.UTF-8"}
        done = subprocess.run(["bash", "-c", self.command], cwd=os.path.join(ROOT, "tests", "data"), env=environment,
                              capture_output=True, timeout=120)
        return done.stdout.decode().splitlines(), done.stderr.decode().splitlines(), done.returncode

    def text(self):
        lines = [*self.comment, "$ " + self.command, *self.out, *("stderr: " + line for line in self.err)]
        return "\n".join(lines + [f"exit: {self.exit}"] * (self.exit != 0)) + "\n"


def read_script(path):
    steps, comment = [], []
    with open(path, encoding="utf-8") as file:
        for line in file.read().splitlines():
            if line.startswith("#"):
                comment.append(line)
            elif line.startswith("$ "):
                steps.append(Step(comment, line[2:]))
                comment = []
            elif line.startswith("stderr: "):
                steps[-1].err.append(line.removeprefix("stderr: "))
            elif line.startswith("exit: "):
                steps[-1].exit = int(line.removeprefix("exit: "))
            elif not comment and steps:
                steps[-1].out.append(line)
    for step in steps:
        while step.out and not step.out[-1]:
            step.out.pop()
    return steps


def same(got, want):
    return got.startswith(want[:-1]) if want.endswith(ANYTHING) else got == want


class Scripts(unittest.TestCase):
    maxDiff = None

    def check(self, path):
        steps = read_script(path)
        self.assertTrue(steps, path)
        for step in steps:
            with self.subTest(step.command):
                out, err, code = step.run()
                while out and not out[-1]:
                    out.pop()
                self.assertEqual(out, step.out)
                fits = len(err) == len(step.err) and all(map(same, err, step.err))
                self.assertTrue(fits, f"standard error: {err}, want {step.err}")
                self.assertEqual(code, step.exit)


def add_test(path):
    name = os.path.basename(path).removesuffix(".test")
    setattr(Scripts, "test_" + name, lambda self: self.check(path))


for script in sorted(glob.glob(os.path.join(SCRIPTS, "*.test"))):
    add_test(script)


def update(path):
    steps = read_script(path)
    for step in steps:
        step.out, step.err, step.exit = step.run()
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(step.text() for step in steps))


if __name__ == "__main__":
    if "--update" in sys.argv:
        for script in sys.argv[2:]:
            update(script)
    else:
        unittest.main()
