#!/usr/bin/env python3
"""Proves that the tests notice a wrong evaluator: changes one comparison or boolean at a time, and runs them.

usage: tests/expr/mutate_evaluator.py [--jobs 2] [--list] [FILE ...]

For each comparison operator, `&&`, `||`, `!`, `true` and `false` in FILE (by default the sources of evaluation and
projection), a copy of the file with that one thing changed is compiled and linked with the unchanged rest, and the
tests of the room run until one fails. Prints each mutant that no test notices, and exits 1 if there is one that EQUIVALENT does
not explain. Takes some minutes; not part of `make test`.
"""
import argparse
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXPR = ROOT / "src" / "nunatak" / "expr"
FILES = ["evaluate.cc", "project.cc", "project_leaf.cc", "residual.cc"]
COMPILE = ["g++", "-std=c++20", "-O1", f"-I{ROOT}/src", f"-I{ROOT}/tests",
           f'-DNUNATAK_TEST_DATA="{ROOT}/tests/data"']
LIBRARIES = ["-lgtest_main", "-lgtest", "-lfmt", "-lsimdjson", "-ldeflate", "-lpthread"]
TIMEOUT = 300

# What an operator is changed into: its opposite, and its neighbour at the boundary.
CHANGES = {
    "<": [">=", "<="], "<=": [">", "<"], ">": ["<=", ">="], ">=": ["<", ">"],
    "==": ["!="], "!=": ["=="], "&&": ["||"], "||": ["&&"],
    "true": ["false"], "false": ["true"], "!": [""],
}
TOKEN = re.compile(r"(?<= )(?:<=|>=|==|!=|&&|\|\||<|>)(?= )|\b(?:true|false)\b|(?<=[ (])!(?=[\w(])")

# Mutants that mean the same as the original: (file, text of the line without blanks around it, change, why).
EQUIVALENT = [
    ("project_leaf.cc", "literal.integer() >= Least(written) && literal.integer() <= Greatest(written);",
     "<= -> <", "the greatest int truncates alike as an int and as a long, and images are a set"),
]


def mutants(path):
    """Yields (line number, line, change, mutated text of the file)."""
    lines = path.read_text().splitlines(keepends=True)
    for i, line in enumerate(lines):
        code = line.split("//")[0]
        if code.lstrip().startswith(("#", "template", "*")):
            continue
        for match in TOKEN.finditer(code):
            for new in CHANGES[match[0]]:
                changed = line[: match.start()] + new + line[match.end():]
                text = "".join(lines[:i] + [changed] + lines[i + 1:])
                yield i + 1, line.strip(), f"{match[0]} -> {new or 'nothing'}", text


def run(args, **options):
    return subprocess.run(args, capture_output=True, text=True, **options)


def compile_object(source, target):
    result = run(COMPILE + ["-c", str(source), "-o", str(target)])
    if result.returncode != 0:
        raise SystemExit(f"{source} does not compile:\n{result.stderr}")
    return target


def compile_all(folder, jobs):
    sources = [s for room in ("base", "table", "expr") for s in sorted((ROOT / "src/nunatak" / room).glob("*.cc"))]
    sources += sorted((ROOT / "tests/expr").glob("*.cc")) + [ROOT / "tests/test_data.cc"]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        objects = pool.map(lambda s: compile_object(s, folder / (s.parent.name + "-" + s.stem + ".o")), sources)
        return list(objects)


def survives(folder, objects, path, index, text):
    """Whether all tests pass with the mutated text of the file."""
    name = f"{path.stem}-{index}"
    source, mutated, program = folder / f"{name}.cc", folder / f"{name}.o", folder / name
    source.write_text(text)
    # A mutant that does not compile is noticed by the compiler.
    if run(COMPILE + ["-c", str(source), "-o", str(mutated)]).returncode != 0:
        return False
    original = folder / f"expr-{path.stem}.o"
    rest = [str(o) for o in objects if o != original]
    linked = run(["g++", str(mutated), *rest, "-o", str(program), *LIBRARIES])
    if linked.returncode != 0:
        raise SystemExit(f"the tests do not link:\n{linked.stderr}")
    try:
        for tests in ("-BruteForce*:Parser*:Documentation*", "BruteForce*"):
            result = run([str(program), "--gtest_fail_fast", f"--gtest_filter={tests}"], timeout=TIMEOUT)
            if result.returncode != 0:
                return False
        return True
    except subprocess.TimeoutExpired:
        return False
    finally:
        for file in (source, mutated, program):
            file.unlink()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="print the mutants, and run nothing")
    parser.add_argument("files", nargs="*", default=FILES, metavar="FILE")
    options = parser.parse_args()
    work = [(EXPR / name, i, *mutant) for name in options.files for i, mutant in enumerate(mutants(EXPR / name))]
    if options.list:
        for path, _, line, text, change, _ in work:
            print(f"{path.name}:{line}: {change}: {text}")
        return 0
    explained = {entry[:3] for entry in EQUIVALENT}
    survivors = unexplained = 0
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        folder = pathlib.Path(name)
        objects = compile_all(folder, options.jobs)
        results = pool.map(lambda m: survives(folder, objects, m[0], m[1], m[5]), work)
        for (path, _, line, text, change, _), survived in zip(work, results):
            if not survived:
                continue
            survivors += 1
            known = (path.name, text, change) in explained
            unexplained += not known
            print(f"{'equivalent' if known else 'NOT NOTICED'} {path.name}:{line}: {change}: {text}", flush=True)
    print(f"{len(work)} mutants, {len(work) - survivors} noticed, {survivors - unexplained} equivalent, {unexplained} not noticed")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
