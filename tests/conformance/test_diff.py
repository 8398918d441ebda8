#!/usr/bin/env python3
"""The verb diff: against the metadata files themselves, and the snapshots' summaries, which their writers made."""
import glob
import gzip
import json
import os
import unittest

from test_command_line import BOOKSHOP, DATA, run

CORPUS = os.path.join(os.environ.get("NUNATAK_CORPUS", ""), "iceberg")


def tables():
    folders = [BOOKSHOP, *glob.glob(os.path.join(DATA, "iceberg", "*", "")), *glob.glob(os.path.join(CORPUS, "*", ""))]
    return sorted({os.path.basename(os.path.normpath(folder)): folder for folder in folders}.values())


def diff(*arguments):
    code, out, err = run("diff", *arguments, "--moved", "--format", "json")
    assert code == 0, err
    return json.loads(out)


def metadata_files(table):
    """In the order in which they were written."""
    found = glob.glob(os.path.join(table, "metadata", "*.metadata.json"))
    if any(os.path.basename(path).startswith("v") for path in found):
        return sorted(found, key=lambda path: int(os.path.basename(path)[1:].split(".")[0]))
    return sorted(found)


def read(path):
    with open(path, "rb") as file:
        content = file.read()
    return json.loads(gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content)


def current(metadata, many, one, key, chosen):
    """v1 files may have the current schema or spec alone."""
    if many not in metadata:
        return metadata[one]
    return next(item for item in metadata[many] if item[key] == metadata[chosen])


def schema_fields(metadata):
    """(name, type, required, doc) by field id; nested fields too."""
    found = {}

    def add(field_id, name, kind, required, doc=""):
        found[field_id] = (name, kind if isinstance(kind, str) else kind["type"], required, doc)
        if isinstance(kind, str):
            return
        for field in kind.get("fields", ()):
            add(field["id"], field["name"], field["type"], field["required"], field.get("doc", ""))
        if kind["type"] == "list":
            add(kind["element-id"], "element", kind["element"], kind["element-required"])
        if kind["type"] == "map":
            add(kind["key-id"], "key", kind["key"], True)
            add(kind["value-id"], "value", kind["value"], kind["value-required"])

    schema = current(metadata, "schemas", "schema", "schema-id", "current-schema-id")
    for field in schema["fields"]:
        add(field["id"], field["name"], field["type"], field["required"], field.get("doc", ""))
    return found


def plain(kind):
    return kind.replace(" ", "") if isinstance(kind, str) else kind


def commit_of(files, snapshot_id):
    """The metadata that committed a snapshot; of the current one, the newest."""
    if files[-1].get("current-snapshot-id") == snapshot_id:
        return files[-1]
    return next(f for f in files if any(s["snapshot-id"] == snapshot_id for s in f.get("snapshots") or ()))


class MetadataFiles(unittest.TestCase):
    def test_definitions_are_those_of_the_files(self):
        compared = changed = 0
        for table in tables():
            files = metadata_files(table)
            for old_file, new_file in [*zip(files, files[1:]), (files[0], files[-1]), (files[-1], files[0])]:
                old, new, got = read(old_file), read(new_file), diff(old_file, new_file, "--stat")
                with self.subTest(old=old_file, new=new_file):
                    self.check_properties(old, new, got)
                    self.check_refs(old, new, got)
                    self.check_schema(old, new, got)
                    self.check_snapshots(old, new, got)
                compared += 1
                changed += bool(got["schema"])
        self.assertGreater(compared, 30)
        self.assertGreater(changed, 2)

    def check_properties(self, old, new, got):
        was, now = old.get("properties", {}), new.get("properties", {})
        self.assertEqual({c["key"]: (c["from"], c["to"]) for c in got["properties"]},
                         {key: (was.get(key), now.get(key)) for key in was | now if was.get(key) != now.get(key)})

    def check_refs(self, old, new, got):
        if "refs" not in old or "refs" not in new:
            return
        was, now = old["refs"], new["refs"]
        changes = {c["name"]: c["change"] for c in got["refs"]}
        self.assertEqual(changes, {
            name: "add" if name not in was else "drop" if name not in now else "change"
            for name in was | now if was.get(name) != now.get(name)})
        for change in got["refs"]:
            if change["to"]:
                self.assertEqual(change["to"]["snapshot_id"], now[change["name"]]["snapshot-id"])

    def check_schema(self, old, new, got):
        was, now = schema_fields(old), schema_fields(new)
        seen = {kind: {c["field_id"]: c for c in got["schema"] if c["change"] == kind}
                for kind in ("add", "drop", "rename", "type", "required", "doc", "move")}
        for kind, fields in (("add", set(now) - set(was)), ("drop", set(was) - set(now))):
            # What is nested in one that comes or goes is not told.
            self.assertLessEqual(set(seen[kind]), fields)
            self.assertEqual(bool(seen[kind]), bool(fields))
        for place, kind in ((0, "rename"), (1, "type"), (2, "required"), (3, "doc")):
            self.assertEqual(
                {i: (plain(c["from"]), plain(c["to"])) for i, c in seen[kind].items()},
                {i: (plain(was[i][place]), plain(now[i][place])) for i in set(was) & set(now)
                 if was[i][place] != now[i][place]}, kind)

    def check_snapshots(self, old, new, got):
        was = [s["snapshot-id"] for s in old.get("snapshots") or ()]
        now = [s["snapshot-id"] for s in new.get("snapshots") or ()]
        self.assertEqual(set(got["snapshots"]["added"]), set(now) - set(was))
        self.assertEqual(set(got["snapshots"]["removed"]), set(was) - set(now))

    def test_definitions_of_snapshots_are_those_of_their_commits(self):
        known = changed = 0
        unknown = set()
        for table in tables():
            files = [read(path) for path in metadata_files(table)]
            snapshots = files[-1].get("snapshots") or []
            for old_id, new_id in zip(snapshots, snapshots[1:]):
                old, new = (commit_of(files, s["snapshot-id"]) for s in (old_id, new_id))
                got = diff(table, str(old_id["snapshot-id"]), str(new_id["snapshot-id"]), "--stat")
                with self.subTest(table=table, old=old_id["snapshot-id"], new=new_id["snapshot-id"]):
                    if got["definitions_unknown"] is not None:
                        unknown.add(os.path.basename(os.path.normpath(table)))
                        self.assertEqual((got["properties"], got["partition_spec"]), ([], []))
                        continue
                    known += 1
                    self.check_properties(old, new, got)
                    self.check_refs(old, new, got)
                    self.check_snapshots(old, new, got)
                    changed += bool(got["properties"] or got["partition_spec"])
        self.assertGreater(known, 20)
        self.assertGreater(changed, 0)
        # Of which old metadata files were deleted.
        self.assertLessEqual(unknown, {"metadata-pruned", "expired-snapshots"})

    def test_the_spec_of_partition_evolution(self):
        table = os.path.join(CORPUS, "partition-evolution")
        if not os.path.isdir(table):
            self.skipTest("no corpus is given")
        seen = 0
        files = metadata_files(table)
        for old_file, new_file in zip(files, files[1:]):
            old, new, got = read(old_file), read(new_file), diff(old_file, new_file, "--stat")
            by_id = [{f["field-id"]: (f["name"], f["transform"], f["source-id"]) for f in current(
                m, "partition-specs", "partition-spec", "spec-id", "default-spec-id")["fields"]} for m in (old, new)]
            self.assertEqual({c["field_id"] for c in got["partition_spec"]},
                             {i for i in by_id[0] | by_id[1] if by_id[0].get(i) != by_id[1].get(i)})
            seen += len(got["partition_spec"])
        self.assertGreater(seen, 3)


# Of diff, and of the summary.
COUNTS = ((("data", "added", "files"), "added-data-files"), (("data", "removed", "files"), "deleted-data-files"),
          (("data", "added", "records"), "added-records"), (("data", "removed", "records"), "deleted-records"),
          (("position_deletes", "added", "files"), "added-position-delete-files"),
          (("deletion_vectors", "added", "files"), "added-dvs"),
          (("equality_deletes", "added", "files"), "added-equality-delete-files"),
          (("equality_deletes", "added", "records"), "added-equality-deletes"))


class Snapshots(unittest.TestCase):
    def test_files_and_rows_are_those_of_the_summaries(self):
        compared = 0
        for table in tables():
            code, out, err = run("snapshots", table, "--moved", "--format", "ndjson")
            self.assertEqual(code, 0, err)
            snapshots = [json.loads(line) for line in out.splitlines()]
            known = {snapshot["snapshot_id"] for snapshot in snapshots}
            for snapshot in snapshots:
                parent, summary = snapshot["parent_id"], snapshot["summary"]
                if "total-data-files" not in summary or (parent is not None and parent not in known):
                    continue
                got = diff(table, "-" if parent is None else str(parent), str(snapshot["snapshot_id"]))
                with self.subTest(table=table, snapshot=snapshot["snapshot_id"]):
                    for (kind, side, what), key in COUNTS:
                        self.assertEqual(got["files"][kind][side][what], int(summary.get(key, 0)), key)
                    self.check_list(got)
                compared += 1
        self.assertGreater(compared, 50)

    def check_list(self, got):
        for kind, sides in got["files"].items():
            if kind == "list":
                continue
            for side, change in (("added", "add"), ("removed", "remove")):
                listed = [f for f in got["files"]["list"] if f["kind"] == kind and f["change"] == change]
                self.assertEqual(sides[side], {"files": len(listed), "records": sum(f["records"] for f in listed),
                                               "bytes": sum(f["bytes"] for f in listed)})

    def test_for_people(self):
        code, out, _ = run("diff", BOOKSHOP, "-", "--moved", "--stat")
        self.assertEqual(code, 0)
        self.assertIn("from  no snapshot\n", out)
        self.assertRegex(out, r"  data files +\+15 \(262 rows, [0-9.]+ KiB\)\n")
        self.assertNotIn(".parquet", out)
        code, out, _ = run("diff", BOOKSHOP, "main", "main", "--moved")
        self.assertEqual((code, out.splitlines()[-1]), (0, "no difference"))

    def test_what_does_not_exist(self):
        self.assertEqual(run("diff", BOOKSHOP, "nowhere", "--moved")[0], 3)
        files = metadata_files(BOOKSHOP)
        self.assertEqual(run("diff", files[0], files[1], "main", "--moved")[0], 2)


if __name__ == "__main__":
    unittest.main()
