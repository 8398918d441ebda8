"""What the benchmark compares, and how each is driven."""
import dataclasses
import pathlib
import shutil
import subprocess
from collections.abc import Callable

HERE = pathlib.Path(__file__).resolve().parent
EVERY_SIZE = 10**9
# Takes those peers a minute or more, and gigabytes.
SLOW_FROM = 200_000
# The JVM compiles what ran often: its first plans cost several times what later ones do.
PLANS_TO_WARM_UP = 5


@dataclasses.dataclass
class Implementation:
    name: str
    # (table folder, case, its entry in expected.json, metadata file, threads) → (repetitions →
    # command line)
    command: Callable
    # Why it is not measured, or nothing.
    missing: str = ""
    most_files: int = EVERY_SIZE
    # Plans that a process makes at least.
    fewest_plans: int = 1


def words(predicates):
    return [str(word) for predicate in predicates for word in predicate]


# The ways in which nunatak plans beside "cold"; see plan_case.cc.
MODES = ("stream", "warm", "sweep")


def nunatak(programs, mode="cold"):
    def command(table, case, _expected, _metadata, threads):
        return lambda n: [f"{programs}/plan_case", str(table), case, str(threads), str(n), mode]
    return Implementation("nunatak" if mode == "cold" else f"nunatak {mode}", command)


def floor(programs, stage="tasks"):
    def command(table, _case, _expected, _metadata, threads):
        return lambda n: [f"{programs}/plan_floor", str(table), stage, str(threads), str(n)]
    return Implementation("floor", command)


def _peer(name, program, missing, most_files, fewest_plans=1):
    def command(_table, _case, expected, metadata, threads):
        return lambda n: [*program, metadata, str(n), str(threads), *words(expected["predicates"])]
    return Implementation(name, command, missing, most_files, fewest_plans)


def _python_peer(name, installed, module, most_files=EVERY_SIZE):
    python = installed / "python" / "bin" / "python"
    probe = subprocess.run([python, "-c", f"import {module}"], capture_output=True,
                           check=False).returncode if python.exists() else 1
    return _peer(name, [str(python), str(HERE / "python_peers.py"), name],
                 f"no {module} in {python.parents[1].name}" if probe else "", most_files)


def peers(installed):
    """All that are known; `installed` is the folder that scripts/setup.sh --peers fills."""
    rust, java = installed / "rust" / "target" / "release" / "plan_case", installed / "java"
    classes = java / "target" / "classes"
    java_found = shutil.which("java") and (classes / "PlanCase.class").exists()
    return [
        _python_peer("polars", installed, "polars_iceberg"),
        _peer("java", ["java", "-cp", f"{classes}:{java}/lib/*", "PlanCase"],
              "" if java_found else "not built", EVERY_SIZE, PLANS_TO_WARM_UP),
        _python_peer("duckdb", installed, "duckdb_extension_iceberg", SLOW_FROM),
        _python_peer("pyiceberg", installed, "pyiceberg", SLOW_FROM),
        _peer("iceberg-rust", [str(rust)], "" if rust.exists() else "not built", SLOW_FROM),
    ]
