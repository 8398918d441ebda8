"""Iceberg types in the form that schemas' JSON has: a name, or an object for a nested type.

A field is an object too: id, name, required, type. Values are plain Python: integers for dates,
times and timestamps (in the type's unit) and for decimals (unscaled), bytes for uuid, fixed, binary
and geometries, pairs for variants (variants.py), dictionaries by field id for structs, lists, and lists of pairs for maps.
"""
import re

LIST_PARTS = (("element-id", "element", "element-required"),)
MAP_PARTS = (("key-id", "key", None), ("value-id", "value", "value-required"))
DATETIMES = ("date", "timestamp", "timestamptz", "timestamp_ns", "timestamptz_ns")
V3_TYPES = ("timestamp_ns", "timestamptz_ns", "unknown", "geometry", "geography", "variant",
            "variant")
MICROS_PER_DAY = 86_400_000_000
UNITS_PER_DAY = {"timestamp": MICROS_PER_DAY, "timestamp_ns": 1000 * MICROS_PER_DAY}


def is_nested(kind):
    return isinstance(kind, dict)


def base(kind):
    """The type's name without parameters."""
    return kind["type"] if is_nested(kind) else re.split(r"[\[(]", kind)[0]


def parameters(kind):
    """(precision, scale) of a decimal, (length,) of fixed, (width,) of a transform."""
    return tuple(int(n) for n in re.findall(r"\d+", re.split(r"[\[(]", kind)[-1]))


def decimal_scale(kind):
    return parameters(kind)[1]


def parts(kind):
    """The fields of a nested type, those of lists and maps by the names that files give them."""
    if kind["type"] == "struct":
        return kind["fields"]
    names = LIST_PARTS if kind["type"] == "list" else MAP_PARTS
    return [{"id": kind[id_key], "name": name, "type": kind[name],
             "required": True if required is None else kind[required]}
            for id_key, name, required in names]


def leaves(fields, above=()):
    """(path of fields, field) of each primitive that is in no list and no map."""
    for field in fields:
        path = (*above, field)
        if not is_nested(field["type"]):
            yield path
        elif field["type"]["type"] == "struct":
            yield from leaves(field["type"]["fields"], path)


def columns(fields, above=()):
    """The path of fields to each field that is in no list and no map."""
    for field in fields:
        path = (*above, field)
        yield path
        if base(field["type"]) == "struct":
            yield from columns(field["type"]["fields"], path)


def all_columns(fields, above=()):
    """The path of fields to each field, those in lists and maps included."""
    for field in fields:
        path = (*above, field)
        yield path
        if is_nested(field["type"]):
            yield from all_columns(parts(field["type"]), path)


def pruned(fields, ids):
    """The selected fields, whole, and what leads to them; a map keeps its key."""
    found = [f if f["id"] in ids else {**f, "type": _pruned_type(f["type"], ids)} for f in fields]
    return [field for field in found if field["type"] is not None]


def _pruned_type(kind, ids):
    """None when nothing of the type is selected."""
    if not is_nested(kind):
        return None
    kept = {field["name"]: field["type"] for field in pruned(parts(kind), ids)}
    if kind["type"] == "struct":
        fields = pruned(kind["fields"], ids)
        return {**kind, "fields": fields} if fields else None
    if kind["type"] == "list":
        return {**kind, "element": kept["element"]} if kept else None
    if "key" in kept:
        return kind
    return {**kind, "value": kept["value"]} if kept else None


def structs(fields):
    """Each list of fields: the top level, and those of all structs below, wherever they are."""
    yield fields
    for field in fields:
        yield from structs_of(field["type"])


def structs_of(kind):
    if not is_nested(kind):
        return
    if kind["type"] == "struct":
        yield from structs(kind["fields"])
        return
    for part in parts(kind):
        yield from structs_of(part["type"])


def value_at(row, path):
    """The value of a column in a row; null where a struct on the way is null."""
    for field in path:
        if row is None:
            return None
        row = row.get(field["id"])
    return row


def path_to(fields, field_id):
    """The path of fields to a column; None when there is none of that id."""
    return next((path for path in columns(fields) if path[-1]["id"] == field_id), None)


def promote(value, source, target):
    """A value read as the type that its column was promoted to."""
    if value is not None and source == "date" and target in UNITS_PER_DAY:
        return value * UNITS_PER_DAY[target]
    return value
