"""Writes a table of the model as an Iceberg table, file by file: pyarrow encodes Parquet and ORC,
all else is written here.

What a writer may choose is chosen at random: codecs and encodings, which metrics there are, how
entries are spread over manifests, when manifests are written again, which of the optional fields
are there. Every choice follows from the seed.
"""
import gzip
import json
import os
import pathlib
import random

import avro_encoding
import arrow_files
import deletion_vectors
import metrics
import model
from manifests import Entry, ManifestWriter
from model import DataFile

LOCATION = model.LOCATION.rstrip("/")  # Recorded: the command is told that the table was moved.
FILE_PATH = {"id": 2147483546, "name": "file_path", "required": True, "type": "string"}
POSITION = {"id": 2147483545, "name": "pos", "required": True, "type": "long"}
TIME_MS = 1_700_000_000_000


def location_of(path):
    return f"{LOCATION}/{path}"


def write_rows(path, format_name, fields, rows, rng, with_ids=True):
    """Writes rows to a data file or delete file of the format."""
    if format_name == "AVRO":
        write_avro(path, fields, rows, rng, with_ids)
    else:
        write = {"PARQUET": arrow_files.write_parquet, "ORC": arrow_files.write_orc}[format_name]
        write(path, fields, rows, rng, with_ids)


def write_avro(path, fields, rows, rng, with_ids):
    names = (f"r{i}" for i in range(10**6))
    kind = {"type": "struct", "fields": fields}
    schema = avro_encoding.type_schema(kind, names, with_ids) | {"name": "table"}
    records = (avro_encoding.struct_value(row, fields) for row in rows)
    avro_encoding.write(path, schema, records, rng)


def public(field):
    """A field as metadata has it, without what the model notes beside it."""
    shown = {key: value for key, value in field.items() if key != "default"}
    return {**shown, "type": _public_type(field["type"])}


def _public_type(kind):
    if not isinstance(kind, dict):
        return kind
    if kind["type"] == "struct":
        return {"type": "struct", "fields": [public(f) for f in kind["fields"]]}
    return {key: _public_type(value) if key in ("element", "key", "value") else value
            for key, value in kind.items()}


class Construction:
    def __init__(self, table, folder, rng):
        self._table, self._folder, self._rng = table, pathlib.Path(folder), rng
        self._manifests = ManifestWriter(table, self._folder, rng, LOCATION, public)
        self._live = []  # The manifests of the newest snapshot.
        self._snapshots = []
        self._next_row_id = 0
        for name in ("data", "metadata"):
            (self._folder / name).mkdir(parents=True)

    def write(self):
        """Returns the metadata file."""
        for commit in self._table.commits:
            self._write_commit(commit)
        ascii_only, zipped = self._rng.random() < 0.5, self._rng.random() < 0.1
        data = json.dumps(self._metadata(), indent=1, ensure_ascii=ascii_only).encode()
        name = "v1.gz.metadata.json" if zipped else "v1.metadata.json"
        path = self._folder / "metadata" / name
        path.write_bytes(gzip.compress(data) if zipped else data)
        return path

    # Files.

    def _write_commit(self, commit):
        entries = [self._data_entry(f) if isinstance(f, DataFile) else self._delete_entry(f)
                   for f in commit.added if f.__dict__.get("kind") != "vector"]
        entries += self._vector_entries([f for f in commit.added
                                         if f.__dict__.get("kind") == "vector"])
        self._live = self._manifests.next_manifests(commit, self._live, entries)
        first_row_id = self._next_row_id
        if commit.format_version >= 3:
            self._next_row_id = self._manifests.assign_row_ids(self._live, self._next_row_id)
        self._snapshots.append(self._snapshot(commit, first_row_id))

    def _data_entry(self, file):
        rng = random.Random(file.seed)
        path = self._folder / file.path
        file.resolve_sources()
        write_rows(path, file.format, file.fields, file.rows, rng, file.with_ids)
        return Entry(file, 0, location_of(file.path), len(file.rows), os.path.getsize(path),
                     metrics.of_rows(file.fields, file.rows, rng))

    def _delete_entry(self, file):
        rng = random.Random(file.seed)
        path = self._folder / file.path
        if file.kind == "equality":
            write_rows(path, file.format, file.fields, file.rows, rng)
            return Entry(file, 2, location_of(file.path), len(file.rows), os.path.getsize(path),
                         metrics.of_rows(file.fields, file.rows, rng))
        rows = [{FILE_PATH["id"]: location_of(data), POSITION["id"]: position}
                for data, positions in sorted(file.positions.items()) for position in positions]
        write_rows(path, file.format, [FILE_PATH, POSITION], rows, rng)
        entry = Entry(file, 1, location_of(file.path), len(rows), os.path.getsize(path),
                      metrics.of_rows([FILE_PATH, POSITION], rows, rng))
        if len(file.positions) == 1 and rng.random() < 0.5:
            entry.referenced = rows[0][FILE_PATH["id"]]
        return entry

    def _vector_entries(self, files):
        """Vectors of one commit share one Puffin file."""
        if not files:
            return []
        path = self._folder / files[0].path
        vectors = [(location_of(data), positions)
                   for file in files for data, positions in file.positions.items()]
        size, places = deletion_vectors.write_puffin(path, vectors, random.Random(files[0].seed))
        return [Entry(file, 1, location_of(file.path), len(positions), size, metrics.Metrics(),
                      referenced=data, content_range=place)
                for file, (data, positions), place in zip(files, vectors, places)]

    # Metadata.

    def _snapshot(self, commit, first_row_id):
        sequence = {"sequence-number": commit.sequence} if commit.format_version > 1 else {}
        rows = {"first-row-id": first_row_id, "added-rows": self._next_row_id - first_row_id} \
            if commit.format_version > 2 else {}
        parent = {"parent-snapshot-id": s["snapshot-id"] for s in self._snapshots[-1:]}
        path = self._manifests.write_list(commit, self._live)
        return {"snapshot-id": commit.snapshot_id, **parent, **sequence, **rows,
                "timestamp-ms": TIME_MS + len(self._snapshots) * 1000, "manifest-list": path,
                "summary": {"operation": self._operation(commit)},
                "schema-id": commit.schema_id}

    @staticmethod
    def _operation(commit):
        if commit.removed:
            return "overwrite"
        return "append" if all(isinstance(f, DataFile) for f in commit.added) else "delete"

    def _metadata(self):
        table, snapshots = self._table, self._snapshots
        schemas = [{"type": "struct", "schema-id": s["schema-id"],
                    "fields": [public(f) for f in s["fields"]]} for s in table.schemas]
        metadata = {
            "format-version": table.format_version,
            "table-uuid": "9c12d441-03fe-4693-9a96-a0705ddf69c1", "location": LOCATION,
            "last-updated-ms": TIME_MS + len(snapshots) * 1000,
            "last-column-id": table.last_column_id, "schemas": schemas,
            "current-schema-id": schemas[-1]["schema-id"], "partition-specs": table.specs,
            "default-spec-id": table.default_spec_id, "last-partition-id": table.last_partition_id,
            "sort-orders": [{"order-id": 0, "fields": []}], "default-sort-order-id": 0,
            "properties": self._properties(), "snapshots": snapshots, "metadata-log": [],
            "current-snapshot-id": snapshots[-1]["snapshot-id"],
            "snapshot-log": [{"timestamp-ms": s["timestamp-ms"], "snapshot-id": s["snapshot-id"]}
                             for s in snapshots]}
        return metadata | self._of_version(schemas)

    def _of_version(self, schemas):
        table = self._table
        if table.format_version == 1:  # Both stand beside the lists that came with version 2.
            return {"schema": schemas[-1],
                    "partition-spec": table.spec(table.default_spec_id)["fields"]}
        added = {"last-sequence-number": table.commits[-1].sequence}
        if table.format_version > 2:
            added["next-row-id"] = self._next_row_id
        main = {"snapshot-id": self._snapshots[-1]["snapshot-id"], "type": "branch"}
        return added | {"refs": {"main": main}}

    def _properties(self):
        mapping = self._table.name_mapping
        return {} if mapping is None else {"schema.name-mapping.default": json.dumps(mapping)}


def construct(table, folder, seed):
    """Writes the table into a folder that does not exist; returns the metadata file."""
    return Construction(table, folder, random.Random(seed)).write()
