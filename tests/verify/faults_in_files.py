"""The faults that only those find who open data and delete files."""
import os

import pyarrow as pa
import pyarrow.parquet as pq

from faults import DATA, DELETES, FAULTS, Fault

PATH_ID, POSITION_ID = 2147483546, 2147483545


def fault(check, table, field="", **options):
    """Makes a function a fault that `--deep` finds."""
    def add(damage):
        name = damage.__name__.replace("_", " ")
        FAULTS.append(Fault(name, table, damage, check, field, arguments=("--deep",), **options))
        return damage
    return add


def first(table, content):
    return table.files(content)[0]["file_path"]


def flip(table, path, offset):
    """Changes a byte of a file."""
    local = table.local(path)
    data = bytearray(local.read_bytes())
    data[offset] ^= 0xFF
    local.write_bytes(data)
    return path


@fault("unreadable", "eq-delete-single")
def the_footer_of_a_data_file_is_damaged(table):
    return flip(table, first(table, DATA), -20)


@fault("unreadable", "eq-delete-single")
def the_end_of_a_data_file_is_damaged(table):
    return flip(table, first(table, DATA), -1)


@fault("unreadable", "row-lineage-avro")
def a_block_of_an_avro_file_is_damaged(table):
    return flip(table, first(table, DATA), -1)


@fault("unreadable", "eq-delete-single")
def a_delete_file_is_damaged(table):
    return flip(table, first(table, DELETES), 6)


@fault("record-count", "eq-delete-single", "record_count",
       also=("manifest-counts", "metric-counts", "summary-totals"))
def a_file_has_fewer_rows(table):
    table.edit_file(DATA, record_count=11)
    return first(table, DATA)


@fault("record-count", "eq-delete-single", "record_count",
       also=("manifest-counts", "metric-counts", "summary-totals", "summary-changes"))
def an_equality_delete_file_has_more_rows(table):
    table.edit_file(DELETES, record_count=1)
    return first(table, DELETES)


@fault("column-counts", "eq-delete-single", "null_value_counts[1]")
def a_column_has_fewer_nulls(table):
    table.edit_pairs("null_value_counts", 1, 3)
    return first(table, DATA)


def field_id(table, kind):
    return next(f["id"] for f in table.metadata["schemas"][0]["fields"] if f["type"] == kind)


@fault("column-counts", "primitives-v3-parquet", "nan_value_counts[{}]")
def a_column_has_another_number_of_nans(table):
    def edit(records):
        for pair in records[0]["data_file"]["nan_value_counts"]:
            pair["value"] ^= 1
    table.edit_manifest(DATA, edit)
    return first(table, DATA)


def bound(table, column, content=DATA):
    """The first file's bound of field 1, a long."""
    pairs = table.files(content)[0][column]
    return int.from_bytes(next(p["value"] for p in pairs if p["key"] == 1), "little", signed=True)


@fault("column-bounds", "eq-delete-single", "lower_bounds[1]")
def a_value_is_below_the_lower_bound(table):
    value = bound(table, "lower_bounds") + 1
    table.edit_pairs("lower_bounds", 1, value.to_bytes(8, "little"))
    return first(table, DATA)


@fault("column-bounds", "eq-delete-single", "upper_bounds[1]")
def a_value_is_above_the_upper_bound(table):
    value = bound(table, "upper_bounds") - 1
    table.edit_pairs("upper_bounds", 1, value.to_bytes(8, "little"))
    return first(table, DATA)


@fault("column-bounds", "eq-delete-single", "upper_bounds[1]")
def a_value_of_an_equality_delete_is_above_the_upper_bound(table):
    value = bound(table, "upper_bounds", DELETES) - 1
    table.edit_pairs("upper_bounds", 1, value.to_bytes(8, "little"), DELETES)
    return first(table, DELETES)


@fault("column-bounds", "part-identity-string", "upper_bounds[{}]")
def an_upper_bound_was_cut_and_not_rounded_up(table):
    def edit(records):
        file = next(r["data_file"] for r in records
                    if r["data_file"]["partition"]["v"] == "iceberg")
        for column, value in (("lower_bounds", b"i"), ("upper_bounds", b"ice")):
            for pair in file[column]:
                pair["value"] = value if pair["value"] == b"iceberg" else pair["value"]
    table.edit_manifest(DATA, edit)
    return next(f["file_path"] for f in table.files(DATA) if f["partition"]["v"] == "iceberg")


@fault("row-groups", "eq-delete-single", "split_offsets[0]")
def no_row_group_begins_at_a_split_offset(table):
    table.edit_file(DATA, split_offsets=[5])
    return first(table, DATA)


@fault("unsorted", "eq-delete-single", "sort_order_id")
def rows_are_not_in_the_sort_order(table):
    table.metadata["sort-orders"].append({"order-id": 7, "fields": [
        {"transform": "identity", "source-id": 1, "direction": "desc",
         "null-order": "nulls-last"}]})
    table.save()
    table.edit_file(DATA, sort_order_id=7)
    return first(table, DATA)


@fault("partition-rows", "part-days-tstz", "partition.v_day")
def a_row_belongs_to_another_partition(table):
    def edit(records):
        records[0]["data_file"]["partition"]["v_day"] += 1
    table.edit_manifest(DATA, edit)
    return first(table, DATA)


@fault("deletion-vector-blob", "dv-basic", "blob at byte 4")
def a_deletion_vector_is_damaged(table):
    return flip(table, first(table, DELETES), 20)


@fault("deletion-vector-blob", "dv-basic", "record_count",
       also=("manifest-counts", "summary-totals", "summary-changes"))
def a_deletion_vector_has_another_cardinality(table):
    table.edit_file(DELETES, record_count=5)
    return first(table, DELETES)


@fault("deletion-vector-blob", "dv-basic", "content_offset")
def a_deletion_vector_is_recorded_elsewhere(table):
    table.edit_file(DELETES, content_offset=5)
    return first(table, DELETES)


@fault("deletion-vector-blob", "dv-basic", "referenced-data-file")
def deletion_vectors_are_of_each_others_data_files(table):
    def edit(records):
        a, b = (r["data_file"] for r in records)
        a["referenced_data_file"], b["referenced_data_file"] = \
            b["referenced_data_file"], a["referenced_data_file"]
    table.edit_manifest(DELETES, edit)
    return first(table, DELETES)


@fault("file-missing", "dv-basic")
def a_puffin_file_is_gone(table):
    path = first(table, DELETES)
    table.local(path).unlink()
    return path


@fault("file-format", "eq-delete-single", "entries[0].file_format")
def a_file_that_is_opened_is_of_no_format(table):
    return table.edit_file(DATA, file_format="SHEET")


# Files that are written anew.

def replace_file(table, content, columns, **options):
    """Writes the first file of a manifest anew: columns by name, each with field id and values."""
    path = first(table, content)
    schema = pa.schema([pa.field(name, array.type, metadata={"PARQUET:field_id": str(number)})
                        for name, (number, array) in columns.items()])
    local = table.local(path)
    pq.write_table(pa.table([array for _, array in columns.values()], schema=schema), local, **options)
    table.edit_file(content, file_size_in_bytes=os.path.getsize(local), split_offsets=None,
                    column_sizes=None, lower_bounds=None, upper_bounds=None, value_counts=None,
                    null_value_counts=None, nan_value_counts=None)
    return path


def replace_deletes(table, positions):
    """Replaces a position delete file by one of those positions of one data file."""
    deletes = table.files(DELETES)[0]
    target = next(p["value"].decode() for p in deletes["lower_bounds"] if p["key"] == PATH_ID)
    table.edit_file(DELETES, record_count=len(positions))
    return replace_file(table, DELETES, {
        "file_path": (PATH_ID, pa.array([target] * len(positions))),
        "pos": (POSITION_ID, pa.array(positions, pa.int64()))})


COUNTS = ("manifest-counts", "summary-totals", "summary-changes", "summary-sizes")


@fault("delete-order", "mor-pos-partition", "pos", also=COUNTS)
def position_deletes_are_not_sorted(table):
    return replace_deletes(table, [1, 0])


@fault("delete-positions", "mor-pos-partition", "pos", also=COUNTS)
def a_position_delete_is_of_no_row(table):
    return replace_deletes(table, [0, 1_000])


@fault("field-id", "eq-delete-single", "stranger", severity="warning",
       also=("summary-sizes",))
def a_file_has_a_column_of_no_schema(table):
    return replace_file(table, DATA, old_columns(table) | {"stranger": (77, pa.array(["?"] * 10))})


def old_columns(table):
    """The columns of the first data file, which has ten rows."""
    old = pq.read_table(table.local(first(table, DATA)))
    return {field.name: (int(field.metadata[b"PARQUET:field_id"]), old[field.name])
            for field in old.schema}


@fault("unreadable", "eq-delete-single", also=("summary-sizes",))
def a_value_does_not_fit_the_checksum_of_its_page(table):
    columns = old_columns(table)
    path = replace_file(table, DATA, columns, compression="none", use_dictionary=False,
                        write_page_checksum=True)
    some_id = columns["id"][1][4].as_py().to_bytes(8, "little")
    return flip(table, path, table.local(path).read_bytes().index(some_id))
