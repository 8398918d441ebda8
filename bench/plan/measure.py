"""Runs a benchmark's command in fresh processes, and keeps the best of what they print.

A command is a function of the number of repetitions. It prints, as its last line that is JSON:
{"wall_s": [a number per repetition], "cpu_s": […], "files": n, "delete_refs": n}, where null says
that it cannot tell; and "peak_mb", or else what the operating system says of the process is taken.
"""
import json
import os
import subprocess
import tempfile

SECONDS_PER_ROUND = 3
MOST_REPETITIONS = 9
TIMEOUT_SECONDS = 300


class Failed(Exception):
    """The last line that says why."""


def _why(text, status):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    named = [line for line in lines if "Error" in line or "Exception" in line]
    return ((named or lines or [f"exit status {status}"])[-1])[:200]


def run_once(command):
    """What one process measured."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(["timeout", str(TIMEOUT_SECONDS), *command], stdout=out,
                                   stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        if process.returncode:
            raise Failed(_why(err.read().decode(errors="replace"), process.returncode))
        lines = [line for line in out.read().decode().splitlines() if line.startswith("{")]
    if not lines:
        raise Failed("it printed no measurement")
    return {"peak_mb": usage.ru_maxrss / 1024, **json.loads(lines[-1])}


def merge(runs):
    """One row of several processes' measurements: minima of times, the highest peak."""
    return {"wall_s": min(min(run["wall_s"]) for run in runs),
            "cpu_s": min(min(run["cpu_s"]) for run in runs),
            "first_cpu_s": min(run["cpu_s"][0] for run in runs),
            "peak_mb": max(run["peak_mb"] for run in runs),
            "files": runs[0]["files"], "delete_refs": runs[0]["delete_refs"]}


def repetitions(first, fewest=1):
    """How many plans a process makes, by the CPU seconds of a first one."""
    fitting = int(SECONDS_PER_ROUND / max(first, 1e-3))
    return max(fewest, min(MOST_REPETITIONS, fitting))


def measure_all(commands, rounds, fewest=None):
    """{name: row} for {name: command}; a row of a command that failed is {"error": why}. `fewest`
    has, for some names, how many plans a process makes at least, however long they take.

    The commands take turns, so that what else the machine does meets all of them. The first round
    has one plan per process, and tells how many the later ones have.
    """
    runs, rows = {name: [] for name in commands}, {}
    for _ in range(rounds):
        for name, command in commands.items():
            if name in rows:
                continue
            count = 1
            if runs[name]:
                count = repetitions(runs[name][0]["cpu_s"][0], (fewest or {}).get(name, 1))
            try:
                runs[name].append(run_once(command(count)))
            except Failed as failure:
                rows[name] = {"error": str(failure)}
    return {name: rows.get(name) or merge(runs[name]) for name in commands}
