#!/usr/bin/env python3
"""The same 100,000 data files as a Hive-style directory, as an Iceberg table and as a Delta table.

usage: generate.py FOLDER [--days 1000] [--files 100]     (needs pyarrow, pyiceberg and deltalake)

FOLDER/table/data/day=…/part-….parquet are the files: 1,000 days of 100 files of three rows. In FOLDER/table lie beside them
an Iceberg table's metadata/ (one commit for each ten days, as add_files makes it) and a Delta table's _delta_log/ (as
many commits, and a checkpoint): three indexes, or none, over the very same files.
"""
import argparse
import datetime
import json
import pathlib
import shutil

import deltalake
import pyarrow as pa
import pyarrow.parquet as pq
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.partitioning import PartitionField, PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.transforms import IdentityTransform
from pyiceberg.types import DateType, LongType, NestedField, StringType

FIRST_DAY = datetime.date(2020, 1, 1)
DAYS_PER_COMMIT = 10


def write_files(table, days, files):
    """The data files, which have the partition column too; returns their paths, day by day."""
    paths = []
    for i in range(days):
        day = FIRST_DAY + datetime.timedelta(i)
        directory = table / "data" / f"day={day}"
        directory.mkdir(parents=True)
        rows = pa.table({"id": pa.array([3 * i, 3 * i + 1, 3 * i + 2], pa.int64()), "v": ["a", "b", "c"],
                         "day": pa.array([day] * 3, pa.date32())})
        first = directory / f"part-00000-{i:08x}.parquet"
        pq.write_table(rows, first)
        content = first.read_bytes()
        paths.append([str(first)])
        for k in range(1, files):
            path = directory / f"part-{k:05d}-{i:08x}.parquet"
            path.write_bytes(content)
            paths[-1].append(str(path))
    return paths


def write_iceberg(folder, table, paths):
    catalog = SqlCatalog("bench", uri=f"sqlite:///{folder}/catalog.db", warehouse=f"file://{folder}")
    catalog.create_namespace_if_not_exists("bench")
    schema = Schema(NestedField(1, "id", LongType()), NestedField(2, "v", StringType()), NestedField(3, "day", DateType()))
    spec = PartitionSpec(PartitionField(3, 1000, IdentityTransform(), "day"))
    iceberg = catalog.create_table("bench.files", schema, location=f"file://{table}", partition_spec=spec)
    for i in range(0, len(paths), DAYS_PER_COMMIT):
        chunk = [path for day in paths[i:i + DAYS_PER_COMMIT] for path in day]
        iceberg.add_files([f"file://{path}" for path in chunk], check_duplicate_files=False)


def add_action(table, path, first_id):
    """An `add` of the Delta protocol; its statistics are those of `write_files`."""
    stats = {"numRecords": 3, "minValues": {"id": first_id, "v": "a"}, "maxValues": {"id": first_id + 2, "v": "c"},
             "nullCount": {"id": 0, "v": 0}}
    relative = pathlib.Path(path).relative_to(table)
    return {"add": {"path": str(relative), "partitionValues": {"day": relative.parts[1].removeprefix("day=")},
                    "size": pathlib.Path(path).stat().st_size, "modificationTime": 0, "dataChange": True,
                    "stats": json.dumps(stats)}}


def write_delta(table, paths):
    """Its own writer would have no partition column in the files, so the log is written here."""
    types = {"id": "long", "v": "string", "day": "date"}
    fields = [{"name": name, "type": type_, "nullable": True, "metadata": {}} for name, type_ in types.items()]
    first = [{"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}},
             {"metaData": {"id": "bench", "format": {"provider": "parquet", "options": {}}, "partitionColumns": ["day"],
                           "schemaString": json.dumps({"type": "struct", "fields": fields}), "configuration": {}}}]
    log = table / "_delta_log"
    log.mkdir()
    for version, i in enumerate(range(0, len(paths), DAYS_PER_COMMIT)):
        actions = first if version == 0 else []
        actions = actions + [add_action(table, path, 3 * (i + k))
                             for k, day in enumerate(paths[i:i + DAYS_PER_COMMIT]) for path in day]
        (log / f"{version:020}.json").write_text("\n".join(map(json.dumps, actions)) + "\n")
    deltalake.DeltaTable(str(table)).create_checkpoint()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--days", type=int, default=1000)
    parser.add_argument("--files", type=int, default=100)
    options = parser.parse_args()
    folder = options.folder.resolve()
    shutil.rmtree(folder, ignore_errors=True)
    table = folder / "table"
    paths = write_files(table, options.days, options.files)
    write_delta(table, paths)
    write_iceberg(folder, table, paths)


if __name__ == "__main__":
    main()
