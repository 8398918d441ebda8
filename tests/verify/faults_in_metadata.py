"""Faults of the table's metadata: snapshots and their summaries, logs, refs, specs."""
import copy

from damaged_table import NOBODY
from faults import FAULTS, Fault, fault


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
