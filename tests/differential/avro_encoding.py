"""Avro: an encoder for any schema, and the schemas of Iceberg's types."""
import json
import pathlib
import re
import struct
import sys
import zlib

import pyarrow as pa

import variants
from kinds import base, is_nested, parameters, parts

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench" / "plan"))
from avro_writer import NULL, SOME, ContainerFile, array, blob, deflate, number  # noqa: E402

TIMES = {"time": ("time-micros", None), "timestamp": ("timestamp-micros", False),
         "timestamptz": ("timestamp-micros", True), "timestamp_ns": ("timestamp-nanos", False),
         "timestamptz_ns": ("timestamp-nanos", True)}
SAME_NAME = ("boolean", "int", "long", "float", "double", "string")


def snappy(data):
    return pa.compress(data, "snappy", asbytes=True) + struct.pack(">I", zlib.crc32(data))


CODECS = {"deflate": deflate, "null": bytes, "snappy": snappy,
          "zstandard": lambda data: pa.compress(data, "zstd", asbytes=True)}


# Encoding.

def _record(schema):
    encoders = [(field["name"], encoder(field["type"])) for field in schema["fields"]]
    return lambda value: b"".join(encode(value[name]) for name, encode in encoders)


def _union(branches):
    encode = encoder(branches[1])
    return lambda value: NULL if value is None else SOME + encode(value)


def _map(schema):
    encode = encoder(schema["values"])
    return lambda value: array([blob(k.encode()) + encode(v) for k, v in value.items()])


PRIMITIVES = {
    "null": lambda value: b"", "boolean": lambda value: b"\1" if value else b"\0",
    "int": number, "long": number, "float": struct.Struct("<f").pack,
    "double": struct.Struct("<d").pack, "bytes": blob, "string": lambda text: blob(text.encode()),
    "fixed": bytes,
}


def encoder(schema):
    """A function from a value to its bytes; records are dictionaries by name."""
    if isinstance(schema, list):
        return _union(schema)
    name = schema["type"] if isinstance(schema, dict) else schema
    if name == "record":
        return _record(schema)
    if name == "map":
        return _map(schema)
    if name == "array":
        encode = encoder(schema["items"])
        return lambda value: array([encode(item) for item in value])
    return PRIMITIVES[name]


def write(path, schema, records, rng, metadata=None):
    """Writes a file with a random codec and block size; returns the file's size."""
    codec = rng.choice(list(CODECS))
    file = ContainerFile(schema, metadata or {}, rng.randbytes(16), (codec, CODECS[codec]),
                         rng.choice((1, 200, 64_000)))
    encode = encoder(schema)
    for record in records:
        file.append(encode(record))
    return file.write(path)


# Schemas of types.

def avro_name(name):
    """A name as Avro allows it, in the reference engine's way."""
    def escaped(match):
        character = match[0]
        return "_" + character if character.isdigit() else f"_x{ord(character):X}"
    name = re.sub(r"^[^A-Za-z_]", escaped, name)
    return re.sub(r"[^A-Za-z0-9_]", escaped, name)


def decimal_length(precision):
    return next(n for n in range(1, 20) if 10**precision <= 2**(8 * n - 1))


def _primitive(kind, names):
    name = base(kind)
    if name in SAME_NAME:
        return name
    if name == "date":
        return {"type": "int", "logicalType": "date"}
    if name in TIMES:
        logical, zone = TIMES[name]
        return {"type": "long", "logicalType": logical} \
            | ({} if zone is None else {"adjust-to-utc": zone})
    if name == "decimal":
        precision, scale = parameters(kind)
        return {"type": "fixed", "name": next(names), "size": decimal_length(precision),
                "logicalType": "decimal", "precision": precision, "scale": scale}
    if name == "uuid":
        return {"type": "fixed", "name": next(names), "size": 16, "logicalType": "uuid"}
    if name == "fixed":
        return {"type": "fixed", "name": next(names), "size": parameters(kind)[0]}
    if name == "variant":
        return {"type": "record", "name": next(names), "logicalType": "variant",
                "fields": [{"name": "metadata", "type": "bytes"},
                           {"name": "value", "type": "bytes"}]}
    return "null" if name == "unknown" else "bytes"


def _optional(schema, required):
    return schema if required or schema == "null" else ["null", schema]


def field_schema(field, names, with_ids=True):
    """An Avro field of a field; `names` yields names for what Avro wants named."""
    made = {"name": avro_name(field["name"]),
            "type": _optional(type_schema(field["type"], names, with_ids), field["required"])}
    made |= {"default": None} if not field["required"] else {}
    if not with_ids:
        return made
    renamed = made["name"] != field["name"]
    return made | {"field-id": field["id"]} \
        | ({"iceberg-field-name": field["name"]} if renamed else {})


def type_schema(kind, names, with_ids=True):
    if not is_nested(kind):
        return _primitive(kind, names)
    if kind["type"] == "struct":
        return {"type": "record", "name": next(names),
                "fields": [field_schema(f, names, with_ids) for f in kind["fields"]]}
    if kind["type"] == "list":
        items = _optional(type_schema(kind["element"], names, with_ids), kind["element-required"])
        return {"type": "array", "items": items} \
            | ({"element-id": kind["element-id"]} if with_ids else {})
    return _map_schema(kind, names, with_ids)


def _map_schema(kind, names, with_ids):
    """Avro's maps have text as keys; maps of other keys are arrays of pairs."""
    key, value = parts(kind)
    if kind["key"] == "string":
        values = _optional(type_schema(kind["value"], names, with_ids), value["required"])
        return {"type": "map", "values": values} \
            | ({"key-id": key["id"], "value-id": value["id"]} if with_ids else {})
    return {"type": "array", "logicalType": "map", "items": {
        "type": "record", "name": f"k{key['id']}_v{value['id']}",
        "fields": [field_schema(key, names, with_ids), field_schema(value, names, with_ids)]}}


# Values of the model in the form that the encoder takes.

def avro_value(value, kind):
    if value is None:
        return None
    name = base(kind)
    if name == "decimal":
        return value.to_bytes(decimal_length(parameters(kind)[0]), "big", signed=True)
    if name == "struct":
        return struct_value(value, kind["fields"])
    if name == "list":
        return [avro_value(item, kind["element"]) for item in value]
    if name == "variant":
        return dict(zip(("metadata", "value"), variants.encoded(value)))
    if name != "map":
        return value
    pairs = [(avro_value(k, kind["key"]), avro_value(v, kind["value"])) for k, v in value]
    return dict(pairs) if kind["key"] == "string" else [{"key": k, "value": v} for k, v in pairs]


def struct_value(row, fields):
    return {avro_name(f["name"]): avro_value(row[f["id"]], f["type"]) for f in fields}


def compact_json(value):
    return json.dumps(value, separators=(",", ":"))
