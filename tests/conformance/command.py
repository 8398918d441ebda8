"""Runs the nunatak command and reads what it prints."""
import json
import subprocess

import cache_home  # noqa: F401, what it does is done by importing it

INVALID, UNSUPPORTED = 4, 5
TIMEOUT_SECONDS = 300


class CommandError(Exception):
    """The command ended with an exit code other than 0."""

    def __init__(self, code, message):
        super().__init__(f"exit code {code}: {message}")
        self.code = code


class Nunatak:
    def __init__(self, binary):
        self.binary = binary

    def run(self, verb, table, *arguments):
        done = subprocess.run(
            [self.binary, verb, table, "--moved", *arguments], capture_output=True, timeout=TIMEOUT_SECONDS)
        if done.returncode != 0:
            lines = done.stderr.decode(errors="replace").splitlines()
            errors = [line for line in lines if line.startswith("nunatak: ") and not line.startswith("nunatak: note:")]
            raise CommandError(done.returncode, (errors or lines or ["no message"])[0][:300])
        return done.stdout.decode()

    def object(self, verb, table, *arguments):
        return json.loads(self.run(verb, table, *arguments, "--format", "json"))

    def rows(self, verb, table, *arguments):
        return [json.loads(line) for line in self.run(verb, table, *arguments, "--format", "ndjson").splitlines()]
