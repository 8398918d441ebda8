"""Faults of files: gone, cut, of another size; those of statistics files too."""
from damaged_table import NOBODY
from faults import DATA, DELETES, fault


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
