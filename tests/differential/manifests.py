"""Manifests and manifest lists of a table of the model, of each format version."""
import dataclasses

import pyarrow.parquet

import avro_encoding
import manifest_schemas
import metrics

EXISTING, ADDED, DELETED = 0, 1, 2


@dataclasses.dataclass
class Entry:
    """One entry of a manifest; its file is of the model."""
    file: object
    content: int
    location: str
    records: int
    size: int
    metrics: metrics.Metrics
    referenced: str | None = None
    content_range: tuple | None = None
    status: int = ADDED
    snapshot_id: int | None = None
    file_sequence: int | None = None
    first_row_id: int | None = None


@dataclasses.dataclass
class Manifest:
    """A written manifest, and what its manifest list says of it."""
    entries: list
    record: dict
    has_row_ids: bool = False


class ManifestWriter:
    def __init__(self, table, folder, rng, location, public):
        self._table, self._folder, self._rng = table, folder, rng
        self._location, self._public = location, public
        self._written = 0

    # What the manifests of a snapshot are.

    def next_manifests(self, commit, before, added):
        """The manifests of a snapshot: new ones with its entries, those of the snapshot before
        that hold a removed file, or that are merged, written again, and the others."""
        for entry in added:
            entry.snapshot_id, entry.file_sequence = commit.snapshot_id, commit.sequence
        removed = {id(file) for file in commit.removed}
        kept, again = [], []
        for manifest in before:
            if commit.merge_manifests or any(id(e.file) in removed for e in manifest.entries):
                again += self._carried(manifest, removed, commit)
            else:
                kept.append(manifest)
        return self._manifests_of(again, commit) + self._manifests_of(added, commit) + kept

    def _carried(self, manifest, removed, commit):
        for entry in manifest.entries:
            if entry.status == DELETED:
                continue
            gone = id(entry.file) in removed
            yield dataclasses.replace(
                entry, status=DELETED if gone else EXISTING,
                snapshot_id=commit.snapshot_id if gone else entry.snapshot_id)

    def _manifests_of(self, entries, commit):
        """Entries of one spec and one content, in one manifest or in several."""
        groups = {}
        for entry in entries:
            spread = self._rng.choice((0, 0, 0, 1))
            key = (entry.file.spec_id, entry.content > 0, spread)
            groups.setdefault(key, []).append(entry)
        return [self._write(group, commit) for group in groups.values()]

    # Writing.

    def _write(self, entries, commit):
        table, version = self._table, commit.format_version
        spec = table.spec(entries[0].file.spec_id)
        fields = self._schema(commit)["fields"]
        types = manifest_schemas.partition_types(table, fields, spec)
        partition = manifest_schemas.partition_schema(spec, types)
        self._written += 1
        name = f"metadata/m{self._written}.avro"
        size = avro_encoding.write(
            self._folder / name, manifest_schemas.manifest_entry(version, partition, self._rng),
            [self._entry(entry, spec, types, commit) for entry in entries], self._rng,
            self._header(commit, spec, entries[0].content))
        record = self._list_record(entries, spec, types, commit)
        record |= {"manifest_path": f"{self._location}/{name}", "manifest_length": size}
        return Manifest(entries, record)

    def _schema(self, commit):
        return next(s for s in self._table.schemas if s["schema-id"] == commit.schema_id)

    def _header(self, commit, spec, content):
        schema = self._schema(commit)
        fields = [self._public(field) for field in schema["fields"]]
        return {"schema": avro_encoding.compact_json(
                    {"type": "struct", "schema-id": schema["schema-id"], "fields": fields}),
                "schema-id": str(schema["schema-id"]), "partition-spec-id": str(spec["spec-id"]),
                "partition-spec": avro_encoding.compact_json(spec["fields"]),
                "format-version": str(commit.format_version),
                "content": "deletes" if content else "data"}

    def _entry(self, entry, spec, types, commit):
        """Sequence numbers of what this commit adds are inherited, but for older ones that
        compaction keeps."""
        new = entry.status == ADDED
        own = new and entry.file.sequence == commit.sequence and self._rng.random() < 0.8
        return {"status": entry.status,
                "snapshot_id": None if new and commit.format_version > 1
                and self._rng.random() < 0.3 else entry.snapshot_id,
                "sequence_number": None if own else entry.file.sequence,
                "file_sequence_number": None if new else entry.file_sequence,
                "data_file": self._data_file(entry, spec, types)}

    def _data_file(self, entry, spec, types):
        file, rng = entry.file, self._rng
        offset, length = entry.content_range or (None, None)
        ids = getattr(file, "equality_ids", ())
        return {
            "content": entry.content, "file_path": entry.location, "file_format": file.format,
            "partition": {avro_encoding.avro_name(f["name"]): avro_encoding.avro_value(value, kind)
                          for f, value, kind in zip(spec["fields"], file.partition, types)},
            "record_count": entry.records, "file_size_in_bytes": entry.size,
            "block_size_in_bytes": 67_108_864, "column_sizes": None,
            "split_offsets": self._row_groups(entry) if file.format == "PARQUET"
            and rng.random() < 0.5 else None,
            "equality_ids": list(ids) or None, "sort_order_id": rng.choice((None, 0)),
            "first_row_id": entry.first_row_id, "referenced_data_file": entry.referenced,
            "content_offset": offset, "content_size_in_bytes": length, **entry.metrics.record(rng)}

    def _row_groups(self, entry):
        """Where those of a Parquet file begin."""
        metadata = pyarrow.parquet.read_metadata(
            self._folder / entry.location.removeprefix(self._location + "/"))
        chunks = (metadata.row_group(i).column(0) for i in range(metadata.num_row_groups))
        return [min(chunk.data_page_offset, chunk.dictionary_page_offset or chunk.data_page_offset)
                for chunk in chunks] or None

    def _list_record(self, entries, spec, types, commit):
        rng, live = self._rng, [e for e in entries if e.status != DELETED]
        record = {
            "partition_spec_id": spec["spec-id"], "content": int(entries[0].content > 0),
            "sequence_number": commit.sequence, "added_snapshot_id": commit.snapshot_id,
            "min_sequence_number": min((e.file.sequence for e in live), default=commit.sequence),
            "partitions": None, "first_row_id": None}
        if rng.random() < 0.9:
            record["partitions"] = [
                metrics.partition_summary([e.file.partition[i] for e in entries], kind, rng)
                for i, kind in enumerate(types)]
        for name, status in (("added", ADDED), ("existing", EXISTING), ("deleted", DELETED)):
            counted = [e.records for e in entries if e.status == status]
            record |= {f"{name}_files_count": len(counted),
                       f"{name}_data_files_count": len(counted), f"{name}_rows_count": sum(counted)}
        return record

    # Row ids, and the list.

    def assign_row_ids(self, manifests, next_row_id):
        """Gives ids to the data manifests that have none, and to their live entries that have
        none; returns the table's next id."""
        for manifest in manifests:
            if manifest.has_row_ids or manifest.record["content"]:
                continue
            manifest.has_row_ids = True
            manifest.record["first_row_id"] = first = next_row_id
            for entry in manifest.entries:
                if entry.status != DELETED and entry.first_row_id is None:
                    entry.first_row_id = entry.file.first_row_id = first
                    first += entry.records
            next_row_id += manifest.record["added_rows_count"]
            next_row_id += manifest.record["existing_rows_count"]
        return next_row_id

    def write_list(self, commit, manifests):
        """Returns the list's location."""
        name = f"metadata/snap-{commit.snapshot_id}.avro"
        header = {"snapshot-id": str(commit.snapshot_id), "sequence-number": str(commit.sequence),
                  "format-version": str(commit.format_version)}
        avro_encoding.write(
            self._folder / name, manifest_schemas.manifest_file(commit.format_version, self._rng),
            [manifest.record for manifest in manifests], self._rng, header)
        return f"{self._location}/{name}"
