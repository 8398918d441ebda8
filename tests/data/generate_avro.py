"""Writes avro/types.avro with fastavro: python3 generate_avro.py avro/types.avro."""
import datetime as dt
import decimal
import sys

import fastavro


def field(field_id, name, avro_type):
    return {"name": name, "field-id": field_id, "type": avro_type}


def row(i):
    return {
        "id": i - 100,
        "d": None if i % 7 == 0 else decimal.Decimal(i * 1001) / 1000,
        "day": dt.date(1969, 12, 1) + dt.timedelta(days=i),
        "ts": dt.datetime(1969, 12, 31, 23, 59, 59, 999999, dt.timezone.utc) + dt.timedelta(hours=i),
        "local": dt.datetime(1970, 1, 1) + dt.timedelta(milliseconds=i),
        "time": None if i % 5 == 0 else dt.time(1, 2, 3, i),
        "l": [None, str(i)][: i % 3],
        "m": {"k": i / 2} if i % 2 else {},
        "s": None if i % 3 == 0 else {"e": "RIGHT" if i % 2 else "LEFT", "fx": bytes([1, i % 256])},
    }


SCHEMA = {"type": "record", "name": "table", "fields": [
    field(1, "id", "long"),
    field(2, "d", ["null", {"type": "bytes", "logicalType": "decimal", "precision": 20, "scale": 3}]),
    field(3, "day", {"type": "int", "logicalType": "date"}),
    field(4, "ts", {"type": "long", "logicalType": "timestamp-micros", "adjust-to-utc": True}),
    field(5, "local", {"type": "long", "logicalType": "local-timestamp-millis"}),
    field(6, "time", [{"type": "long", "logicalType": "time-micros"}, "null"]),
    field(7, "l", {"type": "array", "element-id": 8, "items": ["null", "string"]}),
    field(9, "m", {"type": "map", "key-id": 10, "value-id": 11, "values": "double"}),
    field(12, "s", ["null", {"type": "record", "name": "s12", "fields": [
        field(13, "e", {"type": "enum", "name": "e13", "symbols": ["LEFT", "RIGHT"]}),
        field(14, "fx", {"type": "fixed", "name": "fx14", "size": 2})]}]),
]}
rows = [row(i) for i in range(300)]
with open(sys.argv[1], "wb") as out:
    fastavro.writer(out, SCHEMA, rows, codec="deflate", sync_interval=1000, sync_marker=b"fastavro-1.13.1!")
