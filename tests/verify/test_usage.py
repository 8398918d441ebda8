#!/usr/bin/env python3
"""`nunatak du` and `nunatak stats` over tables of tests/data, against sums made from their metadata by other code."""
import collections
import json
import os
import pathlib
import struct
import tempfile
import unittest

try:
    from model_of_files import Model, pairs
except ImportError as error:
    raise unittest.SkipTest("pyarrow is not installed for this Python") from error

from damaged_table import DATA, DamagedTable
from nunatak_command import rows

TABLES = ["dv-basic", "eq-delete-single", "eq-delete-dropped-column", "imported-add-files", "manifest-codec-zstd",
          "mor-pos-partition", "nested-types", "part-days-tstz", "part-identity-string", "partition-source-promoted",
          "primitives-v3-parquet", "refs-branches-tags", "row-lineage-avro", "weird-names"]


def models():
    for name in TABLES:
        expected = json.loads((DATA / f"{name}.expect.json").read_text())
        yield name, Model(DATA / name / expected["metadata_file"])


def kind_of(file):
    if file.get("content", 0) == 1 and file["file_format"] == "PUFFIN":
        return "deletion vectors"
    return ("data", "position deletes", "equality deletes")[file.get("content", 0)]


class Usage(unittest.TestCase):
    def test_by_kind(self):
        for name, model in models():
            with self.subTest(name):
                sizes = collections.defaultdict(dict)
                for snapshot in model.snapshots:
                    sizes["manifest lists"][snapshot.list_path] = model.size(snapshot.list_path)
                    for manifest in snapshot.manifests:
                        sizes["manifests"][manifest["manifest_path"]] = manifest["manifest_length"]
                    for _, entry in snapshot.live:
                        file = entry["data_file"]
                        sizes[kind_of(file)][file["file_path"]] = file["file_size_in_bytes"]
                logged = [model.local(e["metadata-file"]) for e in model.metadata["metadata-log"]]
                for path in [model.metadata_path, *logged]:
                    sizes["metadata"][path] = path.stat().st_size
                found = {r["kind"]: (r["files"], r["bytes"]) for r in rows("du", model.metadata_path)}
                self.assertEqual({k: v for k, v in found.items() if v[0]},
                                 {k: (len(v), sum(v.values())) for k, v in sizes.items()})

    def test_by_snapshot(self):
        for name, model in models():
            with self.subTest(name):
                files = [s.sizes(model.size(s.list_path)) for s in model.snapshots]
                uses = collections.Counter(path for each in files for path in each)
                expected = []
                for snapshot, sizes in zip(model.snapshots, files):
                    own = {path: size for path, size in sizes.items() if uses[path] == 1}
                    expected.append((snapshot.record["snapshot-id"], len(sizes), sum(sizes.values()), len(own),
                                     sum(own.values()), sum(sizes.values()) - sum(own.values())))
                found = [(r["snapshot_id"], r["files"], r["bytes"], r["unique_files"], r["unique_bytes"],
                          r["shared_bytes"]) for r in rows("du", model.metadata_path, "--by", "snapshot")]
                self.assertEqual(found, expected)

    def test_by_partition(self):
        for name, model in models():
            with self.subTest(name):
                expected = {}
                for manifest, entry in model.current().live:
                    file = entry["data_file"]
                    key = (manifest["partition_spec_id"], json.dumps(file["partition"], default=str))
                    usage = expected.setdefault(key, [0] * 5)
                    size = file.get("content_size_in_bytes") or file["file_size_in_bytes"]
                    added = [0, 0, 0, 1, size] if file.get("content", 0) else [file["record_count"], 1, size, 0, 0]
                    usage[:] = [a + b for a, b in zip(usage, added)]
                found = [(r["spec_id"], r["records"], r["data_files"], r["data_bytes"], r["delete_files"],
                          r["delete_bytes"]) for r in rows("du", model.metadata_path, "--by", "partition")]
                self.assertEqual(sorted(found), sorted((key[0], *usage) for key, usage in expected.items()))
                sizes = [r[3] + r[5] for r in found]
                self.assertEqual(sizes, sorted(sizes, reverse=True))

    def test_partitions_have_names(self):
        model = dict(models())["part-days-tstz"]
        names = {r["partition"] for r in rows("du", model.metadata_path, "--by", "partition")}
        self.assertEqual(names, {"v_day=2024-02-29", "v_day=2024-03-01", "v_day=2023-12-31", "v_day=1968-06-15",
                                 "v_day=1970-01-01", "v_day=null", "v_day=1900-01-01", "v_day=1969-12-31"})

    def test_by_column(self):
        for name, model in models():
            with self.subTest(name):
                expected = collections.defaultdict(lambda: [0, 0])
                for file in model.data_files():
                    for field_id, size in pairs(file["column_sizes"]).items():
                        expected[field_id][0] += 1
                        expected[field_id][1] += size
                found = {r["field_id"]: [r["files"], r["bytes"]]
                         for r in rows("du", model.metadata_path, "--by", "column")}
                self.assertEqual(found, dict(expected))

    def test_of_no_snapshot(self):
        expected = json.loads((DATA / "empty-no-snapshot.expect.json").read_text())
        table = DATA / "empty-no-snapshot" / expected["metadata_file"]
        self.assertEqual([r["kind"] for r in rows("du", table) if r["files"]], ["metadata"])
        for what in ("snapshot", "partition", "column"):
            self.assertEqual(rows("du", table, "--by", what), [])


def decoded(kind, value):
    """A bound, of the types that are compared here; bounds of promoted columns are shorter."""
    if kind in ("int", "long"):
        return int.from_bytes(value, "little", signed=True)
    if kind in ("float", "double"):
        return struct.unpack("<f" if len(value) == 4 else "<d", value)[0]
    return value.decode(errors="ignore") if kind == "string" else None


def shown(value):
    return {float("inf"): "Infinity", float("-inf"): "-Infinity"}.get(value, value)


def leaves(fields):
    for field in fields:
        kind = field["type"]
        if isinstance(kind, str):
            yield field["id"], kind
        elif kind["type"] == "struct":
            yield from leaves(kind["fields"])
        else:
            parts = [{"id": kind[f"{p}-id"], "type": kind[p]} for p in ("element", "key", "value") if p in kind]
            yield from leaves(parts)


class Statistics(unittest.TestCase):
    def test_counts_and_bounds(self):
        for name, model in models():
            with self.subTest(name):
                metadata = model.metadata
                schema = next(s for s in metadata["schemas"] if s["schema-id"] == metadata["current-schema-id"])
                found = {r["field_id"]: r for r in rows("stats", model.metadata_path)}
                kinds = dict(leaves(schema["fields"]))
                self.assertEqual(set(found), set(kinds))
                for field_id, kind in kinds.items():
                    self.check(model, field_id, kind, found[field_id])

    def check(self, model, field_id, kind, found):
        files = model.data_files()

        def recorded(column):
            maps = [pairs(file[column]) for file in files]
            return [m[field_id] for m in maps if field_id in m]
        for column in ("value_count", "null_value_count", "nan_value_count"):
            counts = recorded(column + "s")
            self.assertEqual(found[column], sum(counts) if counts else None, (field_id, column))
        self.assertEqual(found["files"], len(files))
        self.assertEqual(found["counted_files"], len(recorded("value_counts")))
        for column, outermost in (("lower_bound", min), ("upper_bound", max)):
            bounds = [decoded(kind, value) for value in recorded(column + "s")]
            if bounds and bounds[0] is not None:
                self.assertEqual(found[column], shown(outermost(bounds)), (field_id, column))
            elif not bounds:
                self.assertIsNone(found[column])

    def test_files_whose_columns_are_null_are_bounded(self):
        model = dict(models())["part-days-tstz"]
        column = next(r for r in rows("stats", model.metadata_path) if r["column"] == "v")
        self.assertEqual((column["files"], column["counted_files"], column["bounded_files"]), (8, 8, 8))
        self.assertEqual((column["null_value_count"], column["lower_bound"][:10]), (1, "1900-01-01"))

    def test_distinct_values(self):
        with tempfile.TemporaryDirectory() as folder:
            table = DamagedTable("eq-delete-single", folder)
            ids = [s["snapshot-id"] for s in table.metadata["snapshots"]]

            def blob(snapshot, field_id, kind="apache-datasketches-theta-v1", **properties):
                return {"type": kind, "snapshot-id": snapshot, "sequence-number": 1, "fields": [field_id],
                        "properties": properties}
            table.metadata["statistics"] = [
                {"snapshot-id": snapshot, "statistics-path": table.metadata["location"] + "/none",
                 "file-size-in-bytes": 1, "file-footer-size-in-bytes": 1, "blob-metadata": blobs}
                for snapshot, blobs in (
                    (ids[0], [blob(ids[0], 1, ndv="3"), blob(ids[0], 2, ndv="4")]),
                    (ids[2], [blob(ids[2], 1, ndv="17"), blob(ids[2], 2, "other-sketch", ndv="5")]),
                    (ids[4], [blob(ids[4], 2, "other-sketch", ndv="6")]))]
            table.save()

            def estimates(*arguments):
                return {r["field_id"]: (r["distinct_values"], r["distinct_snapshot_id"])
                        for r in rows("stats", table.metadata_path, *arguments)}
            self.assertEqual(estimates()[1], (17, ids[2]))
            self.assertEqual(estimates()[2], (4, ids[0]))
            self.assertEqual(estimates("--snapshot", str(ids[1]))[1], (3, ids[0]))

    @unittest.skipUnless("NUNATAK_CORPUS" in os.environ, "there is no corpus")
    def test_distinct_values_that_an_engine_wrote(self):
        corpus = pathlib.Path(os.environ["NUNATAK_CORPUS"]) / "iceberg"
        for path in sorted(corpus.glob("*.expect.json")):
            expected = json.loads(path.read_text())
            for statistics in expected.get("statistics_files") or []:
                name = path.name.removesuffix(".expect.json")
                found = {r["field_id"]: r for r in rows("stats", corpus / name / expected["metadata_file"])}
                for blob in statistics["blobs"]:
                    row = found[blob["fields"][0]]
                    self.assertEqual(row["distinct_values"], int(blob["properties"]["ndv"]), name)
                    self.assertEqual(row["distinct_snapshot_id"], statistics["snapshot_id"])


if __name__ == "__main__":
    unittest.main()
