"""Writes Avro object container files, by default with the block size and codec of Iceberg's Java
library."""
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


def deflate(data):
    compressor = zlib.compressobj(DEFLATE_LEVEL, zlib.DEFLATED, -15)
    return compressor.compress(data) + compressor.flush()


class ContainerFile:
    """Collects encoded records; `write` puts them into a file. `codec` is a name and a function
    that compresses a block."""

    def __init__(self, schema, metadata, sync, codec=("deflate", deflate), block_bytes=BLOCK_BYTES):
        codec_name, self._compress = codec
        self._block_bytes = block_bytes
        header = {"avro.schema": json.dumps(schema, separators=(",", ":")),
                  "avro.codec": codec_name, **metadata}
        entries = [blob(k.encode()) + blob(v.encode()) for k, v in header.items()]
        self._sync = sync
        self._parts = [b"Obj\x01", array(entries), sync]
        self._records, self._size = [], 0

    def append(self, record):
        self._records.append(record)
        self._size += len(record)
        if self._size >= self._block_bytes:
            self._end_block()

    def _end_block(self):
        if not self._records:
            return
        data = self._compress(b"".join(self._records))
        self._parts += [number(len(self._records)), blob(data), self._sync]
        self._records, self._size = [], 0

    def write(self, path):
        """Returns the size of the file."""
        self._end_block()
        data = b"".join(self._parts)
        with open(path, "wb") as file:
            file.write(data)
        return len(data)
