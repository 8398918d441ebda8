#!/usr/bin/env python3
"""Delta tables whose data files pyarrow writes, and whose logs are written here as the protocol has them: features that few writers
use, from the log to the rows."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import pyarrow as pa
import pyarrow.parquet as pq

ROOT = pathlib.Path(__file__).resolve().parents[2]
NUNATAK = os.environ.get("NUNATAK", str(ROOT / "build" / "nunatak"))


def nunatak(*arguments, code=0):
    done = subprocess.run([NUNATAK, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=60)
    if done.returncode != code:
        raise AssertionError(f"exit code {done.returncode}: {done.stderr}")
    return done.stdout if code == 0 else done.stderr


def scan(table, *arguments):
    return [json.loads(line) for line in nunatak("scan", table, "--format", "ndjson", *arguments).splitlines()]


def protocol(*features):
    return {"protocol": {"minReaderVersion": 3, "minWriterVersion": 7, "readerFeatures": list(features),
                         "writerFeatures": list(features)}}


def metadata(fields, **configuration):
    schema = json.dumps({"type": "struct", "fields": fields})
    return {"metaData": {"id": "table", "format": {"provider": "parquet", "options": {}}, "schemaString": schema,
                         "partitionColumns": [], "configuration": configuration}}


def column(name, type_, **attributes):
    return {"name": name, "type": type_, "nullable": True, "metadata": attributes}


class Features(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.table = pathlib.Path(folder.name) / "table"
        (self.table / "_delta_log").mkdir(parents=True)

    def commit(self, version, *actions):
        log = self.table / "_delta_log" / f"{version:020}.json"
        log.write_text("".join(json.dumps(action) + "\n" for action in actions))

    def add(self, name, table, **more):
        file = self.table / name
        pq.write_table(table, file)
        return {"add": {"path": name, "partitionValues": {}, "size": file.stat().st_size, "modificationTime": 0,
                        "dataChange": True, **more}}

    def test_columns_are_mapped_by_id(self):
        """Neither the names of the table nor those of the files agree: ids alone do."""
        def mapped(name, type_, number):
            return column(name, type_, **{"delta.columnMapping.id": number, "delta.columnMapping.physicalName": f"col-{number}"})

        def stored(name, type_, number):
            return pa.field(name, type_, metadata={"PARQUET:field_id": str(number)})

        rows = pa.table([[1, 2], ["a", "b"], [0.5, None]],
                        schema=pa.schema([stored("b", pa.int64(), 2), stored("x", pa.string(), 1), stored("y", pa.float64(), 9)]))
        self.commit(0, protocol("columnMapping"),
                    metadata([mapped("a", "string", 1), mapped("b", "long", 2), mapped("added later", "double", 3)],
                             **{"delta.columnMapping.mode": "id", "delta.columnMapping.maxColumnId": "3"}),
                    self.add("part.parquet", rows))
        self.assertEqual(scan(self.table), [{"a": "a", "b": 1, "added later": None}, {"a": "b", "b": 2, "added later": None}])
        self.assertEqual(scan(self.table, "--where", "b = 2", "--select", "a"), [{"a": "b"}])

    def test_a_vector_of_an_absolute_path(self):
        """The file of vectors of a table that Spark wrote, named by its whole location."""
        source = ROOT / "tests" / "data" / "delta" / "dv_file"
        expected = scan(source)
        shutil.copytree(source, self.table, dirs_exist_ok=True)
        vectors = {}
        for log in sorted((self.table / "_delta_log").glob("*.json")):
            actions = [json.loads(line) for line in log.read_text().splitlines()]
            for action in actions:
                for file in action.values():
                    vector = file.get("deletionVector")
                    if vector and vector["storageType"] == "u":
                        vectors.setdefault(vector["pathOrInlineDv"], []).append(vector)
            log.write_text("".join(json.dumps(action) + "\n" for action in actions))
        self.assertTrue(vectors)
        located = {location: self.vector_file(location) for location in vectors}
        for log in (self.table / "_delta_log").glob("*.json"):
            text = log.read_text()
            for location, file in located.items():
                text = text.replace(f'"storageType": "u", "pathOrInlineDv": {json.dumps(location)}',
                                    f'"storageType": "p", "pathOrInlineDv": {json.dumps(file.as_uri())}')
            self.assertNotIn('"storageType": "u"', text)
            log.write_text(text)
        self.assertEqual(scan(self.table), expected)
        self.assertLess(len(expected), sum(row["records"] for row in map(
            json.loads, nunatak("plan", self.table, "--format", "ndjson").splitlines())))

    def vector_file(self, location):
        """The file that a vector of storage type `u` lies in: 20 letters of Z85 are the bytes of its UUID."""
        alphabet = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"
        prefix, letters = location[:-20], location[-20:]
        digits = b""
        for i in range(0, 20, 5):
            number = 0
            for letter in letters[i:i + 5]:
                number = 85 * number + alphabet.index(letter)
            digits += number.to_bytes(4, "big")
        text = digits.hex()
        uuid = "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))
        return self.table / prefix / f"deletion_vector_{uuid}.bin"

    def test_times_are_those_in_the_commits(self):
        day = 86_400_000
        table = [{"protocol": {"minReaderVersion": 1, "minWriterVersion": 7, "writerFeatures": ["inCommitTimestamp"]}},
                 metadata([column("n", "long")], **{"delta.enableInCommitTimestamps": "true"})]
        for version in range(3):
            actions = table if version == 0 else []
            # The files' own times are those of this minute.
            info = {"commitInfo": {"inCommitTimestamp": (version + 1) * day, "timestamp": 0, "operation": "WRITE"}}
            self.commit(version, info, *actions, self.add(f"{version}.parquet", pa.table({"n": [version]})))
        self.assertEqual(nunatak("count", self.table, "--as-of", "1970-01-03T12:00:00Z"), "2\n")
        self.assertEqual(nunatak("count", self.table, "--as-of", "1970-01-02T00:00:00Z"), "1\n")
        self.assertIn("1970-01-02", nunatak("count", self.table, "--as-of", "1970-01-01T12:00:00Z", code=3))

    def test_variants(self):
        """As the specification of variants encodes 7, "hi" and null; what JSON has no type for is told with its type."""
        encoded = pa.array([{"metadata": b"\x01\x00\x00", "value": b"\x0c\x07"}, {"metadata": b"\x01\x00\x00", "value": b"\x09hi"},
                            {"metadata": b"\x01\x00\x00", "value": b"\x00"}, None],
                           pa.struct([pa.field("metadata", pa.binary(), False), pa.field("value", pa.binary(), False)]))
        self.commit(0, protocol("variantType"), metadata([column("v", "variant"), column("n", "long")]),
                    self.add("part.parquet", pa.table({"v": encoded, "n": [1, 2, 3, 4]})))
        self.assertEqual(scan(self.table), [{"v": {"$type": "INT8", "$value": 7}, "n": 1}, {"v": "hi", "n": 2},
                                            {"v": {"$type": "NULL", "$value": None}, "n": 3}, {"v": None, "n": 4}])
        self.assertEqual(scan(self.table, "--where", "v IS NULL", "--select", "n"), [{"n": 4}])


if __name__ == "__main__":
    unittest.main()
