"""Rows of the model as Arrow tables, and those as Parquet and ORC files, written in many ways."""
import decimal

import pyarrow as pa
import pyarrow.orc
import pyarrow.parquet

import variants
from kinds import base, columns, is_nested, parameters, parts

FIELD_ID = {"PARQUET": "PARQUET:field_id", "ORC": "iceberg.id"}
TYPES = {"boolean": pa.bool_(), "int": pa.int32(), "long": pa.int64(), "float": pa.float32(),
         "double": pa.float64(), "date": pa.date32(), "time": pa.time64("us"),
         "timestamp": pa.timestamp("us"), "timestamptz": pa.timestamp("us", "UTC"),
         "timestamp_ns": pa.timestamp("ns"), "timestamptz_ns": pa.timestamp("ns", "UTC"),
         "string": pa.string(), "binary": pa.binary(), "geometry": pa.binary(),
         "geography": pa.binary(), "uuid": pa.binary(16)}
# Other Arrow types of the same columns, of which Parquet files keep a note.
DISGUISES = {
    "large": {"string": pa.large_string(), "binary": pa.large_binary()},
    "dictionary": {"string": pa.dictionary(pa.int32(), pa.string())},
    "plain": {},
}
EXACT = decimal.Context(prec=80)
YEARS_OF_INT96 = range(0, 253_402_300_800_000_000)  # 1970 to 9999, in microseconds.
ENCODINGS = {
    "int": ("PLAIN", "DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"),
    "long": ("PLAIN", "DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"),
    "float": ("PLAIN", "BYTE_STREAM_SPLIT"), "double": ("PLAIN", "BYTE_STREAM_SPLIT"),
    "date": ("PLAIN", "DELTA_BINARY_PACKED"), "time": ("PLAIN", "DELTA_BINARY_PACKED"),
    "string": ("PLAIN", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"),
    "binary": ("PLAIN", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"),
    "fixed": ("PLAIN", "DELTA_BYTE_ARRAY", "BYTE_STREAM_SPLIT"),
    "uuid": ("PLAIN", "DELTA_BYTE_ARRAY"),
    "boolean": ("PLAIN", "RLE"),
}


class ArrowForm:
    """How rows become Arrow arrays: with or without field ids, plain or disguised."""

    def __init__(self, id_key, disguise="plain", orc=False, shape=None):
        """`shape`: how variants are shredded, or None."""
        self._id_key, self._disguise, self._orc = id_key, DISGUISES[disguise], orc
        self._shape = shape
        self._large = disguise == "large"

    def field(self, field):
        metadata = {self._id_key: str(field["id"])} if self._id_key else {}
        metadata |= self._orc_attributes(field["type"]) if self._orc else {}
        return pa.field(field["name"], self.type(field["type"]), not field["required"], metadata)

    def _orc_attributes(self, kind):
        """What tells Iceberg's types apart that are one type in ORC."""
        if base(kind) == "fixed":
            return {"iceberg.binary-type": "FIXED", "iceberg.length": str(parameters(kind)[0])}
        return {"time": {"iceberg.long-type": "TIME"}, "variant": {"iceberg.struct-type": "VARIANT"},
                "uuid": {"iceberg.binary-type": "UUID"}}.get(base(kind), {})

    def type(self, kind):
        name = base(kind)
        if name == "decimal":
            return pa.decimal128(*parameters(kind))
        if name == "variant":
            return pa.struct([pa.field("metadata", pa.binary(), nullable=False),
                              *(_shredded_fields(self._shape) if self._shape else
                                [pa.field("value", pa.binary(), nullable=False)])])
        if self._orc and name in ("uuid", "fixed", "time"):
            return pa.int64() if name == "time" else pa.binary()
        if name == "fixed":
            return pa.binary(*parameters(kind))
        if not is_nested(kind):
            return self._disguise.get(name, TYPES.get(name))
        fields = [self.field(part) for part in stored(parts(kind))]
        if name == "struct":
            return pa.struct(fields)
        if name == "list":
            return (pa.large_list if self._large else pa.list_)(fields[0])
        return pa.map_(*fields)

    def table(self, fields, rows):
        fields = stored(fields)
        arrays = [self._array([row[f["id"]] for row in rows], f["type"]) for f in fields]
        return pa.table(arrays, schema=pa.schema([self.field(f) for f in fields]))

    def _array(self, values, kind):
        return pa.array([arrow_value(v, kind, self._shape) for v in values], self.type(kind))


def _shredded_fields(shape):
    return [pa.field("value", pa.binary()), pa.field("typed_value", _shredded_type(shape))]


def _shredded_type(shape):
    if not isinstance(shape, tuple):
        return pa.bool_() if shape == "true" else TYPES["int" if shape == "int32" else shape]
    if shape[0] == "array":
        return pa.list_(pa.field("element", pa.struct(_shredded_fields(shape[1])), nullable=False))
    return pa.struct([pa.field(name, pa.struct(_shredded_fields(part)), nullable=False)
                      for name, part in shape[1].items()])


def stored(fields):
    """Columns of the type unknown are in no file."""
    return [f for f in fields if f["type"] != "unknown"]


def _arrow_variant(variant, shape):
    if shape is None:
        return dict(zip(("metadata", "value"), variants.encoded(variant)))
    names = sorted(variants.names_of(variant), key=str.encode)
    return {"metadata": variants.metadata(names)} | variants.shredded(variant, shape, names)


def arrow_value(value, kind, shape=None):
    name = base(kind)
    if value is None:
        return None
    if name == "variant":
        return _arrow_variant(value, shape)
    if name == "decimal":
        return EXACT.scaleb(decimal.Decimal(value), -parameters(kind)[1])
    if name == "struct":
        return {f["name"]: arrow_value(value[f["id"]], f["type"], shape) for f in stored(kind["fields"])}
    if name == "list":
        return [arrow_value(item, kind["element"], shape) for item in value]
    if name == "map":
        return [(arrow_value(k, kind["key"]), arrow_value(v, kind["value"], shape)) for k, v in value]
    return value


def _column_encodings(fields, rng):
    return {f["name"]: rng.choice(ENCODINGS[base(f["type"])]) for f in stored(fields)
            if base(f["type"]) in ENCODINGS and "." not in f["name"]}


def parquet_options(fields, rng):
    """Options of pyarrow.parquet.write_table."""
    options = {
        "compression": rng.choice(("NONE", "SNAPPY", "GZIP", "BROTLI", "LZ4", "ZSTD", "ZSTD")),
        "row_group_size": rng.choice((1, 3, 7, 1000, 4000)),
        "data_page_version": rng.choice(("1.0", "2.0")),
        "data_page_size": rng.choice((64, 200, 1 << 20)),
        "max_rows_per_page": rng.choice((None, None, 1, 3)),
        "write_batch_size": rng.choice((1, 5, 1024)),
        "use_dictionary": rng.random() < 0.5,
        "dictionary_pagesize_limit": rng.choice((16, 1 << 20)),
        "write_statistics": rng.random() < 0.8,
        "write_page_index": rng.random() < 0.3,
        "write_page_checksum": rng.random() < 0.3,
        "use_compliant_nested_type": rng.random() < 0.8,
        "store_schema": rng.random() < 0.5,
        "store_decimal_as_integer": rng.random() < 0.3,
        "version": rng.choice(("2.4", "2.6")),
    }
    if not options["use_dictionary"] and rng.random() < 0.7:
        options["column_encoding"] = _column_encodings(fields, rng)
    return options


def fits_int96(fields, rows):
    """Whether Arrow writes the timestamps right as INT96: from 1970 to 9999, at the top level."""
    stamped = [f for f in fields if f["type"] in ("timestamp", "timestamptz")]
    return repr(fields).count("'timestamp") == len(stamped) > 0 and all(
        row[f["id"]] is None or row[f["id"]] in YEARS_OF_INT96 for f in stamped for row in rows)


def write_parquet(path, fields, rows, rng, with_ids=True):
    disguise = rng.choice(("plain", "plain", "plain", *DISGUISES))
    id_key = FIELD_ID["PARQUET"] if with_ids else None
    options = parquet_options(fields, rng)
    if any(base(path[-1]["type"]) in ("list", "map", "variant") for path in columns(fields)):
        # Arrow may begin such columns with a page of no values, and then reads nothing of them.
        options["data_page_size"] = 1 << 20
    if "timestamp_ns" in repr(fields) or "timestamptz_ns" in repr(fields):
        options["version"] = "2.6"  # Before it, there are no nanoseconds.
    if rng.random() < 0.3 and fits_int96(fields, rows):
        options["use_deprecated_int96_timestamps"] = True
    if len(rows) > 1000:
        options |= {"row_group_size": rng.choice((4000, 100_000)), "data_page_size": 4096,
                    "write_batch_size": 1024}
    shape = variants.draw_shape(rng) if "'variant'" in repr(fields) and rng.random() < 0.6 else None
    try:
        table = ArrowForm(id_key, disguise, shape=shape).table(fields, rows)
        pa.parquet.write_table(table, path, **options)
    except pa.ArrowIndexError:  # Arrow fails on some dictionaries without a value.
        table = ArrowForm(id_key, shape=shape).table(fields, rows)
        pa.parquet.write_table(table, path, **options)


def write_orc(path, fields, rows, rng, with_ids=True):
    form = ArrowForm(FIELD_ID["ORC"] if with_ids else None, orc=True)
    pa.orc.write_table(form.table(fields, rows), path,
                       compression=rng.choice(("uncompressed", "snappy", "zlib", "zstd", "lz4")),
                       stripe_size=rng.choice((64 * 1024, 64 * 1024 * 1024)),
                       batch_size=rng.choice((1, 7, 1024)))
