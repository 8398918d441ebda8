"""Tables that are bad in one way each, made of copies of those in tests/data; their data files need not exist."""
import copy
import dataclasses
import struct
import time
import typing
import unittest

import health_command  # noqa: F401, it makes the next modules found
try:
    from avro_container import Container
except ImportError as error:
    raise unittest.SkipTest("pyarrow is not installed for this Python") from error
from damaged_table import DamagedTable

DATA, DELETES = 0, 1
MIB = 1 << 20
DAY_MS = 86_400_000
CASES = []


@dataclasses.dataclass
class Case:
    name: str
    table: str
    make: typing.Callable
    """What must be found, and nothing else: severities by check."""
    want: dict
    arguments: tuple = ()


def case(table, *arguments, **want):
    """Makes a function a case; underscores in names of checks stand for dashes."""
    def add(make):
        CASES.append(Case(make.__name__.replace("_", " "), table, make,
                          {check.replace("_", "-"): severity for check, severity in want.items()}, arguments))
        return make
    return add


class BadTable(DamagedTable):
    def __init__(self, name, folder):
        super().__init__(name, folder)
        now = int(time.time() * 1000)
        # Old tables have snapshots that are due to expire: these are of the last hours.
        for i, snapshot in enumerate(reversed(self.metadata["snapshots"])):
            snapshot["timestamp-ms"] = now - (i + 1) * 3_600_000
        self.metadata["snapshot-log"] = []
        self.metadata["last-updated-ms"] = now
        self.save()

    def set_property(self, key, value):
        self.metadata.setdefault("properties", {})[key] = value
        self.save()

    def repeat(self, count, change, content=DATA, number=0):
        """Makes `count` files of the first one of a manifest, each of which `change(file, i)` makes different."""
        def edit(records):
            made = []
            for i in range(count):
                record = copy.deepcopy(records[0])
                record["data_file"]["file_path"] += f".{i}"
                change(record["data_file"], i)
                made.append(record)
            records[:] = made
        path = self.edit_manifest(content, edit, number)
        place = self.place_of(content, number)

        def count_them(records):
            kind = "added_files_count" if records[place]["added_files_count"] else "existing_files_count"
            records[place][kind] = count
        self.edit_list(count_them)
        return path

    def sorted_files(self, count, *changes):
        """Makes `count` files of the target size, none of which overlaps another in any column."""
        def change(file, i):
            file["file_size_in_bytes"] = 512 * MIB
            set_bounds(file, 1, struct.pack("<q", 2 * i), struct.pack("<q", 2 * i + 1))
            set_bounds(file, 2, f"{2 * i:06}".encode(), f"{2 * i + 1:06}".encode())
            set_bounds(file, 3, struct.pack("<d", 2 * i), struct.pack("<d", 2 * i + 1))
            for further in changes:
                further(file, i)
        return self.repeat(count, change)

    def add_snapshots(self, count, step_ms):
        """Commits that change nothing, the last one now."""
        now = self.snapshot()["timestamp-ms"]
        for i in range(count):
            snapshot = copy.deepcopy(self.snapshot())
            snapshot["parent-snapshot-id"] = snapshot["snapshot-id"]
            snapshot["snapshot-id"] += 1
            snapshot["timestamp-ms"] = now + i * step_ms
            self.metadata["snapshots"].append(snapshot)
            self.metadata["current-snapshot-id"] = snapshot["snapshot-id"]
        self.metadata["refs"] = {"main": {"snapshot-id": self.metadata["current-snapshot-id"], "type": "branch"}}
        self.metadata["last-updated-ms"] = now + count * step_ms
        self.save()


def set_bounds(file, field_id, lower, upper):
    for column, value in (("lower_bounds", lower), ("upper_bounds", upper)):
        file[column] = [p for p in file[column] or [] if p["key"] != field_id] + [{"key": field_id, "value": value}]


def set_size(size):
    def change(file, _):
        file["file_size_in_bytes"] = size
    return change


# An unpartitioned table of three small files, with the columns id (1), k (2) and v (3).
PLAIN = "refs-branches-tags"
# A table of a file in each of twenty partitions, with the columns id (1) and v (2).
PARTITIONED = "part-identity-string"


@case(PLAIN)
def files_of_the_target_size_that_do_not_overlap(table):
    table.sorted_files(50)


@case(PARTITIONED)
def a_small_file_in_each_partition(_):
    pass


@case(PLAIN, small_files="info")
def fifty_small_files(table):
    table.sorted_files(50, set_size(1000))


@case(PLAIN, small_files="warning")
def two_hundred_small_files(table):
    table.sorted_files(200, set_size(1000))


@case(PLAIN)
def files_as_small_as_they_are_meant_to_be(table):
    table.sorted_files(200, set_size(1000))
    table.set_property("write.target-file-size-bytes", "1000")


@case(PLAIN, small_files="serious", big_manifests="info")
def many_small_files_in_one_manifest(table):
    table.sorted_files(1200, set_size(1000))


@case(PARTITIONED, partition_skew="warning")
def a_partition_of_most_bytes(table):
    table.edit_file(DATA, file_size_in_bytes=700 * MIB)


@case(PARTITIONED, tiny_partitions="info")
def many_partitions_of_little(table):
    def change(file, i):
        file["partition"]["v"] = f"p{i:04}"
        set_bounds(file, 1, struct.pack("<i", 2 * i), struct.pack("<i", 2 * i + 1))
        set_bounds(file, 2, f"{i:06}".encode(), f"{i:06}".encode())
    table.repeat(150, change)


# Manifests.

def add_manifests(table, count):
    """Makes manifests of a file each, which is big and sorted after the others."""
    table.sorted_files(1)
    place = table.place_of(DATA)
    listed = table.manifests()[place]
    container = Container(table.local(listed["manifest_path"]))
    added = []
    for i in range(count):
        file = container.records[0]["data_file"]
        file["file_path"] = f"{table.metadata['location']}/data/{i}.parquet"
        set_bounds(file, 1, struct.pack("<q", 1000 + i), struct.pack("<q", 1000 + i))
        set_bounds(file, 2, f"{1000 + i:06}".encode(), f"{1000 + i:06}".encode())
        set_bounds(file, 3, struct.pack("<d", 1000 + i), struct.pack("<d", 1000 + i))
        path = f"{table.metadata['location']}/metadata/more-{i}.avro"
        added.append({**listed, "manifest_path": path, "manifest_length": container.write(table.local(path))})
    table.edit_list(lambda records: records.extend(added))


@case(PLAIN)
def some_small_manifests(table):
    add_manifests(table, 90)


@case(PLAIN, small_manifests="info")
def many_small_manifests(table):
    add_manifests(table, 100)


@case(PLAIN, big_manifests="warning")
def a_big_manifest_among_few(table):
    table.edit_listed(DATA, manifest_length=60 * MIB)


# Deletes.

@case("eq-delete-single", equality_deletes="info", delete_debt="info")
def equality_deletes_that_apply(_):
    pass


@case("eq-delete-single", equality_deletes="info", dangling_deletes="info")
def equality_deletes_older_than_all_data(table):
    for number in range(sum(m["content"] == DELETES for m in table.manifests())):
        def edit(records):
            for record in records:
                record.update(status=0, snapshot_id=1, sequence_number=0, file_sequence_number=0)
        table.edit_manifest(DELETES, edit, number)


@case("dv-basic", delete_debt="serious")
def vectors_of_a_third_of_the_rows(table):
    table.edit_manifest(DELETES, lambda records: [r["data_file"].update(record_count=15) for r in records])


@case("dv-basic", dangling_deletes="info")
def vectors_of_files_that_are_gone(table):
    def edit(records):
        for i, record in enumerate(records):
            record["data_file"]["referenced_data_file"] = f"file:/gone/{i}.parquet"
    table.edit_manifest(DELETES, edit)


# History.

@case("manifest-codec-zstd", expired_snapshots="info")
def a_snapshot_past_its_retention(table):
    table.add_snapshots(1, 1000)
    table.metadata["snapshots"][0]["timestamp-ms"] -= 6 * DAY_MS
    table.save()


@case("manifest-codec-zstd")
def a_snapshot_that_is_to_be_kept_for_longer(table):
    a_snapshot_past_its_retention(table)
    table.set_property("history.expire.max-snapshot-age-ms", str(7 * DAY_MS))


@case("manifest-codec-zstd", expired_snapshots="warning")
def many_snapshots_past_their_retention(table):
    table.snapshot()["timestamp-ms"] -= 300 * DAY_MS
    table.add_snapshots(200, DAY_MS)


@case("manifest-codec-zstd", many_snapshots="warning", commit_rate="warning")
def a_commit_every_fifty_seconds(table):
    table.snapshot()["timestamp-ms"] -= DAY_MS
    table.add_snapshots(1700, 50_000)


@case("manifest-codec-zstd", metadata_log="warning")
def a_metadata_log_that_is_full(table):
    table.set_property("write.metadata.previous-versions-max", str(len(table.metadata["metadata-log"])))


@case("manifest-codec-zstd")
def a_metadata_log_that_is_full_and_cleaned(table):
    a_metadata_log_that_is_full(table)
    table.set_property("write.metadata.delete-after-commit.enabled", "true")


# Columns.

@case(PLAIN, bounds_prune_nothing="warning")
def every_column_overlaps_in_every_file(table):
    table.sorted_files(50, *(overlap(field) for field in (1, 2, 3)))


@case(PLAIN, bounds_prune_nothing="info")
def a_column_overlaps_in_every_file(table):
    table.sorted_files(50, overlap(2))


def overlap(field_id):
    lower, upper = {1: (struct.pack("<q", 0), struct.pack("<q", 999)), 2: (b"0", b"9"),
                    3: (struct.pack("<d", 0), struct.pack("<d", 999))}[field_id]
    return lambda file, _: set_bounds(file, field_id, lower, upper)


@case(PLAIN, sort_order_lost="warning", bounds_prune_nothing="info")
def a_sort_order_that_is_not_kept(table):
    table.sorted_files(50, overlap(1))
    table.metadata["sort-orders"].append({"order-id": 7, "fields": [
        {"source-id": 1, "transform": "identity", "direction": "asc", "null-order": "nulls-first"}]})
    table.metadata["default-sort-order-id"] = 7
    table.save()


def no_bounds(field_id):
    def change(file, _):
        for column in ("lower_bounds", "upper_bounds"):
            file[column] = [p for p in file[column] if p["key"] != field_id]
    return change


@case(PLAIN, missing_metrics="warning")
def a_column_without_bounds(table):
    table.sorted_files(50, no_bounds(2))


@case(PLAIN, missing_metrics="info")
def a_column_without_bounds_in_some_files(table):
    table.sorted_files(50, lambda file, i: no_bounds(2)(file, i) if i < 5 else None)


@case(PLAIN)
def a_column_that_is_to_have_no_bounds(table):
    a_column_without_bounds(table)
    table.set_property("write.metadata.metrics.column.k", "counts")


@case(PLAIN, truncated_bounds="warning", bounds_prune_nothing="info")
def texts_that_begin_alike(table):
    table.sorted_files(50, lambda file, _: set_bounds(file, 2, b"https://example.", b"https://example/"))


@case(PLAIN, bounds_prune_nothing="info")
def texts_that_begin_alike_for_less_than_is_kept(table):
    texts_that_begin_alike(table)
    table.set_property("write.metadata.metrics.default", "truncate(17)")


# Layout.

@case(PARTITIONED, old_specs="warning")
def files_of_an_earlier_spec(table):
    table.metadata["partition-specs"].append({"spec-id": 5, "fields": []})
    table.metadata["default-spec-id"] = 5
    table.save()


def add_statistics(table, number):
    table.metadata["statistics"] = [{
        "snapshot-id": table.metadata["snapshots"][number]["snapshot-id"], "statistics-path": "file:/x.stats",
        "file-size-in-bytes": 100, "file-footer-size-in-bytes": 50, "blob-metadata": []}]
    table.save()


@case("manifest-codec-zstd", stale_statistics="info")
def statistics_of_an_earlier_snapshot(table):
    table.add_snapshots(3, 1000)
    add_statistics(table, 0)


@case("manifest-codec-zstd")
def statistics_of_the_current_snapshot(table):
    table.add_snapshots(3, 1000)
    add_statistics(table, -1)


# Files that nothing names.

@case("nested-types", "--list", orphan_files="info")
def a_small_file_that_nothing_names(table):
    (table.folder / "data" / "left-over.parquet").write_bytes(b"x")


@case("nested-types", "--list", orphan_files="warning")
def a_large_file_that_nothing_names(table):
    (table.folder / "metadata" / "left-over.avro").write_bytes(bytes(100_000))


@case("nested-types", "--list")
def files_that_engines_pass_over(table):
    (table.folder / "data" / "_SUCCESS").write_bytes(bytes(100_000))
    (table.folder / "data" / ".x.crc").write_bytes(bytes(100_000))
    (table.folder / "metadata" / "version-hint.text").write_text("1")


@case("nested-types")
def a_large_file_that_nobody_looks_for(table):
    a_large_file_that_nothing_names(table)
