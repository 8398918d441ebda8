"""The literals of filters: what they mean, and how they are written."""
import dataclasses
import math
import struct
from fractions import Fraction

import cells
from kinds import base, decimal_scale
from transforms import RANGES

NAN = (1, 0)  # Above every number, and equal to itself.


def comparable(value, kind):
    """A value in a form that Python compares as filters do."""
    name = base(kind)
    if value is None:
        return None
    if name in ("float", "double"):
        return NAN if math.isnan(value) else (0, value)
    if name == "decimal":
        return Fraction(value, 10**decimal_scale(kind))
    return value.encode() if name == "string" else value


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


@dataclasses.dataclass
class Literal:
    """A value of the column's own type."""
    value: object
    kind: str

    @property
    def comparable(self):
        return comparable(self.value, self.kind)

    def text(self, rng):
        name, plain = base(self.kind), cells.to_json(self.value, self.kind)
        if name == "boolean":
            return rng.choice((str(plain).upper(), str(plain).lower()))
        if name in ("int", "long"):
            return str(plain)
        if name in ("float", "double"):
            return self._real_text(rng)
        if name == "decimal":
            cast = f"CAST({plain} AS {self.kind.upper()})"
            return rng.choice((plain, plain, quoted(plain), cast))
        if name in ("fixed", "binary"):
            return rng.choice((f"X'{plain}'", quoted(plain)))
        typed = {"date": "DATE ", "time": "TIME ", "uuid": "UUID "}.get(
            name, "TIMESTAMP " if name.startswith("timestamp") else "")
        return rng.choice((typed, "")) + quoted(plain)

    def _real_text(self, rng):
        if not math.isfinite(self.value):
            plain = quoted(cells.real_text(self.value))
            return rng.choice((plain, f"double({plain})"))
        return rng.choice((repr(self.value), quoted(repr(self.value))))

    def json(self, rng):
        name, plain = base(self.kind), cells.to_json(self.value, self.kind)
        counted = name == "date" or name == "time" or name.startswith("timestamp")
        return self.value if counted and rng.random() < 0.5 else plain


@dataclasses.dataclass
class Null:
    comparable = None
    value = None

    def text(self, rng):
        return rng.choice(("NULL", "null"))

    def json(self, rng):
        return None


@dataclasses.dataclass
class Pattern:
    """Of LIKE."""
    value: str

    def text(self, rng):
        return quoted(self.value)

    def json(self, rng):
        return self.value


@dataclasses.dataclass
class Number:
    """A number that the column's type need not have, by its digits."""
    digits: str
    comparable: object
    value = None

    def text(self, rng):
        return rng.choice((self.digits, quoted(self.digits)))

    def json(self, rng):
        return self.digits


def near(value, kind, rng):
    """A literal beside a value: next to it, between two values of the type, or beyond them all."""
    name = base(kind)
    if name in ("int", "long", "decimal"):
        return _near_number(value, kind, rng)
    if name in ("float", "double"):
        return _near_real(value, name, rng)
    if isinstance(value, str):
        return Literal(rng.choice((value + "a", value[:-1], value + "\U0010ffff", value[:1])), kind)
    if isinstance(value, bytes):
        return Literal(_near_bytes(value, kind, rng), kind)
    if name == "boolean":
        return Literal(not value, kind)
    moved = value + rng.choice((1, -1))
    inside = 0 <= moved < 86_400 * 10**6 if name == "time" else \
        moved in RANGES["int" if name == "date" else "long"]
    return Literal(moved if inside else value, kind)


def _near_bytes(value, kind, rng):
    if base(kind) != "binary":
        return value[:-1] + bytes([rng.randrange(256)])
    return rng.choice((value + b"\0", value[:-1], value + b"\xff"))


def _near_number(value, kind, rng):
    scale = decimal_scale(kind) if base(kind) == "decimal" else 0
    choice = rng.random()
    if choice < 0.4:
        exact = Fraction(value + rng.choice((1, -1)), 10**scale)
        digits = cells.decimal_text(int(exact * 10**scale), scale)
    elif choice < 0.8:
        exact = Fraction(value * 10 + rng.choice((5, -5, 1)), 10**(scale + 1))
        digits = cells.decimal_text(int(exact * 10**(scale + 1)), scale + 1)
    else:
        digits = rng.choice(("1e30", "-1e30", "9223372036854775808", "-9223372036854775809", "1e40",
                             "2147483648", "0.5", "-0.5", "1e-50", "1e400"))
        exact = Fraction(digits)
    return Number(digits, exact)


def _near_real(value, name, rng):
    if not math.isfinite(value) or rng.random() < 0.3:
        digits = rng.choice(("0.1", "1e39", "-1e39", "1e400", "-1e400", "1e-60", "16777217", "0",
                             "9007199254740993", "3.4028235677973366e38", "1e-400", "-0.0"))
        return Number(digits, (0, nearest(Fraction(digits), name)))
    ahead = math.nextafter(value, rng.choice((math.inf, -math.inf)))
    if not math.isfinite(ahead):
        return Literal(value, name)
    return Number(repr(ahead), (0, nearest(Fraction(ahead), name)))


def nearest(exact, name):
    """The nearest number of the type; the number itself where that is an infinity."""
    try:
        number = exact.numerator / exact.denominator
        if name == "float":
            number = struct.unpack("<f", struct.pack("<f", number))[0]
    except OverflowError:
        return exact
    return exact if math.isinf(number) else number
