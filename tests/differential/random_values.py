"""Random values of every type, extremes and look-alikes included."""
import math
import struct

import variants
from kinds import base, is_nested, parameters

WORDS = ["", "a", "b", "abc", "abd", "ab", "aé", "zz", "Zürich", "naïve café", "日本語", "\U0010ffff",
         "\U0010ffff\U0010ffff!", "x" * 40, "x" * 40 + "y", "it's", 'say "hi"', "100%",
         "under_score", "back\\slash", " ", "tab\tnew\nline", "\u007f", "\ud7ff", "\ue000", "null",
         "NaN", "-1", "A"]
REALS = [0.0, -0.0, 1.0, -1.0, 1.5, -2.25, 0.1, math.nan, math.inf, -math.inf, 1e-3, 1e10]
DOUBLES = [5e-324, -5e-324, 1.7976931348623157e308, -1.7976931348623157e308, 2.0**53, 2.0**53 + 2]
FLOATS = [1.401298464324817e-45, 3.4028234663852886e38, -3.4028234663852886e38, 16777216.0]
DAYS = [0, -1, 1, 59, 19_782, -25_567, 18_262, 11_016, 2_932_896, -719_162, 100_000, -106_751]
FAR_DAYS = [2**31 - 1, -2**31, 5_000_000, -5_000_000]
INTS = [0, 1, -1, 2, 7, 10, 100, -100, 127, 128, -128, -129, 32767, 32768]
BYTES = [b"", b"\0", b"\0\0", b"\xff", b"\xff\xff", b"\x7f", b"\x80", b"abc",
         b"\xff" * 20, b"a" * 30]
WKB_POINTS = [(0.0, 0.0), (1.5, -2.0), (-180.0, 90.0)]
SINGLE = struct.Struct("<f")


def single(number):
    """The nearest float, as it is read back."""
    return SINGLE.unpack(SINGLE.pack(number))[0]


def _integers(rng, bits):
    extremes = [2**(bits - 1) - 1, -2**(bits - 1), 2**(bits - 1) - 2, 1 - 2**(bits - 1)]
    return INTS + extremes + [rng.getrandbits(bits) - 2**(bits - 1) for _ in range(6)]


def _timestamps(rng, per_second, limit):
    values = [0, 1, -1, per_second, -per_second, 3600 * per_second, -3600 * per_second - 1]
    for days in DAYS:
        values += [days * 86_400 * per_second, days * 86_400 * per_second - 1,
                   days * 86_400 * per_second + rng.randrange(86_400 * per_second)]
    values += [2**63 - 1, -2**63, 2**63 - 10**18]
    return [v for v in values if -limit <= v < limit]


def _decimals(rng, precision):
    most = 10**precision - 1
    values = [*INTS, most, -most, most // 2, rng.randint(-most, most), rng.randint(-most, most)]
    return [v for v in values if abs(v) <= most]


def _candidates(rng, kind, far):
    name = base(kind)
    limit = 2**63 if far else 8 * 10**18
    per_second = 10**9 if name.endswith("_ns") else 10**6
    if name.startswith("timestamp"):
        return _timestamps(rng, per_second, limit)
    if name == "fixed":
        (length,) = parameters(kind)
        return [bytes(length), b"\xff" * length, b"\x80" + bytes(length - 1)] \
            + [rng.randbytes(length) for _ in range(3)]
    if name in ("geometry", "geography"):
        return [struct.pack("<BIdd", 1, 1, *point) for point in WKB_POINTS]
    return {
        "boolean": lambda: [True, False],
        "int": lambda: _integers(rng, 32),
        "long": lambda: _integers(rng, 64),
        "float": lambda: [single(v) for v in REALS] + FLOATS + [single(rng.gauss(0, 100))],
        "double": lambda: REALS + DOUBLES + [rng.gauss(0, 1e6), rng.random()],
        "decimal": lambda: _decimals(rng, parameters(kind)[0]),
        "date": lambda: DAYS + (FAR_DAYS if far else []),
        "time": lambda: [0, 1, 86_399_999_999, 43_200_000_000, rng.randrange(86_400_000_000)],
        "string": lambda: WORDS + ["".join(rng.choices("abcxyzé", k=rng.randrange(1, 24)))],
        "uuid": lambda: [bytes(16), b"\xff" * 16, b"\x80" + bytes(15), b"\x7f" + b"\xff" * 15,
                         rng.randbytes(16)],
        "binary": lambda: BYTES + [rng.randbytes(rng.randrange(1, 20))],
        "unknown": lambda: [None],
        "variant": lambda: [variants.draw(rng) for _ in range(8)],
    }[name]()


class Values:
    """Draws the values of each column from a small pool of its own, so that values meet again in
    other files, in deletes and in filters."""

    def __init__(self, rng):
        self._rng = rng
        self._pools = {}
        self._null_rates = {}

    def pool(self, field):
        """The values of a primitive column; a promoted one keeps those that it had."""
        known = self._pools.get(field["id"])
        if known is None or known[0] != field["type"]:
            fresh = self._fresh(field["type"])
            kept = known[1][:2] if known and base(known[0]) not in ("date", "unknown") else []
            known = self._pools[field["id"]] = (field["type"], kept + fresh)
        return known[1]

    def _fresh(self, kind):
        rng = self._rng
        candidates = _candidates(rng, kind, far=rng.random() < 0.3)
        return rng.sample(candidates, min(len(candidates), rng.choice((1, 3, 5, 8))))

    def _null_rate(self, field):
        if field["required"]:
            return 0
        return self._null_rates.setdefault(
            field["id"], self._rng.choice((0, 0.1, 0.1, 0.3, 0.3, 0.8, 1)))

    def of(self, field):
        kind = field["type"]
        if kind == "unknown" or self._rng.random() < self._null_rate(field):
            return None
        if not is_nested(kind):
            return self._rng.choice(self.pool(field))
        if kind["type"] == "struct":
            return self.row(kind["fields"])
        if kind["type"] == "list":
            element = {"id": kind["element-id"], "type": kind["element"],
                       "required": kind["element-required"]}
            return [self.of(element) for _ in range(self._rng.choice((0, 1, 1, 2, 3)))]
        return self._map(kind)

    def _map(self, kind):
        key = {"id": kind["key-id"], "type": kind["key"], "required": True}
        value = {"id": kind["value-id"], "type": kind["value"], "required": kind["value-required"]}
        entries = {}
        for _ in range(self._rng.choice((0, 1, 2, 3))):
            k = self.of(key)
            entries[repr(k)] = (k, self.of(value))
        return list(entries.values())

    def row(self, fields):
        return {field["id"]: self.of(field) for field in fields}
