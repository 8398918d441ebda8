"""Faults of the entries of manifests."""
from damaged_table import NOBODY
from faults import DATA, DELETES, fault


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
