#!/usr/bin/env python3
"""Writes the log of a Delta table of many files, none of which exists: planning never opens them.

usage: generate.py DIRECTORY [--files 100000] [--commits 100] [--parsed]

A classic checkpoint holds all files but those of the commits after it, ten of each. Files lie in a hundred partitions `day`; `id` ascends from
file to file. --parsed adds the statistics as columns, as writers do that are told to.
"""
import argparse
import datetime
import json
import os

import pyarrow as pa
import pyarrow.parquet as pq

DAYS = 100
ROWS = 1000
FILES_PER_COMMIT = 10
COLUMNS = [("id", "long"), ("ts", "timestamp"), ("name", "string"), ("amount", "double"), ("quantity", "integer"), ("day", "date")]
SCHEMA = json.dumps({"type": "struct", "fields": [
    {"name": name, "type": kind, "nullable": True, "metadata": {}} for name, kind in COLUMNS]})
PROTOCOL = {"minReaderVersion": 1, "minWriterVersion": 2}
METADATA = {"id": "5fba94ed-9794-4965-ba6e-6ee3c0d22af9", "format": {"provider": "parquet", "options": {}}, "schemaString": SCHEMA,
            "partitionColumns": ["day"], "configuration": {}, "createdTime": 1767225600000}

STRINGS = pa.map_(pa.string(), pa.string())
LEAVES = [("id", pa.int64()), ("ts", pa.timestamp("us", "UTC")), ("name", pa.string()), ("amount", pa.float64()), ("quantity", pa.int32())]
PARSED = pa.struct([("numRecords", pa.int64()), ("minValues", pa.struct(LEAVES)), ("maxValues", pa.struct(LEAVES)),
                    ("nullCount", pa.struct([(name, pa.int64()) for name, _ in LEAVES]))])
ADD = [("path", pa.string()), ("partitionValues", STRINGS), ("size", pa.int64()), ("modificationTime", pa.int64()),
       ("dataChange", pa.bool_()), ("stats", pa.string())]


def checkpoint_schema(parsed):
    return pa.schema([
        ("txn", pa.struct([("appId", pa.string()), ("version", pa.int64()), ("lastUpdated", pa.int64())])),
        ("add", pa.struct(ADD + ([("stats_parsed", PARSED)] if parsed else []))),
        ("remove", pa.struct([("path", pa.string()), ("deletionTimestamp", pa.int64()), ("dataChange", pa.bool_())])),
        ("metaData", pa.struct([
            ("id", pa.string()), ("name", pa.string()), ("description", pa.string()),
            ("format", pa.struct([("provider", pa.string()), ("options", STRINGS)])), ("schemaString", pa.string()),
            ("partitionColumns", pa.list_(pa.string())), ("configuration", STRINGS), ("createdTime", pa.int64())])),
        ("protocol", pa.struct([("minReaderVersion", pa.int32()), ("minWriterVersion", pa.int32())])),
    ])


def stamp(i, end):
    moment = datetime.datetime(2026, 1, 1) + datetime.timedelta(minutes=i, seconds=59 if end else 0)
    return moment.isoformat(timespec="milliseconds") + "Z"


def bounds(i, end):
    first = i * ROWS
    return {"id": first + (ROWS - 1 if end else 0), "ts": stamp(i, end), "name": f"customer-{(i * 7919) % 100000:08d}{'z' if end else ''}",
            "amount": (i % 977) + (0.99 if end else 0.01), "quantity": 100 if end else 1}


def add_of(i):
    day = (datetime.date(2026, 1, 1) + datetime.timedelta(days=i % DAYS)).isoformat()
    stats = {"numRecords": ROWS, "minValues": bounds(i, False), "maxValues": bounds(i, True), "nullCount": dict.fromkeys(
        ("id", "ts", "name", "amount", "quantity"), 0)}
    return {"path": f"day={day}/part-{i:06d}-5fba94ed-9794-4965-ba6e-6ee3c0d22af9.c000.snappy.parquet",
            "partitionValues": {"day": day}, "size": 1000000 + i, "modificationTime": 1767225600000 + i,
            "dataChange": True, "stats": json.dumps(stats, separators=(",", ":"))}


def with_parsed(add):
    stats = json.loads(add["stats"])
    for kind in ("minValues", "maxValues"):
        text = stats[kind]["ts"]
        stats[kind]["ts"] = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    return {**add, "stats_parsed": stats}


def write_checkpoint(path, files, parsed):
    adds = [with_parsed(add_of(i)) if parsed else add_of(i) for i in range(files)]
    rows = [{"protocol": PROTOCOL}, {"metaData": METADATA}, *({"add": add} for add in adds)]
    pq.write_table(pa.Table.from_pylist(rows, checkpoint_schema(parsed)), path, compression="snappy")


def write_table(directory, files, commits, parsed):
    log = os.path.join(directory, "_delta_log")
    os.makedirs(log)
    version = 1000
    in_commits = min(commits * FILES_PER_COMMIT, files)
    write_checkpoint(os.path.join(log, f"{version:020d}.checkpoint.parquet"), files - in_commits, parsed)
    with open(os.path.join(log, "_last_checkpoint"), "w", encoding="utf-8") as hint:
        json.dump({"version": version, "size": files - in_commits + 2}, hint)
    next_file = files - in_commits
    for commit in range(commits + 1):
        info = {"commitInfo": {"timestamp": 1767225600000 + commit, "operation": "WRITE", "operationParameters": {"mode": "Append"}}}
        actions = [info]
        if commit > 0:
            actions += [{"add": add_of(i)} for i in range(next_file, min(next_file + FILES_PER_COMMIT, files))]
            next_file += FILES_PER_COMMIT
        with open(os.path.join(log, f"{version + commit:020d}.json"), "w", encoding="utf-8") as out:
            out.write("".join(json.dumps(action, separators=(",", ":")) + "\n" for action in actions))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory")
    parser.add_argument("--files", type=int, default=100000)
    parser.add_argument("--commits", type=int, default=100)
    parser.add_argument("--parsed", action="store_true")
    options = parser.parse_args()
    write_table(options.directory, options.files, options.commits, options.parsed)


if __name__ == "__main__":
    main()
