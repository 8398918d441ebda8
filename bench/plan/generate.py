#!/usr/bin/env python3
"""Generates the metadata of a large Iceberg table of format version 2, without its data files.

usage: generate.py FOLDER NAME     NAME is one of TABLES

Writes FOLDER/metadata/… and FOLDER/expected.json: what each case filters by, and the number of
files and of attached deletes that its plan must have. 20 columns, partitioned by day(ts) and
bucket[16](id); see entries.py. Three manifests of four hold added entries with inherited sequence
numbers, the fourth existing ones with their own. The files depend on the arguments alone.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import random
import shutil
import struct

from avro_writer import NULL, SOME, ContainerFile, array, blob, number
import entries
import schemas

# `files` in each of `manifests`; `deletes`: one delete file per partition, which is one per ten
# data files: none, positions, or mixed, where every fifth is an equality delete of `id`.
DEFAULTS = {"deletes": "none", "files_per_day": 160, "seed": 42}
TABLES = {name: {**DEFAULTS, **shape} for name, shape in {
    "tiny": {"manifests": 4, "files": 80},
    "tinymix": {"manifests": 4, "files": 80, "deletes": "mixed"},
    "S": {"manifests": 10, "files": 1000},
    "Smix": {"manifests": 10, "files": 1000, "deletes": "mixed"},
    "many": {"manifests": 2000, "files": 10},
    "M": {"manifests": 100, "files": 1000},
    "Mpos": {"manifests": 100, "files": 1000, "deletes": "positions"},
    "Mmix": {"manifests": 100, "files": 1000, "deletes": "mixed"},
    "L": {"manifests": 1000, "files": 1000},
}.items()}
POINT_ID = 123_456_789  # Within the bounds of every file.


def snapshot_id(manifest):
    return 10**18 + int.from_bytes(hashlib.md5(b"snap%d" % manifest).digest()[:7], "little")


def delete_count(table):
    if table["deletes"] == "none":
        return 0
    return table["manifests"] * table["files"] // table["files_per_day"] * entries.BUCKETS


def is_equality(table, index):
    return table["deletes"] == "mixed" and index % 5 == 4


def encoded_entries(table, kind, manifest, rng, uuid):
    """Yields (rows, day, bucket, entry) for each entry of a manifest; `kind` is data, positions or
    equality."""
    first, last = manifest * table["files"], (manifest + 1) * table["files"]
    if kind == "data":
        head = entries.entry_head(manifest % 4 == 3, snapshot_id(manifest), manifest + 1)
        for i in range(first, last):
            rows, day, entry = entries.data_entry(rng, head, i, table["files_per_day"], uuid)
            yield rows, day, i % entries.BUCKETS, entry
        return
    head = entries.entry_head(False, snapshot_id(table["manifests"]), table["manifests"] + 1)
    for i in range(first, min(last, delete_count(table))):
        if is_equality(table, i) == (kind == "equality"):
            rows, day, entry = entries.delete_entry(rng, head, i, table, uuid, kind == "equality")
            yield rows, day, i % entries.BUCKETS, entry


def summary(values):
    """The field summary of a partition field without nulls."""
    return b"".join((b"\0", SOME, b"\0", SOME, blob(struct.pack("<i", min(values))),
                     SOME, blob(struct.pack("<i", max(values)))))


def write_manifest(folder, table, kind, manifest):
    """Writes one manifest; returns (its record in the manifest list, its size)."""
    rng = random.Random(f"{table['seed']}/{kind}/{manifest}")
    uuid = entries.uuid_of(rng)
    file = ContainerFile(schemas.MANIFEST_ENTRY, {
        "schema": json.dumps(schemas.TABLE_SCHEMA, separators=(",", ":")),
        "partition-spec": json.dumps(schemas.SPEC_FIELDS, separators=(",", ":")),
        "partition-spec-id": "0", "format-version": "2",
        "content": "data" if kind == "data" else "deletes",
    }, hashlib.md5(f"{table['seed']}/{kind}/{manifest}".encode()).digest())
    rows, days, buckets = 0, [], []
    for entry_rows, day, bucket, entry in encoded_entries(table, kind, manifest, rng, uuid):
        file.append(entry)
        rows += entry_rows
        days.append(day)
        buckets.append(bucket)
    path = f"{folder}/metadata/{uuid}-m{manifest}.avro"
    size = file.write(path)
    counts = [len(days), 0, 0, rows, 0, 0]
    sequence, snapshot = table["manifests"] + 1, snapshot_id(table["manifests"])
    if kind == "data":
        sequence, snapshot = manifest + 1, snapshot_id(manifest)
        if manifest % 4 == 3:
            counts = [0, len(days), 0, 0, rows, 0]
    fields = [size, 0, 0 if kind == "data" else 1, sequence, sequence, snapshot, *counts]
    return b"".join((blob(path.encode()), *map(number, fields),
                     SOME, array([summary(days), summary(buckets)]), NULL)), size


def write_manifests(folder, table):
    """What write_manifest returns, for all manifests."""
    jobs = [("data", i) for i in range(table["manifests"])]
    kinds = {"none": [], "positions": ["positions"], "mixed": ["positions", "equality"]}
    for kind in kinds[table["deletes"]]:
        jobs += [(kind, i) for i in range(-(-delete_count(table) // table["files"]))]
    with concurrent.futures.ProcessPoolExecutor() as executor:
        running = [executor.submit(write_manifest, folder, table, *job) for job in jobs]
        return [job.result() for job in running]


def write_table(folder, table):
    """Returns (location of the metadata file, bytes in manifests)."""
    manifests = write_manifests(folder, table)
    snapshots = table["manifests"] + (table["deletes"] != "none")
    current = snapshot_id(snapshots - 1)
    file = ContainerFile(schemas.MANIFEST_FILE, {
        "snapshot-id": str(current), "parent-snapshot-id": str(snapshot_id(snapshots - 2)),
        "sequence-number": str(snapshots), "format-version": "2",
    }, hashlib.md5(b"list").digest())
    for record, _ in reversed(manifests):  # The newest first.
        file.append(record)
    manifest_list = f"{folder}/metadata/snap-{current}.avro"
    file.write(manifest_list)
    time_ms = 1_700_000_000_000
    metadata = {
        "format-version": 2, "table-uuid": entries.uuid_of(random.Random(table["seed"])),
        "location": str(folder), "last-sequence-number": snapshots, "last-updated-ms": time_ms,
        "last-column-id": 20, "current-schema-id": 0, "schemas": [schemas.TABLE_SCHEMA],
        "default-spec-id": 0, "last-partition-id": 1001,
        "partition-specs": [{"spec-id": 0, "fields": schemas.SPEC_FIELDS}],
        "default-sort-order-id": 0, "sort-orders": [{"order-id": 0, "fields": []}],
        "current-snapshot-id": current,
        "refs": {"main": {"snapshot-id": current, "type": "branch"}},
        "snapshots": [{"sequence-number": snapshots, "snapshot-id": current, "schema-id": 0,
                       "timestamp-ms": time_ms, "manifest-list": manifest_list,
                       "summary": {"operation": "append"}}],
        "snapshot-log": [{"timestamp-ms": time_ms, "snapshot-id": current}], "metadata-log": []}
    path = f"{folder}/metadata/v1.metadata.json"
    pathlib.Path(path).write_text(json.dumps(metadata))
    return path, sum(size for _, size in manifests)


def bucket_of(value):
    """bucket[16] of a long: the 32-bit Murmur3 hash of its eight little-endian bytes."""
    def rotate(x, n):
        return (x << n | x >> (32 - n)) & 0xFFFFFFFF
    h = 0
    for (k,) in struct.iter_unpack("<I", struct.pack("<q", value)):
        k = rotate(k * 0xCC9E2D51 & 0xFFFFFFFF, 15) * 0x1B873593 & 0xFFFFFFFF
        h = (rotate(h ^ k, 13) * 5 + 0xE6546B64) & 0xFFFFFFFF
    h ^= 8
    h = (h ^ h >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    h = (h ^ h >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    return ((h ^ h >> 16) & 0x7FFFFFFF) % 16


def cases(table):
    """What each case filters by, as [column, operator, type, value] that must all hold, and what
    its plan has: the whole table, one day, one file of a hundred by a column's metrics, one
    bucket."""
    total, per_day = table["manifests"] * table["files"], table["files_per_day"]
    days_with_deletes = delete_count(table) // entries.BUCKETS
    middle = total // 2 // per_day
    first, count = total // 3, max(1, total // 100)

    def case(predicates, files):
        return {"predicates": predicates, "files": len(files),
                "delete_refs": sum(i // per_day < days_with_deletes for i in files)}

    def between(column, type_, low, high):
        return [[column, ">=", type_, low], [column, "<", type_, high]]

    midnights = [f"{entries.date_text(entries.FIRST_DAY + middle + i)}T00:00:00" for i in (0, 1)]
    return {
        "full": case([], range(total)),
        "day": case(between("ts", "timestamp", *midnights),
                    range(middle * per_day, min(total, (middle + 1) * per_day))),
        "metric": case(between("seq_no", "long", first * entries.SEQUENCE_STEP,
                               (first + count) * entries.SEQUENCE_STEP),
                       range(first, first + count)),
        "id": case([["id", "=", "long", POINT_ID]], range(bucket_of(POINT_ID), total, 16)),
    }


def expected(table, metadata, manifest_bytes):
    return {"shape": table, "metadata": metadata, "manifest_bytes": manifest_bytes,
            "data_files": table["manifests"] * table["files"],
            "delete_files": delete_count(table), "cases": cases(table)}


def generate(folder, name):
    """Generates a table, unless it is there already; returns its expected.json."""
    folder, table = pathlib.Path(folder).resolve(), TABLES[name]
    about = folder / "expected.json"
    if about.exists():
        known = json.loads(about.read_text())
        if known["shape"] == table and os.path.exists(known["metadata"]):
            return known
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "metadata").mkdir(parents=True)
    known = expected(table, *write_table(folder, table))
    about.write_text(json.dumps(known, indent=1))
    return known


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("name", choices=TABLES)
    arguments = parser.parse_args()
    generate(arguments.folder, arguments.name)


if __name__ == "__main__":
    main()
