"""Binary single values and column metrics, as the specification's Appendix D has them."""
import math
import struct

from kinds import base

INTEGERS = {"int": "<i", "date": "<i", "long": "<q", "time": "<q", "timestamp": "<q",
            "timestamptz": "<q", "timestamp_ns": "<q", "timestamptz_ns": "<q"}
REALS = {"float": "<f", "double": "<d"}
WITHOUT_BOUNDS = ("unknown", "geometry", "geography", "variant")
LAST_CHARACTER = 0x10FFFF


def minimal_bytes(number):
    """Two's complement, big-endian, of the smallest length."""
    bits = number.bit_length() if number >= 0 else (-number - 1).bit_length()
    return number.to_bytes(bits // 8 + 1, "big", signed=True)


def encode(value, kind):
    name = base(kind)
    if name == "boolean":
        return b"\1" if value else b"\0"
    if name in INTEGERS:
        return struct.pack(INTEGERS[name], value)
    if name in REALS:
        return struct.pack(REALS[name], value)
    if name == "decimal":
        return minimal_bytes(value)
    return value.encode() if name == "string" else value


def order(value):
    """What values are ordered by: -0.0 before 0.0, strings by their UTF-8."""
    if isinstance(value, float):
        return (value, math.copysign(1, value))
    return value.encode() if isinstance(value, str) else value


def _next_string(text):
    """The smallest string of that length, or less, above all that begin with `text`; None if there
    is none."""
    while text:
        last = ord(text[-1]) + 1
        last = 0xE000 if 0xD800 <= last < 0xE000 else last
        if last <= LAST_CHARACTER:
            return text[:-1] + chr(last)
        text = text[:-1]
    return None


def _next_bytes(value):
    value = value.rstrip(b"\xff")
    return value[:-1] + bytes([value[-1] + 1]) if value else None


def truncated_upper(value, length):
    """An upper bound of at most `length` characters or bytes; None where there is none."""
    if len(value) <= length:
        return value
    return (_next_string if isinstance(value, str) else _next_bytes)(value[:length])


def bounds(values, kind, truncate):
    """(lower, upper), encoded, each None when unknown, of values without nulls. Strings and bytes
    are cut to `truncate` characters, unless it is None."""
    numbers = [v for v in values if not (isinstance(v, float) and math.isnan(v))]
    if not numbers or base(kind) in WITHOUT_BOUNDS:
        return None, None
    lower, upper = min(numbers, key=order), max(numbers, key=order)
    if truncate and base(kind) in ("string", "binary"):
        lower, upper = lower[:truncate], truncated_upper(upper, truncate)
    return encode(lower, kind), None if upper is None else encode(upper, kind)
