"""What is compared of one table, each with what the reference engines say: rows, plans, snapshots, live files, row lineage."""
import glob
import json
import os
import re
from collections import Counter

import canonical
from command import INVALID, UNSUPPORTED, CommandError

PARTS = {"iceberg": ("rows", "plans", "pruning", "snapshots", "live", "lineage", "metadata"),
         "delta": ("rows", "plans", "pruning", "snapshots", "files"),
         "hive": ("rows", "plans", "pruning", "files")}


class Table:
    """A table of a corpus: DIR/NAME, with DIR/NAME.expect.json beside it."""

    def __init__(self, expectation, table_format="iceberg"):
        self.format = table_format
        with open(expectation, encoding="utf-8") as file:
            self.want = json.load(file)
        self.directory = expectation.removesuffix(".expect.json")
        self.name = os.path.basename(self.directory)
        metadata = self.want.get("metadata_file")
        self.location = os.path.join(self.directory, metadata) if metadata else self.directory

    def relative(self, path):
        """A recorded path below the table's location."""
        plain = re.sub(r"^file:/*", "/", path)
        for root in (self.want.get("location", self.directory), os.path.abspath(self.directory)):
            root = re.sub(r"^file:/*", "/", root)
            if plain.startswith(root + "/"):
                return plain[len(root) + 1:]
        return path


def tables(corpus):
    return [Table(path, table_format) for table_format in PARTS
            for path in sorted(glob.glob(os.path.join(corpus, table_format, "*.expect.json")))]


def difference(what, got, want):
    return [] if got == want else [f"{what}: {got}, want {want}"]


def row_difference(got, want):
    """Compares canonical rows as multisets."""
    extra, missing = Counter(got) - Counter(want), Counter(want) - Counter(got)
    if not extra and not missing:
        return []
    return [f"rows: {len(got)}, want {len(want)}; extra {list(extra)[:1]}, missing {list(missing)[:1]}"]


def column_differences(rows, checks):
    """For tables whose rows are too many to list: counts, nulls and sums per column."""
    problems = []
    for name, want in checks.items():
        values = [row[name] for row in rows if row[name] is not None]
        problems += difference(f"values of {name}", len(values), want["count"])
        problems += difference(f"nulls of {name}", len(rows) - len(values), want["nulls"])
        if want.get("sum") is not None:
            problems += difference(f"sum of {name}", sum(values), want["sum"])
    return problems


def check_rows(nunatak, table):
    want, problems = table.want.get("current_rows"), []
    count = table.want.get("current_row_count")
    if isinstance(want, dict):
        want, count = want["rows"], want["count"]
    if isinstance(want, list) and count in (None, len(want)):
        given = table.want.get("schema")
        # Where nobody says it, the table's own has to do.
        schema = canonical.schema(given, table.format) if given else nunatak.object("show", table.location)["schema"]
        got = nunatak.rows("scan", table.location)
        problems += row_difference([canonical.row(row, schema) for row in got],
                                   [canonical.row(row, schema) for row in want])
    elif table.want.get("column_checks"):
        problems += column_differences(nunatak.rows("scan", table.location), table.want["column_checks"])
    if count is not None:
        problems += difference("count", nunatak.object("count", table.location)["count"], count)
    return problems


def filter_of(plan):
    """The filter as an argument of --where; None for all rows."""
    if "iceberg_expr" in plan:
        return json.dumps(plan["iceberg_expr"])
    return None if plan["filter"] == "true" else re.sub(r"double\('NaN'\)", "'NaN'", plan["filter"])


def expected_rows(plan):
    """The row counts that are right; None when engines disagree and nobody says which is."""
    want = plan.get("oracle_rows", None if plan.get("rows_disagree") else plan.get("expected_rows"))
    return None if want is None else plan.get("accept_rows", [want])


def check_plan(nunatak, table, plan):
    where = filter_of(plan)
    arguments = ["--where", where] if where else []
    problems, most = [], plan.get("expected_files")
    most = len(most) if isinstance(most, list) else most
    if most is not None and "quirk" not in plan:
        got = nunatak.object("plan", table.location, *arguments)["files"]
        if got > most:
            problems.append(f"plan [{plan['filter']}]: {got} files, want at most {most}")
    want = expected_rows(plan)
    if want is not None:
        got = nunatak.object("count", table.location, *arguments)["count"]
        if got not in want:
            problems.append(f"count [{plan['filter']}]: {got}, want {want}")
    return problems


def check_plans(nunatak, table):
    problems = []
    for plan in table.want.get("plans") or []:
        if plan.get("error") or plan.get("nan_or_zero_ambiguous"):
            continue
        problems += check_plan(nunatak, table, plan)
    return problems


def check_pruning(nunatak, table):
    """What is passed over has no row that the filter wants, and another decoder gives the same."""
    problems = []
    for where in filter(None, map(filter_of, table.want.get("plans") or [])):
        try:
            got = nunatak.run("scan", table.location, "--where", where, "--format", "ndjson")
        except CommandError as error:
            if error.code == UNSUPPORTED:
                raise
            continue  # a filter that is refused has no rows
        want = nunatak.run("scan", table.location, "--where", where, "--format", "ndjson",
                           "--no-pruning", "--arrow-decoder")
        if got != want:
            problems.append(f"scan [{where}]: other rows without pruning, by Arrow's decoder")
    return problems


def check_snapshots(nunatak, table):
    problems = []
    points = [(snapshot, "--snapshot", snapshot["id"]) for snapshot in table.want.get("snapshots") or []]
    points += [(version, "--version", version["version"]) for version in table.want.get("versions") or []]
    for snapshot, option, number in points:
        if "row_count" not in snapshot:
            continue
        choice = (option, str(number))
        if snapshot["row_count"] is None:
            # Its files are gone: reading it must fail, not give fewer rows.
            try:
                nunatak.rows("scan", table.location, *choice)
                problems.append(f"{option} {number} was read, though its files are gone")
            except CommandError as error:
                if error.code == UNSUPPORTED:
                    raise
            continue
        got = nunatak.object("count", table.location, *choice)["count"]
        problems += difference(f"rows of {option} {number}", got, snapshot["row_count"])
    return problems


def check_live(nunatak, table):
    if table.want.get("live_files") is None:
        return []
    plan = nunatak.object("plan", table.location)
    deletes = [(table.relative(d["file-path"]), d.get("content-offset")) for d in plan["delete-files"]]
    got = {table.relative(task["data-file"]["file-path"]):
           sorted(deletes[i] for i in task.get("delete-file-references") or []) for task in plan["tasks"]}
    want = {file["path"]: sorted((d["path"], d.get("content_offset")) for d in file.get("deletes") or [])
            for file in table.want["live_files"]}
    problems = []
    for path in sorted(got.keys() | want.keys()):
        problems += difference(f"deletes of {path}", got.get(path, "not planned"), want.get(path, "not live"))
    return problems + check_sequence_numbers(nunatak, table)


def check_sequence_numbers(nunatak, table):
    got = {}
    for entry in nunatak.rows("entries", table.location):
        file = entry["data_file"]
        if entry["status"] != 2 and file["content"] == 0:
            got[table.relative(file["file_path"])] = (
                entry["sequence_number"], entry["file_sequence_number"], file["first_row_id"])
    problems = []
    for file in table.want["live_files"]:
        want = (file["data_sequence_number"], file["file_sequence_number"], file.get("first_row_id"))
        problems += difference(f"sequence numbers and row id of {file['path']}", got.get(file["path"]), want)
    return problems


def check_lineage(nunatak, table):
    """Metadata columns, row by row."""
    want = table.want.get("row_lineage")
    if not want:
        return []
    got = nunatak.rows("scan", table.location, "--select", ",".join(want[0]))
    for row in got:
        row["_file"] = table.relative(row["_file"])
    return row_difference([json.dumps(row, sort_keys=True) for row in got],
                          [json.dumps(row, sort_keys=True) for row in want])


def check_metadata(nunatak, table):
    """How many rows each metadata table has."""
    problems = []
    for name, count in (table.want.get("metadata_tables") or {}).items():
        if count is None:
            continue
        got = len(nunatak.rows(name.replace("_", "-"), table.location))
        problems += difference(f"rows of {name}", got, count)
    return problems


def check_files(nunatak, table):
    """Every file that the engine lists, and no other."""
    got = sorted(table.relative(file["file_path"]) for file in nunatak.rows("files", table.location))
    return difference("files", got, sorted(table.want["files_live"]))


def check_refusal(nunatak, table):
    """A table that no reader may read."""
    try:
        nunatak.rows("scan", table.location)
        return ["was read, and must be refused"]
    except CommandError as error:
        return [] if error.code in (INVALID, UNSUPPORTED) else [f"must be refused with exit code 4 or 5: {error}"]


CHECKS = {"rows": check_rows, "plans": check_plans, "pruning": check_pruning, "snapshots": check_snapshots, "live": check_live, "files": check_files,
          "lineage": check_lineage, "metadata": check_metadata}


def check(nunatak, table):
    """(problems, refusals): what differs, and what the command says that it does not support."""
    if table.want.get("must_refuse"):
        return check_refusal(nunatak, table), []
    problems, refusals = [], []
    for part in PARTS[table.format]:
        try:
            problems += CHECKS[part](nunatak, table)
        except CommandError as error:
            (refusals if error.code == UNSUPPORTED else problems).append(f"{part}: {error}")
    return problems, refusals
