"""What a table's files are, read from its metadata by other code than nunatak's."""
import dataclasses
import json
import os
import pathlib

from avro_container import Container

DELETED = 2


@dataclasses.dataclass
class Snapshot:
    record: dict
    list_path: str
    manifests: list
    """Entries of the manifests, DELETED ones left out, each with the manifest's record."""
    live: list

    def sizes(self, list_size):
        """Sizes by path of all that the snapshot needs."""
        return {self.list_path: list_size} \
            | {m["manifest_path"]: m["manifest_length"] for m in self.manifests} \
            | {e["data_file"]["file_path"]: e["data_file"]["file_size_in_bytes"]
               for _, e in self.live}


class Model:
    def __init__(self, metadata_path):
        self.metadata_path = pathlib.Path(metadata_path)
        self.folder = self.metadata_path.parents[1]
        self.metadata = json.loads(self.metadata_path.read_text())
        self.snapshots = [self._snapshot(s) for s in self.metadata.get("snapshots", [])]

    def local(self, recorded):
        return self.folder / recorded.removeprefix(self.metadata["location"]).lstrip("/")

    def _snapshot(self, record):
        manifests = Container(self.local(record["manifest-list"])).records
        live = [(m, e) for m in manifests for e in Container(self.local(m["manifest_path"])).records
                if e["status"] != DELETED]
        return Snapshot(record, record["manifest-list"], manifests, live)

    def size(self, recorded):
        return os.path.getsize(self.local(recorded))

    def current(self):
        return next(s for s in self.snapshots
                    if s.record["snapshot-id"] == self.metadata["current-snapshot-id"])

    def data_files(self):
        return [e["data_file"] for _, e in self.current().live
                if e["data_file"].get("content", 0) == 0]


def pairs(column):
    return {p["key"]: p["value"] for p in column or []}
