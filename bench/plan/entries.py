"""The entries of the benchmark's manifests, encoded.

Data file i lies in day i // files_per_day and bucket i % 16, so that manifests are clustered by
day, as appends make them, and every manifest has all buckets. It has counts and bounds of each
column; `seq_no` is clustered, and no partition source: metrics alone can prune by it. Delete file d
belongs to partition (d // 16, d % 16), and to all data files there.
"""
import random
import struct
import time

from avro_writer import NULL, SOME, array, blob, number
from schemas import COLUMNS

FIRST_DAY = 14_610  # 2010-01-01, in days since 1970-01-01.
DAY_US = 86_400_000_000
BUCKETS = 16
ROWS = 1_000_000  # Around this many in a data file.
SEQUENCE_STEP = 1_000_000  # The range of seq_no in one data file.
POSITION_COLUMNS = (2147483546, 2147483545)  # file_path and pos, by their reserved ids.
DATA_ROOT = "s3://lake/warehouse/analytics.db/events/data"
ENUMS = {4: (b"add_to_cart", b"view"), 5: (b"AE", b"ZA"), 14: (b"desktop", b"tv"),
         15: (b"android", b"windows")}

_long, _int = struct.Struct("<q").pack, struct.Struct("<i").pack
_double, _float = struct.Struct("<d").pack, struct.Struct("<f").pack
_keys = [number(column[0]) for column in COLUMNS]


def uuid_of(rng):
    digits = f"{rng.getrandbits(128):032x}"
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"


def date_text(day):
    return time.strftime("%Y-%m-%d", time.gmtime(day * 86_400))



def _bounds(rng, kind, field_id, day, index):
    """Single values: the lower and the upper bound of one column."""
    start = day * DAY_US
    if kind == "id":
        return _long(rng.randrange(10**6)), _long(9 * 10**9 + rng.randrange(10**9))
    if kind == "ts":
        return (_long(start + rng.randrange(60_000_000)),
                _long(start + DAY_US - 1 - rng.randrange(60_000_000)))
    if kind == "ingest":
        return (_long(start + rng.randrange(3_600_000_000)),
                _long(start + DAY_US + rng.randrange(3_600_000_000)))
    if kind == "sequence":
        return _long(index * SEQUENCE_STEP), _long((index + 1) * SEQUENCE_STEP - 1)
    if kind == "long":
        return _long(rng.randrange(1000)), _long(5 * 10**7 + rng.randrange(10**6))
    if kind == "int":
        return _int(rng.randrange(10)), _int(10**5 + rng.randrange(10**4))
    if kind == "date":
        return _int(10_000 + rng.randrange(100)), _int(day - rng.randrange(3))
    if kind == "double":
        return _double(rng.random()), _double(1000 + rng.random())
    if kind == "float":
        return _float(rng.random()), _float(100 + rng.random())
    if kind == "decimal":  # Unscaled, big-endian, of the smallest length.
        return (rng.randrange(100).to_bytes(1, "big"),
                (10**6 + rng.randrange(10**6)).to_bytes(3, "big"))
    if kind == "boolean":
        return b"\0", b"\1"
    if kind == "enum":
        return ENUMS[field_id]
    # Strings, cut to 16 bytes.
    low, high, digits = {"hex": ("0000", "ffff", 12), "url": ("https://a", "https://z", 7),
                         "text": ("Aa", "Zu", 6)}[kind]
    return tuple(f"{prefix}{rng.getrandbits(4 * digits):0{digits}x}".encode()
                 for prefix in (low, high))


def _map(keys, values):
    return SOME + array([key + value for key, value in zip(keys, values)])


def _path(day, bucket, index, uuid, suffix):
    return (f"{DATA_ROOT}/ts_day={date_text(day)}/id_bucket={bucket}/"
            f"00{index % 1000:03d}-{index}-{uuid}-00001{suffix}.parquet").encode()


def _data_path(index, files_per_day, uuid):
    return _path(FIRST_DAY + index // files_per_day, index % BUCKETS, index, uuid, "")


def entry_head(existing, snapshot_id, sequence_number):
    """Status, snapshot id, sequence numbers: explicit where existing, else to be inherited."""
    if existing:
        explicit = SOME + number(sequence_number)
        return number(0) + SOME + number(snapshot_id) + explicit + explicit
    return number(1) + SOME + number(snapshot_id) + NULL + NULL


def data_entry(rng, head, index, files_per_day, uuid):
    """(rows, day, the encoded entry) of data file number `index`."""
    day, bucket = FIRST_DAY + index // files_per_day, index % BUCKETS
    rows = ROWS + rng.randrange(-200_000, 200_000)
    sizes = [rng.randrange(20_000, 9_000_000) for _ in COLUMNS]
    total = 4096 + sum(sizes)
    bounds = [_bounds(rng, kind, field_id, day, index) for field_id, _, _, _, kind in COLUMNS]
    nulls = [0 if required else max(0, rng.randrange(-5000, 5000))
             for _, _, _, required, _ in COLUMNS]
    return rows, day, b"".join((
        head, number(0), blob(_data_path(index, files_per_day, uuid)), blob(b"PARQUET"),
        SOME, number(day), SOME, number(bucket), number(rows), number(total),
        _map(_keys, map(number, sizes)),
        _map(_keys, [number(rows)] * len(_keys)),
        _map(_keys, map(number, nulls)),
        _map([number(8), number(16)], [number(0)] * 2),
        _map(_keys, [blob(lower) for lower, _ in bounds]),
        _map(_keys, [blob(upper) for _, upper in bounds]),
        NULL, SOME, array([number(4), number(total // 2)]), NULL, SOME, number(0), NULL))


def delete_entry(rng, head, index, table, uuid, equality):
    """(rows, day, the encoded entry) of delete file number `index`, of positions or of ids."""
    day, bucket = FIRST_DAY + index // BUCKETS, index % BUCKETS
    rows = 10_000 + rng.randrange(1000)
    if equality:
        content, columns, equality_ids, order = 2, (1,), SOME + array([number(1)]), SOME + number(0)
        bounds = [_bounds(rng, "id", 1, day, 0)]
    else:
        content, columns, equality_ids, order = 1, POSITION_COLUMNS, NULL, NULL
        first = index // BUCKETS * table["files_per_day"] + bucket
        paths = [_data_path(i, table["files_per_day"], data_uuid(table, i // table["files"]))
                 for i in range(first, first + table["files_per_day"] - bucket, BUCKETS)]
        bounds = [(min(paths), max(paths)),
                  (_long(rng.randrange(1000)), _long(ROWS - rng.randrange(1000)))]
    keys = [number(i) for i in columns]
    return rows, day, b"".join((
        head, number(content), blob(_path(day, bucket, index, uuid, "-deletes")), blob(b"PARQUET"),
        SOME, number(day), SOME, number(bucket), number(rows), number(rows * 12 + 2000),
        _map(keys, [number(rows * 6)] * len(keys)),
        _map(keys, [number(rows)] * len(keys)),
        _map(keys, [number(0)] * len(keys)),
        NULL,
        _map(keys, [blob(lower) for lower, _ in bounds]),
        _map(keys, [blob(upper) for _, upper in bounds]),
        NULL, SOME, array([number(4)]), equality_ids, order, NULL))


def data_uuid(table, manifest):
    """Part of the names of a data manifest and of the files in it."""
    return uuid_of(random.Random(f"{table['seed']}/data/{manifest}"))
