"""The Avro schemas of manifests and manifest lists, of each format version."""
import itertools

import avro_encoding
import transforms
from kinds import path_to


def required(name, field_id, kind):
    return {"name": name, "type": kind, "field-id": field_id}


def optional(name, field_id, kind):
    return {"name": name, "type": ["null", kind], "default": None, "field-id": field_id}


def record(name, *fields):
    return {"type": "record", "name": name, "fields": [f for f in fields if f]}


def sequence_of(element_id, items):
    return {"type": "array", "element-id": element_id, "items": items}


def pairs(key_id, value_id, value):
    return {"type": "array", "logicalType": "map", "items": record(
        f"k{key_id}_v{value_id}", required("key", key_id, "int"),
        required("value", value_id, value))}


def source_type(table, fields, partition_field):
    """The type of a partition field's source, though its column may be dropped by now."""
    path = path_to(fields, partition_field["source-id"])
    return (path or table.known_field(partition_field["source-id"]))[-1]["type"]


def partition_types(table, fields, spec):
    return [transforms.result_type(f["transform"], source_type(table, fields, f))
            for f in spec["fields"]]


def partition_schema(spec, types):
    names = (f"p{i}" for i in itertools.count())
    return record("r102", *(
        optional(avro_encoding.avro_name(f["name"]), f["field-id"],
                 avro_encoding.type_schema(kind, names))
        for f, kind in zip(spec["fields"], types)))


# Fields that writers may leave out, by id: metrics, split offsets, the sort order.
LEFT_OUT_OF_FILES = (108, 109, 110, 137, 125, 128, 132, 140)
LEFT_OUT_OF_LISTS = {1: (504, 505, 506, 512, 513, 514, 507), 2: (507,), 3: (507,)}


def without(schema, field_ids):
    """A record without some of its fields."""
    return {**schema, "fields": [f for f in schema["fields"] if f["field-id"] not in field_ids]}


def some(field_ids, rng):
    """None of them, mostly; or one or two."""
    return rng.sample(field_ids, min(len(field_ids), rng.choice((0, 0, 0, 1, 2))))


def _data_file(version, partition):
    return record(
        "r2",
        version > 1 and required("content", 134, "int"),
        required("file_path", 100, "string"),
        required("file_format", 101, "string"),
        required("partition", 102, partition),
        required("record_count", 103, "long"),
        required("file_size_in_bytes", 104, "long"),
        version == 1 and required("block_size_in_bytes", 105, "long"),
        optional("column_sizes", 108, pairs(117, 118, "long")),
        optional("value_counts", 109, pairs(119, 120, "long")),
        optional("null_value_counts", 110, pairs(121, 122, "long")),
        optional("nan_value_counts", 137, pairs(138, 139, "long")),
        optional("lower_bounds", 125, pairs(126, 127, "bytes")),
        optional("upper_bounds", 128, pairs(129, 130, "bytes")),
        optional("split_offsets", 132, sequence_of(133, "long")),
        version > 1 and optional("equality_ids", 135, sequence_of(136, "int")),
        optional("sort_order_id", 140, "int"),
        version > 2 and optional("first_row_id", 142, "long"),
        version > 1 and optional("referenced_data_file", 143, "string"),
        version > 2 and optional("content_offset", 144, "long"),
        version > 2 and optional("content_size_in_bytes", 145, "long"))


def manifest_entry(version, partition, rng):
    data_file = without(_data_file(version, partition), some(LEFT_OUT_OF_FILES, rng))
    return record(
        "manifest_entry",
        required("status", 0, "int"),
        (required if version == 1 else optional)("snapshot_id", 1, "long"),
        version > 1 and optional("sequence_number", 3, "long"),
        version > 1 and optional("file_sequence_number", 4, "long"),
        required("data_file", 2, data_file))


FIELD_SUMMARY = record(
    "r508",
    required("contains_null", 509, "boolean"),
    optional("contains_nan", 518, "boolean"),
    optional("lower_bound", 510, "bytes"),
    optional("upper_bound", 511, "bytes"))


def manifest_file(version, rng):
    return without(_manifest_file(version), some(LEFT_OUT_OF_LISTS[version], rng))


def _manifest_file(version):
    files = "data_files" if version == 1 else "files"
    return record(
        "manifest_file",
        required("manifest_path", 500, "string"),
        required("manifest_length", 501, "long"),
        required("partition_spec_id", 502, "int"),
        version > 1 and required("content", 517, "int"),
        version > 1 and required("sequence_number", 515, "long"),
        version > 1 and required("min_sequence_number", 516, "long"),
        required("added_snapshot_id", 503, "long"),
        *(required(f"{what}_{files}_count", field_id, "int")
          for what, field_id in (("added", 504), ("existing", 505), ("deleted", 506))),
        *(required(f"{what}_rows_count", field_id, "long")
          for what, field_id in (("added", 512), ("existing", 513), ("deleted", 514))),
        optional("partitions", 507, sequence_of(508, FIELD_SUMMARY)),
        version > 2 and optional("first_row_id", 520, "long"))
