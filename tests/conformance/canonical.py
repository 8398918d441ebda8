"""One form for a cell, whoever printed it: nunatak, Spark, the Java generics or PyIceberg."""
import datetime
import decimal
import json
import math
import re
import struct

EPOCH = datetime.date(1970, 1, 1).toordinal()
NANOS_PER_DIGITS = {6: 1000, 9: 1}
TIMESTAMP = re.compile(
    r"(?P<date>[+-]?\d{4,6}-\d\d-\d\d)[T ](?P<time>\d\d:\d\d(:\d\d(\.\d{1,9})?)?)(?P<zone>Z|[+-]\d\d:?\d\d)?")


def time_nanos(text):
    hours, minutes, *rest = text.split(":")
    seconds, _, fraction = (rest[0] if rest else "0").partition(".")
    whole = (int(hours) * 60 + int(minutes)) * 60 + int(seconds)
    return whole * 10**9 + int(fraction.ljust(9, "0") or 0)


def zone_nanos(text):
    if text in (None, "Z"):
        return 0
    digits = text[1:].replace(":", "")
    return (-1 if text[0] == "-" else 1) * (int(digits[:2]) * 60 + int(digits[2:])) * 60 * 10**9


def timestamp(text, fraction_digits):
    """The count of micro- or nanoseconds since the epoch, in UTC."""
    match = TIMESTAMP.fullmatch(text)
    if not match:
        raise ValueError(f"not a timestamp: {text!r}")
    year, month, day = (int(part) for part in match["date"].split("-"))
    days = datetime.date(year, month, day).toordinal() - EPOCH
    nanos = days * 86400 * 10**9 + time_nanos(match["time"]) - zone_nanos(match["zone"])
    return nanos // NANOS_PER_DIGITS[fraction_digits]


def real(value, single):
    number = float(value)
    if math.isnan(number):
        return "NaN"
    if single and not math.isinf(number):
        number = struct.unpack("<f", struct.pack("<f", number))[0]
    return number.hex()


def pairs(value, kind):
    """A map's entries, from {"keys", "values"}, a list of pairs, or an object by key text."""
    if isinstance(value, list):
        return value
    if set(value) == {"keys", "values"}:
        return list(zip(value["keys"], value["values"]))
    return [(key if kind["key"] == "string" else json.loads(key), item) for key, item in value.items()]


def nested(value, kind):
    if kind["type"] == "struct":
        return {field["name"]: cell(value.get(field["name"]), field["type"]) for field in kind["fields"]}
    if kind["type"] == "list":
        return [cell(item, kind["element"]) for item in value]
    entries = [[cell(key, kind["key"]), cell(item, kind["value"])] for key, item in pairs(value, kind)]
    return sorted(entries, key=text)


def primitive(value, kind):
    if kind in ("float", "double"):
        return real(value, kind == "float")
    if kind.startswith("decimal"):
        return str(decimal.Decimal(str(value)).normalize() + 0)
    if kind == "time":
        return time_nanos(value) // 1000
    if kind.startswith("timestamp"):
        return timestamp(value, 9 if kind.endswith("_ns") else 6)
    if kind == "uuid":
        return value.replace("-", "").lower()
    if kind == "binary" or kind.startswith("fixed"):
        return value.lower().removeprefix("hex:")
    return value


def cell(value, kind):
    """`kind` is an Iceberg type as schemas' JSON has it."""
    if value is None:
        return None
    return nested(value, kind) if isinstance(kind, dict) else primitive(value, kind)


def text(value):
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


SPARK_TYPES = {"integer": "int", "short": "int", "byte": "int", "timestamp": "timestamptz", "timestamp_ntz": "timestamp"}


def from_spark(kind):
    """A type as Spark's JSON has it, as an Iceberg one."""
    if isinstance(kind, str):
        return SPARK_TYPES.get(kind, kind)
    if kind["type"] == "struct":
        return {"type": "struct",
                "fields": [{"name": field["name"], "type": from_spark(field["type"])} for field in kind["fields"]]}
    if kind["type"] == "array":
        return {"type": "list", "element": from_spark(kind["elementType"])}
    return {"type": "map", "key": from_spark(kind["keyType"]), "value": from_spark(kind["valueType"])}


def schema(recorded, table_format):
    """The schema of an expectation, which is Spark's for other formats than Iceberg."""
    return {"type": "struct", "fields": recorded["fields"]} if table_format == "iceberg" else from_spark(recorded)


def row(value, schema):
    return text(nested(value, schema))
