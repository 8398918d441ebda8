"""Deletion vectors: 64-bit Roaring bitmaps in Puffin files, byte by byte as they are specified."""
import json
import struct
import zlib

ARRAY_LIMIT = 4096  # Containers of more values are bitmaps.
WITHOUT_RUNS, WITH_RUNS = 12346, 12347
OFFSETS_FROM = 4  # Bitmaps with runs state offsets when there are that many containers.
VECTOR_MAGIC = bytes.fromhex("D1D33964")
PUFFIN_MAGIC = b"PFA1"
ROW_POSITION = 2147483545


def _runs(values):
    """(first, length - 1) of each run of consecutive values."""
    runs = []
    for value in values:
        if runs and value == runs[-1][0] + runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        else:
            runs.append((value, 0))
    return runs


def _container(values, run):
    if run:
        runs = _runs(values)
        return struct.pack("<H", len(runs)) + b"".join(struct.pack("<HH", *r) for r in runs)
    if len(values) <= ARRAY_LIMIT:
        return struct.pack(f"<{len(values)}H", *values)
    bits = 0
    for value in values:
        bits |= 1 << value
    return bits.to_bytes(8192, "little")


def _header(keys, containers, runs):
    """What stands before the containers but for their offsets; and whether those follow."""
    described = b"".join(struct.pack("<HH", key, len(containers[key]) - 1) for key in keys)
    if not any(runs):
        return struct.pack("<II", WITHOUT_RUNS, len(keys)) + described, True
    flags = sum(1 << i for i, run in enumerate(runs) if run)
    cookie = struct.pack("<I", WITH_RUNS | (len(keys) - 1) << 16)
    flag_bytes = flags.to_bytes((len(keys) + 7) // 8, "little")
    return cookie + flag_bytes + described, len(keys) >= OFFSETS_FROM


def bitmap32(values, rng):
    """A 32-bit bitmap in the portable form; containers are runs at random."""
    containers = {}
    for value in sorted(values):
        containers.setdefault(value >> 16, []).append(value & 0xFFFF)
    keys = sorted(containers)
    runs = [rng.random() < 0.4 for _ in keys]
    bodies = [_container(containers[key], run) for key, run in zip(keys, runs)]
    header, with_offsets = _header(keys, containers, runs)
    if not with_offsets:
        return header + b"".join(bodies)
    at, offsets = len(header) + 4 * len(keys), b""
    for body in bodies:
        offsets += struct.pack("<I", at)
        at += len(body)
    return header + offsets + b"".join(bodies)


def bitmap64(positions, rng):
    halves = {}
    for position in positions:
        halves.setdefault(position >> 32, []).append(position & 0xFFFFFFFF)
    return struct.pack("<Q", len(halves)) + b"".join(
        struct.pack("<I", key) + bitmap32(halves[key], rng) for key in sorted(halves))


def blob(positions, rng):
    body = VECTOR_MAGIC + bitmap64(positions, rng)
    return struct.pack(">I", len(body)) + body + struct.pack(">I", zlib.crc32(body))


def write_puffin(path, vectors, rng):
    """Writes the vectors, [(data file's location, positions)]; returns (the file's size, [(offset,
    length) of each])."""
    data, places, described = PUFFIN_MAGIC, [], []
    for location, positions in vectors:
        encoded = blob(positions, rng)
        places.append((len(data), len(encoded)))
        described.append({
            "type": "deletion-vector-v1", "fields": [ROW_POSITION], "snapshot-id": -1,
            "sequence-number": -1, "offset": len(data), "length": len(encoded),
            "properties": {"referenced-data-file": location, "cardinality": str(len(positions))}})
        data += encoded
    footer = json.dumps({"blobs": described}).encode()
    data += PUFFIN_MAGIC + footer + struct.pack("<I", len(footer)) + bytes(4) + PUFFIN_MAGIC
    with open(path, "wb") as file:
        file.write(data)
    return len(data), places
