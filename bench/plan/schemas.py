"""The benchmark's table and the Avro schemas of its manifests, as Iceberg's Java library writes
them for format version 2."""

# (field id, name, type, required, what bounds it gets: see entries.py)
COLUMNS = [
    (1, "id", "long", True, "id"), (2, "ts", "timestamp", True, "ts"),
    (3, "user_id", "long", False, "long"), (4, "event_type", "string", False, "enum"),
    (5, "country", "string", False, "enum"), (6, "city", "string", False, "text"),
    (7, "amount", "decimal(12, 2)", False, "decimal"), (8, "price", "double", False, "double"),
    (9, "quantity", "int", False, "int"), (10, "is_mobile", "boolean", False, "boolean"),
    (11, "session_id", "string", False, "hex"), (12, "url", "string", False, "url"),
    (13, "referrer", "string", False, "url"), (14, "device", "string", False, "enum"),
    (15, "os", "string", False, "enum"), (16, "score", "float", False, "float"),
    (17, "signup_date", "date", False, "date"), (18, "rank", "int", False, "int"),
    (19, "seq_no", "long", False, "sequence"), (20, "ingest_ts", "timestamp", False, "ingest"),
]
TABLE_SCHEMA = {"type": "struct", "schema-id": 0, "fields": [
    {"id": field_id, "name": name, "required": required, "type": type_}
    for field_id, name, type_, required, _ in COLUMNS]}
SPEC_FIELDS = [
    {"name": "ts_day", "transform": "day", "source-id": 2, "field-id": 1000},
    {"name": "id_bucket", "transform": "bucket[16]", "source-id": 1, "field-id": 1001}]


def _required(name, field_id, type_):
    return {"name": name, "type": type_, "field-id": field_id}


def _optional(name, field_id, type_):
    return {"name": name, "type": ["null", type_], "default": None, "field-id": field_id}


def _record(name, *fields):
    return {"type": "record", "name": name, "fields": list(fields)}


def _list(element_id, items):
    return {"type": "array", "element-id": element_id, "items": items}


def _map(key_id, value_id, value):
    """Maps of other keys than strings are arrays of pairs in Avro."""
    return {"type": "array", "logicalType": "map", "items": _record(
        f"k{key_id}_v{value_id}", _required("key", key_id, "int"),
        _required("value", value_id, value))}


MANIFEST_ENTRY = _record(
    "manifest_entry",
    _required("status", 0, "int"),
    _optional("snapshot_id", 1, "long"),
    _optional("sequence_number", 3, "long"),
    _optional("file_sequence_number", 4, "long"),
    _required("data_file", 2, _record(
        "r2",
        _required("content", 134, "int"),
        _required("file_path", 100, "string"),
        _required("file_format", 101, "string"),
        _required("partition", 102, _record(
            "r102",
            _optional("ts_day", 1000, {"type": "int", "logicalType": "date"}),
            _optional("id_bucket", 1001, "int"))),
        _required("record_count", 103, "long"),
        _required("file_size_in_bytes", 104, "long"),
        _optional("column_sizes", 108, _map(117, 118, "long")),
        _optional("value_counts", 109, _map(119, 120, "long")),
        _optional("null_value_counts", 110, _map(121, 122, "long")),
        _optional("nan_value_counts", 137, _map(138, 139, "long")),
        _optional("lower_bounds", 125, _map(126, 127, "bytes")),
        _optional("upper_bounds", 128, _map(129, 130, "bytes")),
        _optional("key_metadata", 131, "bytes"),
        _optional("split_offsets", 132, _list(133, "long")),
        _optional("equality_ids", 135, _list(136, "int")),
        _optional("sort_order_id", 140, "int"),
        _optional("referenced_data_file", 143, "string"))))

MANIFEST_FILE = _record(
    "manifest_file",
    _required("manifest_path", 500, "string"),
    _required("manifest_length", 501, "long"),
    _required("partition_spec_id", 502, "int"),
    _required("content", 517, "int"),
    _required("sequence_number", 515, "long"),
    _required("min_sequence_number", 516, "long"),
    _required("added_snapshot_id", 503, "long"),
    _required("added_files_count", 504, "int"),
    _required("existing_files_count", 505, "int"),
    _required("deleted_files_count", 506, "int"),
    _required("added_rows_count", 512, "long"),
    _required("existing_rows_count", 513, "long"),
    _required("deleted_rows_count", 514, "long"),
    _optional("partitions", 507, _list(508, _record(
        "r508",
        _required("contains_null", 509, "boolean"),
        _optional("contains_nan", 518, "boolean"),
        _optional("lower_bound", 510, "bytes"),
        _optional("upper_bound", 511, "bytes")))),
    _optional("key_metadata", 519, "bytes"))
