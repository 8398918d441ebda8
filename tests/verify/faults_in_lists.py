"""Faults of manifest lists: what they say of manifests, and their summaries of partitions."""
from faults import DATA, DELETES, FAULTS, Fault, fault


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
