"""One form for a value, whether the model has it or nunatak printed it."""
import json
import math
import re
import struct

import variants
from kinds import base, decimal_scale, parts

DATE = re.compile(r"([+-]?)(\d{4,})-(\d\d)-(\d\d)")
TIMES = {"time": 10**6, "timestamp": 10**6, "timestamptz": 10**6, "timestamp_ns": 10**9,
         "timestamptz_ns": 10**9}
HEX = ("fixed", "binary", "geometry", "geography")


def days_from_civil(year, month, day):
    """Days since 1970-01-01 in the Gregorian calendar, whatever the year."""
    year -= month <= 2
    era, year_of_era = divmod(year, 400)
    day_of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return era * 146_097 + year_of_era * 365 + year_of_era // 4 - year_of_era // 100 \
        + day_of_year - 719_468


def civil_from_days(days):
    """(year, month, day)"""
    era, day_of_era = divmod(days + 719_468, 146_097)
    year_of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36_524
                   - day_of_era // 146_096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted = (5 * day_of_year + 2) // 153
    month = (shifted + 2) % 12 + 1
    return (era * 400 + year_of_era + (month <= 2), month,
            day_of_year - (153 * shifted + 2) // 5 + 1)


def date_text(days):
    year, month, day = civil_from_days(days)
    sign = "-" if year < 0 else "+" if year > 9999 else ""
    return f"{sign}{abs(year):04}-{month:02}-{day:02}"


def time_text(units, units_per_second):
    seconds, fraction = divmod(units, units_per_second)
    digits = len(str(units_per_second)) - 1
    text = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{text}.{fraction:0{digits}}"


def time_units(text, units_per_second):
    hours, minutes, seconds = text.split(":")
    whole, _, fraction = seconds.partition(".")
    digits = len(str(units_per_second)) - 1
    return ((int(hours) * 60 + int(minutes)) * 60 + int(whole)) * units_per_second \
        + int(fraction.ljust(digits, "0") or 0)


def timestamp_text(units, name):
    days, rest = divmod(units, 86_400 * TIMES[name])
    zone = "+00:00" if "tz" in name else ""
    return f"{date_text(days)}T{time_text(rest, TIMES[name])}{zone}"


def date_days(text):
    sign, year, month, day = DATE.fullmatch(text).groups()
    return days_from_civil(-int(year) if sign == "-" else int(year), int(month), int(day))


def timestamp_units(text, name):
    date, _, time = text.partition("T")
    if "tz" in name:
        if not time.endswith("+00:00"):
            raise ValueError(f"a timestamp without its zone: {text}")
        time = time.removesuffix("+00:00")
    return date_days(date) * 86_400 * TIMES[name] + time_units(time, TIMES[name])


def decimal_text(unscaled, scale):
    digits = f"{abs(unscaled):0{scale + 1}}"
    whole, fraction = (digits[:-scale], digits[-scale:]) if scale else (digits, "")
    return ("-" if unscaled < 0 else "") + whole + ("." + fraction if scale else "")


def uuid_text(value):
    digits = value.hex()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))


def real_text(value):
    if math.isnan(value):
        return "NaN"
    return ("-" if value < 0 else "") + "Infinity" if math.isinf(value) else value


def to_json(value, kind):
    """A value in the form of the specification's JSON single values; a struct without fields."""
    name = base(kind)
    if value is None:
        return None
    if name == "struct":
        return {}
    if name == "list":
        return [to_json(item, kind["element"]) for item in value]
    if name == "map":
        return {"keys": [to_json(k, kind["key"]) for k, _ in value],
                "values": [to_json(v, kind["value"]) for _, v in value]}
    if name == "date":
        return date_text(value)
    if name == "time":
        return time_text(value, TIMES[name])
    if name in TIMES:
        return timestamp_text(value, name)
    if name == "decimal":
        return decimal_text(value, decimal_scale(kind))
    if name == "uuid":
        return uuid_text(value)
    if name in HEX:
        return value.hex().upper()
    return real_text(value) if name in ("float", "double") else value


def _real(number, single):
    number = float(number)
    if math.isnan(number):
        return "NaN"
    if single and not math.isinf(number):
        number = struct.unpack("<f", struct.pack("<f", number))[0]
    return number.hex()


def canonical(value, kind):
    """The form of a value of the model in which rows are compared."""
    name = base(kind)
    if value is None:
        return None
    if name == "struct":
        return {f["name"]: canonical(value[f["id"]], f["type"]) for f in kind["fields"]}
    if name == "list":
        return [canonical(item, kind["element"]) for item in value]
    if name == "map":
        return [[canonical(k, kind["key"]), canonical(v, kind["value"])] for k, v in value]
    if name == "variant":
        return _variant_text(variants.cell(value, canonical))
    if name in ("float", "double"):
        return _real(value, name == "float")
    return value.hex() if isinstance(value, bytes) else value


def _variant_text(form):
    """Objects have their names in order; a variant null of its own is told apart from a null."""
    return json.dumps({"$type": "NULL"} if form is None else form, sort_keys=True)


def printed(cell, kind):
    """The same form of a cell that nunatak printed."""
    name = base(kind)
    if cell is None:
        return None
    if name == "struct":
        if list(cell) != [f["name"] for f in kind["fields"]]:
            raise ValueError(f"the fields of a struct: {list(cell)}")
        return {f["name"]: printed(cell[f["name"]], f["type"]) for f in kind["fields"]}
    if name == "list":
        return [printed(item, kind["element"]) for item in cell]
    if name == "map":
        key, value = parts(kind)
        return [[printed(k, key["type"]), printed(v, value["type"])]
                for k, v in zip(cell["keys"], cell["values"], strict=True)]
    return _printed_primitive(cell, name, kind)


def _printed_primitive(cell, name, kind):
    if name == "variant":
        null = cell == {"$type": "NULL", "$value": None}
        return _variant_text(None if null else variants.printed(cell, printed))
    if name in ("float", "double"):
        return _real(cell, name == "float")
    if name == "date":
        return date_days(cell)
    if name == "time":
        return time_units(cell, TIMES[name])
    if name in TIMES:
        return timestamp_units(cell, name)
    if name == "decimal":
        if len(cell.partition(".")[2]) != decimal_scale(kind):
            raise ValueError(f"a {kind} with another scale: {cell}")
        return int(cell.replace(".", ""))
    if name == "uuid":
        return cell.replace("-", "")
    return cell.lower() if name in HEX else cell


def row_text(form):
    return json.dumps(form, ensure_ascii=False)
