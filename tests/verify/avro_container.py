"""Avro object container files, read whole and written again with other records."""
import io
import json
import pathlib
import random
import struct
import sys
import zlib

import pyarrow as pa

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tests" / "differential"), str(ROOT / "bench" / "plan")]
from avro_encoding import encoder  # noqa: E402
from avro_writer import ContainerFile, deflate  # noqa: E402

def unzstd(data):
    return pa.CompressedInputStream(pa.BufferReader(data), "zstd").read()


CODECS = {"deflate": (lambda data: zlib.decompress(data, -15), deflate), "null": (bytes, bytes),
          "zstandard": (unzstd, lambda data: pa.compress(data, "zstd", asbytes=True))}


class Decoder:
    """Decodes values of any schema from bytes; the counterpart of `avro_encoding.encoder`."""

    def __init__(self, data):
        self._data = io.BytesIO(data)

    def number(self):
        shift = value = 0
        while True:
            byte = self._data.read(1)[0]
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return (value >> 1) ^ -(value & 1)

    def blob(self):
        return self._data.read(self.number())

    def items(self, decode):
        """The items of the blocks of an array or a map."""
        found = []
        while count := self.number():
            if count < 0:
                self.number()
            found += [decode() for _ in range(abs(count))]
        return found

    def value(self, schema):
        if isinstance(schema, list):
            return self.value(schema[self.number()])
        name = schema["type"] if isinstance(schema, dict) else schema
        if isinstance(name, (dict, list)):
            return self.value(name)
        if name == "record":
            return {f["name"]: self.value(f["type"]) for f in schema["fields"]}
        if name == "array":
            return self.items(lambda: self.value(schema["items"]))
        if name == "map":
            return dict(self.items(lambda: (self.blob().decode(), self.value(schema["values"]))))
        if name == "fixed":
            return self._data.read(schema["size"])
        return getattr(self, "_" + name)()

    def _null(self):
        return None

    def _boolean(self):
        return self._data.read(1) == b"\1"

    def _float(self):
        return struct.unpack("<f", self._data.read(4))[0]

    def _double(self):
        return struct.unpack("<d", self._data.read(8))[0]

    def _string(self):
        return self.blob().decode()

    _int = _long = number
    _bytes = blob


class Container:
    """The records of a file as dictionaries, with its schema, codec and the rest of its header."""

    def __init__(self, path):
        data = pathlib.Path(path).read_bytes()
        decoder = Decoder(data)
        assert decoder._data.read(4) == b"Obj\x01", path
        self.header = {key: value.decode() for key, value in decoder.items(
            lambda: (decoder.blob().decode(), decoder.blob()))}
        self.schema = json.loads(self.header.pop("avro.schema"))
        self.codec = self.header.pop("avro.codec", "null")
        decoder._data.read(16)
        self.records = []
        while decoder._data.tell() < len(data):
            count = decoder.number()
            block = Decoder(CODECS[self.codec][0](decoder.blob()))
            self.records += [block.value(self.schema) for _ in range(count)]
            decoder._data.read(16)

    def write(self, path):
        """Returns the size of the file."""
        file = ContainerFile(self.schema, self.header, random.Random(0).randbytes(16),
                             (self.codec, CODECS[self.codec][1]))
        encode = encoder(self.schema)
        for record in self.records:
            file.append(encode(record))
        return file.write(path)
