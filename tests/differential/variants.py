"""Variants: random ones, their encoding (Parquet, "Variant Binary Encoding"), how they are shredded
(Parquet, "Variant Shredding"), and how commands print them.

A variant is a pair of its type's name and a value: ("string", "abc"), ("decimal4", (unscaled,
scale)), ("array", variants), ("object", variants by name); ("null", None) is not a null column.
"""
import math
import struct

NUMBERS = {"null": 0, "true": 1, "false": 2, "int8": 3, "int16": 4, "int32": 5, "int64": 6,
           "double": 7, "decimal4": 8, "decimal8": 9, "decimal16": 10, "date": 11,
           "timestamptz": 12, "timestamp": 13, "float": 14, "binary": 15, "string": 16,
           "time": 17, "timestamptz_ns": 18, "timestamp_ns": 19, "uuid": 20}
PACKED = {"int8": "<b", "int16": "<h", "int32": "<i", "int64": "<q", "double": "<d", "float": "<f",
          "date": "<i", "timestamptz": "<q", "timestamp": "<q", "time": "<q",
          "timestamptz_ns": "<q", "timestamp_ns": "<q"}
DECIMAL_BYTES = {"decimal4": 4, "decimal8": 8, "decimal16": 16}
PRINTED = {"int8": "INT8", "int16": "INT16", "int32": "INT32", "int64": "INT64",
           "double": "DOUBLE", "float": "FLOAT", "decimal4": "DECIMAL4", "decimal8": "DECIMAL8",
           "decimal16": "DECIMAL16", "date": "DATE", "time": "TIME", "timestamp": "TIMESTAMPNTZ",
           "timestamptz": "TIMESTAMPTZ", "timestamp_ns": "TIMESTAMPNTZ_NANOS",
           "timestamptz_ns": "TIMESTAMPTZ_NANOS", "binary": "BINARY", "uuid": "UUID"}
SHORT_TEXT, OBJECT, ARRAY = 1, 2, 3  # The other basic types; 0 is a primitive.
NAMES = ["a", "b", "a.b", "", "Z", "ü", "value", "typed_value", "long name " * 8]
DEEPEST = 3


# Random ones.

def draw(rng, depth=0):
    if depth < DEEPEST and rng.random() < 0.4:
        if rng.random() < 0.4:
            return "array", [draw(rng, depth + 1) for _ in range(rng.choice((0, 1, 2, 3)))]
        names = rng.sample(NAMES, rng.choice((0, 1, 2, 3)))
        return "object", {name: draw(rng, depth + 1) for name in names}
    return rng.choice(_primitives(rng))


def _primitives(rng):
    micros = rng.choice((0, -1, 1_700_000_000_123_456, -62_135_596_800_000_000))
    nanos = rng.choice((0, -1, 1_700_000_000_123_456_789))
    return [
        ("null", None), ("true", None), ("false", None), ("int8", rng.choice((0, -128, 127))),
        ("int16", rng.choice((0, -32768, 300))), ("int32", rng.choice((0, 7, -2**31, 2**31 - 1))),
        ("int32", 7), ("int64", rng.choice((0, 2**63 - 1, -2**63))),
        ("double", rng.choice((0.5, -0.0, 1e300, math.nan, math.inf))),
        ("float", rng.choice((0.5, -2.25, -math.inf))), ("decimal4", (rng.randint(-99, 99), 1)),
        ("decimal8", (rng.randint(-10**12, 10**12), 3)), ("decimal16", (10**30 + 1, 20)),
        ("date", rng.choice((0, -1, 19_782))), ("time", rng.choice((0, 86_399_999_999))),
        ("timestamp", micros), ("timestamptz", micros), ("timestamp_ns", nanos),
        ("timestamptz_ns", nanos), ("binary", rng.choice((b"", b"\0\xff"))),
        ("uuid", rng.randbytes(16)), ("string", rng.choice(("", "abc", "naïve", "x" * 70))),
        ("string", "abc")]


# Encoding.

def _width(most):
    return max(1, (most.bit_length() + 7) // 8)


def _numbers(values, width):
    return b"".join(value.to_bytes(width, "little") for value in values)


def _offsets(parts):
    offsets = [0]
    for part in parts:
        offsets.append(offsets[-1] + len(part))
    return offsets


def names_of(variant):
    """All names of objects in it."""
    kind, value = variant
    if kind == "array":
        return {name for item in value for name in names_of(item)}
    if kind == "object":
        return set(value) | {name for item in value.values() for name in names_of(item)}
    return set()


def metadata(names):
    """The dictionary of names, sorted."""
    texts = [name.encode() for name in names]
    offsets = _offsets(texts)
    width = _width(max(offsets[-1], len(texts)))
    header = 1 | 1 << 4 | width - 1 << 6  # Version 1, sorted and unique.
    return bytes([header]) + _numbers([len(texts)], width) + _numbers(offsets, width) \
        + b"".join(texts)


def value_bytes(variant, names):
    """`names`: those of the dictionary, in its order."""
    kind, value = variant
    if kind == "array":
        return _array([value_bytes(item, names) for item in value])
    if kind == "object":
        ordered = sorted(value.items(), key=lambda item: item[0].encode())
        return _object([names.index(name) for name, _ in ordered],
                       [value_bytes(item, names) for _, item in ordered])
    return _primitive(kind, value)


def _primitive(kind, value):
    if kind == "string" and len(value.encode()) < 64:
        return bytes([len(value.encode()) << 2 | SHORT_TEXT]) + value.encode()
    return bytes([NUMBERS[kind] << 2]) + _data(kind, value)


def _data(kind, value):
    if kind in PACKED:
        return struct.pack(PACKED[kind], value)
    if kind in DECIMAL_BYTES:
        unscaled, scale = value
        return bytes([scale]) + unscaled.to_bytes(DECIMAL_BYTES[kind], "little", signed=True)
    if kind in ("string", "binary"):
        data = value.encode() if kind == "string" else value
        return len(data).to_bytes(4, "little") + data
    return value if kind == "uuid" else b""


def _array(parts):
    offsets = _offsets(parts)
    width, large = _width(offsets[-1]), len(parts) > 255
    header = ARRAY | (width - 1 | large << 2) << 2
    return bytes([header]) + len(parts).to_bytes(4 if large else 1, "little") \
        + _numbers(offsets, width) + b"".join(parts)


def _object(ids, parts):
    offsets = _offsets(parts)
    width, id_width, large = _width(offsets[-1]), _width(max(ids, default=0)), len(parts) > 255
    header = OBJECT | (width - 1 | id_width - 1 << 2 | large << 4) << 2
    return bytes([header]) + len(parts).to_bytes(4 if large else 1, "little") \
        + _numbers(ids, id_width) + _numbers(offsets, width) + b"".join(parts)


def encoded(variant):
    """(metadata, value)"""
    names = sorted(names_of(variant), key=str.encode)
    return metadata(names), value_bytes(variant, names)


# Shredding: a shape is the name of a primitive, ("array", shape) or ("object", shapes by name).

SHAPES = ("int32", "string", "double", "true", "date", "timestamptz", "binary")


def draw_shape(rng, depth=0):
    if depth < 2 and rng.random() < 0.5:
        if rng.random() < 0.3:
            return "array", draw_shape(rng, depth + 1)
        names = rng.sample(NAMES, rng.choice((1, 2, 3)))
        return "object", {name: draw_shape(rng, depth + 1) for name in names}
    return rng.choice(SHAPES)


def shredded(variant, shape, names):
    """The columns of a group: {"value", "typed_value"}; both are null where there is nothing."""
    if variant is None:
        return {"value": None, "typed_value": None}
    kind, value = variant
    if isinstance(shape, tuple) and kind == shape[0]:
        if kind == "array":
            return {"value": None, "typed_value": [shredded(v, shape[1], names) for v in value]}
        typed = {name: shredded(value.get(name), part, names) for name, part in shape[1].items()}
        rest = {name: item for name, item in value.items() if name not in shape[1]}
        return {"value": value_bytes(("object", rest), names) if rest else None,
                "typed_value": typed}
    if shape == "true" and kind in ("true", "false"):
        return {"value": None, "typed_value": kind == "true"}
    if shape == kind:
        return {"value": None, "typed_value": value}
    return {"value": value_bytes(variant, names), "typed_value": None}


# What commands print.

TYPES = {name: kind for kind, name in PRINTED.items()}


def cell(variant, form_of):
    """The JSON form; `form_of(value, type)` gives that of values of Iceberg's types."""
    kind, value = variant
    if kind == "array":
        return [cell(item, form_of) for item in value]
    if kind == "object":
        return {name: cell(item, form_of) for name, item in value.items()}
    if kind in ("true", "false"):
        return kind == "true"
    if kind in ("string", "null"):
        return value
    if kind in DECIMAL_BYTES:
        form = list(value)
    else:
        form = value if kind.startswith("int") else form_of(value, kind)
    return {"$type": PRINTED[kind], "$value": form}


def printed(found, form_of):
    """The same of what was printed; `form_of(text, type)` reads values of Iceberg's types."""
    if isinstance(found, list):
        return [printed(item, form_of) for item in found]
    if not isinstance(found, dict):
        return found
    if set(found) != {"$type", "$value"}:
        return {name: printed(item, form_of) for name, item in found.items()}
    kind, value = TYPES[found["$type"]], found["$value"]
    if kind in DECIMAL_BYTES:
        return {**found, "$value": [int(value.replace(".", "")), len(value.partition(".")[2])]}
    return found if kind.startswith("int") else {**found, "$value": form_of(value, kind)}
