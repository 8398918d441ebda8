"""The faults that `nunatak verify` must find, each a way to damage a copy of a table."""
import copy
import dataclasses
import typing

from damaged_table import NOBODY

DATA, DELETES = 0, 1
FAULTS = []


@dataclasses.dataclass
class Fault:
    name: str
    table: str
    """Damages the table; returns the file that the finding must name."""
    damage: typing.Callable
    check: str
    """What the finding's field must be; {} stands for anything."""
    field: str
    """Checks that find the same damage from elsewhere."""
    also: tuple = ()
    severity: str = "error"
    arguments: tuple = ()


def fault(check, table, field="", **options):
    """Makes a function a fault."""
    def add(damage):
        name = damage.__name__.strip("_").replace("_", " ")
        FAULTS.append(Fault(name, table, damage, check, field, **options))
        return damage
    return add


# Files.

@fault("file-missing", "part-days-tstz")
def a_data_file_is_gone(table):
    path = table.files(DATA)[3]["file_path"]
    table.local(path).unlink()
    return path


@fault("file-size", "part-days-tstz", "file_size_in_bytes")
def a_data_file_is_cut(table):
    path = table.files(DATA)[3]["file_path"]
    local = table.local(path)
    local.write_bytes(local.read_bytes()[:-1])
    return path


@fault("file-size", "part-days-tstz", "file_size_in_bytes")
def a_data_file_grew(table):
    path = table.files(DATA)[0]["file_path"]
    local = table.local(path)
    local.write_bytes(local.read_bytes() + b"\0")
    return path


@fault("file-size", "part-days-tstz", "file_size_in_bytes", also=("summary-sizes",))
def a_data_file_is_recorded_with_another_size(table):
    table.edit_file(DATA, file_size_in_bytes=9_999)
    return table.files(DATA)[0]["file_path"]


@fault("file-missing", "eq-delete-single")
def a_delete_file_is_gone(table):
    path = table.files(DELETES)[0]["file_path"]
    table.local(path).unlink()
    return path


@fault("file-missing", "eq-delete-single")
def a_manifest_is_gone(table):
    path = table.manifests()[1]["manifest_path"]
    table.local(path).unlink()
    return path


@fault("unreadable", "eq-delete-single", also=("manifest-length",))
def a_manifest_is_cut(table):
    path = table.manifests()[1]["manifest_path"]
    local = table.local(path)
    local.write_bytes(local.read_bytes()[:-20])
    return path


@fault("file-missing", "eq-delete-single")
def a_manifest_list_is_gone(table):
    table.local(table.list_path).unlink()
    return table.list_path


@fault("unreadable", "eq-delete-single")
def a_manifest_list_is_cut(table):
    local = table.local(table.list_path)
    local.write_bytes(local.read_bytes()[:-20])
    return table.list_path


@fault("file-missing", "eq-delete-single", arguments=("--all",))
def the_manifest_list_of_an_older_snapshot_is_gone(table):
    path = table.snapshot(1)["manifest-list"]
    table.local(path).unlink()
    return path


@fault("metadata-invalid", "eq-delete-single")
def the_metadata_file_is_cut(table):
    table.metadata_path.write_text(table.metadata_path.read_text()[:-10])
    return str(table.metadata_path)


@fault("old-metadata-missing", "eq-delete-single", severity="warning")
def an_earlier_metadata_file_is_gone(table):
    path = table.metadata["metadata-log"][0]["metadata-file"]
    table.local(path).unlink()
    return path


# Statistics: a Puffin file of deletion vectors stands in for one of sketches.

def add_statistics(table, **changes):
    puffin = table.files(DELETES)[0]
    local = table.local(puffin["file_path"])
    statistics = {
        "snapshot-id": table.metadata["current-snapshot-id"], "statistics-path": puffin["file_path"],
        "file-size-in-bytes": local.stat().st_size,
        "file-footer-size-in-bytes": int.from_bytes(local.read_bytes()[-12:-8], "little") + 16,
        "blob-metadata": [{"type": "deletion-vector-v1", "snapshot-id": -1, "sequence-number": -1,
                           "fields": [2147483645], "properties": {}}]}
    table.metadata["statistics"] = [statistics | changes]
    return table.save()


@fault("file-missing", "dv-basic")
def a_statistics_file_is_gone(table):
    path = table.metadata["location"] + "/metadata/none.stats"
    add_statistics(table, **{"statistics-path": path})
    return path


@fault("file-size", "dv-basic", "file-size-in-bytes")
def a_statistics_file_is_recorded_with_another_size(table):
    add_statistics(table, **{"file-size-in-bytes": 12})
    return table.files(DELETES)[0]["file_path"]


@fault("statistics-blobs", "dv-basic", "file-footer-size-in-bytes")
def a_statistics_file_has_another_footer(table):
    add_statistics(table, **{"file-footer-size-in-bytes": 12})
    return table.files(DELETES)[0]["file_path"]


@fault("statistics-blobs", "dv-basic", "blob-metadata[0]")
def a_statistics_file_has_other_blobs(table):
    add_statistics(table, **{"blob-metadata": [
        {"type": "apache-datasketches-theta-v1", "snapshot-id": 1, "sequence-number": 1,
         "fields": [1], "properties": {"ndv": "3"}}]})
    return table.files(DELETES)[0]["file_path"]


@fault("statistics-snapshot", "dv-basic", "statistics[0].snapshot-id", severity="warning")
def statistics_are_of_no_snapshot(table):
    return add_statistics(table, **{"snapshot-id": NOBODY})


# Manifest lists against manifests.

def listed(check, field, table="part-days-tstz", content=DATA, also=(), severity="error", **changes):
    """A fault of the list's entry of a manifest."""
    name = ", ".join(f"{key} is {value}" for key, value in changes.items())
    FAULTS.append(Fault(f"{table}: {name}", table, lambda t: t.edit_listed(content, **changes),
                        check, field, also, severity))


listed("manifest-counts", "added_files_count", added_files_count=9)
listed("manifest-counts", "existing_files_count", existing_files_count=1)
listed("manifest-counts", "deleted_files_count", deleted_files_count=3)
listed("manifest-counts", "added_rows_count", added_rows_count=8)
listed("manifest-counts", "existing_rows_count", existing_rows_count=1)
listed("manifest-counts", "deleted_rows_count", deleted_rows_count=1)
listed("manifest-counts", "added_files_count", added_files_count=-1)
listed("manifest-length", "manifest_length", manifest_length=1)
listed("manifest-min-sequence-number", "min_sequence_number", min_sequence_number=2)
listed("manifest-min-sequence-number", "min_sequence_number", min_sequence_number=0)
listed("manifest-sequence-number", "sequence_number", sequence_number=7,
       also=("entry-sequence-number", "manifest-min-sequence-number"))
listed("manifest-header", "partition_spec_id", partition_spec_id=77)
listed("manifest-row-ids", "first_row_id", "dv-basic", first_row_id=None)
listed("manifest-row-ids", "first_row_id", "dv-basic", DELETES, first_row_id=3)
listed("entry-row-ids", "entries[0].first_row_id", "dv-basic", first_row_id=50,
       also=("manifest-row-ids",))


@fault("manifest-header", "part-days-tstz", "content", also=("unreadable",))
def data_are_listed_as_deletes(table):
    return table.edit_listed(DATA, content=1)


@fault("manifest-snapshot", "refs-branches-tags", "added_snapshot_id",
       also=("entry-snapshot", "entry-sequence-number", "manifest-sequence-number",
             "summary-changes", "summary-sizes"))
def a_manifest_is_of_another_branch(table):
    branch = next(ref for name, ref in table.metadata["refs"].items()
                  if ref["type"] == "branch" and ref["snapshot-id"] not in ancestors(table))
    return table.edit_listed(DATA, added_snapshot_id=branch["snapshot-id"])


def ancestors(table):
    parents = {s["snapshot-id"]: s.get("parent-snapshot-id") for s in table.metadata["snapshots"]}
    found, at = [], table.metadata["current-snapshot-id"]
    while at in parents:
        found.append(at)
        at = parents[at]
    return found


@fault("manifest-listed-twice", "eq-delete-single", "manifest_path")
def a_manifest_is_listed_twice(table):
    return table.edit_list(lambda records: records.append(records[0]))


def edit_summary(table, **changes):
    place = table.place_of(DATA)

    def edit(records):
        records[place]["partitions"][0].update(changes)
    table.edit_list(edit)
    return table.manifests()[place]["manifest_path"]


@fault("partition-summary", "part-days-tstz", "partitions[0].lower_bound")
def the_lower_bound_of_a_summary_is_too_high(table):
    return edit_summary(table, lower_bound=(-3).to_bytes(4, "little", signed=True))


@fault("partition-summary", "part-days-tstz", "partitions[0].upper_bound")
def the_upper_bound_of_a_summary_is_too_low(table):
    return edit_summary(table, upper_bound=(3).to_bytes(4, "little"))


@fault("partition-summary", "part-identity-string", "partitions[0].lower_bound")
def the_lower_bound_of_a_summary_of_text_is_too_high(table):
    return edit_summary(table, lower_bound=b"a")


@fault("partition-summary", "part-days-tstz", "partitions[0].upper_bound")
def the_bound_of_a_summary_is_of_another_type(table):
    return edit_summary(table, upper_bound=b"\1\2\3")


@fault("partition-summary", "part-days-tstz", "partitions[0].lower_bound")
def a_summary_has_no_bound(table):
    return edit_summary(table, lower_bound=None)


@fault("partition-summary", "part-days-tstz", "partitions[0].contains_null")
def a_summary_knows_of_no_null(table):
    return edit_summary(table, contains_null=False)


@fault("partition-summary-loose", "partition-source-promoted", "partitions[0].contains_null",
       severity="warning")
def a_summary_tells_of_null_where_there_is_none(table):
    return edit_summary(table, contains_null=True)


@fault("partition-summary", "partition-source-promoted", "partitions")
def a_summary_is_missing(table):
    place = table.place_of(DATA)

    def edit(records):
        records[place]["partitions"].pop()
    table.edit_list(edit)
    return table.manifests()[place]["manifest_path"]


# Entries of manifests.

@fault("entry-sequence-number", "part-days-tstz", "entries[0].sequence_number",
       also=("manifest-counts", "summary-changes", "summary-sizes"))
def an_existing_entry_has_no_sequence_number(table):
    return table.edit_entry(DATA, status=0)


@fault("entry-sequence-number", "eq-delete-single", "entries[0].sequence_number",
       also=("manifest-min-sequence-number",))
def a_sequence_number_is_above_that_of_the_file(table):
    return table.edit_entry(DATA, sequence_number=99)


@fault("entry-sequence-number", "eq-delete-single", "entries[0].sequence_number",
       also=("manifest-min-sequence-number",))
def a_sequence_number_is_negative(table):
    return table.edit_entry(DATA, sequence_number=-1)


@fault("entry-sequence-number", "eq-delete-single", "entries[0].file_sequence_number")
def a_file_sequence_number_is_above_that_of_the_manifest(table):
    return table.edit_entry(DATA, file_sequence_number=99)


@fault("entry-sequence-number", "eq-delete-single", "entries[0].file_sequence_number",
       also=("manifest-min-sequence-number",))
def a_file_sequence_number_is_that_of_another_snapshot(table):
    return table.edit_entry(DATA, sequence_number=1, file_sequence_number=1)


@fault("entry-snapshot", "eq-delete-single", "entries[0].snapshot_id",
       also=("entry-sequence-number",))
def an_entry_was_added_by_another_snapshot(table):
    return table.edit_entry(DATA, snapshot_id=table.snapshot(0)["snapshot-id"])


@fault("entry-snapshot", "v1-upgraded-v2", "entries[{}].snapshot_id")
def an_entry_was_deleted_by_another_snapshot(table):
    def edit(records):
        entry = next(r for r in records if r["status"] == 2)
        entry["snapshot_id"] = NOBODY
    places = [i for i, m in enumerate(table.manifests()) if m["deleted_files_count"]]
    return table.edit_manifest(DATA, edit, places[0])


@fault("manifest-counts", "eq-delete-single", "added_rows_count",
       also=("metric-counts", "summary-totals"))
def a_record_count_is_wrong(table):
    return table.edit_file(DATA, record_count=11)


@fault("file-listed-twice", "eq-delete-single", "entries[1].file_path",
       also=("manifest-counts", "summary-totals", "summary-sizes"))
def an_entry_is_there_twice(table):
    return table.edit_manifest(DATA, lambda records: records.append(records[0]))


@fault("file-listed-twice", "eq-delete-single", "entries[0].file_path",
       also=("summary-totals", "metric-counts", "manifest-counts", "file-size", "summary-sizes"))
def two_manifests_have_the_same_file(table):
    return table.edit_file(DATA, number=2, file_path=table.files(DATA)[0]["file_path"])


@fault("file-listed-twice", "dv-basic", "entries[2].file_path",
       also=("manifest-counts", "summary-totals", "summary-changes", "summary-sizes",
             "two-deletion-vectors"))
def a_deletion_vector_is_there_twice(table):
    return table.edit_manifest(DELETES, lambda records: records.append(records[0]))


@fault("metric-bounds", "eq-delete-single", "entries[0].lower_bounds[1]")
def bounds_are_inverted(table):
    return table.edit_pairs("lower_bounds", 1, (2**40).to_bytes(8, "little"))


@fault("metric-bounds", "eq-delete-single", "entries[0].upper_bounds[1]")
def a_bound_is_of_another_type(table):
    return table.edit_pairs("upper_bounds", 1, b"\1\2\3")


@fault("metric-bounds", "primitives-v3-parquet", "entries[0].upper_bounds[{}]")
def a_bound_is_nan(table):
    schema = table.metadata["schemas"][0]["fields"]
    field_id = next(f["id"] for f in schema if f["type"] == "double")
    return table.edit_pairs("upper_bounds", field_id, b"\0\0\0\0\0\0\xf8\x7f")


@fault("metric-counts", "eq-delete-single", "entries[0].null_value_counts[1]")
def there_are_more_nulls_than_values(table):
    return table.edit_pairs("null_value_counts", 1, 1_000)


@fault("metric-counts", "eq-delete-single", "entries[0].value_counts[1]")
def there_are_more_values_than_rows(table):
    return table.edit_pairs("value_counts", 1, 1_000)


@fault("metric-counts", "eq-delete-single", "entries[0].value_counts[1]")
def a_count_is_negative(table):
    return table.edit_pairs("value_counts", 1, -1)


@fault("metric-field", "eq-delete-single", "entries[0].metrics[99]", severity="warning")
def there_are_metrics_of_no_field(table):
    return table.edit_pairs("value_counts", 99, 1)


@fault("metric-twice", "eq-delete-single", "entries[0].metrics[1]")
def a_metric_map_has_a_field_twice(table):
    def edit(records):
        pairs = records[0]["data_file"]["value_counts"]
        pairs.append(pairs[0])
    return table.edit_manifest(DATA, edit)


@fault("file-format", "eq-delete-single", "entries[0].file_format")
def a_data_file_is_of_no_format(table):
    return table.edit_file(DATA, file_format="SHEET")


@fault("file-format", "eq-delete-single", "entries[0].file_format")
def a_delete_file_is_of_no_format(table):
    return table.edit_file(DELETES, file_format="SHEET")


@fault("split-offsets", "eq-delete-single", "entries[0].split_offsets[1]")
def split_offsets_descend(table):
    return table.edit_file(DATA, split_offsets=[100, 4])


@fault("split-offsets", "eq-delete-single", "entries[0].split_offsets[1]")
def a_split_offset_is_beyond_the_file(table):
    return table.edit_file(DATA, split_offsets=[4, 100_000])


@fault("equality-ids", "eq-delete-single", "entries[0].equality_ids")
def an_equality_delete_has_no_equality_ids(table):
    return table.edit_file(DELETES, equality_ids=None)


@fault("equality-ids", "eq-delete-single", "entries[0].equality_ids")
def an_equality_delete_compares_by_no_field(table):
    return table.edit_file(DELETES, equality_ids=[99])


@fault("deletion-vector-entry", "dv-basic", "entries[0].referenced_data_file")
def a_deletion_vector_names_no_data_file(table):
    return table.edit_file(DELETES, referenced_data_file=None)


@fault("deletion-vector-entry", "dv-basic", "entries[0].content_offset", also=("summary-sizes",))
def a_deletion_vector_lies_beyond_its_file(table):
    return table.edit_file(DELETES, content_offset=700, content_size_in_bytes=100)


@fault("deletion-vector-entry", "dv-basic", "entries[0].content_offset", also=("summary-sizes",))
def a_deletion_vector_has_no_place(table):
    return table.edit_file(DELETES, content_offset=None, content_size_in_bytes=None)


@fault("sort-order-id", "eq-delete-single", "entries[0].sort_order_id", severity="warning")
def a_sort_order_is_unknown(table):
    return table.edit_file(DATA, sort_order_id=9)


@fault("entry-row-ids", "dv-basic", "entries[0].first_row_id")
def a_delete_file_has_row_ids(table):
    return table.edit_file(DELETES, first_row_id=1)


@fault("entry-row-ids", "dv-basic", "entries[0].first_row_id")
def row_ids_overlap(table):
    table.edit_file(DATA, first_row_id=10)
    return table.manifests()[table.place_of(DATA)]["manifest_path"]


@fault("entry-row-ids", "dv-basic", "entries[0].first_row_id")
def row_ids_are_beyond_the_tables(table):
    return table.edit_file(DATA, first_row_id=1_000)


@fault("partition-value", "partition-source-promoted", "partition.id_bucket",
       also=("partition-summary",))
def a_bucket_does_not_exist(table):
    def edit(records):
        records[0]["data_file"]["partition"]["id_bucket"] = 44
    return table.edit_manifest(DATA, edit)


# Snapshots.

def summary(check, key, value, table="eq-delete-single", severity="error"):
    """A fault of a count of the current snapshot's summary."""
    FAULTS.append(Fault(f"{table}: {key} is {value}", table, lambda t: t.set_summary(key, value),
                        check, f"summary.{key}", severity=severity))


summary("summary-totals", "total-records", "51")
summary("summary-totals", "total-records", "many")
summary("summary-totals", "total-data-files", "2")
summary("summary-totals", "total-delete-files", "0")
summary("summary-totals", "total-equality-deletes", "7")
summary("summary-totals", "total-position-deletes", "7")
summary("summary-sizes", "total-files-size", "7", severity="warning")
summary("summary-changes", "added-equality-delete-files", "3")
summary("summary-changes", "added-delete-files", "3")
summary("summary-changes", "added-records", "10", "part-days-tstz")
summary("summary-changes", "added-data-files", "1", "part-days-tstz")
summary("summary-changes", "deleted-data-files", "1", "part-days-tstz")
summary("summary-changes", "removed-delete-files", "1", "part-days-tstz")
summary("summary-changes", "added-dvs", "1", "dv-basic")
summary("summary-totals", "total-position-deletes", "4", "dv-basic")
summary("operation", "operation", "append")


@fault("dangling-deletion-vector", "dv-basic", "entries[0].referenced_data_file")
def a_deletion_vector_is_of_no_live_file(table):
    return table.edit_file(DELETES, referenced_data_file=table.metadata["location"] + "/data/none")


@fault("two-deletion-vectors", "dv-basic", "entries[1].referenced_data_file")
def a_data_file_has_two_deletion_vectors(table):
    other = table.files(DELETES)[0]["referenced_data_file"]
    return table.edit_file(DELETES, entry=1, referenced_data_file=other)


@fault("delete-count", "dv-basic", "entries[0].record_count",
       also=("manifest-counts", "summary-totals", "summary-changes"))
def a_deletion_vector_deletes_more_rows_than_there_are(table):
    return table.edit_file(DELETES, record_count=31)


@fault("delete-sequence-number", "dv-basic", "entries[{}].sequence_number",
       also=("manifest-min-sequence-number",))
def a_deletion_vector_is_older_than_its_data_file(table):
    def edit(records):
        for record in records:
            record["sequence_number"] = 1
    return table.edit_manifest(DELETES, edit)


@fault("delete-partition", "mor-pos-partition", "entries[0].partition", also=("partition-summary",))
def a_position_delete_lies_in_another_partition(table):
    def edit(records):
        partition = records[0]["data_file"]["partition"]
        partition["k"] = "k0" if partition["k"] == "k1" else "k1"
    return table.edit_manifest(DELETES, edit)


@fault("dangling-delete", "mor-pos-partition", "entries[0].referenced_data_file",
       severity="warning")
def a_position_delete_is_of_no_live_file(table):
    def edit(records):
        for column in ("lower_bounds", "upper_bounds"):
            for pair in records[0]["data_file"][column]:
                pair["value"] = b"file:/nowhere" if pair["key"] == 2147483546 else pair["value"]
    return table.edit_manifest(DELETES, edit)


@fault("dangling-delete", "eq-delete-single", "entries[0].partition", severity="warning",
       also=("manifest-min-sequence-number",))
def an_equality_delete_is_as_old_as_the_oldest_file(table):
    return table.edit_entry(DELETES, sequence_number=1)


@fault("position-delete-in-v3", "dv-basic", "manifest-list", also=("summary-changes",))
def a_snapshot_of_version_3_adds_a_position_delete(table):
    table.edit_file(DELETES, file_format="PARQUET")
    return str(table.metadata_path)


# Table metadata.

def metadata(check, field, table="eq-delete-single", also=(), severity="error", **changes):
    """A fault of a field of the metadata itself."""
    changes = {key.replace("_", "-"): value for key, value in changes.items()}

    def damage(copy_of_table):
        copy_of_table.metadata.update(changes)
        return copy_of_table.save()
    name = ", ".join(f"{key} is {value}" for key, value in changes.items())
    FAULTS.append(Fault(f"{table}: {name}", table, damage, check, field, also, severity))


metadata("column-id", "last-column-id", last_column_id=1)
metadata("partition-field-id", "last-partition-id", "part-days-tstz", last_partition_id=999)
metadata("snapshot-sequence-number", "snapshots[{}].sequence-number", last_sequence_number=4)
metadata("snapshot-row-ids", "snapshots[{}].first-row-id", "dv-basic", next_row_id=31,
         also=("entry-row-ids",))
metadata("snapshot-time", "snapshots[{}].timestamp-ms", last_updated_ms=1_000_000_000_000,
         also=("metadata-log",), severity="warning")
metadata("metadata-log", "last-updated-ms", last_updated_ms=1_000_000_000_000,
         also=("snapshot-time",), severity="warning")
metadata("metadata-invalid", "", current_schema_id=9)


def edit_snapshot(table, **changes):
    table.snapshot().update({key.replace("_", "-"): value for key, value in changes.items()})
    return table.save()


@fault("snapshot-sequence-number", "eq-delete-single", "snapshots[{}].sequence-number",
       also=("manifest-sequence-number", "entry-sequence-number"))
def a_snapshot_has_the_sequence_number_of_another(table):
    return edit_snapshot(table, sequence_number=table.snapshot(0)["sequence-number"])


@fault("snapshot-schema", "eq-delete-single", "snapshots[{}].schema-id")
def the_schema_of_a_snapshot_is_missing(table):
    return edit_snapshot(table, schema_id=9)


@fault("snapshot-time", "eq-delete-single", "snapshots[{}].timestamp-ms", severity="warning")
def a_snapshot_is_older_than_its_parent(table):
    return edit_snapshot(table, timestamp_ms=1)


@fault("snapshot-row-ids", "dv-basic", "snapshots[{}].first-row-id")
def row_ids_of_a_snapshot_are_beyond_the_tables(table):
    return edit_snapshot(table, added_rows=1_000)


@fault("snapshot-log", "eq-delete-single", "snapshot-log[0].snapshot-id", severity="warning")
def the_log_has_a_snapshot_that_is_gone(table):
    table.metadata["snapshot-log"][0]["snapshot-id"] = NOBODY
    return table.save()


@fault("snapshot-log", "eq-delete-single", "snapshot-log", severity="warning")
def the_log_does_not_end_in_the_current_snapshot(table):
    table.metadata["snapshot-log"].pop()
    return table.save()


@fault("snapshot-log", "eq-delete-single", "snapshot-log[1].timestamp-ms", severity="warning")
def the_log_goes_back_in_time(table):
    table.metadata["snapshot-log"][1]["timestamp-ms"] = 1
    return table.save()


@fault("metadata-log", "eq-delete-single", "metadata-log[1].timestamp-ms", severity="warning")
def the_metadata_log_goes_back_in_time(table):
    table.metadata["metadata-log"][1]["timestamp-ms"] = 1
    return table.save()


@fault("ref-retention", "refs-branches-tags", "refs.{}.min-snapshots-to-keep", severity="warning")
def a_tag_keeps_snapshots(table):
    tag = next(ref for ref in table.metadata["refs"].values() if ref["type"] == "tag")
    tag["min-snapshots-to-keep"] = 3
    return table.save()


@fault("metadata-invalid", "refs-branches-tags")
def a_ref_points_to_no_snapshot(table):
    tag = next(ref for ref in table.metadata["refs"].values() if ref["type"] == "tag")
    tag["snapshot-id"] = NOBODY
    return table.save()


@fault("spec-source", "part-days-tstz", "default-spec-id")
def the_spec_is_of_a_dropped_column(table):
    spec = table.metadata["partition-specs"][0]
    old = copy.deepcopy(table.metadata["schemas"][0])
    new = {**old, "schema-id": 1,
           "fields": [f for f in old["fields"] if f["id"] != spec["fields"][0]["source-id"]]}
    table.metadata["schemas"].append(new)
    table.metadata["current-schema-id"] = 1
    return table.save()


@fault("name-mapping", "eq-delete-single", "properties.schema.name-mapping.default")
def the_name_mapping_is_no_json(table):
    table.metadata["properties"]["schema.name-mapping.default"] = "[{"
    return table.save()


@fault("identifier-field", "part-days-tstz", "identifier-field-ids")
def an_identifier_field_is_optional(table):
    schema = table.metadata["schemas"][0]
    schema["identifier-field-ids"] = [schema["fields"][0]["id"]]
    return table.save()
