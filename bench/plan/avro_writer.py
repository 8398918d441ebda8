"""Writes Avro object container files with the block size and codec of Iceberg's Java library."""
import json
import zlib

BLOCK_BYTES = 64_000  # A block ends with the record that reaches this.
DEFLATE_LEVEL = 9


def number(n):
    """An int or a long: a zig-zag varint."""
    n = (n << 1) ^ (n >> 63)
    out = bytearray()
    while n >= 0x80:
        out.append((n & 0x7F) | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


def blob(b):
    """Bytes or a string, behind their length."""
    return number(len(b)) + b


NULL = b"\0"
SOME = b"\x02"  # Before a value of ["null", T].
END = b"\0"  # After the blocks of an array.


def array(items):
    """The encoded items, as one block."""
    return (number(len(items)) + b"".join(items) if items else b"") + END


class ContainerFile:
    """Collects encoded records; `write` puts them into a file."""

    def __init__(self, schema, metadata, sync):
        header = {"avro.schema": json.dumps(schema, separators=(",", ":")),
                  "avro.codec": "deflate", **metadata}
        entries = [blob(k.encode()) + blob(v.encode()) for k, v in header.items()]
        self._sync = sync
        self._parts = [b"Obj\x01", array(entries), sync]
        self._records, self._size = [], 0

    def append(self, record):
        self._records.append(record)
        self._size += len(record)
        if self._size >= BLOCK_BYTES:
            self._end_block()

    def _end_block(self):
        if not self._records:
            return
        deflate = zlib.compressobj(DEFLATE_LEVEL, zlib.DEFLATED, -15)
        data = deflate.compress(b"".join(self._records)) + deflate.flush()
        self._parts += [number(len(self._records)), blob(data), self._sync]
        self._records, self._size = [], 0

    def write(self, path):
        """Returns the size of the file."""
        self._end_block()
        data = b"".join(self._parts)
        with open(path, "wb") as file:
            file.write(data)
        return len(data)
