"""The specification's partition transforms of values of the model."""
from cells import TIMES, civil_from_days
from kinds import base, parameters
from single_values import encode, minimal_bytes

BUCKETED = ("int", "long", "decimal", "date", "time", "timestamp", "timestamptz", "timestamp_ns",
            "timestamptz_ns", "string", "uuid", "fixed", "binary")
TRUNCATED = ("int", "long", "decimal", "string", "binary")
INT_RANGE = range(-2**31, 2**31)
RANGES = {"int": INT_RANGE, "long": range(-2**63, 2**63)}


def murmur3(data):
    """The 32-bit hash, x86 variant, of seed 0."""
    def rotate(x, n):
        return (x << n | x >> (32 - n)) & 0xFFFFFFFF

    def mixed(k):
        return rotate(k * 0xCC9E2D51 & 0xFFFFFFFF, 15) * 0x1B873593 & 0xFFFFFFFF

    h, whole = 0, len(data) // 4 * 4
    for i in range(0, whole, 4):
        h = (rotate(h ^ mixed(int.from_bytes(data[i:i + 4], "little")), 13) * 5 + 0xE6546B64) \
            & 0xFFFFFFFF
    if data[whole:]:
        h ^= mixed(int.from_bytes(data[whole:], "little"))
    h ^= len(data)
    h = (h ^ h >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    h = (h ^ h >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    return h ^ h >> 16


def hashed_bytes(value, kind):
    name = base(kind)
    if name == "decimal":
        return minimal_bytes(value)
    if isinstance(value, int):
        # Nanoseconds hash as microseconds, so that promotion keeps the bucket.
        return encode(value // 1000 if name.endswith("_ns") else value, "long")
    return value.encode() if name == "string" else value


def _truncate(value, kind, width):
    if not isinstance(value, int):
        return value[:width]
    cut = value - value % width
    if cut not in RANGES.get(base(kind), range(-10**38 + 1, 10**38)):
        raise OverflowError("truncated below the type's range")
    return cut


def _ordinal(value, kind, transform):
    name = base(kind)
    if transform == "hour":
        hours = value // (3600 * TIMES[name])
        if hours not in INT_RANGE:
            raise OverflowError("hours beyond an int")
        return hours
    days = value if name == "date" else value // (86_400 * TIMES[name])
    if transform == "day":
        return days
    year, month, _ = civil_from_days(days)
    return year - 1970 if transform == "year" else (year - 1970) * 12 + month - 1


def apply(transform, value, kind):
    """The partition value; throws OverflowError where the specification has none."""
    if value is None or transform == "void":
        return None
    if transform == "identity":
        return value
    name = base(transform)
    if name == "bucket":
        return (murmur3(hashed_bytes(value, kind)) & 0x7FFFFFFF) % parameters(transform)[0]
    if name == "truncate":
        return _truncate(value, kind, *parameters(transform))
    return _ordinal(value, kind, transform)


def result_type(transform, kind):
    name = base(transform)
    if name in ("identity", "truncate", "void"):
        return kind
    return "date" if name == "day" else "int"


def transforms_of(kind):
    """Those that a column of the type can have, with `N` for a width to choose."""
    name = base(kind)
    if name in ("unknown", "geometry", "geography"):
        return ["void"]
    found = ["identity", "identity", "void"]
    found += ["bucket[N]"] if name in BUCKETED else []
    found += ["truncate[N]"] if name in TRUNCATED else []
    if name == "date" or name.startswith("timestamp"):
        found += ["year", "month", "day"]
        found += [] if name == "date" else ["hour"]
    return found
