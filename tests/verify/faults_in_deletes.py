"""Faults of delete files and deletion vectors: what they apply to."""
from faults import DELETES, fault


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
